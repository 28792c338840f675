// "Your turn" and new messages while the page is hidden, in the three languages.

import { french } from '../lib/i18n/french';
import { pluralsIn } from '../lib/i18n/plural';
import { prefs } from '../lib/prefs.svelte';
import type { Lang } from '../lib/types';

const [enPlural, frPlural, dePlural] = [pluralsIn('en'), pluralsIn('fr'), pluralsIn('de')];

const en = {
  yourTurn: 'Your turn',
  offer: 'An offer for you',
  over: 'The game is over',
  newMessages: (n: number) => enPlural(n, { one: 'new message', other: 'new messages' }),
  notify: 'Notify me when it is my turn',
  notifyText: 'Your browser shows a notification while this page is in the background.',
  notifyOn: 'You will be notified when it is your turn.',
  notifyRefused: 'Your browser does not allow notifications from this page. You can change that in its settings.',
};

type Messages = typeof en;

const fr: Messages = {
  yourTurn: 'À vous de jouer',
  offer: 'Une proposition pour vous',
  over: 'La partie est terminée',
  newMessages: (n) => frPlural(n, { one: 'nouveau message', other: 'nouveaux messages' }),
  notify: 'Me prévenir quand c’est mon tour',
  notifyText: 'Votre navigateur affiche une notification quand cette page est en arrière-plan.',
  notifyOn: 'Vous serez prévenu quand ce sera à vous de jouer.',
  notifyRefused: 'Votre navigateur n’autorise pas les notifications de cette page. Vous pouvez changer cela dans ses réglages.',
};

const de: Messages = {
  yourTurn: 'Du bist am Zug',
  offer: 'Ein Angebot für dich',
  over: 'Die Partie ist zu Ende',
  newMessages: (n) => dePlural(n, { one: 'neue Nachricht', other: 'neue Nachrichten' }),
  notify: 'Benachrichtigen, wenn ich am Zug bin',
  notifyText: 'Dein Browser zeigt eine Benachrichtigung, während diese Seite im Hintergrund ist.',
  notifyOn: 'Du wirst benachrichtigt, wenn du am Zug bist.',
  notifyRefused: 'Dein Browser erlaubt keine Benachrichtigungen von dieser Seite. Du kannst das in seinen Einstellungen ändern.',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
