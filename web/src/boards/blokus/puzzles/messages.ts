// The puzzles in words, in the three languages.

import { prefs } from '../../../lib/prefs.svelte';
import type { Lang } from '../../../lib/types';

const en = {
  // choosing
  title: 'Puzzles',
  lead: 'For one head, or several: fit all pieces onto the board.',
  daily: 'Today’s puzzle',
  dailyText: 'The same for everyone, a new one every day.',
  solvedIn: (time: string) => `solved in ${time}`,
  goOn: 'Go on where you left off',
  choose: 'Choose a puzzle',
  warmUp: 'to warm up',
  size: (rows: number, columns: number) => `${rows} by ${columns}`,
  difficulty: 'Difficulty',
  difficulties: { easy: 'Easy', medium: 'Medium', expert: 'Expert', full: 'Empty board' },
  toLay: (n: number) => (n === 1 ? '1 piece to lay' : `${n} pieces to lay`),
  form: 'Rules',
  plain: 'Plain',
  hard: 'Hard',
  hardForm: 'hard',
  board: 'Board',
  best: (time: string) => `Your best time: ${time}`,
  noBest: 'No time yet',
  start: 'Start',

  // rules
  fill: 'The pieces fill the whole board.',
  fillHard: 'The pieces fill the whole board, and pieces of one colour never touch along an edge.',
  lay84: 'All pieces find a place. Each touches its own colour at a corner, never along an edge.',
  lay84Hard: 'All pieces find a place, large ones first. Each touches its own colour at a corner, never along an edge.',

  // what to do
  pick: 'Choose a piece from the tray, or tap a laid one to move it.',
  fits: 'It fits here: lay it down.',
  nowhere: 'This piece fits nowhere now.',
  faults: {
    overlap: 'Not here: a cell is taken.',
    touches: 'Not here: pieces of one colour would touch along an edge.',
    not_in_corner: 'Not here: the first piece of a colour covers its corner of the board.',
    not_attached: 'Not here: it touches its own colour at no corner.',
    too_early: 'Too early: larger pieces come first.',
  },
  fixed: 'This piece is part of the task and stays.',
  needed: 'Later pieces rest on this one. Take those back first.',

  // can it be solved
  outlook: 'Can this still be solved?',
  outlooks: { yes: 'Yes, it can still be solved.', no: 'No, not like this.', unknown: 'Unknown: not found within a second.', asking: 'Looking…' },
  why: {
    region: (cells: string) => `The gap at ${cells} cannot be filled.`,
    no_room: 'One colour has too little room left.',
    no_place: 'One piece has no place left.',
    other: 'A rule is broken at the marked cells.',
  },

  // buttons
  hint: 'Hint',
  hintShown: (piece: string, cells: string) => `Hint: ${piece} belongs on ${cells}.`,
  noHint: 'No hint: no solution is known from here. Take a piece back.',
  takeBack: 'Take back',
  share: 'Copy link',
  clear: 'Start over',
  giveUp: 'Give up',
  sure: 'Really?',
  working: 'Looking…',
  time: 'Time',
  helped: 'with hints',

  // the end
  solved: 'Solved!',
  solvedText: (time: string) => `All pieces lie. Your time: ${time}.`,
  newBest: 'Your best time so far!',
  shown: 'This is how it goes.',
  shownText: 'Start over, or try another one.',
  another: 'Another one',
  all: 'All puzzles',

  // for those who listen
  boardLabel: (columns: number, rows: number) =>
    `Board, ${columns} columns and ${rows} rows. Arrows move the piece or the cursor, R turns, F flips, N goes to the next place, Enter lays or picks up, Backspace takes back, Escape puts back.`,
  tray: 'Pieces to lay',
  item: (colour: string, name: string) => `${colour} ${name}`,
  laid: (piece: string, cells: string) => `${piece} laid on ${cells}.`,
  taken: (piece: string) => `${piece} taken back.`,
  left: (n: number) => (n === 1 ? '1 piece left.' : `${n} pieces left.`),
  given: 'given',
};

type Messages = typeof en;

const fr: Messages = {
  title: 'Casse-tête',
  lead: 'Seul ou à plusieurs : placez toutes les pièces sur le plateau.',
  daily: 'Le casse-tête du jour',
  dailyText: 'Le même pour tous, un nouveau chaque jour.',
  solvedIn: (time) => `résolu en ${time}`,
  goOn: 'Reprendre où vous en étiez',
  choose: 'Choisissez un casse-tête',
  warmUp: 'pour s’échauffer',
  size: (rows, columns) => `${rows} sur ${columns}`,
  difficulty: 'Difficulté',
  difficulties: { easy: 'Facile', medium: 'Moyen', expert: 'Difficile', full: 'Plateau vide' },
  toLay: (n) => (n === 1 ? '1 pièce à poser' : `${n} pièces à poser`),
  form: 'Règles',
  plain: 'Simples',
  hard: 'Corsées',
  hardForm: 'version corsée',
  board: 'Plateau',
  best: (time) => `Votre meilleur temps : ${time}`,
  noBest: 'Pas encore de temps',
  start: 'Commencer',

  fill: 'Les pièces remplissent tout le plateau.',
  fillHard: 'Les pièces remplissent tout le plateau, et deux pièces d’une couleur ne se touchent jamais par un côté.',
  lay84: 'Toutes les pièces trouvent place. Chacune touche sa couleur par un coin, jamais par un côté.',
  lay84Hard: 'Toutes les pièces trouvent place, les grandes d’abord. Chacune touche sa couleur par un coin, jamais par un côté.',

  pick: 'Choisissez une pièce, ou touchez une pièce posée pour la déplacer.',
  fits: 'Elle va ici : posez-la.',
  nowhere: 'Cette pièce n’a plus de place.',
  faults: {
    overlap: 'Pas ici : une case est prise.',
    touches: 'Pas ici : deux pièces d’une couleur se toucheraient par un côté.',
    not_in_corner: 'Pas ici : la première pièce d’une couleur couvre son coin du plateau.',
    not_attached: 'Pas ici : elle ne touche sa couleur par aucun coin.',
    too_early: 'Trop tôt : les grandes pièces d’abord.',
  },
  fixed: 'Cette pièce fait partie de l’énoncé et reste en place.',
  needed: 'Des pièces suivantes s’appuient sur elle. Reprenez-les d’abord.',

  outlook: 'Est-ce encore possible ?',
  outlooks: { yes: 'Oui, il y a encore une solution.', no: 'Non, pas ainsi.', unknown: 'Incertain : rien trouvé en une seconde.', asking: 'Recherche…' },
  why: {
    region: (cells) => `Le trou en ${cells} ne peut pas être rempli.`,
    no_room: 'Une couleur n’a plus assez de place.',
    no_place: 'Une pièce n’a plus de place.',
    other: 'Une règle est enfreinte aux cases marquées.',
  },

  hint: 'Conseil',
  hintShown: (piece, cells) => `Conseil : ${piece} va en ${cells}.`,
  noHint: 'Pas de conseil : aucune solution connue à partir d’ici. Reprenez une pièce.',
  takeBack: 'Reprendre',
  share: 'Copier le lien',
  clear: 'Recommencer',
  giveUp: 'Abandonner',
  sure: 'Vraiment ?',
  working: 'Recherche…',
  time: 'Temps',
  helped: 'avec conseils',

  solved: 'Résolu !',
  solvedText: (time) => `Toutes les pièces sont posées. Votre temps : ${time}.`,
  newBest: 'Votre meilleur temps jusqu’ici !',
  shown: 'Voici la solution.',
  shownText: 'Recommencez, ou essayez-en un autre.',
  another: 'Un autre',
  all: 'Tous les casse-tête',

  boardLabel: (columns, rows) =>
    `Plateau de ${columns} colonnes et ${rows} rangées. Les flèches déplacent la pièce ou le curseur, R tourne, F retourne, N va à la place suivante, Entrée pose ou saisit, Retour arrière reprend, Échap rend la pièce.`,
  tray: 'Pièces à poser',
  item: (colour, name) => `${name} ${colour}`,
  laid: (piece, cells) => `${piece} : posée en ${cells}.`,
  taken: (piece) => `${piece} : reprise.`,
  left: (n) => (n === 1 ? 'Reste 1 pièce.' : `Restent ${n} pièces.`),
  given: 'fixe',
};

const de: Messages = {
  title: 'Knobeleien',
  lead: 'Für einen Kopf oder mehrere: Bring alle Teile auf dem Brett unter.',
  daily: 'Knobelei des Tages',
  dailyText: 'Für alle dieselbe, jeden Tag eine neue.',
  solvedIn: (time) => `gelöst in ${time}`,
  goOn: 'Da weitermachen, wo du warst',
  choose: 'Wähle eine Knobelei',
  warmUp: 'zum Aufwärmen',
  size: (rows, columns) => `${rows} mal ${columns}`,
  difficulty: 'Schwierigkeit',
  difficulties: { easy: 'Leicht', medium: 'Mittel', expert: 'Schwer', full: 'Leeres Brett' },
  toLay: (n) => (n === 1 ? '1 Teil zu legen' : `${n} Teile zu legen`),
  form: 'Regeln',
  plain: 'Einfach',
  hard: 'Streng',
  hardForm: 'streng',
  board: 'Brett',
  best: (time) => `Deine Bestzeit: ${time}`,
  noBest: 'Noch keine Zeit',
  start: 'Los',

  fill: 'Die Teile füllen das ganze Brett.',
  fillHard: 'Die Teile füllen das ganze Brett, und Teile einer Farbe berühren sich nie an einer Kante.',
  lay84: 'Alle Teile finden Platz. Jedes berührt seine Farbe an einer Ecke, nie an einer Kante.',
  lay84Hard: 'Alle Teile finden Platz, große zuerst. Jedes berührt seine Farbe an einer Ecke, nie an einer Kante.',

  pick: 'Wähle ein Teil, oder tipp ein gelegtes an, um es zu verschieben.',
  fits: 'Es passt hier: leg es hin.',
  nowhere: 'Dieses Teil passt gerade nirgends.',
  faults: {
    overlap: 'Hier nicht: ein Feld ist besetzt.',
    touches: 'Hier nicht: Teile einer Farbe lägen Kante an Kante.',
    not_in_corner: 'Hier nicht: das erste Teil einer Farbe bedeckt ihre Ecke des Bretts.',
    not_attached: 'Hier nicht: es berührt seine Farbe an keiner Ecke.',
    too_early: 'Zu früh: größere Teile kommen zuerst.',
  },
  fixed: 'Dieses Teil gehört zur Aufgabe und bleibt liegen.',
  needed: 'Spätere Teile hängen an diesem. Nimm zuerst die zurück.',

  outlook: 'Geht es noch auf?',
  outlooks: { yes: 'Ja, es geht noch auf.', no: 'Nein, so nicht.', unknown: 'Ungewiss: in einer Sekunde nicht gefunden.', asking: 'Suche läuft…' },
  why: {
    region: (cells) => `Die Lücke bei ${cells} lässt sich nicht füllen.`,
    no_room: 'Eine Farbe hat zu wenig Platz übrig.',
    no_place: 'Für ein Teil ist kein Platz mehr.',
    other: 'An den markierten Feldern ist eine Regel verletzt.',
  },

  hint: 'Tipp',
  hintShown: (piece, cells) => `Tipp: ${piece} gehört auf ${cells}.`,
  noHint: 'Kein Tipp: Von hier ist keine Lösung bekannt. Nimm ein Teil zurück.',
  takeBack: 'Zurücknehmen',
  share: 'Link kopieren',
  clear: 'Von vorn',
  giveUp: 'Aufgeben',
  sure: 'Wirklich?',
  working: 'Suche läuft…',
  time: 'Zeit',
  helped: 'mit Tipps',

  solved: 'Gelöst!',
  solvedText: (time) => `Alle Teile liegen. Deine Zeit: ${time}.`,
  newBest: 'Deine bisher beste Zeit!',
  shown: 'So geht es auf.',
  shownText: 'Fang von vorn an oder versuch eine andere.',
  another: 'Noch eine',
  all: 'Alle Knobeleien',

  boardLabel: (columns, rows) =>
    `Brett mit ${columns} Spalten und ${rows} Reihen. Die Pfeile bewegen das Teil oder den Zeiger, R dreht, F wendet, N geht zur nächsten Stelle, Eingabe legt oder nimmt auf, Rücktaste nimmt zurück, Escape legt zurück.`,
  tray: 'Teile zu legen',
  item: (colour, name) => `${colour} ${name}`,
  laid: (piece, cells) => `${piece} liegt auf ${cells}.`,
  taken: (piece) => `${piece} zurückgenommen.`,
  left: (n) => (n === 1 ? 'Noch 1 Teil.' : `Noch ${n} Teile.`),
  given: 'fest',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr, de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
