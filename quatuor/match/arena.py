"""The arena: engines play each other on all cores, or on many machines, and the results are kept line by line.

Every two engines meet in the same number of games, with all ways to share out the sides in turn; a single engine
plays against itself. A game has a name made of everything that matters for it, so a file of results can be continued
and nothing is counted twice.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from quatuor.engine.arguments import WHOLE, check_numbers
from quatuor.engine.precompile import precompile_search
from quatuor.engine.solve import differs, extent
from quatuor.game import Game, new
from quatuor.jobs import Workers, jsonl
from quatuor.match.arena_game import Conduct, Meeting, Outcome, play
from quatuor.match.callables import spec_of
from quatuor.match.elo import Pair
from quatuor.match.players import EnginePlayer, check, make_player

MOST_GAMES = 10_000_000  # of each two engines: all are listed at the start


class Arena:
    """The games between engines: all pairs, or those at most ``near`` places apart, ``games`` games each.

    An engine is a spec of ``quatuor.match.players``, or a function of the game and the seat that returns a move.

    With three or four sides each of the two engines has half of them; with ``alone`` one of them has a single side.

    >>> arena = Arena(["random", "greedy"], "plus4", games=2)
    >>> [meeting.seats for meeting in arena.meetings]
    [('random', 'greedy'), ('greedy', 'random')]

    Raises:
        ValueError: There is no such game or engine, an engine is named twice, or ``games`` is below 1.
    """

    def __init__(
        self,
        engines: Sequence[str | Callable[..., str]],
        name: str,
        variant: str | None = None,
        *,
        games: int,
        seed: int = 1,
        near: int | None = None,
        alone: bool = False,
        **options: Any,
    ) -> None:
        self.start = new(name, variant, **options)
        check_numbers(WHOLE, games=games, seed=seed)
        check_numbers(WHOLE | None, near=near)
        if isinstance(engines, str) or not isinstance(engines, Sequence):
            raise TypeError(f"engines={engines!r}: give several, such as ['level=3', 'greedy']")
        specs = [engine if isinstance(engine, str) else spec_of(engine) for engine in engines]
        for spec in specs:
            check(spec, self.start)
        if not specs or len(set(specs)) < len(specs):
            raise ValueError(f"engines {' '.join(specs)!r}: name different ones, or one to play against itself")
        if not 1 <= games <= MOST_GAMES:
            raise ValueError(f"games={games}: play at least 1 and at most {MOST_GAMES}")
        if near is not None and near < 1:
            raise ValueError(f"near={near}: choose a whole number from 1")
        self.engines = specs
        reach = near or len(specs)
        met = [(a, b) for i, a in enumerate(specs) for b in specs[i + 1 : i + 1 + reach]] or [(specs[0],) * 2]
        shares = [(a, b, _shares(self.start, a, b, alone)) for a, b in met]
        self.games = -(-games // len(shares[0][2])) * len(shares[0][2])  # every seating equally often
        self.meetings = [  # the pairs take turns, so that a part of the list is balanced too
            self._meeting(seatings[number % len(seatings)], number, seed + number)
            for number in range(self.games)
            for _, _, seatings in shares
        ]

    def __repr__(self) -> str:
        kind = f"{self.start.name}:{self.start.variant.name}"
        return f"<Arena {kind}, {', '.join(self.engines)}: {len(self.meetings)} games>"

    def _meeting(self, seats: tuple[str, ...], number: int, seed: int) -> Meeting:
        options = tuple(self.start.options.items())
        return Meeting(self.start.name, self.start.variant.name, options, seats, number, seed)

    def pairs(self, outcome: Outcome) -> list[Pair]:
        """A game as the pairs of its sides that different engines played."""
        sides: dict[int, tuple[int, int]] = {}
        for seat, side in enumerate(_sides(self.start)):
            sides.setdefault(side, (self.engines.index(outcome["seats"][seat]), outcome["ranking"][seat]))
        found = []
        for (a, place_a), (b, place_b) in itertools.combinations(sides.values(), 2):
            if a != b:
                found.append((a, b, 0.5 + 0.5 * (place_b > place_a) - 0.5 * (place_b < place_a)))
        return found


def _sides(game: Game) -> tuple[int, ...]:
    return game.variant.sides or tuple(range(game.seats))


def _shares(game: Game, a: str, b: str, alone: bool) -> list[tuple[str, ...]]:
    """All ways to share out the sides between two engines, as evenly as can be, or as unevenly."""
    sides = sorted(set(_sides(game)))
    fewer = 1 if alone else len(sides) // 2
    sizes = {fewer, len(sides) - fewer}
    chosen = [own for size in sorted(sizes) for own in itertools.combinations(sides, size)]
    return list(dict.fromkeys(tuple(a if side in own else b for side in _sides(game)) for own in chosen))


# ---- playing and keeping


def kept(file: Path) -> list[Outcome]:
    """The games in a file of results, each once. A line that is not a game is skipped."""
    found: dict[str, Outcome] = {}
    for outcome in jsonl.read(file):
        try:
            found.setdefault(name(outcome), outcome)
        except (KeyError, TypeError, AttributeError):
            continue
    return list(found.values())


def name(outcome: Outcome) -> str:
    """The name of the meeting that had this outcome."""
    options = tuple(outcome["options"].items())
    seats = tuple(outcome["seats"])
    return Meeting(outcome["game"], outcome["variant"], options, seats, outcome["number"], outcome["seed"]).name


def run(
    meetings: Sequence[Meeting],
    workers: Workers,
    keep: bool = False,
    until: float = math.inf,
    conduct: Conduct | None = None,
) -> Iterator[Outcome]:
    """Play; yields each game as it ends. After ``until`` (time.monotonic) no more are started."""
    if not meetings:
        return
    specs = tuple(sorted({spec for meeting in meetings for spec in meeting.seats}))
    tables = known(specs, meetings[0])
    pieces = {meeting.name: (specs, meetings[0], tables, meeting, conduct or Conduct(keep)) for meeting in meetings}
    for _, outcome in workers.map(_played, pieces, until):
        yield outcome


def _played(specs: tuple[str, ...], first: Meeting, tables: int, meeting: Meeting, conduct: Conduct) -> Outcome:
    """A game, once the process that plays it is ready."""
    precompile(specs, first)
    if known(specs, first) != tables:
        raise differs(meeting.game)
    return play(meeting, conduct=conduct)


@functools.cache
def known(specs: tuple[str, ...], meeting: Meeting) -> int:
    """How much of the game is solved on this machine, if that matters to these engines."""
    ours = [player for player in (make_player(spec, 0) for spec in specs) if isinstance(player, EnginePlayer)]
    if not any(player.engine.perfect for player in ours):
        return 0
    return extent(new(meeting.game, meeting.variant, **dict(meeting.options)))


@functools.cache
def precompile(specs: tuple[str, ...], meeting: Meeting) -> None:
    """Load or compile what the engines need, so that it does not count as thinking time; once in a process."""
    game = new(meeting.game, meeting.variant, **dict(meeting.options))
    ours = [player for player in (make_player(spec, 0) for spec in specs) if isinstance(player, EnginePlayer)]
    for kind in {player.engine.kind(game) for player in ours}:
        precompile_search(game, kind)
    for player in ours:
        player.engine.close()  # one unit of work: only what is compiled counts
        player.choose(game, game.to_move[0])
