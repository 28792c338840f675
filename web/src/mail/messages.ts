// E-mail in words, in the three languages.

import { french } from '../lib/i18n/french';
import { prefs } from '../lib/prefs.svelte';
import type { Lang } from '../lib/types';

const en = {
  title: 'E-mail when it is your turn',
  text: 'For games with days per move: one e-mail for each game until you have moved. Your address is used for nothing else.',
  address: 'E-mail address',
  give: 'Send me a confirmation',
  waiting: (address: string) => `We have sent an e-mail to ${address}. Open the link in it to confirm the address.`,
  active: (address: string) => `You get e-mails at ${address}.`,
  remove: 'Delete this address',
  removed: 'Your address was deleted.',
  confirmTitle: 'Confirm your e\u2011mail address',
  confirmText: 'You will get an e-mail when it is your turn in a game with days per move.',
  confirm: 'Confirm',
  confirmed: 'Your address is confirmed.',
  stopTitle: 'No more e-mails',
  stopText: 'We delete your address and send nothing more.',
  stop: 'Stop e-mails',
  stopped: 'You will get no more e-mails.',
  badLink: 'This link is not valid, or too old.',
  atTable: 'E-mail me when it is my turn',
  withAccount: 'With an account you can get an e-mail when it is your turn in a game with days per move.',
};

type Messages = typeof en;

const fr: Messages = {
  title: 'E-mail quand c’est à vous de jouer',
  text: 'Pour les parties à plusieurs jours par coup : un e-mail par partie jusqu’à ce que vous ayez joué. Votre adresse ne sert à rien d’autre.',
  address: 'Adresse e-mail',
  give: 'M’envoyer une confirmation',
  waiting: (address) => `Nous avons envoyé un e-mail à ${address}. Ouvrez le lien qu’il contient pour confirmer l’adresse.`,
  active: (address) => `Vous recevez des e-mails à l’adresse ${address}.`,
  remove: 'Supprimer cette adresse',
  removed: 'Votre adresse a été supprimée.',
  confirmTitle: 'Confirmez votre adresse e\u2011mail',
  confirmText: 'Vous recevrez un e-mail quand ce sera à vous de jouer dans une partie à plusieurs jours par coup.',
  confirm: 'Confirmer',
  confirmed: 'Votre adresse est confirmée.',
  stopTitle: 'Ne plus recevoir d’e-mails',
  stopText: 'Nous supprimons votre adresse et n’envoyons plus rien.',
  stop: 'Arrêter les e-mails',
  stopped: 'Vous ne recevrez plus d’e-mails.',
  badLink: 'Ce lien n’est pas valable, ou trop ancien.',
  atTable: 'M’envoyer un e-mail quand c’est à moi',
  withAccount: 'Avec un compte, vous pouvez recevoir un e-mail quand c’est à vous de jouer dans une partie à plusieurs jours par coup.',
};

const de: Messages = {
  title: 'E-Mail, wenn du am Zug bist',
  text: 'Für Partien mit mehreren Tagen pro Zug: eine E-Mail pro Partie, bis du gezogen hast. Deine Adresse dient keinem anderen Zweck.',
  address: 'E-Mail-Adresse',
  give: 'Bestätigung schicken',
  waiting: (address) => `Wir haben eine E-Mail an ${address} geschickt. Öffne den Link darin, um die Adresse zu bestätigen.`,
  active: (address) => `Du bekommst E-Mails an ${address}.`,
  remove: 'Diese Adresse löschen',
  removed: 'Deine Adresse wurde gelöscht.',
  confirmTitle: 'Bestätige deine E\u2011Mail-Adresse',
  confirmText: 'Du bekommst dann eine E-Mail, wenn du in einer Partie mit mehreren Tagen pro Zug am Zug bist.',
  confirm: 'Bestätigen',
  confirmed: 'Deine Adresse ist bestätigt.',
  stopTitle: 'Keine E-Mails mehr',
  stopText: 'Wir löschen deine Adresse und schicken nichts mehr.',
  stop: 'Keine E-Mails mehr schicken',
  stopped: 'Du bekommst keine E-Mails mehr.',
  badLink: 'Dieser Link ist ungültig oder zu alt.',
  atTable: 'E-Mail an mich, wenn ich am Zug bin',
  withAccount: 'Mit einem Konto kannst du eine E-Mail bekommen, wenn du in einer Partie mit mehreren Tagen pro Zug am Zug bist.',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };
export const t = (): Messages => ALL_MESSAGES[prefs.lang];
