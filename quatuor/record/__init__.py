"""A game as a small text file: headers in brackets, then one turn a line. It reads back to the same game.

    [Game "plus4"]
    [Variant "endless"]
    [Options "target=5, repetition=draw"]
    [Seat0 "Ada"]
    [Seat1 "engine, level 4"]
    [Date "2026-11-15"]
    [Result "1-2"]

    1. a
    2. b*

``Result`` is the place of every seat, ``*`` while the game goes on. ``Termination`` says how a game ended that its
rules did not end. In a simultaneous turn the orders of the seats stand side by side: ``1. 3>B4 / -``. ``;`` starts a
comment. ``Out`` names the seats whose players went out while the others played on.
"""

import re
from datetime import date as _date
from typing import TYPE_CHECKING

from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove
from quatuor.record.endings import TERMINATIONS, current

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\]')
_TURN = re.compile(r"(\d+)\. (.+)")
_SEAT = re.compile(r"Seat\d+")
LONGEST = 1_000_000  # characters


class RecordError(ValueError):
    """A damaged record; the message begins with the line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def write(game: Game, seats: tuple[str, ...] = (), date: str = "") -> str:
    """The record of a game. Names and date come from the record it was loaded from unless they are given."""
    if seats and len(seats) != game.seats:
        raise ValueError(f"{len(seats)} names for {game.seats} seats")
    if (game.start != Game(game.book, game.variant.name, game.options).start).any():
        raise ValueError("a record begins at the start of a game; this one began from a position that was set up")
    headers = {"Game": game.name, "Variant": game.variant.name}
    if game.options:
        headers["Options"] = ", ".join(f"{k}={'none' if v is None else v}" for k, v in game.options.items())
    for seat in range(game.seats):
        headers[f"Seat{seat}"] = seats[seat] if seats else game.headers.get(f"Seat{seat}", "?")
    headers["Date"] = date or game.headers.get("Date") or _date.today().isoformat()
    headers["Result"] = "-".join(map(str, game.ranking)) if game.over else "*"
    if not game.over and game.headers.get("Termination"):
        headers["Result"] = game.headers["Result"]
    headers |= {k: v for k, v in game.headers.items() if k not in headers}
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    turns = [f"{n}. {' / '.join(turn.values())}" for n, turn in enumerate(game.moves, 1)]
    return "\n".join([*lines, "", *turns]) + "\n"


def load(text: str) -> Game:
    """Read a record. RecordError (a ValueError) names the line and the reason."""
    if len(text) > LONGEST:
        raise RecordError(1, f"a record has at most {LONGEST} characters, this has {len(text)}")
    headers: dict[str, str] = {}
    where: dict[str, int] = {}
    turns: list[tuple[int, str]] = []
    for number, line in _lines(text):
        if line.startswith("["):
            found = _HEADER.fullmatch(line)
            if not found:
                raise RecordError(number, f'{line!r} is no header; it looks like [Game "plus4"]')
            if turns:
                raise RecordError(number, "a header after the first move; headers come first")
            if found[1] in headers:
                raise RecordError(number, f"the header {found[1]} stands twice (first in line {where[found[1]]})")
            headers[found[1]], where[found[1]] = _unescape(found[2]), number
        else:
            turn = _TURN.fullmatch(line)
            if not turn or turn[1] != str(len(turns) + 1):
                raise RecordError(number, f"{line!r} is no move; expected '{len(turns) + 1}. ' and the move")
            turns.append((number, turn[2].strip()))
    game = _start(headers, where)
    for number, moves in turns:
        _turn(game, number, moves)
    _check_out(game, headers, where)
    _check_result(game, headers, where)
    game.headers = {k: v for k, v in headers.items() if k not in ("Game", "Variant", "Options")}
    if "Termination" in headers:
        game.headers["Termination"] = current(headers["Termination"])
    return game


def name_seats(text: str, players: "Sequence[str]") -> str:
    """A record with these names in its seats; moves, comments and all other headers stay as they are."""
    kept, last = [], 0
    for line in text.removeprefix("\ufeff").splitlines():
        header = _HEADER.fullmatch(line.strip())
        if header and _SEAT.fullmatch(header[1]):
            continue
        kept.append(line)
        if header and header[1] in ("Game", "Variant", "Options"):
            last = len(kept)
    named = [f'[Seat{seat} "{_escape(player)}"]' for seat, player in enumerate(players)]
    return "\n".join([*kept[:last], *named, *kept[last:]]) + "\n"


def _lines(text: str) -> "Iterator[tuple[int, str]]":
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        # a comment runs to the end of the line; inside a header's quotes a semicolon is a character
        bare = line.strip() if line.lstrip().startswith("[") else line.split(";")[0].strip()
        if bare:
            yield number, bare


def _start(headers: dict[str, str], where: dict[str, int]) -> Game:
    if "Game" not in headers:
        raise RecordError(1, 'no [Game "…"] header')
    try:
        book = rulebook(headers["Game"])
    except ValueError as error:
        raise RecordError(where["Game"], str(error)) from None
    options = {}
    for part in filter(None, (p.strip() for p in headers.get("Options", "").split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            raise RecordError(where["Options"], f"{part!r} is no option; it looks like target=5")
        options[name.strip()] = value.strip()
    try:
        return Game(book, headers.get("Variant"), options)
    except ValueError as error:
        raise RecordError(where.get("Options", where.get("Variant", where["Game"])), str(error)) from None


def _turn(game: Game, number: int, text: str) -> None:
    acting = game.to_move
    moves = [move.strip() for move in text.split(" / ")]
    if not acting:
        raise RecordError(number, "a move after the end of the game")
    if len(moves) != len(acting):
        raise RecordError(number, f"{len(moves)} moves in a turn of {len(acting)}: {text!r}")
    try:
        game.play(dict(zip(acting, moves, strict=True)))
    except IllegalMove as error:
        raise RecordError(number, str(error)) from None


def gone(game: Game) -> list[int]:
    """The seats whose players went out while the others played on, the first to go first."""
    return [int(seat) for seat in game.headers.get("Out", "").split(",") if seat]


def behind(ranking: "Sequence[int]", out: "Iterable[int]") -> tuple[int, ...]:
    """Places when seats that went out stand behind all others, the first to go last."""
    rank = [(0, place) for place in ranking]
    for order, seat in enumerate(out):
        rank[seat] = (1, -order)
    return tuple(1 + sum(other < mine for other in rank) for mine in rank)


def _check_out(game: Game, headers: dict[str, str], where: dict[str, int]) -> None:
    if "Out" not in headers:
        return
    out = headers["Out"].split(",")
    if not set(out) <= {str(seat) for seat in range(game.seats)} or len(set(out)) < len(out):
        raise RecordError(where["Out"], f"Out {headers['Out']!r}: seats from 0 to {game.seats - 1}, such as 1 or 1,0")


def _check_result(game: Game, headers: dict[str, str], where: dict[str, int]) -> None:
    result, ended = headers.get("Result"), headers.get("Termination")
    if ended is not None and current(ended) not in TERMINATIONS:
        raise RecordError(where["Termination"], f"Termination {ended!r}: choose one of {', '.join(TERMINATIONS)}")
    example = "-".join("1234"[: game.seats])
    if ended is not None and not game.over:
        if result is None:
            raise RecordError(where["Termination"], f'Termination without Result: add the places, [Result "{example}"]')
        if not _places(result, game.seats):
            raise RecordError(where["Result"], f"Result {result!r}: {game.seats} places such as {example}")
        return
    expected = "-".join(map(str, game.ranking)) if game.over else "*"
    if result is not None and result != expected:
        raise RecordError(where["Result"], f"Result {result!r}, but the moves give {expected!r}")


def _places(result: str, seats: int) -> bool:
    """Whether a text is the places of so many seats, where those who tie share the better place."""
    if not re.fullmatch(r"[1-9](-[1-9])*", result):
        return False
    places = [int(place) for place in result.split("-")]
    return len(places) == seats and all(place == 1 + sum(other < place for other in places) for place in places)


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _unescape(value: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", value)
