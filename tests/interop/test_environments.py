"""PettingZoo's and Gymnasium's own checks pass for every game and variant."""

import contextlib
import io
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import quatuor.interop.gymnasium
import quatuor.interop.pettingzoo
from quatuor.games import NAMES, rulebook
from quatuor.games.contract import IllegalMove

EVERY = [f"quatuor/{name}-{variant.name}-v0" for name in NAMES for variant in rulebook(name).variants]
AT_ONCE = [name for name in EVERY if "trois_six" in name]


@pytest.fixture(autouse=True)
def _quiet():
    """Both checkers warn about observations that are not plain arrays, such as those with masks, and print progress."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", EVERY)
def test_pettingzoo_in_turns(name):
    def make(**how):
        return pettingzoo.make("aec", name, **how)

    api_test(make(), num_cycles=30)
    seed_test(make, num_cycles=20)
    render_test(make)


@pytest.mark.parametrize("name", AT_ONCE)
def test_pettingzoo_at_once(name):
    parallel_api_test(pettingzoo.make("parallel", name), num_cycles=60)
    parallel_seed_test(lambda: pettingzoo.make("parallel", name), num_cycles=20)


@pytest.mark.parametrize("name", EVERY)
def test_gymnasium(name):
    check_env(gymnasium.make(name).unwrapped)


def test_sequential_games_have_no_parallel_environment():
    with pytest.raises(ValueError, match="act one after the other"):
        quatuor.interop.pettingzoo.parallel_env("plus4")


def test_a_secret_order_is_not_observed():
    env = pettingzoo.make("aec", AT_ONCE[0])
    env.reset()
    before = env.observe("player_1")
    env.step(int(np.flatnonzero(env.observe("player_0")["action_mask"])[3]))
    after = env.observe("player_1")
    assert np.array_equal(before["observation"], after["observation"])
    assert np.array_equal(before["action_mask"], after["action_mask"])


def test_rewards_come_at_the_end():
    env = pettingzoo.make("aec", "quatuor/plus4-elementary-v0")
    env.reset()
    for column in (0, 1, 0, 1, 0, 1, 0):
        assert not any(env.terminations.values())
        env.step(column)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = pettingzoo.make("aec", "quatuor/plus4-elementary-v0")
    env.reset()
    with pytest.raises(IllegalMove, match="seat 0 cannot play action 4"):
        env.step(4)
    assert env.unwrapped.game.ply == 0


def test_an_illegal_action_loses_in_environments_that_cannot_refuse():
    env = gymnasium.make("quatuor/plus4-elementary-v0", seat=0)
    env.reset()
    _, reward, over, _, info = env.step(4)
    assert (reward, over) == (-1.0, True)
    assert "seat 0 cannot play action 4" in info["illegal"]
    env = pettingzoo.make("parallel", AT_ONCE[0])
    env.reset()
    _, rewards, ends, _, infos = env.step({"player_0": 0, "player_1": 252})
    assert rewards == {"player_0": -1.0, "player_1": 0.0}
    assert all(ends.values())
    assert "cannot play action 0" in infos["player_0"]["illegal"]


def last_move(game, seat):
    """A callable opponent; changes to its copy of the game have no effect."""
    move = game.legal(seat)[-1]
    game.play(move)
    return move


@pytest.mark.parametrize("opponent", ["random", 1, last_move])
def test_a_learner_meets_opponents_on_either_seat(opponent):
    env = gymnasium.make("quatuor/plus4-elementary-v0", opponent=opponent)
    seats, rewards = set(), set()
    for seed in range(6):
        seen, info = env.reset(seed=seed)
        seats.add(info["seat"])
        over = False
        while not over:
            seen, reward, over, _, _ = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        rewards.add(reward)
    assert seats == {0, 1}
    assert rewards <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"seat": 2}, "choose 0 to 1"),
        ({"opponent": 9}, "1 to 8"),
        ({"opponent": "x"}, "a function"),
        ({"render_mode": "pixels"}, "choose ansi, human, rgb_array, or None"),
    ],
)
def test_wrong_settings_are_refused(how, error):
    with pytest.raises(ValueError, match=error):
        quatuor.interop.gymnasium.SeatEnv("plus4", **how)


@pytest.mark.parametrize("action", ["x", None, 0.5, [0, 1]])
def test_an_action_that_is_no_number_is_refused(action):
    env = quatuor.interop.gymnasium.SeatEnv("plus4", seat=0)
    env.reset(seed=1)
    turns = quatuor.interop.pettingzoo.env("plus4")
    turns.reset(seed=1)
    duel = quatuor.interop.pettingzoo.parallel_env("trois_six")
    duel.reset(seed=1)
    for step in (env.step, turns.step, lambda one: duel.step({"player_0": one, "player_1": 0})):
        with pytest.raises(TypeError, match="give the number of an action"):
            step(action)
    with pytest.raises(ValueError, match="one of each agent: player_0, player_1"):
        duel.step({"player_0": 0})
    env.step(np.array([0]))


def test_a_callable_opponent_plays_its_moves():
    env = gymnasium.make("quatuor/plus4-elementary-v0", opponent=last_move, seat=1)
    env.reset(seed=1)
    env.step(0)
    assert [list(turn.values()) for turn in env.unwrapped.game.moves] == [["d"], ["a"], ["d"]]


@pytest.mark.parametrize("name", ["quatuor/plus4-elementary-v0", "quatuor/blokus-duo-v0"])
def test_the_picture_is_an_array_that_changes_with_the_position(name):
    env = gymnasium.make(name, render_mode="rgb_array", seat=0)
    seen, _ = env.reset(seed=1)
    before = env.render()
    assert (before.dtype, before.ndim, before.shape[2]) == (np.uint8, 3, 3)
    env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert (env.render() != before).any()
    board = pettingzoo.make("aec", name, render_mode="rgb_array")
    board.reset()
    assert (board.render() == before).all(), "the same picture of the same position"
