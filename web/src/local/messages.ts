// The page without a server, in the three languages.

import { french } from '../lib/i18n/french';
import { prefs } from '../lib/prefs.svelte';
import type { Lang } from '../lib/types';

const en = {
  title: 'On this device',
  text: 'Games against the computer, hints, puzzles and analysis can run in your browser. Then they work without a network, too.',
  engine: 'Where does the computer think?',
  onDevice: 'In this browser',
  onServer: 'On the server',
  absent: 'This page was built without the offline part.',
  waiting: 'Not downloaded yet.',
  download: (megabytes: string) => `Download now (${megabytes} MB)`,
  loading: (percent: number) => `Downloading for offline play: ${percent}%`,
  starting: 'Starting…',
  ready: 'Ready: solo play works without a network.',
  usesDevice: 'In use: this browser. Games that began on the server stay there unless you continue them here.',
  usesServer: 'In use: the server.',
  failed: 'The offline part could not be loaded.',
  install: 'Install Quatuor',
  newVersion: 'A new version is ready.',
  reload: 'Reload',
  later: 'Later',
  notKept: 'This browser cannot save games (private window or no space left). You can play, but the game is lost when you close this page.',
  offlineTitle: 'You are offline',
  needsServer: 'This needs the server. It comes back by itself as soon as you are online again.',
  noServer: 'This needs a server, which this page does not have. Everything for one person works here.',
  solo: 'Meanwhile you can play the computer, solve puzzles or learn a game.',
  games: 'Go to the games',
  send: 'Continue with a friend',
  sendText: 'The game goes to the server, and you get a link for your friend.',
  take: 'Continue in this browser',
  takeText: 'Copies the game to this browser, where the computer thinks without the server and without a network. Moves played so far cannot be taken back there.',
};

type Messages = typeof en;

const fr: Messages = {
  title: 'Sur cet appareil',
  text: 'Les parties contre l’ordinateur, les indices, les casse-tête et l’analyse peuvent tourner dans votre navigateur. Ils fonctionnent alors aussi sans réseau.',
  engine: 'Où l’ordinateur réfléchit-il ?',
  onDevice: 'Dans ce navigateur',
  onServer: 'Sur le serveur',
  absent: 'Cette page a été construite sans le module hors ligne.',
  waiting: 'Pas encore téléchargé.',
  download: (megabytes) => `Télécharger maintenant (${megabytes} Mo)`,
  loading: (percent) => `Téléchargement pour jouer hors ligne : ${percent}\u00a0%`,
  starting: 'Démarrage…',
  ready: 'Prêt : on peut jouer seul sans réseau.',
  usesDevice: 'Utilisé en ce moment : ce navigateur. Les parties commencées sur le serveur y restent, sauf si vous les continuez ici.',
  usesServer: 'Utilisé en ce moment : le serveur.',
  failed: 'Le module hors ligne n’a pas pu être chargé.',
  install: 'Installer Quatuor',
  newVersion: 'Une nouvelle version est prête.',
  reload: 'Recharger',
  later: 'Plus tard',
  notKept: 'Ce navigateur ne peut pas enregistrer les parties (fenêtre privée ou espace insuffisant). Vous pouvez jouer, mais la partie sera perdue quand vous fermerez cette page.',
  offlineTitle: 'Vous êtes hors ligne',
  needsServer: 'Il faut le serveur pour cela. Tout revient automatiquement dès que vous êtes de nouveau en ligne.',
  noServer: 'Il faut un serveur pour cela, et cette page n’en a pas. Tout ce qui se joue seul fonctionne ici.',
  solo: 'En attendant, jouez contre l’ordinateur, résolvez des casse-tête ou apprenez un jeu.',
  games: 'Voir les jeux',
  send: 'Continuer avec un ami',
  sendText: 'La partie passe sur le serveur, et vous recevez un lien pour votre ami.',
  take: 'Continuer dans ce navigateur',
  takeText: 'Copie la partie dans ce navigateur, où l’ordinateur réfléchit sans le serveur et sans réseau. Les coups déjà joués ne peuvent plus y être annulés.',
};

const de: Messages = {
  title: 'Auf diesem Gerät',
  text: 'Partien gegen den Computer, Tipps, Puzzles und Analyse können in deinem Browser laufen. Dann funktionieren sie auch ohne Netz.',
  engine: 'Wo rechnet der Computer?',
  onDevice: 'In diesem Browser',
  onServer: 'Auf dem Server',
  absent: 'Diese Seite wurde ohne den Offline-Teil gebaut.',
  waiting: 'Noch nicht heruntergeladen.',
  download: (megabytes) => `Jetzt herunterladen (${megabytes} MB)`,
  loading: (percent) => `Wird für das Spiel ohne Netz geladen: ${percent}\u00a0%`,
  starting: 'Startet…',
  ready: 'Bereit: Alleine spielen geht auch ohne Netz.',
  usesDevice: 'Zurzeit rechnet dieser Browser. Partien, die auf dem Server begonnen haben, bleiben dort, außer du spielst sie hier weiter.',
  usesServer: 'Zurzeit rechnet der Server.',
  failed: 'Der Offline-Teil konnte nicht geladen werden.',
  install: 'Quatuor installieren',
  newVersion: 'Eine neue Version ist bereit.',
  reload: 'Neu laden',
  later: 'Später',
  notKept: 'Dieser Browser kann keine Partien speichern (privates Fenster oder kein Platz mehr). Du kannst spielen, aber die Partie geht verloren, wenn du die Seite schließt.',
  offlineTitle: 'Du bist offline',
  needsServer: 'Dafür braucht es den Server. Sobald du wieder online bist, geht es von selbst weiter.',
  noServer: 'Dafür braucht es einen Server, den diese Seite nicht hat. Alles, was man allein spielt, funktioniert hier.',
  solo: 'Inzwischen kannst du gegen den Computer spielen, Puzzles lösen oder ein Spiel lernen.',
  games: 'Zu den Spielen',
  send: 'Mit einem Freund weiterspielen',
  sendText: 'Die Partie kommt auf den Server, und du bekommst einen Link für deinen Freund.',
  take: 'In diesem Browser weiterspielen',
  takeText: 'Kopiert die Partie in diesen Browser; dort rechnet der Computer ohne Server und ohne Netz. Bisherige Züge lassen sich dort nicht mehr zurücknehmen.',
};

export const ALL_MESSAGES: Record<Lang, Messages> = { en, fr: french(fr), de };

export const t = (): Messages => ALL_MESSAGES[prefs.lang];
