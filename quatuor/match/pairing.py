"""Who plays whom. Pure functions: players from first to last, and how often any two have met, give tables.

A table has as many players as the variant has seats. A player who does not fit sits out (a bye): those who have sat out
least often, the last in the standing first.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations

Table = tuple[str, ...]
Met = Counter[frozenset[str]]
Cost = Callable[[str, str], int]
AGAIN = 1000  # meeting again weighs as much as this many places between two players


def met(tables: Sequence[Table]) -> Met:
    """How often any two have sat at one table."""
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def byes(players: Sequence[str], seats: int, before: Counter[str]) -> list[str]:
    """Who sits out this round."""
    count = len(players) % seats
    place = {player: i for i, player in enumerate(players)}
    return sorted(players, key=lambda player: (before[player], -place[player]))[:count]


def by_standing(players: Sequence[str], seats: int, meetings: Met, near: bool = True) -> list[Table]:
    """Tables of players who have met least often and (``near``) stand close to each other."""
    place = {player: i if near else 0 for i, player in enumerate(players)}

    def cost(one: str, two: str) -> int:
        return AGAIN * meetings[frozenset((one, two))] ** 2 + abs(place[one] - place[two])

    if seats == 2:
        import networkx  # installed where tournaments are held, but not in a browser

        graph = networkx.Graph()
        graph.add_weighted_edges_from((one, two, -cost(one, two)) for one, two in combinations(players, 2))
        pairs = networkx.max_weight_matching(graph, maxcardinality=True)
        return sorted((tuple(sorted(pair, key=players.index)) for pair in pairs), key=lambda t: players.index(t[0]))
    return _swapped([tuple(players[i : i + seats]) for i in range(0, len(players), seats)], cost)


def _swapped(tables: list[Table], cost: Cost) -> list[Table]:
    """Swap two players of different tables as long as that makes the round better."""

    def of(*some: Table) -> int:
        return sum(cost(one, two) for table in some for one, two in combinations(table, 2))

    while True:
        best = min(
            (
                (of(a, b) - of(tables[i], tables[j]), i, j, a, b)
                for i, j in combinations(range(len(tables)), 2)
                for x in tables[i]
                for y in tables[j]
                for a, b in [(_with(tables[i], x, y), _with(tables[j], y, x))]
            ),
            default=(0, 0, 0, (), ()),
        )
        if best[0] >= 0:
            return tables
        tables[best[1]], tables[best[2]] = best[3], best[4]


def _with(table: Table, old: str, new: str) -> Table:
    return tuple(new if player == old else player for player in table)


def circle(players: Sequence[str], number: int) -> list[Table]:
    """Round ``number`` (from 0) of a round robin for two: one stays, the others go round; None's partner sits out."""
    ring: list[str | None] = [*players, *[None] * (len(players) % 2)]
    turn = number % (len(ring) - 1)
    ring = [ring[0], *ring[len(ring) - turn :], *ring[1 : len(ring) - turn]]
    half = len(ring) // 2
    return [(one, two) for one, two in zip(ring[:half], reversed(ring[half:]), strict=True) if one and two]


def seated(table: Table, sat: Counter[tuple[str, int]]) -> Table:
    """The same players in the order of seats that they have had least often."""
    return min(permutations(table), key=lambda order: sum(sat[player, seat] ** 2 for seat, player in enumerate(order)))
