"""A game's names, texts, variants and options."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol


@dataclass(frozen=True)
class Text:
    """A short text in English, French and German. A language that is not given shows the first one that is.

    >>> Text(fr="Tore").de
    'Tore'
    """

    en: str = ""
    fr: str = ""
    de: str = ""

    def __post_init__(self) -> None:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        first = next(filter(None, given.values()), "")
        for language, text in given.items():
            object.__setattr__(self, language, text or first)
        object.__setattr__(self, "_languages", tuple(language for language, text in given.items() if text))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which it was written."""
        return self.__dict__["_languages"]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Variant:
    """One way to play."""

    name: str
    title: Text
    text: Text  # one line
    seats: int
    minutes: tuple[int, int]  # how long a game takes, at least and at most
    sides: tuple[int, ...] = ()  # the side of each seat, where seats are allies; empty: every seat plays for itself


class Option(Protocol):
    """A rule that can be chosen. ``Choice`` and ``Number`` are enough for most games."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> Text: ...
    @property
    def text(self) -> Text:
        """One line."""

    @property
    def default(self) -> Any: ...
    @property
    def examples(self) -> Sequence[Any]:
        """Values to try in tests, the default among them."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that have the option; empty: all of them."""

    def check(self, value: Any, /) -> Any:
        """The value in its normal form. Raises ValueError with the values that would be right."""

    def encode(self, value: Any, /) -> Sequence[int]:
        """The value as the integers that ``setup`` reads, always the same number of them."""


def encoded(option: Option, value: Any) -> Sequence[int]:
    """``option.encode(value)``; options written for earlier releases call the method ``words``."""
    encode: Callable[[Any], Sequence[int]] = getattr(option, "encode", None) or option.words  # type: ignore[attr-defined]
    return encode(value)


@dataclass(frozen=True)
class Choice:
    """An option with named values; the first is the default."""

    name: str
    title: Text
    text: Text
    values: Mapping[str, Text]
    variants: tuple[str, ...] = ()

    @property
    def default(self) -> Any:
        return next(iter(self.values))

    @property
    def examples(self) -> Sequence[Any]:
        return tuple(self.values)

    def check(self, value: Any) -> Any:
        if not isinstance(value, str) or value not in self.values:
            raise ValueError(f"{self.name}={value!r}: choose one of {', '.join(self.values)}")
        return value

    def encode(self, value: Any) -> Sequence[int]:
        return (list(self.values).index(value),)


@dataclass(frozen=True)
class Number:
    """An option with a whole number, or none if ``none`` says what that means."""

    name: str
    title: Text
    text: Text
    default: int | None
    low: int
    high: int
    none: Text | None = None
    variants: tuple[str, ...] = ()

    @property
    def examples(self) -> Sequence[Any]:
        few = min(self.high, self.low + 4)
        return (self.default, self.low, few, self.high, *([None] if self.none is not None else []))

    def check(self, value: Any) -> Any:
        if self.none is not None and value in (None, "none"):
            return None
        try:
            number = int(str(value))
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            orelse = " or none" if self.none else ""
            raise ValueError(f"{self.name}={value!r}: choose a whole number from {self.low} to {self.high}{orelse}")
        return number

    def encode(self, value: Any) -> Sequence[int]:
        return (0 if value is None else value,)


@dataclass(frozen=True)
class ForeignName:
    """What another program calls a variant."""

    title: str  # in its files and commands, such as "Blokus Duo"
    short: str  # on its command line, such as "duo"


@dataclass(frozen=True)
class Cover:
    """A position that shows the game well: a variant after a number of random turns."""

    variant: str
    turns: int
