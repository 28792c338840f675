"""Whether a game keeps the contract, in plain words: ``quatuor check``, and the tests of the bundled games.

>>> from quatuor.games import rulebook
>>> check(rulebook("plus4"), games=1).problems
()

The rules are first interpreted with every index checked. Only if nothing goes wrong is the game compiled and played
through everything that uses it, since compiled code that leaves its arrays may do anything.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from quatuor.engine.conformance import hooks, kernel, shown, turns
from quatuor.engine.conformance.samples import Sample, samples
from quatuor.games import provisional
from quatuor.games.contract import Rulebook
from quatuor.games.validation import field_problems

__all__ = ["CHECKS", "Check", "Problem", "Report", "check", "run_check"]

GAMES = 2  # random games of every variant
MOST = 5  # problems of one kind in one game that are reported


@dataclass(frozen=True)
class Problem:
    """Something that a game does wrong."""

    check: str
    variant: str  # "" where it concerns all
    text: str


@dataclass(frozen=True)
class Check:
    """One thing that a game must do. ``run`` yields what is wrong in one sample game."""

    name: str
    text: str
    run: Callable[[Sample], Iterator[str]]
    needs: str = ""  # a field that a rulebook may leave out: then this is not checked


@dataclass(frozen=True)
class Report:
    """What was checked, and what was found."""

    game: str
    checks: tuple[str, ...]  # the names of those that were run: if fields or bounds are wrong, no others
    problems: tuple[Problem, ...]

    def data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "game": self.game,
            "passed": not self.problems,
            "checks": list(self.checks),
            "problems": [asdict(problem) for problem in self.problems],
        }


FIELDS = Check("fields", "the rulebook is complete and consistent", lambda sample: field_problems(sample.book))
BOUNDS = Check("bounds", "interpreted, the rules stay within their arrays and numbers", kernel.bounds)
COMPILED = (
    Check("compiled", "compiled rules do the same as interpreted ones", kernel.compiled),
    Check("setup", "setup writes every word of the state", kernel.setup_is_complete),
    Check("acting", "the seats that act have moves, and a finished game has none", turns.acting),
    Check("actions", "action ids are distinct, legal to play and below ``actions``", turns.actions),
    Check("text", "writing and reading a move are inverse", turns.text),
    Check("refusals", "text that is not a legal move is refused and changes nothing", turns.refusals),
    Check("undo", "undo restores every position, and copies are independent", turns.undo),
    Check("determinism", "a seed gives the same game twice, and the same in the kernel", turns.determinism),
    Check("records", "a record reads back to the same game", turns.records),
    Check("positions", "a position as text reads back to the same position", turns.position_text, "position"),
    Check("places", "scores and places fit together", turns.places),
    Check("secrecy", "the orders of others stay secret", shown.secrecy),
    Check("data", "view, effects and reason are plain data", shown.plain_data),
    Check("pictures", "pictures are SVG, and boards are text", shown.pictures),
    Check("languages", "every text is in the languages of the title", shown.languages),
    Check("endings", "every way to end a game has a clause", shown.endings),
    Check("planes", "observations have their declared size and no secrets", hooks.planes, "planes"),
    Check("engine", "the engine plays a legal move, twice the same", hooks.engine),
    Check("space", "the list of positions numbers each position once", hooks.space, "space"),
)
CHECKS = (FIELDS, BOUNDS, *COMPILED)


def check(book: Rulebook, games: int = GAMES) -> Report:
    """Try a game in every way that the package uses it."""
    problems = [Problem(FIELDS.name, "", text) for text in field_problems(book)]
    done = [FIELDS.name]
    made = [] if problems else list(samples(book, games))
    if not problems:
        done.append(BOUNDS.name)
        problems = [problem for sample in made for problem in run_check(BOUNDS, sample)]
    if not problems:
        with provisional(book):
            for one in COMPILED:
                if one.needs and getattr(book, one.needs) is None:
                    continue
                done.append(one.name)
                problems += [problem for sample in made for problem in run_check(one, sample)]
    return Report(book.name, tuple(done), tuple(dict.fromkeys(problems)))


def run_check(one: Check, sample: Sample) -> list[Problem]:
    """What one check finds in one sample game."""
    found = []
    try:
        for text in one.run(sample):
            found.append(Problem(one.name, sample.variant.name, text))
            if len(found) == MOST:
                break
    except Exception as error:  # the game's own functions may raise anything
        found.append(Problem(one.name, sample.variant.name, f"{type(error).__name__}: {error}"))
    return found
