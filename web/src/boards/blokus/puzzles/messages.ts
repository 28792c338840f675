// The puzzles in words, in the three languages.

import { french } from '../../../lib/i18n/french';
import { pluralsIn } from '../../../lib/i18n/plural';
import { prefs } from '../../../lib/prefs.svelte';
import type { Lang } from '../../../lib/types';

const [enPlural, frPlural, dePlural] = [pluralsIn('en'), pluralsIn('fr'), pluralsIn('de')];

const en = {
  // choosing
  title: 'Puzzles',
  lead: 'Alone or together: fit all pieces onto the board.',
  print: 'Print today’s puzzles',
  daily: 'Puzzle of the day',
  dailyText: 'The same for everyone, a new one every day.',
  solvedIn: (time: string) => `solved in ${time}`,
  givenUp: 'given up',
  goOn: 'Continue a puzzle',
  choose: 'Choose a puzzle',
  warmUp: 'warm-up',
  size: (rows: number, columns: number) => `${rows} by ${columns}`,
  difficulty: 'Difficulty',
  difficulties: { easy: 'Easy', medium: 'Medium', expert: 'Expert', full: 'Empty board' },
  toLay: (n: number) => `${enPlural(n, { one: 'piece', other: 'pieces' })} to place`,
  form: 'Rules',
  plain: 'Standard',
  hard: 'Hard',
  hardForm: 'hard',
  board: 'Board',
  best: (time: string) => `Your best time: ${time}`,
  noBest: 'No best time yet',
  start: 'Start',

  // rules
  fill: 'The pieces fill the whole board.',
  fillHard: 'The pieces fill the whole board, and pieces of one colour never touch along an edge.',
  lay84: 'All pieces must be placed. Each touches its own colour at a corner, never along an edge.',
  lay84Hard: 'All pieces must be placed, large ones first. Each touches its own colour at a corner, never along an edge.',

  // what to do
  pick: 'Choose a piece from the tray, or click a placed one to move it.',
  fits: 'It fits here. Place it.',
  nowhere: 'This piece does not fit anywhere now.',
  faults: {
    overlap: 'Not here: a cell is occupied.',
    touches: 'Not here: two pieces of one colour would touch along an edge.',
    not_in_corner: 'Not here: the first piece of a colour must cover its corner of the board.',
    not_attached: 'Not here: it does not touch its own colour at a corner.',
    too_early: 'Too early: place the larger pieces first.',
  },
  fixed: 'This piece belongs to the puzzle and cannot be moved.',
  needed: 'Other pieces depend on this one. Take those back first.',

  // can it be solved
  outlook: 'Can this still be solved?',
  outlooks: { yes: 'Yes, it can still be solved.', no: 'No, not like this.', unknown: 'Not sure: no answer within a second.', asking: 'Checking…' },
  why: {
    region: (cells: string) => `The gap at ${cells} cannot be filled.`,
    no_room: 'One colour has too little room left.',
    no_place: 'One piece has no place left.',
    other: 'A rule is broken at the marked cells.',
  },

  // buttons
  hint: 'Hint',
  hintShown: (piece: string, cells: string) => `Hint: ${piece} belongs on ${cells}.`,
  noHint: 'No hint: there is no known solution from here. Take a piece back.',
  takeBack: 'Take back',
  share: 'Copy link',
  clear: 'Start over',
  giveUp: 'Give up',
  sure: 'Really?',
  working: 'Searching…',
  time: 'Time',
  helped: 'with hints',

  // the end
  solved: 'Solved!',
  solvedText: (time: string) => `All pieces are placed. Your time: ${time}.`,
  newBest: 'Your best time so far!',
  shown: 'This is the solution.',
  shownText: 'Start over, or try another one.',
  another: 'Another puzzle',
  all: 'All puzzles',

  // for screen readers
  boardLabel: (columns: number, rows: number) =>
    `Board, ${columns} columns and ${rows} rows. Arrow keys move the piece or the cursor, R turns, F flips, N goes to the next place, Enter places or picks up, Backspace takes back, Escape puts the piece back.`,
  tray: 'Pieces to place',
  item: (colour: string, name: string) => `${colour} ${name}`,
  laid: (piece: string, cells: string) => `${piece} placed on ${cells}.`,
  taken: (piece: string) => `${piece} taken back.`,
  left: (n: number) => `${enPlural(n, { one: 'piece', other: 'pieces' })} left.`,
  given: 'given',
};

type Messages = typeof en;

const fr: Messages = {
  title: 'Casse-tête',
  lead: 'Seul ou à plusieurs : placez toutes les pièces sur le plateau.',
  print: 'Imprimer les casse-tête du jour',
  daily: 'Le casse-tête du jour',
  dailyText: 'Le même pour tous, un nouveau chaque jour.',
  solvedIn: (time) => `résolu en ${time}`,
  givenUp: 'abandonné',
  goOn: 'Reprendre un casse-tête',
  choose: 'Choisissez un casse-tête',
  warmUp: 'échauffement',
  size: (rows, columns) => `${rows} sur ${columns}`,
  difficulty: 'Difficulté',
  difficulties: { easy: 'Facile', medium: 'Moyen', expert: 'Difficile', full: 'Plateau vide' },
  toLay: (n) => `${frPlural(n, { one: 'pièce', other: 'pièces' })} à poser`,
  form: 'Règles',
  plain: 'Normales',
  hard: 'Strictes',
  hardForm: 'règles strictes',
  board: 'Plateau',
  best: (time) => `Votre meilleur temps : ${time}`,
  noBest: 'Pas encore de meilleur temps',
  start: 'Commencer',

  fill: 'Les pièces remplissent tout le plateau.',
  fillHard: 'Les pièces remplissent tout le plateau, et deux pièces d’une couleur ne se touchent jamais par un côté.',
  lay84: 'Toutes les pièces doivent être posées. Chacune touche sa couleur par un coin, jamais par un côté.',
  lay84Hard: 'Toutes les pièces doivent être posées, les grandes d’abord. Chacune touche sa couleur par un coin, jamais par un côté.',

  pick: 'Choisissez une pièce, ou cliquez sur une pièce posée pour la déplacer.',
  fits: 'Elle tient ici. Posez-la.',
  nowhere: 'Cette pièce ne tient nulle part.',
  faults: {
    overlap: 'Pas ici : une case est occupée.',
    touches: 'Pas ici : deux pièces d’une couleur se toucheraient par un côté.',
    not_in_corner: 'Pas ici : la première pièce d’une couleur doit couvrir son coin du plateau.',
    not_attached: 'Pas ici : elle ne touche sa couleur par aucun coin.',
    too_early: 'Trop tôt : posez d’abord les grandes pièces.',
  },
  fixed: 'Cette pièce fait partie de l’énoncé et ne bouge pas.',
  needed: 'D’autres pièces dépendent de celle-ci. Retirez-les d’abord.',

  outlook: 'Y a-t-il encore une solution ?',
  outlooks: { yes: 'Oui, il y a encore une solution.', no: 'Non, pas ainsi.', unknown: 'Incertain : rien trouvé en une seconde.', asking: 'Recherche…' },
  why: {
    region: (cells) => `Le trou en ${cells} ne peut pas être rempli.`,
    no_room: 'Une couleur n’a plus assez de place.',
    no_place: 'Une pièce n’a plus de place.',
    other: 'Une règle est enfreinte aux cases marquées.',
  },

  hint: 'Indice',
  hintShown: (piece, cells) => `Indice : ${piece} va en ${cells}.`,
  noHint: 'Pas d’indice : aucune solution connue à partir d’ici. Retirez une pièce.',
  takeBack: 'Annuler le coup',
  share: 'Copier le lien',
  clear: 'Recommencer',
  giveUp: 'Abandonner',
  sure: 'Vraiment ?',
  working: 'Recherche…',
  time: 'Temps',
  helped: 'avec indices',

  solved: 'Résolu !',
  solvedText: (time) => `Toutes les pièces sont posées. Votre temps : ${time}.`,
  newBest: 'Votre meilleur temps !',
  shown: 'Voici la solution.',
  shownText: 'Recommencez, ou essayez-en un autre.',
  another: 'Un autre casse-tête',
  all: 'Tous les casse-tête',

  boardLabel: (columns, rows) =>
    `Plateau de ${columns} colonnes et ${rows} rangées. Les flèches déplacent la pièce ou le curseur, R tourne, F retourne, N va à la place suivante, Entrée pose ou saisit, Retour arrière retire, Échap repose la pièce.`,
  tray: 'Pièces à poser',
  item: (colour, name) => `${name} ${colour}`,
  laid: (piece, cells) => `${piece} posée en ${cells}.`,
  taken: (piece) => `${piece} retirée.`,
  left: (n) => `Il reste ${frPlural(n, { one: 'pièce', other: 'pièces' })}.`,
  given: 'fixe',
};

const de: Messages = {
  title: 'Puzzles',
  lead: 'Allein oder zusammen: Bring alle Teile auf dem Brett unter.',
  print: 'Die Puzzles des Tages drucken',
  daily: 'Puzzle des Tages',
  dailyText: 'Für alle dasselbe, jeden Tag ein neues.',
  solvedIn: (time) => `gelöst in ${time}`,
  givenUp: 'aufgegeben',
  goOn: 'Ein Puzzle fortsetzen',
  choose: 'Wähle ein Puzzle',
  warmUp: 'zum Aufwärmen',
  size: (rows, columns) => `${rows} mal ${columns}`,
  difficulty: 'Schwierigkeit',
  difficulties: { easy: 'Leicht', medium: 'Mittel', expert: 'Schwer', full: 'Leeres Brett' },
  toLay: (n) => `${dePlural(n, { one: 'Teil', other: 'Teile' })} zu legen`,
  form: 'Regeln',
  plain: 'Normal',
  hard: 'Streng',
  hardForm: 'streng',
  board: 'Brett',
  best: (time) => `Deine Bestzeit: ${time}`,
  noBest: 'Noch keine Bestzeit',
  start: 'Los',

  fill: 'Die Teile füllen das ganze Brett.',
  fillHard: 'Die Teile füllen das ganze Brett, und Teile einer Farbe berühren sich nie an einer Kante.',
  lay84: 'Alle Teile müssen aufs Brett. Jedes berührt seine Farbe an einer Ecke, nie an einer Kante.',
  lay84Hard: 'Alle Teile müssen aufs Brett, große zuerst. Jedes berührt seine Farbe an einer Ecke, nie an einer Kante.',

  pick: 'Wähle ein Teil, oder klick auf ein gelegtes, um es zu verschieben.',
  fits: 'Hier passt es. Leg es hin.',
  nowhere: 'Dieses Teil passt gerade nirgends.',
  faults: {
    overlap: 'Hier nicht: Ein Feld ist besetzt.',
    touches: 'Hier nicht: Zwei Teile einer Farbe lägen Kante an Kante.',
    not_in_corner: 'Hier nicht: Das erste Teil einer Farbe muss ihre Ecke des Bretts bedecken.',
    not_attached: 'Hier nicht: Es berührt seine Farbe an keiner Ecke.',
    too_early: 'Zu früh: Leg zuerst die größeren Teile.',
  },
  fixed: 'Dieses Teil gehört zur Aufgabe und bleibt liegen.',
  needed: 'Andere Teile hängen von diesem ab. Nimm zuerst die zurück.',

  outlook: 'Ist es noch lösbar?',
  outlooks: { yes: 'Ja, es ist noch lösbar.', no: 'Nein, so nicht.', unknown: 'Unklar: in einer Sekunde nichts gefunden.', asking: 'Wird geprüft…' },
  why: {
    region: (cells) => `Die Lücke bei ${cells} lässt sich nicht füllen.`,
    no_room: 'Eine Farbe hat zu wenig Platz übrig.',
    no_place: 'Für ein Teil ist kein Platz mehr.',
    other: 'An den markierten Feldern ist eine Regel verletzt.',
  },

  hint: 'Tipp',
  hintShown: (piece, cells) => `Tipp: ${piece} gehört auf ${cells}.`,
  noHint: 'Kein Tipp: Von hier aus ist keine Lösung bekannt. Nimm ein Teil zurück.',
  takeBack: 'Zurücknehmen',
  share: 'Link kopieren',
  clear: 'Neu anfangen',
  giveUp: 'Aufgeben',
  sure: 'Wirklich?',
  working: 'Wird gesucht…',
  time: 'Zeit',
  helped: 'mit Tipps',

  solved: 'Gelöst!',
  solvedText: (time) => `Alle Teile sind gelegt. Deine Zeit: ${time}.`,
  newBest: 'Deine neue Bestzeit!',
  shown: 'So sieht die Lösung aus.',
  shownText: 'Fang neu an, oder versuch ein anderes.',
  another: 'Noch ein Puzzle',
  all: 'Alle Puzzles',

  boardLabel: (columns, rows) =>
    `Brett mit ${columns} Spalten und ${rows} Reihen. Die Pfeiltasten bewegen das Teil oder den Zeiger, R dreht, F wendet, N geht zur nächsten Stelle, Eingabe legt oder nimmt auf, Rücktaste nimmt zurück, Escape legt zurück.`,
  tray: 'Teile zum Legen',
  item: (colour, name) => `${colour} ${name}`,
  laid: (piece, cells) => `${piece} liegt auf ${cells}.`,
  taken: (piece) => `${piece} zurückgenommen.`,
  left: (n) => `Noch ${dePlural(n, { one: 'Teil', other: 'Teile' })}.`,
  given: 'fest',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
