"""A tiny game for the tests: two seats push a token on a ring of cells one cell forward or back.

The seat that brings it to the opposite cell wins; a third occurrence is a draw. It often repeats, which the four games
rarely do at random. One module holds the rules and the solver's space.
"""

from quatuor.games.contract import Rulebook, Text, Variant
from quatuor.kernel import Words, jit

CELLS = 7
GOAL = 3
PLACE, TURN, WINNER, SIZE = 0, 1, 2, 3
RUNNING, DRAW = -1, 2


@jit
def setup(state: Words, options: Words) -> None:
    state[PLACE] = 0
    state[TURN] = 0
    state[WINNER] = RUNNING


@jit
def to_move(state: Words) -> int:
    return 1 << state[TURN] if state[WINNER] == RUNNING else 0


@jit
def legal(state: Words, seat: int, out: Words) -> int:
    out[0] = 1
    out[1] = CELLS - 1
    return 2


@jit
def play(state: Words, seat: int, action: int) -> None:
    state[PLACE] = (state[PLACE] + action) % CELLS
    state[TURN] = 1 - seat
    if state[PLACE] == GOAL:
        state[WINNER] = seat


@jit
def outcome(state: Words, scores: Words, places: Words) -> None:
    for seat in range(2):
        scores[seat] = 1 if state[WINNER] == seat else 0
        places[seat] = 2 if state[WINNER] == 1 - seat else 1


@jit
def key(state: Words, out: Words) -> int:
    out[0] = state[PLACE]
    out[1] = state[TURN]
    return 2


@jit
def repeat(state: Words) -> None:
    state[WINNER] = DRAW


def _rulebook() -> Rulebook:
    import sys

    name = Text("Ring", "Anneau", "Ring")
    return Rulebook(
        name="ring",
        title=name,
        text=name,
        variants=(Variant("ring", name, name, 2, (1, 1)),),
        options=(),
        rules=sys.modules[__name__],
        state_size=SIZE,
        max_moves=2,
        actions=CELLS,
        write=lambda state, seat, action: "+" if action == 1 else "-",
        read=lambda state, seat, text: 1 if text == "+" else CELLS - 1,
        view=lambda state: {"place": int(state[PLACE])},
        effects=lambda before, actions, after: {},
        reason=lambda state: {},
        svg=lambda state: "",
        text_board=lambda state: str(state[PLACE]),
    )


RULEBOOK = _rulebook()
