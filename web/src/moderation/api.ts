// What the server does for moderators.

import { json } from '../lib/api';
import type { Report, ReportInContext } from '../lib/types';

export type { Report, ReportInContext };

export type Action = 'warn' | 'mute' | 'ban' | 'remove' | 'rename' | 'dismiss';

export interface Decision {
  action: Action;
  reason: string;
  hours: number | null;
  network: boolean;
}

export const getReports = (): Promise<{ reports: Report[] }> => json('GET', '/moderation/reports');
export const getReport = (id: number): Promise<ReportInContext> => json('GET', `/moderation/reports/${id}`);
export const decide = (id: number, decision: Decision): Promise<unknown> => json('POST', `/moderation/reports/${id}`, decision);
export const lift = (id: number): Promise<unknown> => json('DELETE', `/moderation/sanctions/${id}`);
