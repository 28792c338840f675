"""A position as one line of text, as chess has FEN: the game, its options, the fields of the game's own, the history.

    plus4:endless,target=5 br2/1r2/4/4 b 0:0 - -

Options that are not named have their defaults. Where a repetition rule counts, the word ``seen`` and the earlier
positions that can come again follow. docs/positions.md describes the fields of every game.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatuor.games import rulebook
from quatuor.games.contract import PositionError, PositionText, Rulebook, State

if TYPE_CHECKING:
    from quatuor.game import Game

SEEN = " seen "
LONGEST = 20_000  # characters
_GAME = re.compile(r"([a-z][a-z0-9_]*):([a-z][a-z0-9_]*)((?:,[^,= ]+=[^, ]*)*)")


class Parts(NamedTuple):
    """What a text says, before the game reads it."""

    game: str | None
    variant: str | None
    options: dict[str, str]
    fields: str
    seen: list[str]


def is_position(text: str) -> bool:
    """Whether a text names a game and a position, rather than being a record."""
    return bool(_GAME.fullmatch(text.strip().partition(" ")[0]))


def split(text: str) -> Parts:
    """The parts of a text; the game, its variant and options may be left out."""
    if not isinstance(text, str):
        raise TypeError(f"a position is text, not {type(text).__name__}")
    if len(text) > LONGEST:
        raise PositionError(f"a position has at most {LONGEST} characters, this has {len(text)}")
    line = " ".join(text.split())
    first, _, rest = line.partition(" ")
    named = _GAME.fullmatch(first)
    fields, seen, earlier = (rest if named else line).partition(SEEN)
    if not named:
        return Parts(None, None, {}, fields, earlier.split())
    options = dict(part.split("=", 1) for part in named[3].split(",")[1:])
    return Parts(named[1], named[2], options, fields, earlier.split() if seen else [])


def set_up(make: "type[Game]", name: str | None, variant: str | None, options: dict[str, Any], text: str) -> "Game":
    """The game that begins with a position. PositionError says why it is impossible."""
    parts = split(text)
    if parts.game is None and name is None:
        raise PositionError(f"{text[:80]!r} names no game; begin with one, such as plus4:endless")
    if parts.game and name and parts.game != name:
        raise PositionError(f"the position is one of {parts.game}, not of {name}")
    if parts.variant and variant and parts.variant != variant:
        raise PositionError(f"the position is one of the variant {parts.variant}, not of {variant}")
    game = make(rulebook(parts.game or name or ""), parts.variant or variant, {**options, **parts.options})
    for option in set(options) & set(parts.options):
        checked = next(o for o in game.book.options if o.name == option).check(options[option])
        if checked != game.options[option]:
            raise PositionError(f"the position has {option}={parts.options[option]}, not {checked}")
    writer = _writer(game.book)
    writer.read_position(game.state, parts.fields)
    earlier = [writer.read_earlier(game.state, word) for word in parts.seen]
    if earlier and not game.occurred:
        raise PositionError("earlier positions: this game has no repetition rule, or it is switched off")
    game._begin(earlier)
    _check_history(game, parts.seen, earlier)
    return game


def _check_history(game: "Game", words: list[str], earlier: list[State]) -> None:
    """The earlier positions are the last turns of one game: a move leads from each to the next, and none ended it."""
    for word, (before, after) in zip(words, pairwise([*earlier, game.state]), strict=True):
        last = after is game.state
        if not any(last or game.book.rules.to_move(state) for state in _leading_to(game, before, after)):
            raise PositionError(f"seen: no move leads from {word} to the position after it")


def _leading_to(game: "Game", before: State, after: State) -> Iterator[State]:
    """The states after each move that leads from one position to the other."""
    rules, out = game.book.rules, np.empty(game.book.max_moves, np.int64)
    wanted, mask = key_of(game.book, after), int(rules.to_move(before))
    seat = mask.bit_length() - 1
    count = rules.legal(before, seat, out) if mask else 0
    for action in out[:count][::-1].tolist():  # moves of pawns, which alone are repeated, come last in Plateau X
        state = before.copy()
        rules.play(state, seat, action)
        if key_of(game.book, state) == wanted:
            yield state


def write(game: "Game") -> str:
    """The position of a game. The orders of a turn that is not complete are not part of it."""
    book, writer = game.book, _writer(game.book)
    default = {option.name: option.default for option in book.options}
    chosen = "".join(
        f",{name}={'none' if value is None else value}"
        for name, value in game.options.items()
        if value != default[name] and name not in book.start_options
    )
    text = f"{game.name}:{game.variant.name}{chosen} {writer.write_position(game.common)}"
    seen = _seen(game, writer) if game.occurred else []
    return text + (SEEN + " ".join(seen) if seen else "")


def key_of(book: Rulebook, state: State) -> bytes:
    """What the repetition rule compares; empty where there is none."""
    words = np.zeros(book.state_size, np.int64)
    return words[: book.rules.key(state, words)].tobytes()


def _seen(game: "Game", writer: PositionText) -> list[str]:
    """The earlier positions that can come again: the latest ones, as far back as they can."""
    words: list[str] = []
    for earlier in game._earlier():
        word = writer.write_earlier(game.common, earlier)
        if not word:
            break
        words.append(word)
    return words[::-1]


def _writer(book: Rulebook) -> PositionText:
    if book.position is None:
        raise PositionError(f"{book.name} has no text form of its positions: its rulebook lacks the field position")
    return book.position
