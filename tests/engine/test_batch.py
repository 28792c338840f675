"""Batches: every array agrees with the same games played one by one."""

import gc
import hashlib
import threading
import time
import weakref
from dataclasses import replace

import numpy as np
import pytest

import quatuor
import quatuor.games
from quatuor.engine.batch import Batch
from quatuor.engine.observation import look
from quatuor.games import NAMES, rulebook
from quatuor.games.contract import IllegalMove

EVERY = [(name, variant.name) for name in NAMES for variant in rulebook(name).variants]


def _agree(games: Batch, i: int, twin: quatuor.Game) -> None:
    """Row i of a batch agrees with the game."""
    assert games.states[i].tolist() == twin.state.tolist()
    for seat in twin.to_move:
        row = (i, seat) if games.simultaneous else (i,)
        assert np.flatnonzero(games.mask[row]).tolist() == sorted(twin.actions(seat))
        planes, facts = look(twin.book, twin.state, seat)
        assert np.array_equal(games.planes[row], planes)
        assert np.array_equal(games.facts[row], facts)
    if not twin.over:
        assert games.seat[i] == twin.to_move[0]


@pytest.mark.parametrize(("name", "variant"), EVERY)
def test_every_row_is_a_game(name, variant):
    options = {"target": 3} if variant in ("endless", "rounds") else {}  # short games
    games = quatuor.batch(name, 3, variant, seed=11, threads=1, **options)
    twins = [quatuor.new(name, variant, **options) for _ in range(3)]
    finished = 0
    for _ in range(120):
        actions = games.sample()
        games.step(actions)
        for i, twin in enumerate(twins):
            acts = dict(enumerate(actions[i])) if games.simultaneous else {twin.to_move[0]: actions[i]}
            twin.play_actions({seat: int(action) for seat, action in acts.items()})
            assert games.ended[i] == twin.over
            if twin.over:
                finished += 1
                assert tuple(games.scores[i]) == twin.scores
                beaten = [sum(np.sign(o - p) for o in twin.ranking) for p in twin.ranking]
                assert np.allclose(games.rewards[i], np.array(beaten) / (twin.seats - 1))
                twins[i] = quatuor.new(name, variant, **options)
            else:
                assert not games.rewards[i].any()
            _agree(games, i, twins[i])
    assert finished


def test_a_third_repetition_ends_a_game_as_it_does_alone():
    games, twin = Batch("plus4", 2), quatuor.new("plus4")
    for _ in range(8):  # the column is the same after 4, 6 and 8 turns
        assert not twin.over
        assert not games.ended.any()
        games.step([0, 0])
        twin.play("a")
    assert twin.reason["code"] == "repetition"
    assert games.ended.all()
    assert not games.rewards.any()


@pytest.mark.parametrize(("name", "n", "turns"), [("plateau_x", 7, 60), ("trois_six", 500, 20), ("plus4", 9000, 30)])
def test_results_do_not_depend_on_the_number_of_threads(name, n, turns):
    def run(threads: int) -> list[bytes]:
        games, digests = Batch(name, n, seed=5, threads=threads), []
        for turn in range(turns):
            actions = games.sample()
            games.step(actions)
            if turn == turns // 2:
                games.reset()
                time.sleep(0.05)  # the other threads fall asleep
            arrays = games.states, games.planes, games.mask, games.rewards, actions
            digests.append(hashlib.sha256(b"".join(array.tobytes() for array in arrays)).digest())
        return digests

    alone = run(1)
    assert alone == run(2)
    assert alone == run(5)


def test_threads_find_an_illegal_action_and_name_the_first():
    for n in (1000, 20_000):
        games = Batch("plus4", n, threads=3)
        games.step(games.sample())
        before, actions = games.states.copy(), games.sample()
        actions[[n // 2, n - 1]] = 7
        with pytest.raises(IllegalMove, match=f"game {n // 2}: seat 1 cannot play action 7"):
            games.step(actions)
        assert np.array_equal(games.states, before)
        games.step(games.sample())


def test_threads_end_with_their_batch():
    before = set(threading.enumerate())
    games = Batch("plus4", 500, threads=3)
    games.step(games.sample())
    ours = set(threading.enumerate()) - before
    assert len(ours) == 2
    del games
    gc.collect()
    for thread in ours:
        thread.join(10)
        assert not thread.is_alive()


def test_the_seed_decides():
    draws = [Batch("plus4", 50, seed=seed, observe=False).sample().tolist() for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_without_auto_reset_a_finished_game_stays():
    games = Batch("plus4", 2, auto_reset=False)
    ended = np.zeros(2, int)
    while not ended.all():
        games.step(games.sample())
        ended += games.ended
    assert ended.tolist() == [1, 1]
    end = games.states.copy()
    assert games.seat.tolist() == [-1, -1]
    assert not games.mask.any()
    games.step([0, 0])
    assert np.array_equal(games.states, end)
    assert not games.ended.any()
    games.reset()
    assert games.seat.tolist() == [0, 0]


def test_a_long_game_is_cut_off_without_reward():
    games = Batch("blokus", 2, "duo", cap=3)
    for turn in range(3):
        assert not games.cut.any(), turn
        games.step(games.sample())
    assert games.cut.all()
    assert not games.ended.any()
    assert not games.rewards.any()
    assert (games.seat == 0).all()


def test_without_auto_reset_a_game_that_was_cut_off_stays():
    games = Batch("plus4", 2, "endless", cap=3, auto_reset=False)
    for _ in range(3):
        games.step(games.sample())
    assert games.cut.all()
    end = games.states.copy()
    for _ in range(3):
        assert games.seat.tolist() == [-1, -1]
        assert not games.mask.any()
        games.step([0, 0])
        assert not games.cut.any()
    assert np.array_equal(games.states, end)


def test_an_illegal_action_is_named_and_changes_nothing():
    games = Batch("plus4", 3)
    before = games.states.copy()
    with pytest.raises(IllegalMove, match="game 1: seat 0 cannot play action 7; legal: 0, 1, 2, 3"):
        games.step([0, 7, 0])
    with pytest.raises(IllegalMove, match="game 2: seat 0 cannot play action -1"):
        games.step([0, 0, -1])
    with pytest.raises(IllegalMove, match="cannot play action 1000000"):
        games.step([0, 0, 10**6])
    assert np.array_equal(games.states, before)


@pytest.mark.parametrize(
    ("actions", "error"),
    [([0, 1], r"shape \(2,\): give \(3,\)"), ([0.0, 1.0, 2.0], "type float64"), ([[0, 1]] * 3, r"give \(3,\)")],
)
def test_actions_of_the_wrong_form_are_refused(actions, error):
    with pytest.raises(ValueError, match=error):
        Batch("plus4", 3).step(actions)


def test_simultaneous_games_need_an_action_for_each_seat():
    games = Batch("trois_six", 2)
    with pytest.raises(ValueError, match=r"give \(2, 2\)"):
        games.step([0, 0])
    assert games.mask.shape == (2, 2, 253)


def test_a_game_without_planes_has_no_observations(monkeypatch):
    monkeypatch.setitem(quatuor.games._extra, "unseen", replace(rulebook("plus4"), name="unseen", planes=None))
    games, twins = (Batch(name, 2, seed=3) for name in ("unseen", "plus4"))
    with pytest.raises(ValueError, match="unseen has no planes"):
        _ = games.planes
    with pytest.raises(ValueError, match="unseen has no planes"):
        _ = games.facts
    for _ in range(20):
        games.step(games.sample())
        twins.step(twins.sample())
        assert np.array_equal(games.states, twins.states)


def test_wrong_settings_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="n=0"):
        Batch("plus4", 0)
    for wrong in ({"n": "4"}, {"n": 4.5}, {"n": 4, "cap": "1"}, {"n": 4, "threads": "2"}, {"n": 4, "seed": 1.5}):
        with pytest.raises(TypeError, match="give a whole number"):
            Batch("plus4", **wrong)
    with pytest.raises(ValueError, match="no option 'colour'"):
        Batch("plus4", 1, colour="red")
    with pytest.raises(ValueError, match="observe=False"):
        _ = Batch("plus4", 1, observe=False).planes
    book = rulebook("plus4")
    crowd = replace(book, name="crowd", variants=(replace(book.variants[0], seats=5),))
    monkeypatch.setitem(quatuor.games._extra, "crowd", crowd)
    with pytest.raises(ValueError, match="crowd has 5 seats: a batch is for games of up to 4"):
        Batch("crowd", 1)


@pytest.mark.parametrize(("name", "variant"), [("plus4", "elementary"), ("trois_six", None), ("blokus", "duo")])
@pytest.mark.parametrize("auto_reset", [True, False])
def test_the_end_of_a_game_is_kept_as_every_seat_saw_it(name, variant, auto_reset):
    games = Batch(name, 2, variant, seed=2, final=True, auto_reset=auto_reset, cap=40)
    over = np.zeros(2, bool)
    while not over.all():
        twins = [games.to_game(row) for row in range(2)]
        actions = games.sample()
        games.step(actions)
        for row in np.flatnonzero((games.ended | games.cut) & ~over):
            acts = dict(enumerate(actions[row])) if games.simultaneous else {twins[row].to_move[0]: actions[row]}
            twins[row].play_actions({seat: int(action) for seat, action in acts.items()})
            if games.ended[row] and not twins[row].over:
                twins[row].book.rules.repeat(twins[row].state)  # the twin does not know the earlier positions
            for seat in range(twins[row].seats):
                planes, facts = look(twins[row].book, twins[row].state, seat)
                assert np.array_equal(games.final_planes[row, seat], planes)
                assert np.array_equal(games.final_facts[row, seat], facts)
        over |= games.ended | games.cut


def test_the_end_is_kept_only_if_asked_for():
    with pytest.raises(ValueError, match="without final=True"):
        _ = Batch("plus4", 1).final_planes
    with pytest.raises(ValueError, match="without final=True"):
        _ = Batch("plus4", 1, final=True, observe=False).final_facts


@pytest.mark.parametrize("threads", [1, 3])
def test_some_rows_are_reset_or_stepped_and_the_others_stay(threads):
    games = Batch("plus4", 200, seed=3, threads=threads)
    for _ in range(5):
        games.step(games.sample())
    before, start = games.states.copy(), Batch("plus4", 1).states[0]
    odd = np.arange(200) % 2 == 1
    games.reset(odd)
    assert (games.states[odd] == start).all()
    assert (games.plies == np.where(odd, 0, 5)).all()
    assert (games.states[~odd] == before[~odd]).all()
    assert (games.mask[odd].sum(axis=1) == 4).all()
    games.reset([0, 2])
    assert games.plies.tolist()[:5] == [0, 0, 0, 0, 5]
    before = games.states.copy()
    games.step(np.where(odd, games.sample(), 99), rows=odd)  # the actions of the others are ignored
    assert (games.states[~odd] == before[~odd]).all()
    assert (games.plies[odd] == 1).all()
    with pytest.raises(IllegalMove, match="game 1:"):
        games.step(np.full(200, 99), rows=odd)
    games.step(games.sample())
    assert games.plies.tolist()[:5] == [1, 2, 1, 2, 6]


@pytest.mark.parametrize("rows", [[3], [-1], [True, False], [[0]], [0.5], "x"])
def test_rows_that_do_not_exist_are_refused(rows):
    with pytest.raises(ValueError, match=r"rows="):
        Batch("plus4", 3).reset(rows)


@pytest.mark.parametrize("name", ["plus4", "trois_six"])
def test_saved_games_go_on_as_they_would_have(name):
    games = Batch(name, 6, seed=4)
    for _ in range(9):
        games.step(games.sample())
    saved, other = games.save([1, 4]), Batch(name, 3, seed=9, cap=500)
    other.load(saved, [2, 0])
    for _ in range(60):
        for mine, theirs in ((1, 2), (4, 0)):
            assert games.states[mine].tolist() == other.states[theirs].tolist()
            assert games.mask[mine].tolist() == other.mask[theirs].tolist()
            assert games.planes[mine].tolist() == other.planes[theirs].tolist()
        games.step(games.sample())
        other.step(other.sample())


def test_loaded_games_know_their_repetitions():
    games, game = Batch("plus4", 3), quatuor.new("plus4")
    for _ in range(7):
        game.play("a")
    games.load(game, [0, 2])
    games.step([0, 0, 0])
    assert games.ended.tolist() == [True, False, True]
    games = Batch("plus4", 2)
    for _ in range(7):
        games.step([0, 0])
    again = Batch("plus4", 2)
    again.load(games.save())
    again.step([0, 1])
    assert again.ended.tolist() == [True, False]


def test_copied_rows_are_independent():
    games = Batch("plus4", 20, seed=1)
    games.step(games.sample())
    games.copy_rows([0] * 19, range(1, 20))
    assert (games.states == games.states[0]).all()
    for _ in range(4):
        games.step(games.sample())
    assert len({row.tobytes() for row in games.states}) > 5


def test_arrays_that_do_not_fit_are_not_loaded():
    games = Batch("plus4", 2, cap=5)
    with pytest.raises(ValueError, match="for 1 games of plus4"):
        games.load(games.save(), [0])
    with pytest.raises(ValueError, match="for 2 games of plus4"):
        games.load(Batch("blokus", 2).save())
    with pytest.raises(ValueError, match="with other rules"):
        games.load(quatuor.new("plus4", "endless"))
    long = Batch("plus4", 2)
    for _ in range(6):
        long.step([0, 0])
    with pytest.raises(ValueError, match="6 turns: this batch cuts off at cap=5"):
        games.load(long.save())


def test_a_row_becomes_a_game():
    games = Batch("blokus", 2, "duo", seed=1)
    games.step(games.sample())
    game = games.to_game(1)
    assert game.state.tolist() == games.states[1].tolist()
    assert game.to_move == (1,)
    game.play(game.legal()[0])
    assert game.state.tolist() != games.states[1].tolist()


def test_readers_of_dlpack_share_the_memory_and_types_are_as_documented():
    games = Batch("plus4", 3, final=True)
    for name, kind in {
        "mask": np.int8, "planes": np.int8, "facts": np.int8, "rewards": np.float32, "ended": np.bool_, "cut": np.bool_,
        "scores": np.int64, "states": np.int64, "plies": np.int64, "final_planes": np.int8, "final_facts": np.int8,
    }.items():  # fmt: skip
        array = getattr(games, name)
        assert array.dtype == kind
        assert np.shares_memory(np.from_dlpack(array), array)
    shared = np.from_dlpack(games.mask)
    games.step([0, 1, 2])
    games.step([0, 1, 2])
    assert shared.tolist() == games.mask.tolist()


def test_new_random_numbers_at_a_reset():
    games, other = Batch("plus4", 50, seed=1), Batch("plus4", 50, seed=2)
    games.reset(seed=2)
    assert games.sample().tolist() == other.sample().tolist()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_arrays_are_freed_with_their_batch(threads):
    games = Batch("plus4", 64, threads=threads)
    games.step(games.sample())
    arrays = [weakref.ref(array) for array in games._games]
    del games
    end = time.monotonic() + 30
    while any(array() is not None for array in arrays) and time.monotonic() < end:
        gc.collect()  # a spinning thread releases them a moment later
        time.sleep(0.005)
    assert [array() for array in arrays] == [None] * len(arrays)


def test_rules_of_a_batch_may_change_between_steps():
    """Calls of kernels are prepared once; a new ``cap`` or ``auto_reset`` still takes effect."""
    for threads in (1, 2):
        games = Batch("plus4", 8, threads=threads)
        games.step(games.sample())
        games.cap = 2
        games.step(games.sample())
        assert games.cut.all()
        assert (games.plies == 0).all()
        games.auto_reset = False
        for _ in range(2):
            games.step(games.sample())
        assert (games.plies == 2).all()
        games.load(quatuor.new("plus4"))
        games.step(games.sample())
        assert (games.plies == 1).all()
