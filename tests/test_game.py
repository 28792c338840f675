"""The Python API, on the smallest game."""

import subprocess
import sys

import pytest

import quatuor


def test_a_new_game_has_the_defaults_of_its_rulebook():
    game = quatuor.new("plus4")
    assert (game.name, game.variant.name, game.seats, game.to_move) == ("plus4", "elementary", 2, (0,))
    assert game.options == {"both_lines": "draw", "repetition": "draw"}
    assert game.legal() == ["a", "b", "c", "d"]
    assert game.legal(1) == []
    assert not game.over
    assert game.reason == {}


def test_play_to_the_end_and_undo_all_the_way_back():
    game = quatuor.new("plus4")
    start = game.state.copy()
    for move in "abababa":
        game.play(move)
    assert game.over
    assert (game.scores, game.ranking, game.to_move, game.legal()) == ((1, 0), (1, 2), (), [])
    assert game.reason == {"code": "line", "winner": 0}
    assert game.moves == [{i % 2: move} for i, move in enumerate("abababa")]
    with pytest.raises(quatuor.IllegalMove, match="the game is over"):
        game.play("a")
    for _ in range(7):
        game.undo()
    assert (game.state == start).all()
    with pytest.raises(IndexError, match="nothing to take back"):
        game.undo()


def test_copies_are_independent():
    game = quatuor.new("plus4", "endless", target=3)
    game.play("a*")
    twin = game.copy()
    twin.play("a")
    assert (game.ply, twin.ply) == (1, 2)
    game.undo()
    twin.undo()
    twin.undo()
    assert (game.state == twin.state).all()


def test_undo_takes_back_an_end_by_repetition():
    game = quatuor.new("plus4")
    for _ in range(8):  # a full column swaps its colours at every push, so plies 4, 6 and 8 look the same
        game.play("c")
    assert game.reason == {"code": "repetition", "winner": None}
    assert game.ranking == (1, 1)
    game.undo()
    assert not game.over
    game.play("c")
    assert game.over


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quatuor.new("chess"), "unknown game 'chess'; the games are blokus, plateau_x, plus4, trois_six"),
        (lambda: quatuor.new("plus4", "mega"), "no variant 'mega'; choose one of elementary, endless, rounds"),
        (lambda: quatuor.new("plus4", "elementary", target=5), "no option 'target'; its options: both_lines"),
        (lambda: quatuor.new("plus4", "endless", target=0), "target=0: choose a whole number from 1 to 99"),
        (lambda: quatuor.new("plus4", "endless", target="many"), "target='many': choose a whole number"),
        (lambda: quatuor.new("plus4", both_lines="both"), "both_lines='both': choose one of draw, mover"),
        (lambda: quatuor.new("plus4", both_lines=["draw"]), "choose one of draw, mover"),
        (lambda: quatuor.new("plus4", "rounds", rounds=-1), "from 1 to 99 or none"),
        (lambda: quatuor.new("plus4").legal(2), "no seat 2; the seats are 0 to 1"),
    ],
)
def test_wrong_names_and_values_say_what_would_be_right(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("e", "push a column, a, b, c or d"),
        ("", "push a column"),
        ("a**", "push a column"),
        ("a*", "no bonus pawns; push a"),
        ({1: "a"}, "seat 1 does not act now; to move: 0"),
        ({0: 3}, "a move is text, such as 'a', not 3"),
    ],
)
def test_wrong_moves_are_refused_with_a_reason_and_nothing_changes(move, message):
    game = quatuor.new("plus4")
    before = game.state.copy()
    with pytest.raises(quatuor.IllegalMove, match=message):
        game.play(move)
    assert (game.state == before).all()
    assert game.ply == 0


def test_the_bonus_pawn_must_be_in_hand():
    game = quatuor.new("plus4", "endless")
    game.play("a*")
    game.play("b")
    with pytest.raises(quatuor.IllegalMove, match="the bonus pawn is in the grid"):
        game.play("c*")


def test_importing_the_package_does_not_load_the_compiler():
    code = "import sys, quatuor; assert 'numba' not in sys.modules and quatuor.__version__"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_attribute():
    with pytest.raises(AttributeError, match="nothing"):
        quatuor.nothing  # noqa: B018
