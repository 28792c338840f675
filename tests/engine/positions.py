"""Random positions of Plus 4, and plain minimax as a reference."""

import quatuor
from quatuor.games.plus4 import rules


def anywhere(dice, variant, **options):
    """A random grid with random bonus pawns, reachable or not, as a game without history."""
    game = quatuor.new("plus4", variant, repetition="none", **options)
    cells = [0, 0]
    for column in range(4):
        for floor in range(dice.randrange(5)):
            cells[dice.randrange(2)] |= 1 << 4 * column + floor
    game.state[rules.CELLS : rules.CELLS + 2] = cells
    game.state[rules.TURN] = dice.randrange(2)
    game.state[rules.BEGAN] = dice.randrange(2)
    if variant != "elementary":
        for own in cells:
            pawns = [1 << cell for cell in range(16) if own >> cell & 1]
            game.state[rules.BONUS] |= dice.choice([0, *pawns, *pawns])
    return game


def wins_within(game, turns):
    """Whether the seat to move can win within this number of turns."""
    (seat,) = game.to_move
    for move in game.legal():
        after = game.copy()
        after.play(move)
        if after.over:
            if after.ranking[seat] < after.ranking[1 - seat]:
                return True
        elif turns > 1 and loses_within(after, turns - 1):
            return True
    return False


def loses_within(game, turns):
    """Whether the seat to move loses within this number of turns, whatever it plays."""
    (seat,) = game.to_move
    for move in game.legal():
        after = game.copy()
        after.play(move)
        if after.over:
            if after.ranking[seat] <= after.ranking[1 - seat]:
                return False
        elif turns == 1 or not wins_within(after, turns - 1):
            return False
    return True


def agrees(result, game, furthest):
    """Whether minimax finds this result and distance within this number of turns."""
    for turns in range(1, furthest + 1):
        near = result.distance is not None and result.distance <= turns
        if wins_within(game, turns) != (near and result.outcome == "win"):
            return False
        if loses_within(game, turns) != (near and result.outcome == "loss"):
            return False
    return True
