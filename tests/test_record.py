"""Records: round trips, and damaged files that say where and why."""

import pytest

import quatuor
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
    assert text == GOOD.replace("  ; a comment", "")
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
        ('[Date "', "[Date ", 6, "is no header"),
        ('[Seat1 "Bob', '[Seat0 "Bob', 5, "stands twice .first in line 4"),
        ('"1-2"', '"2-1"', 7, "the moves give '1-2'"),
        ('"1-2"]', '"1-2"]\n[Termination "bored"]', 8, "choose one of resigned"),
        ('"1-2"]', '"1-2"]\n[Out "2"]', 8, "seats from 0 to 1"),
        ('"1-2"]', '"1-2"]\n[Out "1,1"]', 8, "seats from 0 to 1"),
        ('"1-2"]', '"1-2"]\n[Out ""]', 8, "seats from 0 to 1"),
        ("4. b", "4. e", 12, "push a column"),
        ("4. b", "5. b", 12, "expected '4. '"),
        ("4. b", "4. b / a", 12, "2 moves in a turn of 1"),
        ("4. b", "b", 12, "is no move"),
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


def test_a_record_has_a_sane_length():
    with pytest.raises(RecordError, match="at most"):
        quatuor.load("x" * (LONGEST + 1))


def test_names_must_fit_the_seats():
    with pytest.raises(ValueError, match="1 names for 2 seats"):
        quatuor.new("plus4").record(seats=("Ada",))


def test_a_position_that_was_set_up_is_refused():
    game = quatuor.new("plus4")
    game.play("a")
    later = quatuor.new("plus4")
    later.state[:] = game.state
    later.play("b")
    with pytest.raises(ValueError, match="from a position that was set up"):
        later.record()
