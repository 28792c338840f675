"""What a learner sees of a Plus 4 position. A plane's row 0 is the top floor, its column 0 is column a."""

from quatuor.games.plus4.rules import BONUS, CELLS, ELEMENTARY, ROUND, ROUNDS, SCORE, TARGET, VARIANT, to_move
from quatuor.kernel import Bytes, Words, jit

VERSION = 1
ROWS, COLUMNS = 4, 4
PLANES = ("own pawns", "the other's pawns", "own bonus pawn", "the other's bonus pawn")
FACTS = (
    "acts now",
    "own bonus pawn in hand",
    "the other's bonus pawn in hand",
    "own points",
    "the other's points",
    "points to reach (0: none)",
    "rounds left (0: no limit)",
)
MOST = 127


@jit
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    for side in range(2):
        pawns = state[CELLS + (seat + side & 1)]
        bonus = pawns & state[BONUS]
        for cell in range(16):
            place = cell % 4 * 4 + cell // 4
            planes[16 * side + place] = pawns >> cell & 1
            planes[16 * (side + 2) + place] = bonus >> cell & 1
        facts[1 + side] = 1 if state[VARIANT] != ELEMENTARY and bonus == 0 else 0
        facts[3 + side] = min(state[SCORE + (seat + side & 1)], MOST)
    facts[0] = to_move(state) >> seat & 1
    facts[5] = min(state[TARGET], MOST)
    facts[6] = min(max(state[ROUNDS] - state[ROUND], 0), MOST)
