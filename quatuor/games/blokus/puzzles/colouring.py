"""Colour pieces so that two in conflict differ, adding one piece at a time.

Pieces are vertices of a conflict graph: conflicts[v] are the pieces that must differ from piece v, as bits of a word;
classes[k] are the pieces of colour k. A new piece takes a free colour. If there is none, two colours are swapped along
chains of conflicts. If that does not help, an exact search colours all pieces again, within a budget.
"""

from typing import Any

from quatuor.games.blokus.puzzles.shapes import GAVE_UP, IMPOSSIBLE, SOLVED
from quatuor.kernel import Rng, Words, below, jit, lowest, ones

COLOURS = 4


@jit
def colour(v: int, conflicts: Words, classes: Words, fixed: int, budget: int, rng: Rng, stack: Any) -> int:
    """Give piece v a colour; other pieces may change theirs, but not the fixed ones."""
    first = below(rng, COLOURS)
    for i in range(COLOURS):
        k = first + i & 3
        if conflicts[v] & classes[k] == 0:
            classes[k] |= 1 << v
            return SOLVED
    if _swap(v, conflicts, classes, fixed):
        return SOLVED
    return _afresh(v + 1, conflicts, classes, fixed, budget, stack)


@jit
def _swap(v: int, conflicts: Words, classes: Words, fixed: int) -> bool:
    """Free a colour for piece v by swapping two colours along the chains that start at its neighbours."""
    for a in range(COLOURS):
        for b in range(COLOURS):
            if b == a:
                continue
            chain = _chain(conflicts[v] & classes[a], classes[a] | classes[b], conflicts)
            if chain & fixed or conflicts[v] & chain & classes[b]:
                continue
            classes[a] ^= chain
            classes[b] ^= chain
            classes[a] |= 1 << v
            return True
    return False


@jit
def _chain(start: int, within: int, conflicts: Words) -> int:
    """All pieces that are connected with the start by conflicts."""
    chain = start
    rim = start
    while rim:
        reached = 0
        while rim:
            bit = rim & -rim
            rim ^= bit
            reached |= conflicts[lowest(bit)]
        rim = reached & within & ~chain
        chain |= rim
    return chain


@jit
def _afresh(pieces: int, conflicts: Words, classes: Words, fixed: int, budget: int, stack: Any) -> int:
    """Colour all pieces again but the fixed ones, depth first, the most constrained piece first."""
    old0, old1, old2, old3 = classes[0], classes[1], classes[2], classes[3]
    for k in range(COLOURS):
        classes[k] &= fixed
    rest = ((1 << pieces) - 1) & ~fixed
    depth = 0
    nodes = 1
    _choose(rest, conflicts, classes, stack, 0)
    while rest:
        u = stack[depth, 0]
        free = stack[depth, 1]
        if free == 0 or nodes > budget:  # backtrack
            if depth == 0 or nodes > budget:
                classes[0], classes[1], classes[2], classes[3] = old0, old1, old2, old3
                return GAVE_UP if nodes > budget else IMPOSSIBLE
            depth -= 1
            u = stack[depth, 0]
            for k in range(COLOURS):
                classes[k] &= ~(1 << u)
            rest |= 1 << u
            continue
        stack[depth, 1] = free & free - 1
        classes[lowest(free)] |= 1 << u
        rest &= ~(1 << u)
        depth += 1
        nodes += 1
        _choose(rest, conflicts, classes, stack, depth)
    return SOLVED


@jit
def _choose(rest: int, conflicts: Words, classes: Words, stack: Any, depth: int) -> None:
    """Put the piece with the fewest colours left, and those colours, onto the stack."""
    fewest = COLOURS + 1
    while rest:
        bit = rest & -rest
        rest ^= bit
        u = lowest(bit)
        free = 0
        for k in range(COLOURS):
            if conflicts[u] & classes[k] == 0:
                free |= 1 << k
        if ones(free) < fewest:
            fewest = ones(free)
            stack[depth, 0] = u
            stack[depth, 1] = free
