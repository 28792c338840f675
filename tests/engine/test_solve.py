import random

import numpy as np
import pytest

import quatuor
from quatuor.engine import retrograde, table_files
from quatuor.engine.result import Result
from quatuor.engine.solve import at_hand, solve
from quatuor.games.plus4 import space
from quatuor.kernel import bind
from tests.engine.positions import agrees, anywhere

RULINGS = ("draw", "mover", "opponent", "continue")


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """The elementary game under every ruling."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUATUOR_DATA", str(tmp_path_factory.mktemp("tables")))
        return {ruling: solve("plus4", "elementary", both_lines=ruling) for ruling in RULINGS}


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_result_is_the_best_of_the_moves(solved, ruling):
    dice = random.Random(7)
    seen = set()
    for _ in range(1500):
        game = anywhere(dice, "elementary", both_lines=ruling)
        result = solved[ruling].probe(game.state)
        assert result == next(iter(solved[ruling].moves(game).values()))
        seen.add(result.outcome)
    assert seen == {"win", "draw", "loss"}


@pytest.mark.parametrize("ruling", RULINGS)
def test_short_results_are_those_of_plain_minimax(solved, ruling):
    dice = random.Random(8)
    for _ in range(60):
        game = anywhere(dice, "elementary", both_lines=ruling)
        assert agrees(solved[ruling].probe(game.state), game, furthest=3)


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_result_follows_from_those_of_the_moves(solved, ruling):
    """Every result follows from those of the moves. Because distances are finite, this proves all of them."""
    results = np.asarray(solved[ruling]._table.array)
    links = np.empty((len(results), 8), np.int32)
    room = (np.zeros(n, np.int64) for n in (16, 8, 2, 2))
    scratch = retrograde.Scratch(solved[ruling].start.state.copy(), *room)
    bind(retrograde, space, "plus4").edges(0, len(results), scratch, links)
    links = links[:, :4]
    after = -results[np.maximum(links, 0)].astype(int)
    after += np.sign(after)  # one turn further from the end
    for end, result in ((retrograde.WON, 1), (retrograde.DRAWN, 0), (retrograde.LOST, -1)):
        after[links == end] = result
    assert (worth(after).max(axis=1) == worth(results.astype(int))).all()


def worth(results):
    """A higher number is a better result: an early win, a late loss."""
    return 1000 * np.sign(results) - results


def test_the_mirror_image_is_worth_the_same(solved):
    dice = random.Random(9)
    for _ in range(300):
        game = anywhere(dice, "elementary", both_lines="continue")
        image = game.copy()
        for word in (0, 1):
            cells = int(game.state[word])
            image.state[word] = sum((cells >> 4 * column & 15) << 4 * (3 - column) for column in range(4))
        assert solved["continue"].probe(game.state) == solved["continue"].probe(image.state)


def test_a_number_and_its_position_belong_together():
    game = quatuor.new("plus4")
    dice = random.Random(1)
    for number in [0, 2 * space.GRIDS - 1, *(dice.randrange(2 * space.GRIDS) for _ in range(500))]:
        space.unindex(number, game.state)
        assert space.index(game.state) == number
        blue, red = int(game.state[0]), int(game.state[1])
        assert blue & red == 0


def test_play_by_the_solution_gets_its_result(solved):
    solution = solved["opponent"]
    assert solution.summary()["value"] == "win"
    dice = random.Random(3)
    game = quatuor.new("plus4", both_lines="opponent")
    left = solution.probe(game.state).distance
    while not game.over:
        best, result = next(iter(solution.moves(game).items()))
        assert (result.outcome, result.distance <= left) == ("win", True)
        game.play(best)
        if not game.over:
            game.play(dice.choice(game.legal()))
            left -= 2
    assert game.ranking == (1, 2)
    assert left >= 0


def test_the_summary_adds_up(solved):
    for ruling in RULINGS:
        found = solved[ruling].summary()
        assert found["options"]["both_lines"] == ruling
        counts = found["reachable"]
        assert counts["win"] + counts["draw"] + counts["loss"] == counts["total"] <= 2 * space.GRIDS
        assert (found["distance"] is None) == (found["value"] == "draw")
        assert set(found["best"]) <= {"a", "b", "c", "d"}


def test_a_kept_table_is_used_only_for_its_own_rules(data, solved):
    solution = solve("plus4", "elementary", both_lines="mover")
    about = retrograde._about(solution.start, space)
    assert table_files.load(about).facts == solution.facts()
    assert table_files.load(about | {"rules": "others"}) is None
    file = table_files.path(about)
    wrong = table_files.path(about | {"rules": "others"})
    wrong.write_bytes(file.read_bytes())
    assert table_files.load(about | {"rules": "others"}) is None
    file.write_bytes(file.read_bytes()[:-1])
    assert table_files.load(about) is None
    assert solve("plus4", "elementary", both_lines="mover").summary() == solution.summary()


def test_a_failing_disk_does_not_stop_the_solver(data, solved):
    (data / "tables").write_text("in the way")
    assert solve("plus4", "elementary").summary() == solved["draw"].summary()


def test_games_that_cannot_be_solved_are_refused():
    with pytest.raises(ValueError, match="cannot be solved"):
        solve("blokus")
    assert at_hand(quatuor.new("blokus")) is None


def test_results_are_ordered():
    best_first = [Result("win", 3), Result("win", 9), Result("draw", None), Result("loss", 8), Result("loss", 2)]
    assert sorted(best_first, key=lambda result: result.rank, reverse=True) == best_first
    assert Result("win", 3).before(flipped=True) == Result("loss", 4)
    assert Result("win", 3).before(flipped=False) == Result("win", 4)
