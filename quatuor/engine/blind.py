"""What a learner sees of a game that has no ``planes.py``: nothing."""

from quatuor.kernel import Bytes, Words, jit


@jit
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    return
