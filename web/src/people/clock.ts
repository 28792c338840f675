// Time in words and figures, apart from its drawing. The server sends moments by its own clock; `offset` is how far
// that is ahead of ours.

import type { Pace } from '../lib/types';
import { t } from './messages';

export const LOW = 20_000; // milliseconds: time to hurry
export const SOON = 30_000; // for a first move

const pad = (n: number): string => String(n).padStart(2, '0');

/** What a clock shows: days and hours, hours and minutes, minutes and seconds, and tenths in the last ten seconds. */
export function figures(left: number): string {
  const seconds = Math.max(0, left) / 1000;
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
  if (days >= 1) return t().daysHours(days, hours);
  if (seconds === 0) return '0:00';
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.ceil(seconds);
  const minutes = pad(Math.floor(whole / 60) % 60);
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${minutes}:${pad(whole % 60)}` : `${Number(minutes)}:${pad(whole % 60)}`;
}

/** How long until the figures change. */
export function untilNext(left: number): number {
  if (left > 2 * 86_400_000) return 600_000;
  return left <= 10_000 ? 100 : (left % 1000) + 10;
}

export function paceInWords(pace: Pace): string {
  if (pace.days) return t().perMove(pace.days);
  if (!pace.total) return t().noClock;
  const minutes = pace.total % 60 === 0 ? String(pace.total / 60) : (pace.total / 60).toFixed(1);
  return pace.increment ? t().totalPlus(minutes, pace.increment) : t().total(minutes);
}
