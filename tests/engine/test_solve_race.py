import random
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import numba
import numpy as np
import pytest

from quatuor.engine.solve import at_hand, solve
from quatuor.engine.solve_race import LayerFile
from quatuor.games.plus4 import blocks
from quatuor.games.plus4.exits import gains, layer
from quatuor.games.plus4.race import GAINS, Race, needs
from quatuor.games.plus4.rules import _lines as lines
from quatuor.kernel import ones
from tests.engine.positions import agrees, anywhere


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that holds the race to one point."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("layers")
        patch.setenv("QUATUOR_DATA", str(home))
        steps = []
        solve("plus4", "endless", target=1, progress=lambda done, total: steps.append((done, total)))
        assert steps == [(0, 1), (1, 1)]
        return home


@pytest.fixture
def race(folder, monkeypatch):
    monkeypatch.setenv("QUATUOR_DATA", str(folder))
    return solve("plus4", "endless", target=1)


def test_all_positions_have_a_number_of_their_own():
    grid = Race().blocks
    assert len(grid.codes) == (31**4 + 31**2) // 2  # a grid and its mirror image count once; 31**2 are their own image
    widths = np.diff(grid.offsets)
    own = np.array(
        [blocks.encode(blocks.mirror(c & 0xFFFF), blocks.mirror(c >> 16)) for c in map(blocks.grid, grid.codes)]
    )
    assert grid.offsets[-1] == blocks.POSITIONS
    assert 2 * blocks.POSITIONS - widths[own == grid.codes].sum() == 47_678_093
    assert widths.max() == blocks.BLOCK


def test_positions_have_different_places_and_mirror_images_share_them():
    race, dice, places = Race(), random.Random(2), {}
    for _ in range(400):
        game = anywhere(dice, "endless")
        mover = game.to_move[0]
        mine, theirs, bonus = (int(game.state[i]) for i in (mover, 1 - mover, 2))
        found = race.place(game.state)[1]
        assert 0 <= found < race.size
        image = [blocks.mirror(cells) for cells in (mine, theirs, bonus)]
        assert blocks.place(*image, race.blocks.numbers, race.blocks.offsets) == found or mine == image[0]
        twins = {(mine, theirs, bonus), tuple(image)}
        assert places.setdefault(found, twins) == twins


def test_layers_are_numbered_without_gap():
    pairs = [needs(number) for number in range(121)]
    assert sorted(pairs) == [(a, b) for a in range(1, 12) for b in range(1, 12)]
    assert [layer(*pair) for pair in pairs] == list(range(121))
    done = set()
    for unit in Race().units(11):
        for number in unit:  # every layer that a point can lead to comes before
            need, other = needs(number)
            ahead = {layer(a, b) for a in range(1, other + 1) for b in range(1, need + 1) if a + b < need + other}
            assert ahead <= done
        done.update(unit)
    assert done == set(range(121))


@numba.njit
def _scores(codes, children, out):
    """Mark the points that every scoring push of every position gives to the mover and to the opponent."""
    mine_points, theirs_points = np.empty(32, np.int64), np.empty(32, np.int64)
    for g in range(len(codes)):
        cells = blocks.grid(codes[g])
        mine, theirs = cells & 0xFFFF, cells >> 16
        for column in range(4):
            if children[g, column] < 0:
                after, other = blocks.sink(mine, column) | 1 << 4 * column, blocks.sink(theirs, column)
                gains(False, mine, lines(after) & ~lines(mine), column, mine_points)
                gains(False, theirs, lines(other) & ~lines(theirs), column, theirs_points)
                for i in range(ones(mine) + 2):
                    for j in range(ones(theirs) + 1):
                        out[mine_points[i], theirs_points[j]] = 1


def test_a_layer_reads_what_a_push_can_lead_to():
    grid, found = Race().blocks, np.zeros((32, 32), np.int64)
    _scores(grid.codes, grid.children, found)
    assert set(zip(*map(np.ndarray.tolist, found.nonzero()), strict=True)) == set(GAINS)
    assert Race().reads((layer(1, 1),)) == set()
    assert Race().reads((layer(1, 2), layer(2, 1))) == {layer(1, 1)}
    assert Race().reads((layer(2, 2),)) == {layer(a, b) for a, b in ((1, 1), (1, 2), (2, 1))}
    assert len(Race().reads((layer(11, 11),))) == len(GAINS) == 20


def test_every_result_is_the_best_of_the_moves(race):
    dice, seen = random.Random(4), set()
    for _ in range(2000):
        game = anywhere(dice, "endless", target=1)
        result = race.probe(game.state)
        assert result == next(iter(race.moves(game).values()))
        seen.add(result.outcome)
    assert seen == {"win", "draw", "loss"}


def test_short_results_are_those_of_plain_minimax(race):
    dice = random.Random(5)
    for _ in range(40):
        game = anywhere(dice, "endless", target=1)
        assert agrees(race.probe(game.state), game, furthest=3)


def test_the_start_of_a_race_to_one_point(race):
    found = race.summary()
    assert (found["value"], found["distance"]) == ("draw", None)
    assert found["options"]["target"] == 1


def test_a_long_race_is_known_near_its_end(race):
    dice = random.Random(5)
    early = anywhere(dice, "endless")
    assert at_hand(early) is None
    late = anywhere(dice, "endless", target=1)
    late.state[12] += 10  # 10 : 10 in a race to 11
    late.state[4:6] += 10
    assert at_hand(late).probe(late.state) == race.probe(late.state)


def test_tables_of_earlier_releases_are_found(folder):
    """The name says what a table depends on. If it changes, users have to compute their tables again, for hours."""
    (file,) = (folder / "tables" / "plus4").glob("endless-*.layers")
    assert file.name == "endless-7f1cffffbdc0bce5.layers"


def test_threads_do_not_change_the_layers(folder):
    """Computes the part of the race that needs no other layer."""
    race = Race()
    with ThreadPoolExecutor(3) as pool:
        (found,) = race.solve((0,), np.zeros((1, 1), np.uint8), pool)
    (file,) = (folder / "tables" / "plus4").glob("endless-*.layers")
    kept = np.fromfile(file, np.uint8)[-race.size :]
    assert (kept == found).all()
    assert sha256(found).hexdigest()[:16] == "8b5c4f8d3f561514", "other results: the tables need another VERSION"


def test_unfinished_layers_are_ignored(tmp_path):
    file = LayerFile(tmp_path / "some.layers", {"about": "this"}, 100)
    assert not file.finished().any()
    with file.growing(3) as writer:
        writer.write(1, np.full(100, 7, np.uint8))
        writer.finish((1,))
        writer.write(2, np.full(100, 9, np.uint8))  # as if the process had been killed here
    assert file.finished().nonzero()[0].tolist() == [1]
    with file.growing(5) as writer:  # a longer race reuses the finished layers
        known = file.read(5)
        assert (known[1] == 7).all()
        writer.write(4, np.full(100, 8, np.uint8))
        assert (known[4] == 8).all()  # no cache hides the new layer
        writer.finish((2, 4))
    assert file.finished().nonzero()[0].tolist() == [1, 2, 4]
    other = LayerFile(tmp_path / "some.layers", {"about": "that"}, 100)
    assert not other.finished().any()
