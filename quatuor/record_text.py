"""The text of a record: write a game, change the names in a text. ``quatuor.record`` reads it."""

import re
from collections.abc import Iterator, Sequence
from datetime import date as _date
from typing import TYPE_CHECKING, Any

from quatuor.node import GameNode
from quatuor.position import set_up

if TYPE_CHECKING:
    from quatuor.game import Game

HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\]')
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SEAT = re.compile(r"Seat\d+")
_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """The lines of a record. ``splitlines`` would also break at U+2028, which a comment may hold."""
    return _LINE_END.split(text.removesuffix("\n"))


def write(game: "Game", seats: tuple[str, ...] = (), date: str = "") -> str:
    """The record of a game. Names and date come from the record it was loaded from unless they are given."""
    check_names(seats=seats)
    if not isinstance(date, str):
        raise TypeError(f"date={date!r}: give text, such as '2026-11-18'")
    if seats and len(seats) != game.seats:
        raise ValueError(f"{len(seats)} names for {game.seats} seats")
    headers = _headers(game, seats, date)
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    if game._root is None:
        turns = [f"{n}. {' / '.join(turn.values())}" for n, turn in enumerate(game.moves, 1)]
    else:
        turns = list(_annotated(game))
    return "\n".join([*lines, "", *turns]) + "\n"


def check_names(**given: Any) -> None:
    """TypeError if these are not names of players."""
    for name, value in given.items():
        if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(one, str) for one in value):
            raise TypeError(f"{name}={value!r}: give the players' names, such as ('Ada', 'Bo')")


def name_seats(text: str, players: Sequence[str]) -> str:
    """A record with these names in its seats; moves, comments and all other headers stay as they are."""
    if not isinstance(text, str):
        raise TypeError(f"a record is text, not {type(text).__name__}")
    check_names(players=players)
    kept, last = [], 0
    for line in lines_of(text.removeprefix("\ufeff")):
        header = HEADER.fullmatch(line.strip())
        if header and _SEAT.fullmatch(header[1]):
            continue
        kept.append(line)
        if header and header[1] in ("Game", "Variant", "Options"):
            last = len(kept)
    named = [f'[Seat{seat} "{_escape(player)}"]' for seat, player in enumerate(players)]
    return "\n".join([*kept[:last], *named, *kept[last:]]) + "\n"


def _headers(game: "Game", seats: Sequence[str], date: str) -> dict[str, str]:
    headers = {"Game": game.name, "Variant": game.variant.name}
    if game.options:
        headers["Options"] = ", ".join(f"{k}={'none' if v is None else v}" for k, v in game.options.items())
    if (game.start != type(game)(game.book, game.variant.name, game.options).start).any() or game._past:
        headers["Position"] = _start(game)
    for seat in range(game.seats):
        headers[f"Seat{seat}"] = seats[seat] if seats else game.headers.get(f"Seat{seat}", "?")
    headers["Date"] = date or game.headers.get("Date") or _date.today().isoformat()
    headers["Result"] = "-".join(map(str, game.ranking)) if game.over else "*"
    if not game.over and game.headers.get("Termination"):
        headers["Result"] = game.headers["Result"]
    headers |= {k: v for k, v in game.headers.items() if k not in headers}
    for name, value in headers.items():
        if not isinstance(value, str):
            raise TypeError(f"headers[{name!r}]={value!r}: a header is text")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(f"the header {name!r}: its name is letters, digits and _, such as 'Event'")
    return headers


def _start(game: "Game") -> str:
    """The start of a game that was set up; ValueError if a record of it could not be read again."""
    start = game.copy(tree=False)
    while start.ply:
        start.undo()
    text = start.position
    try:
        set_up(type(game), game.name, game.variant.name, game.options, text)
    except ValueError as error:
        raise ValueError(f"a record cannot begin with the position that was set up: {error}") from None
    return text


# ---- turns with comments, marks and variations


def _annotated(game: "Game") -> Iterator[str]:
    root, *line = game._line()
    yield from (f"; {line}".rstrip() for line in _lines(root._notes()[0]))
    following = dict(zip([root, *line], [*line, None], strict=True))
    last = root
    for number, node in enumerate(line, 1):
        yield from _turn(node, number, "")
        yield from _side_lines(last, node, number, "")
        last = node
    yield from _side_lines(last, following[last], len(line) + 1, "")


def _side_lines(parent: GameNode, played: GameNode | None, number: int, indent: str) -> Iterator[str]:
    """The variations beside a turn, each in parentheses."""
    for other in parent.variations:
        if other is not played:
            yield f"{indent}  ("
            yield from _variation(other, number, indent + "  ")
            yield f"{indent}  )"


def _variation(first: GameNode, number: int, indent: str) -> Iterator[str]:
    yield from _turn(first, number, indent)
    last = first
    for node in first.mainline():
        number += 1
        yield from _turn(node, number, indent)
        yield from _side_lines(last, node, number, indent)
        last = node


def _turn(node: GameNode, number: int, indent: str) -> Iterator[str]:
    comment, marks = node._notes()
    text = " / ".join(move + marks.get(seat, "") for seat, move in node.moves.items())
    first, *more = _lines(comment) or [""]
    yield f"{indent}{number}. {text}" + (f" ; {first}" if first else "")
    yield from (f"{indent}; {line}".rstrip() for line in more)


def _lines(comment: str) -> list[str]:
    return [line.strip() for line in comment.strip().splitlines()]


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
