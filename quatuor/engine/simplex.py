"""Matrix games solved exactly: two players choose at once, one a row, one a column; what one wins the other loses.

The linear program of the column player (most y with A y <= 1, once every payoff is positive) by the simplex method on
the compact tableau, where a pivot swaps one row with one column. Its dual is the row player's mix, so both come out
at once, and the guarantees of the two mixes prove the value.
"""

from typing import Any

from quatuor.kernel import Floats, Words, jit

ZERO = 1e-11  # numbers below it are rounding errors; chosen, not measured
SHIFT = 1.0  # makes payoffs from 0 to 1 positive


@jit
def equilibrium(
    rows: int, columns: int, payoff: Any, row_mix: Floats, column_mix: Floats, tableau: Any, labels: Words
) -> float:
    """The value of a game with payoffs from 0 to 1 for the row player; fills in how both players mix.

    Scratch: a ``tableau`` with one row and one column more than the payoffs, ``labels`` for all rows and columns.
    """
    for i in range(rows):
        for j in range(columns):
            tableau[i, j] = payoff[i, j] + SHIFT
        tableau[i, columns] = 1.0
        labels[i] = i
    for j in range(columns):
        tableau[rows, j] = -1.0
        labels[rows + j] = rows + j
    tableau[rows, columns] = 0.0
    for pivots in range(50 * (rows + columns)):
        column = _entering(rows, columns, tableau, labels, pivots > 4 * (rows + columns))
        if column < 0:
            break
        row = _leaving(rows, columns, tableau, labels, column)
        if row < 0:  # only by rounding
            break
        _pivot(rows, columns, tableau, row, column)
        labels[row], labels[rows + column] = labels[rows + column], labels[row]
    return _read(rows, columns, row_mix, column_mix, tableau, labels)


@jit
def _entering(rows: int, columns: int, tableau: Any, labels: Words, careful: bool) -> int:
    """The column that gains most; if ``careful``, the first by label that gains, which never cycles (Bland's rule)."""
    best = -1
    for j in range(columns):
        gain = tableau[rows, j]
        if gain < -ZERO and (
            best < 0 or (labels[rows + j] < labels[rows + best] if careful else gain < tableau[rows, best])
        ):
            best = j
    return best


@jit
def _leaving(rows: int, columns: int, tableau: Any, labels: Words, column: int) -> int:
    """The row that limits the column first, of equal ones the first by label. There is one, as payoffs are positive."""
    best = -1
    least = 0.0
    for i in range(rows):
        if tableau[i, column] > ZERO:
            ratio = tableau[i, columns] / tableau[i, column]
            if best < 0 or ratio < least - ZERO or (ratio <= least + ZERO and labels[i] < labels[best]):
                best = i
                least = ratio
    return best


@jit
def _pivot(rows: int, columns: int, tableau: Any, row: int, column: int) -> None:
    one = 1.0 / tableau[row, column]
    for j in range(columns + 1):
        tableau[row, j] *= one
    tableau[row, column] = one
    for i in range(rows + 1):
        factor = tableau[i, column]
        if i != row and factor != 0.0:
            for j in range(columns + 1):
                tableau[i, j] -= factor * tableau[row, j]
            tableau[i, column] = -factor * one


@jit
def _read(rows: int, columns: int, row_mix: Floats, column_mix: Floats, tableau: Any, labels: Words) -> float:
    """Both mixes from the final tableau: those of the columns that came in, and of the rows that went out."""
    for i in range(rows):
        row_mix[i] = 0.0
    for j in range(columns):
        column_mix[j] = 0.0
    for i in range(rows):
        if labels[i] >= rows:
            column_mix[labels[i] - rows] = tableau[i, columns] if tableau[i, columns] > ZERO else 0.0
    for j in range(columns):
        if labels[rows + j] < rows:
            row_mix[labels[rows + j]] = tableau[rows, j] if tableau[rows, j] > ZERO else 0.0
    total = _scale(columns, column_mix)
    _scale(rows, row_mix)
    return 1.0 / total - SHIFT


@jit
def _scale(count: int, mix: Floats) -> float:
    """Make the parts sum to 1; return what they summed to."""
    total = 0.0
    for k in range(count):
        total += mix[k]
    for k in range(count):
        mix[k] /= total
    return total
