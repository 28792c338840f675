"""blksgf files: round trips, setups, variations, comments, and damaged ones."""

import pytest

import quatuor
from quatuor.games.blokus import rules
from quatuor.interop.sgf import read, read_all, tree, write
from quatuor.interop.sgf_tree import LONGEST, SgfError
from tests.seeded import at
from tests.seeded import play as random_game

KINDS = [("classic", "fixed"), ("classic", "free"), ("teams", "fixed"), ("two", "free"), ("three", "fixed")]


def game_of(text, *choices):
    return read(text).game(choices)


def board(game):
    return game.view()["board"]


# ---- round trips


@pytest.mark.parametrize(("variant", "corners"), KINDS)
def test_a_game_reads_back_to_itself(variant, corners):
    game = random_game("blokus", variant, {"corners": corners}, seed=6)
    for ply in (0, 1, 30, game.ply):
        position = at(game, ply)
        loaded = game_of(write(position))
        assert (loaded.variant, loaded.options, loaded.moves) == (position.variant, position.options, position.moves)
        assert (loaded.state == position.state).all()


def test_duo_reads_back_to_itself():
    game = random_game("blokus", "duo", {}, seed=6)
    text = write(game)
    assert text.startswith("(;GM[Blokus Duo]CA[UTF-8]\n;B[")
    assert (game_of(text).state == game.state).all()


def test_names_date_and_comments():
    game = random_game("blokus", "two", {}, seed=1, cap=3)
    game.headers = {"Seat0": "Zoé [left] \\o/", "Seat1": "?", "Date": "2026-11-15"}
    text = write(game, {0: "Hello", 2: "two\nlines ] \\"})
    assert "PB[Zoé [left\\] \\\\o/]" in text
    assert "PW" not in text
    again = read(text)
    assert again.game().headers == {"Seat0": "Zoé [left] \\o/", "Date": "2026-11-15"}
    assert [node.comment for node in again.line()] == ["Hello", "", "two\nlines ] \\", ""]
    assert str(again) == text


def test_names_of_four():
    game = random_game("blokus", "classic", {}, seed=1, cap=1)
    game.headers = {f"Seat{i}": name for i, name in enumerate("ABCD")}
    assert "P1[A]P2[B]P3[C]P4[D]" in write(game)
    assert game_of(write(game)).headers == game.headers


def test_only_blokus_is_written():
    with pytest.raises(ValueError, match="not plus4"):
        write(random_game("plus4", "elementary", {}, seed=1, cap=3))


# ---- reading other programs' files


def test_spaces_cases_unknown_properties_and_line_ends():
    text = "\ufeff ( ;\r\n GM [Blokus Duo] FF[4] XY[1][2]\r\n;B[F9,e10,G10,f10,f11]TE[1] ; W [i4,h5,i5,j5,i6] )\n"
    assert [list(turn.values()) for turn in game_of(text).moves] == [["f9,e10,f10,g10,f11"], ["i4,h5,i5,j5,i6"]]
    assert read(text).root.properties["XY"] == ["1", "2"]


def test_soft_line_breaks_and_escapes():
    comment = read("(;GM[Blokus]C[a\\\nb\\]\\\\\\:\nc])").root.comment
    assert comment == "ab]\\:\nc"


def test_variations_are_kept_and_can_be_followed():
    text = "(;GM[Blokus Duo];B[e10](;W[j5]C[short];B[d9,d8])(;W[j5,j6](;B[f9,f8])(;B[d11,d12])))"
    assert [node.value("B") for node in read(text).line()] == [None, "e10", None, "d9,d8"]
    assert list(game_of(text, 1, 1).moves[-1].values()) == ["d11,d12"]
    assert list(game_of(text, 1).moves[-1].values()) == ["f8,f9"]
    again = read(str(read(text)))
    assert again == read(text)


def test_comments_marks_and_variations_go_to_a_game_and_back():
    text = (
        "(;GM[Blokus Duo]CA[UTF-8]C[Before]\n;B[e10]C[Bold.\nVery.]TE[2]\n(;W[j5]BM[1]\n;B[d8,d9]IT[]\n)\n"
        "(;W[j5,j6]DO[]\n(;B[f8,f9]\n)\n(;B[d11,d12]C[or]TE[1]\n)\n)\n)\n"
    )
    game = game_of(text)
    assert game.tree.comment == "Before"
    assert game.tree.variations[0].comment == "Bold.\nVery."
    assert [node.marks for node in game._line()[1:]] == [{0: "!!"}, {1: "?"}, {0: "!?"}]
    assert [node.moves for node in game.variations] == [{1: "j5,j6"}]
    assert write(game) == text
    record = quatuor.load(game.record())
    record.headers.pop("Date")
    assert write(record) == text


def test_a_variation_that_cannot_be_played_is_left_out_of_the_game():
    text = "(;GM[Blokus Duo];B[e10](;W[j5])(;W[a1])(;AB[e10]PL[W]))"
    assert [len(node.variations) for node in game_of(text).tree] == [1, 1, 0]


def test_early_files_name_colours_and_list_cells_one_by_one():
    game = game_of("(;GM[Blokus];BLUE[a20][a19];YELLOW[t20])")
    assert [list(turn.values()) for turn in game.moves] == [["a19,a20"], ["t20"]]


def test_setup_at_the_root():
    game = game_of("(;GM[Blokus Duo]AB[e8,e9,f9,d10,e10][g6,f7,g7,h7,g8]AW[i4,h5,i5,j5,i6]PL[W];W[j7,k7,k8])")
    assert game.moves == [{1: "j7,k7,k8"}]
    assert game.scores == (-79, -81)
    assert board(game)[8] == "......b.y....."
    assert game.view()["last"] == ["j7", "k7", "k8"]


def test_setup_without_a_turn_leaves_it_to_the_first():
    assert game_of("(;GM[Blokus]A3[t1]A1[a20])").view()["colour"] == 0


def test_setup_in_the_middle_takes_away_and_adds():
    game = game_of("(;GM[Blokus];1[a20];2[t20,s20];AE[s20,t20]A2[t20]A4[a1,a2]PL[3];3[t1])")
    assert game.moves == [{2: "t1"}]
    assert game.scores == (-88, -88, -88, -87)


def test_a_setup_may_cover_the_start_of_a_colour_which_is_then_out():
    game = game_of("(;GM[Blokus]A2[a20,b20]PL[1])")
    assert game.view()["colour"] == 1
    assert [entry["out"] for entry in game.view()["colours"]] == [True, False, False, False]


def test_setup_counts_the_shared_colour():
    game = game_of("(;GM[Blokus Three-Player]A4[a1][b2,b3]PL[4])")
    assert game.to_move == (2,)


def test_a_game_from_a_setup_is_written_with_it():
    game = game_of("(;GM[Blokus]A1[a20]A2[t20][s19,s18]PL[3];3[t1];4[a1,a2])")
    text = write(game)
    assert "A1[a20]A2[" in text
    again = game_of(text)
    assert (again.state == game.state).all()
    assert again.moves == game.moves
    game.undo()
    game.undo()
    assert game.view()["colour"] == 2


def test_a_setup_remembers_which_piece_was_last():
    """The last piece, which decides about the 5 points for the single square, is the last one that a setup lists."""
    game = game_of("(;GM[Blokus]A1[a20][b19,b18]A2[s19,s18][t20])")
    last = [int(game.state[rules.LAST_PIECE + colour]) for colour in (0, 1)]
    assert last == [1, 0]
    assert [int(game_of(write(game)).state[rules.LAST_PIECE + colour]) for colour in (0, 1)] == last


def test_a_tree_can_be_built_from_a_game():
    game = random_game("blokus", "duo", {}, seed=2, cap=4)
    made = tree(game)
    made.line()[2].children.append(made.line()[2].children[0])  # a variation
    assert read(str(made)).game([1]).moves == game.moves


def test_several_games_in_a_file():
    games = [random_game("blokus", "duo", {}, seed=seed, cap=seed) for seed in (2, 3)]
    text = "\n".join(write(game) for game in games)
    assert [one.game().moves for one in read_all(text)] == [game.moves for game in games]
    assert game_of(text).moves == games[0].moves, "read takes the first, as quatuor.load does"


# ---- damaged files


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("", 1, 1, "begins with"),
        ("hello", 1, 1, "begins with"),
        ("()", 1, 2, "a node must follow"),
        ("(;GM[Blokus]\n;1[a20]", 1, 1, "ends before this '(' is closed"),
        ("(;GM[Blokus](;1[a20])\n (;1[a19,a20]", 2, 2, "ends before this '(' is closed"),
        ("(;GM[Blokus)", 1, 5, "GM is not closed"),
        ("(;GM[Blokus]\n;1)", 2, 3, "1 has no value"),
        ("(;GM[Blokus]GM[Blokus])", 1, 13, "GM stands twice"),
        ("(;GM[Blokus];1[a20]]", 1, 20, "']' where a node"),
        ("(;GM[Blokus]) next", 1, 15, "a game begins with '(;'"),
        ("(;GM[Blokus])(;GM[Chess])", 1, 15, "GM[Chess] is not known here"),
        ("(;C[no game])", 1, 2, "no game"),
        ("(;GM[Blokus Trigon])", 1, 2, "GM[Blokus Trigon] is not known here"),
        ("(;GM[1])", 1, 2, "GM[1] is not known here"),
        ("(;GM[Blokus]CA[ISO-8859-1])", 1, 2, "only UTF-8"),
        ("(;GM[Blokus]RU[corners=round])", 1, 2, "choose one of fixed, free"),
        ("(;GM[Blokus]\n  ;1[b19])", 2, 3, "must cover a20"),
        ("(;GM[Blokus]\n;1[a20]\n;3[t1])", 3, 1, "a move of red, but yellow moves now"),
        ("(;GM[Blokus];1[])", 1, 13, "cannot read ''"),
        ("(;GM[Blokus];AE[a20])", 1, 13, "no piece lies there"),
        ("(;GM[Blokus];PL[B])", 1, 13, "PL[B] names no colour"),
        ("(;GM[Blokus]A1[a20][b20])", 1, 2, "already used"),
        ("(;GM[Blokus]A1[a20,b20]A2[a20])", 1, 2, "a20 is occupied by blue"),
        ("(;GM[Blokus]A1[a20][a19,a18])", 1, 2, "touches blue by an edge"),
        ("(;GM[Blokus Duo]AB[o1])", 1, 2, "off the board"),
    ],
)
def test_a_damaged_file_says_where_and_why(text, line, column, why):
    with pytest.raises(SgfError) as error:
        game_of(text)
    assert (error.value.line, error.value.column) == (line, column)
    assert why in str(error.value)
    assert str(error.value).startswith(f"line {line}, column {column}: ")


def test_endless_files_are_refused():
    with pytest.raises(SgfError, match="at most"):
        read("(" * (LONGEST + 1))


def test_deep_trees_do_not_exhaust_the_stack():
    deep = "(;GM[Blokus]" + "(;C[x]" * 5000 + ")" * 5000 + ")"
    root = read(deep)
    assert len(root.line()) == 5001
    assert len(read(str(root)).line()) == 5001
