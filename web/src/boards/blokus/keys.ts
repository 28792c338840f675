// What a key means. Letters choose pieces, except those that turn or flip a piece in hand.

import type { Point } from './gestures';

export type KeyAction =
  | { do: 'step'; by: Point }
  | { do: 'turn'; quarters: number }
  | { do: 'spell'; letter: string }
  | { do: 'flip' | 'next' | 'lay' | 'back' | 'hand' | 'reach' | 'numbers' };

const STEPS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

export interface Where {
  onBoard: boolean; // the focus is there
  holding: boolean; // a piece
  shift: boolean;
}

export function actionOf(key: string, where: Where): KeyAction | null {
  return (where.onBoard && boardAction(key, where)) || (where.holding && pieceAction(key, where)) || letterAction(key);
}

function boardAction(key: string, { holding }: Where): KeyAction | null {
  const by = STEPS[key];
  if (by) return { do: 'step', by };
  if (key !== 'Enter' && key !== ' ') return null;
  return { do: holding ? 'lay' : 'hand' };
}

function pieceAction(key: string, { shift }: Where): KeyAction | null {
  const letter = key.toLowerCase();
  if (letter === 'r') return { do: 'turn', quarters: shift ? 3 : 1 };
  if (letter === 'f') return { do: 'flip' };
  if (letter === 'n') return { do: 'next' };
  return key === 'Escape' ? { do: 'back' } : null;
}

function letterAction(key: string): KeyAction | null {
  const letter = key.toLowerCase();
  if (letter === 'c') return { do: 'reach' };
  if (letter === 'm') return { do: 'numbers' };
  return /^[a-z0-9]$/.test(letter) ? { do: 'spell', letter } : null;
}
