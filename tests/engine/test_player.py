import itertools
import os
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

import quatuor
import quatuor.engine.player
from quatuor.engine import analysis, guided, player, search_registry, searches
from quatuor.engine.levels import ladder
from quatuor.engine.solve import solve

GAMES = ["plus4:elementary", "plus4:endless", "plus4:rounds", "blokus", "plateau_x", "trois_six"]


def new(which, **options):
    name, _, variant = which.partition(":")
    return quatuor.new(name, variant or None, **options)


@pytest.mark.parametrize("which", GAMES)
@pytest.mark.parametrize("level", [1, 3, 8])
def test_every_game_has_an_opponent(which, level):
    """A whole game with a millisecond for each move: always legal, for every seat."""
    game = new(which)
    engine = quatuor.engine(level=level, seconds=0.001, seed=level)
    while not game.over and game.ply < 20:
        orders = {seat: engine.choose(game, seat) for seat in game.to_move}
        assert all(move in game.legal(seat) for seat, move in orders.items())
        game.play(orders)
    assert game.ply > 3


@pytest.mark.parametrize("which", GAMES)
def test_the_same_seed_plays_the_same(which):
    game = new(which)
    seat = game.to_move[0]
    for level in (1, 4):
        first, second = (quatuor.engine(level=level, seconds=60, seed=9) for _ in range(2))
        assert [first.choose(game, seat) for _ in range(3)] == [second.choose(game, seat) for _ in range(3)]


def test_threads_share_the_work():
    game = new("plus4:endless")
    one, two = (quatuor.engine(level=6, seconds=60, seed=2, threads=threads).analyse(game) for threads in (1, 2))
    work = len(game.legal()) * ladder(game, "plain")[6 - 1].units
    assert sum(row["visits"] for row in one["moves"]) == sum(row["visits"] for row in two["moves"]) == work
    again = quatuor.engine(level=6, seconds=60, seed=2, threads=2).analyse(game)
    assert again == two


def test_the_top_level_uses_all_cores_and_the_others_one_by_default():
    assert quatuor.engine(level=7).threads == 1
    assert quatuor.engine().threads == min(os.cpu_count(), quatuor.engine.player.MOST_THREADS)
    assert quatuor.engine(threads=1).threads == 1


def test_the_tree_is_kept_for_the_next_position():
    game = new("plus4:endless")
    engine = quatuor.engine(units=5000, seed=2)
    before = engine.analyse(game)["moves"][0]
    game.play(before["move"])
    answer = before["line"][1]
    game.play(answer)
    assert engine.analyse(game)["moves"][0]["visits"] < 5000
    kept = engine._searches.kept[1][0]
    fresh = quatuor.engine(units=5000, seed=2)
    fresh.analyse(game)
    assert kept.done == fresh._searches.kept[1][0].done == 5000
    assert kept.found() != fresh._searches.kept[1][0].found()


def test_a_settled_choice_ends_the_search_after_the_same_work():
    game, done = new("blokus:two"), []
    for move in ("a20,b20", "t20,s20", "t1,s1", "a1,b1"):
        game.play(",".join(sorted(move.split(","))))
    for _ in range(2):
        engine = quatuor.engine(units=3000, seed=5)
        twin = game.copy()
        for _ in range(16):
            twin.play(engine.choose(twin))
            done.append((twin.ply, engine._searches.kept[1][0].done))
    assert done[:16] == done[16:]
    assert min(units for _, units in done) < 3000


@pytest.mark.parametrize("which", GAMES)
def test_a_closed_engine_answers_at_once(which):
    """Also if it is closed before the search begins, for example while its thread is starting."""
    game = new(which)
    engine = quatuor.engine(units=1 << 40, seed=1)
    engine.close()
    for _ in range(2):
        assert engine.choose(game, game.to_move[0]) in game.legal(game.to_move[0])


def test_a_late_stop_does_not_cut_the_next_answer():
    game = new("plus4:endless")
    stopped, twin = (quatuor.engine(units=3000, seed=2) for _ in range(2))
    for engine in (stopped, twin):
        engine.choose(game)
    stopped.stop()  # after the answer
    other = new("plus4:endless", target=3)
    assert stopped.analyse(other) == twin.analyse(other)
    assert stopped._searches.kept[1][0].done == 3000


def test_different_games_and_engines_are_used_in_threads_at_once():
    """docs/python.md: each belongs to one thread at a time, different ones do not disturb each other."""

    def played(seed):
        game, engine = quatuor.new("plus4", "endless"), quatuor.engine(units=50, seed=seed, threads=1)
        while game.ply < 6:
            game.play(engine.choose(game))
        return game.record(date="2026-11-19")

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(played, range(8))) == [played(seed) for seed in range(8)]


def test_an_engine_can_be_pickled_and_plays_the_same():
    game = new("plus4:endless")
    engine = quatuor.engine(units=500, seed=3, slack=0.2)
    first = pickle.loads(pickle.dumps(engine))
    assert first.choose(game) == engine.choose(game)
    again = pickle.loads(pickle.dumps(engine))  # with a tree in memory, which is not pickled
    assert len(pickle.dumps(engine)) < 10_000
    assert (again.units, again.slack, again.seconds, again.threads) == (500, 0.2, engine.seconds, 1)
    assert again.choose(game) in game.legal()
    again.stop()


@pytest.mark.parametrize("which", ["plus4:endless", "blokus", "trois_six"])
def test_an_analysis_lists_every_move(which):
    game = new(which)
    seat = game.to_move[0]
    found = quatuor.engine(level=4, seconds=0.2, seed=1).analyse(game, seat)
    assert found["exact"] is False
    assert sorted(row["move"] for row in found["moves"]) == sorted(game.legal(seat))
    for row in found["moves"]:
        assert -1 <= row["value"] <= 1
        assert (row["outcome"], row["distance"]) == (None, None)
        assert row["line"][0] == row["move"]
        assert (row["regret"] is None) == (row["weight"] is None) == (len(game.to_move) == 1)
    visits = [row["visits"] for row in found["moves"]]
    assert visits == sorted(visits, reverse=True)


def test_an_analysis_of_a_solved_game_is_exact():
    game = new("plus4:elementary", both_lines="opponent")
    found = quatuor.engine(level=1).analyse(game)
    assert found["exact"] is True
    best = found["moves"][0]
    assert (best["value"], best["outcome"], best["visits"]) == (1.0, "win", None)
    assert best["distance"] == solve("plus4", both_lines="opponent").summary()["distance"]
    for move in best["line"]:
        game.play(move)  # a line that can be played


def test_the_highest_level_plays_a_solved_game_perfectly():
    for seed in range(3):
        game, dice = new("plus4:elementary", both_lines="opponent"), random.Random(seed)
        engine = quatuor.engine(level=8, seed=seed)
        while not game.over:
            game.play(engine.choose(game) if game.to_move == (0,) else dice.choice(game.legal()))
        assert game.ranking == (1, 2)
        assert game.ply <= 19


def test_the_highest_level_does_not_lose_a_drawn_game():
    game, dice = new("plus4:elementary"), random.Random(4)
    engine = quatuor.engine(level=8, seed=4)
    while not game.over:
        game.play(engine.choose(game) if game.to_move == (1,) else dice.choice(game.legal()))
    assert game.ranking[1] == 1


def test_a_higher_level_beats_a_lower_one():
    wins = 0
    for seed in range(10):
        game = new("plus4:endless", target=3)
        players = [quatuor.engine(level=level, seed=seed) for level in ((1, 6) if seed % 2 else (6, 1))]
        while not game.over:
            game.play(players[game.to_move[0]].choose(game))
        strong = 1 if seed % 2 else 0
        wins += game.ranking[strong] < game.ranking[1 - strong]
    assert wins >= 8


def test_an_engine_does_not_look_at_an_order_already_given():
    """The same seed gives the same answer for any order of the other seat."""
    game = new("trois_six")
    answers = set()
    for order in game.legal(0)[:5]:
        waiting = game.copy()
        waiting.play({0: order})
        found = quatuor.engine(level=3, seconds=60, seed=5).analyse(waiting, 1)
        answers.add(str(found))
    assert len(answers) == 1


@pytest.fixture
def clock(monkeypatch):
    """Set the engine's clock: after ``clock(now)`` it calls ``now`` for the time in seconds."""
    return lambda now: [
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=now)) for module in (player, searches)
    ]


def test_it_answers_when_its_time_is_up(clock):
    """The clock advances by 10 ms whenever it is read: after 50 ms the engine reads it no more."""
    ticks = itertools.count()
    clock(lambda: next(ticks) / 100)
    game = new("blokus")
    assert quatuor.engine(seconds=0.05, threads=1, seed=1).choose(game) in game.legal()
    assert 5 <= next(ticks) <= 10


def test_it_answers_when_it_is_stopped(clock):
    """The clock stands still and stops the engine when it is read for the tenth time."""
    engine, reads = quatuor.engine(seconds=60, threads=1, seed=1), itertools.count()

    def read():
        number = next(reads)
        if number == 10:
            engine.stop()
        assert number < 20, "it goes on after stop()"
        return 0.0

    clock(read)
    game = new("blokus")
    assert engine.choose(game) in game.legal()
    assert next(reads) > 10


def test_a_forced_move_needs_no_search(clock):
    game, dice = new("blokus"), random.Random(2)
    while len(game.actions()) > 1:
        game.play(dice.choice(game.legal()))
    clock(None)  # reading the clock would be an error
    assert quatuor.engine(seconds=60).choose(game) == game.legal()[0]


def test_bad_settings_are_refused():
    for settings, hint in [
        ({"level": 9}, "1 to 8"),
        ({"level": 0}, "1 to 8"),
        ({"seconds": 0}, "above 0"),
        ({"threads": 0}, "from 1"),
        ({"threads": 65}, "to 64"),
        ({"units": 0}, "from 1"),
    ]:
        with pytest.raises(ValueError, match=hint):
            quatuor.engine(**settings)
    game = new("trois_six")
    with pytest.raises(ValueError, match="0, 1"):
        quatuor.engine().choose(game)
    over = new("plus4:elementary")
    for move in "abababa":
        over.play(move)
    with pytest.raises(ValueError, match="over"):
        quatuor.engine().choose(over)


def test_the_package_is_the_function():
    assert isinstance(quatuor.engine(level=1), quatuor.engine.player.Engine)


# ---- some moves, some lines, updates

RESTRICTED = [("blokus", "duo"), ("plateau_x", "mini"), ("trois_six", "classic"), ("plus4", "endless")]


@pytest.mark.parametrize(("name", "variant"), RESTRICTED)
def test_an_engine_looks_at_the_moves_that_it_is_given(name, variant):
    game = quatuor.new(name, variant)
    seat = game.to_move[0]
    moves = game.legal(seat)[1:6:2]
    engine = quatuor.engine(units=400, seed=3, threads=1, plain=name == "plus4")
    found = engine.analyse(game, seat, moves=moves)
    assert {row["move"] for row in found["moves"]} == set(moves)
    if name != "trois_six":  # a game whose search finds an equilibrium over all orders
        assert sum(row["visits"] for row in found["moves"]) > 300
    assert engine.choose(game, seat, moves=moves) in moves
    assert len(engine.analyse(game, seat, lines=2)["moves"]) == 2
    assert len(engine.analyse(game, seat)["moves"]) == len(game.legal(seat))
    with pytest.raises(quatuor.IllegalMove, match="'nonsense' is not a legal move"):
        engine.choose(game, seat, moves=["nonsense"])


def test_a_solved_game_is_restricted_too():
    game = quatuor.load('[Game "plus4"]\n\n1. a\n2. b\n3. a\n4. b\n5. a\n6. b\n')
    engine = quatuor.engine(level=8)
    assert engine.choose(game) == "a"
    assert engine.choose(game, moves=["c", "d"]) in ("c", "d")
    assert [row["move"] for row in engine.analyse(game, moves="b")["moves"]] == ["b"]


def test_updates_of_an_analysis_grow_until_the_last():
    game = quatuor.new("blokus", "duo")
    engine = quatuor.engine(seconds=0.6, threads=1, seed=1)
    updates = list(engine.analysis(game, lines=1))
    assert len(updates) > 1
    assert [update["final"] for update in updates] == [False] * (len(updates) - 1) + [True]
    assert [update["units"] for update in updates] == sorted(update["units"] for update in updates)
    assert not next(engine.analysis(game))["final"]
    finals = []
    for update in engine.analysis(game):
        engine.stop()
        finals.append(update["final"])
    assert finals == [False, True]


def test_comments_do_not_slow_an_engine_down():
    game = quatuor.new("plus4")
    game.play("a")
    game.node.comment = "the corner"
    assert quatuor.engine(level=3, seed=1).choose(game) == quatuor.engine(level=3, seed=1).choose(game.copy(tree=False))
    assert game.node.comment == "the corner"


@pytest.mark.parametrize(
    ("call", "error", "why"),
    [
        (lambda: quatuor.engine(seconds="1"), TypeError, "seconds='1': give a number"),
        (lambda: quatuor.engine(seed="x"), TypeError, "seed='x': give a whole number"),
        (lambda: quatuor.engine(threads=1.5), TypeError, "threads=1.5: give a whole number"),
        (lambda: quatuor.engine(units=True), TypeError, "units=True"),
        (lambda: quatuor.engine().choose("plus4"), TypeError, "an engine plays a quatuor.Game, not str"),
        (lambda: quatuor.engine().analyse(quatuor.new("plus4"), lines=0), ValueError, "lines=0"),
        (lambda: quatuor.engine().choose(quatuor.new("plus4"), moves=[]), ValueError, "name one move or more"),
    ],
)
def test_wrong_types_say_what_would_be_right(call, error, why):
    with pytest.raises(error, match=why):
        call()


def test_an_engine_shows_its_settings():
    assert repr(quatuor.engine(level=3, seconds=2, threads=1)) == "Engine(level=3, seconds=2, threads=1)"


@pytest.mark.parametrize(("name", "variant"), [("blokus", "duo"), ("plateau_x", "mini"), ("plus4", "elementary")])
def test_memory_for_a_tree_can_be_limited(name, variant, monkeypatch):
    monkeypatch.setenv("QUATUOR_TREE_MB", "1")
    game = quatuor.new(name, variant)
    kind = search_registry.kind(game)
    searcher = search_registry.module(game, kind).search(game, 0, 1)
    assert sum(array.nbytes for array in searcher._tree) <= 1_000_008
    searcher.run(3000)  # more than the tree has room for
    assert set(searcher.found()) <= set(game.actions(0))
    assert quatuor.engine(units=2000, seed=1, threads=1).choose(game) in game.legal()


def test_an_analysis_pauses_between_moves(monkeypatch):
    """A browser that lists hundreds of moves with their lines must be able to answer other messages in between."""
    game = quatuor.new("blokus", "duo")
    searcher = guided.Guided(game, 3)
    searcher.run(60)
    monkeypatch.setattr(analysis, "STEP_SECONDS", -1.0)
    assert len(list(analysis.listing(game, 0, [searcher]))) == len(game.legal())
    rows = analysis.searched(game, 0, [searcher])["moves"]
    assert analysis.searched(game, 0, [searcher], lines=5)["moves"] == rows[:5]
    assert max(len(row["line"]) for row in rows) > 1


@pytest.mark.parametrize(
    ("which", "cost"), [("plus4:endless", 2e-6), ("blokus", 1e-4), ("plateau_x", 3e-4), ("trois_six", 2e-6)]
)
def test_a_step_of_a_search_does_no_more_than_a_browser_can_wait_for(which, cost, monkeypatch):
    """A unit of work takes ``cost`` seconds by the clock of this test, as on a slow device, and often four times it."""
    now = 0.0
    monkeypatch.setattr(searches, "time", SimpleNamespace(monotonic=lambda: now))
    game = new(which)
    module = search_registry.module(game, search_registry.kind(game))

    def search(*position, begin=module.search):
        searcher = begin(*position)
        work = searcher.run

        def run(count):
            nonlocal now
            before = searcher.done
            work(count)
            now += cost * (searcher.done - before) * (4 if searcher.done // 1000 % 2 else 1)

        searcher.run = run
        return searcher

    monkeypatch.setattr(module, "search", search)
    lengths, before = [], 0.0
    for _ in quatuor.engine(level=8, seconds=0.5, threads=1).choosing(game, game.to_move[0]):
        lengths.append(now - before)
        before = now
    assert now > 0.4
    assert len(lengths) > 20
    assert max(lengths) < 0.05
