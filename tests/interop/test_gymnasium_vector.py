"""The vector environment: seats, opponents, ends and resets as Gymnasium documents them."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from quatuor.interop import gymnasium as adapter
from quatuor.interop.gymnasium_vector import VectorSeatEnv

adapter.register()

PLUS4 = "quatuor/plus4-elementary-v0"


def first(seen):
    """An opponent: the first legal action in every position."""
    return seen["action_mask"].argmax(axis=1)


def last(seen):
    return seen["action_mask"].shape[1] - 1 - seen["action_mask"][:, ::-1].argmax(axis=1)


def drawn(seen, dice):
    return (seen["action_mask"] * dice.random(seen["action_mask"].shape)).argmax(axis=1)


@pytest.mark.parametrize("name", [PLUS4, "quatuor/trois_six-classic-v0", "quatuor/blokus-classic-v0"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_observations_fit_their_spaces_and_games_restart(name, mode):
    envs, dice = gymnasium.make_vec(name, num_envs=5, autoreset_mode=mode, cap=90), np.random.default_rng(1)
    assert envs.metadata["autoreset_mode"] is mode
    seen, info = envs.reset(seed=1)
    over, ends = np.zeros(5, bool), 0
    for _ in range(60):
        assert seen in envs.observation_space
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(ValueError, match="reset_mask"):
                envs.step(np.zeros(5, int))
            seen, _ = envs.reset(options={"reset_mask": over})
        before = over
        seen, rewards, ended, cut, info = envs.step(drawn(seen, dice))
        over, ends = ended | cut, ends + (ended | cut).sum()
        assert not rewards[~ended].any()
        assert not info["illegal"].any()
        if mode is AutoresetMode.NEXT_STEP:
            assert not (over & before).any()
        if mode is AutoresetMode.SAME_STEP:
            assert seen["action_mask"].any(axis=1).all()
            assert (info.get("_final_obs", np.zeros(5, bool)) == over).all()
            for row in np.flatnonzero(over):
                assert info["final_obs"][row] in envs.single_observation_space
                assert not info["final_obs"][row]["action_mask"].any()
        else:
            assert (seen["action_mask"].any(axis=1) == ~over).all()
    assert ends


def test_it_plays_as_the_environment_of_one_game_does():
    envs = gymnasium.make_vec(PLUS4, num_envs=4, seat=1, opponent=last)
    env = gymnasium.make(PLUS4, seat=1, opponent=lambda game, seat: game.legal(seat)[-1])
    seen, _ = envs.reset(seed=1)
    one, _ = env.reset(seed=1)
    over = False
    while not over:
        assert all(np.array_equal(seen[key][2], one[key]) for key in one)
        actions = first(seen)
        one, reward, over, _, _ = env.step(int(actions[2]))
        seen, rewards, ended, _, _ = envs.step(actions)
        assert (rewards[2], ended[2]) == (reward, over)
    assert all(np.array_equal(seen[key][2], one[key]) for key in one if key != "action_mask")


def test_an_illegal_action_loses_that_game_alone():
    envs = gymnasium.make_vec(PLUS4, num_envs=3, seat=0)
    envs.reset(seed=1)
    _, rewards, ended, _, info = envs.step(np.array([0, 7, -1]))
    assert rewards.tolist() == [0, -1, -1]
    assert ended.tolist() == info["illegal"].tolist() == [False, True, True]
    seen, rewards, ended, _, info = envs.step(np.array([0, 7, 7]))  # the next step resets their games
    assert not (ended | info["illegal"])[1:].any()
    assert (seen["action_mask"][1:].sum(axis=1) == 4).all()


def test_the_seed_decides_games_and_seats():
    def story(seed):
        envs = VectorSeatEnv("plus4", num_envs=20)
        seen, info = envs.reset(seed=seed)
        history = [info["seat"].tolist()]
        for _ in range(12):
            seen, rewards, *_ = envs.step(first(seen))
            history.append((seen["observation"].tobytes(), rewards.tolist()))
        return history

    assert story(1) == story(1) != story(2)
    assert set(story(1)[0]) == {0, 1}


@pytest.mark.parametrize(("name", "variant"), [("plus4", "elementary"), ("trois_six", "classic"), ("blokus", "duo")])
def test_every_game_has_a_seed_of_its_own(name, variant):
    """What happens in a game depends on its own seed alone: not on its row, the other games or their seeds."""

    def stories(seed, count):
        envs = VectorSeatEnv(name, variant, num_envs=count)
        seen, info = envs.reset(seed=seed)
        history = [[] for _ in range(count)]
        for _ in range(40):
            seen, rewards, _, _, info = envs.step(first(seen))
            for row in range(count):
                history[row].append((int(info["seat"][row]), float(rewards[row]), seen["observation"][row].tobytes()))
        return history

    one = stories(5, 3)
    assert one == stories([5, 6, 7], 3)
    assert one[0] != one[1]
    assert stories([9, 6, 1, 5], 4)[1::2] == [one[1], one[0]]


def test_invalid_seeds_are_refused():
    envs = VectorSeatEnv("plus4", num_envs=2)
    with pytest.raises(ValueError, match="3 seeds: give one number, or one for each of the 2 games"):
        envs.reset(seed=[1, 2, 3])
    envs.reset(seed=[1, None])
    other = VectorSeatEnv("plus4", num_envs=2)
    other.reset(seed=[1, None])
    mine, theirs = envs._games.save(), other._games.save()
    assert mine.generators[0] == theirs.generators[0]
    assert mine.generators[1] != theirs.generators[1]
    envs.reset(seed=9, options={"reset_mask": np.array([True, False])})  # the other game goes on
    assert envs._games.save([1]).states.tolist() == mine.states[1:].tolist()
    assert envs._games.save([1]).generators.tolist() == mine.generators[1:].tolist()


def test_a_learner_beats_a_weak_opponent():
    """Four in column a against an opponent that always plays the last column."""
    envs = VectorSeatEnv("plus4", num_envs=2, seat=0, opponent=last, render_mode="rgb_array")
    envs.reset()
    for turn in range(4):
        _, rewards, ended, _, _ = envs.step([0, 1])
        assert ended.all() == (turn == 3)
    assert rewards.tolist() == [1, 1]
    pictures = envs.render()
    assert len(pictures) == 2
    assert (pictures[0] != pictures[1]).any()


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"seat": 2}, "choose 0 to 1"),
        ({"opponent": 9}, "a level from 1 to 8"),
        ({"render_mode": "human"}, "choose rgb_array"),
    ],
)
def test_wrong_settings_are_refused(how, error):
    with pytest.raises(ValueError, match=error):
        gymnasium.make_vec(PLUS4, num_envs=2, **how)


@pytest.mark.parametrize("name", [PLUS4, "quatuor/trois_six-classic-v0"])
@pytest.mark.parametrize("opponent", [2, "2", lambda game, seat: game.legal(seat)[0]])
def test_an_engine_and_a_function_of_one_game_play_too(name, opponent):
    envs = gymnasium.make_vec(name, num_envs=2, opponent=opponent)
    seen, _ = envs.reset(seed=3)
    ends = 0
    for _ in range(60):
        seen, _, ended, _, info = envs.step(first(seen))
        assert not info["illegal"].any()
        ends += ended.sum()
    assert ends


def test_an_opponent_that_breaks_the_rules_is_named():
    envs = VectorSeatEnv("plus4", num_envs=2, seat=0, opponent=lambda seen: [7] * len(seen["action_mask"]))
    envs.reset()
    with pytest.raises(ValueError, match="not legal"):
        envs.step([0, 0])
