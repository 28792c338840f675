// Plus 4 in words, in the three languages.

import { prefs } from '../../lib/prefs.svelte';
import type { Lang } from '../../lib/types';

const en = {
  colours: ['Blue', 'Red'],
  fallenPawns: ['A blue pawn falls out.', 'A red pawn falls out.'],
  pawns: { b: 'blue', r: 'red', B: 'blue bonus', R: 'red bonus', '.': 'empty' } as Record<string, string>,
  column: (name: string) => `column ${name}`,
  columnBonus: (name: string) => `bonus pawn in column ${name}`,
  columnHolds: (name: string, pawns: string) => `Column ${name}, from the top: ${pawns}`,
  pushHere: (name: string) => `Push column ${name}`,
  pushes: (who: string, column: string) => `${who} pushes column ${column}.`,
  pushesBonus: (who: string, column: string) => `${who} pushes the bonus pawn into column ${column}.`,
  lines: { row: 'a row', column: 'a column', diagonal: 'a diagonal' },
  and: ' and ',
  completes: (who: string, lines: string) => `${who} completes ${lines}.`,
  completesFor: (who: string, lines: string, n: number) =>
    `${who} completes ${lines}: ${n === 1 ? '1 point' : `${n} points`}.`,
  roundOver: 'The round is over.',
  score: (who: string, n: number, top: number) => `${who}: ${n} of ${top}`,
  round: (n: number, of: number | null) => (of === null ? `Round ${n}` : `Round ${n} of ${of}`),
  bonusInHand: 'Play the bonus pawn',
  keys: 'push a column',
  keysBonus: 'play the bonus pawn, or Shift with the column',
  win: (n: number) => `win ${n}`,
  loss: (n: number) => `loss ${n}`,
  draw: 'draw',
  reasons: {
    line: (winner: string) => `${winner} lined up four.`,
    line_given: (winner: string) => `The other side’s push completed a line for ${winner}.`,
    both_lines: 'One push completed a line of each colour.',
    target: (score: string) => `The points are reached: ${score}.`,
    rounds: (score: string) => `All rounds are played: ${score}.`,
    repetition: 'The same position came up for the third time.',
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
  pushHere: (name) => `Pousser la colonne ${name}`,
  pushes: (who, column) => `${who} pousse la colonne ${column}.`,
  pushesBonus: (who, column) => `${who} pousse le pion bonus dans la colonne ${column}.`,
  lines: { row: 'une ligne', column: 'une colonne', diagonal: 'une diagonale' },
  and: ' et ',
  completes: (who, lines) => `${who} complète ${lines}.`,
  completesFor: (who, lines, n) => `${who} complète ${lines} : ${n < 2 ? `${n} point` : `${n} points`}.`,
  roundOver: 'La manche est finie.',
  score: (who, n, top) => `${who} : ${n} sur ${top}`,
  round: (n, of) => (of === null ? `Manche ${n}` : `Manche ${n} sur ${of}`),
  bonusInHand: 'Jouer le pion bonus',
  keys: 'pousser une colonne',
  keysBonus: 'jouer le pion bonus, ou Maj avec la colonne',
  win: (n) => `gain ${n}`,
  loss: (n) => `perte ${n}`,
  draw: 'nulle',
  reasons: {
    line: (winner) => `${winner} a aligné quatre pions.`,
    line_given: (winner) => `La poussée de l’adversaire a complété un alignement pour ${winner}.`,
    both_lines: 'Une seule poussée a complété un alignement de chaque couleur.',
    target: (score) => `Le total est atteint : ${score}.`,
    rounds: (score) => `Toutes les manches sont jouées : ${score}.`,
    repetition: 'La même position est apparue pour la troisième fois.',
  },
};

const de: Messages = {
  colours: ['Blau', 'Rot'],
  fallenPawns: ['Ein blauer Stein fällt heraus.', 'Ein roter Stein fällt heraus.'],
  pawns: { b: 'blau', r: 'rot', B: 'blauer Bonus', R: 'roter Bonus', '.': 'leer' },
  column: (name) => `Spalte ${name}`,
  columnBonus: (name) => `Bonusstein in Spalte ${name}`,
  columnHolds: (name, pawns) => `Spalte ${name}, von oben: ${pawns}`,
  pushHere: (name) => `Spalte ${name} schieben`,
  pushes: (who, column) => `${who} schiebt Spalte ${column}.`,
  pushesBonus: (who, column) => `${who} schiebt den Bonusstein in Spalte ${column}.`,
  lines: { row: 'eine Zeile', column: 'eine Spalte', diagonal: 'eine Diagonale' },
  and: ' und ',
  completes: (who, lines) => `${who} vollendet ${lines}.`,
  completesFor: (who, lines, n) => `${who} vollendet ${lines}: ${n === 1 ? '1 Punkt' : `${n} Punkte`}.`,
  roundOver: 'Die Runde ist zu Ende.',
  score: (who, n, top) => `${who}: ${n} von ${top}`,
  round: (n, of) => (of === null ? `Runde ${n}` : `Runde ${n} von ${of}`),
  bonusInHand: 'Den Bonusstein spielen',
  keys: 'eine Spalte schieben',
  keysBonus: 'den Bonusstein spielen, oder Umschalt mit der Spalte',
  win: (n) => `Sieg ${n}`,
  loss: (n) => `Verlust ${n}`,
  draw: 'remis',
  reasons: {
    line: (winner) => `${winner} hat vier in einer Reihe.`,
    line_given: (winner) => `Der Zug der Gegenseite hat eine Reihe für ${winner} vollendet.`,
    both_lines: 'Ein einziger Zug hat Reihen beider Farben vollendet.',
    target: (score) => `Die Punktzahl ist erreicht: ${score}.`,
    rounds: (score) => `Alle Runden sind gespielt: ${score}.`,
    repetition: 'Dieselbe Stellung kam zum dritten Mal vor.',
  },
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr, de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
