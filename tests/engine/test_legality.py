"""The engine's moves are legal in any position, at any level, in any time. A long run: bench.engine_legality."""

import threading

import pytest

import quatuor
from bench.engine_legality import VARIANTS, WAYS, wrong


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_no_answer_is_wrong(name, variant):
    assert wrong(name, variant, 3 * len(WAYS)) == []


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_an_engine_can_be_closed_at_any_moment(name, variant):
    game = quatuor.new(name, variant)
    for delay in (0.0, 0.001, 0.02):
        engine = quatuor.engine(units=1 << 50, plain=delay == 0.001, seed=1)
        timer = threading.Timer(delay, engine.close)
        timer.start()
        assert engine.choose(game, game.to_move[0]) in game.legal(game.to_move[0])
        timer.join()
