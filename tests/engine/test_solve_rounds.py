import random

import pytest

import quatuor
from quatuor.engine.solve import at_hand, solve
from quatuor.games.plus4 import rules
from quatuor.games.plus4.rounds import Rounds
from tests.engine.positions import anywhere


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("rounds")
        patch.setenv("QUATUOR_DATA", str(home))
        solve("plus4", "rounds", target=1)
        return home


@pytest.fixture
def one_round(folder, monkeypatch):
    monkeypatch.setenv("QUATUOR_DATA", str(folder))
    return solve("plus4", "rounds", target=1)


@pytest.mark.parametrize("options", [{"target": 5}, {"target": 2}, {"rounds": 3}, {"rounds": 1}])
def test_standings_follow_the_rules(options):
    """A standing is what the rules make of the score of a round."""
    rounds, dice, ends = Rounds(), random.Random(6), 0
    for _ in range(60):
        game = quatuor.new("plus4", "rounds", repetition="none", **options)
        while not game.over:
            before = game.state.copy()
            game.play(dice.choice(game.legal()))
            if game.state[rules.ROUND] == before[rules.ROUND]:
                continue
            began = int(before[rules.BEGAN])
            gains = game.state[rules.SCORE : rules.SCORE + 2] - before[rules.SCORE : rules.SCORE + 2]
            then, same = rounds.after(rounds.standing(before), int(gains[began]), int(gains[1 - began]))
            if game.over:
                ahead = game.ranking[1 - began] - game.ranking[began]
                assert then == (ahead > 0) - (ahead < 0)
                ends += 1
            else:
                assert then == rounds.standing(game.state)
                assert same == (game.state[rules.BEGAN] == began)
    assert ends == 60


def test_every_result_is_the_best_of_the_moves(one_round):
    dice, seen = random.Random(4), set()
    for _ in range(1500):
        game = anywhere(dice, "rounds", target=1)
        result, best = one_round.probe(game.state), next(iter(one_round.moves(game).values()))
        assert (result.outcome, result.turns) == (best.outcome, best.turns or best.distance)
        seen.add(result.outcome)
    assert seen == {"win", "draw", "loss"}


def test_the_last_of_many_rounds_is_known(one_round):
    late = quatuor.new("plus4", "rounds", target=11)
    assert at_hand(late) is None
    late.state[rules.SCORE : rules.SCORE + 2] = 10
    assert at_hand(late).probe(late.state) == one_round.probe(one_round.start.state)


def test_a_winner_wins_round_by_round(one_round):
    """From every won position of the game, the engine's moves end the round within the distance."""
    dice, won = random.Random(11), 0
    while won < 15:
        game = quatuor.new("plus4", "rounds", target=1, repetition="none")
        for _ in range(8):
            if not game.over:
                game.play(dice.choice(game.legal()))
        if game.over or one_round.probe(game.state).outcome != "win":
            continue
        won += 1
        winner, left = game.to_move[0], one_round.probe(game.state).turns
        while not game.over:
            moves = one_round.moves(game)
            game.play(next(iter(moves)) if game.to_move == (winner,) else dice.choice(list(moves)))
            left -= 1
        assert left >= 0
        assert game.ranking[winner] == 1
        assert game.ranking[1 - winner] == 2
