"""Plus 4: push pawns into a grid of 4 columns by 4 floors. Clause ids (P4-…) refer to docs/rules/plus4.md.

A cell is bit ``column * 4 + floor``, floor 0 at the top. Cells of blue, cells of red and the cells that hold a bonus
pawn are one word each. A bonus pawn is in hand when none of its colour stands in the grid (P4-3, P4-20).
Actions 0..3 push an ordinary pawn into a column, 4..7 the bonus pawn.
"""

from quatuor.kernel import Words, inlined, rule

# ---- the state
CELLS = 0  # two words: blue, red
BONUS = 2
TURN = 3
SCORE = 4  # two words
WINNER = 6  # RUNNING, 0, 1 or DRAW
WHY = 7  # how the game ended, an index into REASONS
ROUND = 8  # rounds finished
BEGAN = 9  # the seat that began this round
VARIANT, BOTH_LINES, TARGET, ROUNDS, REPETITION = 10, 11, 12, 13, 14  # the options, as setup got them
SIZE = 16

RUNNING, DRAW = -1, 2
ELEMENTARY, ENDLESS, IN_ROUNDS = 0, 1, 2
BOTH_DRAW, BOTH_MOVER, BOTH_OPPONENT, BOTH_CONTINUE = 0, 1, 2, 3
REASONS = ("", "line", "line_given", "both_lines", "target", "rounds", "repetition")
LINE, LINE_GIVEN, BOTH, AT_TARGET, ROUNDS_OVER, REPEATED = 1, 2, 3, 4, 5, 6

GRID, TOPS, TOP_ROW, DIAGONAL, ANTIDIAGONAL = 0xFFFF, 0x1111, 0xF, 0x8421, 0x1248
SIDE = 32  # where _quiet puts red beside blue
BOTH_TOPS, BOTH_TOP_ROWS = TOPS | TOPS << SIDE, TOP_ROW | TOP_ROW << SIDE
BOTH_FIRST, BOTH_LAST = 1 | 1 << SIDE, 8 | 8 << SIDE  # the top ends of the diagonals
ROW_SHIFT, DIAGONAL_SHIFT = 16, 20  # where _lines puts the rows and the diagonals


@rule
def setup(state: Words, options: Words) -> None:
    for i in range(SIZE):  # P4-1: an empty grid, seat 0 begins
        state[i] = 0
    state[WINNER] = RUNNING
    for i in range(5):
        state[VARIANT + i] = options[i]


@rule
def to_move(state: Words) -> int:
    return 1 << state[TURN] if state[WINNER] == RUNNING else 0


@rule
@inlined
def legal(state: Words, seat: int, out: Words) -> int:
    if state[WINNER] != RUNNING:
        return 0
    for column in range(4):  # P4-3, P4-6: every column is always playable, ordinary pawns never run out
        out[column] = column
    if state[VARIANT] == ELEMENTARY or state[CELLS + (seat & 1)] & state[BONUS]:
        return 4
    for column in range(4):  # P4-20: the bonus pawn when it is in hand
        out[4 + column] = 4 + column
    return 8


@rule
def _lines(cells: int) -> int:
    """P4-4: the complete lines among these cells: columns at bits 0, 4, 8, 12, rows from 16, diagonals from 20."""
    pairs = cells & cells >> 1
    columns = pairs & pairs >> 2 & TOPS
    pairs = cells & cells >> 4
    rows = pairs & pairs >> 8 & TOP_ROW
    found = columns | rows << ROW_SHIFT
    if cells & DIAGONAL == DIAGONAL:
        found |= 1 << DIAGONAL_SHIFT
    if cells & ANTIDIAGONAL == ANTIDIAGONAL:
        found |= 2 << DIAGONAL_SHIFT
    return found


@rule
def _quiet(blue: int, red: int) -> bool:
    """Whether neither colour has a complete line, as after most pushes: both are looked at side by side in one word."""
    cells = blue | red << SIDE
    columns = cells & cells >> 1
    rows = cells & cells >> 4
    diagonals = cells & cells >> 5
    antidiagonals = cells & cells >> 3
    found = columns & columns >> 2 & BOTH_TOPS | rows & rows >> 8 & BOTH_TOP_ROWS
    found |= diagonals & diagonals >> 10 & BOTH_FIRST | antidiagonals & antidiagonals >> 6 & BOTH_LAST
    return found == 0


@rule
def _points(lines: int, bonus: int) -> int:
    """P4-21, P4-22: each line 1 point, or 2 if it contains the colour's bonus pawn (one cell, or none)."""
    points = 0
    for i in range(4):
        if lines >> 4 * i & 1:
            points += 2 if bonus & 0xF << 4 * i else 1
        if lines >> ROW_SHIFT + i & 1:
            points += 2 if bonus & TOPS << i else 1
    if lines >> DIAGONAL_SHIFT & 1:
        points += 2 if bonus & DIAGONAL else 1
    if lines >> DIAGONAL_SHIFT & 2:
        points += 2 if bonus & ANTIDIAGONAL else 1
    return points


@rule
def _award(lines: int, bonus: int) -> int:
    """P4-32: one award a round: 2 if any of the lines contains the bonus pawn, else 1."""
    if lines == 0:
        return 0
    return 2 if _points(lines, bonus) > _points(lines, 0) else 1


@rule
def _finish(state: Words, winner: int, why: int) -> None:
    state[WINNER] = winner
    state[WHY] = why


@rule
def _by_scores(state: Words, why: int) -> None:
    """The higher score wins, equal scores are a draw (P4-25, P4-34)."""
    blue = state[SCORE]
    red = state[SCORE + 1]
    _finish(state, DRAW if blue == red else 0 if blue > red else 1, why)


@rule
def _next_round(state: Words, blue: int, red: int) -> None:
    """P4-30: empty the grid, bonus pawns go back to hand. P4-33: the loser begins, on equal points the other one."""
    state[CELLS] = 0
    state[CELLS + 1] = 0
    state[BONUS] = 0
    state[BEGAN] = 1 - state[BEGAN] if blue == red else 0 if blue < red else 1
    state[TURN] = state[BEGAN]
    state[ROUND] += 1


@rule
@inlined
def play(state: Words, seat: int, action: int) -> None:
    mover = state[TURN] & 1
    column = action & 3
    pushed = 1 << 4 * column
    lower = 0xE << 4 * column  # the column's other floors
    others = ~(pushed | lower)
    old_mine = state[CELLS + mover]
    old_theirs = state[CELLS + 1 - mover]
    # P4-2, P4-3: the column sinks one floor, the fifth pawn falls out, the new one takes the top floor. Word by word: a
    # loop over the three would be vectorised, and a vector read right after single words were written stalls the CPU.
    new_mine = old_mine & others | old_mine << 1 & lower | pushed
    new_theirs = old_theirs & others | old_theirs << 1 & lower
    state[CELLS + mover] = new_mine
    state[CELLS + 1 - mover] = new_theirs
    state[BONUS] = state[BONUS] & others | state[BONUS] << 1 & lower
    if action & 4:
        state[BONUS] |= pushed
    state[TURN] = 1 - mover
    if _quiet(new_mine, new_theirs):
        return
    # P4-5, P4-23: what this push completed, for either colour; what was complete before does not count again
    mine = _lines(new_mine) & ~_lines(old_mine)
    theirs = _lines(new_theirs) & ~_lines(old_theirs)
    if mine == 0 and theirs == 0:
        return
    if state[VARIANT] == ELEMENTARY:
        if theirs == 0:
            _finish(state, mover, LINE)  # P4-10
        elif mine == 0:
            _finish(state, 1 - mover, LINE_GIVEN)  # P4-11
        elif state[BOTH_LINES] == BOTH_DRAW:  # P4-12
            _finish(state, DRAW, BOTH)
        elif state[BOTH_LINES] == BOTH_MOVER:
            _finish(state, mover, BOTH)
        elif state[BOTH_LINES] == BOTH_OPPONENT:
            _finish(state, 1 - mover, BOTH)
    elif state[VARIANT] == ENDLESS:
        state[SCORE + mover] += _points(mine, state[CELLS + mover] & state[BONUS])
        state[SCORE + 1 - mover] += _points(theirs, state[CELLS + 1 - mover] & state[BONUS])  # P4-24
        if state[SCORE] >= state[TARGET] or state[SCORE + 1] >= state[TARGET]:
            _by_scores(state, AT_TARGET)  # P4-25
    else:
        # P4-31: a bonus pawn counts double unless it was the pawn just pushed
        award_mine = _award(mine, state[CELLS + mover] & state[BONUS] & ~pushed)
        award_theirs = _award(theirs, state[CELLS + 1 - mover] & state[BONUS])
        state[SCORE + mover] += award_mine
        state[SCORE + 1 - mover] += award_theirs
        if mover == 0:
            _next_round(state, award_mine, award_theirs)
        else:
            _next_round(state, award_theirs, award_mine)
        if state[ROUNDS]:  # P4-34
            if state[ROUND] == state[ROUNDS]:
                _by_scores(state, ROUNDS_OVER)
        elif state[SCORE] >= state[TARGET] or state[SCORE + 1] >= state[TARGET]:
            _by_scores(state, AT_TARGET)


@rule
def outcome(state: Words, scores: Words, places: Words) -> None:
    scores[0] = state[SCORE]
    scores[1] = state[SCORE + 1]
    winner = state[WINNER]
    if state[VARIANT] == ELEMENTARY and (winner == 0 or winner == 1):
        scores[winner] = 1
    if winner == RUNNING and scores[0] != scores[1]:  # as it stands
        winner = 0 if scores[0] > scores[1] else 1
    places[0] = 2 if winner == 1 else 1
    places[1] = 2 if winner == 0 else 1


@rule
@inlined
def key(state: Words, out: Words) -> int:
    """P4-7: grid, hands (they follow from the grid), scores, side to move."""
    if state[REPETITION]:
        return 0
    out[0] = state[CELLS] | state[CELLS + 1] << 16 | state[BONUS] << 32 | state[TURN] << 48
    out[1] = state[SCORE] << 31 | state[SCORE + 1]
    return 2


@rule
def repeat(state: Words) -> None:
    _finish(state, DRAW, REPEATED)  # P4-7: a draw whatever the scores
