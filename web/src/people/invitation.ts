// What the people at a new table agree on: the clock, take-backs, chat, and whether it is listed in the lobby.

export interface InviteOptions {
  pace: string; // none, minutes+seconds such as 5+3, or days such as 3d
  listed: boolean;
  takeback: boolean;
  words: boolean;
}

export const DEFAULTS: InviteOptions = { pace: 'none', listed: false, takeback: false, words: true };

/** In the server's format. */
export const inviteRequest = ({ pace, ...rest }: InviteOptions): Record<string, unknown> => ({ ...rest, pace: paceRequest(pace) });

export function paceRequest(pace: string): Record<string, number> | null {
  if (pace === 'none') return null;
  if (pace.endsWith('d')) return { days: Number(pace.slice(0, -1)) };
  const [minutes, seconds] = pace.split('+').map(Number);
  return { total: (minutes ?? 0) * 60, increment: seconds ?? 0 };
}
