"""Every solver over many seeds; answers about half-filled boards against a naive search."""

import os
import random
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from quatuor import puzzles
from quatuor.games.blokus.puzzles import complete_84
from quatuor.games.blokus.puzzles.check import name_of
from quatuor.games.blokus.puzzles.position import cell_at
from quatuor.games.blokus.puzzles.quick_refutation import hopeless
from quatuor.games.blokus.puzzles.shapes import IMPOSSIBLE
from quatuor.games.blokus.tables import FORMS
from quatuor.puzzles import KINDS, Piece, Position, check, empty, hint, load, solvable
from tests.games.blokus.puzzles import FORMS as PUZZLES
from tests.games.blokus.puzzles import RECTANGLES, solution

LONG = 60.0  # seconds: far more than these searches need


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_every_seed_gives_another_solution_and_the_checker_agrees(name, hard):
    found = {solution(name, hard, seed).pieces for seed in range(12)}
    assert len(found) == 12
    assert all(check(solution(name, hard, seed)).solved for seed in range(12))


@pytest.mark.parametrize("name", ["tetro10", "pento12"])
def test_every_board_of_the_small_puzzles(name):
    for rows, columns in KINDS[name].boards:
        solved = puzzles.solve(name, seed=7, rows=rows, columns=columns)
        assert check(solved).solved
        assert (solved.rows, solved.columns) == (rows, columns)


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_the_same_seed_gives_the_same_solution(name, hard):
    assert puzzles.solve(name, hard, 3) == solution(name, hard, 3)


SAME = """
import sys
from quatuor.games.blokus.puzzles import complete_84, complete_rectangle, load, solve
for name, hard in (("tetro10", False), ("tetro20", True)):
    print(solve(name, hard, 2).dump())
for line in sys.stdin:
    position = load(line)
    module = complete_rectangle if position.kind.fills else complete_84
    print(*module.complete(position, 5))
"""


def finish(environment: dict[str, str]) -> str:
    """The answers of a process with other compiler settings to small puzzles and to boards that are nearly full."""
    nearly = [
        replace(s, pieces=s.pieces[:-n])
        for s, n in ((solution("all84", True, 1), 9), (solution("pento48", True, 1), 9))
    ]
    lines = "".join(position.dump().replace("\n", " ") + "\n" for position in nearly)
    done = subprocess.run(
        [sys.executable, "-c", SAME], input=lines, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_interpreted_where_every_index_is_looked_at_and_compiled_the_same():
    compiled = finish({})
    assert compiled.count("Piece(") == 18
    assert finish({"NUMBA_DISABLE_JIT": "1"}) == compiled


# ---- can this still be solved?


def places(position: Position, colour: str, name: str) -> list[Piece]:
    """Every legal placement of a piece, by the checker alone."""
    free = check(position).empty
    forms = [form for form in FORMS if name_of(form) == name]
    cells = {tuple((r + y, c + x - form[0][1]) for y, x in form) for r, c in free for form in forms}
    found = [Piece(colour, place) for place in cells if set(place) <= set(free)]
    return sorted((p for p in found if check(position.plus([p])).legal), key=lambda p: p.cells)


def naive(position: Position) -> bool:
    """Whether the rest can be placed: tries the first empty cell of a rectangle, or any piece on the large board."""
    report = check(position)
    if not report.left:
        return True
    first = report.left[0][0]
    options = [p for key in report.left if position.kind.fills or key[0] == first for p in places(position, *key)]
    if position.kind.fills:
        options = [piece for piece in options if report.empty[0] in piece.cells]
    return any(naive(position.plus([p])) for p in options)


def randomly(position: Position, pieces: int, chance: random.Random) -> Position:
    """A few more legal pieces, which may make the puzzle unsolvable."""
    for _ in range(pieces):
        options = [p for key in chance.sample(check(position).left, 1) for p in places(position, *key)]
        position = position.plus(chance.sample(options, min(1, len(options))))
    return position


@pytest.mark.parametrize(
    ("name", "hard", "kept"), [("tetro10", False, 4), ("tetro20", True, 14), ("tetro20", False, 14)]
)
def test_rectangles_are_answered_as_a_naive_search_does(name, hard, kept):
    chance, answers = random.Random(4), []
    for seed in range(14):
        start = replace(solution(name, hard, seed % 12), pieces=solution(name, hard, seed % 12).pieces[:kept])
        position = randomly(start, 1, chance)
        answer = solvable(position, LONG)
        assert answer.value == ("yes" if naive(position) else "no")
        answers.append(answer.value)
    assert set(answers) == {"yes", "no"}


@pytest.mark.parametrize("hard", [False, True])
def test_the_large_board_is_answered_as_a_naive_search_does(hard):
    chance = random.Random(5)
    for seed in range(5):
        start = replace(solution("all84", hard, seed), pieces=solution("all84", hard, seed).pieces[:-4])
        position = randomly(start, 1, chance)
        assert solvable(position, LONG).value == ("yes" if naive(position) else "no")


@pytest.mark.parametrize("hard", [False, True])
def test_a_beam_that_dropped_nothing_proves_that_there_is_no_way(hard):
    proven = 0
    for seed in range(6):
        whole = solution("all84", hard, seed)
        single, *others = whole.pieces[-4:]  # of one square each
        start = replace(whole, pieces=whole.pieces[:-4])
        taken = places(start, single.colour, "1")
        if len(taken) <= 3:
            position = start.plus(Piece(other.colour, t.cells) for other, t in zip(others, taken, strict=False))
            result, pieces = complete_84.complete(position, seed)
            assert (result, pieces) == (IMPOSSIBLE, ())
            proven += 1
    assert proven


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_a_yes_comes_with_a_completion_of_the_position(name, hard):
    whole = solution(name, hard, 2)
    half = replace(whole, pieces=whole.pieces[: len(whole.pieces) // 2])
    answer = solvable(half, LONG)
    assert answer.value == "yes"
    assert answer.completion.pieces[: len(half.pieces)] == half.pieces
    assert check(answer.completion).solved


def test_a_region_that_cannot_be_filled_is_named_at_once():
    position = empty("tetro20").plus([Piece("blue", tuple(sorted(map(cell_at, ("b1", "b2", "b3", "a3")))))])
    answer = solvable(position)
    assert (answer.value, answer.faults[0].code) == ("no", "region")
    assert answer.data()["faults"][0]["cells"] == ["a1", "a2"]


def test_a_colour_that_is_shut_in_is_named_at_once():
    shut = empty("all84").plus([Piece("blue", (cell_at("a20"),)), Piece("red", (cell_at("b19"),))])
    (fault,) = hopeless(shut)
    assert (fault.code, fault.text) == ("no_room", "blue has 88 squares to place, but can reach only 0 cells")


def test_a_piece_that_has_no_place_left_is_named_at_once():
    whole = solution("all84", True, 1)
    bar = next(p for p in whole.pieces if name_of(p.cells) == "I5")
    gap = replace(whole, pieces=tuple(p for p in whole.pieces if p != bar))
    assert hopeless(gap) == ()
    other = "red" if bar.colour == "blue" else "blue"
    filled = gap.plus([Piece(other, bar.cells[2:3])])
    assert [fault.text for fault in hopeless(filled)] == [f"there is no place left for the {bar.colour} I5"]


def test_a_broken_rule_is_named_in_the_answer():
    piece = Piece("blue", ((0, 0), (0, 1), (0, 2), (0, 3)))
    answer = solvable(empty("tetro20").plus([piece, piece]))
    assert answer.value == "no"
    assert {fault.code for fault in answer.faults} == {"used_twice", "overlap"}


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_without_time_nothing_is_proven(name, hard):
    whole = solution(name, hard, 2)
    assert solvable(replace(whole, pieces=whole.pieces[:3]), 0.0).value == "unknown"


def test_the_answer_keeps_its_time_limit():
    position = randomly(empty("pento48", True), 8, random.Random(2))
    solvable(empty("pento48", True), 0.01)  # compile
    began = time.process_time()
    solvable(position, 0.5)
    assert time.process_time() - began < 1.5


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_a_witness_answers_at_once_while_its_pieces_are_used(name, hard):
    whole = solution(name, hard, 4)
    position = replace(whole, pieces=whole.pieces[: len(whole.pieces) // 3])
    answer = solvable(position, 0.0, whole)
    assert answer.value == "yes"
    assert set(answer.completion.pieces) == set(whole.pieces)


def test_a_witness_in_other_colours_is_as_good_where_colours_do_not_matter():
    whole = solution("tetro20", False, 4)
    other = {"blue": "red", "red": "green", "green": "yellow", "yellow": "blue"}
    position = replace(whole, pieces=tuple(Piece(other[p.colour], p.cells) for p in whole.pieces[:9]))
    answer = solvable(position, 0.0, whole)
    assert {p.cells for p in answer.completion.pieces} == {p.cells for p in whole.pieces}


def test_a_witness_is_repaired_around_a_new_piece():
    whole = solution("pento48", False, 5)
    half = replace(whole, pieces=whole.pieces[:20])
    answers = []
    for seed in range(6):
        position = randomly(half, 1, random.Random(seed))
        answers.append(solvable(position, LONG, whole).value)
        assert answers[-1] == solvable(position, LONG).value
    assert "yes" in answers


def test_a_witness_must_solve_the_same_puzzle():
    with pytest.raises(ValueError, match="the witness must be a solution of the same puzzle"):
        solvable(empty("tetro20"), witness=solution("tetro20", True, 0))
    with pytest.raises(ValueError, match="the witness must be a solution of the same puzzle"):
        solvable(empty("tetro20"), witness=empty("tetro20"))


# ---- hints


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_hints_lead_to_a_solution(name, hard):
    whole = solution(name, hard, 6)
    position, witness = replace(whole, pieces=whole.pieces[: len(whole.pieces) - 5]), None
    for _ in range(5):
        piece, answer = hint(position, LONG, witness)
        position, witness = position.plus([piece]), answer.completion
        assert check(position).legal
    assert check(position).solved
    assert hint(position)[0] is None


def test_there_is_no_hint_without_a_solution():
    position = empty("tetro20").plus([Piece("blue", ((0, 1), (1, 1), (2, 0), (2, 1)))])
    piece, answer = hint(position)
    assert (piece, answer.value) == (None, "no")


def test_the_hint_is_where_it_is_easily_seen():
    whole = solution("tetro20", False, 1)
    rest = [p for p in whole.pieces if (0, 0) in p.cells or (7, 9) in p.cells]
    position = replace(whole, pieces=tuple(p for p in whole.pieces if p not in rest))
    assert hint(load(position.dump()))[0] in rest


@pytest.mark.parametrize(("name", "hard"), RECTANGLES)
def test_the_order_of_the_pieces_does_not_matter_on_a_rectangle(name, hard):
    whole = solution(name, hard, 8)
    shuffled = random.Random(1).sample(whole.pieces, len(whole.pieces))
    assert check(replace(whole, pieces=tuple(shuffled))).solved
