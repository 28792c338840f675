"""The Python API, on the smallest game."""

import inspect
import pickle
import pydoc
import random
import subprocess
import sys

import numpy as np
import pytest

import quatuor
from quatuor.engine.solve import solve
from quatuor.games import rulebook
from quatuor.match.arena import Arena
from quatuor.match.tournament import Tournament


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


@pytest.mark.parametrize("name", ["plus4", "blokus", "plateau_x", "trois_six"])
def test_the_history_is_exact(name):
    game, dice = quatuor.new(name), random.Random(7)
    states, turns, effects = [], [], []
    while len(turns) < 12 and not game.over:
        states.append(game.state.copy())
        turns.append({seat: dice.choice(game.legal(seat)) for seat in game.to_move})
        seats = [*turns[-1]]
        game.play({seats[0]: turns[-1][seats[0]]})
        if seats[1:]:  # an order is taken back while others are awaited
            game.undo()
            assert np.array_equal(game.state, states[-1])
            game.play(turns[-1])
        effects.append(game.effects())
    assert game.moves == turns
    assert [game.effects(ply) for ply in range(len(turns))] == effects
    assert np.array_equal(game.start, states[0])
    twin = game.copy()
    for state in reversed(states):
        assert game.last == turns[game.ply - 1]
        game.undo()
        assert np.array_equal(game.state, state)
    assert game.ply == 0
    assert twin.moves == turns


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
        (0, "a move is text, such as 'a', or {seat: move}, not 0; play_id"),
        (None, "or {seat: move}, not None"),
        ({True: "a"}, "seat True does not act now"),
        ({}, "no move is given: play {seat: move}, such as {0: 'a'}"),
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


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ({1: 0}, "seat 1 does not act now; to move: 0"),
        ({0: 99}, "the action 99 is not legal for seat 0"),
        ({0: -1}, "the action -1 is not legal"),
        ({0: "a"}, "an action id is a whole number, not 'a'"),
        ({0: 1.5}, "a whole number"),
        (3, "actions are {seat: action id}, not 3"),
    ],
)
def test_wrong_action_ids_are_refused_and_nothing_changes(actions, message):
    game = quatuor.new("plus4")
    before = game.state.copy()
    with pytest.raises(quatuor.IllegalMove, match=message):
        game.play_actions(actions)
    assert (game.state == before).all()
    game.play_id(0, np.int64(2))
    assert game.played == [{0: 2}]
    for _ in range(6):
        game.play("a" if game.to_move == (1,) else "c")
    with pytest.raises(quatuor.IllegalMove, match="the game is over"):
        quatuor.load('[Game "plus4"]\n\n1. a\n2. b\n3. a\n4. b\n5. a\n6. b\n7. a\n').play_id(1, 0)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda game: game.view(7), ValueError, "no seat 7; the seats are 0 to 1"),
        (lambda game: game.view("x"), ValueError, "no seat 'x'"),
        (lambda game: game.legal(1.0), ValueError, "no seat 1.0"),
        (lambda game: game.actions(True), ValueError, "no seat True"),
        (lambda game: game.effects("x"), TypeError, "the number of a turn, not 'x'"),
        (lambda game: game.follow(3), TypeError, "follow takes a GameNode, not int"),
        (lambda game: game.record(5), TypeError, "seats=5: give the players' names"),
        (lambda game: game.record([1, 2]), TypeError, "give the players' names"),
    ],
)
def test_wrong_types_say_what_would_be_right(call, error, message):
    game = quatuor.new("plus4")
    game.play("a")
    with pytest.raises(error, match=message):
        call(game)


def test_an_order_that_is_void_is_an_action_too():
    game = quatuor.new("trois_six")
    game.play_id(0, 6 * 36 + 35)
    game.play_id(1, 252)
    assert game.ply == 1


def test_effects_before_the_first_move_and_beyond_the_last():
    game = quatuor.new("plus4")
    with pytest.raises(IndexError, match="no move has been played"):
        game.effects()
    game.play("a")
    assert game.effects() == game.effects(0) == game.effects(-1)
    with pytest.raises(IndexError, match="1 turns have been played"):
        game.effects(1)


def test_games_are_equal_by_position():
    one, two = quatuor.new("plus4"), quatuor.new("plus4")
    for move in "abcd":
        one.play(move)
    for move in "cdab":
        two.play(move)
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, quatuor.new("plus4")}) == 2
    assert one != quatuor.new(position=one.position.replace("elementary", "endless"))
    assert one != "abcd"
    duel = quatuor.new("trois_six")
    other = duel.copy()
    other.play({0: "1>B2"})
    assert duel != other
    assert other.position == duel.position


def test_notebooks_show_the_picture_and_reprs_the_position():
    game = quatuor.new("plus4")
    assert game._repr_svg_() == game.svg()
    assert repr(game) == "<Game plus4:elementary 4/4/4/4 b 0:0 - ->"


def test_names_that_users_expect():
    assert {"Game", "Engine", "GameNode", "IllegalMove", "PositionError", "RecordError", "batch", "engine", "load",
            "load_all", "new"} <= set(dir(quatuor))  # fmt: skip
    assert set(quatuor.__all__) <= set(dir(quatuor))
    assert not {"Any", "os", "sys", "import_module"} & set(dir(quatuor))
    for name in quatuor.__all__:
        assert getattr(quatuor, name).__doc__, name
    assert inspect.isfunction(quatuor.engine)
    assert "level" in inspect.signature(quatuor.engine).parameters
    assert "engine(level" in pydoc.render_doc(quatuor.engine)
    assert isinstance(quatuor.engine(level=1), quatuor.Engine)


def test_everything_public_shows_what_it_is():
    def evaluate(planes, facts, mask):
        return np.zeros(mask.shape), np.zeros(len(mask))

    games = quatuor.batch("plus4", n=2)
    shown = [
        quatuor.new("plus4"), quatuor.new("plus4").tree, quatuor.engine(level=1), quatuor.Match("plus4", games=3),
        games, quatuor.search(games, evaluate), Arena(["random", "greedy"], "plus4", games=2),
        Tournament.create("plus4", players=("Ada", "Bo")), rulebook("plus4"), solve("plus4"),
    ]  # fmt: skip
    assert [one for one in map(repr, shown) if " object at 0x" in one] == []
    assert repr(shown[3]) == "<Match plus4:elementary, Player 1, Player 2: 0 of 3 games>"
    assert repr(shown[6]) == "<Arena plus4:elementary, random, greedy: 2 games>"


def test_a_batch_says_why_it_cannot_be_pickled():
    with pytest.raises(TypeError, match="a batch cannot be pickled: make one in each process"):
        pickle.dumps(quatuor.batch("plus4", n=2))


def test_the_engine_package_can_still_be_imported_in_every_way():
    code = """
import quatuor.engine.review
import quatuor.engine.player as player
from quatuor.engine import levels
from quatuor import engine
import quatuor
assert player.Engine is quatuor.Engine
assert quatuor.engine.review.review
assert engine is quatuor.engine and engine(level=2).level == 2
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_command_runs_as_a_module():
    done = subprocess.run([sys.executable, "-m", "quatuor", "--version"], check=True, capture_output=True, text=True)
    assert done.stdout == f"quatuor {quatuor.__version__}\n"
