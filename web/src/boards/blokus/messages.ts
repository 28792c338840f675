// Blokus in words, in the three languages.

import { french } from '../../lib/i18n/french';
import { pluralsIn } from '../../lib/i18n/plural';
import { prefs } from '../../lib/prefs.svelte';
import type { Lang } from '../../lib/types';

const [enPlural, frPlural, dePlural] = [pluralsIn('en'), pluralsIn('fr'), pluralsIn('de')];

const en = {
  colours: ['Blue', 'Yellow', 'Red', 'Green'],
  inText: ['blue', 'yellow', 'red', 'green'], // within a sentence
  pair: (one: string, other: string) => `${one} and ${other}`,
  pieceAt: (piece: string, cell: string) => `${piece} at ${cell}`,
  firstStep: 'Choose a piece below or beside the board, then place it on the marked start cell.',
  lays: (who: string, piece: string, cell: string) => `${who} places ${piece} at ${cell}.`,
  isOut: (who: string) => `${who} cannot place any more pieces.`,

  // whose turn
  playNow: (colour: string) => `Your turn: ${colour}`,
  movesNow: (name: string) => `${name} to move`,
  finished: 'The game is over',
  sideOf: (pair: string) => `same player: ${pair}`,
  teamOf: (pair: string) => `same team: ${pair}`,
  sharedNow: (who: string) => `shared by all; ${who} places it now`,
  sharedYours: 'shared by all; you place it now',

  // what to do
  chooseFirst: 'Choose a piece. Your first piece must cover the marked start cell.',
  choose: 'Choose a piece. It must touch your colour at a corner, never along an edge.',
  fits: 'It fits here. Place it, or try another spot.',
  faults: {
    taken: 'Not here: a cell is occupied.',
    edge: 'Not here: it would touch your own colour along an edge.',
    start: 'Not here: your first piece must cover the marked start cell.',
    corner: 'Not here: it does not touch your colour at a corner.',
    other: 'It does not fit here.',
  },
  nowhere: (piece: string) => `Piece ${piece} does not fit anywhere now. Choose another one.`,
  over: 'Step through the game, or play again.',
  waiting: 'The others are moving. You can already look for your next spot.',

  // hands and buttons
  tray: (colour: string) => `Pieces left: ${colour}`,
  piece: (name: string, squares: number) => `Piece ${name}, ${enPlural(squares, { one: 'square', other: 'squares' })}`,
  places: (n: number) => (n === 0 ? 'fits nowhere now' : `fits in ${enPlural(n, { one: 'place', other: 'places' })}`),
  laid: 'placed',
  turn: 'Turn',
  flip: 'Flip',
  next: 'Next spot',
  nextText: 'Go to the next place where it fits',
  place: 'Place',
  reach: 'Where it fits',
  reachText: 'Show every cell the piece can cover',
  numbers: 'Number pieces',
  numbersText: 'Number the pieces in the order they were placed',
  squaresPlaced: (n: number) => `${enPlural(n, { one: 'square', other: 'squares' })} placed`,
  hands: 'Scores and pieces left',
  hand: (colour: string, score: number, left: number) =>
    `${colour}: score ${score}, ${left === 0 ? 'no pieces left' : enPlural(left, { one: 'piece left', other: 'pieces left' })}`,
  out: 'out',
  uncounted: 'not counted',

  // for screen readers
  boardLabel: (size: number) =>
    `Board, ${size} by ${size}. Arrow keys move the piece or the cursor, R turns, F flips, N goes to the next place, Enter places, Escape puts the piece back.`,
  empty: 'empty',
  corner: 'a corner to build on',
  hinted: 'hint',

  keys: 'choose a piece by its name',
  keysMove: 'move it',
  keysTurn: 'turn (with Shift: the other way), flip',
  keysNext: 'next place where it fits',
  keysPlace: 'place it, put it back',
  keysShow: 'show where it fits, number the pieces',

  reasons: {
    blocked: (scores: string) => `No colour can place another piece. ${scores}.`,
    uncounted: (score: string) => `${score}, which does not count`,
  },
};

type Messages = typeof en;

const fr: Messages = {
  colours: ['Bleu', 'Jaune', 'Rouge', 'Vert'],
  inText: ['bleu', 'jaune', 'rouge', 'vert'],
  pair: (one, other) => `${one} et ${other}`,
  pieceAt: (piece, cell) => `${piece} en ${cell}`,
  firstStep: 'Choisissez une pièce près du plateau, puis posez-la sur la case de départ marquée.',
  lays: (who, piece, cell) => `${who} pose ${piece} en ${cell}.`,
  isOut: (who) => `${who} ne peut plus poser de pièce.`,

  playNow: (colour) => `À vous : ${colour}`,
  movesNow: (name) => `À ${name} de jouer`,
  finished: 'La partie est finie',
  sideOf: (pair) => `même joueur : ${pair}`,
  teamOf: (pair) => `même équipe : ${pair}`,
  sharedNow: (who) => `commun à tous ; à ${who} de poser`,
  sharedYours: 'commun à tous ; à vous de poser',

  chooseFirst: 'Choisissez une pièce. La première doit couvrir la case de départ marquée.',
  choose: 'Choisissez une pièce. Elle doit toucher votre couleur par un coin, jamais par un côté.',
  fits: 'Elle tient ici. Posez-la, ou essayez ailleurs.',
  faults: {
    taken: 'Pas ici : une case est occupée.',
    edge: 'Pas ici : elle toucherait votre couleur par un côté.',
    start: 'Pas ici : la première pièce doit couvrir la case de départ marquée.',
    corner: 'Pas ici : elle ne touche votre couleur par aucun coin.',
    other: 'Elle ne tient pas ici.',
  },
  nowhere: (piece) => `La pièce ${piece} ne tient nulle part. Choisissez-en une autre.`,
  over: 'Parcourez la partie, ou rejouez.',
  waiting: 'Les autres jouent. Cherchez déjà votre prochaine place.',

  tray: (colour) => `Pièces restantes : ${colour}`,
  piece: (name, squares) => `Pièce ${name}, ${frPlural(squares, { one: 'carré', other: 'carrés' })}`,
  places: (n) => (n === 0 ? 'ne tient nulle part' : frPlural(n, { one: 'place possible', other: 'places possibles' })),
  laid: 'posée',
  turn: 'Tourner',
  flip: 'Miroir',
  next: 'Suivant',
  nextText: 'Aller à la prochaine place où elle tient',
  place: 'Poser',
  reach: 'Où ?',
  reachText: 'Montrer toutes les cases que la pièce peut couvrir',
  numbers: 'Ordre',
  numbersText: 'Numéroter les pièces dans l’ordre où elles ont été posées',
  squaresPlaced: (n) => frPlural(n, { one: 'carré posé', other: 'carrés posés' }),
  hands: 'Points et pièces restantes',
  hand: (colour, score, left) =>
    `${colour} : ${frPlural(score, { one: 'point', other: 'points' })}, ${left === 0 ? 'plus de pièce' : frPlural(left, { one: 'pièce restante', other: 'pièces restantes' })}`,
  out: 'bloqué',
  uncounted: 'ne compte pas',

  boardLabel: (size) =>
    `Plateau de ${size} sur ${size}. Les flèches déplacent la pièce ou le curseur, R tourne, F retourne, N va à la place suivante, Entrée pose, Échap repose la pièce.`,
  empty: 'vide',
  corner: 'un coin où continuer',
  hinted: 'indice',

  keys: 'choisir une pièce par son nom',
  keysMove: 'la déplacer',
  keysTurn: 'tourner (avec Maj : dans l’autre sens), retourner',
  keysNext: 'place suivante où elle tient',
  keysPlace: 'la poser, la rendre',
  keysShow: 'montrer où elle tient, numéroter les pièces',

  reasons: {
    blocked: (scores) => `Plus aucune couleur ne peut poser de pièce. ${scores}.`,
    uncounted: (score) => `${score}, qui ne compte pas`,
  },
};

const de: Messages = {
  colours: ['Blau', 'Gelb', 'Rot', 'Grün'],
  inText: ['Blau', 'Gelb', 'Rot', 'Grün'],
  pair: (one, other) => `${one} und ${other}`,
  pieceAt: (piece, cell) => `${piece} auf ${cell}`,
  firstStep: 'Wähle ein Teil neben dem Brett und leg es auf das markierte Startfeld.',
  lays: (who, piece, cell) => `${who} legt ${piece} auf ${cell}.`,
  isOut: (who) => `${who} kann kein Teil mehr legen.`,

  playNow: (colour) => `Du bist am Zug: ${colour}`,
  movesNow: (name) => `${name} ist am Zug`,
  finished: 'Die Partie ist zu Ende',
  sideOf: (pair) => `gehören zusammen: ${pair}`,
  teamOf: (pair) => `ein Team: ${pair}`,
  sharedNow: (who) => `gehört allen; jetzt legt ${who}`,
  sharedYours: 'gehört allen; jetzt legst du',

  chooseFirst: 'Wähle ein Teil. Dein erstes muss das markierte Startfeld bedecken.',
  choose: 'Wähle ein Teil. Es muss deine Farbe an einer Ecke berühren, nie an einer Kante.',
  fits: 'Hier passt es. Leg es hin, oder such eine andere Stelle.',
  faults: {
    taken: 'Hier nicht: Ein Feld ist besetzt.',
    edge: 'Hier nicht: Es läge Kante an Kante mit deiner Farbe.',
    start: 'Hier nicht: Dein erstes Teil muss das markierte Startfeld bedecken.',
    corner: 'Hier nicht: Es berührt deine Farbe an keiner Ecke.',
    other: 'Hier passt es nicht.',
  },
  nowhere: (piece) => `Teil ${piece} passt gerade nirgends. Wähle ein anderes.`,
  over: 'Blättere durch die Partie, oder spiel noch einmal.',
  waiting: 'Die anderen ziehen. Du kannst schon deinen nächsten Platz suchen.',

  tray: (colour) => `Übrige Teile: ${colour}`,
  piece: (name, squares) => `Teil ${name}, ${dePlural(squares, { one: 'Quadrat', other: 'Quadrate' })}`,
  places: (n) => (n === 0 ? 'passt gerade nirgends' : `passt an ${dePlural(n, { one: 'Stelle', other: 'Stellen' })}`),
  laid: 'gelegt',
  turn: 'Drehen',
  flip: 'Wenden',
  next: 'Nächste',
  nextText: 'Zur nächsten Stelle, an die es passt',
  place: 'Legen',
  reach: 'Wo passt es',
  reachText: 'Alle Felder zeigen, die das Teil bedecken kann',
  numbers: 'Reihen\u00adfolge',
  numbersText: 'Die Teile in der Reihenfolge nummerieren, in der sie gelegt wurden',
  squaresPlaced: (n) => `${dePlural(n, { one: 'Quadrat', other: 'Quadrate' })} gelegt`,
  hands: 'Punkte und übrige Teile',
  hand: (colour, score, left) =>
    `${colour}: ${dePlural(score, { one: 'Punkt', other: 'Punkte' })}, ${left === 0 ? 'kein Teil übrig' : dePlural(left, { one: 'Teil übrig', other: 'Teile übrig' })}`,
  out: 'blockiert',
  uncounted: 'zählt nicht',

  boardLabel: (size) =>
    `Brett, ${size} mal ${size}. Die Pfeiltasten bewegen das Teil oder den Zeiger, R dreht, F wendet, N geht zur nächsten Stelle, Eingabe legt, Escape legt zurück.`,
  empty: 'leer',
  corner: 'eine Ecke zum Anlegen',
  hinted: 'Tipp',

  keys: 'ein Teil mit seinem Namen wählen',
  keysMove: 'es bewegen',
  keysTurn: 'drehen (mit Umschalt: andersherum), wenden',
  keysNext: 'nächste Stelle, an die es passt',
  keysPlace: 'legen, zurücklegen',
  keysShow: 'zeigen, wo es passt; die Teile nummerieren',

  reasons: {
    blocked: (scores) => `Keine Farbe kann noch ein Teil legen. ${scores}.`,
    uncounted: (score) => `${score} (zählt nicht)`,
  },
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
