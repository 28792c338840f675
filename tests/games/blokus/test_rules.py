"""Blokus, clause by clause (docs/rules/blokus.md)."""

import itertools
import zlib
from collections import Counter

import numpy as np
import pytest

import quatuor
from quatuor.engine.perft import perft
from quatuor.games.blokus import rules
from quatuor.games.blokus.board import laid
from quatuor.games.blokus.tables import ACTIONS, FORMS, NAMES, PIECE, SIDE, SQUARES, action_of, cells_of
from tests.oracle.blokus import COLOURS, Naive
from tests.seeded import at
from tests.seeded import play as random_game

BLUE, YELLOW, RED, GREEN = range(4)
CORNERS = ("a20", "t20", "t1", "a1")  # of blue, yellow, red, green
VARIANTS = ("classic", "teams", "two", "three", "duo")


def start(*moves, variant="classic", **options):
    game = quatuor.new("blokus", variant, **options)
    for move in moves:
        game.play(move)
    return game


def first_action(piece):
    """Any action that places a piece."""
    return int(PIECE.searchsorted(NAMES.index(piece))) * SIDE * SIDE + 5


def hands(*left, variant="classic", single_last=()):
    """A state in which every colour has placed all but these pieces (those on the board are anywhere)."""
    game = quatuor.new("blokus", variant)
    for colour, names in enumerate(left):
        order = sorted(set(NAMES) - set(names), key=lambda name: (name == "1") == (colour in single_last))
        for name in order:
            rules.put(game.state, colour, first_action(name))
    return game


def colour_to_move(game):
    return game.view()["colour"]


def refusal(game, move):
    with pytest.raises(quatuor.IllegalMove) as error:
        game.play(move)
    return str(error.value)


# ---- material


def all_free_polyominoes(squares):
    """All polyominoes, grown square by square; each as the set of its turned and flipped forms."""

    def forms(cells):
        found = set()
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            for side in (1, -1):
                ways = [(r, side * c) for r, c in cells]
                low, left = min(r for r, _ in ways), min(c for _, c in ways)
                found.add(frozenset((r - low, c - left) for r, c in ways))
        return frozenset(found)

    level = {forms([(0, 0)])}
    for _ in range(squares - 1):
        level = {
            forms([*form, (r + up, c + right)])
            for pieces in level
            for form in [min(pieces, key=sorted)]
            for r, c in form
            for up, right in ((0, 1), (0, -1), (1, 0), (-1, 0))
            if (r + up, c + right) not in form
        }
    return level


def test_BK_1_the_pieces_are_all_polyominoes_up_to_five_squares():
    grown = [pieces for squares in range(1, 6) for pieces in all_free_polyominoes(squares)]
    ours = {frozenset(frozenset(f) for f, p in zip(FORMS, PIECE, strict=True) if p == piece) for piece in range(21)}
    assert ours == set(grown)
    assert Counter(SQUARES.tolist()) == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}
    assert SQUARES.sum() == 89


def test_BK_1_the_board_has_20_by_20_cells_and_four_colours_hold_all_pieces():
    view = start().view()
    assert view["board"] == ["." * 20] * 20
    assert [entry["pieces"] for entry in view["colours"]] == [list(NAMES)] * 4


def test_BK_1_pieces_may_be_turned_and_flipped():
    game = start()
    l4 = {"a20,a19,a18,b18", "a20,b20,c20,a19", "a20,a19,b20,c20", "b18,b19,a20,b20", "a19,b19,c19,a20"}
    for move in l4:
        start(move)
    names = Counter(NAMES[PIECE[action // SIDE**2]] for action in game.actions())
    assert names["1"] == 1
    assert names["I5"] == 2
    assert names["O4"] == 1
    assert names["F"] == 2  # it fills one corner of its square, so two of its eight forms fill this one
    assert sum(names.values()) == 58


def test_action_ids_are_what_they_have_always_been():
    assert ACTIONS == 36400
    assert zlib.crc32(repr(FORMS).encode()) == 4028331136  # records of searches and trained nets rely on it
    assert cells_of(0) == ((0, 0),)
    assert cells_of(action_of(((5, 3), (4, 4), (5, 4), (5, 5), (6, 4)))) == ((4, 4), (5, 3), (5, 4), (5, 5), (6, 4))
    assert all(action_of(cells_of(form * 400 + 210)) == form * 400 + 210 for form in range(91))


# ---- play


def test_BK_2_blue_yellow_red_green():
    game = start()
    turns = []
    for corner in (*CORNERS, "b19"):
        turns.append(colour_to_move(game))
        assert game.to_move == (turns[-1],)
        game.play(corner if len(turns) < 5 else "b19,c19")
    assert turns == [BLUE, YELLOW, RED, GREEN, BLUE]


def test_BK_3_a_first_piece_covers_the_corner_of_its_colour():
    game = start()
    for corner in CORNERS:
        assert all(corner in move.split(",") for move in game.legal())
        assert "must cover " + corner in refusal(game, "j10")
        game.play(corner)


def test_BK_3_free_corners_any_not_yet_covered():
    game = start(corners="free")
    assert {corner for move in game.legal() for corner in move.split(",")} >= set(CORNERS)
    game.play("t1")
    assert len(game.legal()) == 3 * 58
    assert "occupied" in refusal(game, "t1")
    assert "must cover a1 or a20 or t20" in refusal(game, "j10")
    game.play("a1")
    game.play("t20")
    assert all("a20" in move.split(",") for move in game.legal())


def test_BK_4_a_later_piece_touches_its_colour_by_a_corner():
    game = start("a19,a20", "t20", "t1", "a1")
    assert "by a corner" in refusal(game, "c17")
    assert "by a corner" in refusal(game, "e5,e6,e7")
    game.play("b18")


def test_BK_4_and_never_by_an_edge():
    game = start("a19,a20", "t20", "t1", "a1")
    assert "touches blue by an edge" in refusal(game, "b19")
    assert "b19 touches blue by an edge, at a19" in refusal(game, "b17,b18,b19")
    game.play("b18,c18,d18")


def test_BK_4_other_colours_may_be_touched_in_any_way():
    game = start("a20,b20,c20,d20,e20", "p20,q20,r20,s20,t20", "t1", "a1")
    for move in ("f19,g19,h19,i19", "l19,m19,n19,o19", "s2,s3", "b2,b3"):
        game.play(move)
    game.play("j20,k20,l20")  # above l19 of yellow, edge to edge
    assert game.view()["board"][:2] == ["bbbbb....bbb...yyyyy", ".....bbbb..yyyy....."]


def test_BK_5_a_placed_piece_never_moves():
    game = random_game("blokus", "classic", {}, seed=5)
    before = [at(game, ply).view()["board"] for ply in range(game.ply + 1)]
    for earlier, later in itertools.pairwise(before):
        cells = list(zip("".join(earlier), "".join(later), strict=True))
        assert all(new == old for old, new in cells if old != ".")
        assert 1 <= sum(new != old for old, new in cells) <= 5


@pytest.mark.parametrize("variant", VARIANTS)
def test_BK_6_a_colour_that_can_place_must_and_one_that_cannot_is_out(variant):
    game, twin = start(variant=variant), Naive(variant, {"corners": "fixed"})
    skipped, count = set(), 2 if variant == "duo" else 4
    for move in random_game("blokus", variant, {}, seed=11).moves:
        mover = colour_to_move(game)
        game.play(move)
        twin.play(move)
        others = [(mover + 1 + i) % count for i in range(count)]
        passed = others if game.over else others[: others.index(colour_to_move(game))]
        assert not any(twin.possible(COLOURS[colour]) for colour in passed)
        assert game.effects()["out"] == sorted(set(passed) - skipped)
        skipped |= set(passed)
        assert colour_to_move(game) not in skipped
    assert game.over
    assert game.reason["code"] == "blocked"
    assert skipped == set(range(count))


def test_BK_6_the_last_colour_plays_on_alone():
    game = start("a20", "t20", "t1", "a1")
    for colour in (YELLOW, RED, GREEN):
        game.state[rules.HAND + colour] = 0  # as if the others had placed everything
        game.state[rules.SHAPES + 8 * colour : rules.SHAPES + 8 * colour + 8] = 0
    game.play("b18,b19")
    assert game.effects()["out"] == [YELLOW, RED, GREEN]
    for move in ("c17,d17,e17", "f16,f15,g15"):
        assert game.to_move == (BLUE,)
        game.play(move)


def test_BK_7_minus_one_a_square_in_hand():
    game = start()
    assert game.scores == (-89,) * 4
    game.play("a16,a17,a18,a19,a20")
    game.play("t20")
    assert game.scores == (-84, -88, -89, -89)


def test_BK_7_all_placed_scores_15_and_the_single_square_last_5_more():
    none = ()
    game = hands(none, none, ["1"], ["I5", "X"], single_last={YELLOW})
    assert game.scores == (15, 20, -1, -10)


def test_BK_7_the_highest_score_wins_and_equal_scores_share_the_place():
    assert start().ranking == (1, 1, 1, 1)
    assert hands(["1"], ["2"], ["2"], ["I3"]).ranking == (1, 2, 2, 4)
    assert hands(["I3"], ["2"], ["V3"], []).ranking == (3, 2, 3, 1)


def test_BK_8_the_check_case_of_the_rulebook():
    fours, threes = ["I4", "L4", "T4", "O4"], ["V3"]
    game = hands([], fours[:2], [*threes, *fours, "W"], [*threes, *fours[:3], "W"], single_last={BLUE})
    assert game.scores == (20, -8, -24, -20)
    assert game.ranking == (1, 2, 4, 3)


# ---- variants


def test_BK_10_teams_add_their_scores():
    game = hands(["1"], ["2"], ["I3"], ["I4"], variant="teams")
    assert game.scores == (-4, -6, -4, -6)
    assert game.ranking == (1, 3, 1, 3)
    assert start(variant="teams").seats == 4


def test_BK_11_two_players_with_two_colours_each():
    game = start(variant="two")
    seats = []
    for corner in CORNERS:
        seats += game.to_move
        game.play(corner)
    assert seats == [0, 1, 0, 1]
    assert hands(["1"], ["2"], ["I3"], ["I4"], variant="two").scores == (-4, -6)


def test_BK_12_green_is_played_by_the_three_in_turn_and_does_not_count():
    game = random_game("blokus", "three", {}, seed=3)
    turns = [game.effects(ply) for ply in range(game.ply)]
    green = [turn["seat"] for turn in turns if turn["colour"] == GREEN]
    assert len(green) > 3
    assert green == [n % 3 for n in range(len(green))]
    assert all(turn["seat"] == turn["colour"] for turn in turns if turn["colour"] != GREEN)
    assert hands(["1"], ["2"], ["I3"], ["I5"], variant="three").scores == (-1, -2, -3)


def test_BK_13_duo():
    game = start(variant="duo")
    assert game.view()["board"] == ["." * 14] * 14
    assert all("e10" in move.split(",") for move in game.legal())
    assert len(game.legal()) == 414  # every square of every form
    assert "off the board" in refusal(game, "o1")
    game.play("e8,d9,e9,f9,e10")
    assert all("j5" in move.split(",") for move in game.legal())
    assert "must cover j5" in refusal(game, "e1")
    game.play("j5")
    assert game.to_move == (0,)
    assert game.scores == (-84, -88)
    with pytest.raises(ValueError, match="corners"):
        start(variant="duo", corners="free")


# ---- moves as text


def test_cells_in_any_order_and_any_case():
    assert start(" A18,a20,A19 ").moves == [{0: "a18,a19,a20"}]


def test_a_colour_may_be_named_if_it_is_the_one_to_move():
    game = start("1 a20")
    assert "not the turn of colour 3 (red): yellow moves now" in refusal(game, "3 t20")
    game.play("2 t20")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("a20,b19", "is not a piece"),
        ("a20,a18", "is not a piece"),
        ("a15,a16,a17,a18,a19,a20", "is not a piece"),
        ("a20,a20", "named twice"),
        ("a21", "off the board"),
        ("u20", "off the board"),
        ("a0", "off the board"),
        ("a20,", "cannot read"),
        ("pass", "cannot read"),
        ("5 a20", "cannot read"),
    ],
)
def test_reasons_on_the_empty_board(move, why):
    assert why in refusal(start(), move)


def test_reasons_on_a_board_with_pieces():
    game = start("a20", "t20", "t1", "a1")
    assert "blue has already used the piece 1" in refusal(game, "b19")
    assert "t20 is occupied by yellow" in refusal(game, "s20,t20")
    with pytest.raises(quatuor.IllegalMove, match="seat 2 does not act now"):
        game.play({2: "b19,c19"})
    with pytest.raises(quatuor.IllegalMove, match="seat 2 does not move now"):
        game.book.read(game.state, 2, "b19,c19")


# ---- views and pictures


def test_view_tells_a_page_all_it_needs():
    view = start("a18,b18,a19,a20").view()
    assert view["board"][:3] == ["b" + "." * 19, "b" + "." * 19, "bb" + "." * 18]
    assert (view["size"], view["colour"], view["last_colour"]) == (20, YELLOW, BLUE)
    assert view["last"] == ["a18", "b18", "a19", "a20"]
    assert view["attach"] == ["t20"]
    blue, yellow, red, green = view["colours"]
    assert "L4" not in blue["pieces"]
    assert (blue["start"], yellow["start"], red["start"], green["start"]) == ([], ["t20"], ["t1"], ["a1"])
    assert (blue["score"], blue["out"], blue["seat"]) == (-85, False, 0)


def test_view_of_free_corners_names_those_left():
    view = start("a20", corners="free").view()
    assert view["colours"][GREEN]["start"] == ["a1", "t1", "t20"]


def test_effects_name_the_piece():
    assert start("a18,b18,a19,a20").effects() == {
        "seat": 0,
        "colour": BLUE,
        "piece": "L4",
        "cells": ["a18", "b18", "a19", "a20"],
        "out": [],
    }


def test_pictures_show_every_square_and_every_piece_left():
    game = random_game("blokus", "classic", {}, seed=2)
    covered = 4 * 89 + sum(game.scores)
    svg, text = game.svg(), str(game)
    in_hand = -sum(game.scores)
    last = len(game.view()["last"])
    assert svg.count("h27v27h-27z") == covered + last
    assert svg.count("h5v5h-5z") == in_hand
    board = "".join(text.splitlines()[1:21])
    assert sum(board.count(letter) for letter in "BYRG") == covered
    assert text.splitlines()[22].split()[:2] == ["B", str(game.scores[0])]


def test_pieces_on_the_board_are_found_again():
    game = random_game("blokus", "two", {}, seed=4)
    played = [(game.effects(ply)["colour"], ",".join(game.effects(ply)["cells"])) for ply in range(game.ply)]
    found = [(colour, game.book.write(game.state, 0, action)) for colour, action in laid(game.state)]
    assert sorted(found) == sorted(played)
    for colour in range(4):
        assert [f for f in found if f[0] == colour][-1] == [p for p in played if p[0] == colour][-1]


# ---- the kernel


def test_move_sequences():
    assert [perft(start(), depth) for depth in (1, 2, 3)] == [58, 58**2, 58**3]
    assert [perft(start(corners="free"), depth) for depth in (1, 2)] == [4 * 58, 4 * 58 * 3 * 58]
    assert [perft(start(variant="duo"), depth) for depth in (1, 2)] == [414, 414**2]


def test_legal_leaves_the_state_as_it_is_and_knows_no_other_seat():
    game = at(random_game("blokus", "classic", {}, seed=7), 30)
    out = np.zeros(rules.MOST_MOVES, np.int64)
    before = game.state.copy()
    (seat,) = game.to_move
    assert rules.legal(game.state, seat, out) > 0
    assert (game.state == before).all()
    assert all(rules.legal(game.state, other, out) == 0 for other in range(4) if other != seat)
