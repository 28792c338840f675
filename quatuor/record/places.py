"""Places of players who went out while the others played on."""

from collections.abc import Iterable, Sequence

from quatuor.game import Game


def gone(game: Game) -> list[int]:
    """The seats whose players went out while the others played on, the first to go first."""
    return [int(seat) for seat in game.headers.get("Out", "").split(",") if seat]


def behind(ranking: Sequence[int], out: Iterable[int]) -> tuple[int, ...]:
    """Places with the seats that went out behind all others, the first to go last."""
    rank = [(0, place) for place in ranking]
    for order, seat in enumerate(out):
        rank[seat] = (1, -order)
    return tuple(1 + sum(other < mine for other in rank) for mine in rank)
