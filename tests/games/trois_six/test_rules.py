"""3/6, clause by clause (docs/rules/trois_six.md)."""

import itertools
import random

import numpy as np
import pytest

import quatuor
from quatuor.engine.perft import perft
from quatuor.games.trois_six import RULEBOOK, rules
from quatuor.games.trois_six.layout import CORNERS
from quatuor.games.trois_six.notation import cell_name, cell_number

WHITE, BLACK = 0, 1
FAR = "A6 C6 E6"  # three pawns without a line, for the side that does not matter


def scene(white, black, **options):
    """A position from texts such as ``"A1 B2x3"``: pawns 1, 2, … of a side, with the height of what is a pile."""
    game = quatuor.new("trois_six", **options)
    game.state[: rules.ORDER] = 0
    for seat, piles in enumerate((white.split(), black.split())):
        for i, pile in enumerate(piles):
            cell, _, height = pile.partition("x")
            spot = rules.SPOTS[cell_number(cell)]
            game.state[rules.SPOT + 6 * seat + i] = spot
            game.state[rules.HEIGHT + 6 * seat + i] = int(height or 1)
            game.state[rules.PAWNS + seat] |= 1 << spot
    return game


def turn(game, white, black="-"):
    game.play({WHITE: white, BLACK: black})
    return game


def pieces(game, seat):
    """{cell: (number, height)}"""
    return {pile["cell"]: (pile["number"], pile["height"]) for pile in game.view()["cells"] if pile["owner"] == seat}


def targets(game, number, seat=WHITE):
    return {order[2:] for order in game.legal(seat) if order[0] == str(number)}


# ---- board and orders


def test_TS_1_six_numbered_pawns_each_on_a_board_of_36_cells():
    game = quatuor.new("trois_six")
    assert game.seats == 2
    for seat in (WHITE, BLACK):
        assert sorted(pieces(game, seat).values()) == [(number, 1) for number in range(1, 7)]
    assert {cell_name(cell) for cell in range(rules.CELLS)} == {a + b for a in "ABCDEF" for b in "123456"}


def test_TS_2_corners_number_the_pawns_in_the_order_given():
    game = quatuor.new("trois_six")
    white, black = CORNERS.split(" / ")
    assert pieces(game, WHITE) == {cell: (i, 1) for i, cell in enumerate(white.split(), 1)}
    assert pieces(game, BLACK) == {cell: (i, 1) for i, cell in enumerate(black.split(), 1)}


def test_TS_2_a_quarter_turn_of_the_corners_swaps_the_colours():
    game = quatuor.new("trois_six")
    turned = {"ABCDEF"[int(cell[1]) - 1] + str(6 - "ABCDEF".index(cell[0])) for cell in pieces(game, WHITE)}
    assert turned == set(pieces(game, BLACK))


def moves_to_a_line(capture):
    """The fewest moves that white needs for three in line while black passes."""
    reached, moves = [quatuor.new("trois_six").state], 0
    out = np.zeros(RULEBOOK.max_moves, np.int64)
    while not any(rules.line(state[rules.PAWNS]) for state in reached):
        after = {}
        for state in reached:
            for action in out[: rules.legal(state, WHITE, out)].copy():
                twin = state.copy()
                rules.play(twin, WHITE, action)
                rules.play(twin, BLACK, rules.PASS)
                if capture or twin[rules.PAWNS + BLACK] == state[rules.PAWNS + BLACK]:
                    after[twin[: rules.ORDER].tobytes()] = twin
        reached, moves = list(after.values()), moves + 1
    return moves


def test_TS_2_a_line_needs_four_moves_from_the_corners_or_three_with_captures():
    assert moves_to_a_line(capture=False) == 4
    assert moves_to_a_line(capture=True) == 3


def test_TS_2_a_layout_of_one_s_own():
    game = quatuor.new("trois_six", layout="c3 D4 A1 F6 A6 F1/B1 E1 B6 E6 A3 F3")
    assert game.options["layout"] == "C3 D4 A1 F6 A6 F1 / B1 E1 B6 E6 A3 F3"
    assert pieces(game, WHITE)["D4"] == (2, 1)
    assert pieces(game, BLACK)["F3"] == (6, 1)
    assert quatuor.new("trois_six", layout=CORNERS).options["layout"] == "corners"


@pytest.mark.parametrize(
    ("layout", "why"),
    [
        ("A1 B1 C1 A5 B6 F6 / D1 F1 A2 F5 A6 E6", "white has three in line"),
        ("A1 E1 F2 A5 B6 F6 / B1 C2 D3 F5 A6 E6", "black has three in line"),
        ("A1 E1 F2 A5 B6 F6 / A1 F1 A2 F5 A6 E6", "share a cell"),
        ("A1 E1 F2 A5 B6 F7 / B1 F1 A2 F5 A6 E6", "'F7' is not a cell; the cells are A1 to F6"),
        ("A1 E1 F2 A5 B6 / B1 F1 A2 F5 A6 E6", "six cells, a slash and six cells"),
        ("middle", "choose corners"),
        (7, "choose corners"),
    ],
)
def test_TS_2_a_bad_layout_is_refused(layout, why):
    with pytest.raises(ValueError, match=why):
        quatuor.new("trois_six", layout=layout)


def test_TS_3_orders_are_secret_until_both_are_in():
    game = quatuor.new("trois_six")
    assert game.to_move == (WHITE, BLACK)
    game.play({BLACK: "1>C2"})
    assert game.to_move == (WHITE,)
    assert game.view(WHITE)["ready"] == [False, True]
    assert pieces(game, BLACK)["B1"] == (1, 1)  # nothing has moved yet
    other = quatuor.new("trois_six")
    other.play({BLACK: "3>B3"})
    for seat in (WHITE, None):
        assert (RULEBOOK.conceal(game.state, seat) == RULEBOOK.conceal(other.state, seat)).all()
    assert (RULEBOOK.conceal(game.state, BLACK) == game.state).all()
    game.play({WHITE: "1>B2"})
    assert game.moves == [{WHITE: "1>B2", BLACK: "1>C2"}]
    assert (pieces(game, WHITE)["B2"], pieces(game, BLACK)["C2"]) == ((1, 1), (1, 1))
    assert game.view()["ready"] == [False, False]


def test_TS_4_a_lone_pawn_moves_one_cell_in_eight_directions():
    assert targets(scene("C3 A6 F6", FAR), 1) == {"B2", "B3", "B4", "C2", "C4", "D2", "D3", "D4"}
    assert targets(scene("A1 A6 F6", FAR), 1) == {"A2", "B1", "B2"}
    assert targets(scene("F4 A6 F6", FAR), 1) == {"F3", "F5", "E3", "E4", "E5"}


def test_TS_5_a_pile_moves_up_to_its_height_in_a_straight_line():
    two = targets(scene("C3x2 A6 F6", "A2 F2 F4"), 1)
    assert two == {"B2", "B3", "B4", "C2", "C4", "D2", "D3", "D4", "A1", "A3", "A5", "C1", "C5", "E1", "E3", "E5"}
    assert targets(scene("A1x3 A6 F6", "B3 F2 F4"), 1) == {"B1", "C1", "D1", "A2", "A3", "A4", "B2", "C3", "D4"}
    assert targets(scene("A1x12 F5 E6", "B3 F2 F4"), 1) == {
        *("B1", "C1", "D1", "E1", "F1", "A2", "A3", "A4", "A5", "A6", "B2", "C3", "D4", "E5", "F6")
    }
    moved = turn(scene("A1x3 A6 F6", "B3 F2 F4"), "1>D4")
    assert pieces(moved, WHITE)["D4"] == (1, 3)  # as a whole
    assert "A1" not in pieces(moved, WHITE)


def test_TS_6_a_pile_belongs_to_its_top_pawn_and_has_its_number():
    game = turn(scene("A1 D1 F6", "B2 A6 F1 F3"), "1>B2", "4>F4")
    assert pieces(game, WHITE)["B2"] == (1, 2)
    assert targets(game, 1, BLACK) == set()  # buried
    game = turn(game, "-", "1>B3")
    assert pieces(game, WHITE)["B2"] == (1, 2)
    game = turn(game, "1>D4")
    assert pieces(game, WHITE)["D4"] == (1, 2)


def test_TS_7_two_orders_to_the_same_cell_move_neither_pawn():
    game = turn(scene("A1 D1 F6", "C3 A6 F1"), "1>B2", "1>B2")
    assert {"A1", "D1", "F6"} == set(pieces(game, WHITE))
    assert {"C3", "A6", "F1"} == set(pieces(game, BLACK))
    assert {order["result"] for order in game.effects()["orders"].values()} == {"same_target"}
    assert game.ply == 1


IMPOSSIBLE = {
    "a buried or missing pawn": "4>B2",
    "too far": "1>C3",
    "no straight line": "3>D5",
    "its own cell": "1>A1",
    "an own pawn there": "1>A2",
}


@pytest.mark.parametrize("order", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_TS_8_an_impossible_order_moves_nothing_and_play_goes_on(order):
    game = scene("A1 A2 F6x2", "C4 A6 F1")
    assert order not in game.legal(WHITE)
    turn(game, order, "1>C5")
    assert pieces(game, WHITE) == {"A1": (1, 1), "A2": (2, 1), "F6": (3, 2)}
    assert "C5" in pieces(game, BLACK)
    assert game.effects()["orders"][WHITE]["result"] == "void"
    assert game.to_move == (WHITE, BLACK)


def test_TS_8_both_sides_can_pass():
    game = scene("A1 A2 F6", "C4 A6 F1")
    assert "-" in game.legal(WHITE)
    turn(game, "-", "-")
    assert game.effects()["orders"][WHITE] == {"number": None, "from": None, "to": None, "result": "passed"}
    assert game.view()["quiet"] == 1


@pytest.mark.parametrize("text", ["", "7>B4", "3>G1", "3>A7", "3 B4", "3>B44", "--", "3>", ">B4", "٣>B4"])
def test_TS_8_text_that_is_no_order_is_refused(text):
    game = quatuor.new("trois_six")
    with pytest.raises(quatuor.IllegalMove, match="is not an order"):
        game.play({WHITE: text})
    assert game.to_move == (WHITE, BLACK)


# ---- arriving


def test_TS_10_landing_on_an_enemy_takes_it_out_and_adds_its_height():
    game = turn(scene("A1x2 D1 F6", "C3x3 A6 F1 F3"), "1>C3")
    assert pieces(game, WHITE)["C3"] == (1, 5)
    assert "C3" not in pieces(game, BLACK)
    assert game.effects()["orders"][WHITE] == {
        "number": 1,
        "from": "A1",
        "to": "C3",
        "result": "captured",
        "under": {"cell": "C3", "owner": BLACK, "number": 1, "height": 3},
    }
    turn(game, "-", "1>C4")  # out for good
    assert len(pieces(game, BLACK)) == 3


def test_TS_10_both_can_capture_in_one_turn():
    game = turn(scene("A1 D1 F6 E4", "B2 A6 F1 E1"), "1>B2", "4>D1")
    assert pieces(game, WHITE) == {"B2": (1, 2), "F6": (3, 1), "E4": (4, 1)}
    assert pieces(game, BLACK) == {"A6": (2, 1), "F1": (3, 1), "D1": (4, 2)}


def test_TS_11_two_that_swap_pass_each_other():
    game = turn(scene("A1 D1 F6", "B2 A6 F1"), "1>B2", "1>A1")
    assert pieces(game, WHITE)["B2"] == (1, 1)
    assert pieces(game, BLACK)["A1"] == (1, 1)
    assert game.effects()["swap"] is True


def test_TS_11_arriving_where_an_enemy_has_just_left_finds_the_cell_empty():
    game = turn(scene("A1 D1 F6", "B2 A6 F1"), "1>B2", "1>C3")
    assert pieces(game, WHITE)["B2"] == (1, 1)
    assert pieces(game, BLACK)["C3"] == (1, 1)
    assert game.effects()["swap"] is False


def test_TS_11_the_one_who_escapes_can_capture_the_chaser_s_friend():
    game = turn(scene("A1 C3 F6 D6", "B2 A6 F1"), "1>B2", "1>C3")
    assert pieces(game, WHITE)["B2"] == (1, 1)
    assert pieces(game, BLACK)["C3"] == (1, 2)


def test_TS_12_landing_on_one_s_own_is_impossible():
    game = scene("A1 B2 F6 D5", FAR)
    assert "B2" not in targets(game, 1)
    turn(game, "1>B2")
    assert len(pieces(game, WHITE)) == 4


def test_TS_12_own_stacking_by_option_costs_the_pawn_below():
    game = scene("A1 B2x2 F6 D5", FAR, own_stacking="yes")
    assert "B2" in targets(game, 1)
    turn(game, "1>B2")
    assert pieces(game, WHITE) == {"B2": (1, 3), "F6": (3, 1), "D5": (4, 1)}
    assert game.effects()["orders"][WHITE]["result"] == "stacked"
    assert game.view()["quiet"] == 0
    turn(game, "1>D4")
    turn(game, "1>D5")
    assert game.reason == {"code": "two_left", "winner": BLACK}  # it no longer counts in TS-21


BETWEEN = {"an own pawn": ("A1x3 B1 F6", "A4 C6 E6"), "an enemy pawn": ("A1x3 F2 F6", "B1 C6 E6")}


@pytest.mark.parametrize(("white", "black"), BETWEEN.values(), ids=BETWEEN.keys())
def test_TS_13_a_pile_does_not_pass_over_pieces(white, black):
    along = {"B1", "C1", "D1"}
    plain = targets(scene(white, black), 1) & along
    assert plain == {"B1"} - set(white.split())
    assert targets(scene(white, black, jump="yes"), 1) & along == along - set(white.split())


@pytest.mark.parametrize("middle", ["B4", "C4", "D4", "B3", "D3", "B2", "C2", "D2"])
def test_TS_13_in_all_eight_directions(middle):
    column, row = "ABCDEF".index(middle[0]) - 2, int(middle[1]) - 3
    beyond = "ABCDEF"[2 + 2 * column] + str(3 + 2 * row)
    blocked = targets(scene("C3x2 F6 D6", middle), 1)
    assert middle in blocked
    assert beyond not in blocked
    assert beyond in targets(scene("C3x2 F6 D6", middle, jump="yes"), 1)


def test_TS_13_a_piece_in_between_blocks_even_if_it_leaves_in_the_same_turn():
    game = turn(scene("A1x2 F2 F6", "B1 C6 E6"), "1>C1", "1>B2")
    assert "A1" in pieces(game, WHITE)
    game = turn(scene("A1x2 F2 F6", "B2 C6 E6"), "1>C1", "1>B1")  # a piece that moves in is too late to block
    assert "C1" in pieces(game, WHITE)


def test_TS_14_an_impossible_order_does_not_block():
    game = turn(scene("A1 D1 F6", "C5 A6 F1"), "1>B2", "1>B2")
    assert "B2" in pieces(game, WHITE)
    assert not [order for order in game.legal(WHITE) if order[0] == "0"]
    with pytest.raises(quatuor.IllegalMove, match="void_blocks=yes"):
        game.play({WHITE: "0>B4"})


@pytest.mark.parametrize("order", ["1>B2", "0>B2", "5>B2"])
def test_TS_14_by_option_an_impossible_order_blocks_the_cell_it_names(order):
    game = turn(scene("A1 D1 F6", "C5 A6 F1", void_blocks="yes"), "1>B2", order)
    assert "A1" in pieces(game, WHITE)
    assert {order["result"] for order in game.effects()["orders"].values()} == {"same_target"}
    assert len([order for order in game.legal(BLACK) if order[0] == "0"]) == 36
    turn(game, "1>B2", "-")  # an order that names no cell blocks none
    assert "B2" in pieces(game, WHITE)


# ---- the end

STEPS = [(1, 0), (0, 1), (1, 1), (1, -1)]
THREES = [
    [(x + k * dx, y + k * dy) for k in range(3)]
    for x, y, (dx, dy) in itertools.product(range(6), range(6), STEPS)
    if x + 2 * dx < 6 and 0 <= y + 2 * dy < 6
]


def test_TS_20_every_three_side_by_side_is_a_line_and_nothing_else():
    assert len(THREES) == 2 * 24 + 2 * 16
    lines = {frozenset(x + 6 * y for x, y in three) for three in THREES}
    for cells in itertools.combinations(range(36), 3):
        spots = sum(1 << int(rules.SPOTS[cell]) for cell in cells)
        assert rules.line(spots) == (frozenset(cells) in lines)


def test_TS_20_three_pawns_or_piles_in_line_win_at_once():
    game = turn(scene("A1 B1x2 D2 F6", FAR + " F2"), "3>C1")
    assert game.over
    assert game.reason == {"code": "line", "winner": WHITE}
    assert (game.scores, game.ranking) == ((1, 0), (1, 2))
    assert game.effects()["lines"] == [{"seat": WHITE, "cells": ["A1", "B1", "C1"]}]
    assert game.legal(WHITE) == []


def test_TS_20_a_gap_is_no_line():
    assert not turn(scene("A1 B1 E2 F6", FAR), "3>D1").over


def test_TS_21_a_side_left_with_two_loses():
    game = turn(scene("A1 D2 F6", "B2 C6 E6"), "1>B2")
    assert game.reason == {"code": "two_left", "winner": WHITE}
    assert game.ranking == (1, 2)


def test_TS_21_fewer_than_two_count_as_well():
    game = turn(scene("A1 D2 F6", "B2 E6"), "1>B2")  # one is left
    assert game.reason == {"code": "two_left", "winner": WHITE}


def test_TS_22_lines_of_both_are_a_draw():
    game = turn(scene("A1 B1 D2 F6", "A6 B6 D5 F4"), "3>C1", "3>C6")
    assert game.reason == {"code": "both_lines", "winner": None}
    assert (game.scores, game.ranking) == ((0, 0), (1, 1))


def test_TS_22_two_left_of_both_is_a_draw():
    game = turn(scene("A1 D1 F6", "B2 A6 E2"), "1>B2", "3>D1")
    assert game.reason == {"code": "both_two_left", "winner": None}
    assert game.ranking == (1, 1)


def test_TS_22_a_line_comes_before_two_left():
    game = turn(scene("A1 B2 D3 F5", "C3 D1 F1"), "3>C3")  # takes one of three and lines up with it
    assert game.reason == {"code": "line", "winner": WHITE}
    game = turn(scene("A1 C3 F5", "B2 D1 E2 F2"), "-", "1>A1")
    assert game.reason == {"code": "two_left", "winner": BLACK}
    game = turn(scene("D3 C3 F5", "B2 D1 E2 F2"), "2>C4", "2>D2")
    assert game.reason == {"code": "line", "winner": BLACK}


def test_TS_23_fifty_quiet_turns_are_a_draw():
    game = quatuor.new("trois_six")
    for _ in range(49):
        turn(game, "-")
    assert not game.over
    turn(game, "-")
    assert game.reason == {"code": "quiet", "winner": None, "turns": 50}
    assert game.ranking == (1, 1)


def test_TS_23_a_landing_starts_the_count_again():
    game = scene("A1 D1 F6", "B2 A6 F1 F3", quiet_turns=3)
    turn(turn(game, "-"), "-")
    turn(game, "1>B2")
    assert game.view()["quiet"] == 0
    turn(turn(game, "-"), "-")
    assert not game.over
    assert turn(game, "-").reason["code"] == "quiet"


def test_TS_23_a_line_comes_before_the_quiet_turns():
    game = turn(scene("A1 B1 D2 F6", FAR, quiet_turns=1), "3>C1")
    assert game.reason["code"] == "line"


def test_TS_23_without_a_limit_and_without_repetition():
    game = scene("A1 D1 F6", "B2 A6 F1 F3", quiet_turns=None)
    turn(game, "1>B2")  # a count that starts at 0 again is no limit of 0
    for _ in range(1200):
        turn(game, "-")
    assert not game.over


def test_TS_24_the_sequence_of_the_two_orders_does_not_matter():
    first, second = quatuor.new("trois_six"), quatuor.new("trois_six")
    first.play({WHITE: "1>B1"})
    first.play({BLACK: "3>A1"})
    second.play({BLACK: "3>A1"})
    second.play({WHITE: "1>B1"})
    assert (first.state == second.state).all()
    assert first.moves == second.moves


# ---- the whole


def test_move_counts_from_the_start():
    assert [perft(quatuor.new("trois_six"), depth) for depth in (1, 2)] == [23 * 23, 329_009]
    assert [len(quatuor.new("trois_six").legal(seat)) for seat in (WHITE, BLACK)] == [23, 23]


def test_the_text_board_shows_owners_numbers_and_heights():
    assert str(scene("A1 D2x3 F6", "B2 C6x12")).splitlines()[:7] == [
        "    A    B    C    D    E    F",
        "6   ·    ·   (2)¹² ·    ·    3   ",
        "5   ·    ·    ·    ·    ·    ·   ",
        "4   ·    ·    ·    ·    ·    ·   ",
        "3   ·    ·    ·    ·    ·    ·   ",
        "2   ·   (1)   ·    2 ³  ·    ·   ",
        "1   1    ·    ·    ·    ·    ·   ",
    ]


@pytest.mark.parametrize("own_stacking", ["no", "yes"])
@pytest.mark.parametrize("jump", ["no", "yes"])
def test_TS_8_exactly_the_listed_orders_move_a_pawn(own_stacking, jump):
    """``legal`` and ``mover`` find out in two ways what an order may name."""
    dice = random.Random(8)
    for _ in range(6):
        game = quatuor.new("trois_six", own_stacking=own_stacking, jump=jump)
        while not game.over:
            for seat in (WHITE, BLACK):
                moving = [a for a in range(rules.ACTIONS) if rules.mover(game.state, seat, a) != rules.NOBODY]
                assert moving == [a for a in game.actions(seat) if a != rules.PASS]
            game.play_actions({seat: dice.choice(game.actions(seat)) for seat in (WHITE, BLACK)})
