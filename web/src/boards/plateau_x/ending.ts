// Which clause of the rulebook decided a game, by the code of the reason.

const ENDING_CLAUSES: Record<string, string> = { no_brick_declared: 'PX-30', no_move: 'PX-30', repetition: 'PX-24' };

export const endingClause = (_: unknown, code: string): string | null => ENDING_CLAUSES[code] ?? null;
