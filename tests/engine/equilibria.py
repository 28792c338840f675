"""Matrix games and endgames of 3/6, solved exactly in fractions, as a reference for the search."""

from fractions import Fraction

from tests.oracle.trois_six import Naive


def exact_value(payoff):
    """The value of a matrix game for the row player: the textbook simplex method with slack columns, in fractions."""
    shift = 1 - min(map(min, payoff))
    rows, columns = len(payoff), len(payoff[0])
    table = [
        [Fraction(x) + shift for x in row] + [Fraction(int(i == k)) for k in range(rows)] + [Fraction(1)]
        for i, row in enumerate(payoff)
    ]
    goal = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    basis = list(range(columns, columns + rows))
    while any(x < 0 for x in goal[:-1]):
        enter = next(j for j, x in enumerate(goal) if x < 0)  # Bland's rule against cycles
        leave = min(
            (i for i in range(rows) if table[i][enter] > 0), key=lambda i: (table[i][-1] / table[i][enter], basis[i])
        )
        basis[leave] = enter
        table[leave] = [x / table[leave][enter] for x in table[leave]]
        for row in (*table[:leave], *table[leave + 1 :], goal):
            row[:] = [x - row[enter] * y for x, y in zip(row, table[leave], strict=True)]
    return 1 / goal[-1] - shift


def endgame(board, turns):
    """A position of the naive rulebook with this number of quiet turns left: {"A1": (seat, number, height), …}."""
    twin = Naive("classic", {"layout": "corners", "own_stacking": "no", "jump": "no", "void_blocks": "no",
                             "quiet_turns": turns})  # fmt: skip
    twin.start()
    twin.board = {cell: [(seat, 0)] * (height - 1) + [(seat, number)] for cell, (seat, number, height) in board.items()}
    return twin


def worth(twin):
    """The value for white, by backward induction over every pair of orders."""
    if twin.over:
        return Fraction(1, 2) if twin.winner is None else Fraction(1 - twin.winner)
    return exact_value([
        [worth(after(twin, white, black)) for black in sorted(twin.moves(1))] for white in sorted(twin.moves(0))
    ])  # fmt: skip


def after(twin, white, black):
    further = endgame({}, twin.options["quiet_turns"])
    further.board, further.quiet = {cell: list(pile) for cell, pile in twin.board.items()}, twin.quiet
    further.carry_out({0: white, 1: black})
    return further
