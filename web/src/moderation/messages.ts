// Moderation in words, in the three languages.

import { french } from '../lib/i18n/french';
import { prefs } from '../lib/prefs.svelte';
import type { Lang } from '../lib/types';
import { locale } from '../people/games';
import { t as people } from '../people/messages';

const en = {
  title: 'Moderation',
  view: 'Show',
  views: { open: 'Open reports', closed: 'Decided reports', log: 'Log' },
  none: 'No reports are waiting.',
  noneDecided: 'No report has been decided yet.',
  noLog: 'No moderator has decided anything yet.',
  back: 'Back',
  from: (author: string, reporter: string) => `${author}, reported by ${reporter}`,
  quote: (name: string, said: string) => `${name}: “${said}”`,
  chat: 'The chat before and after',
  removed: 'Removed',
  history: 'Earlier decisions',
  otherReports: 'Other reports about this person',
  waiting: 'open',
  decidedAt: (at: string) => `decided ${at}`,
  aNetwork: 'network',
  until: (at: string) => `until ${at}`,
  lifted: 'lifted',
  toTable: 'Open the table',
  action: 'Decision',
  actions: { dismiss: 'Dismiss', warn: 'Warn', remove: 'Remove the message', mute: 'Mute', ban: 'Ban', rename: 'Remove the name' },
  did: { dismiss: 'dismissed a report', warn: 'warned', remove: 'removed a message', mute: 'muted', ban: 'banned', rename: 'removed a name', lift: 'lifted a mute or a ban', grant: 'made a moderator', revoke: 'is no longer a moderator' },
  operator: 'operator',
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
  title: 'Modération',
  view: 'Afficher',
  views: { open: 'Signalements ouverts', closed: 'Signalements traités', log: 'Journal' },
  none: 'Aucun signalement en attente.',
  noneDecided: 'Aucun signalement traité pour l’instant.',
  noLog: 'Aucune décision de modération pour l’instant.',
  back: 'Retour',
  from: (author, reporter) => `${author}, signalé par ${reporter}`,
  quote: (name, said) => `${name} : « ${said} »`,
  chat: 'La discussion avant et après',
  removed: 'Supprimé',
  history: 'Décisions précédentes',
  otherReports: 'Autres signalements concernant cette personne',
  waiting: 'ouvert',
  decidedAt: (at) => `traité le ${at}`,
  aNetwork: 'réseau',
  until: (at) => `jusqu’au ${at}`,
  lifted: 'levée',
  toTable: 'Ouvrir la table',
  action: 'Décision',
  actions: { dismiss: 'Classer sans suite', warn: 'Avertir', remove: 'Supprimer le message', mute: 'Couper la discussion', ban: 'Bannir', rename: 'Retirer le nom' },
  did: { dismiss: 'signalement classé sans suite', warn: 'avertissement', remove: 'message supprimé', mute: 'discussion coupée', ban: 'bannissement', rename: 'nom retiré', lift: 'sanction levée', grant: 'nouveau rôle : modération', revoke: 'rôle de modération retiré' },
  operator: 'opérateur',
  reason: 'Motif (lu par la personne)',
  length: 'Pour combien de temps',
  lengths: { '1': '1 heure', '24': '1 jour', '168': '1 semaine', '720': '30 jours', '': 'définitivement' },
  network: 'Bannir aussi le réseau',
  decide: 'Décider',
  lift: 'Lever la sanction',
  done: 'C’est fait.',
};

const de: Messages = {
  title: 'Moderation',
  view: 'Zeigen',
  views: { open: 'Offene Meldungen', closed: 'Entschiedene Meldungen', log: 'Protokoll' },
  none: 'Keine offenen Meldungen.',
  noneDecided: 'Noch keine Meldung wurde entschieden.',
  noLog: 'Noch hat niemand etwas entschieden.',
  back: 'Zurück',
  from: (author, reporter) => `${author}, gemeldet von ${reporter}`,
  quote: (name, said) => `${name}: „${said}“`,
  chat: 'Der Chat davor und danach',
  removed: 'Entfernt',
  history: 'Frühere Entscheidungen',
  otherReports: 'Andere Meldungen über diese Person',
  waiting: 'offen',
  decidedAt: (at) => `entschieden am ${at}`,
  aNetwork: 'Netz',
  until: (at) => `bis ${at}`,
  lifted: 'aufgehoben',
  toTable: 'Tisch öffnen',
  action: 'Entscheidung',
  actions: { dismiss: 'Kein Verstoß', warn: 'Verwarnen', remove: 'Nachricht entfernen', mute: 'Chat sperren', ban: 'Sperren', rename: 'Namen entfernen' },
  did: { dismiss: 'Meldung ohne Folgen geschlossen', warn: 'verwarnt', remove: 'Nachricht entfernt', mute: 'Chat gesperrt', ban: 'gesperrt', rename: 'Namen entfernt', lift: 'Sperre aufgehoben', grant: 'zum Moderator gemacht', revoke: 'ist nicht mehr Moderator' },
  operator: 'Betreiber',
  reason: 'Grund (die Person liest ihn)',
  length: 'Für wie lange',
  lengths: { '1': '1 Stunde', '24': '1 Tag', '168': '1 Woche', '720': '30 Tage', '': 'für immer' },
  network: 'Auch das Netz sperren',
  decide: 'Entscheiden',
  lift: 'Aufheben',
  done: 'Erledigt.',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];

export const when = (at: number): string => new Date(at).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });

/** A message: a set phrase in the reader's language, or what was written. */
export const phraseOf = (said: string): string => (people().phrases as Record<string, string>)[said] ?? said;
