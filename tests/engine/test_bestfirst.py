"""The best-first search against plain exhaustive search, on late positions of every variant of Plateau X."""

import dataclasses
import functools
import itertools
import random

import numpy as np
import pytest

import quatuor
from quatuor.engine.bestfirst import Search
from quatuor.game import Game
from quatuor.games.plateau_x import advice
from tests.engine import ring, ring_advice

WAYS = [(variant, edition) for variant in ("four", "trio", "mini", "double") for edition in ("de", "fr")]
BUDGET = 1000  # positions of an exhaustive search


class TooMany(Exception):
    """The position is too early for an exhaustive search."""


def random_game(seed, variant, edition="de", plies=1000):
    game, dice = quatuor.new("plateau_x", variant, edition=edition), random.Random(seed)
    while not game.over and game.ply < plies:
        game.play_actions({game.to_move[0]: dice.choice(game.actions())})
    return game


def points(ranking):
    """The points of every seat: 2 for each other that it beats, 1 for each tie."""
    return [sum(2 * (other > own) + (other == own) for other in ranking) - 1 for own in ranking]


def exhaustive(game, root, budget):
    """By exhaustive search: the least that a seat can force, the most that it can get, and what it gets if
    all play for themselves (of equal results, the worst one for the seat ``root``)."""
    budget[0] -= 1
    if budget[0] < 0:
        raise TooMany
    if game.over:
        return (points(game.ranking),) * 3
    (seat,) = game.to_move
    results = []
    for action in game.actions():
        after = game.copy()
        after.play_actions({seat: action})
        results.append(exhaustive(after, root, budget))
    least, most, played = zip(*results, strict=True)
    pessimist = min if game.seats == 2 else max
    return (
        [(max if other == seat else min)(row[other] for row in least) for other in range(game.seats)],
        [(max if other == seat else pessimist)(row[other] for row in most) for other in range(game.seats)],
        max(played, key=lambda row: (row[seat], -row[root])),
    )


@functools.cache
def found_so_far(variant, edition):
    """The late positions that tests have asked for, and the seeds of further games."""
    return [], itertools.count()


def late_positions(variant, edition, count):
    """Positions from the ends of random games backwards, as early as exhaustive search can solve."""
    found, seeds = found_so_far(variant, edition)
    while len(found) < count:
        game = random_game(next(seeds), variant, edition)
        known = None
        for _ in range(12):
            game.undo()
            try:
                result = exhaustive(game, game.to_move[0], [BUDGET])
            except TooMany:
                break
            known = game.copy(), result
        if known and len(known[0].actions()) > 1:
            found.append(known)
    return found[:count]


@pytest.mark.parametrize(("variant", "edition"), WAYS)
def test_an_endgame_is_solved_exactly(variant, edition):
    for game, (least, most, played) in late_positions(variant, edition, 4):
        (me,) = game.to_move
        full = 2 * (game.seats - 1)
        search = Search(game, nodes=1 << 16)
        search.run(20_000)
        assert search.finished
        found = search.found()
        best = max(found.values(), key=lambda finding: finding.weight)
        assert best.value == pytest.approx(played[me] / full)
        assert best.exact or best.proven
        assert (best.proven == "win") == (least[me] == full)
        assert (best.proven == "loss") == (most[me] == 0)


@pytest.mark.parametrize("variant", ["four", "trio", "mini", "double"])
def test_bounds_proven_early_are_true(variant):
    """After any amount of work the bounds hold: exhaustive search confirms them."""
    for game, (least, most, _) in late_positions(variant, "de", 2):
        (me,) = game.to_move
        for units in (1, 5, 25):
            search = Search(game, nodes=1 << 16)
            search.run(units)
            best = max(search.found().values(), key=lambda finding: finding.weight)
            assert best.proven != "win" or least[me] == 2 * (game.seats - 1)
            assert best.proven != "loss" or most[me] == 0


def wins_within(game, me, turns):
    """Whether a seat can force the first place within this number of turns, whatever the others play."""
    if game.over:
        return game.ranking[me] == 1 and game.ranking.count(1) == 1
    if turns == 0:
        return False
    results = []
    for action in game.actions():
        after = game.copy()
        after.play_actions({game.to_move[0]: action})
        results.append(wins_within(after, me, turns - 1))
    return any(results) if game.to_move == (me,) else all(results)


@pytest.mark.parametrize("variant", ["trio", "mini"])
def test_a_proven_win_comes_in_time(variant):
    checked = 0
    for game, _ in late_positions(variant, "de", 6):
        search = Search(game, nodes=1 << 16)
        search.run(20_000)
        best = max(search.found().values(), key=lambda finding: finding.weight)
        if best.proven == "win" and best.distance <= 4:
            assert wins_within(game, game.to_move[0], best.distance)
            checked += 1
    assert checked


@pytest.mark.parametrize("variant", ["four", "mini"])
def test_the_same_seed_grows_the_same_tree_in_any_steps(variant):
    game = random_game(3, variant, plies=9)
    whole, cut = Search(game, seed=4), Search(game, seed=4)
    whole.run(300)
    for part in (1, 99, 200):
        cut.run(part)
    assert whole.found() == cut.found()
    assert (whole.done, cut.done) == (300, 300)


def test_games_differ():
    game = quatuor.new("plateau_x", "mini")  # eight ways to turn and mirror the empty board
    chosen = set()
    for seed in range(12):
        search = Search(game, seed)
        search.run(1)
        found = search.found()
        chosen.add(max(found, key=lambda action: found[action].weight))
    assert len(chosen) > 1


@pytest.mark.parametrize(("variant", "edition"), WAYS)
def test_every_finding_and_line_is_legal(variant, edition):
    for seed in range(3):
        game = random_game(seed, variant, edition, plies=10 + 5 * seed)
        if game.over:
            continue
        search = Search(game, seed, nodes=1 << 16)
        search.run(50)
        found = search.found()
        assert sorted(found) == sorted(game.actions())
        assert sum(finding.weight for finding in found.values()) == 1
        assert all(finding.visits > 0 and 0 <= finding.value <= 1 for finding in found.values())
        best = max(found, key=lambda action: found[action].weight)
        line = search.line(best)
        assert line[0] == best
        for action in line:
            assert action in game.actions()
            game.play_actions({game.to_move[0]: action})


def glances(game, taste):
    """The evaluation of the position after each action, for the seat to move, without search."""
    (seat,), values, found = game.to_move, np.zeros(game.seats), {}
    for action in game.actions():
        after = game.copy()
        after.play_actions({seat: action})
        advice.evaluate(after.state, values, taste)
        found[action] = values[seat]
    return found


@pytest.mark.parametrize("variant", ["trio", "four"])
def test_opponents_who_played_greedily_are_expected_to_continue_greedily(variant):
    game, taste = quatuor.new("plateau_x", variant), advice.workspace(seed=2)
    for _ in range(5 * game.seats):
        looks = glances(game, taste)
        game.play_actions({game.to_move[0]: max(looks, key=looks.get)})
    search = Search(game, work=taste)
    search.run(200)
    found = search.found()
    first, *line = search.line(max(found, key=lambda action: found[action].weight))
    game.play_actions({game.to_move[0]: first})
    for expected in line[: game.seats - 1]:
        looks = glances(game, taste)
        assert looks[expected] == pytest.approx(max(looks.values()), abs=1e-6)
        game.play_actions({game.to_move[0]: expected})
    assert len(line) >= game.seats - 1


@pytest.mark.parametrize("variant", ["trio", "four"])
def test_opponents_who_did_not_play_greedily_are_expected_to_search(variant):
    taste, surprised, gained = advice.workspace(seed=2), 0, 0.0
    for seed in range(6):
        game = random_game(seed, variant, plies=20)
        search = Search(game, work=taste)
        search.run(400)
        found = search.found()
        first, reply, *_ = search.line(max(found, key=lambda action: found[action].weight))
        game.play_actions({game.to_move[0]: first})
        (seat,), looks = game.to_move, glances(game, taste)
        hasty = max(looks, key=looks.get)
        seen = {tuple(actions): values[seat] for actions, values in search.positions(1)}
        surprised += looks[reply] < looks[hasty] - 1e-6
        gained += seen[first, reply] - seen[first, hasty]
    assert surprised >= 2
    assert gained > 0.05 * surprised


def test_it_reuses_the_tree_from_a_later_position():
    game = random_game(1, "trio", plies=12)
    search = Search(game, seed=2)
    search.run(2000)
    best = max(search.found().items(), key=lambda item: item[1].weight)[0]
    line = search.line(best)
    assert len(line) > 3
    for action in line[:3]:
        game.play_actions({game.to_move[0]: action})
    assert search.advance(game)
    assert 0 < search.done < 2000
    known = search.found()
    assert sorted(known) == sorted(game.actions())
    assert search.line(max(known, key=lambda action: known[action].weight)) == line[3:]
    done = search.done
    search.run(100)
    assert search.done == done + 100
    assert not search.advance(quatuor.new("plateau_x", "trio"))


def test_every_line_of_the_tree_can_be_played():
    game = random_game(2, "four", plies=8)
    search = Search(game)
    search.run(200)
    positions = list(search.positions(5))
    assert positions[0][0] == []
    assert positions[0][1].max() <= 1
    assert len(positions) > 3
    for actions, values in positions:
        after = game.copy()
        for action in actions:
            assert action in after.actions()
            after.play_actions({after.to_move[0]: action})
        assert values.shape == (4,)


def test_it_ends_when_nodes_run_out():
    game = random_game(1, "mini", plies=6)
    search = Search(game, nodes=500)
    search.run(500)
    assert search.finished
    assert sum(finding.weight for finding in search.found().values()) == 1


def test_the_evaluation_is_fair():
    """The seats' values have a fixed sum, and each lies between being beaten by all and beating all."""
    for variant in ("four", "trio", "mini", "double"):
        game = random_game(5, variant, plies=14)
        values = np.zeros(game.seats)
        advice.evaluate(game.state, values, advice.workspace(seed=7))
        assert values.sum() == pytest.approx(game.seats / 2)
        assert values.min() > 0
        assert advice.judge(game.state, 1) == pytest.approx(values[1], abs=0.1)


@pytest.mark.usefixtures("interpreted")
def test_it_sees_the_third_occurrence():
    """In a game without an evaluation."""
    game = Game(dataclasses.replace(ring.RULEBOOK, advice=ring_advice))
    for move in "+-+":
        game.play(move)
    search = Search(game, nodes=1 << 12)
    search.run(200)
    found = search.found()
    assert found[6].proven == "draw"  # it brings back the start for the third time
    assert found[1].proven == "loss"  # from place 2 the other one wins at once
    assert found[1].distance == 2
    assert search.finished
    assert found[6].weight == 1


def test_it_refuses_games_that_it_cannot_search():
    with pytest.raises(ValueError, match="over"):
        Search(random_game(1, "mini"))
    with pytest.raises(ValueError, match="advice"):
        Search(quatuor.new("plus4"))
