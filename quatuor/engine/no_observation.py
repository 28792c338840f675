"""The ``observe`` of a game without ``planes.py``: it writes nothing."""

from quatuor.kernel import Bytes, Words, jit


@jit
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    return
