"""What a game provides, on one page: ``Rulebook``.

A game is a folder of ``quatuor/games``, or a module outside the package, that defines ``RULEBOOK``. Searches, records,
tables, pages and adapters read a game through its rulebook alone; a hook that is not declared here is not used.
``hooks.py`` describes the functions that are compiled, ``metadata.py`` texts and options, ``levels.py`` the engine's
levels. ``quatuor check GAME`` tries a game against all of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from quatuor.games.hooks import (
    Advice,
    BestFirstAdvice,
    GuidedAdvice,
    MatrixAdvice,
    Observation,
    PositionSpace,
    PositionText,
    Race,
    Rounds,
    Rules,
    State,
    key,
    legal,
    observe,
    outcome,
    play,
    repeat,
    setup,
    to_move,
)
from quatuor.games.levels import Ladder, Level
from quatuor.games.metadata import Choice, Cover, ForeignName, Number, Option, Text, Variant, encoded

__all__ = [
    "REPETITIONS", "Advice", "BestFirstAdvice", "Choice", "Cover", "ForeignName", "GuidedAdvice", "IllegalMove",
    "Ladder", "Level", "MatrixAdvice", "Number", "Observation", "Option", "PositionError", "PositionSpace",
    "PositionText", "Race", "Rounds", "Rulebook", "Rules", "State", "Text", "Variant", "key", "legal", "observe",
    "outcome", "play", "repeat", "setup", "to_move", "win_points",
]  # fmt: skip


REPETITIONS = 3  # the occurrence of a position that ends a game, in rules that know repetition


class IllegalMove(ValueError):
    """A move that cannot be played; the message says why, and what can be."""


class PositionError(ValueError):
    """A text that is not a position of the game, or an impossible one; the message says why."""


def win_points(variant: str, scores: tuple[int, ...], ranking: tuple[int, ...]) -> tuple[int, ...]:
    """The points of one game in a match if the rulebook names none: a win 2, a shared first place 1."""
    win = 2 if ranking.count(1) == 1 else 1
    return tuple(win if place == 1 else 0 for place in ranking)


@dataclass(frozen=True)
class Rulebook:
    """A whole game. ``register`` in quatuor/games says what is wrong with one."""

    name: str  # small letters, digits and underscores; of a bundled game, the name of its folder
    title: Text
    text: Text  # one line
    variants: tuple[Variant, ...]  # the first is the default
    options: tuple[Option, ...]
    # ---- the rules
    rules: Rules
    state_size: int  # cells of a state in every variant
    max_moves: int  # no position has more legal actions for one seat
    actions: int  # action ids are 0 to actions - 1
    # ---- moves as text
    write: Callable[[State, int, int], str]  # (state before, seat, action) -> text
    read: Callable[[State, int, str], int]  # (state before, seat, text) -> action; raises IllegalMove
    # ---- what is shown
    view: Callable[[State], dict[str, Any]]  # the position as plain data, for pages and tools
    effects: Callable[[State, Mapping[int, int], State], dict[str, Any]]  # what a turn did, for animation and speech
    reason: Callable[[State], dict[str, Any]]  # how a finished game ended: a "code", and numbers
    svg: Callable[[State], str]
    text_board: Callable[[State], str]  # for the terminal; rich markup
    conceal: Callable[[State, int | None], State] = lambda state, seat: state  # hide others' secret orders from a seat
    position: PositionText | None = None  # positions as text; none: they cannot be written or set up
    start_options: tuple[str, ...] = ()  # options that matter to the start position alone
    texts: Mapping[int, str] | None = None  # of every action, where ``write`` goes by the action alone: saves calls
    void_orders: bool = False  # ``read`` may return an order that is not legal; the rules then treat it as void
    # ---- matches: (variant, scores, ranking) -> what one game is worth to each seat
    match_points: Callable[[str, tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = win_points
    # ---- learning, searching, solving: each may be missing
    planes: Observation | None = None
    advice: Advice | None = None
    judge: Callable[[State, int], float] | None = None  # a quick estimate for a seat: the arena's greedy player uses it
    ladders: Mapping[str, Ladder] = field(default_factory=dict)  # the levels of a variant, if not those of its search
    space: PositionSpace | None = None
    race: Callable[[], Race] | None = None
    rounds: Callable[[], Rounds] | None = None
    # ---- documentation and other programs
    clause_prefix: str = ""  # of the ids of its rules: "P4" for P4-1, P4-2, …
    endings: Mapping[str, str] = field(default_factory=dict)  # "code" or "variant:code" of ``reason`` -> its clause
    cover: Cover | None = None  # the position in pictures of the game; none: the start position
    puzzles: bool = False  # whether the page offers puzzles with its pieces
    foreign_names: Mapping[str, Mapping[str, ForeignName]] = field(default_factory=dict)  # program -> variant -> name
    order: int = 100  # its place in lists of games; then by name

    def __repr__(self) -> str:
        return f"<Rulebook {self.name}>"

    def option_values(self, variant: Variant, options: Mapping[str, Any]) -> list[int]:
        """What ``setup`` reads: the number of the variant, then the options, those not given by default."""
        values = [self.variants.index(variant)]
        for option in self.options:
            values += encoded(option, options.get(option.name, option.default))
        return values

    def ending_clause(self, variant: str, code: str) -> str | None:
        """The clause of the rules by which a game ended, from the ``code`` of its reason."""
        return self.endings.get(f"{variant}:{code}") or self.endings.get(code)
