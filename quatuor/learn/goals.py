"""What a task asks for, as data: a table of paths into what a turn did, and what is to be found there.

- ``{"effects.column" = "b"}``: column b was pushed
- ``{"effects.points.0" = {least = 2}, over = false}``: two points or more, and the game goes on
- ``{refused = {contains = "by an edge"}}``: the rules refused the move, for this reason
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Goal = Mapping[str, Any]

TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "not": operator.ne,
    "in": lambda found, values: found in values,
    "contains": lambda found, value: found is not None and value in found,
    "least": lambda found, value: found is not None and found >= value,
    "count": lambda found, value: found is not None and len(found) == value,
    "some": lambda found, goal: any(meets(item, goal) for item in found or ()),  # of a list
}


def meets(outcome: Mapping[str, Any], goal: Goal) -> bool:
    """Whether an outcome has all that a goal names."""
    return all(_fits(_at(outcome, path.split(".")), wanted) for path, wanted in goal.items())


def check(goal: Any) -> Goal:
    """The goal itself; ValueError if no outcome could be compared with it."""
    if not isinstance(goal, Mapping) or not goal:
        raise ValueError(f"{goal!r} is not a goal; it looks like {{'effects.column': 'b'}}")
    for wanted in goal.values():
        if isinstance(wanted, Mapping) and (unknown := set(wanted) - set(TESTS)):
            raise ValueError(f"{sorted(unknown)} cannot be asked of a value; ask {', '.join(TESTS)}")
    return goal


def _fits(found: Any, wanted: Any) -> bool:
    if not isinstance(wanted, Mapping):
        return bool(found == wanted)
    return all(TESTS[name](found, value) for name, value in wanted.items())


def _at(value: Any, path: Sequence[str]) -> Any:
    """What lies at the end of a path; None where it leads nowhere."""
    for part in path:
        if isinstance(value, Mapping):
            value = value.get(part, value.get(int(part)) if part.isdecimal() else None)  # seats are numbers
        elif isinstance(value, Sequence) and not isinstance(value, str) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value
