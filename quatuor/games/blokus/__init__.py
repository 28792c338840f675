"""Blokus by Bernard Tavitian, from its French rulebook."""

from quatuor.games.blokus import advice, planes, position, rules
from quatuor.games.blokus.notation import TEXTS, read, write
from quatuor.games.blokus.picture import svg, text_board
from quatuor.games.blokus.tables import ACTIONS
from quatuor.games.blokus.view import effects, reason, view
from quatuor.games.contract import Choice, Cover, ForeignName, Level, Rulebook, Text, Variant
from quatuor.games.levels import FULL, NOVICE

VARIANTS = (
    Variant(
        "classic",
        Text("Blokus for four", "Blokus à quatre", "Blokus zu viert"),
        Text(
            "Four players, one colour each.",
            "Quatre joueurs, une couleur chacun.",
            "Vier Spieler, je eine Farbe.",
        ),
        seats=4,
        minutes=(20, 30),
    ),
    Variant(
        "teams",
        Text("Two teams", "Deux équipes", "Zwei Teams"),
        Text(
            "Blue and red against yellow and green; a team adds up its scores.",
            "Bleu et rouge contre jaune et vert ; une équipe additionne ses points.",
            "Blau und Rot gegen Gelb und Grün; ein Team zählt seine Punkte zusammen.",
        ),
        seats=4,
        minutes=(20, 30),
        sides=(0, 1, 0, 1),
    ),
    Variant(
        "two",
        Text("Blokus for two", "Blokus à deux", "Blokus zu zweit"),
        Text(
            "Two players, two colours each.",
            "Deux joueurs, deux couleurs chacun.",
            "Zwei Spieler, je zwei Farben.",
        ),
        seats=2,
        minutes=(20, 30),
    ),
    Variant(
        "three",
        Text("Blokus for three", "Blokus à trois", "Blokus zu dritt"),
        Text(
            "One colour each; green is played by all in turn and does not count.",
            "Une couleur chacun ; le vert est joué à tour de rôle et ne compte pas.",
            "Je eine Farbe; Grün spielen alle abwechselnd, es zählt nicht.",
        ),
        seats=3,
        minutes=(20, 30),
    ),
    Variant(
        "duo",
        Text("Duo", "Duo", "Duo"),
        Text(
            "Two players, one colour each, on a small board with starts near the middle.",
            "Deux joueurs, une couleur chacun, sur un petit plateau, départs près du centre.",
            "Zwei Spieler, je eine Farbe, auf kleinem Brett, Start nahe der Mitte.",
        ),
        seats=2,
        minutes=(10, 20),
    ),
)

CORNERS = Choice(
    "corners",
    Text("Corners", "Coins", "Ecken"),
    Text(
        "Which corner of the board a colour’s first piece covers.",
        "Le coin du plateau que couvre la première pièce d’une couleur.",
        "Welche Ecke des Bretts das erste Teil einer Farbe bedeckt.",
    ),
    {
        "fixed": Text("each colour its own", "chaque couleur le sien", "jede Farbe ihre eigene"),
        "free": Text("any that is still free", "n’importe quel coin encore libre", "jede noch freie"),
    },
    ("classic", "teams", "two", "three"),
)

PENTOBI = {  # the free Blokus program: its names are those of blksgf files and of its dialect of GTP
    "classic": ForeignName("Blokus", "classic"),
    "two": ForeignName("Blokus Two-Player", "classic_2"),
    "three": ForeignName("Blokus Three-Player", "classic_3"),
    "duo": ForeignName("Blokus Duo", "duo"),
}

# With advice the search first tries what strong players do: with a large slack, more search makes it play worse
LADDERS = {
    "duo": (
        *(NOVICE, Level(2, plain=True), Level(5, plain=True), Level(9, plain=True)),
        *(Level(6), Level(60), Level(600), FULL),
    ),
    "classic": (
        *(NOVICE, Level(1, 0.3, plain=True), Level(3, plain=True), Level(8, plain=True)),
        *(Level(16, 0.2), Level(80), Level(1000), FULL),
    ),
    "teams": (
        *(NOVICE, Level(2, 0.3, plain=True), Level(6, plain=True), Level(40, 0.8)),
        *(Level(24), Level(160), Level(1000), FULL),
    ),
    "three": (
        *(NOVICE, Level(1, 0.2, plain=True), Level(4, plain=True), Level(16, 0.8)),
        *(Level(64), Level(300), Level(5000), FULL),
    ),
}

RULEBOOK = Rulebook(
    name="blokus",
    title=Text("Blokus", "Blokus", "Blokus"),
    text=Text(
        "Place your pieces corner to corner, never edge to edge, and leave no room for the others.",
        "Posez vos pièces coin contre coin, jamais côte à côte, et ne laissez pas de place aux autres.",
        "Leg deine Teile Ecke an Ecke, nie Kante an Kante, und lass den anderen keinen Platz.",
    ),
    variants=VARIANTS,
    options=(CORNERS,),
    rules=rules,
    advice=advice,
    state_size=rules.SIZE,
    max_moves=rules.MOST_MOVES,
    actions=ACTIONS,
    write=write,
    texts=TEXTS,
    read=read,
    view=view,
    effects=effects,
    reason=reason,
    svg=svg,
    text_board=text_board,
    position=position,
    match_points=lambda variant, scores, ranking: scores,  # a match adds up the points of its games
    planes=planes,
    ladders=LADDERS,
    clause_prefix="BK",
    endings={
        "blocked": "BK-7",
        "teams:blocked": "BK-10",
        "two:blocked": "BK-11",
        "three:blocked": "BK-12",
    },
    cover=Cover("two", turns=14),
    puzzles=True,
    foreign_names={"pentobi": PENTOBI},
    order=2,
)
