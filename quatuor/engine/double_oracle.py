"""Double oracle: solve a large matrix game by solving small ones, in frames that a search can leave and come back to.

Take a few orders of each side and solve that small game exactly (simplex.py). If some other order would do better
against the mixes found, add the best one of each side and repeat; if none would, the mixes are an equilibrium of the
whole game (McMahan, Gordon and Blum 2003). Most pairs of orders are never evaluated. A frame holds one such matrix and
lists the pairs that it needs; matrix.py fills in their payoffs.
"""

from typing import Any, NamedTuple

from quatuor.engine.simplex import equilibrium
from quatuor.kernel import Bytes3, Floats, Floats2, Floats3, Words, Words2, Words3, jit

SLACK = 1e-9  # a better order must gain more than this, which is above rounding errors; chosen, not measured
UNKNOWN = -1.0  # stands for a payoff

# The facts of a frame: the depth to reach, the current depth, the length of its list of pairs, how many of them are
# done, whether its small game has been solved, the digest of its position, whether its value is sure
GOAL, NOW, LISTED, AT, SOLVED, NUMBER, SURE, FACTS = 0, 1, 2, 3, 4, 5, 6, 7
NEEDED, FOR_ROW, FOR_COLUMN = 0, 1, 2  # why a pair of orders is looked at
HINTS, BITS = 4, 15  # orders of each side that memory keeps in a word, as equilibria mix 3 or 4; bits of each


class Frames(NamedTuple):
    """The positions from the root to where the search is, and their matrices. Seat 0 chooses the row."""

    states: Words2  # [level, word]
    orders: Words3  # [level, seat, k]: the legal actions
    counts: Words2  # [level, seat]: how many
    payoff: Floats3  # [level, row, column]: the reward of seat 0, or UNKNOWN
    sure: Bytes3  # [level, row, column]
    picks: Words3  # [level, seat, k]: the orders of the small game
    sizes: Words2  # [level, seat]: how many
    mix: Floats3  # [level, seat, order]: with which probability it is played
    value: Floats  # [level]
    bar: Floats2  # [level, seat]: what an order must bring its seat to matter
    pairs: Words2  # [level, k]: the pairs of orders to look at
    facts: Words2  # [level, FACTS]


class Memory(NamedTuple):
    """Positions seen, by digest: twice the depth searched, plus one if sure; the value; the orders that were played."""

    numbers: Words
    depths: Words
    values: Floats
    hints: Words2  # [slot, seat]


class Scratch(NamedTuple):
    """Room to work in."""

    words: Words
    scores: Words
    places: Words
    small: Floats2
    row_mix: Floats
    column_mix: Floats
    tableau: Floats2
    labels: Words
    floats: Floats


@jit
def slot_of(memory: Memory, number: int) -> int:
    """Where a position would be kept."""
    return (number ^ number >> 31) & (len(memory.numbers) - 1)


@jit
def ask(frames: Frames, level: int, row: int, column: int, why: int) -> None:
    """Put a pair on the list unless its payoff is known."""
    if frames.payoff[level, row, column] == UNKNOWN:
        frames.pairs[level, frames.facts[level, LISTED]] = (row << BITS | column) << 2 | why
        frames.facts[level, LISTED] += 1


@jit
def pick(frames: Frames, level: int, seat: int, order: int) -> None:
    """Take an order into the small game, and list the pairs that are needed for it."""
    frames.picks[level, seat, frames.sizes[level, seat]] = order
    frames.sizes[level, seat] += 1
    for k in range(frames.sizes[level, 1 - seat]):
        other = frames.picks[level, 1 - seat, k]
        ask(frames, level, order if seat == 0 else other, other if seat == 0 else order, NEEDED)


@jit
def begin(frames: Frames, level: int, depth: int) -> None:
    """Empty the matrix of a frame for a search of another depth, which begins with the orders played so far."""
    facts = frames.facts
    facts[level, NOW] = depth
    facts[level, LISTED] = 0
    facts[level, AT] = 0
    facts[level, SOLVED] = 0
    for row in range(frames.counts[level, 0]):
        for column in range(frames.counts[level, 1]):
            frames.payoff[level, row, column] = UNKNOWN
    for seat in range(2):
        kept = 0
        for k in range(frames.sizes[level, seat]):
            order = frames.picks[level, seat, k]
            if frames.mix[level, seat, order] > 0.0:
                frames.picks[level, seat, kept] = order
                kept += 1
        frames.sizes[level, seat] = kept
    for i in range(frames.sizes[level, 0]):
        for j in range(frames.sizes[level, 1]):
            ask(frames, level, frames.picks[level, 0, i], frames.picks[level, 1, j], NEEDED)


@jit
def hopeless(frames: Frames, level: int, row: int, column: int, why: int) -> bool:
    """Whether an order can no longer matter, though some of its payoffs are unknown."""
    if why == NEEDED:
        return False
    seat = 0 if why == FOR_ROW else 1
    best: float = 0.0  # what it brings if all unknown payoffs are the best possible
    for k in range(frames.sizes[level, 1 - seat]):
        other = frames.picks[level, 1 - seat, k]
        known = frames.payoff[level, row, other] if seat == 0 else frames.payoff[level, other, column]
        hope = 1.0 if known == UNKNOWN else known if seat == 0 else 1.0 - known
        best += frames.mix[level, 1 - seat, other] * hope
    bar: float = frames.bar[level, seat]
    return best <= bar


@jit
def raise_bar(frames: Frames, level: int, row: int, column: int, why: int) -> None:
    """Once an order is fully known, only better ones matter: only the best of them is added to the small game."""
    if why != NEEDED:
        seat = 0 if why == FOR_ROW else 1
        gain = against(frames, level, seat, row if seat == 0 else column)
        if gain > frames.bar[level, seat]:
            frames.bar[level, seat] = gain


@jit
def arrange(picks: Any, size: int, mix: Any) -> None:
    """Sort orders by how often they are played: against those in front, a poor order shows soonest."""
    for i in range(1, size):
        order = picks[i]
        k = i
        while k > 0 and mix[picks[k - 1]] < mix[order]:
            picks[k] = picks[k - 1]
            k -= 1
        picks[k] = order


@jit
def solve_small(frames: Frames, scratch: Scratch, level: int) -> None:
    """Solve the small game, and list the pairs that show whether any other order does better."""
    rows, columns = frames.sizes[level, 0], frames.sizes[level, 1]
    picks, mix = frames.picks[level], frames.mix[level]
    for i in range(rows):
        for j in range(columns):
            scratch.small[i, j] = frames.payoff[level, picks[0, i], picks[1, j]]
    frames.value[level] = equilibrium(
        rows, columns, scratch.small, scratch.row_mix, scratch.column_mix, scratch.tableau, scratch.labels
    )
    for i in range(rows):
        mix[0, picks[0, i]] = scratch.row_mix[i]
    for j in range(columns):
        mix[1, picks[1, j]] = scratch.column_mix[j]
    for seat in range(2):
        arrange(picks[seat], frames.sizes[level, seat], mix[seat])
    frames.bar[level, 0] = frames.value[level] + SLACK
    frames.bar[level, 1] = 1.0 - frames.value[level] + SLACK
    for row in range(frames.counts[level, 0]):
        for j in range(columns):
            if mix[1, picks[1, j]] > 0.0:
                ask(frames, level, row, picks[1, j], FOR_ROW)
    for column in range(frames.counts[level, 1]):
        for i in range(rows):
            if mix[0, picks[0, i]] > 0.0:
                ask(frames, level, picks[0, i], column, FOR_COLUMN)


@jit
def against(frames: Frames, level: int, seat: int, order: int) -> float:
    """What an order brings its seat against the other's mix; UNKNOWN if it is hopeless."""
    total = 0.0
    for k in range(frames.sizes[level, 1 - seat]):
        other = frames.picks[level, 1 - seat, k]
        part = frames.mix[level, 1 - seat, other]
        if part > 0.0:
            known = frames.payoff[level, order, other] if seat == 0 else frames.payoff[level, other, order]
            if known == UNKNOWN:
                return UNKNOWN
            total += part * (known if seat == 0 else 1.0 - known)
    return total


@jit
def picked(frames: Frames, level: int, seat: int, order: int) -> bool:
    """Whether an order is in the small game."""
    found = False
    for k in range(frames.sizes[level, seat]):
        found |= frames.picks[level, seat, k] == order
    return found


@jit
def answer(frames: Frames, level: int, seat: int) -> int:
    """The best order against the other's mix; -1 if none does better than the mix of the seat."""
    best = -1
    most = (frames.value[level] if seat == 0 else 1.0 - frames.value[level]) + SLACK
    for order in range(frames.counts[level, seat]):
        gain = against(frames, level, seat, order)
        if gain > most and not picked(frames, level, seat, order):  # rounding may make an order seem better than itself
            most = gain
            best = order
    return best


@jit
def secured(frames: Frames, level: int, seat: int) -> bool:
    """Whether finished games alone show that the mix of a seat brings the value, whatever the other does."""
    for k in range(frames.sizes[level, seat]):
        own = frames.picks[level, seat, k]
        if frames.mix[level, seat, own] > 0.0:
            for other in range(frames.counts[level, 1 - seat]):
                row, column = (own, other) if seat == 0 else (other, own)
                if frames.payoff[level, row, column] != UNKNOWN and not frames.sure[level, row, column]:
                    return False
    return True


@jit
def settle(frames: Frames, memory: Memory, level: int) -> None:
    """The matrix is solved: keep what it says."""
    value = frames.value[level]
    facts = frames.facts
    facts[level, SURE] = (value <= SLACK or secured(frames, level, 0)) and (
        value >= 1.0 - SLACK or secured(frames, level, 1)
    )
    slot = slot_of(memory, facts[level, NUMBER])
    memory.numbers[slot] = facts[level, NUMBER]
    memory.depths[slot] = 2 * facts[level, NOW] + facts[level, SURE]
    memory.values[slot] = value
    for seat in range(2):
        hints = 0
        kept = 0
        for k in range(frames.sizes[level, seat]):
            order = frames.picks[level, seat, k]
            if frames.mix[level, seat, order] > 0.0 and kept < HINTS:
                hints = hints << BITS | order + 1
                kept += 1
        memory.hints[slot, seat] = hints


@jit
def think(frames: Frames, memory: Memory, scratch: Scratch, level: int) -> bool:
    """All pairs on the list are known: list further ones. False if the matrix is solved, so that there are none."""
    facts = frames.facts
    facts[level, LISTED] = 0
    facts[level, AT] = 0
    if not facts[level, SOLVED]:
        solve_small(frames, scratch, level)
        facts[level, SOLVED] = 1
        return True
    row, column = answer(frames, level, 0), answer(frames, level, 1)
    if row >= 0:
        pick(frames, level, 0, row)
    if column >= 0:
        pick(frames, level, 1, column)
    if row >= 0 or column >= 0:
        facts[level, SOLVED] = 0
        return True
    settle(frames, memory, level)
    if facts[level, NOW] < facts[level, GOAL] and not facts[level, SURE]:
        begin(frames, level, facts[level, NOW] + 1)
        return True
    return False
