// What the server does for moderators.

import { json } from '../lib/api';
import type { Message } from '../lib/types';

export interface Person {
  id: string;
  name: string;
}

export interface Report {
  id: number;
  table_id: string;
  number: number; // of the message
  said: string;
  at: number;
  author: Person;
  reporter: Person;
}

export interface Sanction {
  id: number;
  kind: Action;
  reason: string;
  until: number | null;
  at: number;
  lifted: number | null;
}

export interface ReportInContext extends Report {
  chat: (Message & { name: string | null })[];
  history: { reports: unknown[]; sanctions: Sanction[]; log: { id: number; at: number; action: string }[] };
}

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
