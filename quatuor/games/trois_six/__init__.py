"""3/6: both players move at once; three in line win."""

from quatuor.games.contract import Choice, Cover, Number, Rulebook, Text, Variant
from quatuor.games.trois_six import advice, notation, picture, planes, position, rules
from quatuor.games.trois_six.layout import Layout

_NO_YES = {"no": Text("no", "non", "nein"), "yes": Text("yes", "oui", "ja")}

RULEBOOK = Rulebook(
    name="trois_six",
    title=Text("3/6", "3/6", "3/6"),
    text=Text(
        "Give your orders in secret, move at the same time, and line up three.",
        "Donnez vos ordres en secret, jouez en même temps et alignez trois pions.",
        "Gib geheime Befehle, zieh zur gleichen Zeit wie der Gegner und bring drei in eine Reihe.",
    ),
    variants=(
        Variant(
            "classic",
            Text("Classic", "Classique", "Klassisch"),
            Text(
                "Three in line win; a player with only two left loses.",
                "Trois pions alignés gagnent ; un joueur qui n’en a plus que deux perd.",
                "Drei in einer Reihe gewinnen; wer nur noch zwei hat, verliert.",
            ),
            2,
            (5, 15),
        ),
    ),
    options=(
        Layout(
            "layout",
            Text("Starting cells", "Cases de départ", "Startfelder"),
            Text(
                "“corners”, or six cells of white, a slash, six cells of black: pawns 1 to 6 in that order.",
                "« corners », ou six cases des blancs, une barre, six cases des noirs : pions 1 à 6 dans cet ordre.",
                "„corners“ oder sechs Felder von Weiß, Schrägstrich, sechs von Schwarz: Steine 1 bis 6 der Reihe nach.",
            ),
        ),
        Choice(
            "own_stacking",
            Text("Landing on your own pawns", "Se poser sur ses propres pions", "Auf eigene Steine ziehen"),
            Text(
                "Whether a pawn may land on one of its own colour; the one below is lost.",
                "Si un pion peut se poser sur un pion de sa couleur ; celui du dessous est perdu.",
                "Ob ein Stein auf einem eigenen landen darf; der untere ist verloren.",
            ),
            _NO_YES,
        ),
        Choice(
            "jump",
            Text("Jumping", "Saut", "Springen"),
            Text(
                "Whether a pile may pass over other pawns.",
                "Si une pile peut passer par-dessus d’autres pions.",
                "Ob ein Turm über andere Steine hinwegziehen darf.",
            ),
            _NO_YES,
        ),
        Choice(
            "void_blocks",
            Text("Impossible orders block", "Les ordres impossibles bloquent", "Unmögliche Befehle sperren"),
            Text(
                "Whether an impossible order still keeps the opponent off the cell it names.",
                "Si un ordre impossible interdit tout de même à l’adversaire la case qu’il désigne.",
                "Ob ein unmöglicher Befehl dem Gegner trotzdem das genannte Feld sperrt.",
            ),
            _NO_YES,
        ),
        Number(
            "quiet_turns",
            Text("Quiet turns", "Tours calmes", "Ruhige Züge"),
            Text(
                "After this many turns in a row in which no pawn lands on another, the game is a draw.",
                "Après autant de tours de suite sans qu’un pion se pose sur un autre, la partie est nulle.",
                "Landet so viele Züge lang kein Stein auf einem anderen, ist die Partie unentschieden.",
            ),
            50,
            1,
            999,
            Text("no limit", "sans limite", "ohne Grenze"),
        ),
    ),
    rules=rules,
    advice=advice,
    state_size=rules.SIZE,
    max_moves=rules.MAX_MOVES,
    actions=rules.ACTIONS,
    write=notation.write,
    read=notation.read,
    view=picture.view,
    effects=picture.effects,
    reason=picture.reason,
    svg=picture.svg,
    text_board=picture.text_board,
    position=position,
    start_options=("layout",),
    conceal=picture.conceal,
    void_orders=True,  # TS-8
    judge=advice.judge,
    planes=planes,
    clause_prefix="TS",
    endings={
        "line": "TS-20",
        "two_left": "TS-21",
        "both_lines": "TS-22",
        "both_two_left": "TS-22",
        "quiet": "TS-23",
    },
    cover=Cover("classic", turns=6),
    order=4,
)
