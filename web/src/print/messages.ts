// Printing in words, in the three languages.

import { french } from '../lib/i18n/french';
import { prefs } from '../lib/prefs.svelte';
import type { Lang } from '../lib/types';

const en = {
  title: 'Print and play',
  lead: 'Rulebooks, boards, pieces to cut out, score sheets and puzzles, for real tables.',
  rulebook: 'Rulebook',
  kinds: { board: 'Board', pieces: 'Pieces to cut out', puzzles: 'Puzzles of the day', score: 'Score sheet', moves: 'Sheet for writing down moves' },
  named: (kind: string, detail: string) => `${kind}, ${detail}`,
  cells: (mm: number) => `Cells of ${mm} mm`,
  across: (mm: number) => `${mm} mm across`,
  scale: (mm: number) => `This bar is ${mm} mm long when printed at 100%.`,
  paper: 'Paper',
  papers: { a4: 'A4', letter: 'Letter' },
  print: 'Print',
  all: 'Everything to print',
  hint: 'Choose a scale of 100% (“actual size”) in the print dialog. For pieces that last, glue the sheet onto cardboard before you cut.',
  date: 'Date',
  event: 'Event',
  table: 'Table',
  player: (n: number) => `Player ${n}`,
  game: 'Game',
  total: 'Total',
  turn: 'Turn',
};

type Messages = typeof en;

const fr: Messages = {
  title: 'Imprimer et jouer',
  lead: 'Règles, plateaux, pièces à découper, grilles de score et casse-tête, pour jouer sur une vraie table.',
  rulebook: 'Règles du jeu',
  kinds: { board: 'Plateau', pieces: 'Pièces à découper', puzzles: 'Casse-tête du jour', score: 'Grille de score', moves: 'Grille pour noter les coups' },
  named: (kind, detail) => `${kind}, ${detail}`,
  cells: (mm) => `Cases de ${mm} mm`,
  across: (mm) => `${mm} mm de diamètre`,
  scale: (mm) => `Ce trait mesure ${mm} mm si l’impression est à 100\u00a0%.`,
  paper: 'Papier',
  papers: { a4: 'A4', letter: 'Lettre US' },
  print: 'Imprimer',
  all: 'Tout ce qui s’imprime',
  hint: 'Choisissez une échelle de 100\u00a0% («\u00a0taille réelle\u00a0») à l’impression. Pour des pièces solides, collez la page sur du carton avant de découper.',
  date: 'Date',
  event: 'Évènement',
  table: 'Table',
  player: (n) => `Joueur ${n}`,
  game: 'Partie',
  total: 'Total',
  turn: 'Tour',
};

const de: Messages = {
  title: 'Drucken und spielen',
  lead: 'Regeln, Bretter, Teile zum Ausschneiden, Wertungsblätter und Puzzles für den echten Tisch.',
  rulebook: 'Spielregel',
  kinds: { board: 'Brett', pieces: 'Teile zum Ausschneiden', puzzles: 'Puzzles des Tages', score: 'Wertungsblatt', moves: 'Blatt zum Mitschreiben der Züge' },
  named: (kind, detail) => `${kind}, ${detail}`,
  cells: (mm) => `Felder von ${mm} mm`,
  across: (mm) => `${mm} mm Durchmesser`,
  scale: (mm) => `Dieser Strich ist bei 100\u00a0% Druckgröße ${mm} mm lang.`,
  paper: 'Papier',
  papers: { a4: 'A4', letter: 'US-Letter' },
  print: 'Drucken',
  all: 'Alles zum Drucken',
  hint: 'Wähle beim Drucken 100\u00a0% („tatsächliche Größe“). Für haltbare Teile klebe das Blatt vor dem Ausschneiden auf Karton.',
  date: 'Datum',
  event: 'Veranstaltung',
  table: 'Tisch',
  player: (n) => `Spieler ${n}`,
  game: 'Partie',
  total: 'Summe',
  turn: 'Zug',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
