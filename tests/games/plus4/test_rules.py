"""Plus 4, clause by clause (docs/rules/plus4.md)."""

import itertools

import pytest

import quatuor
from quatuor.games.plus4 import rules

BLUE, RED = 0, 1


def scene(*floors, variant="elementary", turn=BLUE, scores=(0, 0), **options):
    """A position: the floors from the top as text (``b`` ``r`` pawns, ``B`` ``R`` bonus pawns, ``.`` nothing)."""
    game = quatuor.new("plus4", variant, **options)
    for floor, row in enumerate(floors):
        for column, pawn in enumerate(row):
            bit = 1 << 4 * column + floor
            if pawn != ".":
                game.state[rules.CELLS + "br".index(pawn.lower())] |= bit
            if pawn in "BR":
                game.state[rules.BONUS] |= bit
    game.state[rules.TURN] = turn
    game.state[rules.SCORE], game.state[rules.SCORE + 1] = scores
    return game


def grid(game):
    return game.view()["grid"]


def play(game, moves):
    for move in moves.split():
        game.play(move)
    return game


# ---- grid and push


def test_P4_1_two_players_an_empty_grid_and_blue_begins():
    game = quatuor.new("plus4")
    assert game.seats == 2
    assert grid(game) == ["...."] * 4
    assert game.to_move == (BLUE,)
    game.play("a")
    assert game.to_move == (RED,)
    assert grid(game)[0] == "b..."  # a is on the left


def test_P4_2_a_push_takes_the_top_floor_and_the_column_sinks():
    game = play(quatuor.new("plus4"), "c a c a b")
    assert grid(game) == ["rbb.", "r.b.", "....", "...."]
    assert grid(play(game, "c")) == ["rbr.", "r.b.", "..b.", "...."]


def test_P4_3_a_fifth_pawn_ejects_the_bottom_one_and_every_column_stays_playable():
    game = play(quatuor.new("plus4"), "a a a a")
    assert [row[0] for row in grid(game)] == ["r", "b", "r", "b"]
    game.play("a")
    assert [row[0] for row in grid(game)] == ["b", "r", "b", "r"]
    assert game.effects()["ejected"] == "b"
    assert game.legal() == ["a", "b", "c", "d"]


def test_P4_3_an_ejected_bonus_pawn_is_in_hand_again():
    game = play(quatuor.new("plus4", "endless"), "a* b a c a b a")
    assert "a*" not in game.copy().legal(BLUE)
    assert game.view()["bonus"] == [False, True]
    play(game, "c a")  # blue's fifth pawn in column a
    assert game.effects()["ejected"] == "B"
    assert game.view()["bonus"] == [True, True]
    game.play("d")
    assert "d*" in game.legal()


LINES = (
    [[(column, floor) for floor in range(4)] for column in range(4)]
    + [[(column, floor) for column in range(4)] for floor in range(4)]
    + [[(i, i) for i in range(4)], [(i, 3 - i) for i in range(4)]]
)


def test_P4_4_ten_lines_and_no_other():
    lines = {frozenset(4 * column + floor for column, floor in line) for line in LINES}
    assert len(lines) == 10
    for cells in itertools.combinations(range(16), 4):
        found = rules._lines(sum(1 << cell for cell in cells))
        assert bool(found) == (frozenset(cells) in lines)


def test_P4_5_a_sinking_pawn_completes_a_line():
    game = scene("b...", ".bbb", turn=BLUE)
    game.play("a")  # the old pawn of column a sinks into the row
    assert game.reason == {"code": "line", "winner": BLUE}
    assert game.effects()["lines"] == [{"colour": BLUE, "cells": ["a3", "b3", "c3", "d3"]}]


def test_P4_5_a_line_that_only_moved_is_not_completed_again():
    # The push into a shifts blue's column of four: it is wholly blue before and after
    game = scene("b...", "b...", "b...", "b...", variant="endless")
    game.play("a")
    assert game.effects()["lines"] == []
    game = scene("br..", "br..", "br..", ".b..", variant="endless")
    game.play("a")
    assert [line["colour"] for line in game.effects()["lines"]] == [BLUE]


def test_P4_6_ordinary_pawns_never_run_out():
    game = quatuor.new("plus4", repetition="none")
    for _ in range(100):
        play(game, "a a b b")
    assert game.legal() == ["a", "b", "c", "d"]
    assert game.ply == 400


def test_P4_7_the_third_occurrence_is_a_draw_whatever_the_scores():
    game = play(quatuor.new("plus4"), "a a a a a a a")
    assert not game.over
    game.play("a")  # after 4, 6 and 8 turns the column is the same
    assert game.reason == {"code": "repetition", "winner": None}
    assert game.ranking == (1, 1)


def test_P4_7_scores_and_side_to_move_belong_to_the_position():
    game = scene(variant="endless", scores=(5, 2))
    for _ in range(4):
        play(game, "a a")
    assert game.reason == {"code": "repetition", "winner": None}
    assert game.scores == (5, 2)
    assert game.ranking == (1, 1)


def test_P4_7_none_goes_on_for_ever():
    game = quatuor.new("plus4", repetition="none")
    for _ in range(20):
        play(game, "a a")
    assert not game.over


# ---- the elementary game


def test_P4_10_the_first_line_wins():
    game = play(quatuor.new("plus4"), "a b a b a b a")
    assert game.reason == {"code": "line", "winner": BLUE}
    assert (game.scores, game.ranking) == ((1, 0), (1, 2))
    assert game.legal() == []


def test_P4_10_there_are_no_bonus_pawns():
    game = quatuor.new("plus4")
    assert game.legal() == ["a", "b", "c", "d"]
    with pytest.raises(quatuor.IllegalMove, match="no bonus pawns"):
        game.play("a*")


def test_P4_11_completing_only_the_opponent_s_line_loses():
    game = scene("r...", ".rrr", turn=BLUE)
    game.play("a")
    assert game.reason == {"code": "line_given", "winner": RED}
    assert game.ranking == (2, 1)


@pytest.mark.parametrize(
    ("both_lines", "winner"), [("draw", None), ("mover", BLUE), ("opponent", RED), ("continue", "nobody")]
)
def test_P4_12_lines_of_both_colours_at_once(both_lines, winner):
    game = scene("rbbb", ".rrr", turn=BLUE, both_lines=both_lines)
    game.play("a")
    assert {line["colour"] for line in game.effects()["lines"]} == {BLUE, RED}
    if winner == "nobody":
        assert not game.over
    else:
        assert game.reason == {"code": "both_lines", "winner": winner}
        assert game.ranking == {None: (1, 1), BLUE: (1, 2), RED: (2, 1)}[winner]


def test_P4_12_draw_is_the_default():
    assert quatuor.new("plus4").options["both_lines"] == "draw"


# ---- the endless grid


def test_P4_20_one_bonus_pawn_each_when_it_is_in_hand():
    game = quatuor.new("plus4", "endless")
    assert game.legal() == ["a", "b", "c", "d", "a*", "b*", "c*", "d*"]
    play(game, "a* b*")
    assert grid(game)[0] == "BR.."
    assert game.legal() == ["a", "b", "c", "d"]
    with pytest.raises(quatuor.IllegalMove, match="not in hand"):
        game.play("a*")


def test_P4_20_the_bonus_pawn_is_a_pawn_of_its_colour():
    game = scene(".Bbb", variant="endless")
    game.play("a")
    assert len(game.effects()["lines"]) == 1


def test_P4_21_a_line_scores_one_or_two_with_the_bonus_pawn_and_the_grid_stays():
    game = scene(".bbb", variant="endless")
    game.play("a")
    assert game.scores == (1, 0)
    assert grid(game)[0] == "bbbb"
    assert not game.over
    assert play(scene(".bBb", variant="endless"), "a").scores == (2, 0)
    assert play(scene(".bbb", variant="endless"), "a*").scores == (2, 0)
    assert play(scene(".bbb", "B...", variant="endless"), "a").scores == (1, 0)  # the bonus pawn is not in the line


@pytest.mark.parametrize(("column", "floor"), list(itertools.product(range(4), range(4))))
def test_P4_21_the_bonus_pawn_counts_double_in_every_line_through_it(column, floor):
    for line in LINES:
        completed = rules._lines(sum(1 << 4 * c + f for c, f in line))
        assert rules._points(completed, 1 << 4 * column + floor) == (2 if (column, floor) in line else 1)


def test_P4_22_several_lines_of_one_push_all_score():
    game = scene(".bbb", "bb..", "b.b.", "...b", variant="endless")  # a row and a diagonal
    game.play("a")
    assert len(game.effects()["lines"]) == 2
    assert game.scores == (2, 0)
    game = scene(".bbb", "bB..", "b.b.", "...b", variant="endless")  # the diagonal holds the bonus pawn
    assert play(game, "a").scores == (3, 0)


def test_P4_23_a_line_that_was_complete_does_not_score_again():
    game = scene("bbbb", variant="endless", turn=RED)
    game.play("a")
    assert game.scores == (0, 0)
    game = scene("bbbb", "....", variant="endless")
    game.play("a")  # the row is wholly blue before and after
    assert game.scores == (0, 0)
    game = scene("b...", "b...", "b...", "b...", variant="endless")
    game.play("a*")  # its pawns have shifted, the bonus pawn came in: still the same line
    assert game.scores == (0, 0)


def test_P4_23_a_line_broken_and_completed_again_scores_again():
    game = scene("bbbb", variant="endless", turn=RED)
    play(game, "a a")
    assert game.scores == (1, 0)


def test_P4_24_lines_in_the_opponent_s_colour_score_for_the_opponent():
    game = scene("r...", ".rrr", variant="endless", turn=BLUE)
    game.play("a")
    assert game.scores == (0, 1)
    game = scene("R...", ".rrr", variant="endless", turn=BLUE)
    assert play(game, "a").scores == (0, 2)


def test_P4_25_first_to_eleven_wins():
    game = scene(".bbb", variant="endless", scores=(9, 10))
    assert not play(game, "a").over
    game = scene(".bbb", variant="endless", scores=(10, 10))
    assert play(game, "a").reason == {"code": "target", "winner": BLUE}
    assert (game.scores, game.ranking) == ((11, 10), (1, 2))


def test_P4_25_both_at_the_target_the_higher_score_wins_and_equal_is_a_draw():
    both = ("rbbb", ".rrr")
    game = play(scene(*both, variant="endless", scores=(10, 10)), "a")
    assert game.reason == {"code": "target", "winner": None}
    assert (game.scores, game.ranking) == ((11, 11), (1, 1))
    game = play(scene(*both, variant="endless", scores=(10, 10)), "a*")
    assert game.reason == {"code": "target", "winner": BLUE}
    assert game.scores == (12, 11)


def test_P4_25_another_target():
    assert play(scene(".bbb", variant="endless", target=1), "a").over
    for wrong in (0, 100, "many"):
        with pytest.raises(ValueError, match="1 to 99"):
            quatuor.new("plus4", "endless", target=wrong)


# ---- rounds


def test_P4_30_a_line_ends_the_round_and_empties_the_grid():
    game = scene(".bbb", "RB..", variant="rounds")
    assert game.view()["bonus"] == [False, False]
    game.play("a")
    assert grid(game) == ["...."] * 4
    assert game.view()["bonus"] == [True, True]
    assert game.view()["round"] == 1
    assert game.effects()["round_over"] is True


def test_P4_31_the_bonus_pawn_counts_double_unless_it_was_just_pushed():
    assert play(scene(".bbb", variant="rounds"), "a").scores == (1, 0)
    assert play(scene(".bBb", variant="rounds"), "a").scores == (2, 0)
    assert play(scene(".bbb", variant="rounds"), "a*").scores == (1, 0)


def test_P4_32_one_award_a_round_whatever_the_number_of_lines():
    game = scene(".bbb", "bb..", "b.b.", "...b", variant="rounds")
    assert play(game, "a").scores == (1, 0)
    game = scene(".bbb", "bB..", "b.b.", "...b", variant="rounds")
    assert play(game, "a").scores == (2, 0)


def test_P4_32_lines_of_both_colours_are_both_awarded():
    game = play(scene("rbbb", ".rrR", variant="rounds"), "a")
    assert game.scores == (1, 2)
    assert play(scene("Rbbb", ".rrr", variant="rounds"), "a*").scores == (1, 2)  # red's pawn was not just pushed


def test_P4_32_an_opponent_s_push_around_my_bonus_pawn_gives_me_two():
    assert play(scene("R...", ".rrr", variant="rounds"), "a").scores == (0, 2)


def test_P4_33_the_loser_of_a_round_begins_the_next():
    assert play(scene(".bbb", variant="rounds"), "a").to_move == (RED,)
    assert play(scene(".rrr", variant="rounds", turn=RED), "a").to_move == (BLUE,)
    assert play(scene("r...", ".rrr", variant="rounds"), "a").to_move == (BLUE,)


def test_P4_33_on_equal_points_the_other_one_begins():
    game = scene("rbbb", ".rrr", variant="rounds")  # blue began
    assert play(game, "a").to_move == (RED,)
    game = scene("rbbb", ".rrr", variant="rounds")
    game.state[rules.BEGAN] = RED
    assert play(game, "a").to_move == (BLUE,)


def test_P4_34_first_to_the_target():
    game = play(scene(".bbb", variant="rounds", scores=(10, 10)), "a")
    assert game.reason == {"code": "target", "winner": BLUE}
    assert play(scene(".bbb", variant="rounds", scores=(4, 0), target=5), "a").over
    game = play(scene("rbbb", ".rrr", variant="rounds", scores=(10, 10)), "a")
    assert game.reason == {"code": "target", "winner": None}


def test_P4_34_or_a_number_of_rounds_all_of_which_are_played():
    game = scene(".bbb", variant="rounds", rounds=3, target=1)
    play(game, "a")
    assert not game.over  # the target is not used
    play(game, "a b a b a b a")  # red begins and wins
    assert game.scores == (1, 1)
    assert not game.over
    play(game, "a b a b a b a")
    assert game.reason == {"code": "rounds", "winner": BLUE}
    assert game.scores == (2, 1)


def test_P4_34_equal_points_after_the_last_round_are_a_draw():
    game = play(scene("rbbb", ".rrr", variant="rounds", rounds=1), "a")
    assert game.reason == {"code": "rounds", "winner": None}
    assert game.ranking == (1, 1)
