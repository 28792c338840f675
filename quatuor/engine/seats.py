"""Sets of seats and what a seat gets at the end of a game."""

from quatuor.kernel import Words, jit


@jit
def lowest_seat(acting: int) -> int:
    """The lowest seat of a set, which is not empty: one bit a seat, as ``to_move`` returns it."""
    seat = 0
    while acting >> seat & 1 == 0:
        seat += 1
    return seat


@jit
def share(places: Words, seats: int, seat: int) -> float:
    """The share of the other seats that this one beats, ties half: 1 if it beats all, 0 if all beat it."""
    points = 0.0
    for other in range(seats):
        if places[other] > places[seat]:
            points += 1.0
        elif places[other] == places[seat] and other != seat:
            points += 0.5
    return points / (seats - 1)
