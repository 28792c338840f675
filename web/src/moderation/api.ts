// What the server does for moderators.

import { json } from '../lib/api';
import type { NamedLogEntry, PersonHistory, Report, ReportInContext } from '../lib/types';

export type Action = 'warn' | 'mute' | 'ban' | 'remove' | 'rename' | 'dismiss';
export type Did = Action | 'lift' | 'grant' | 'revoke';

export interface Decision {
  action: Action;
  reason: string;
  hours: number | null;
  network: boolean;
}

export const getReports = (closed: boolean): Promise<{ reports: Report[] }> => json('GET', `/moderation/reports?closed=${closed}`);
export const getReport = (id: number): Promise<ReportInContext> => json('GET', `/moderation/reports/${id}`);
export const getPerson = (id: string): Promise<PersonHistory> => json('GET', `/moderation/people/${id}`);
export const getLog = (): Promise<{ log: NamedLogEntry[] }> => json('GET', '/moderation/log');
export const decide = (id: number, decision: Decision): Promise<unknown> => json('POST', `/moderation/reports/${id}`, decision);
export const decidePerson = (id: string, decision: Decision): Promise<unknown> => json('POST', `/moderation/people/${id}`, decision);
export const lift = (id: number): Promise<unknown> => json('DELETE', `/moderation/sanctions/${id}`);
