// Plus 4 in words, in the three languages.

import { french } from '../../lib/i18n/french';
import { pluralsIn } from '../../lib/i18n/plural';
import { prefs } from '../../lib/prefs.svelte';
import type { Lang } from '../../lib/types';

const [enPlural, frPlural, dePlural] = [pluralsIn('en'), pluralsIn('fr'), pluralsIn('de')];

const en = {
  colours: ['Blue', 'Red'],
  fallenPawns: ['A blue pawn falls out.', 'A red pawn falls out.'],
  pawns: { b: 'blue', r: 'red', B: 'blue bonus', R: 'red bonus', '.': 'empty' } as Record<string, string>,
  column: (name: string) => `column ${name}`,
  columnBonus: (name: string) => `bonus pawn in column ${name}`,
  columnHolds: (name: string, pawns: string) => `Column ${name}, from the top: ${pawns}`,
  firstStep: 'Click a column to push a pawn in from the top.',
  firstBonus: 'To push the bonus pawn ★ instead, click it first.',
  pushHere: (name: string) => `Push column ${name}`,
  pushes: (who: string, column: string) => `${who} plays column ${column}.`,
  pushesBonus: (who: string, column: string) => `${who} plays the bonus pawn in column ${column}.`,
  lines: { row: 'a row', column: 'a column', diagonal: 'a diagonal' },
  and: ' and ',
  completes: (who: string, lines: string) => `${who} completes ${lines}.`,
  completesFor: (who: string, lines: string, n: number) =>
    `${who} completes ${lines}: ${enPlural(n, { one: 'point', other: 'points' })}.`,
  roundOver: 'The round is over.',
  score: (who: string, n: number, top: number) => `${who}: ${n} of ${top}`,
  round: (n: number, of: number | null) => (of === null ? `Round ${n}` : `Round ${n} of ${of}`),
  bonusInHand: 'Play the bonus pawn',
  keys: 'play a column',
  keysBonus: 'play the bonus pawn, or Shift with the column',
  win: (n: number) => `wins in ${n}`,
  loss: (n: number) => `loses in ${n}`,
  draw: 'draw',
  reasons: {
    line: (winner: string) => `${winner} has four in a row.`,
    line_given: (winner: string) => `The opponent’s move gave ${winner} four in a row.`,
    both_lines: 'One move gave both sides four in a row.',
    target: (score: string) => `The target score is reached: ${score}.`,
    rounds: (score: string) => `All rounds have been played: ${score}.`,
    repetition: 'The same position occurred three times.',
  },
};

type Messages = typeof en;

const fr: Messages = {
  colours: ['Bleu', 'Rouge'],
  fallenPawns: ['Un pion bleu tombe.', 'Un pion rouge tombe.'],
  pawns: { b: 'bleu', r: 'rouge', B: 'bonus bleu', R: 'bonus rouge', '.': 'vide' },
  column: (name) => `colonne ${name}`,
  columnBonus: (name) => `pion bonus dans la colonne ${name}`,
  columnHolds: (name, pawns) => `Colonne ${name}, de haut en bas : ${pawns}`,
  firstStep: 'Cliquez sur une colonne pour y pousser un pion par le haut.',
  firstBonus: 'Pour le pion bonus ★, cliquez d’abord dessus.',
  pushHere: (name) => `Jouer la colonne ${name}`,
  pushes: (who, column) => `${who} joue la colonne ${column}.`,
  pushesBonus: (who, column) => `${who} joue le pion bonus dans la colonne ${column}.`,
  lines: { row: 'une ligne', column: 'une colonne', diagonal: 'une diagonale' },
  and: ' et ',
  completes: (who, lines) => `${who} complète ${lines}.`,
  completesFor: (who, lines, n) => `${who} complète ${lines} : ${frPlural(n, { one: 'point', other: 'points' })}.`,
  roundOver: 'La manche est terminée.',
  score: (who, n, top) => `${who} : ${n} sur ${top}`,
  round: (n, of) => (of === null ? `Manche ${n}` : `Manche ${n} sur ${of}`),
  bonusInHand: 'Jouer le pion bonus',
  keys: 'jouer une colonne',
  keysBonus: 'jouer le pion bonus, ou Maj avec la colonne',
  win: (n) => `gagne en ${n}`,
  loss: (n) => `perd en ${n}`,
  draw: 'nulle',
  reasons: {
    line: (winner) => `${winner} a aligné quatre pions.`,
    line_given: (winner) => `Le coup de l’adversaire a aligné quatre pions pour ${winner}.`,
    both_lines: 'Un même coup a aligné quatre pions pour chacun.',
    target: (score) => `Le score visé est atteint : ${score}.`,
    rounds: (score) => `Toutes les manches sont jouées : ${score}.`,
    repetition: 'La même position est apparue trois fois.',
  },
};

const de: Messages = {
  colours: ['Blau', 'Rot'],
  fallenPawns: ['Ein blauer Stein fällt heraus.', 'Ein roter Stein fällt heraus.'],
  pawns: { b: 'blau', r: 'rot', B: 'blauer Bonus', R: 'roter Bonus', '.': 'leer' },
  column: (name) => `Spalte ${name}`,
  columnBonus: (name) => `Bonusstein in Spalte ${name}`,
  columnHolds: (name, pawns) => `Spalte ${name}, von oben: ${pawns}`,
  firstStep: 'Klick auf eine Spalte, um oben einen Stein hineinzuschieben.',
  firstBonus: 'Für den Bonusstein ★ klick zuerst auf ihn.',
  pushHere: (name) => `Spalte ${name} spielen`,
  pushes: (who, column) => `${who} spielt Spalte ${column}.`,
  pushesBonus: (who, column) => `${who} spielt den Bonusstein in Spalte ${column}.`,
  lines: { row: 'eine Zeile', column: 'eine Spalte', diagonal: 'eine Diagonale' },
  and: ' und ',
  completes: (who, lines) => `${who} vollendet ${lines}.`,
  completesFor: (who, lines, n) => `${who} vollendet ${lines}: ${dePlural(n, { one: 'Punkt', other: 'Punkte' })}.`,
  roundOver: 'Die Runde ist zu Ende.',
  score: (who, n, top) => `${who}: ${n} von ${top}`,
  round: (n, of) => (of === null ? `Runde ${n}` : `Runde ${n} von ${of}`),
  bonusInHand: 'Den Bonusstein spielen',
  keys: 'eine Spalte spielen',
  keysBonus: 'den Bonusstein spielen, oder Umschalt mit der Spalte',
  win: (n) => `ge\u00adwinnt in ${n}`, // hyphens for narrow columns
  loss: (n) => `ver\u00adliert in ${n}`,
  draw: 'unent\u00adschie\u00adden',
  reasons: {
    line: (winner) => `${winner} hat vier in einer Reihe.`,
    line_given: (winner) => `Durch den Zug des Gegners hat ${winner} vier in einer Reihe.`,
    both_lines: 'Durch einen einzigen Zug haben beide vier in einer Reihe.',
    target: (score) => `Die Zielpunktzahl ist erreicht: ${score}.`,
    rounds: (score) => `Alle Runden sind gespielt: ${score}.`,
    repetition: 'Dieselbe Stellung kam dreimal vor.',
  },
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
