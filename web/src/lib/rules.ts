// Which clause of the rulebook says how a game ended.

import type { Snapshot } from './types';

type Ends = Record<string, string>; // by the code of the reason

const ENDS: Record<string, Ends> = {
  plus4: { line: 'P4-10', line_given: 'P4-11', both_lines: 'P4-12', target: 'P4-25', rounds: 'P4-34', repetition: 'P4-7' },
  blokus: { blocked: 'BK-7' },
  plateau_x: { no_brick_declared: 'PX-30', no_move: 'PX-30', repetition: 'PX-24' },
  trois_six: { line: 'TS-20', two_left: 'TS-21', both_lines: 'TS-22', both_two_left: 'TS-22', quiet: 'TS-23' },
};

/** Where a way to play has its own say. */
const VARIANT_ENDS: Record<string, Ends> = {
  rounds: { target: 'P4-34' },
  teams: { blocked: 'BK-10' },
  two: { blocked: 'BK-11' },
  three: { blocked: 'BK-12' },
};

/** The clause, or null if the game goes on or did not end by its rules. */
export function endingRule({ game, variant, reason, ended_by }: Pick<Snapshot, 'game' | 'variant' | 'reason' | 'ended_by'>): string | null {
  if (ended_by !== 'rules' || !reason.code) return null;
  return VARIANT_ENDS[variant]?.[reason.code] ?? ENDS[game]?.[reason.code] ?? null;
}
