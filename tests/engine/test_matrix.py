"""The equilibrium search: exact values of matrix games and endgames, without a look at secret orders."""

import random

import numpy as np
import pytest

import quatuor
from quatuor.engine.double_oracle import answer
from quatuor.engine.matrix import Equilibrium
from quatuor.engine.simplex import equilibrium
from quatuor.games.trois_six import rules
from quatuor.games.trois_six.notation import cell_number
from tests.engine.equilibria import endgame, exact_value, worth

ENDGAMES = [  # white's and black's piles, quiet turns left
    ({"A1": (0, 1, 1), "A2": (0, 2, 1), "C1": (0, 3, 1), "F6": (1, 1, 1), "E6": (1, 2, 1), "F4": (1, 3, 1)}, 1),
    ({"A1": (0, 1, 1), "B1": (0, 2, 1), "A3": (0, 3, 1), "A2": (1, 4, 1), "C1": (1, 5, 1), "F6": (1, 6, 1)}, 2),
    ({"A1": (0, 2, 2), "F1": (0, 4, 1), "A6": (0, 6, 1), "F6": (1, 1, 1), "F2": (1, 3, 1), "A5": (1, 5, 1)}, 2),
]


def solved(payoff):
    """The value and both mixed strategies."""
    payoff = np.array(payoff, float)
    rows, columns = payoff.shape
    row_mix, column_mix = np.zeros(rows), np.zeros(columns)
    value = equilibrium(
        rows, columns, payoff, row_mix, column_mix,
        np.zeros((rows + 1, columns + 1)), np.zeros(rows + columns, np.int64),
    )  # fmt: skip
    return value, row_mix, column_mix


def placed(board, turns):
    """A game of 3/6 with these piles and this number of quiet turns to go."""
    game = quatuor.new("trois_six", quiet_turns=turns)
    game.state[rules.PAWNS : rules.ORDER] = 0
    for cell, (seat, number, height) in board.items():
        pawn, spot = 6 * seat + number - 1, int(rules.SPOTS[cell_number(cell)])
        game.state[rules.SPOT + pawn], game.state[rules.HEIGHT + pawn] = spot, height
        game.state[rules.PAWNS + seat] |= 1 << spot
    return game


def midgame(seed, turns, **options):
    """A game after some random turns."""
    dice = random.Random(seed)
    while True:
        game = quatuor.new("trois_six", **options)
        for _ in range(turns):
            if not game.over:
                game.play_actions({seat: dice.choice(game.actions(seat)) for seat in (0, 1)})
        if not game.over:
            return game


def searched(game, seat, depth):
    search = Equilibrium(game, seat, deepest=depth)
    while not search.finished:
        search.run(10_000)
    return search


def value(found):
    return sum(finding.weight * finding.value for finding in found.values())


@pytest.mark.parametrize(
    ("payoff", "expected", "rows", "columns"),
    [
        ([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]], 0.5, [1 / 3] * 3, [1 / 3] * 3),
        ([[0.5, 0.25, 1], [0.75, 0.5, 0], [0, 1, 0.5]], 0.5, [0.4, 0.4, 0.2], [0.4, 0.4, 0.2]),  # odd stakes
        ([[0.2, 0.4], [0.3, 0.9]], 0.3, [0, 1], [1, 0]),  # a saddle point
        ([[0.9, 0.1, 0.8], [0.1, 0.9, 0.9], [0, 0.1, 0.1]], 0.5, [0.5, 0.5, 0], [0.5, 0.5, 0]),  # dominated orders
        ([[0.7]], 0.7, [1], [1]),
        ([[0, 0], [0, 0]], 0, None, None),
        ([[1, 0, 1, 0.5]], 0, [1], [0, 1, 0, 0]),
    ],
)
def test_a_matrix_game_has_its_value(payoff, expected, rows, columns):
    found, row_mix, column_mix = solved(payoff)
    assert found == pytest.approx(expected, abs=1e-12)
    assert found == pytest.approx(float(exact_value([[round(20 * x) for x in row] for row in payoff])) / 20, abs=1e-12)
    if rows:
        assert row_mix == pytest.approx(rows)
        assert column_mix == pytest.approx(columns)


def test_the_guarantees_of_both_mixes_meet():
    dice = np.random.default_rng(5)
    for case in range(300):
        shape = dice.integers(1, 40, 2)
        payoff = dice.random(shape) if case % 2 else dice.integers(0, 3, shape) / 2  # many ties: wins, draws, losses
        found, row_mix, column_mix = solved(payoff)
        assert min(row_mix.min(), column_mix.min()) >= 0
        assert (row_mix.sum(), column_mix.sum()) == pytest.approx((1, 1))
        assert (row_mix @ payoff).min() == pytest.approx(found, abs=1e-9)
        assert (payoff @ column_mix).max() == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize(("board", "turns"), ENDGAMES)
def test_an_endgame_is_solved_to_the_end(board, turns):
    expected = float(worth(endgame(board, turns)))
    for seat in range(2):
        search = searched(placed(board, turns), seat, turns + 1)
        found = search.found()
        assert value(found) == pytest.approx(1 - expected if seat else expected, abs=1e-9)
        assert all(finding.exact for finding in found.values())
        assert search.depth <= turns


def test_a_forced_win_is_proven_and_found_at_once():
    board = {"A1": (0, 1, 1), "B1": (0, 2, 1), "C2": (0, 3, 1), "F6": (1, 1, 1), "F3": (1, 2, 1), "D5": (1, 3, 1)}
    found = searched(placed(board, 50), 0, 4).found()
    assert {(f.proven, f.distance) for f in found.values() if f.weight} == {("win", 1)}
    lost = searched(placed(board, 50), 1, 4).found()
    assert {f.proven for f in lost.values()} == {"loss"}
    assert sum(f.weight for f in lost.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    "options", [{}, {"own_stacking": "yes"}, {"jump": "yes"}, {"void_blocks": "yes"}, {"quiet_turns": None}]
)
def test_every_order_has_a_value_a_weight_and_a_regret(options):
    for seed in range(3):
        game = midgame(seed, 4, **options)
        for seat in range(2):
            search = Equilibrium(game, seat)
            search.run(1)
            found = search.found()
            assert sorted(found) == sorted(game.actions(seat))
            assert sum(f.weight for f in found.values()) == pytest.approx(1)
            assert min(f.regret for f in found.values()) >= -1e-6
            assert max(f.regret for f in found.values() if f.weight) <= 1e-6
            assert value(found) == pytest.approx(max(f.value for f in found.values()))


def test_both_seats_agree_on_the_value():
    game = midgame(2, 5)
    assert value(searched(game, 0, 2).found()) + value(searched(game, 1, 2).found()) == pytest.approx(1)


def test_the_symmetric_start_is_even():
    for depth in (1, 2):
        assert value(searched(quatuor.new("trois_six"), 0, depth).found()) == pytest.approx(0.5)


def test_small_steps_find_what_one_large_step_finds():
    game = midgame(7, 3)
    whole, steps = Equilibrium(game, 1), Equilibrium(game, 1)
    whole.run(40_000)
    steps.run(1)
    while steps.done < 40_000:
        before = steps.done
        steps.run(97)
        assert before < steps.done <= before + 97
    steps.run(0)
    assert whole.depth >= 2
    assert (whole.depth, whole.found()) == (steps.depth, steps.found())


def test_the_other_seats_order_is_not_seen():
    game = midgame(4, 3)
    for seat in range(2):
        informed = game.copy()
        informed.play({1 - seat: informed.legal(1 - seat)[3]})
        blind, seeing = Equilibrium(game, seat), Equilibrium(informed, seat)
        for search in (blind, seeing):
            search.run(5_000)
        assert blind.found() == seeing.found()


def test_the_next_turn_reuses_the_search():
    game = placed(ENDGAMES[2][0], 50)
    search = searched(game, 0, 3)
    game.play({0: "-", 1: "-"})
    fresh = searched(game, 0, 2)
    assert search.advance(game)
    while search.depth < 2:
        search.run(10)
    assert value(search.found()) == pytest.approx(value(fresh.found()))
    assert search.done < 0.75 * fresh.done
    assert not search.advance(quatuor.new("trois_six", jump="yes"))


def test_only_for_two_seats():
    with pytest.raises(ValueError, match="two seats"):
        Equilibrium(quatuor.new("blokus"), 0)


def test_an_order_is_added_to_the_restricted_game_only_once():
    """By rounding, an order of the restricted game may seem better than the mix: it must not be added again."""
    frames = searched(midgame(3, 2), 0, depth=1)._frames
    value = float(frames.value[0])
    seats = [set(frames.picks[0, seat, : frames.sizes[0, seat]].tolist()) for seat in (0, 1)]
    frames.value[0] = value - 0.01  # as if the simplex result were inexact: now all picked orders seem better
    assert answer(frames, 0, 0) not in seats[0]
    frames.value[0] = value + 0.01
    assert answer(frames, 0, 1) not in seats[1]
