// Learning in words, in the three languages. The lessons' own texts come from the server, the rules' from the guide.

import { french } from '../lib/i18n/french';
import { pluralsIn } from '../lib/i18n/plural';
import { prefs } from '../lib/prefs.svelte';
import type { Lang } from '../lib/types';

const [enPlural, frPlural, dePlural] = [pluralsIn('en'), pluralsIn('fr'), pluralsIn('de')];

const en = {
  title: 'Learn by playing',
  print: 'Print the rules',
  printMore: 'Boards and pieces to print',
  lead: 'Short lessons on real boards: a sentence, a move, and you know the rule.',
  courseOf: (game: string) => `Learn ${game}`,
  done: (n: number, of: number) => `${n} of ${enPlural(of, { one: 'lesson', other: 'lessons' })} done`,
  steps: (n: number) => enPlural(n, { one: 'step', other: 'steps' }),
  begin: 'Start',
  goOn: 'Continue',
  repeat: 'Again',
  finished: 'done',
  allGames: 'All games',
  allLessons: 'All lessons',
  rulesOf: (game: string) => `Rules of ${game}`,
  rulesText: 'Every rule, with its number. Where the printed rulebook says nothing, our ruling is marked.',

  stepOf: (n: number, of: number) => `Step ${n} of ${of}`,
  task: 'Your task',
  showMe: 'Show me',
  tryAgain: 'Try again',
  next: 'Next step',
  nextLesson: (title: string) => `Next lesson: ${title}`,
  ruleText: 'The full rule',
  shown: 'That is how it works.',
  nearly: 'Not quite.',
  notAllowed: 'That is not allowed.',
  otherMove: 'A legal move, but not the one we are looking for. Read the task again.',
  otherFault: 'The rules do not allow that here. Read the task again.',
  courseDone: (game: string) => `You can play ${game} now. Time for a real game!`,
  playEngine: 'Play the computer',
  readRules: 'Read the rules',
  contents: 'Contents',
};

type Messages = typeof en;

const fr: Messages = {
  title: 'Apprendre en jouant',
  print: 'Imprimer les règles',
  printMore: 'Plateaux et pièces à imprimer',
  lead: 'De courtes leçons sur de vrais plateaux : une phrase, un coup, et la règle est acquise.',
  courseOf: (game) => `Apprendre ${game}`,
  done: (n, of) => `${frPlural(n, { one: 'leçon faite', other: 'leçons faites' })} sur ${of}`,
  steps: (n) => frPlural(n, { one: 'étape', other: 'étapes' }),
  begin: 'Commencer',
  goOn: 'Continuer',
  repeat: 'Encore une fois',
  finished: 'faite',
  allGames: 'Tous les jeux',
  allLessons: 'Toutes les leçons',
  rulesOf: (game) => `Règles de ${game}`,
  rulesText: 'Toutes les règles, numérotées. Là où le livret ne dit rien, notre interprétation est signalée.',

  stepOf: (n, of) => `Étape ${n} sur ${of}`,
  task: 'À vous',
  showMe: 'Montrez-moi',
  tryAgain: 'Réessayer',
  next: 'Étape suivante',
  nextLesson: (title) => `Leçon suivante : ${title}`,
  ruleText: 'La règle complète',
  shown: 'Voilà comment faire.',
  nearly: 'Pas tout à fait.',
  notAllowed: 'Ce n’est pas permis.',
  otherMove: 'Un coup permis, mais pas celui que l’on cherche. Relisez la consigne.',
  otherFault: 'Les règles ne le permettent pas ici. Relisez la consigne.',
  courseDone: (game) => `Vous savez jouer à ${game}. Place à une vraie partie !`,
  playEngine: 'Jouer contre l’ordinateur',
  readRules: 'Lire les règles',
  contents: 'Sommaire',
};

const de: Messages = {
  title: 'Spielend lernen',
  print: 'Regeln drucken',
  printMore: 'Bretter und Teile zum Drucken',
  lead: 'Kurze Lektionen auf echten Brettern: ein Satz, ein Zug, und du kennst die Regel.',
  courseOf: (game) => `${game} lernen`,
  done: (n, of) => `${n} von ${of} Lektionen geschafft`,
  steps: (n) => dePlural(n, { one: 'Schritt', other: 'Schritte' }),
  begin: 'Anfangen',
  goOn: 'Weitermachen',
  repeat: 'Noch einmal',
  finished: 'geschafft',
  allGames: 'Alle Spiele',
  allLessons: 'Alle Lektionen',
  rulesOf: (game) => `Regeln von ${game}`,
  rulesText: 'Jede Regel mit ihrer Nummer. Wo die Anleitung schweigt, ist unsere Auslegung gekennzeichnet.',

  stepOf: (n, of) => `Schritt ${n} von ${of}`,
  task: 'Deine Aufgabe',
  showMe: 'Zeig es mir',
  tryAgain: 'Noch einmal versuchen',
  next: 'Nächster Schritt',
  nextLesson: (title) => `Nächste Lektion: ${title}`,
  ruleText: 'Die ganze Regel',
  shown: 'So geht es.',
  nearly: 'Nicht ganz.',
  notAllowed: 'Das geht nicht.',
  otherMove: 'Ein erlaubter Zug, aber nicht der gesuchte. Lies die Aufgabe noch einmal.',
  otherFault: 'Das erlauben die Regeln hier nicht. Lies die Aufgabe noch einmal.',
  courseDone: (game) => `Du kannst jetzt ${game} spielen. Zeit für eine echte Partie!`,
  playEngine: 'Gegen den Computer spielen',
  readRules: 'Die Regeln lesen',
  contents: 'Inhalt',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
