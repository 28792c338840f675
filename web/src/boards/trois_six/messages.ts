// 3/6 in words, in the three languages.

import { prefs } from '../../lib/prefs.svelte';
import type { Lang } from '../../lib/types';

const en = {
  sides: ['White', 'Black'],
  pawns: [(n: number) => `White ${n}`, (n: number) => `Black ${n}`],
  pile: (top: string, height: number) => `${top}, pile of ${height}`,
  empty: 'empty',
  standsOn: (pile: string, cell: string) => `${pile} on ${cell}`,
  left: (who: string, n: number) => `${who}, ${n === 1 ? '1 piece' : `${n} pieces`}`,

  // choosing
  choosePawn: 'Tap one of your pawns.',
  choosePawnShared: (who: string, other: string) => `${who}: tap one of your pawns. ${other}: look away!`,
  chooseTarget: (n: number) => `Pawn ${n}: tap one of the lit cells.`,
  chooseBlock: 'Tap the cell that you want to block.',
  confirm: (order: string) => `Your order: ${order}. Shall it stand?`,
  waitingFor: (who: string) => `Waiting for the order of ${who}.`,
  bothChoose: 'Both choose in secret.',
  revealed: 'Both orders are open.',
  give: 'Give the order',
  giveThis: (order: string) => `Give the order: ${order}`,
  noMove: 'no move',
  noMoveButton: 'No move',
  block: 'Block a cell: move nothing, and nobody gets there this turn',
  pawnsAndCells: 'Pawns and cells',
  pickThis: 'take',
  target: 'possible target',
  landsOn: 'lands on it',
  picked: 'in your hand',
  goes: (n: number, cell: string) => `pawn ${n} to ${cell}`,
  blocks: (cell: string) => `block ${cell}`,

  // the order cards
  cardEmpty: 'no order yet',
  cardSealed: 'order given',
  cardOwn: 'given, secret',
  cardDraft: 'not given',
  results: {
    moved: 'moves',
    captured: 'lands',
    stacked: 'lands',
    same_target: 'same cell',
    void: 'impossible',
    blocked: 'blocked',
    passed: 'stays put',
  },
  piecesLeft: (n: number) => `${n} left`,
  lastChance: 'One piece fewer and the game is lost',

  // handing over
  passTo: (who: string) => `Pass the device to ${who}.`,
  sealed: (who: string) => `The order of ${who} is sealed. It shows when both are given.`,
  iAm: (who: string) => `I am ${who}`,

  // what happened
  sameTarget: (one: string, other: string, cell: string) => `${one} and ${other} both named ${cell}: nobody moves.`,
  bothPass: 'Neither side moves.',
  passed: (who: string) => `${who} moves nothing.`,
  impossible: (pawn: string, cell: string) => `${pawn} cannot reach ${cell} and stays.`,
  blockedNothing: (who: string, cell: string) => `${who} blocked ${cell}, where nobody went.`,
  lands: (pawn: string, under: string, cell: string) => `${pawn} lands on ${under} on ${cell}.`,
  moved: (pawn: string, cell: string) => `${pawn} moves to ${cell}.`,
  swap: (one: string, here: string, other: string, there: string) =>
    `${one} and ${other} pass each other between ${here} and ${there}.`,
  quiet: (n: number) => `Draw in ${n === 1 ? 'one turn' : `${n} turns`} if nothing is landed on`,

  keysPawn: 'take a pawn',
  keysTarget: 'send it to a cell',
  keysNoMove: 'no move',
  keysGive: 'give the order',
  keysCells: 'on the board: from cell to cell',
  reasons: {
    line: (winner: string) => `${winner} has three in line.`,
    both_lines: 'Both sides have three in line at the same moment.',
    two_left: (loser: string, n: number) =>
      n === 1 ? `${loser} is down to one piece and loses.` : `${loser} is down to two pieces and loses.`,
    both_two_left: 'Both sides have only two pieces left.',
    quiet: (n: number) => `${n} turns in a row without a landing.`,
  },
};

type Messages = typeof en;

const fr: Messages = {
  sides: ['Blanc', 'Noir'],
  pawns: [(n) => `Blanc ${n}`, (n) => `Noir ${n}`],
  pile: (top, height) => `${top}, pile de ${height}`,
  empty: 'vide',
  standsOn: (pile, cell) => `${pile} en ${cell}`,
  left: (who, n) => `${who}, ${n < 2 ? `${n} pièce` : `${n} pièces`}`,

  choosePawn: 'Touchez l’un de vos pions.',
  choosePawnShared: (who, other) => `${who} : touchez l’un de vos pions. ${other} : ne regardez pas !`,
  chooseTarget: (n) => `Pion ${n} : touchez une case éclairée.`,
  chooseBlock: 'Touchez la case à bloquer.',
  confirm: (order) => `Votre ordre : ${order}. On le garde ?`,
  waitingFor: (who) => `On attend l’ordre de ${who}.`,
  bothChoose: 'Les deux camps choisissent en secret.',
  revealed: 'Les deux ordres sont dévoilés.',
  give: 'Donner l’ordre',
  giveThis: (order) => `Donner l’ordre : ${order}`,
  noMove: 'ne pas bouger',
  noMoveButton: 'Ne pas bouger',
  block: 'Bloquer une case : ne rien bouger, et personne n’y arrive ce tour-ci',
  pawnsAndCells: 'Pions et cases',
  pickThis: 'prendre',
  target: 'cible possible',
  landsOn: 'se pose dessus',
  picked: 'en main',
  goes: (n, cell) => `pion ${n} en ${cell}`,
  blocks: (cell) => `bloquer ${cell}`,

  cardEmpty: 'pas d’ordre',
  cardSealed: 'ordre donné',
  cardOwn: 'donné, secret',
  cardDraft: 'à confirmer',
  results: {
    moved: 'avance',
    captured: 'se pose',
    stacked: 'se pose',
    same_target: 'même case',
    void: 'irréalisable',
    blocked: 'bloquée',
    passed: 'reste là',
  },
  piecesLeft: (n) => (n < 2 ? `${n} restante` : `${n} restantes`),
  lastChance: 'Une pièce de moins et la partie est perdue',

  passTo: (who) => `Passez l’appareil à ${who}.`,
  sealed: (who) => `L’ordre de ${who} est sous scellé. Il apparaîtra quand les deux seront donnés.`,
  iAm: (who) => `Je suis ${who}`,

  sameTarget: (one, other, cell) => `${one} et ${other} ont nommé ${cell} : personne ne bouge.`,
  bothPass: 'Personne ne bouge.',
  passed: (who) => `${who} ne bouge pas.`,
  impossible: (pawn, cell) => `${pawn} ne peut pas atteindre ${cell} et reste.`,
  blockedNothing: (who, cell) => `${who} a bloqué ${cell}, où personne n’allait.`,
  lands: (pawn, under, cell) => `${pawn} se pose sur ${under} en ${cell}.`,
  moved: (pawn, cell) => `${pawn} va en ${cell}.`,
  swap: (one, here, other, there) => `${one} et ${other} se croisent entre ${here} et ${there}.`,
  quiet: (n) => `Nulle dans ${n === 1 ? 'un tour' : `${n} tours`} si rien n’est recouvert`,

  keysPawn: 'prendre un pion',
  keysTarget: 'l’envoyer sur une case',
  keysNoMove: 'ne pas bouger',
  keysGive: 'donner l’ordre',
  keysCells: 'sur le plateau : de case en case',
  reasons: {
    line: (winner) => `${winner} a trois pièces alignées.`,
    both_lines: 'Les deux camps ont trois pièces alignées au même moment.',
    two_left: (loser, n) =>
      n === 1 ? `${loser} n’a plus qu’une pièce et perd.` : `${loser} n’a plus que deux pièces et perd.`,
    both_two_left: 'Les deux camps n’ont plus que deux pièces.',
    quiet: (n) => `${n} tours de suite sans qu’une pièce se pose sur une autre.`,
  },
};

const de: Messages = {
  sides: ['Weiß', 'Schwarz'],
  pawns: [(n) => `Weiß ${n}`, (n) => `Schwarz ${n}`],
  pile: (top, height) => `${top}, Turm der Höhe ${height}`,
  empty: 'leer',
  standsOn: (pile, cell) => `${pile} auf ${cell}`,
  left: (who, n) => `${who}, ${n === 1 ? '1 Figur' : `${n} Figuren`}`,

  choosePawn: 'Tippe einen deiner Steine an.',
  choosePawnShared: (who, other) => `${who}: Tippe einen deiner Steine an. ${other}: Bitte wegsehen!`,
  chooseTarget: (n) => `Stein ${n}: Tippe eines der hellen Felder an.`,
  chooseBlock: 'Tippe das Feld an, das du sperren willst.',
  confirm: (order) => `Dein Befehl: ${order}. Soll er gelten?`,
  waitingFor: (who) => `Warten auf den Befehl von ${who}.`,
  bothChoose: 'Beide wählen geheim.',
  revealed: 'Beide Befehle sind aufgedeckt.',
  give: 'Befehl geben',
  giveThis: (order) => `Befehl geben: ${order}`,
  noMove: 'kein Zug',
  noMoveButton: 'Kein Zug',
  block: 'Ein Feld sperren: nichts bewegen, und niemand kommt in diesem Zug dorthin',
  pawnsAndCells: 'Steine und Felder',
  pickThis: 'nehmen',
  target: 'mögliches Ziel',
  landsOn: 'landet darauf',
  picked: 'in der Hand',
  goes: (n, cell) => `Stein ${n} nach ${cell}`,
  blocks: (cell) => `${cell} sperren`,

  cardEmpty: 'kein Befehl',
  cardSealed: 'Befehl gegeben',
  cardOwn: 'gegeben, geheim',
  cardDraft: 'Entwurf',
  results: {
    moved: 'zieht',
    captured: 'landet',
    stacked: 'landet',
    same_target: 'gleiches Feld',
    void: 'unmöglich',
    blocked: 'gesperrt',
    passed: 'bleibt stehen',
  },
  piecesLeft: (n) => `noch ${n}`,
  lastChance: 'Eine Figur weniger, und die Partie ist verloren',

  passTo: (who) => `Gib das Gerät an ${who}.`,
  sealed: (who) => `Der Befehl von ${who} ist versiegelt. Er zeigt sich, wenn beide gegeben sind.`,
  iAm: (who) => `Ich bin ${who}`,

  sameTarget: (one, other, cell) => `${one} und ${other} nannten beide ${cell}: Niemand zieht.`,
  bothPass: 'Keine Seite zieht.',
  passed: (who) => `${who} zieht nicht.`,
  impossible: (pawn, cell) => `${pawn} kommt nicht nach ${cell} und bleibt.`,
  blockedNothing: (who, cell) => `${who} sperrte ${cell}, wohin niemand wollte.`,
  lands: (pawn, under, cell) => `${pawn} landet auf ${under} auf ${cell}.`,
  moved: (pawn, cell) => `${pawn} zieht nach ${cell}.`,
  swap: (one, here, other, there) => `${one} und ${other} gehen zwischen ${here} und ${there} aneinander vorbei.`,
  quiet: (n) => `Remis in ${n === 1 ? 'einem Zug' : `${n} Zügen`}, wenn nichts überdeckt wird`,

  keysPawn: 'einen Stein nehmen',
  keysTarget: 'ihn auf ein Feld schicken',
  keysNoMove: 'kein Zug',
  keysGive: 'den Befehl geben',
  keysCells: 'auf dem Brett: von Feld zu Feld',
  reasons: {
    line: (winner) => `${winner} hat drei in einer Reihe.`,
    both_lines: 'Beide haben im selben Augenblick drei in einer Reihe.',
    two_left: (loser, n) =>
      n === 1 ? `Nur noch eine Figur: ${loser} verliert.` : `Nur noch zwei Figuren: ${loser} verliert.`,
    both_two_left: 'Beide haben nur noch zwei Figuren.',
    quiet: (n) => `${n} Züge in Folge, ohne dass etwas überdeckt wurde.`,
  },
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr, de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
