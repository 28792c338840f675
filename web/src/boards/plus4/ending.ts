// Which clause of the rulebook decided a game, by the code of the reason.

import type { Snapshot } from '../../lib/types';

const ENDING_CLAUSES: Record<string, string> = { line: 'P4-10', line_given: 'P4-11', both_lines: 'P4-12', target: 'P4-25', rounds: 'P4-34', repetition: 'P4-7' };

export const endingClause = ({ variant }: Pick<Snapshot, 'variant'>, code: string): string | null =>
  (variant === 'rounds' && code === 'target' ? ENDING_CLAUSES['rounds'] : ENDING_CLAUSES[code]) ?? null;
