"""What is wrong with a rulebook, before anything relies on it: its fields, and a short random game of every variant.

The game is interpreted, with every index checked, so a wrong number in the rulebook is an error here and not a write
beyond an array. ``quatuor check`` (quatuor/engine/conformance) checks much more.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from quatuor.games.contract import (
    BestFirstAdvice,
    GuidedAdvice,
    IllegalMove,
    MatrixAdvice,
    Observation,
    Option,
    PositionSpace,
    PositionText,
    Rulebook,
    Rules,
    State,
    Text,
    Variant,
)
from quatuor.games.interpreted import CheckedArray, checked, interpreted, overflow_is_an_error
from quatuor.games.levels import LEVELS
from quatuor.games.metadata import encoded

NAME = re.compile(r"[a-z][a-z0-9_]*")
CLAUSE = re.compile(r"[A-Z][A-Z0-9]*-\d+")
MOST_SEATS = 4
LARGEST = 1 << 62  # the cells of a state stay below it, so that no sum of two overflows
TURNS = 100  # of the random game
READ_BACK = 20  # moves of a position that are written and read
ADVICE = {"guided": GuidedAdvice, "bestfirst": BestFirstAdvice, "matrix": MatrixAdvice}
CALLABLE = ("write", "read", "view", "effects", "reason", "svg", "text_board", "conceal", "match_points")


def validate(book: Rulebook) -> None:
    """Raise ValueError with all that is wrong with a rulebook, and what would be right."""
    if not isinstance(book, Rulebook):
        raise ValueError(f"a game is a quatuor.games.contract.Rulebook, not {type(book).__name__}")
    wrong = list(field_problems(book))
    if not wrong:
        wrong = list(trial(book))
    if wrong:
        raise ValueError(f"the game {book.name!r} cannot be used: {'; '.join(wrong)}")


# ---- the fields


def field_problems(book: Rulebook) -> Iterator[str]:
    """What is wrong with the fields, each by itself and together."""
    if not isinstance(book.name, str) or not NAME.fullmatch(book.name):
        yield f"name={book.name!r}: use small letters, digits and underscores, and begin with a letter"
    for name in ("state_size", "max_moves", "actions"):
        value = getattr(book, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            yield f"{name}={value!r}: give a whole number from 1"
    for name in CALLABLE:
        if not callable(getattr(book, name)):
            yield f"{name}={getattr(book, name)!r}: give a function"
    yield from _text("title", book.title)
    yield from _text("text", book.text)
    yield from _variants(book.variants)
    yield from _options(book)
    yield from _modules(book)
    yield from _ladders(book)
    yield from _references(book)


def _text(what: str, text: Any) -> Iterator[str]:
    if not isinstance(text, Text):
        yield f"{what}={text!r}: give a Text, such as Text('Torus')"
    elif not text.languages:
        yield f"{what} is empty: write it in one language at least"


def _variants(variants: Any) -> Iterator[str]:
    if not isinstance(variants, tuple) or not variants or not all(isinstance(v, Variant) for v in variants):
        yield "variants: give a tuple with one Variant or more"
        return
    yield from _twice("variant", [variant.name for variant in variants])
    for variant in variants:
        what = f"variant {variant.name!r}"
        if not NAME.fullmatch(variant.name):
            yield f"{what}: a name has small letters, digits and underscores, and begins with a letter"
        yield from _text(f"the title of {what}", variant.title)
        yield from _text(f"the text of {what}", variant.text)
        if variant.seats not in range(1, MOST_SEATS + 1):
            yield f"{what} has seats={variant.seats!r}: choose 1 to {MOST_SEATS}"
        elif len(variant.sides) not in (0, variant.seats):
            yield f"{what} has {len(variant.sides)} sides for {variant.seats} seats: name one for each seat, or none"


def _options(book: Rulebook) -> Iterator[str]:
    names = [variant.name for variant in book.variants if isinstance(variant, Variant)]
    members = ("name", "title", "text", "default", "variants", "check", "encode")
    for option in book.options:
        missing = [member for member in members if not hasattr(option, member)]
        if hasattr(option, "words") and "encode" in missing:
            missing.remove("encode")  # its name in earlier releases
        if missing:
            yield f"the option {option!r} lacks {', '.join(missing)}: use Choice or Number, or define them"
            continue
        what = f"option {option.name!r}"
        yield from _text(f"the title of {what}", option.title)
        yield from _text(f"the text of {what}", option.text)
        for name in set(option.variants) - set(names):
            yield f"{what} is for a variant {name!r} that does not exist; the variants are {', '.join(names)}"
        yield from _default(option, what)
    for name in set(book.start_options) - {getattr(option, "name", None) for option in book.options}:
        yield f"start_options names {name!r}, which is not an option"
    yield from _twice("option", [getattr(option, "name", None) for option in book.options])


def _default(option: Option, what: str) -> Iterator[str]:
    try:
        values = encoded(option, option.check(option.default))
    except Exception as error:
        yield f"{what} refuses its own default {option.default!r}: {error}"
        return
    if not all(isinstance(value, int | np.integer) for value in values):
        yield f"{what}: encode({option.default!r}) is {values!r}; return whole numbers"


def _twice(what: str, names: Sequence[Any]) -> Iterator[str]:
    for name in {name for name in names if names.count(name) > 1}:
        yield f"there are two {what}s named {name!r}: give each its own name"


def _modules(book: Rulebook) -> Iterator[str]:
    yield from _members("rules", book.rules, Rules)
    if book.planes is not None:
        yield from _members("planes", book.planes, Observation)
    if book.space is not None:
        yield from _members("space", book.space, PositionSpace)
    if book.position is not None:
        yield from _members("position", book.position, PositionText)
    if book.advice is not None:
        search = getattr(book.advice, "SEARCH", None)
        if search in ADVICE:
            yield from _members("advice", book.advice, ADVICE[search])
        else:
            yield f"advice has SEARCH={search!r}: choose one of {', '.join(ADVICE)}"
    for name in ("judge", "race", "rounds"):
        if getattr(book, name) is not None and not callable(getattr(book, name)):
            yield f"{name}={getattr(book, name)!r}: give a function or a class, or leave it out"


def _members(what: str, module: Any, kind: type) -> Iterator[str]:
    """What a module lacks of a protocol."""
    wanted = [name for name in (*vars(kind), *kind.__annotations__) if not name.startswith("_")]
    missing = [name for name in dict.fromkeys(wanted) if not hasattr(module, name)]
    if missing:
        yield f"{what} lacks {', '.join(missing)} (see {kind.__name__} in quatuor/games/hooks.py)"


def _ladders(book: Rulebook) -> Iterator[str]:
    names = [variant.name for variant in book.variants]
    for variant, ladder in book.ladders.items():
        if variant not in names:
            yield f"ladders has a variant {variant!r} that does not exist; the variants are {', '.join(names)}"
        if len(ladder) != LEVELS:
            yield f"the ladder of {variant!r} has {len(ladder)} levels: give {LEVELS}"
        if any(level.units < 1 or level.slack < 0 for level in ladder):
            yield f"the ladder of {variant!r} has a level without units or with a negative slack"


def _references(book: Rulebook) -> Iterator[str]:
    names = [variant.name for variant in book.variants]
    for key, clause in book.endings.items():
        variant, colon, _ = key.rpartition(":")
        if colon and variant not in names:
            yield f"endings has {key!r}, but there is no variant {variant!r}; write code or variant:code"
        if not CLAUSE.fullmatch(clause) or not clause.startswith(f"{book.clause_prefix}-"):
            yield f"endings[{key!r}]={clause!r}: name a clause such as {book.clause_prefix or 'XY'}-1 (clause_prefix)"
    if book.cover is not None and book.cover.variant not in names:
        yield f"cover shows a variant {book.cover.variant!r} that does not exist; choose one of {', '.join(names)}"
    for program, foreign in book.foreign_names.items():
        for name in set(foreign) - set(names):
            yield f"foreign_names[{program!r}] has a variant {name!r} that does not exist"


# ---- a random game


class Fault(Exception):
    """What a game did wrong."""


def trial(book: Rulebook, turns: int = TURNS, seed: int = 1) -> Iterator[str]:
    """What goes wrong in one interpreted random game of every variant with default options."""
    rules = interpreted(book.rules)
    for variant in book.variants:
        try:
            with overflow_is_an_error():
                Trial(book, rules, variant, book.option_values(variant, {})).run(turns, random.Random(seed))
        except Fault as fault:
            yield f"{variant.name}: {fault}"


class Trial:
    """One random game under watch. ``Fault`` says what is wrong."""

    def __init__(self, book: Rulebook, rules: SimpleNamespace, variant: Variant, values: Sequence[int]) -> None:
        self.book, self.rules, self.seats = book, rules, variant.seats
        self.state, self.turn = checked(book.state_size, fill=-1), 0
        self._options = checked(len(values))
        self._options[:] = values

    def run(self, turns: int, dice: random.Random) -> None:
        self._call("setup", self.state, self._options)
        self._check_state()
        self._check_places()
        while self.turn < turns and self._play_turn(dice):
            self._check_state()
            self._check_places()

    def _play_turn(self, dice: random.Random) -> bool:
        """Play a random action of every seat that acts; whether there was one."""
        acting = self._acting()
        for seat in acting:
            actions = self._legal(seat)
            self._check_text(seat, actions)
            self._call("play", self.state, seat, dice.choice(actions))
            if len(acting) > 1 and seat != acting[-1] and seat in self._acting():
                raise Fault(f"{self._when()}: seat {seat} still acts after its order, while others have to give theirs")
        self.turn += 1
        return bool(acting)

    def _acting(self) -> list[int]:
        mask = int(self._call("to_move", self.state))
        if not 0 <= mask < 1 << self.seats:
            raise Fault(f"{self._when()}: to_move returns {mask}, but the seats are bits 0 to {self.seats - 1}")
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    def _legal(self, seat: int) -> list[int]:
        book = self.book
        out = checked(book.max_moves, fill=-1)
        before = self.state.tobytes()
        try:
            n = int(self._call("legal", self.state, seat, out))
        except Fault as fault:
            raise Fault(f"{fault}; is max_moves={book.max_moves} too small?") from None
        if self.state.tobytes() != before:
            raise Fault(f"{self._when()}: legal changes the state")
        if not 1 <= n <= book.max_moves:
            raise Fault(f"{self._when()}: seat {seat} acts and has {n} legal actions: 1 to max_moves={book.max_moves}")
        actions = [int(action) for action in out[:n]]
        if not all(0 <= action < book.actions for action in actions):
            bad = next(action for action in actions if not 0 <= action < book.actions)
            raise Fault(f"{self._when()}: the legal action {bad} is not in 0 to {book.actions - 1} (actions)")
        if len(set(actions)) < n:
            raise Fault(f"{self._when()}: legal lists an action twice for seat {seat}")
        return actions

    def _check_text(self, seat: int, actions: Sequence[int]) -> None:
        state = np.array(self.state)
        for action in actions[:: 1 + len(actions) // READ_BACK]:
            text = self._python("write", self.book.write, state, seat, action)
            if not isinstance(text, str) or not text:
                raise Fault(f"{self._when()}: write returns {text!r} for action {action}; return text")
            back = self._python("read", self.book.read, state, seat, text)
            if back != action:
                raise Fault(f"{self._when()}: write makes {text!r} of action {action}, but read makes {back!r} of it")

    def _check_state(self) -> None:
        for i, word in enumerate(np.array(self.state)):
            if abs(int(word)) >= LARGEST:
                raise Fault(f"{self._when()}: word {i} of the state is {word}: keep it below 2**62")

    def _check_places(self) -> None:
        scores, places = checked(self.seats), checked(self.seats)
        self._call("outcome", self.state, scores, places)
        found = [int(place) for place in places]
        for place in found:
            if place != 1 + sum(other < place for other in found):
                raise Fault(
                    f"{self._when()}: outcome gives the places {found}; count from 1, ties share the better one"
                )
        n = int(self._call("key", self.state, checked(self.book.state_size)))
        if not 0 <= n <= self.book.state_size:
            raise Fault(f"{self._when()}: key returns {n}: write 0 to state_size={self.book.state_size} cells")

    # ---- inside

    def _when(self) -> str:
        return f"turn {self.turn + 1}"

    def _call(self, name: str, *arguments: Any) -> Any:
        """A function of the rules, with its errors in plain words."""
        try:
            return getattr(self.rules, name)(*arguments)
        except IndexError as error:
            arrays = ", ".join(str(len(a)) for a in arguments if isinstance(a, CheckedArray))
            raise Fault(
                f"{self._when()}: {name} goes beyond an array ({error}; its arrays have {arrays} cells)"
            ) from None
        except RuntimeWarning as error:
            raise Fault(f"{self._when()}: {name} overflows a word of 64 bits ({error})") from None
        except Exception as error:
            raise Fault(f"{self._when()}: {name} raises {type(error).__name__}: {error}") from None

    def _python(self, name: str, function: Callable[..., Any], state: State, *arguments: Any) -> Any:
        try:
            return function(state, *arguments)
        except IllegalMove as error:
            raise Fault(f"{self._when()}: {name} refuses {arguments[-1]!r}, which is legal: {error}") from None
        except Exception as error:
            raise Fault(f"{self._when()}: {name} raises {type(error).__name__}: {error}") from None
