// Which clause of the rulebook decided a game, by the code of the reason.

const ENDING_CLAUSES: Record<string, string> = { line: 'TS-20', two_left: 'TS-21', both_lines: 'TS-22', both_two_left: 'TS-22', quiet: 'TS-23' };

export const endingClause = (_: unknown, code: string): string | null => ENDING_CLAUSES[code] ?? null;
