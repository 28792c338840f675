"""Plateau X by Hendrik Simon, from its French and German rulebooks."""

from quatuor.games.contract import Choice, Cover, Level, Rulebook, Text, Variant
from quatuor.games.levels import FULL
from quatuor.games.plateau_x import advice, planes, position, rules
from quatuor.games.plateau_x.notation import read, write
from quatuor.games.plateau_x.picture import svg, text_board
from quatuor.games.plateau_x.tables import ACTIONS, CELLS, ENTER
from quatuor.games.plateau_x.view import effects, reason, view

VARIANTS = (
    Variant(
        "four",
        Text("Plateau X for four", "Plateau X à quatre", "Plateau X zu viert"),
        Text(
            "Large board, four players, one pawn each.",
            "Grande grille, quatre joueurs, un pion chacun.",
            "Großer Plan, vier Spieler, je eine Figur.",
        ),
        seats=4,
        minutes=(30, 30),
    ),
    Variant(
        "trio",
        Text("Trio", "Trio", "Trio"),
        Text(
            "Large board, three players, one pawn each.",
            "Grande grille, trois joueurs, un pion chacun.",
            "Großer Plan, drei Spieler, je eine Figur.",
        ),
        seats=3,
        minutes=(30, 30),
    ),
    Variant(
        "mini",
        Text("Mini", "Mini", "Mini"),
        Text(
            "Small board, two players, one pawn each.",
            "Petite grille, deux joueurs, un pion chacun.",
            "Kleiner Plan, zwei Spieler, je eine Figur.",
        ),
        seats=2,
        minutes=(10, 20),
    ),
    Variant(
        "double",
        Text("Double", "Double", "Doppel"),
        Text(
            "Large board, two players, two pawns each; the better one counts.",
            "Grande grille, deux joueurs, deux pions chacun ; le mieux placé compte.",
            "Großer Plan, zwei Spieler, je zwei Figuren; die bessere zählt.",
        ),
        seats=2,
        minutes=(15, 30),
    ),
)

EDITION = Choice(
    "edition",
    Text("Edition", "Édition", "Ausgabe"),
    Text(
        "What players may do when they cannot place a brick but can still move.",
        "Ce que peut faire un joueur qui ne peut plus poser de brique mais peut encore se déplacer.",
        "Was ein Spieler darf, der keinen Stein mehr legen, aber noch ziehen kann.",
    ),
    {
        "de": Text(
            "German edition: move, or end the game",
            "Édition allemande : se déplacer ou finir la partie",
            "Deutsche Ausgabe: ziehen oder die Partie beenden",
        ),
        "fr": Text(
            "French edition: the game goes on while that player can move",
            "Édition française : la partie continue tant que ce joueur peut se déplacer",
            "Französische Ausgabe: es geht weiter, solange dieser Spieler ziehen kann",
        ),
    },
)

REPETITION = Choice(
    "repetition",
    Text("Repetition", "Répétition", "Wiederholung"),
    Text(
        "What happens when the same position occurs for the third time.",
        "Ce qui se passe quand la même position apparaît pour la troisième fois.",
        "Was geschieht, wenn dieselbe Stellung zum dritten Mal vorkommt.",
    ),
    {
        "end": Text(
            "The game ends and is ranked as it stands",
            "La partie s’arrête, et les joueurs sont classés d’après la position",
            "Die Partie endet und wird gewertet, wie sie steht",
        ),
        "none": Text("The game goes on", "La partie continue", "Die Partie geht weiter"),
    },
)

# PX-40, PX-41, PX-44: what a match gives for each place
POINTS = {"four": (4, 2, 1, 0), "trio": (3, 1, 0), "mini": (1, 0), "double": (1, 0)}


def match_points(variant: str, scores: tuple[int, ...], ranking: tuple[int, ...]) -> tuple[int, ...]:
    """The points of one game in a match; seats that share a place all get its points (PX-44)."""
    return tuple(POINTS[variant][place - 1] for place in ranking)


BEGINNERS = (Level(1, 0.3), Level(1, 0.2), Level(1, 0.15))  # levels 1 to 3 with more than two players
LADDERS = {
    "trio": (*BEGINNERS, Level(1, 0.07), Level(2), Level(16), Level(128), FULL),
    "double": (Level(1, 0.3), Level(1, 0.14), Level(1, 0.045), *map(Level, (5, 18, 120, 1100)), FULL),
    "four": (*BEGINNERS, Level(1, 0.1), Level(1, 0.04), Level(16), Level(64), FULL),
}


RULEBOOK = Rulebook(
    name="plateau_x",
    title=Text("Plateau X", "Plateau X", "Plateau X"),
    text=Text(
        "Build terraces from bricks and climb higher than the others.",
        "Construisez des plateaux avec des briques et montez plus haut que les autres.",
        "Bau Plateaus aus Steinen und steig höher als die anderen.",
    ),
    variants=VARIANTS,
    options=(EDITION, REPETITION),
    rules=rules,
    state_size=rules.SIZE,
    max_moves=ENTER + 2 * CELLS + 1,  # every brick, both pawns everywhere, the end
    actions=ACTIONS,
    write=write,
    read=read,
    view=view,
    effects=effects,
    reason=reason,
    svg=svg,
    text_board=text_board,
    position=position,
    match_points=match_points,
    advice=advice,
    judge=advice.judge,
    planes=planes,
    ladders=LADDERS,
    clause_prefix="PX",
    endings={"no_brick_declared": "PX-30", "no_move": "PX-30", "repetition": "PX-24"},
    cover=Cover("double", turns=24),
    order=3,
)
