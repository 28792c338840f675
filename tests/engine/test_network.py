"""The search with a network: it evaluates the right positions, uses the answers, and is deterministic."""

import numpy as np
import pytest

import quatuor
import quatuor.games
from quatuor.engine.batch import Batch
from quatuor.engine.network import Search
from quatuor.engine.network_kernels import PENDING, PRIOR, VISITS
from quatuor.engine.observation import look
from tests.engine import ring


def blind(planes, facts, mask):
    """Uniform policy, value 0."""
    return np.zeros(mask.shape), np.zeros(len(mask))


def hashed(planes, facts, mask):
    """Arbitrary answers, the same for the same position."""
    cells = planes.reshape(len(planes), -1).astype(np.int64)
    number = cells @ (np.arange(cells.shape[1]) * 7919 % 1009) + facts.astype(np.int64).sum(axis=1)
    policy = (number[:, None] + 31 * np.arange(mask.shape[1])) % 17 / 8.0
    return policy, (number % 201 - 100) / 100.0


def played(moves, variant=None):
    game = quatuor.new("plus4", variant)
    for move in moves:
        game.play(move)
    return game


def consistent(search):
    """Every node has the visits of its children and one of its own; no evaluation is pending."""
    nodes = search._forest.nodes
    for tree, used in enumerate(search._forest.used):
        assert (nodes[tree, :used, PENDING] == 0).all()
        kids = nodes[tree, 0, 0], nodes[tree, 0, 0] + nodes[tree, 0, 1]
        assert nodes[tree, slice(*kids), VISITS].sum() == nodes[tree, 0, VISITS] - 1
        assert search._forest.values[tree, slice(*kids), PRIOR].sum() == pytest.approx(1)


def test_it_asks_about_positions_as_the_seat_that_acts_sees_them():
    asked = []

    def evaluate(planes, facts, mask):
        asked.append((planes.copy(), facts.copy(), mask.copy()))
        return hashed(planes, facts, mask)

    game = played("ab")
    Search(game, evaluate).run(1)
    planes, facts = look(game.book, game.state, 0)
    assert [len(part) for part in asked[0]] == [1, 1, 1]
    assert np.array_equal(asked[0][0][0], planes)
    assert np.array_equal(asked[0][1][0], facts)
    assert np.flatnonzero(asked[0][2][0]).tolist() == sorted(game.actions())


def test_several_positions_are_evaluated_at_once_and_none_twice():
    sizes, seen = [], []

    def evaluate(planes, facts, mask):
        sizes.append(len(mask))
        seen.extend(row.tobytes() for row in planes)
        return hashed(planes, facts, mask)

    search = Search(quatuor.new("plus4", "endless"), evaluate)
    search.run(400)
    assert 400 <= search.done <= 408
    assert sum(sizes) <= search.done
    assert max(sizes) == 8
    assert np.mean(sizes) > 4
    consistent(search._search)


def test_the_policy_guides_visits_and_the_value_decides():
    def towards(column):
        def evaluate(planes, facts, mask):
            policy = np.full(mask.shape, -np.inf)
            policy[:, column] = 0.0
            return policy, np.zeros(len(mask))

        return evaluate

    for column in (0, 3):
        search = Search(quatuor.new("plus4"), towards(column))
        search.run(50)
        assert search.found()[column].visits == search.done - 1

    def likes_c(planes, facts, mask):  # value: a pawn on top of column c means that seat 0 wins
        moves = planes.sum(axis=(1, 2, 3))
        return np.zeros(mask.shape), np.where(planes[:, :2, 0, 2].any(axis=1), 0.9 * (-1.0) ** moves, 0.0)

    search = Search(quatuor.new("plus4"), likes_c)
    search.run(20)
    found = search.found()
    assert max(found, key=lambda action: found[action].visits) == 2
    assert found[2].value > 0.9 > max(found[action].value for action in (0, 1, 3))


def test_it_wins_at_once_and_parries_with_a_uniform_network():
    assert quatuor.engine(evaluate=blind, units=60).choose(played("ababab")) == "a"
    assert quatuor.engine(evaluate=blind, units=600).choose(played("acada")) == "a"


def test_the_same_network_grows_the_same_tree_in_any_steps():
    game = played("abc", "endless")
    whole, cut = Search(game, hashed), Search(game, hashed)
    whole.run(600)
    while cut.done < 600:
        cut.run(7)
    assert whole.found() == cut.found()
    assert (
        quatuor.engine(evaluate=hashed).analyse(game)["moves"] == quatuor.engine(evaluate=hashed).analyse(game)["moves"]
    )


def test_it_reuses_the_tree_from_a_later_position():
    game = quatuor.new("plus4", "endless")
    search = Search(game, hashed)
    search.run(500)
    line = search.line(max(search.found().items(), key=lambda item: item[1].visits)[0])
    assert len(line) > 3
    for action in line[:2]:
        game.play_actions({game.to_move[0]: action})
    assert search.advance(game)
    assert 1 < search.done < 500
    consistent(search._search)
    before = search.done
    search.run(100)
    assert search.done >= before + 100
    consistent(search._search)
    assert set(search.found()) == set(game.actions())
    assert not search.advance(quatuor.new("plus4", "endless"))


def test_it_sees_the_third_occurrence():
    game = played("aaaaaaa")  # a once more is the third occurrence: a draw
    search = Search(game, lambda planes, facts, mask: (np.zeros(mask.shape), np.full(len(mask), 0.7)))
    search.run(40)
    assert search.found()[0].value == 0.5


def test_moves_can_be_chosen_and_a_full_tree_searches_on():
    game = quatuor.new("plus4", "endless")
    engine = quatuor.engine(evaluate=hashed, units=100)
    assert engine.choose(game, moves=["b", "c"]) in ("b", "c")
    search = Search(game, hashed, nodes=12)
    search.run(200)
    assert sum(finding.visits for finding in search.found().values()) == search.done - 1


def test_values_of_every_seat_begin_with_the_one_that_acts():
    asked = []

    def evaluate(planes, facts, mask):
        asked.append(mask.shape)
        value = np.zeros((len(mask), 4))
        value[:, 0] = 0.5  # good for the seat that acts
        return np.zeros(mask.shape), value

    game = quatuor.new("blokus")
    search = Search(game, evaluate)
    search.run(40)
    assert search.found()[game.actions()[0]].value == 0.5  # seat 1 acts there: nothing for seat 0
    assert asked[0] == (1, game.book.actions)


@pytest.mark.parametrize("n", [3, 80])
def test_many_games_are_searched_at_once_in_self_play(n):
    games = quatuor.batch("plus4", n, seed=1)
    search = quatuor.search(games, hashed, noise=0.25, seed=3)
    ended = 0
    for _ in range(30):
        search.run(12)
        assert (search.visits.sum(axis=1) >= 11).all()
        assert np.allclose(search.policy.sum(axis=1), 1)
        assert (np.abs(search.value) <= 1).all()
        assert (search.visits[games.mask == 0] == 0).all()
        consistent(search)
        search.step(search.sample(np.linspace(0, 1, n)))
        ended += games.ended.sum()
    assert ended


def test_a_row_is_searched_like_a_single_game():
    games = quatuor.batch("plus4", 70, "endless", seed=2)
    for _ in range(9):
        games.step(games.sample())
    search = quatuor.search(games, hashed, leaves=8)
    search.run(1)
    for _ in range(10):
        search.round()
    for row in (0, 41):
        alone = Search(games.to_game(row), hashed)
        while alone.done < search._forest.nodes[row, 0, VISITS]:
            alone.run(1)
        visits = {action: finding.visits for action, finding in alone.found().items()}
        assert {int(action): int(search.visits[row, action]) for action in visits} == visits


def test_noise_and_samples_follow_the_seed():
    def story(seed, noise):
        games = quatuor.batch("plus4", 64)
        search = quatuor.search(games, blind, seed=seed, noise=noise)
        for _ in range(4):
            search.run(10)
            search.step(search.sample())
        return games.states.tobytes()

    assert story(1, 0.25) == story(1, 0.25)
    assert len({story(1, 0.25), story(2, 0.25), story(1, 0.0)}) == 3
    games = quatuor.batch("plus4", 64)
    search = quatuor.search(games, blind)
    search.run(9)
    assert search.best().tolist() == search.sample(0).tolist() == [0] * 64


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (lambda m: (np.zeros((m, 3)), np.zeros(m)), r"policy of shape \(1, 3\): give \(1, 8\)"),
        (lambda m: (np.zeros((m, 8)), np.zeros((m, 3))), r"give \(1,\) or \(1, 2\)"),
        (lambda m: (np.full((m, 8), np.nan), np.zeros(m)), "not finite"),
        (lambda m: (np.zeros((m, 8)), np.full(m, np.inf)), "not finite"),
    ],
)
def test_wrong_answers_are_named(answer, error):
    with pytest.raises(ValueError, match=error):
        Search(quatuor.new("plus4"), lambda planes, facts, mask: answer(len(mask))).run(1)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (3, "evaluate returned int: give policy and value"),
        (None, "evaluate returned NoneType"),
        ((np.zeros((1, 8)),), "evaluate returned tuple: give policy and value, two arrays"),
        ((np.full((1, 8), "x"), np.zeros(1)), "an array of type <U1: give numbers"),
        ((np.zeros((1, 8)), None), "an array of type object: give numbers"),
    ],
)
def test_answers_that_are_no_arrays_are_named(answer, error):
    with pytest.raises(TypeError, match=error):
        Search(quatuor.new("plus4"), lambda planes, facts, mask: answer).run(1)


def test_tensors_are_answers_too():
    class Tensor:
        def __init__(self, array):
            self.array = array

        def detach(self):
            return self

        def cpu(self):
            return self.array

    search = Search(quatuor.new("plus4"), lambda *seen: tuple(map(Tensor, hashed(*seen))))
    search.run(50)
    plain = Search(quatuor.new("plus4"), hashed)
    plain.run(50)
    assert search.found() == plain.found()


def test_what_cannot_be_searched_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="trois_six: several seats act at once"):
        quatuor.search(Batch("trois_six", 2), blind)
    monkeypatch.setitem(quatuor.games._extra, "ring", ring.RULEBOOK)
    with pytest.raises(ValueError, match="ring has no planes"):
        quatuor.engine(evaluate=blind).choose(quatuor.new("ring"))
    with pytest.raises(ValueError, match="leave out level, plain and threads"):
        quatuor.engine(level=3, evaluate=blind)
    with pytest.raises(TypeError, match="give a function"):
        quatuor.engine(evaluate=3)
    with pytest.raises(TypeError, match="give a function"):
        quatuor.search(Batch("plus4", 2), 5)
    with pytest.raises(TypeError, match="give a batch"):
        quatuor.search(quatuor.new("plus4"), blind)
    with pytest.raises(TypeError, match="explore='a lot': give a number"):
        quatuor.search(Batch("plus4", 2), blind, explore="a lot")
    with pytest.raises(ValueError, match="simulations=0"):
        quatuor.search(Batch("plus4", 2), blind).run(0)
    with pytest.raises(ValueError, match="noise=2: choose a number from 0 to 1"):
        quatuor.search(Batch("plus4", 2), blind, noise=2)


def test_a_search_says_what_it_searches():
    search = quatuor.search(Batch("plus4", 2), blind)
    assert repr(search) == "<BatchSearch in <Batch plus4:elementary, 2 games>, by blind>"


def test_memory_is_taken_as_trees_grow():
    games = quatuor.batch("plus4", 300, seed=1)
    search = quatuor.search(games, hashed)
    before = search._forest.nodes.nbytes
    assert before < 1_000_000
    search.run(60)
    assert before < search._forest.nodes.nbytes < 40_000_000
    assert search._forest.used.max() > 1 + search._reach
    consistent(search)
    visits, small = search.visits, quatuor.search(games, hashed, nodes=1 + 60 * 8)
    small.run(60)
    assert np.array_equal(small.visits, visits)
