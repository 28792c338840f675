"""Records: round trips, and damaged files that say where and why."""

import copy
import pickle
import re

import pytest

import quatuor
from quatuor.interop import sgf
from quatuor.record import LONGEST, RecordError, name_seats
from quatuor.record.endings import FORMER, TERMINATIONS

GOOD = """[Game "plus4"]
[Variant "endless"]
[Options "target=2, repetition=draw"]
[Seat0 "Ada \\"the \\\\ first\\""]
[Seat1 "Bob; really"]
[Date "2026-11-15"]
[Result "1-2"]

1. a*  ; a comment
2. b
3. a
4. b
5. a
6. b
7. a
"""


def test_a_record_reads_and_writes_back():
    game = quatuor.load(GOOD)
    assert game.over
    assert game.scores == (2, 0)
    assert game.headers["Seat0"] == 'Ada "the \\ first"'
    assert game.headers["Seat1"] == "Bob; really"
    text = game.record()
    assert text == GOOD.replace("  ; a comment", " ; a comment")
    assert quatuor.load(text).record() == text


def test_an_unfinished_game_and_every_default():
    game = quatuor.new("plus4", "rounds", rounds=3)
    game.play("c")
    text = game.record(seats=("Ada", "Bob"), date="2026-11-15")
    assert '[Result "*"]' in text
    assert '[Options "target=11, rounds=3, repetition=draw"]' in text
    again = quatuor.load(text)
    assert again.options == game.options
    assert (again.state == game.state).all()
    assert quatuor.load('[Game "plus4"]').variant.name == "elementary"


def test_an_end_outside_the_rules_is_kept():
    text = GOOD.replace("7. a\n", "").replace('"1-2"]', '"2-1"]\n[Termination "resigned"]')
    game = quatuor.load(text)
    assert not game.over
    assert '[Termination "resigned"]' in game.record()
    assert quatuor.load(game.record()).headers["Result"] == "2-1"


@pytest.mark.parametrize("termination", [*TERMINATIONS, *FORMER])
def test_every_termination_is_read_and_the_word_of_an_earlier_release_becomes_todays(termination):
    text = GOOD.replace("7. a\n", "").replace('"1-2"]', f'"2-1"]\n[Termination "{termination}"]')
    game = quatuor.load(text)
    assert game.headers["Termination"] == FORMER.get(termination, termination)
    assert game.headers["Termination"] in TERMINATIONS
    assert quatuor.load(game.record()).record() == game.record()


def test_names_are_put_into_a_record_and_nothing_else_is_touched():
    named = name_seats(GOOD, ('Eve "\\"', "Cem"))
    assert quatuor.load(named).headers["Seat0"] == 'Eve "\\"'
    assert "; a comment" in named
    assert quatuor.load(named).moves == quatuor.load(GOOD).moves
    assert name_seats(named, ('Ada "the \\ first"', "Bob; really")) == GOOD
    bare = name_seats('; found in a box\n[Game "plus4"]\n\n1. a\n', ("Ann", "Ben"))
    assert bare == '; found in a box\n[Game "plus4"]\n[Seat0 "Ann"]\n[Seat1 "Ben"]\n\n1. a\n'


UNFINISHED = GOOD.replace("7. a\n", "").replace('[Result "1-2"]\n', "")


@pytest.mark.parametrize(
    ("headers", "line", "why"),
    [
        ('[Termination "resigned"]', 7, r'add the places, .Result "1-2"'),
        ('[Termination "time"]\n[Result "*"]', 8, "2 places such as 1-2"),
        ('[Termination "time"]\n[Result "1-3"]', 8, "2 places such as 1-2"),
        ('[Termination "time"]\n[Result "2-2"]', 8, "2 places such as 1-2"),
        ('[Termination "time"]\n[Result "1-2-3"]', 8, "2 places such as 1-2"),
    ],
)
def test_an_end_outside_the_rules_needs_its_places(headers, line, why):
    with pytest.raises(RecordError, match=why) as caught:
        quatuor.load(UNFINISHED.replace('15"]\n', f'15"]\n{headers}\n'))
    assert caught.value.line == line


def test_windows_files_and_byte_order_marks():
    assert quatuor.load("\ufeff" + GOOD.replace("\n", "\r\n")).over


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ('[Game "plus4"]\n', "", 1, "no .Game"),
        ('"plus4"', '"chess"', 1, "unknown game 'chess'"),
        ('"endless"', '"mega"', 3, "no variant 'mega'"),
        ("target=2", "target=0", 3, "whole number from 1 to 99"),
        ("target=2", "target", 3, "looks like target=5"),
        ("target=2", "speed=2", 3, "no option 'speed'"),
        ('[Date "', "[Date ", 6, "is not a header"),
        ('[Seat1 "Bob', '[Seat0 "Bob', 5, "stands twice .first in line 4"),
        ('"1-2"', '"2-1"', 7, "the moves give '1-2'"),
        ('"1-2"]', '"1-2"]\n[Termination "bored"]', 8, "choose one of resigned"),
        ('"1-2"]', '"1-2"]\n[Out "2"]', 8, "seats from 0 to 1"),
        ('"1-2"]', '"1-2"]\n[Out "1,1"]', 8, "seats from 0 to 1"),
        ('"1-2"]', '"1-2"]\n[Out ""]', 8, "seats from 0 to 1"),
        ("4. b", "4. e", 12, "push a column"),
        ("4. b", "5. b", 12, "expected '4. '"),
        ("4. b", "4. b / a", 12, "2 moves in a turn of 1"),
        ("4. b", "b", 12, "is not a move"),
        ("7. a", "7. a\n8. a", 16, "a move after the end"),
        ("7. a", '7. a\n[Event "x"]', 16, "headers come first"),
    ],
)
def test_a_damaged_record_names_line_and_reason(old, new, line, why):
    assert old in GOOD
    with pytest.raises(RecordError, match=why) as caught:
        quatuor.load(GOOD.replace(old, new, 1))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_the_length_of_a_record_is_limited():
    with pytest.raises(RecordError, match="at most"):
        quatuor.load("x" * (LONGEST + 1))


def test_names_must_fit_the_seats():
    with pytest.raises(ValueError, match="1 names for 2 seats"):
        quatuor.new("plus4").record(seats=("Ada",))


def test_a_game_that_was_set_up_keeps_its_start():
    game = quatuor.new("plus4", "endless", target=5, position="br2/1r2/4/4 r 0:0 - -".replace("1r", "1b"))
    game.play("a")
    text = game.record(date="2026-11-18")
    assert '[Position "plus4:endless,target=5 br2/1b2/4/4 r 0:0 - -"]' in text
    again = quatuor.load(text)
    assert again == game
    assert again.moves == [{1: "a"}]
    assert again.record() == text
    with pytest.raises(RecordError, match=r"line 4: Position: .*gap") as caught:
        quatuor.load(text.replace("br2/1b2", "br2/2b1"))
    assert caught.value.line == 4


def test_a_start_that_cannot_be_read_again_is_not_written():
    game = quatuor.new("plus4")
    game.state[0] = 0b1010
    game.play("b")
    with pytest.raises(ValueError, match=r"a record cannot begin with the position that was set up: .*gap"):
        game.record()


ANNOTATED = """[Game "plus4"]
[Variant "elementary"]
[Options "both_lines=draw, repetition=draw"]
[Seat0 "?"]
[Seat1 "?"]
[Date "2026-11-18"]
[Result "*"]

; Played in a train.
;
; Without a clock.
1. a ; the corner
; again
  (
  1. b!
  2. b?! ; strange
    (
    2. c
    3. d!!
    )
  3. b
  )
2. b??
3. a
  (
  4. c ; what may follow
  )
"""


def test_comments_marks_and_variations_are_kept():
    game = quatuor.load(ANNOTATED)
    assert game.record() == ANNOTATED
    assert game.moves == [{0: "a"}, {1: "b"}, {0: "a"}]
    assert game.tree.comment == "Played in a train.\n\nWithout a clock."
    first = game.tree.variations[0]
    assert (first.comment, first.moves) == ("the corner\nagain", {0: "a"})
    assert [(node.ply, node.moves) for node in game.variations] == [(1, {0: "b"}), (4, {1: "c"})]
    assert game.variations[0].marks == {0: "!"}
    assert game.variations[0].variations[1].variations[0].marks == {0: "!!"}
    assert [node.ply for node in game.tree] == [0, 1, 2, 3, 4, 1, 2, 3, 2, 3]
    for twin in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin.record() == ANNOTATED
        twin.node.comment = "another"
    assert game.node.comment == ""
    assert game.copy(tree=False).record().endswith("\n\n1. a\n2. b\n3. a\n")


def test_a_tree_is_walked_promoted_pruned_and_followed():
    game = quatuor.load(ANNOTATED)
    side = game.variations[0]
    assert side.game().position == "plus4:elementary 1b2/4/4/4 r 0:0 - -"
    new = side.add("d")
    assert side.add("d") is new
    with pytest.raises(quatuor.IllegalMove, match="push a column"):
        side.add("x")
    new.promote()
    assert side.variations[0] is new
    new.remove()
    assert new not in side.variations
    with pytest.raises(ValueError, match="cannot be removed"):
        game.tree.remove()
    game.follow(side)
    assert game.moves == [{0: "b"}, {1: "b"}, {0: "b"}]
    assert [node.moves for node in game.variations] == [{0: "a"}, {1: "c"}]
    assert quatuor.load(game.record()).record() == game.record()
    game.undo()
    game.play("c")
    assert game.node.moves == {0: "c"}
    with pytest.raises(ValueError, match="another game"):
        game.follow(quatuor.new("plus4").tree.add("a"))


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_a_comment_may_hold_what_unicode_counts_as_the_end_of_a_line(odd):
    """A line of a record ends only at a line feed or a carriage return; texts from elsewhere contain the others."""
    text = f'[Game "plus4"]\n[Event "one{odd}two"]\n\n1. a ; one{odd}two\n2. b\n'
    for end in ("\n", "\r\n", "\r"):
        game = quatuor.load(text.replace("\n", end))
        assert (game.ply, game.tree.variations[0].comment) == (2, f"one{odd}two")
    assert quatuor.load(game.record()).record() == game.record()
    assert name_seats(text, ("Ada", "Bo")) == text.replace("\n[Event", '\n[Seat0 "Ada"]\n[Seat1 "Bo"]\n[Event', 1)


@pytest.mark.parametrize(
    ("marks", "why"),
    [
        ({0: "!?!"}, "the mark '!?!'"),
        ({0: None}, "the mark None"),
        ({0: 1}, "the mark 1"),
        ({1: "!"}, "turn 1 has a mark for seat 1, which did not move in it"),
        ({"0": "!"}, "turn 1 has a mark for seat '0'"),
    ],
)
def test_marks_that_no_record_can_hold(marks, why):
    game = quatuor.new("blokus", "duo")
    game.play(game.legal()[0])
    game.node.marks = marks
    for write in (game.record, lambda: sgf.write(game)):
        with pytest.raises(ValueError, match=re.escape(why)):
            write()


@pytest.mark.parametrize("comment", ["\none", "one\n", " \n\none \n \n", "\u2028one\u2029"])
def test_empty_lines_around_a_comment_are_left_out(comment):
    game = quatuor.new("plus4")
    game.play("a")
    game.tree.comment = game.node.comment = comment
    text = game.record()
    assert text.endswith("\n\n; one\n1. a ; one\n")
    assert quatuor.load(text).record() == text


def test_an_empty_mark_is_none():
    game = quatuor.new("plus4")
    game.play("a")
    game.node.marks[0] = ""
    assert game.record().endswith("\n1. a\n")


def test_marks_stand_with_each_order_of_a_turn():
    text = '[Game "trois_six"]\n\n1. 1>B2! / -?? ; bold\n'
    game = quatuor.load(text)
    assert game.node.marks == {0: "!", 1: "??"}
    assert game.record().endswith("\n1. 1>B2! / -?? ; bold\n")


def test_several_games_in_a_file(tmp_path):
    two = ANNOTATED + "\n" + GOOD + '\n[Game "trois_six"]\n'
    games = list(quatuor.load_all(two))
    assert [game.name for game in games] == ["plus4", "plus4", "trois_six"]
    assert games[0].record() == ANNOTATED
    assert games[1].over
    assert quatuor.load(two).record() == ANNOTATED
    broken = two.replace("7. a\n", "7. e\n")
    with pytest.raises(RecordError) as caught:
        list(quatuor.load_all(broken))
    assert broken.splitlines()[caught.value.line - 1] == "7. e"
    file = tmp_path / "games.txt"
    file.write_bytes(b"\xef\xbb\xbf" + two.encode())
    assert [game.name for game in quatuor.load_all(file)] == ["plus4", "plus4", "trois_six"]
    assert quatuor.load(file) == quatuor.load(file.read_bytes()) == games[0]


def test_a_position_is_a_record_without_moves():
    game = quatuor.load("plus4:endless br2/1b2/4/4 r 0:0 - -\n")
    assert (game.ply, game.to_move) == (0, (1,))
    assert list(quatuor.load_all("plus4:endless br2/1b2/4/4 r 0:0 - -\n")) == [game]
    with pytest.raises(RecordError, match="line 1: column a has a gap"):
        quatuor.load("plus4:endless 4/b3/4/4 r 0:0 - -")


@pytest.mark.parametrize(
    ("source", "error", "why"),
    [
        (b"\xff\xfe", RecordError, "not UTF-8 text"),
        (5, TypeError, "text, bytes or a pathlib.Path, not int"),
        (None, TypeError, "not NoneType"),
        ("game.txt", RecordError, r"give pathlib.Path\('game.txt'\)"),
        ("", RecordError, "no .Game"),
        ('[Game "plus4"]\n\n(\n)', RecordError, "line 4: a variation without a turn"),
        ('[Game "plus4"]\n\n)', RecordError, "line 3: .* without"),
        ('[Game "plus4"]\n\n1. a\n(\n1. b', RecordError, "line 4: .* not closed"),
        (
            '[Game "plus4"]\n\n1. a\n(\n3. b\n)',
            RecordError,
            "line 5: a variation from turn 3; here it replaces turn 1 to 2",
        ),
        ('[Game "plus4"]\n\n1. a\n(\n1. e\n)', RecordError, "line 5: .*push a column"),
        ('[Game "plus4"]\n\n1. a\n' + "(\n1. b\n" * 200, RecordError, "more than 100 variations"),
    ],
)
def test_invalid_records_are_refused_with_the_reason(source, error, why):
    with pytest.raises(error, match=why):
        quatuor.load(source)


def test_long_annotated_games_need_no_deep_recursion():
    game = quatuor.new("plus4", both_lines="continue", repetition="none")
    while game.ply < 3000:
        game.play("c")
    game.node.comment = "far"
    twin = pickle.loads(pickle.dumps(game))
    assert twin.node.comment == "far"
    assert quatuor.load(twin.record()).node.comment == "far"
