"""Positions as text: round trips over all variants, and impossible ones that are refused with the reason."""

import pytest

import quatuor
from bench.positions import check, positions
from examples.torus import RULEBOOK as TORUS
from quatuor.game import Game
from quatuor.games import NAMES, rulebook

KINDS = [(name, variant.name) for name in NAMES for variant in rulebook(name).variants]
EMPTY_DUO = "/".join(["14"] * 14)


def duo(rows: dict[int, str]) -> str:
    """A board of Duo from some of its rows."""
    return "/".join(rows.get(row, "14") for row in range(14, 0, -1))


@pytest.mark.parametrize(("name", "variant"), KINDS)
def test_positions_of_random_games_read_back(name, variant):
    source = positions(name, variant, seed=20)
    for _ in range(120):
        check(next(source))


@pytest.mark.parametrize(("name", "variant"), KINDS)
def test_a_game_goes_on_from_a_position_as_from_its_moves(name, variant):
    source = positions(name, variant, seed=21)
    game = [next(source).copy() for _ in range(18)][-1]
    twin = quatuor.new(position=game.position)
    assert twin.legal(0) == game.legal(0)
    for _ in range(6):
        for seat in game.to_move:
            action = game.actions(seat)[-1]
            game.play_id(seat, action)
            twin.play_id(seat, action)
    assert twin == game
    assert (twin.scores, twin.ranking, twin.over) == (game.scores, game.ranking, game.over)


def test_earlier_positions_count_for_the_repetition_rule():
    game = quatuor.new("plus4")
    for _ in range(7):
        game.play("c")
    one, two = "2r1/2b1/2r1/2b1,b", "2b1/2r1/2b1/2r1,r"
    assert game.position.split(" seen ")[1].split() == [one, two, one]
    twin = quatuor.new(position=game.position)
    twin.play("c")
    assert twin.reason == {"code": "repetition", "winner": None}
    again = quatuor.new(position=twin.position)
    assert again.reason == twin.reason
    with pytest.raises(quatuor.PositionError, match="for the third time"):
        quatuor.new(position=f"{twin.position} {one}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("plus4:elementary 4/4/4/4 b 0:0 - - seen b3/4/4/4,r", "no move leads from b3/4/4/4,r"),
        ("plus4:elementary 2b1/2r1/2b1/2r1 r 0:0 - - seen 2b1/2r1/2b1/2r1,r", "no move leads from"),
        ("plus4:elementary 4/4/4/4 b 0:0 - - seen 2r1/2b1/2r1/2b1,b", "no move leads from"),
        ("plateau_x:mini - 3:1/3:1 A1@3/B3@2 1 3 - seen -/C1:0", "no move leads from -/C1:0"),
        ("plateau_x:mini - 3:1/3:1 A1@3/B3@4 0 4 - seen A1/C3:0", "no move leads from A1/C3:0"),
    ],
)
def test_earlier_positions_that_do_not_lead_here_are_refused(text, why):
    with pytest.raises(quatuor.PositionError, match=why):
        quatuor.new(position=text)


def test_an_earlier_position_that_ended_the_game_is_refused():
    game = quatuor.new("plus4")
    for move in "abababa":
        game.play(move)
    line = game.position.split()[1]
    over = f"plus4:elementary {line} b 0:0 - - seen {line},r"
    with pytest.raises(quatuor.PositionError):
        quatuor.new(position=over)


def test_options_and_names_go_with_a_position():
    text = "plus4:endless,target=5 bR2/4/4/4 b 0:0 - -"
    game = quatuor.new("plus4", position=text)
    assert game.options["target"] == 5
    assert quatuor.new("plus4", "endless", target=5, position="bR2/4/4/4 b 0:0 - -") == game
    assert quatuor.new("plus4", target="5", position=text) == game
    for arguments, why in [
        ({"name": "blokus"}, "one of plus4, not of blokus"),
        ({"variant": "rounds"}, "variant endless, not of rounds"),
        ({"target": 7}, "has target=5, not 7"),
        ({"speed": 7}, "no option 'speed'"),
    ]:
        with pytest.raises(ValueError, match=why):
            quatuor.new(**arguments, position=text)
    with pytest.raises(quatuor.PositionError, match="names no game"):
        quatuor.new(position="bR2/4/4/4 b 0:0 - -")
    with pytest.raises(TypeError, match="a position is text, not int"):
        quatuor.new("plus4", position=5)
    with pytest.raises(ValueError, match="name a game"):
        quatuor.new()


def test_a_game_may_have_no_text_of_its_positions():
    game = Game(TORUS)
    with pytest.raises(quatuor.PositionError, match="torus has no text form of its positions"):
        _ = game.position
    assert repr(game) == "<Game torus:torus>"
    assert game == game.copy()
    assert hash(game) == hash(game.copy())


@pytest.mark.parametrize(
    ("variant", "text", "why"),
    [
        ("elementary", "4/4/4/4 b 0:0", "3 of 5 fields; write the grid"),
        ("elementary", "5/4/4/4 b 0:0 - -", "4 rows of 4 cells"),
        ("elementary", "4/4/4 b 0:0 - -", "4 rows of 4 cells"),
        ("elementary", "b4/4/4/4 r 0:0 - -", "4 rows of 4 cells"),
        ("elementary", "4/b3/4/4 r 0:0 - -", "column a has a gap"),
        ("elementary", "b3/4/4/4 x 0:0 - -", "'x' moves: write b"),
        ("elementary", "b3/4/4/4 b 0:0 - -", "1 of blue and 0 of red stand in the grid, none fell out"),
        ("elementary", "bb2/4/4/4 b 0:0 - -", "2 of blue and 0 of red"),
        ("elementary", "B3/4/4/4 r 0:0 - -", "the elementary game has none"),
        ("elementary", "b3/4/4/4 r 1:0 - -", "counts none"),
        ("elementary", "4/4/4/4 r 0:0 - -", "the grid is empty: blue begins"),
        ("elementary", "br2/br2/br2/b3 r 0:0 - -", "the end '-' does not fit: the last push gives line"),
        ("elementary", "br2/br2/br2/b3 r 0:0 - line_given", "the last push gives line"),
        ("elementary", "4/4/4/4 b 0:0 0b -", "this variant has none"),
        ("elementary", "4/4/4/4 b 0:0 - won", "the end 'won': write - or one of line"),
        ("elementary", "r3/b3/r3/b3 r 0:0 - -", "no push of blue"),
        ("endless", "Br2/B3/4/4 r 0:0 - -", "blue has two bonus pawns"),
        ("endless", "4/4/4/4 b 1:0 - -", "the grid is empty, so no points"),
        ("endless", "br2/4/4/4 b 3:0 - -", "points after fewer than seven pushes"),
        ("endless", "br2/4/4/4 b 90:0 - -", "at most 24 can be reached"),
        ("rounds", "4/4/4/4 b 3:0 1b -", "3:0 after 1 rounds"),
        ("rounds", "4/4/4/4 r 0:0 0r -", "blue begins the first round"),
        ("rounds", "4/4/4/4 b 11:0 9b -", "the end is target with these points"),
        ("rounds", "b3/4/4/4 r 11:0 9b -", "the game is over with these points"),
    ],
)
def test_impossible_positions_of_plus4(variant, text, why):
    with pytest.raises(quatuor.PositionError, match=why):
        quatuor.new("plus4", variant, position=text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A1,E1/B1 0", "is not a position; write the pawns"),
        ("A1,E1,F2,A5,B6,F6/B1,F1,A2,F5,A6,A1 0", "two pawns stand on A1"),
        ("A1,E1,F2,A5,B6,F6/B1,F1,A2,F5,A6,- 0", "the piles hold 11 pawns"),
        ("A1x2,E1,F2,A5,B6,F6/B1,F1,A2,F5,A6,E6 0", "the piles hold 13 pawns"),
        ("G1,E1,F2,A5,B6,F6/B1,F1,A2,F5,A6,E6 0", "'G1' is not a pawn"),
        ("A1,E1,F2,A5,B6,F6/B1,F1,A2,F5,A6,E6 51", "the game ends after 50"),
        ("A1,E1,F2,A5,B6,F6/B1,F1,A2,F5,A6,E6 0 seen x", "counts no repeated positions"),
    ],
)
def test_impossible_positions_of_three_six(text, why):
    with pytest.raises(quatuor.PositionError, match=why):
        quatuor.new("trois_six", position=text)


def test_the_end_of_three_six_follows_from_the_pawns():
    game = quatuor.new("trois_six", position="A1,B1,C1,A5,B6,F6/B2,F1,A2,F5,A6,E6 3")
    assert game.reason["code"] == "line"
    assert game.ranking == (1, 2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("14/14 b - - -", "14 rows of 14 cells"),
        (f"{EMPTY_DUO} r - - -", "'r' is not a colour; write one of b, y"),
        (duo({10: "6b7"}) + " y - - -", "no piece of blue covers e10"),
        (duo({10: "4b9", 1: "b13"}) + " y - - -", "placed the piece 1 twice"),
        (duo({10: "4b9", 1: "bb12"}) + " y - - -", "a1,b1 of blue is not linked by corners"),
        (duo({10: "4bbbbbb4"}) + " y - - -", "is not a piece; pieces of one colour do not touch"),
        (duo({10: "4b9", 9: "5bb7"}) + " y - - -", "blue has placed 2 pieces and yellow, who moves, 0"),
        (duo({10: "4b9"}) + " b - - -", "yellow has placed 0 pieces and blue, who moves, 1"),
        (duo({10: "4b9"}) + " y y - -", "yellow is out, but can place a piece"),
        (duo({10: "4b9"}) + " y - a1,- b", "last piece of blue is on a1, but no piece of it lies there"),
        (duo({10: "4b9"}) + " y - -,- b", "blue moved last, but no last piece of it is named"),
        (duo({10: "4b9"}) + " y - e10 b", "name one cell for each of 2 colours"),
        (duo({10: "4b9"}) + " y - e10,- b extra", "6 of 5 fields"),
        (duo({10: "4b9", 5: "9y4"}) + " b - e10,j5 b", "blue moved last and blue moves now, but yellow comes before"),
        (duo({10: "4b9", 9: "5bb7", 5: "9y4", 4: "10yy2"}) + " b - e10,j5 y", "j5 of yellow cannot have been its last"),
    ],
)
def test_impossible_positions_of_blokus(text, why):
    with pytest.raises(quatuor.PositionError, match=why):
        quatuor.new("blokus", "duo", position=text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- 3:1/3:1 -/- 0", "4 of 6 fields"),
        ("A9 3:1/2:1 -/- 1 1 -", "A9 is not on the board"),
        ("A1C1 3:1/3:0 -/- 1 1 -", "A1C1 is not a brick"),
        ("A1,A1 1:1/3:1 -/- 0 2 -", "the brick A1 cannot lie there"),
        ("A1,A1B1 2:0/3:1 -/- 0 2 -", "the brick A1B1 cannot lie there"),
        ("A1 3:1/3:1 -/- 1 1 -", "1 singles lie on the board and 6 are in stock"),
        ("A1 4:1/1:1 -/- 1 1 -", "seat 0 has 4 singles"),
        ("- 3:1/3:1 -/- 1 0 -", "after 0 turns it is seat 0's turn"),
        ("- 3:1/3:1 F3@1/F3@2 0 2 -", "two pawns stand on F3"),
        ("- 3:1/3:1 F3@2/- 0 2 -", "in turn 2, which was another seat's"),
        ("- 3:1/3:1 F3@5/- 0 2 -", "moved in turn 5, but 2 turns"),
        ("- 3:1/3:1 F3/- 0 2 -", "write its cell and the turn of its last move"),
        ("A1,B3,C5 1:1/2:1 -/- 0 2 -", "seat 0 had 1 turns for 2 bricks"),
        ("A1B1B2,C3C4D4,E1E2F1 3:1/3:1 -/- 0 2 -", "2 turns are too few"),
        ("B2,A1 2:1/2:1 -/A1@2 0 4 -", "moved there in turn 2: brick 2, A1, was not below it yet"),
        ("- 3:1/3:1 F3@1/- 1 1 no_move", "can lay a brick or move"),
        ("- 3:1/3:1 F3@1/- 0 1 no_brick_declared", "could not declare the end"),
        ("- 3:1/3:1 F3@1/- 1 1 late", "the end 'late'"),
        ("- 3:1/3:1 F3@1/- 1 1 - seen F3", "is not an earlier position; it looks like F3/-:1"),
    ],
)
def test_impossible_positions_of_plateau_x(text, why):
    with pytest.raises(quatuor.PositionError, match=why):
        quatuor.new("plateau_x", "mini", position=text)
