import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import quatuor
from bench.blokus_priors import features
from bench.engine_memory import nonsense, nonsense_like
from quatuor.engine import uct
from quatuor.engine.guided import DEFAULT, OUTLOOK, WIDEN, Guided, Settings
from quatuor.engine.search_api import Searcher
from quatuor.games.blokus import advice, leaf_evaluation, priors, rules
from quatuor.games.blokus.adjacency import edges
from quatuor.games.blokus.board import attach_points
from quatuor.games.blokus.tables import cells_of
from quatuor.kernel import seeded
from tests.engine import ring, ring_guided

VARIANTS = [variant.name for variant in quatuor.new("blokus").book.variants]


def randomly(variant: str, plies: int, seed: int = 1) -> quatuor.Game:
    """A position after this number of random turns, or the last one at which there is a choice."""
    game, dice = quatuor.new("blokus", variant), random.Random(seed)
    while not game.over and game.ply < plies:
        game.play_actions({game.to_move[0]: dice.choice(game.actions())})
    while game.over or len(game.actions()) == 1:
        game.undo()
    return game


def favourite(search: Searcher) -> int:
    found = search.found()
    return max(found, key=lambda action: found[action].visits)


@pytest.mark.parametrize("variant", VARIANTS)
def test_its_findings_are_the_legal_moves(variant: str) -> None:
    for plies in (0, 9, 40, 99):
        game = randomly(variant, plies)
        search = Guided(game, seed=1)
        search.run(1)
        assert set(search.found()) == set(game.actions())
        search.run(99)
        found = search.found()
        assert set(found) == set(game.actions())
        assert sum(finding.visits for finding in found.values()) == 100
        assert sum(finding.weight for finding in found.values()) == pytest.approx(1)
        assert all(0 <= finding.value <= 1 for finding in found.values())
        assert all(-178 <= finding.score <= 40 for finding in found.values() if finding.score is not None)


def test_the_same_seed_grows_the_same_tree_in_any_steps() -> None:
    game = randomly("two", 12)
    whole, cut, other = Guided(game, seed=4), Guided(game, seed=4), Guided(game, seed=5)
    whole.run(600)
    for part in (1, 199, 400):
        cut.run(part)
    other.run(600)
    assert whole.found() == cut.found()
    assert whole.found() != other.found()


@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_are_legal_games(variant: str) -> None:
    dice, memory = seeded(3), np.zeros(advice.MEMORY, np.int64)
    gains = np.zeros(advice.KINDS, np.float32)
    moves = np.zeros(rules.MOST_MOVES, np.int64)
    game = quatuor.new("blokus", variant)
    while not game.over:
        action = int(advice.choose(dice, game.state, memory, gains, moves))
        assert action in game.actions()
        game.play_actions({game.to_move[0]: action})


@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_do_not_depend_on_uninitialised_memory(variant: str) -> None:
    """Priors and leaf evaluation use the same memory."""
    moves, gains = np.zeros(rules.MOST_MOVES, np.int64), np.zeros(advice.KINDS, np.float32)
    game = randomly(variant, 8)
    clean, used = np.zeros(advice.MEMORY, np.int64), np.full(advice.MEMORY, -1, np.int64)
    for seed in range(40):
        first = advice.choose(seeded(seed), game.state, clean, gains, moves)
        assert advice.choose(seeded(seed), game.state, used, gains, moves) == first


def test_playouts_on_the_small_board_take_cells_from_the_other_side() -> None:
    """Of placements of the same size, those near the other side's attach points; the large board has its own rating."""
    moves, memory = np.zeros(rules.MOST_MOVES, np.int64), np.zeros(advice.MEMORY, np.int64)
    gains = np.zeros(advice.KINDS, np.float32)
    taken = {"chosen": 0, "legal": 0}
    for seed in range(10):
        game = randomly("duo", 8, seed)
        other = game.copy()
        other.play_actions({other.to_move[0]: other.actions()[0]})
        points = set(attach_points(other.state))
        near = points | edges(points)
        largest = [action for action in game.actions() if len(cells_of(action)) == 5]
        dice = seeded(seed)
        chosen = [int(advice.choose(dice, game.state, memory, gains, moves)) for _ in range(400)]
        taken["chosen"] += sum(len(near & set(cells_of(action))) for action in chosen) / len(chosen)
        taken["legal"] += sum(len(near & set(cells_of(action))) for action in largest) / len(largest)
    assert taken["chosen"] > 2.1 * taken["legal"]  # with the rating of the large board: 1.8


@pytest.mark.parametrize("variant", VARIANTS)
def test_utility_follows_the_places(variant: str) -> None:
    for seed in range(20):
        game = quatuor.new("blokus", variant)
        dice = random.Random(seed)
        while not game.over:
            game.play_actions({game.to_move[0]: dice.choice(game.actions())})
        places = np.array(game.ranking, np.int64)
        wins = np.array([uct.share(places, game.seats, seat) for seat in range(game.seats)])
        found = np.zeros(game.seats)
        advice.utility(game.seats, np.array(game.scores, np.int64), wins, found)
        assert all(0 <= value <= 1 for value in found)
        for a in range(game.seats):
            for b in range(game.seats):
                assert (found[a] > found[b]) == (places[a] < places[b])
        if game.seats == 2 or variant == "teams":
            assert found[0] + found[1] == pytest.approx(1)


def test_settings_of_a_variant() -> None:
    """A search without settings of its own takes those of the advice for its variant, else the default."""

    def tree(game: quatuor.Game, settings: Settings | None) -> dict[int, tuple[int, int]]:
        search = Guided(game, seed=1, settings=settings)
        search.run(300)
        return search.children()

    for variant in VARIANTS:
        game = randomly(variant, 12)
        own = DEFAULT._replace(**advice.SETTINGS.get(variant, {}))
        assert tree(game, None) == tree(game, own)
        assert (tree(game, None) == tree(game, DEFAULT)) == (variant not in advice.SETTINGS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_stop_at_the_horizon_with_an_estimate(variant: str) -> None:
    """Playouts stop where the horizon says; the estimate there is fair to every seat and near the final scores.

    Near: at most half as far from them as the scores at that moment.
    """
    game = randomly(variant, 20)
    turns = int(advice.horizon(game.state, 0))
    if variant == "duo":
        assert turns >= 400  # to the end
        return
    assert turns == leaf_evaluation.ENOUGH - game.ply
    later = randomly(variant, leaf_evaluation.ENOUGH - leaf_evaluation.LONGER + 1)
    assert advice.horizon(later.state, leaf_evaluation.MANY - 1) == leaf_evaluation.ENOUGH - later.ply
    assert advice.horizon(later.state, leaf_evaluation.MANY) >= 400  # to the end: a large search would find the errors
    memory, wins = np.zeros(advice.MEMORY, np.int64), np.zeros(game.seats)
    error, error_of_scores, scores = 0, 0, np.zeros(game.seats, np.int64)
    for seed in range(12):
        after = randomly(variant, leaf_evaluation.ENOUGH, seed)
        advice.foresee(after.state, after.seats, memory, scores, wins)
        assert all(0 < share < 1 for share in wins)
        assert sum(wins) == pytest.approx(after.seats / 2)
        foreseen, so_far = scores.copy(), after.scores
        dice = random.Random(seed)
        while not after.over:
            after.play_actions({after.to_move[0]: dice.choice(after.actions())})
        error += np.abs(foreseen - after.scores).sum()
        error_of_scores += np.abs(np.subtract(so_far, after.scores)).sum()
    assert error < error_of_scores / 2


def best_score(game: quatuor.Game, seat: int) -> int:
    """The best that a seat can reach where all moves left are its own."""
    if game.over:
        return game.scores[seat]
    assert game.to_move == (seat,)
    found = []
    for action in game.actions():
        after = game.copy()
        after.play_actions({seat: action})
        found.append(best_score(after, seat))
    return max(found)


def test_it_places_as_much_as_can_be_placed_at_the_end() -> None:
    seen = 0
    for seed in range(30):
        game, dice = quatuor.new("blokus", "duo"), random.Random(seed)
        while not game.over and not game.state[rules.OUT]:
            game.play_actions({game.to_move[0]: dice.choice(game.actions())})
        if game.over or not 3 < len(game.actions()) < 25:
            continue
        (seat,) = game.to_move
        best = best_score(game, seat)
        while not game.over:
            search = Guided(game, seed=1)
            search.run(500)
            game.play_actions({seat: favourite(search)})
        assert game.scores[seat] == best
        seen += 1
    assert seen > 3


def test_every_seat_plays_for_itself() -> None:
    """In the game for three, the player of the shared colour uses it for their own advantage."""
    game = randomly("three", 43)
    while int(game.state[rules.COLOUR]) != rules.GREEN:
        game.undo()
    (seat,) = game.to_move
    search = Guided(game, seed=1)
    search.run(3000)
    best = search.found()[favourite(search)]
    mean = sum(finding.value * finding.weight for finding in search.found().values())
    assert seat == int(game.state[rules.SHARED])
    assert best.value >= mean  # it chose what is good for the seat


def test_move_weights_equal_the_sums_of_the_fit() -> None:
    for variant in VARIANTS:
        game = randomly(variant, 17)
        moves = np.array(game.actions(), np.int64)
        worth, memory = np.zeros(len(moves)), np.zeros(advice.MEMORY, np.int64)
        advice.weigh(game.state, len(moves), moves, memory, np.zeros(advice.MAPS), worth)
        stage = int(priors.stage(game.state)) * priors.KINDS
        expected = features(game.state, moves) @ priors.WEIGHTS[stage : stage + priors.KINDS]
        assert worth == pytest.approx(expected)


def test_it_keeps_the_statistics_of_a_later_position() -> None:
    game = randomly("two", 20)
    search = Guided(game, seed=3)
    search.run(3000)
    line = search.line(favourite(search))
    visits, node = search.children()[line[0]]
    below, inner = search.children(node)[line[1]]
    grown = {action: kid[0] for action, kid in search.children(inner).items()}
    for action in line[:2]:
        assert action in game.actions()
        game.play_actions({game.to_move[0]: action})
    assert search.advance(game)
    assert search.done == below < visits
    assert {action: kid[0] for action, kid in search.children().items()} == grown
    assert set(search.found()) == set(game.actions())
    search.run(500)
    assert search.done == below + 500
    assert not search.advance(quatuor.new("blokus", "two"))


def test_the_likeliest_moves_are_tried_first() -> None:
    game = randomly("two", 30)
    moves = np.array(game.actions(), np.int64)
    worth, memory = np.zeros(len(moves)), np.zeros(advice.MEMORY, np.int64)
    advice.weigh(game.state, len(moves), moves, memory, np.zeros(advice.MAPS), worth)
    search = Guided(game, seed=1)
    while search.done < 200:
        search.run(1)
        tried = {action for action, finding in search.found().items() if finding.visits}
        likeliest = sorted(worth)[-len(tried) :]
        assert sorted(worth[[action in tried for action in moves]]) == pytest.approx(likeliest, abs=1e-4)
    assert 5 < len(tried) < 100


def test_moves_that_won_are_tried_first_in_other_positions() -> None:
    game = randomly("two", 30)
    fresh, taught = Guided(game, seed=1), Guided(game, seed=1)
    fresh.run(60)
    rare = min(fresh.found(), key=lambda action: (fresh.found()[action].visits, action))
    taught._learnt.gains[advice.alike(game.state, rare)] = 1.0
    taught.run(1)
    assert fresh.found()[rare].visits == 0
    assert taught.found()[rare].visits == 1


def test_playouts_repeat_moves_that_won() -> None:
    game = randomly("two", 30)
    moves, memory = np.zeros(rules.MOST_MOVES, np.int64), np.zeros(advice.MEMORY, np.int64)
    gains = np.zeros(advice.KINDS, np.float32)

    def chosen() -> Counter[int]:
        dice = seeded(5)
        return Counter(int(advice.choose(dice, game.state, memory, gains, moves)) for _ in range(1000))

    before = chosen()
    action = min(before, key=lambda action: (before[action], action))
    gains[advice.alike(game.state, action)] = 1.0
    assert chosen()[action] > 2 * before[action]
    gains[advice.alike(game.state, action)] = -1.0
    assert chosen()[action] <= before[action]


def test_it_learns_which_actions_win() -> None:
    """Actions with a higher value have gained more; the placements of each colour are distinguished."""
    game = randomly("two", 30)
    search = Guided(game, seed=1)
    search.run(4000)
    tried = {action: finding for action, finding in search.found().items() if finding.visits > 20}
    gains = [search._learnt.gains[advice.alike(game.state, action)] for action in tried]
    assert len(tried) > 3
    assert np.corrcoef(gains, [finding.value for finding in tried.values()])[0, 1] > 0.5
    colours = search._learnt.gains.reshape(4, -1)
    assert all(colours.any(axis=1))
    assert not np.array_equal(colours[0], colours[2])


def test_a_settled_choice_rarely_changes() -> None:
    settled = changed = 0
    for seed in range(12):
        game = randomly("two", 24 + 3 * seed, seed)
        search = Guided(game, seed)
        while search.done < 600 and not search.settled(600 - search.done):
            search.run(50)
        best, early = favourite(search), search.done < 600
        search.run(600 - search.done)
        settled += early
        changed += favourite(search) != best
    assert settled > 6
    assert changed < 2


def test_it_continues_from_a_move_without_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    """New memory is not zeroed."""
    monkeypatch.setattr(np, "empty", nonsense)
    monkeypatch.setattr(np, "empty_like", nonsense_like)
    game = randomly("two", 30)
    search = Guided(game, seed=1, nodes=20_000)
    search.run(20)
    untried = next(action for action, finding in search.found().items() if not finding.visits)
    game.play_actions({game.to_move[0]: untried})
    assert search.advance(game)
    assert search.done == 0
    search.run(50)
    assert all(0 <= finding.value <= 1 for finding in search.found().values())
    assert 0 <= search._tree.values[0, OUTLOOK] <= 1


def test_it_plays_on_when_nodes_run_out() -> None:
    search = Guided(randomly("two", 8), seed=1, nodes=900)
    search.run(2000)
    assert sum(finding.visits for finding in search.found().values()) == 2000


@pytest.mark.usefixtures("interpreted")
def test_it_sees_the_third_occurrence() -> None:
    game = quatuor.Game(replace(ring.RULEBOOK, advice=ring_guided))
    for move in "+-+":
        game.play(move)  # "-" brings back the start for the third time: a draw
    search = Guided(game, seed=1)
    search.run(2000)
    back, on = search.found()[6], search.found()[1]
    assert back.value == pytest.approx(0.5, abs=0.01)
    assert on.value < back.value  # from place 2 the other one wins at once
    assert search.line(6) == [6]


def test_it_refuses_games_that_it_cannot_search() -> None:
    game = randomly("duo", 99)
    while not game.over:
        game.play_actions({game.to_move[0]: game.actions()[0]})
    with pytest.raises(ValueError, match="over"):
        Guided(game)
    with pytest.raises(ValueError, match="advice"):
        Guided(quatuor.new("ring"))


def test_it_beats_plain_search_clearly() -> None:
    """With the same number of simulations; by points, from both sides."""
    leads = []
    for seed in range(4):
        game = quatuor.new("blokus", "two")
        while not game.over:
            (seat,) = game.to_move
            search = Guided(game, seed) if seat == seed % 2 else uct.Search(game, seed, nodes=1 << 17)
            search.run(150)
            game.play_actions({seat: favourite(search)})
        leads.append(game.scores[seed % 2] - game.scores[1 - seed % 2])
    assert all(lead > 0 for lead in leads)
    assert sum(leads) > 100


def test_a_node_with_many_visits_gets_the_moves_left_out() -> None:
    """The node keeps the statistics of its moves; the likeliest move without visits stays first."""
    game = randomly("two", 20)
    search = Guided(game, seed=1)
    search.run(WIDEN * 10)
    kids = search.children()
    favoured, (visits, node) = max(kids.items(), key=lambda kid: kid[1][0])
    assert visits > WIDEN
    after = game.copy()
    after.play_actions({game.to_move[0]: favoured})
    below = search.children(node)
    assert set(below) == set(after.actions())
    assert sum(times for times, _ in below.values()) == visits - 1
    tried = [times > 0 for times, _ in below.values()]
    assert tried == sorted(tried, reverse=True)
    rarely = min((times, kid) for times, kid in kids.values() if times > 20)[1]
    assert len(search.children(rarely)) < 200 < len(below)


def test_a_reused_root_has_every_move() -> None:
    """A reused root has all moves, also those that were left out before."""
    game = randomly("two", 20)
    search = Guided(game, seed=1)
    search.run(200)
    kids = search.children()
    action = sorted(kids, key=lambda kid: kids[kid][0])[-2]
    game.play_actions({game.to_move[0]: action})
    before = search.children(kids[action][1])
    assert search.advance(game)
    search.run(1)
    after = search.children()
    assert 0 < len(before) < len(after) == len(game.actions())
    assert sum(visits for visits, _ in after.values()) == sum(visits for visits, _ in before.values()) + 1
