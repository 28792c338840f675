// Moderation in words, in the three languages.

import { prefs } from '../lib/prefs.svelte';
import type { Lang } from '../lib/types';

const en = {
  title: 'Reports',
  none: 'No reports are waiting.',
  back: 'All reports',
  from: (author: string, reporter: string) => `${author}, reported by ${reporter}`,
  chat: 'The chat before and after',
  removed: 'Removed',
  history: 'Earlier decisions',
  earlier: (reports: number) => `Reports about this person: ${reports}`,
  toTable: 'Open the table',
  action: 'Decision',
  actions: { dismiss: 'Dismiss', warn: 'Warn', remove: 'Remove the message', mute: 'Mute', ban: 'Ban', rename: 'Remove the name' },
  reason: 'Reason (the person reads it)',
  length: 'For how long',
  lengths: { '1': '1 hour', '24': '1 day', '168': '1 week', '720': '30 days', '': 'for good' },
  network: 'Ban the network too',
  decide: 'Decide',
  lift: 'Lift it',
  done: 'Done.',
};

type Messages = typeof en;

const fr: Messages = {
  title: 'Signalements',
  none: 'Aucun signalement en attente.',
  back: 'Tous les signalements',
  from: (author, reporter) => `${author}, signalé par ${reporter}`,
  chat: 'La discussion avant et après',
  removed: 'Supprimé',
  history: 'Décisions précédentes',
  earlier: (reports) => `Signalements concernant cette personne : ${reports}`,
  toTable: 'Ouvrir la table',
  action: 'Décision',
  actions: { dismiss: 'Classer sans suite', warn: 'Avertir', remove: 'Supprimer le message', mute: 'Couper la discussion', ban: 'Bannir', rename: 'Retirer le nom' },
  reason: 'Motif (lu par la personne)',
  length: 'Pour combien de temps',
  lengths: { '1': '1 heure', '24': '1 jour', '168': '1 semaine', '720': '30 jours', '': 'définitivement' },
  network: 'Bannir aussi le réseau',
  decide: 'Décider',
  lift: 'Lever la sanction',
  done: 'C’est fait.',
};

const de: Messages = {
  title: 'Meldungen',
  none: 'Keine offenen Meldungen.',
  back: 'Alle Meldungen',
  from: (author, reporter) => `${author}, gemeldet von ${reporter}`,
  chat: 'Der Chat davor und danach',
  removed: 'Entfernt',
  history: 'Frühere Entscheidungen',
  earlier: (reports) => `Meldungen über diese Person: ${reports}`,
  toTable: 'Tisch öffnen',
  action: 'Entscheidung',
  actions: { dismiss: 'Kein Verstoß', warn: 'Verwarnen', remove: 'Nachricht entfernen', mute: 'Chat sperren', ban: 'Sperren', rename: 'Namen entfernen' },
  reason: 'Grund (die Person liest ihn)',
  length: 'Für wie lange',
  lengths: { '1': '1 Stunde', '24': '1 Tag', '168': '1 Woche', '720': '30 Tage', '': 'für immer' },
  network: 'Auch das Netz sperren',
  decide: 'Entscheiden',
  lift: 'Aufheben',
  done: 'Erledigt.',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr, de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
