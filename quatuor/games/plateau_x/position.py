"""Plateau X positions as text: ``B2C1C2,D4 2:1/1:1 F3@3/- 1 3 -`` (docs/positions.md).

The bricks in the order in which they were laid, each by its cells; the singles and doubles that each seat has left; the
pawns of each seat with the turn of their last move, ``-`` in hand; the seat to move; the turns played; how the game
ended. The triples left follow from the bricks.
"""

import re

from quatuor.games.contract import PositionError, State
from quatuor.games.plateau_x import rules
from quatuor.games.plateau_x.notation import BRICKS, TEXTS, name, side_of
from quatuor.games.plateau_x.rules import _can_go as can_go
from quatuor.games.plateau_x.rules import _lay as lay
from quatuor.games.plateau_x.tables import (
    ANCHOR,
    BIT,
    COVER,
    IN_HAND,
    KIND,
    PAWNS,
    SEATS,
    SIDE,
    SINGLE,
    SINGLES,
    UPRIGHT,
)

_CELL = re.compile(r"([A-G])([1-7])")
_FIELDS = "the bricks, the stocks, the pawns, the seat to move, the turns played and the end"
ENOUGH = 9  # bricks in stock while those of the text are laid


def write_position(state: State) -> str:
    seats, why = _seats(state), int(state[rules.WHY])
    laid = [TEXTS[_laid(state, i)][1:] for i in range(int(state[rules.BRICKS]))]
    stocks = [f"{state[rules.SINGLES_LEFT + seat]}:{state[rules.DOUBLES_LEFT + seat]}" for seat in range(seats)]
    pawns = [",".join(_pawn(state, seat, i) for i in range(_pawns_each(state))) for seat in range(seats)]
    end = rules.REASONS[why] if why not in (0, rules.REPEATED) else "-"
    return " ".join([
        ",".join(laid) or "-", "/".join(stocks), "/".join(pawns), str(state[rules.TURN]), str(state[rules.PLY]), end,
    ])  # fmt: skip


def read_position(state: State, text: str) -> None:
    fields = text.split(" ")
    if len(fields) != 6:
        raise PositionError(f"{text[:80]!r} has {len(fields)} of 6 fields; write {_FIELDS}")
    bricks, stocks, pawns, turn, ply, end = fields
    used = _lay_all(state, bricks)
    _read_stocks(state, stocks, used)
    _read_turn(state, turn, ply, end)
    _read_pawns(state, pawns)
    _check_turns(state)
    _read_end(state, end)


def write_earlier(now: State, earlier: State) -> str:
    """Bricks are never taken away: only positions with the same ones come again, so the pawns and the turn are all."""
    if now[rules.BRICKS] != earlier[rules.BRICKS]:
        return ""
    pawns = [
        ",".join(_pawn(earlier, seat, i).split("@")[0] for i in range(_pawns_each(now))) for seat in range(_seats(now))
    ]
    return f"{'/'.join(pawns)}:{earlier[rules.TURN]}"


def read_earlier(now: State, text: str) -> State:
    pawns, _, turn = text.partition(":")
    if turn not in map(str, range(_seats(now))):
        raise PositionError(f"{text!r} is not an earlier position; it looks like {write_earlier(now, now)}")
    state = now.copy()
    state[rules.TURN], state[rules.WHY] = int(turn), 0
    _read_pawns(state, pawns, turns=False)
    return state


# ---- bricks


def _laid(state: State, i: int) -> int:
    """The i-th brick that was laid, as its action."""
    word = int(state[rules.LAID + i // rules.PER_WORD])
    return word >> i % rules.PER_WORD * rules.ID_BITS & (1 << rules.ID_BITS) - 1


def _lay_all(state: State, text: str) -> list[int]:
    """Lay the bricks of a text one after the other; return how many singles and doubles there are."""
    used = [0, 0]
    for brick in [] if text == "-" else text.split(","):
        action = _brick(state, brick)
        kind = int(KIND[action])
        if kind > UPRIGHT and not state[rules.TRIPLES_LEFT]:
            raise PositionError(f"more than {rules.TRIPLES} triples have been laid")
        state[rules.SINGLES_LEFT] = state[rules.DOUBLES_LEFT] = ENOUGH
        if not rules.fitting(state, 0, kind) & ANCHOR[action]:
            raise PositionError(
                f"the brick {brick} cannot lie there: its cells must be on one level, and not exactly on a brick of "
                "the same kind"
            )
        lay(state, 0, action)
        if kind <= UPRIGHT:
            used[0 if kind == SINGLE else 1] += 1
    return used


def _brick(state: State, text: str) -> int:
    cells = re.findall(r"[A-Z]\d+", text)
    if not cells or "".join(cells) != text:
        raise PositionError(f"{text!r} is not a brick; write its cells, such as B2C1C2")
    numbers = [_cell(state, cell) for cell in cells]
    action = BRICKS.get(sum(int(BIT[cell]) for cell in set(numbers)))
    if action is None or len(set(numbers)) < len(numbers):
        raise PositionError(f"{text} is not a brick: there are singles, doubles and triples in the shape of an L")
    return action


def _cell(state: State, text: str) -> int:
    found, side = _CELL.fullmatch(text), side_of(state)
    column, row = (ord(found[1]) - ord("A"), int(found[2]) - 1) if found else (SIDE, SIDE)
    if column >= side or row >= side:
        raise PositionError(f"{text} is not on the board, which goes from A1 to {'ABCDEFG'[side - 1]}{side}")
    return row * SIDE + column


def _read_stocks(state: State, text: str, used: list[int]) -> None:
    seats, singles = _seats(state), int(SINGLES[state[rules.VARIANT]])
    stocks = [re.fullmatch(r"(\d):(\d)", part) for part in text.split("/")]
    if len(stocks) != seats or None in stocks:
        raise PositionError(
            f"the stocks {text!r}: write singles:doubles of {seats} seats, such as {'/'.join(['2:1'] * seats)}"
        )
    left = [(int(stock[1]), int(stock[2])) for stock in stocks if stock]
    for seat, (one, two) in enumerate(left):
        if one > singles or two > 1:
            raise PositionError(f"seat {seat} has {one} singles and {two} doubles left: there are {singles} and 1")
        state[rules.SINGLES_LEFT + seat], state[rules.DOUBLES_LEFT + seat] = one, two
    for what, was, now, laid in (
        ("singles", seats * singles, sum(one for one, _ in left), used[0]),
        ("doubles", seats, sum(two for _, two in left), used[1]),
    ):
        if was - now != laid:
            raise PositionError(f"{laid} {what} lie on the board and {now} are in stock: together there are {was}")


# ---- pawns and turns


def _seats(state: State) -> int:
    return int(SEATS[state[rules.VARIANT]])


def _pawns_each(state: State) -> int:
    return int(PAWNS[state[rules.VARIANT]])


def _pawn(state: State, seat: int, i: int) -> str:
    cell = int(state[rules.PAWN + 2 * seat + i])
    return "-" if cell == IN_HAND else f"{name(cell)}@{state[rules.SINCE + 2 * seat + i]}"


def _read_turn(state: State, turn: str, ply: str, end: str) -> None:
    seats = _seats(state)
    if not re.fullmatch(r"\d{1,9}", ply) or turn not in map(str, range(seats)):
        raise PositionError(f"the turn {turn} {ply}: write the seat to move, 0 to {seats - 1}, and the turns played")
    declared = end == rules.REASONS[rules.DECLARED]  # declaring the end is a turn, but does not pass it on
    due = (int(ply) - declared) % seats
    if int(turn) != due:
        raise PositionError(f"after {ply} turns it is seat {due}'s turn, not seat {turn}'s")
    state[rules.TURN], state[rules.PLY] = int(turn), int(ply)


def _read_pawns(state: State, text: str, turns: bool = True) -> None:
    """Put the pawns on the board; without ``turns``, those of an earlier position: only their cells are known."""
    seats, each = _seats(state), _pawns_each(state)
    sides = [side.split(",") for side in text.split("/")]
    if [len(side) for side in sides] != [each] * seats:
        raise PositionError(f"the pawns {text!r}: write {each} of each of {seats} seats, such as F3@12, or - in hand")
    state[rules.OCCUPIED] = 0
    for seat, side in enumerate(sides):
        if side[0] == "-" and side[-1] != "-":
            raise PositionError(f"seat {seat} has brought one pawn in: write it first, {side[-1]},-")
        for i, pawn in enumerate(side):
            cell, since = _read_pawn(state, seat, pawn, turns)
            if state[rules.OCCUPIED] & BIT[cell]:
                raise PositionError(f"two pawns stand on {name(cell)}")
            state[rules.PAWN + 2 * seat + i] = cell
            state[rules.OCCUPIED] |= BIT[cell]
            if turns:
                state[rules.SINCE + 2 * seat + i] = since


def _read_pawn(state: State, seat: int, text: str, turns: bool) -> tuple[int, int]:
    if text == "-":
        return IN_HAND, 0
    cell, _, since = text.partition("@")
    if not turns:
        return _cell(state, cell), 0
    if not re.fullmatch(r"[1-9]\d{0,8}", since):
        raise PositionError(f"the pawn {text!r}: write its cell and the turn of its last move, such as F3@12")
    if int(since) > state[rules.PLY]:
        raise PositionError(f"the pawn {text} moved in turn {since}, but {state[rules.PLY]} turns have been played")
    if (int(since) - 1) % _seats(state) != seat:
        raise PositionError(f"the pawn {text} of seat {seat} moved in turn {since}, which was another seat's")
    return _cell(state, cell), int(since)


def _check_turns(state: State) -> None:
    """Every brick on the board and every pawn that was brought in took a turn of its seat."""
    seats, ply = _seats(state), int(state[rules.PLY])
    spare = 0
    for seat in range(seats):
        own = [int(state[rules.SINCE + 2 * seat + i]) for i in range(2) if state[rules.PAWN + 2 * seat + i] != IN_HAND]
        if len(set(own)) < len(own):
            raise PositionError(f"both pawns of seat {seat} moved last in turn {own[0]}")
        laid = int(SINGLES[state[rules.VARIANT]]) + 1
        laid -= int(state[rules.SINGLES_LEFT + seat] + state[rules.DOUBLES_LEFT + seat])
        turns = (ply + seats - 1 - seat) // seats
        if turns < laid + len(own):
            raise PositionError(f"seat {seat} had {turns} turns for {laid} bricks and to bring in {len(own)} pawns")
        spare += turns - laid - len(own)
        for i in range(2):
            _check_below(state, int(state[rules.PAWN + 2 * seat + i]), int(state[rules.SINCE + 2 * seat + i]))
    if spare < rules.TRIPLES - state[rules.TRIPLES_LEFT]:
        raise PositionError(f"{ply} turns are too few for these bricks and pawns")


def _check_below(state: State, cell: int, since: int) -> None:
    """Bricks are laid one a turn, in the order of the text, and not where a pawn stands."""
    if cell == IN_HAND:
        return
    below = [i for i in range(int(state[rules.BRICKS])) if COVER[_laid(state, i)] & BIT[cell]]
    if below and since <= below[-1] + 1:
        text = TEXTS[_laid(state, below[-1])][1:]
        raise PositionError(
            f"the pawn on {name(cell)} moved there in turn {since}: brick {below[-1] + 1}, {text}, was not below it yet"
        )


def _read_end(state: State, end: str) -> None:
    """How the game ended: declared, or because the seat to move can do nothing."""
    turn = int(state[rules.TURN])
    stuck = not rules.can_lay(state, turn)
    no_move = stuck and not can_go(state, turn) and state[rules.PLY] > 0
    declared, blocked = rules.REASONS[rules.DECLARED], rules.REASONS[rules.NO_MOVE]
    if end not in ("-", declared, blocked):
        raise PositionError(f"the end {end!r}: write -, {declared} or {blocked}")
    if end == blocked and not no_move:
        raise PositionError(f"seat {turn} can lay a brick or move, so the game is not over")
    if end == declared and (state[rules.EDITION] != rules.EDITION_DE or not stuck or no_move):
        raise PositionError(f"seat {turn} could not declare the end: only in the German edition, if no brick fits")
    state[rules.WHY] = rules.NO_MOVE if no_move else rules.DECLARED if end == declared else 0
