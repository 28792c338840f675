// Blokus in words, in the three languages.

import { prefs } from '../../lib/prefs.svelte';
import type { Lang } from '../../lib/types';

const en = {
  colours: ['Blue', 'Yellow', 'Red', 'Green'],
  inText: ['blue', 'yellow', 'red', 'green'], // within a sentence
  pair: (one: string, other: string) => `${one} and ${other}`,
  pieceOn: (piece: string, cells: string) => `piece ${piece} on ${cells}`,
  lays: (who: string, piece: string, cells: string) => `${who} lays piece ${piece} on ${cells}.`,
  isOut: (who: string) => `${who} can place no more pieces.`,

  // whose turn
  playNow: (colour: string) => `Play ${colour} now`,
  movesNow: (colour: string) => `Now ${colour} moves`,
  finished: 'The game is over',
  sideOf: (pair: string) => `one side: ${pair}`,
  teamOf: (pair: string) => `one team: ${pair}`,
  sharedNow: (who: string) => `shared by all: ${who} lays it now`,
  sharedYours: 'shared by all: you lay it now',

  // what to do
  chooseFirst: 'Choose a piece. The first one covers the glowing start cell.',
  choose: 'Choose a piece. It touches your colour at a corner, never along an edge.',
  fits: 'It fits: lay it down, or look for a better place.',
  faults: {
    taken: 'Not here: a cell is taken.',
    edge: 'Not here: it would touch your own colour along an edge.',
    start: 'Not here: your first piece covers the glowing start cell.',
    corner: 'Not here: it touches your colour at no corner.',
    other: 'It does not fit here.',
  },
  nowhere: (piece: string) => `Piece ${piece} fits nowhere now. Choose another one.`,
  over: 'Step through the game below, or play again.',
  waiting: 'Look around while the others move.',

  // hands and buttons
  tray: (colour: string) => `Pieces of ${colour}`,
  piece: (name: string, squares: number) => `Piece ${name}, ${squares === 1 ? '1 square' : `${squares} squares`}`,
  places: (n: number) => (n === 0 ? 'fits nowhere now' : n === 1 ? 'fits in 1 place' : `fits in ${n} places`),
  laid: 'laid',
  turn: 'Turn',
  flip: 'Flip',
  next: 'Next',
  nextText: 'The next place where it fits',
  place: 'Lay it',
  reach: 'Reach',
  reachText: 'Show every cell the piece can reach',
  numbers: 'Order',
  numbersText: 'Number the pieces in the order they were laid',
  hands: 'Scores and pieces left',
  hand: (colour: string, score: number, left: number) =>
    `${colour}: score ${score}, ${left === 0 ? 'no pieces left' : left === 1 ? '1 piece left' : `${left} pieces left`}`,
  out: 'out',
  uncounted: 'not counted',

  // for those who listen
  boardLabel: (size: number) =>
    `Board, ${size} by ${size}. Arrows move the piece or the cursor, R turns, F flips, N goes to the next place, Enter lays, Escape puts back.`,
  empty: 'empty',
  corner: 'a corner to build on',
  hinted: 'hint',

  keys: 'choose a piece by its name',
  keysMove: 'move it',
  keysTurn: 'turn (with Shift: the other way), flip',
  keysNext: 'next place where it fits',
  keysPlace: 'lay it, put it back',
  keysShow: 'show what it can reach, number the pieces',

  reasons: {
    blocked: (scores: string) => `No colour can place a piece any more. ${scores}.`,
    uncounted: (score: string) => `${score}, which does not count`,
  },
};

type Messages = typeof en;

const fr: Messages = {
  colours: ['Bleu', 'Jaune', 'Rouge', 'Vert'],
  inText: ['bleu', 'jaune', 'rouge', 'vert'],
  pair: (one, other) => `${one} et ${other}`,
  pieceOn: (piece, cells) => `pièce ${piece} en ${cells}`,
  lays: (who, piece, cells) => `${who} pose la pièce ${piece} en ${cells}.`,
  isOut: (who) => `${who} ne peut plus poser de pièce.`,

  playNow: (colour) => `Jouez le ${colour}`,
  movesNow: (colour) => `Au ${colour} de jouer`,
  finished: 'La partie est finie',
  sideOf: (pair) => `un même camp : ${pair}`,
  teamOf: (pair) => `une même équipe : ${pair}`,
  sharedNow: (who) => `commun : au ${who} de poser`,
  sharedYours: 'commun : à vous de poser',

  chooseFirst: 'Choisissez une pièce. La première couvre la case de départ qui brille.',
  choose: 'Choisissez une pièce. Elle touche votre couleur par un coin, jamais par un côté.',
  fits: 'Elle va ici : posez-la, ou cherchez mieux.',
  faults: {
    taken: 'Pas ici : une case est prise.',
    edge: 'Pas ici : elle toucherait votre couleur par un côté.',
    start: 'Pas ici : la première pièce couvre la case de départ qui brille.',
    corner: 'Pas ici : elle ne touche votre couleur par aucun coin.',
    other: 'Elle ne va pas ici.',
  },
  nowhere: (piece) => `La pièce ${piece} n’a plus de place. Choisissez-en une autre.`,
  over: 'Parcourez la partie ci-dessous, ou rejouez.',
  waiting: 'Regardez le plateau pendant que les autres jouent.',

  tray: (colour) => `Pièces du ${colour}`,
  piece: (name, squares) => `Pièce ${name}, ${squares === 1 ? '1 carré' : `${squares} carrés`}`,
  places: (n) => (n === 0 ? 'sans place pour l’instant' : n === 1 ? '1 place possible' : `${n} places possibles`),
  laid: 'posée',
  turn: 'Tourner',
  flip: 'Miroir',
  next: 'Suite',
  nextText: 'La prochaine place où elle va',
  place: 'Poser',
  reach: 'Portée',
  reachText: 'Montrer toutes les cases que la pièce peut atteindre',
  numbers: 'Ordre',
  numbersText: 'Numéroter les pièces dans l’ordre où elles ont été posées',
  hands: 'Points et pièces restantes',
  hand: (colour, score, left) =>
    `${colour} : ${score} ${Math.abs(score) < 2 ? 'point' : 'points'}, ${left === 0 ? 'plus de pièce' : left === 1 ? '1 pièce restante' : `${left} pièces restantes`}`,
  out: 'fini',
  uncounted: 'ne compte pas',

  boardLabel: (size) =>
    `Plateau de ${size} sur ${size}. Les flèches déplacent la pièce ou le curseur, R tourne, F retourne, N va à la place suivante, Entrée pose, Échap rend la pièce.`,
  empty: 'vide',
  corner: 'un coin où continuer',
  hinted: 'conseil',

  keys: 'choisir une pièce par son nom',
  keysMove: 'la déplacer',
  keysTurn: 'tourner (avec Maj : dans l’autre sens), retourner',
  keysNext: 'aller à la place suivante où elle va',
  keysPlace: 'la poser, la rendre',
  keysShow: 'montrer ce qu’elle atteint, numéroter les pièces',

  reasons: {
    blocked: (scores) => `Plus aucune couleur ne peut poser de pièce. ${scores}.`,
    uncounted: (score) => `${score}, qui ne compte pas`,
  },
};

const de: Messages = {
  colours: ['Blau', 'Gelb', 'Rot', 'Grün'],
  inText: ['Blau', 'Gelb', 'Rot', 'Grün'],
  pair: (one, other) => `${one} und ${other}`,
  pieceOn: (piece, cells) => `Teil ${piece} auf ${cells}`,
  lays: (who, piece, cells) => `${who} legt Teil ${piece} auf ${cells}.`,
  isOut: (who) => `${who} kann kein Teil mehr legen.`,

  playNow: (colour) => `Jetzt ${colour} spielen`,
  movesNow: (colour) => `${colour} ist am Zug`,
  finished: 'Das Spiel ist aus',
  sideOf: (pair) => `eine Seite: ${pair}`,
  teamOf: (pair) => `ein Team: ${pair}`,
  sharedNow: (who) => `gehört allen: jetzt legt ${who}`,
  sharedYours: 'gehört allen: jetzt bist du dran',

  chooseFirst: 'Wähle ein Teil. Das erste bedeckt das leuchtende Startfeld.',
  choose: 'Wähle ein Teil. Es berührt deine Farbe an einer Ecke, nie an einer Kante.',
  fits: 'Es passt: leg es hin, oder such einen besseren Platz.',
  faults: {
    taken: 'Hier nicht: ein Feld ist besetzt.',
    edge: 'Hier nicht: es läge Kante an Kante mit deiner Farbe.',
    start: 'Hier nicht: das erste Teil bedeckt das leuchtende Startfeld.',
    corner: 'Hier nicht: es berührt deine Farbe an keiner Ecke.',
    other: 'Hier passt es nicht.',
  },
  nowhere: (piece) => `Teil ${piece} passt gerade nirgends. Wähle ein anderes.`,
  over: 'Geh unten das Spiel durch oder spiel noch einmal.',
  waiting: 'Schau dich um, während die anderen ziehen.',

  tray: (colour) => `Teile von ${colour}`,
  piece: (name, squares) => `Teil ${name}, ${squares === 1 ? '1 Quadrat' : `${squares} Quadrate`}`,
  places: (n) => (n === 0 ? 'passt gerade nirgends' : n === 1 ? 'passt an 1 Stelle' : `passt an ${n} Stellen`),
  laid: 'gelegt',
  turn: 'Drehen',
  flip: 'Wenden',
  next: 'Weiter',
  nextText: 'Die nächste Stelle, an die es passt',
  place: 'Legen',
  reach: 'Felder',
  reachText: 'Alle Felder zeigen, die das Teil erreichen kann',
  numbers: 'Folge',
  numbersText: 'Die Teile in der Reihenfolge ihres Legens nummerieren',
  hands: 'Punkte und übrige Teile',
  hand: (colour, score, left) =>
    `${colour}: ${score} ${Math.abs(score) === 1 ? 'Punkt' : 'Punkte'}, ${left === 0 ? 'kein Teil übrig' : left === 1 ? '1 Teil übrig' : `${left} Teile übrig`}`,
  out: 'fertig',
  uncounted: 'zählt nicht',

  boardLabel: (size) =>
    `Brett, ${size} mal ${size}. Die Pfeile bewegen das Teil oder den Zeiger, R dreht, F wendet, N geht zur nächsten Stelle, Eingabe legt, Escape legt zurück.`,
  empty: 'leer',
  corner: 'eine Ecke zum Anlegen',
  hinted: 'Tipp',

  keys: 'ein Teil mit seinem Namen wählen',
  keysMove: 'es bewegen',
  keysTurn: 'drehen (mit Umschalt: andersherum), wenden',
  keysNext: 'zur nächsten Stelle, an die es passt',
  keysPlace: 'legen, zurücklegen',
  keysShow: 'zeigen, was es erreicht; die Teile nummerieren',

  reasons: {
    blocked: (scores) => `Keine Farbe kann noch ein Teil legen. ${scores}.`,
    uncounted: (score) => `${score} (zählt nicht)`,
  },
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr, de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
