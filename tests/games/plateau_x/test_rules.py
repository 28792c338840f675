"""Plateau X, clause by clause (docs/rules/plateau_x.md)."""

import itertools
import json
from collections import Counter

import pytest

import quatuor
from quatuor.engine.perft import perft
from quatuor.games.plateau_x import RULEBOOK, rules, tables
from quatuor.games.plateau_x.notation import BRICKS, cells_of, read, write
from quatuor.games.plateau_x.view import path

BLACK, YELLOW, ORANGE, GREEN = range(4)

# The terrain of both editions' examples, in an order in which the bricks can be placed
TERRAIN = "+A4A5B4 +B2C1C2 +B5B6C6 +E4F4F5 +D4D5 +A3 +E3 +A5B5B6 +E4F4 +A4 +A5"


def scene(bricks="", pawns=None, turn=0, variant="four", **options):
    """A position: bricks placed in order by the seats that can, then {seat: "cell cell"} pawns, then who is to move."""
    game = quatuor.new("plateau_x", variant, **options)
    for brick in bricks.split():
        for seat in reversed(range(game.seats)):  # seat 0 keeps its stock as long as possible
            game.state[rules.TURN] = seat
            if brick in game.legal():
                break
        rules.play(game.state, seat, read(game.state, seat, brick))
    for seat, cells in (pawns or {}).items():
        for cell in cells.split():
            game.state[rules.PLY] += 1
            rules._put(game.state, seat, tables.IN_HAND, number(cell))
    game.state[rules.TURN] = turn
    return game


def number(cell):
    return (int(cell[1]) - 1) * 7 + "ABCDEFG".index(cell[0])


def level(game, cell):
    return game.view()["levels"][int(cell[1]) - 1]["ABCDEFG".index(cell[0])]


def plateau(game, cell):
    return next((p for p in game.view()["plateaus"] if cell in p["cells"]), None)


def moves(game, start):
    return {move for move in game.legal() if move.startswith(start)}


def run_out(game):
    """Take all bricks away from every seat, so that none can place one."""
    game.state[rules.TRIPLES_LEFT] = 0
    for seat in range(game.seats):
        game.state[rules.SINGLES_LEFT + seat] = game.state[rules.DOUBLES_LEFT + seat] = 0
    return game


def refused(game, move, why):
    with pytest.raises(quatuor.IllegalMove, match=why):
        game.play(move)


# ---- terms


def test_PX_1_cells_of_the_large_and_the_small_board():
    large, small = scene(), scene(variant="mini")
    assert len(moves(large, "@")) == 49
    assert len(moves(small, "@")) == 36
    assert {"@A1", "@G7"} <= moves(large, "@")
    assert {"@A1", "@F6"} <= moves(small, "@")
    refused(small, "@G1", "columns are A to F, rows 1 to 6")
    refused(large, "@A8", "rows 1 to 7")
    lines = str(large).splitlines()
    assert lines[1].startswith(" 7")  # row 1 is at the bottom,
    assert lines[15].split()[0] == "A"  # column A on the left


def test_PX_2_a_brick_raises_its_cells_by_one_level():
    game = scene()
    assert game.view()["levels"] == [[0] * 7] * 7
    game.play("+B2C1C2")
    assert [level(game, cell) for cell in ("B2", "C1", "C2", "B1")] == [1, 1, 1, 0]
    game.play("+B2C2")
    assert [level(game, cell) for cell in ("B2", "C1", "C2", "B1")] == [2, 1, 2, 0]


def test_PX_3_plateaus_are_cells_of_one_level_joined_by_edges():
    game = scene(TERRAIN)
    found = {"+".join(p["cells"]): p["level"] for p in game.view()["plateaus"]}
    assert found["B2+C1+C2"] == 1
    assert found["A3"] == 1  # touches B2 with a corner only
    assert (found["B5+B6"], found["A4"], found["E4+F4"]) == (2, 2, 2)
    assert plateau(game, "F3") is None  # the bare board is not a plateau


def test_PX_4_the_bricks():
    game = scene(variant="four")
    view = game.view()
    assert view["triples"] == 37
    assert sum(stock["singles"] for stock in view["stocks"]) == 8
    assert sum(stock["doubles"] for stock in view["stocks"]) == 4
    for variant in ("trio", "mini", "double"):
        assert scene(variant=variant).view()["triples"] == 37
    shapes = Counter(len(cells_of(cover)) for cover in BRICKS)
    assert shapes == {1: 49, 2: 2 * 42, 3: 4 * 36}  # every place and turn of each on 7 by 7
    refused(game, "+A1A2A3", "not L-shaped")
    refused(game, "+A1B2", "do not share an edge")
    refused(game, "+A1A2B1B2", "no brick covers 4 cells")
    refused(game, "+A1A1", "each cell once")


def test_PX_4_the_triples_are_one_common_stock():
    game = scene()
    for left, move in enumerate(("+A1A2B1", "+C1C2D1", "+A4A5B4"), 1):
        game.play(move)
        assert game.view()["triples"] == 37 - left
    game.state[rules.TRIPLES_LEFT] = 0
    refused(game, "+F1G1G2", "no triple is left")


# ---- bricks


def test_PX_10_a_brick_comes_from_the_players_own_stock():
    game = scene()
    for move in ("+A1", "+A3", "+A5", "+A7", "+C1", "+C3", "+C5", "+C7"):
        game.play(move)
    assert [stock["singles"] for stock in game.view()["stocks"]] == [0, 0, 0, 0]
    refused(game, "+E1", "no single is left for seat 0")
    game.play("+E1F1")
    assert [stock["doubles"] for stock in game.view()["stocks"]] == [0, 1, 1, 1]
    assert "+E3F3" in game.legal()  # seat 1 has its own


def test_PX_11_all_cells_covered_are_on_one_level():
    game = scene("+B2C1C2")
    refused(game, "+B1B2", r"levels differ \(B1 is at 0, B2 is at 1\)")
    refused(game, "+B1B2C2", "levels differ")
    game.play("+B2C2")


def test_PX_12_no_covered_cell_holds_a_pawn():
    game = scene(pawns={BLACK: "B2", YELLOW: "E5"})
    for move in ("+B2", "+B2C2", "+A1A2B2", "+E5"):
        refused(game, move, "a pawn stands on")
        assert move not in game.legal()
    assert "+A1A2B1" in game.legal()


@pytest.mark.parametrize("brick", ["+C3", "+C3D3", "+C3C4", "+C3C4D3", "+C3C4D4", "+C3D3D4", "+C4D3D4"])
def test_PX_13_not_exactly_onto_a_brick_of_the_same_kind(brick):
    game = scene(brick)
    assert brick not in game.legal()
    refused(game, brick, "exactly these cells")


def test_PX_13_other_bricks_and_other_cells_are_fine():
    triple = scene("+C3C4D3")
    assert {"+C3", "+C3C4", "+C3D3"} <= set(triple.legal())
    doubles = scene("+C3C4 +D3D4")
    assert {"+C3D3", "+C4D4", "+C3C4D3", "+C3"} <= set(doubles.legal())
    singles = scene("+C3 +C4")
    assert "+C3C4" in singles.legal()


def test_PX_13_a_triple_with_one_cell_covered_is_no_double():
    game = scene("+C3C4D3 +D3")
    assert "+C3C4" in game.legal()


def test_PX_13_the_same_cells_with_a_layer_in_between_are_fine():
    game = scene("+C3C4 +C3 +C4")
    assert level(game, "C3") == level(game, "C4") == 2
    assert "+C3C4" in game.legal()
    assert "+C3" not in game.legal()


# ---- pawns


def test_PX_14_a_pawn_comes_in_once_on_a_bare_cell_without_a_pawn():
    game = scene("+B2C1C2", {YELLOW: "E5"})
    refused(game, "@B2", "level 1: a pawn comes in on the bare board")
    refused(game, "@E5", "a pawn stands on E5")
    assert len(moves(game, "@")) == 49 - 3 - 1
    game.play("@B1")
    assert game.view()["pawns"][0] == {"seat": BLACK, "cell": "B1", "level": 0, "since": game.state[rules.PLY]}
    for _ in range(3):
        game.play(game.legal()[-1])
    assert not moves(game, "@")
    refused(game, "@A1", "no pawn left to bring in")
    assert "B1-B2" in game.legal()  # it moves from the next turn on


def test_PX_15_a_step_goes_one_level_up_or_down_to_an_edge_neighbour():
    game = scene(TERRAIN, {BLACK: "A4"})
    assert {"A4-A5", "A4-B4", "A4-A3"} <= moves(game, "A4")
    hill = scene("+B2", {BLACK: "B1"})
    assert moves(hill, "B1") == {"B1-B2", "B1-A2", "B1-B3", "B1-C2", "B1-B1"}  # up, and down again on every side
    flat = scene("", {BLACK: "B1"})
    assert not moves(flat, "B1")  # the same level is not a step
    cliff = scene("+B2C2 +B2 +B1", {BLACK: "A2"})
    refused(cliff, "A2-B2", "no way from A2 to B2")  # two levels are not a step
    corner = scene("+B2", {BLACK: "A1"})
    refused(corner, "A1-B2", "cannot move at all")  # nor is a corner


def test_PX_15_a_plateau_with_an_enemy_pawn_is_barred():
    game = scene("+B2C1C2", {BLACK: "B1", YELLOW: "C2"})
    assert not moves(game, "B1")
    refused(game, "B1-B2", "B2 is part of a plateau with an enemy pawn")
    refused(game, "B1-C2", "a pawn stands on C2")
    refused(game, "C2-C3", "seat 0 has no pawn on C2; its pawns stand on B1")
    refused(scene(), "A1-A2", "bring one in first")


def test_PX_16_pawns_on_the_bare_board_do_not_bar_it():
    game = scene("+B2", {BLACK: "B2", YELLOW: "E5"})
    assert moves(game, "B2") == {"B2-A2", "B2-B1", "B2-B3", "B2-C2", "B2-B2"}


def test_PX_16_no_cell_holds_two_pawns():
    ridge = "+B2 +C2D2 +C2"  # levels 1, 2, 1 in a row
    enemy = scene(ridge, {BLACK: "A2", YELLOW: "B3"})
    assert {"A2-D2", "A2-C2", "A2-B1"} <= moves(enemy, "A2")
    assert "A2-B3" not in enemy.legal()
    own = scene(ridge, {0: "A2 C2"}, variant="double")
    assert moves(own, "A2") == {"A2-B2", "A2-B1", "A2-B3", "A2-A2"}  # not through its own side's pawn either


def test_PX_17_pawns_share_a_merged_plateau_and_cannot_return_after_leaving():
    game = scene("+B2 +D2", {BLACK: "B2", YELLOW: "D2"}, turn=ORANGE)
    game.play("+C2")
    assert plateau(game, "B2") == {"cells": ["B2", "C2", "D2"], "level": 1, "owners": [BLACK, YELLOW]}
    game.state[rules.TURN] = BLACK
    assert moves(game, "B2") == {"B2-A2", "B2-B1", "B2-B3"}  # neither to its own cell nor to C2
    refused(game, "B2-C2", "plateau with an enemy pawn")
    refused(game, "B2-B2", "plateau with an enemy pawn")


def test_PX_18_a_move_may_end_where_it_began():
    game = scene("+B2", {BLACK: "B2"})
    assert "B2-B2" in game.legal()
    before = game.state.copy()
    game.play("B2-B2")
    assert game.view()["pawns"][0]["since"] == before[rules.PLY] + 1
    assert game.effects()["path"] in (["B2", cell, "B2"] for cell in ("A2", "B1", "B3", "C2"))
    assert "B2-B2" not in scene("", {BLACK: "B2"}).legal()


def test_PX_18_a_path_is_shown_and_is_a_shortest_one():
    game = scene(TERRAIN, {YELLOW: "F3"}, turn=YELLOW)
    way = path(game.state, read(game.state, YELLOW, "F3-A5"))
    assert (way[0], way[-1], len(way)) == ("F3", "A5", 8)
    assert all(abs(level(game, a) - level(game, b)) == 1 for a, b in itertools.pairwise(way))
    assert path(game.state, read(game.state, YELLOW, "F3-E3")) == ["F3", "E3"]


def test_PX_19_a_player_who_can_move_must():
    for variant in ("four", "trio", "mini", "double"):
        game = scene(variant=variant)
        assert "end" not in game.legal()
        refused(game, "end", "can still lay a brick")
    game = run_out(scene("+B2", {BLACK: "B1"}, edition="fr"))
    assert moves(game, "") == moves(game, "B1")  # bricks are gone, so the pawn moves


# ---- the end


def last_brick(pawns, edition="de", variant="four"):
    """Seat 0 is about to place the last triple, on A1, A2 and B1."""
    game = run_out(scene("+D4", pawns, edition=edition, variant=variant))
    game.state[rules.TRIPLES_LEFT] = 1
    return game


def test_PX_20_the_end_comes_at_the_start_of_the_turn_of_a_player_who_can_lay_no_brick():
    game = last_brick({0: "G7", 1: "G1", 2: "F7", 3: "G6"})
    assert not game.over
    game.play("+A1A2B1")
    assert (game.over, game.reason["code"]) == (True, "no_move")
    keeps = last_brick({0: "G7", 1: "G1", 2: "F7", 3: "G6"})
    keeps.state[rules.SINGLES_LEFT + 1] = 1
    keeps.play("+A1A2B1")
    assert not keeps.over  # the next player still has a single


def test_PX_20_having_no_brick_that_fits_equals_having_none():
    game = scene(variant="mini", pawns={0: "A1", 1: "C1"}, turn=1)
    state = game.state
    state[rules.LEVEL] = sum(int(tables.BIT[cell]) for cell in range(49) if cell % 2)  # a chessboard of levels 0 and 1
    state[rules.LEVEL] &= tables.BOARDS[2]
    state[rules.SAME] = state[rules.SAME + 1] = 0
    assert not any(move[0] == "+" and len(move) > 3 for move in game.legal())
    state[rules.SINGLES_LEFT + 1] = 0
    assert game.legal() == ["end"]  # triples are left, but no two neighbours are on the same level


def test_PX_21_german_edition_without_a_brick_a_player_moves_or_declares_the_end():
    game = last_brick({0: "G7", 1: "D3", 2: "F7", 3: "G6"})
    game.play("+A1A2B1")
    assert not game.over
    assert set(game.legal()) == {"D3-C4", "D3-D3", "D3-D4", "D3-D5", "D3-E4", "end"}
    game.play("end")
    assert (game.over, game.reason["code"]) == (True, "no_brick_declared")
    assert game.effects() == {"kind": "end", "seat": 1}


def test_PX_21_french_edition_a_player_who_can_move_must():
    game = last_brick({0: "G7", 1: "D3", 2: "F7", 3: "G6"}, edition="fr")
    game.play("+A1A2B1")
    assert set(game.legal()) == {"D3-C4", "D3-D3", "D3-D4", "D3-D5", "D3-E4"}
    refused(game, "end", "not declared in this edition")
    game.play("D3-D4")
    assert (game.over, game.reason["code"]) == (True, "no_move")  # seat 2 can neither place a brick nor move


def test_PX_22_others_do_not_play_on_after_the_end():
    game = last_brick({0: "G7", 1: "G1", 2: "D3", 3: "G6"})
    game.state[rules.SINGLES_LEFT + 3] = 2
    game.play("+A1A2B1")
    assert game.over  # although seat 2 could move and seat 3 could place a brick
    assert [game.legal(seat) for seat in range(4)] == [[], [], [], []]


@pytest.mark.parametrize("edition", ["de", "fr"])
def test_PX_23_bringing_a_pawn_in_counts_as_moving(edition):
    game = last_brick({0: "G7", 2: "F7", 3: "G6"}, edition)
    game.play("+A1A2B1")
    assert not game.over
    assert len(moves(game, "@")) == 49 - 1 - 3 - 3
    assert ("end" in game.legal()) == (edition == "de")


def shuttle(game, rounds):
    """Both pawns of a two-player game step up and down again."""
    for _ in range(rounds):
        for move in ("A1-B1", "F6-E6", "B1-A1", "E6-F6"):
            game.play(move)


def test_PX_24_the_third_occurrence_ends_the_game_as_it_stands():
    pawns = {0: "A1", 1: "F6"}
    game = scene("+B1 +E6", pawns, variant="mini")
    game.play("+C3")
    game.play("+D4")  # the first occurrence
    shuttle(game, 1)
    assert not game.over
    shuttle(game, 1)
    assert (game.over, game.reason["code"]) == (True, "repetition")
    assert game.ranking == (1, 2)  # both at level 0; seat 0 moved less recently
    for move in ("B1-A1", "E6-F6"):
        game.undo()
        assert not game.over, move
    endless = scene("+B1 +E6", pawns, variant="mini", repetition="none")
    shuttle(endless, 5)
    assert not endless.over


def test_PX_24_what_makes_a_position():
    def key(*arguments, **changes):
        return scene(*arguments, variant="double", **changes)._key()

    start = key("+B1", {0: "A1 C3"})
    assert key("+B1", {0: "C3 A1"}) == start  # a player's two pawns are not told apart
    assert key("+B1", {1: "A1 C3"}) != start
    assert key("+B1", {0: "A1 C3"}, turn=1) != start
    assert key("+C1", {0: "A1 C3"}) != start
    assert key("+B1C1 +C1", {0: "A1"}) != key("+C1D1 +C1", {0: "A1"})
    assert key("+A1 +B1", {0: "A3"}) != key("+A1B1", {0: "A3"})  # the same levels, other bricks and stocks


# ---- the ranking


def ranked(bricks, pawns, **arguments):
    game = scene(bricks, pawns, **arguments)
    return game.scores, game.ranking


def test_PX_30_higher_level_first():
    assert ranked(TERRAIN, {0: "A4", 1: "F3", 2: "A5", 3: "B4"}) == ((2, 0, 3, 1), (2, 4, 1, 3))
    assert ranked(TERRAIN, {0: "F3", 1: "B4", 2: "C4"})[1][1] == 1  # it need not be the highest point of the board


def test_PX_31_then_the_larger_plateau():
    scores, places = ranked(TERRAIN, {0: "A3", 1: "B2", 2: "D4", 3: "E3"})
    assert scores == (1, 1, 1, 1)
    assert places == (3, 1, 2, 4)  # three cells, two, and one each: seat 0 was there first


def test_PX_31_level_0_has_no_size():
    game = scene("+A2 +B1", {BLACK: "A1", YELLOW: "F6"})  # black's bare corner is cut off, yellow's ground is wide
    assert game.ranking[:2] == (1, 2)
    assert game.reason == {}


def test_PX_31_a_pawn_never_brought_in_ranks_last_and_several_share():
    assert ranked("+A2", {1: "B2", 3: "B1"}) == ((-1, 0, -1, 0), (3, 1, 3, 2))
    assert ranked("", {}) == ((-1, -1, -1, -1), (1, 1, 1, 1))


def test_PX_32_then_the_pawn_that_has_stood_there_longest():
    assert ranked("+B2 +D2", {1: "B2", 0: "D2"}, variant="mini")[1] == (2, 1)
    shared = scene("+B2 +D2", {1: "B2", 0: "D2"}, variant="mini")
    shared.play("+C2")
    assert shared.ranking == (2, 1)  # even on one and the same plateau


def test_PX_32_the_rulebooks_example():
    """A is on a plateau, B reaches one of the same level and size, A leaves and comes back: B wins."""
    game = scene("+B2 +D4", {0: "B2", 1: "D3"}, variant="mini")
    game.play("+F6")
    game.play("D3-D4")
    assert game.ranking == (1, 2)
    game.play("B2-B1")
    game.play("+F1")
    game.play("B1-B2")
    assert game.ranking == (2, 1)


def test_PX_33_every_move_interrupts_even_one_on_the_same_plateau():
    game = scene("+B2C1C2 +D4E4E5", {0: "B2", 1: "D4"}, variant="mini")
    assert game.ranking == (1, 2)
    game.play("B2-C1")
    assert game.ranking == (2, 1)
    stays = scene("+B2C1C2 +D4E4E5", {0: "B2", 1: "D4"}, variant="mini")
    stays.play("B2-B2")
    assert stays.ranking == (2, 1)


def test_PX_33_bricks_do_not_interrupt():
    game = scene("+B2C2 +D4E4", {0: "B2", 1: "D4"}, variant="mini")
    for brick in ("+A2A1B1", "+E5F4F5", "+C2", "+E4"):  # enlarged, enlarged, then both split again
        game.play(brick)
    assert plateau(game, "B2")["owners"] == [0]
    assert [row["since"] for row in game.book.reason(game.state)["standing"]] == [5 - 2, 5 - 1]
    assert game.view()["standing"] == game.book.reason(game.state)["standing"]
    assert game.ranking == (1, 2)


def test_PX_34_the_better_pawn_alone_counts():
    assert ranked("+B2 +D4", {0: "A1 B2", 1: "D4 E5"}, variant="double") == ((1, 1), (1, 2))
    assert ranked("+B2 +D4E4", {0: "A1 B2", 1: "D5 D4"}, variant="double") == ((1, 1), (2, 1))
    assert ranked("+B2 +D4", {1: "A1", 0: "D4 B2"}, variant="double")[0] == (1, 0)


# ---- variants


@pytest.mark.parametrize(
    ("variant", "seats", "size", "singles", "pawns"),
    [("four", 4, 7, 2, 1), ("trio", 3, 7, 2, 1), ("mini", 2, 6, 3, 1), ("double", 2, 7, 3, 2)],
    ids=["PX_40", "PX_41", "PX_42", "PX_43"],
)
def test_PX_40_PX_41_PX_42_PX_43_what_each_variant_starts_with(variant, seats, size, singles, pawns):
    game = scene(variant=variant)
    assert (game.seats, game.view()["size"]) == (seats, size)
    assert game.view()["stocks"] == [{"singles": singles, "doubles": 1, "pawns": pawns}] * seats


def test_PX_43_two_pawns_each_may_enter_the_plateau_of_their_own_side():
    game = scene("+B2C1C2 +E4F4", {0: "B2", 1: "E4"}, variant="double")
    game.play("@B1")
    game.play("@F3")
    assert "B1-C1" in moves(game, "B1")  # the plateau of its own pawn on B2
    game.play("+A7")
    assert "F3-F4" in game.legal()
    assert not any(move.endswith(("-B2", "-C1", "-C2")) for move in game.legal())  # but not the enemy's
    refused(game, "@A1", "no pawn left to bring in")


def test_PX_44_points_of_a_game_in_a_match():
    points = RULEBOOK.match_points
    assert points("four", (3, 2, 1, 0), (1, 2, 3, 4)) == (4, 2, 1, 0)
    assert points("trio", (3, 2, 1), (1, 2, 3)) == (3, 1, 0)
    assert points("mini", (0, 2), (2, 1)) == (0, 1)
    assert points("double", (2, 0), (1, 2)) == (1, 0)
    assert points("four", (3, -1, -1, 0), (1, 3, 3, 2)) == (4, 1, 1, 2)  # who shares a place gets its points


def test_PX_45_seats_are_in_turn_order():
    for variant in ("four", "trio", "mini", "double"):
        game = scene(variant=variant)
        order = []
        for _ in range(2 * game.seats):
            order += game.to_move
            game.play(game.legal()[0] if game.ply < game.seats else game.legal()[-1])
        assert order == list(range(game.seats)) * 2


# ---- the rulebook's examples


def test_PX_15_example_1():
    pawns = {BLACK: "A4", YELLOW: "F3", ORANGE: "F4"}
    assert "A4-A5" in scene(TERRAIN, pawns, turn=BLACK).legal()
    yellow = scene(TERRAIN, pawns, turn=YELLOW)
    yellow.play("F3-A5")
    assert yellow.effects()["path"] == ["F3", "E3", "D3", "D4", "C4", "B4", "B5", "A5"]
    orange = scene(TERRAIN, pawns, turn=ORANGE)
    assert "F4-B6" in orange.legal()
    assert {"F4-B5", "F4-A5"}.isdisjoint(orange.legal())  # from C6 that is a corner, from B6 the same level


def test_PX_15_example_2():
    pawns = {YELLOW: "F3", ORANGE: "D5"}
    yellow = scene(TERRAIN, pawns, turn=YELLOW)
    assert "F3-A5" not in yellow.legal()
    refused(yellow, "F3-D4", "D4 is part of a plateau with an enemy pawn")
    orange = scene(TERRAIN, pawns, turn=ORANGE)
    refused(orange, "D5-D4", "no way")
    assert "D5-F4" in orange.legal()  # by E5 and F5, while yellow is not there
    yellow.play("F3-E4")
    assert yellow.to_move == (ORANGE,)
    refused(yellow, "D5-F4", "F4 is part of a plateau with an enemy pawn")
    assert "D5-F5" in yellow.legal()


def test_PX_15_example_2_black():
    black = scene(TERRAIN, {BLACK: "C1", ORANGE: "D5"}, turn=BLACK)
    black.play("C1-A5")
    assert black.effects()["path"] == ["C1", "B1", "B2", "B3", "B4", "B5", "A5"]


def test_PX_17_example_2():
    game = scene(TERRAIN, {ORANGE: "D5", GREEN: "C6"}, turn=BLACK)
    game.play("+D6")
    assert plateau(game, "D6") == {"cells": ["C6", "D4", "D5", "D6"], "level": 1, "owners": [ORANGE, GREEN]}


def test_PX_3_the_examples_terrain():
    rows = scene(TERRAIN).view()["levels"]
    assert rows == [
        [0, 0, 1, 0, 0, 0, 0],
        [0, 1, 1, 0, 0, 0, 0],
        [1, 0, 0, 0, 1, 0, 0],
        [2, 1, 0, 1, 2, 2, 0],
        [3, 2, 0, 1, 0, 1, 0],
        [0, 2, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]


# ---- text, pictures, data


def test_cells_of_a_brick_are_read_in_any_order_and_written_sorted():
    state = scene().state
    for order in itertools.permutations(("B2", "C1", "C2")):
        action = read(state, 0, "+" + "".join(order))
        assert write(state, 0, action) == "+B2C1C2"
    assert read(state, 0, " +c2b2c1 ") == action


@pytest.mark.parametrize("text", ["", "+", "B2", "+B2-C2", "@", "@B2C2", "F3-", "F3-A5-A6", "ends", "+B222", "+٣"])
def test_invalid_moves_are_refused_with_the_notation(text):
    refused(scene(), text, "is not a move: write")


def test_out_of_turn_and_over():
    with pytest.raises(quatuor.IllegalMove, match="seat 0's turn"):
        read(scene().state, 1, "@A1")
    game = run_out(scene())
    game.play("end")
    with pytest.raises(quatuor.IllegalMove, match="over"):
        read(game.state, 1, "@A1")


def test_action_ids_are_those_documented():
    state = scene().state
    ids = {"+A1": 0, "+G7": 48, "+A1B1": 49, "+F7G7": 90, "+A1A2": 91, "+G6G7": 132}
    ids |= {"+A2B1B2": 133, "+A1A2B2": 169, "+A1B1B2": 205, "+A1A2B1": 241, "+F6F7G6": 276, "@A1": 277, "@G7": 325}
    assert {text: read(state, 0, text) for text in ids} == ids
    assert [write(state, 0, a) for a in (326, 326 + 49 * 48 + 47, 2726, 2727)] == ["A1-A1", "G7-F7", "G7-G7", "end"]
    assert RULEBOOK.actions == 2728


def test_view_holds_every_brick_covered_ones_too():
    view = scene("+B2C1C2 +B2C2 +B2").view()
    assert view["bricks"] == [
        {"cells": ["B2", "C1", "C2"], "level": 1},
        {"cells": ["B2", "C2"], "level": 2},
        {"cells": ["B2"], "level": 3},
    ]
    assert json.loads(json.dumps(view)) == view


def test_all_49_bricks_are_remembered_in_order():
    """A tower on a block of 2 by 3 cells, tiled with two triples in alternating ways; then all other bricks."""
    tower = "+A1A2B1 +B2C1C2 +A1A2B2 +B1C1C2 " * 9
    rest = "+E1E2F1 +A1A2 +B1B2 +E4F4 +G1G2 +A1 +C1 +C2 +B1 +A7 +C7 +E7 +G7"
    game = scene(tower + rest)
    assert ["+" + "".join(brick["cells"]) for brick in game.view()["bricks"]] == (tower + rest).split()
    assert game.view()["triples"] == 0
    assert [level(game, cell) for cell in ("A1", "A2", "B1", "B2", "C1", "E1")] == [20, 19, 20, 19, 19, 1]
    assert game.view()["bricks"][35]["level"] == 18


def test_effects_say_what_a_turn_did():
    game = scene("+B2", {BLACK: "B1"})
    game.play("B1-B2")
    game.play("@B1")
    game.play("+C3D3")
    assert game.effects(0) == {
        "kind": "move",
        "seat": BLACK,
        "cells": ["B1", "B2"],
        "path": ["B1", "B2"],
        "level": 1,
    }
    assert game.effects(1) == {"kind": "enter", "seat": YELLOW, "cells": ["B1"], "level": 0}
    assert game.effects() == {"kind": "brick", "seat": ORANGE, "brick": "double", "cells": ["C3", "D3"], "level": 1}


@pytest.mark.parametrize(
    ("pawns", "decided", "first"),
    [
        ({0: "A5", 1: "A4"}, "level", {"seat": 0, "level": 3, "size": 1, "since": 12}),
        ({0: "A3", 1: "B2"}, "size", {"seat": 1, "level": 1, "size": 3, "since": 13}),
        ({1: "A3", 0: "E3"}, "seniority", {"seat": 1, "level": 1, "size": 1, "since": 12}),
        ({1: "G1"}, "level", {"seat": 1, "level": 0, "size": 0, "since": 12}),
        ({}, "shared", {"seat": 0, "level": -1, "size": 0, "since": None}),
    ],
)
def test_reason_says_what_decided(pawns, decided, first):
    game = run_out(scene(TERRAIN, pawns))
    game.play("end")
    assert (game.reason["code"], game.reason["decided_by"]) == ("no_brick_declared", decided)
    assert first in game.reason["standing"]
    assert game.ranking[first["seat"]] == 1


def test_pictures_show_bricks_pawns_and_stocks():
    game = scene("+B2C1C2", {BLACK: "A1"})
    assert str(game).splitlines()[9:17] == [
        " 3 │ ·   ·   ·   ·   ·   ·   · │",
        "   │   ┌───────┐               │",
        " 2 │ · │ 1   1 │ ·   ·   ·   · │",
        "   │   └───┐   │               │",
        " 1 │P·   · │ 1 │ ·   ·   ·   · │",
        "   └───────┴───┴───────────────┘",
        "     A   B   C   D   E   F   G",
        " > P  ▪×2  ▪▪×1",
    ]
    assert game.svg().count(">P</text>") == 2  # on the board and beside the stock
    assert ">36</text>" in game.svg()


@pytest.mark.parametrize("edition", ["de", "fr"])
def test_numbers_of_move_sequences(edition):
    """From the empty board; the editions differ only at the end."""
    mini = quatuor.new("plateau_x", "mini", edition=edition)
    assert [perft(mini, depth) for depth in (1, 2, 3)] == [36 + 60 + 100 + 36, 48_408, 8_245_660]
    four = quatuor.new("plateau_x", edition=edition)
    assert [perft(four, depth) for depth in (1, 2)] == [49 + 84 + 144 + 49, 98_308]
