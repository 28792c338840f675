"""Reviews of whole games."""

import random

import pytest

import quatuor
from quatuor.engine.graph import graph
from quatuor.engine.review import review
from quatuor.games import names, rulebook
from tests.seeded import play

VARIANTS = [(name, variant.name) for name in names() for variant in rulebook(name).variants]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_every_turn_of_every_game_is_judged(name, variant):
    game = play(name, variant, {}, seed=3, cap=12)
    turns = list(review(game, quatuor.engine(units=30, seed=1)))
    assert [turn["number"] for turn in turns] == list(range(1, game.ply + 1))
    assert [{d["seat"]: d["move"] for d in turn["decisions"]} for turn in turns] == game.moves
    for turn in turns:
        assert len(turn["values"]) == game.seats
        for decision in turn["decisions"]:
            assert -1 <= decision["value"] <= 1
            assert 0 <= decision["loss"] <= 2
            assert decision["line"][0] == decision["best"] == decision["moves"][0]["move"]
            assert decision["move"] in [row["move"] for row in decision["moves"]]
    assert "<svg" in graph(turns, [f"Player {seat}" for seat in range(game.seats)])


def test_the_final_result_is_the_value_of_the_last_turn():
    game = play("plateau_x", "trio", {}, seed=2)
    last = list(review(game, quatuor.engine(units=2, seed=1)))[-1]
    assert last["values"] == [{1: 1.0, 2: 0.0, 3: -1.0}[place] for place in game.ranking]


def test_a_perfect_game_has_no_marks():
    game, engine = quatuor.new("plus4"), quatuor.engine(seed=1)
    while not game.over and game.ply < 12:
        game.play(engine.choose(game))
    turns = list(review(game))
    assert all(turn["exact"] for turn in turns)
    assert {decision["mark"] for turn in turns for decision in turn["decisions"]} == {None}
    assert {decision["loss"] for turn in turns for decision in turn["decisions"]} == {0.0}


def test_losses_of_value_add_up():
    """With exact values, the value after a turn is the value before it less what was given away."""
    game, dice = quatuor.new("plus4"), random.Random(5)
    while not game.over and game.ply < 30:
        game.play(dice.choice(game.legal()))
    value = {0: 0.0, 1: 0.0}  # the start is a draw
    for turn in review(game):
        (decision,) = turn["decisions"]
        assert decision["best_value"] == value[decision["seat"]]
        assert decision["value"] == decision["best_value"] - decision["loss"]
        value = dict(enumerate(turn["values"]))


def test_the_picture_can_be_read_without_colours():
    game = play("blokus", "classic", {}, seed=1, cap=8)
    picture = graph(list(review(game, quatuor.engine(units=2, seed=1))), ["<Ann>", "Ben", "Cleo", "Dan"])
    assert "&lt;Ann&gt;" in picture
    assert picture.count("stroke-dasharray") == 3 + 3  # every seat but the first: in the picture and in its legend
