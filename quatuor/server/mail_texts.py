"""The texts of the mails, in three languages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MailTexts:
    """``{…}`` are filled in."""

    confirm_subject: str
    confirm: str
    turn_subject: str
    turn: str
    alone: str  # instead of opponents, where there are none


TEXTS = {
    "en": MailTexts(
        "Confirm your e-mail address",
        """Hello {name},

You asked to get an e-mail when it is your turn in a game with days per move.
Open this link to confirm that this is your address:

{confirm}

The link works for two days. If it was not you who asked, do nothing: you will not hear from us again.
""",
        "Your turn: {title}, against {opponents}",
        """Hello {name},

It is your turn: {title}, against {opponents}.

{table}

We send only one e-mail about this game until you have moved.
No more e-mails: {stop}
""",
        "the computer",
    ),
    "fr": MailTexts(
        "Confirmez votre adresse e-mail",
        """Bonjour {name},

Vous avez demandé à recevoir un e-mail quand c’est à vous de jouer dans une partie à plusieurs jours par coup.
Ouvrez ce lien pour confirmer que cette adresse est la vôtre :

{confirm}

Le lien est valable deux jours. Si vous n’avez rien demandé, ne faites rien : nous ne vous écrirons plus.
""",
        "À vous de jouer : {title}, contre {opponents}",
        """Bonjour {name},

C’est à vous de jouer : {title}, contre {opponents}.

{table}

Nous envoyons un seul e-mail pour cette partie jusqu’à ce que vous ayez joué.
Ne plus recevoir d’e-mails : {stop}
""",
        "l’ordinateur",
    ),
    "de": MailTexts(
        "Bestätige deine E-Mail-Adresse",
        """Hallo {name},

du möchtest eine E-Mail bekommen, wenn du in einer Partie mit mehreren Tagen pro Zug am Zug bist.
Öffne diesen Link, um zu bestätigen, dass dies deine Adresse ist:

{confirm}

Der Link gilt zwei Tage. Wenn du das nicht warst, musst du nichts tun: Wir schreiben dir nicht mehr.
""",
        "Du bist am Zug: {title}, gegen {opponents}",
        """Hallo {name},

du bist am Zug: {title}, gegen {opponents}.

{table}

Zu dieser Partie schicken wir nur eine E-Mail, bis du gezogen hast.
Keine E-Mails mehr: {stop}
""",
        "den Computer",
    ),
}
