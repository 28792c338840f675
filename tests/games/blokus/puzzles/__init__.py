"""Solutions that several tests use; each is found once."""

import functools

from quatuor import puzzles
from quatuor.puzzles import KINDS, Position

FORMS = [(kind.name, hard) for kind in KINDS.values() for hard in ((False, True) if kind.may_be_hard else (False,))]
RECTANGLES = [(name, hard) for name, hard in FORMS if KINDS[name].fills]


@functools.cache
def solution(name: str, hard: bool, seed: int) -> Position:
    return puzzles.solve(name, hard, seed)
