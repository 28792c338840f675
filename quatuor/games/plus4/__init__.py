"""Plus 4: push pawns into the grid, line up four."""

from quatuor.games.contract import Choice, Cover, Level, Number, Rulebook, Text, Variant
from quatuor.games.levels import FULL
from quatuor.games.plus4 import notation, picture, planes, position, rules, space
from quatuor.games.plus4.race import Race
from quatuor.games.plus4.rounds import Rounds

RULEBOOK = Rulebook(
    name="plus4",
    title=Text("Plus 4", "Plus 4", "Plus 4"),
    text=Text(
        "Push your pawns in from the top: columns sink, pawns fall out. Line up four.",
        "Poussez vos pions par le haut : les colonnes descendent, des pions tombent. Alignez-en quatre.",
        "Schieb deine Steine von oben ein: Spalten sinken, Steine fallen heraus. Bring vier in eine Reihe!",
    ),
    variants=(
        Variant(
            "elementary",
            Text("Elementary game", "Partie élémentaire", "Grundspiel"),
            Text(
                "The first line of four wins.",
                "Le premier alignement de quatre gagne.",
                "Die erste Viererreihe gewinnt.",
            ),
            2,
            (2, 5),
        ),
        Variant(
            "endless",
            Text("Endless grid", "Grille sans fin", "Endloses Gitter"),
            Text(
                "Lines score points and the grid is never emptied.",
                "Les alignements rapportent des points et la grille n’est jamais vidée.",
                "Reihen bringen Punkte, das Gitter wird nie geleert.",
            ),
            2,
            (15, 30),
        ),
        Variant(
            "rounds",
            Text("Rounds", "Manches", "Runden"),
            Text(
                "A line ends the round; the loser begins the next.",
                "Un alignement termine la manche ; le perdant commence la suivante.",
                "Eine Reihe beendet die Runde; wer verliert, beginnt die nächste.",
            ),
            2,
            (15, 30),
        ),
    ),
    options=(
        Choice(
            "both_lines",
            Text("Lines of both colours", "Alignements des deux couleurs", "Reihen beider Farben"),
            Text(
                "What happens when one push completes a line of each colour.",
                "Ce qui se passe quand une poussée complète un alignement de chaque couleur.",
                "Was geschieht, wenn ein Zug Reihen beider Farben vollendet.",
            ),
            {
                "draw": Text("draw", "partie nulle", "unentschieden"),
                "mover": Text("the player who pushes wins", "celui qui pousse gagne", "wer schiebt, gewinnt"),
                "opponent": Text("the opponent wins", "l’adversaire gagne", "der Gegner gewinnt"),
                "continue": Text("play goes on", "on continue", "die Partie geht weiter"),
            },
            ("elementary",),
        ),
        Number(
            "target",
            Text("Points to win", "Points pour gagner", "Punkte zum Sieg"),
            Text(
                "The first player to reach this many points wins.",
                "Le premier à atteindre ce total gagne.",
                "Wer zuerst so viele Punkte hat, gewinnt.",
            ),
            11,
            1,
            99,
            variants=("endless", "rounds"),
        ),
        Number(
            "rounds",
            Text("Number of rounds", "Nombre de manches", "Zahl der Runden"),
            Text(
                "Play exactly this many rounds; the most points win, without a points target.",
                "Jouer exactement ce nombre de manches ; le plus haut score gagne, sans total à atteindre.",
                "Genau so viele Runden spielen; es gewinnt, wer die meisten Punkte hat, ohne Punkteziel.",
            ),
            None,
            1,
            99,
            Text("until the points are reached", "jusqu’au total de points", "bis zum Punkteziel"),
            ("rounds",),
        ),
        Choice(
            "repetition",
            Text("Repetition", "Répétition", "Wiederholung"),
            Text(
                "What happens when the same position occurs for the third time.",
                "Ce qui se passe quand la même position apparaît pour la troisième fois.",
                "Was geschieht, wenn dieselbe Stellung zum dritten Mal vorkommt.",
            ),
            {
                "draw": Text("the game is a draw", "la partie est nulle", "die Partie ist unentschieden"),
                "none": Text("nothing, play goes on", "rien, on continue", "nichts, die Partie geht weiter"),
            },
        ),
    ),
    rules=rules,
    state_size=rules.SIZE,
    max_moves=8,
    actions=8,
    write=notation.write,
    read=notation.read,
    view=picture.view,
    effects=picture.effects,
    reason=picture.reason,
    svg=picture.svg,
    text_board=picture.text_board,
    position=position,
    planes=planes,
    ladders={
        "elementary": (Level(1, 1.0), *map(Level, (2, 4, 8, 16, 44, 150)), FULL),
        "endless": (Level(1, 0.4), *map(Level, (4, 14, 48, 150, 500, 2600)), FULL),
    },
    space=space,
    race=Race,
    rounds=Rounds,
    clause_prefix="P4",
    endings={
        "line": "P4-10",
        "line_given": "P4-11",
        "both_lines": "P4-12",
        "target": "P4-25",
        "rounds:target": "P4-34",
        "rounds": "P4-34",
        "repetition": "P4-7",
    },
    cover=Cover("endless", turns=9),
    order=1,
)
