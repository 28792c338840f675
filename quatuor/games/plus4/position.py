"""Plus 4 positions as text: ``br2/1r2/4/4 b 0:0 - -`` (docs/positions.md).

The grid row by row from the top, the colour to move, the points, rounds (how many are over and who began this one) and
how the game ended. A capital letter is a bonus pawn.
"""

import re
from collections.abc import Iterator

from quatuor.games.contract import PositionError, State
from quatuor.games.plus4 import rules
from quatuor.games.plus4.notation import COLUMNS
from quatuor.games.plus4.rules import _lines as lines

COLOURS, NAMES = "br", ("blue", "red")
COLUMN = 0xF
MOST_GAINED = 14  # by one push: 4 rows, 1 column, 2 diagonals, each twice
_GRID = re.compile(r"[1-4brBR]{1,4}(/[1-4brBR]{1,4}){3}")
_FIELDS = "the grid, the colour to move, the points, the rounds and the end, such as br2/1r2/4/4 b 0:0 - -"


def write_position(state: State) -> str:
    turn, why = COLOURS[state[rules.TURN]], int(state[rules.WHY])
    rounds = f"{state[rules.ROUND]}{COLOURS[state[rules.BEGAN]]}" if _in_rounds(state) else "-"
    end = rules.REASONS[why] if why not in (0, rules.REPEATED) else "-"
    return f"{_grid(state)} {turn} {state[rules.SCORE]}:{state[rules.SCORE + 1]} {rounds} {end}"


def read_position(state: State, text: str) -> None:
    fields = text.split(" ")
    if len(fields) != 5:
        raise PositionError(f"{text!r} has {len(fields)} of 5 fields; write {_FIELDS}")
    grid, turn, points, rounds, end = fields
    _read_grid(state, grid)
    if turn not in ("b", "r"):
        raise PositionError(f"{turn!r} moves: write b for blue or r for red")
    state[rules.TURN] = COLOURS.index(turn)
    _read_points(state, points)
    _read_rounds(state, rounds)
    if end not in ("-", *rules.REASONS[1 : rules.REPEATED]):
        raise PositionError(f"the end {end!r}: write - or one of {', '.join(rules.REASONS[1 : rules.REPEATED])}")
    state[rules.WHY] = rules.REASONS.index(end) if end != "-" else 0
    if _taken(state):
        _check_counts(state)
        _check_last_push(state)
    else:
        _check_empty_grid(state)


def write_earlier(now: State, earlier: State) -> str:
    """Columns never become shorter and points never fewer: only positions as full and with the same points come
    again."""
    same = (now[rules.SCORE : rules.SCORE + 2] == earlier[rules.SCORE : rules.SCORE + 2]).all()
    if not same or any(_height(earlier, column) < _height(now, column) for column in range(4)):
        return ""
    return f"{_grid(earlier)},{COLOURS[earlier[rules.TURN]]}"


def read_earlier(now: State, text: str) -> State:
    grid, comma, turn = text.partition(",")
    if not comma or turn not in ("b", "r"):
        raise PositionError(f"{text!r} is not an earlier position; it looks like br2/1r2/4/4,b")
    state = now.copy()
    state[rules.CELLS : rules.BONUS + 1] = 0
    state[rules.WINNER], state[rules.WHY] = rules.RUNNING, 0
    _read_grid(state, grid)
    state[rules.TURN] = COLOURS.index(turn)
    return state


# ---- the grid


def _grid(state: State) -> str:
    rows = []
    for floor in range(4):
        row = ""
        for column in range(4):
            cell = 1 << 4 * column + floor
            letter = "b" if state[rules.CELLS] & cell else "r" if state[rules.CELLS + 1] & cell else " "
            row += letter.upper() if state[rules.BONUS] & cell else letter
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    return "/".join(rows)


def _read_grid(state: State, text: str) -> None:
    rows = [re.sub("[1-4]", lambda digit: " " * int(digit[0]), row) for row in text.split("/")]
    if not _GRID.fullmatch(text) or any(len(row) != 4 for row in rows):
        raise PositionError(f"the grid {text!r}: write 4 rows of 4 cells from the top, such as br2/1r2/4/4")
    for floor, row in enumerate(rows):
        for column, letter in enumerate(row):
            if letter != " ":
                cell = 1 << 4 * column + floor
                state[rules.CELLS + COLOURS.index(letter.lower())] |= cell
                state[rules.BONUS] |= cell if letter.isupper() else 0
    for column in range(4):
        cells = _taken(state) >> 4 * column & COLUMN
        if cells & cells + 1:  # P4-2: pawns come in at the top and sink without gaps
            raise PositionError(f"column {COLUMNS[column]} has a gap: pawns stand one below the other from the top")
    for colour in range(2):
        bonus = int(state[rules.CELLS + colour] & state[rules.BONUS])
        if bonus and state[rules.VARIANT] == rules.ELEMENTARY:
            raise PositionError("a bonus pawn: the elementary game has none")
        if bonus & bonus - 1:
            raise PositionError(f"{NAMES[colour]} has two bonus pawns in the grid: there is one of each colour")


def _taken(state: State) -> int:
    return int(state[rules.CELLS] | state[rules.CELLS + 1])


def _height(state: State, column: int) -> int:
    return (_taken(state) >> 4 * column & COLUMN).bit_count()


def _in_rounds(state: State) -> bool:
    return bool(state[rules.VARIANT] == rules.IN_ROUNDS)


# ---- points and rounds


def _read_points(state: State, text: str) -> None:
    found = re.fullmatch(r"(\d{1,3}):(\d{1,3})", text)
    if not found:
        raise PositionError(f"the points {text!r}: write those of blue and of red, such as 2:1")
    points = [int(found[1]), int(found[2])]
    if any(points) and state[rules.VARIANT] == rules.ELEMENTARY:
        raise PositionError(f"the points {text!r}: the elementary game counts none, write 0:0")
    most = int(state[rules.TARGET]) - 1 + MOST_GAINED
    if state[rules.VARIANT] == rules.ENDLESS and max(points) > most:
        raise PositionError(f"the points {text!r}: at most {most} can be reached, the game ends at {most - 13}")
    state[rules.SCORE : rules.SCORE + 2] = points


def _read_rounds(state: State, text: str) -> None:
    if not _in_rounds(state):
        if text != "-":
            raise PositionError(f"the rounds {text!r}: this variant has none, write -")
        return
    found = re.fullmatch(r"(\d{1,3})([br])", text)
    if not found:
        raise PositionError(f"the rounds {text!r}: write how many are over and who began this one, such as 2b")
    over, began = int(found[1]), COLOURS.index(found[2])
    points = [int(n) for n in state[rules.SCORE : rules.SCORE + 2]]
    if not over <= sum(points) or max(points) > 2 * over:  # P4-32
        raise PositionError(f"{points[0]}:{points[1]} after {over} rounds: each gives 1 or 2 points to one or both")
    if over == 0 and began:
        raise PositionError("blue begins the first round: write 0b")
    state[rules.ROUND], state[rules.BEGAN] = over, began


def _decided(state: State) -> int:
    """Why a game in rounds has ended by its points, 0 if it has not."""
    if state[rules.ROUNDS]:
        if state[rules.ROUND] > state[rules.ROUNDS]:
            raise PositionError(f"{state[rules.ROUND]} rounds are over, but {state[rules.ROUNDS]} are played")
        return rules.ROUNDS_OVER if state[rules.ROUND] == state[rules.ROUNDS] else 0
    return rules.AT_TARGET if state[rules.SCORE : rules.SCORE + 2].max() >= state[rules.TARGET] else 0


# ---- what is possible


def _check_empty_grid(state: State) -> None:
    """Nothing stands in the grid at the start of a game or of a round."""
    why = _decided(state) if _in_rounds(state) else 0
    if state[rules.WHY] != why:
        raise PositionError(f"the end is {rules.REASONS[why] or '-'} with these points, not {_end(state)}")
    if not _in_rounds(state) and state[rules.SCORE : rules.SCORE + 2].any():
        raise PositionError("the grid is empty, so no points have been made")
    if state[rules.TURN] != state[rules.BEGAN]:
        raise PositionError(f"the grid is empty: {NAMES[state[rules.BEGAN]]} begins")
    if why:
        rules._by_scores(state, why)


def _check_counts(state: State) -> None:
    """While no column is full nothing has fallen out, so the numbers of pawns say who moves."""
    if any(_height(state, column) == 4 for column in range(4)):
        return
    made = state[rules.SCORE : rules.SCORE + 2].any() and not _in_rounds(state)
    if made and _taken(state).bit_count() < 7:
        raise PositionError("points after fewer than seven pushes, but no line can be complete")
    first = int(state[rules.BEGAN])
    own, other = (int(state[rules.CELLS + colour]).bit_count() for colour in (first, 1 - first))
    ahead = 0 if state[rules.TURN] == first else 1
    if own - other != ahead:
        counts = f"{own} of {NAMES[first]} and {other} of {NAMES[1 - first]}"
        raise PositionError(f"{counts} stand in the grid, none fell out: {NAMES[state[rules.TURN]]} cannot be to move")


def _check_last_push(state: State) -> None:
    """There must be a position from which the last push leads here, with the end that the text gives."""
    mover = 1 - int(state[rules.TURN])
    if _in_rounds(state) and _decided(state):
        raise PositionError("the game is over with these points, so the grid is empty")
    ends = set()
    for before, action in _before(state, mover):
        end = _after(before, action, state)
        if end and end[0] == state[rules.WHY]:
            state[rules.WINNER] = end[1]
            return
        ends |= {end[0]} if end else set()
    if ends:
        known = ", ".join(rules.REASONS[why] or "-" for why in sorted(ends))
        raise PositionError(f"the end {_end(state)!r} does not fit: the last push gives {known}")
    raise PositionError(f"no push of {NAMES[mover]}, who moved last, leads to this grid with these points")


def _end(state: State) -> str:
    return rules.REASONS[state[rules.WHY]] or "-"


def _before(state: State, mover: int) -> Iterator[tuple[State, int]]:
    """Every state from which a push may have led here, with that push."""
    for column in range(4):
        top, mask = 1 << 4 * column, COLUMN << 4 * column
        if not state[rules.CELLS + mover] & top:
            continue
        before = state.copy()
        before[rules.TURN], before[rules.WINNER], before[rules.WHY] = mover, rules.RUNNING, 0
        for word in (rules.CELLS, rules.CELLS + 1, rules.BONUS):
            cells = int(state[word])
            before[word] = cells & ~mask | (cells & mask) >> 1 & mask
        action = column + (4 if state[rules.BONUS] & top else 0)
        yield before, action
        if _height(state, column) == 4:
            yield from ((fallen, action) for fallen in _with_fallen(before, column, mover, action))


def _with_fallen(before: State, column: int, mover: int, action: int) -> Iterator[State]:
    """The same with a pawn on the bottom floor, which the push made fall out."""
    cell = 8 << 4 * column
    for colour in range(2):
        fallen = before.copy()
        fallen[rules.CELLS + colour] |= cell
        yield fallen
        in_hand = not before[rules.CELLS + colour] & before[rules.BONUS]
        if before[rules.VARIANT] != rules.ELEMENTARY and in_hand and not (colour == mover and action & 4):
            fallen = fallen.copy()
            fallen[rules.BONUS] |= cell
            yield fallen


def _after(before: State, action: int, wanted: State) -> tuple[int, int] | None:
    """How the game stands (why it ended, who won) if the push leads to the wanted grid and points; None if not."""
    before, mover = before.copy(), int(before[rules.TURN])
    if before[rules.VARIANT] == rules.ENDLESS:
        trial = before.copy()
        trial[rules.SCORE : rules.SCORE + 2] = 0
        trial[rules.TARGET] = 1 << 30
        rules.play(trial, mover, action)
        before[rules.SCORE : rules.SCORE + 2] -= trial[rules.SCORE : rules.SCORE + 2]
        scores = before[rules.SCORE : rules.SCORE + 2]
        if scores.min() < 0 or scores.max() >= before[rules.TARGET]:
            return None
    elif before[rules.BOTH_LINES] != rules.BOTH_CONTINUE and any(
        map(lines, before[rules.CELLS : rules.BONUS].tolist())
    ):
        return None  # the game or the round would have ended before
    trial = before.copy()
    rules.play(trial, mover, action)
    if (trial[: rules.WINNER] != wanted[: rules.WINNER]).any() or trial[rules.ROUND] != wanted[rules.ROUND]:
        return None
    return int(trial[rules.WHY]), int(trial[rules.WINNER])
