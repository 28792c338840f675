"""The checker against the clauses, and against altered solutions."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatuor.games.blokus.puzzles.check import name_of
from quatuor.games.blokus.puzzles.position import cell_at, cell_name
from quatuor.games.blokus.tables import DRAWN, FORMS
from quatuor.puzzles import Piece, Position, check, empty
from tests.games.blokus.puzzles import FORMS as PUZZLES
from tests.games.blokus.puzzles import RECTANGLES, solution
from tests.oracle import blokus as oracle


def piece(text: str) -> Piece:
    """``"blue a1,b1"``."""
    colour, cells = text.split()
    return Piece(colour, tuple(sorted(map(cell_at, cells.split(",")))))


def lay(name: str, *pieces: str, hard: bool = False) -> Position:
    return empty(name, hard).plus(map(piece, pieces))


def faults(position: Position) -> list[tuple[str, str, tuple[int, ...], tuple[str, ...]]]:
    return [(f.code, f.rule, f.pieces, tuple(map(cell_name, f.cells))) for f in check(position).faults]


# ---- clause by clause


def test_BK_1_every_form_has_the_name_of_its_piece():
    names = {(name_of(tuple(cells)), oracle.shape(cells)) for cells in oracle.all_pieces()}
    assert len(names) == len(oracle.SHAPES) == 21
    assert {name for name, _ in names} == set(DRAWN)
    assert name_of(((0, 0), (0, 2))) is None


def test_BK_20_all84_a_first_piece_covers_its_own_corner():
    corners = ["blue a20", "yellow t20", "red t1", "green a1"]
    assert faults(lay("all84", *corners)) == []
    assert faults(lay("all84", "blue t20")) == [("not_in_corner", "BK-3", (0,), ("t20",))]
    assert faults(lay("all84", "green b1")) == [("not_in_corner", "BK-3", (0,), ("b1",))]


def test_BK_20_all84_a_later_piece_touches_its_colour_by_a_corner_and_never_by_an_edge():
    assert faults(lay("all84", "blue a20", "blue b19,b18")) == []
    assert faults(lay("all84", "blue a20", "blue c18,c17")) == [("not_attached", "BK-4", (1,), ("c17", "c18"))]
    both = faults(lay("all84", "blue a20", "blue b19,b20"))
    assert both == [("touches", "BK-4", (0, 1), ("b20",))]
    assert faults(lay("all84", "blue a20", "yellow t20", "yellow s19,r19")) == []


def test_BK_20_all84_the_order_of_placing_counts():
    assert faults(lay("all84", "blue a20", "blue b19,b18", "blue c17,c16,c15")) == []
    assert faults(lay("all84", "blue a20", "blue c17,c16,c15", "blue b19,b18"))[0][0] == "not_attached"
    assert faults(lay("all84", "blue b19,b18", "blue a20"))[0][0] == "not_in_corner"


def test_BK_20_all84_colours_take_turns_as_they_like():
    assert faults(lay("all84", "red t1", "red s2,s3", "blue a20", "green a1", "red r4,q4,p4")) == []


def test_BK_20_all84_hard_goes_by_decreasing_size():
    five, four = "blue a20,a19,a18,a17,a16", "blue b15,b14,b13,b12"
    assert faults(lay("all84", five, hard=True)) == []
    assert faults(lay("all84", five, four)) == []
    assert faults(lay("all84", five, four, hard=True)) == [("too_early", "BK-20", (1,), ("b12", "b13", "b14", "b15"))]
    solved = solution("all84", True, 1)
    assert [len(p.cells) for p in solved.pieces] == [5] * 48 + [4] * 20 + [3] * 8 + [2] * 4 + [1] * 4


def test_BK_21_tetro20_has_five_shapes_in_four_colours_on_8_by_10():
    report = check(empty("tetro20"))
    assert len(report.left) == len(set(report.left)) == 20
    assert {name for _, name in report.left} == {"I4", "L4", "T4", "O4", "Z4"}
    assert (len(report.empty), report.solved, report.legal) == (80, False, True)
    assert faults(lay("tetro20", "blue j8,j7,j6,j5")) == []
    assert faults(lay("tetro20", "blue a9,a8,a7,a6")) == [("off_board", "BK-21", (0,), ("a9",))]
    assert faults(lay("tetro20", "blue a1,b1,c1")) == [("not_in_puzzle", "BK-21", (0,), ("a1", "b1", "c1"))]
    twice = faults(lay("tetro20", "blue a1,b1,c1,d1", "blue a2,a3,a4,a5"))
    assert twice == [("used_twice", "BK-21", (0, 1), ("a2", "a3", "a4", "a5"))]
    assert faults(lay("tetro20", "blue a1,b1,c1,d1", "red d1,d2,e1,e2")) == [("overlap", "BK-21", (0, 1), ("d1",))]


def test_BK_21_tetro20_hard_keeps_colours_apart():
    beside = ("blue a1,b1,c1,d1", "blue a2,b2,a3,b3")
    assert faults(lay("tetro20", *beside)) == []
    assert faults(lay("tetro20", *beside, hard=True)) == [("touches", "BK-21", (0, 1), ("a2", "b2"))]
    corner = ("blue a1,b1,c1,d1", "blue e2,f2,e3,f3")
    assert faults(lay("tetro20", *corner, hard=True)) == []


def test_BK_22_pento48_has_twelve_shapes_in_four_colours_on_15_by_16():
    report = check(empty("pento48"))
    assert len(report.left) == len(set(report.left)) == 48
    assert len(report.empty) == 240
    assert faults(lay("pento48", "green p15,p14,p13,p12,p11")) == []
    assert faults(lay("pento48", "green a16,a15,a14,a13,a12")) == [("off_board", "BK-22", (0,), ("a16",))]
    assert faults(lay("pento48", "green a1,a2,a3,a4"))[0][:2] == ("not_in_puzzle", "BK-22")


def test_BK_22_pento48_hard_keeps_colours_apart():
    beside = ("red a1,b1,c1,d1,e1", "red a2,b2,c2,a3,b3")
    assert faults(lay("pento48", *beside)) == []
    assert faults(lay("pento48", *beside, hard=True)) == [("touches", "BK-22", (0, 1), ("a2", "b2", "c2"))]


def test_a_small_puzzle_lacks_the_other_colours():
    assert faults(lay("tetro10", "red a1,b1,c1,d1"))[0][0] == "not_in_puzzle"


# ---- altered solutions


def chosen(forms) -> st.SearchStrategy[Position]:
    return st.builds(lambda form, seed: solution(*form, seed), st.sampled_from(forms), st.integers(0, 3))


def put(position: Position, i: int, piece: Piece) -> Position:
    return replace(position, pieces=(*position.pieces[:i], piece, *position.pieces[i + 1 :]))


def elsewhere(data: st.DataObject, position: Position, i: int) -> Piece:
    """The same piece in another place, perhaps turned, perhaps off the board."""
    old = position.pieces[i]
    forms = [form for form in FORMS if name_of(form) == name_of(old.cells)]
    form = data.draw(st.sampled_from(forms))
    row, column = data.draw(st.integers(0, position.rows)), data.draw(st.integers(0, position.columns))
    cells = tuple((r + row, c + column) for r, c in form)
    return Piece(old.colour, cells)


def legal_all84(position: Position) -> bool:
    """The verdict of the oracle: a replay by its naive rules."""
    board: dict[oracle.Cell, str] = {}
    left = {colour: set(oracle.SHAPES) for colour in oracle.COLOURS}
    corners = {"blue": (0, 19), "yellow": (19, 19), "red": (19, 0), "green": (0, 0)}
    for i, laid in enumerate(position.pieces):
        cells = frozenset((column, row) for row, column in laid.cells)
        own = {cell for cell, colour in board.items() if colour == laid.colour}
        fits = oracle.shape(cells) in left[laid.colour] and all(x < 20 and y < 20 for x, y in cells)
        apart = not any(oracle.edges(cell) & own for cell in cells) and not cells & set(board)
        joined = any(oracle.corners(cell) & own for cell in cells) if own else corners[laid.colour] in cells
        later = max(len(p.cells) for p in position.pieces[i:])
        if not (fits and apart and joined) or (position.hard and len(cells) < later):
            return False
        left[laid.colour].remove(oracle.shape(cells))
        board |= dict.fromkeys(cells, laid.colour)
    return not any(left.values())


@settings(deadline=None)
@given(st.data())
def test_a_moved_piece_is_caught_where_the_board_is_full(data):
    position = data.draw(chosen(RECTANGLES))
    i = data.draw(st.integers(0, len(position.pieces) - 1))
    moved = elsewhere(data, position, i)
    report = check(put(position, i, moved))
    assert report.solved == (set(moved.cells) == set(position.pieces[i].cells))
    if not report.solved:
        assert any(i in fault.pieces for fault in report.faults)


@settings(deadline=None)
@given(st.data())
def test_a_moved_piece_on_the_large_board_is_judged_as_the_rules_do(data):
    position = data.draw(chosen([("all84", False), ("all84", True)]))
    i = data.draw(st.integers(0, 83))
    tampered = put(position, i, elsewhere(data, position, i))
    assert check(tampered).solved == legal_all84(tampered)


@settings(deadline=None)
@given(st.data())
def test_two_pieces_that_changed_their_order_are_judged_as_the_rules_do(data):
    position = data.draw(chosen([("all84", False), ("all84", True)]))
    i, j = sorted(data.draw(st.lists(st.integers(0, 83), min_size=2, max_size=2, unique=True)))
    tampered = put(put(position, i, position.pieces[j]), j, position.pieces[i])
    assert check(tampered).solved == legal_all84(tampered)
    if position.hard and len(position.pieces[i].cells) != len(position.pieces[j].cells):
        assert any(fault.code == "too_early" for fault in check(tampered).faults)


@settings(deadline=None)
@given(st.data())
def test_two_pieces_of_different_form_that_swapped_colours_are_caught(data):
    position = data.draw(chosen([form for form in PUZZLES if form[0] != "pento12"]))
    i, j = data.draw(st.lists(st.integers(0, len(position.pieces) - 1), min_size=2, max_size=2, unique=True))
    one, other = position.pieces[i], position.pieces[j]
    tampered = put(put(position, i, Piece(other.colour, one.cells)), j, Piece(one.colour, other.cells))
    if one.colour != other.colour and name_of(one.cells) != name_of(other.cells):
        assert any(fault.code == "used_twice" for fault in check(tampered).faults)


@settings(deadline=None)
@given(st.data())
def test_a_recoloured_piece_is_caught(data):
    position = data.draw(chosen(PUZZLES))
    i = data.draw(st.integers(0, len(position.pieces) - 1))
    old = position.pieces[i]
    colour = data.draw(st.sampled_from([c for c in oracle.COLOURS if c != old.colour]))
    report = check(put(position, i, Piece(colour, old.cells)))
    assert not report.solved
    assert any(fault.code in ("used_twice", "not_in_puzzle") and i in fault.pieces for fault in report.faults)
    assert (old.colour, name_of(old.cells)) in report.left


@settings(deadline=None)
@given(st.data())
def test_a_missing_piece_is_named(data):
    position = data.draw(chosen(PUZZLES))
    i = data.draw(st.integers(0, len(position.pieces) - 1))
    gone = position.pieces[i]
    report = check(replace(position, pieces=position.pieces[:i] + position.pieces[i + 1 :]))
    assert not report.solved
    assert report.left == ((gone.colour, name_of(gone.cells)),)
    if position.kind.fills:
        assert report.empty == tuple(sorted(gone.cells))


@settings(deadline=None)
@given(st.data())
def test_a_square_that_wandered_is_caught(data):
    position = data.draw(chosen(PUZZLES))
    i = data.draw(st.integers(0, len(position.pieces) - 1))
    old = position.pieces[i]
    cell = data.draw(st.tuples(st.integers(0, position.rows - 1), st.integers(0, position.columns - 1)))
    cells = tuple(sorted({cell, *data.draw(st.permutations(old.cells))[1:]}))
    tampered = put(position, i, Piece(old.colour, cells))
    if position.kind.fills:
        assert check(tampered).solved == (cells == old.cells)
    else:
        assert check(tampered).solved == legal_all84(tampered)


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_untouched_solutions_pass(name, hard):
    report = check(solution(name, hard, 0))
    assert report.solved
    assert report.data() == {"legal": True, "solved": True, "faults": [], "left": {}}
