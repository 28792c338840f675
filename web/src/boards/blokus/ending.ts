// Which clause of the rulebook decided a game, by the code of the reason.

import type { Snapshot } from '../../lib/types';

const ENDING_CLAUSES: Record<string, string> = { teams: 'BK-10', two: 'BK-11', three: 'BK-12' }; // by variant

export const endingClause = ({ variant }: Pick<Snapshot, 'variant'>, code: string): string | null =>
  code === 'blocked' ? (ENDING_CLAUSES[variant] ?? 'BK-7') : null;
