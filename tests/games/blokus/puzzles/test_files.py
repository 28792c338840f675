"""The file format: a written file reads back, and errors in a file are explained."""

import contextlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatuor.puzzles import Piece, empty, load, new, read, svg, text_board
from tests.games.blokus.puzzles import FORMS as PUZZLES
from tests.games.blokus.puzzles import solution

GOOD = {"puzzle": "tetro20", "hard": True, "pieces": [{"colour": "blue", "cells": ["a1", "b1", "c1", "d1"]}]}


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_what_is_written_is_read_again(name, hard):
    position = solution(name, hard, 0)
    assert load(position.dump()) == position
    assert read(position.data()) == position


def test_the_format():
    data = json.loads(solution("tetro20", True, 3).dump())
    assert list(data) == ["puzzle", "hard", "rows", "columns", "pieces"]
    assert (data["puzzle"], data["hard"], data["rows"], data["columns"]) == ("tetro20", True, 8, 10)
    assert len(data["pieces"]) == 20
    assert all(set(piece) == {"colour", "cells"} and len(piece["cells"]) == 4 for piece in data["pieces"])
    assert json.loads(new("tetro20", "easy").position.dump())["given"] == 14


def test_a1_is_bottom_left_and_cells_may_come_in_any_order():
    data = {"puzzle": "pento48", "pieces": [{"colour": "red", "cells": ["p15", "p11", "p12", "p14", "p13"]}]}
    (piece,) = read(data).pieces
    assert piece == Piece("red", tuple((row, 15) for row in range(10, 15)))
    assert str(piece) == "red p11,p12,p13,p14,p15"


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"puzzle": "tetro21"}, "unknown puzzle 'tetro21'; the puzzles are all84, tetro20, pento48"),
        ({"puzzle": 7}, "'puzzle' must be a text, not 7"),
        ({"hard": 1}, "'hard' must be true or false, not 1"),
        ({"rows": 9, "columns": 10}, "tetro20 is laid on 8 rows and 10 columns, not on 9 and 10"),
        ({"rows": 8}, "not on 8 and None"),
        ({"rows": True}, "'rows' must be a whole number, not true"),
        ({"peices": []}, "unknown key 'peices'; a puzzle has puzzle, hard, rows"),
        ({"pieces": {}}, "'pieces' must be a list"),
        ({"pieces": [{}] * 201}, "201 pieces are too many"),
        ({"pieces": ["a1"]}, 'piece 1: write {"colour": "blue", "cells"'),
        ({"pieces": [{"colour": "blue"}]}, "piece 1: write"),
        ({"pieces": [{"colour": "pink", "cells": ["a1"]}]}, 'piece 1: "pink" is not a colour; choose blue, yellow'),
        ({"pieces": [{"colour": ["blue"], "cells": ["a1"]}]}, "is not a colour"),
        ({"pieces": [{"colour": "blue", "cells": []}]}, "a list of one to five cells"),
        ({"pieces": [{"colour": "blue", "cells": "a1"}]}, "a list of one to five cells"),
        ({"pieces": [{"colour": "blue", "cells": ["a0"]}]}, 'piece 1: "a0" is not a cell; write a1'),
        ({"pieces": [{"colour": "blue", "cells": ["A1"]}]}, "is not a cell"),
        ({"pieces": [{"colour": "blue", "cells": [1]}]}, "1 is not a cell"),
        ({"pieces": [{"colour": "blue", "cells": ["a1", "b1", "a1"]}]}, "piece 1: a1 is named twice"),
        ({"given": 2}, "'given' is 2, but there are 1 pieces"),
        ({"given": -1}, "'given' is -1"),
    ],
)
def test_errors_in_a_file_are_explained(change, answer):
    with pytest.raises(ValueError, match=re.escape(answer)):
        read(GOOD | change)


@pytest.mark.parametrize("key", ["puzzle", "pieces"])
def test_missing_headers_are_named(key):
    with pytest.raises(ValueError, match=f"'{key}' is missing"):
        read({k: v for k, v in GOOD.items() if k != key})


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"puzzle": NaN}', "null", "[]", '"all84"'])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match=r"this is not JSON|a puzzle is an object|must be a text"):
        load(text)


WORDS = st.sampled_from(["all84", "tetro20", "blue", "a1", "t20"])
KEYS = st.sampled_from([*GOOD, "given", "rows", "columns", "colour", "cells"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | WORDS,
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
)


@given(st.dictionaries(KEYS, ANYTHING) | ANYTHING)
def test_any_text_is_a_position_or_a_value_error(data):
    with contextlib.suppress(ValueError):
        assert read(data).kind.name == data["puzzle"]


# ---- pictures


def test_the_picture_outlines_every_piece():
    position = solution("pento48", False, 0)
    drawn = svg(position)
    assert drawn.count("<path") == 1 + 3 * 48
    assert drawn.count("<text") == 15 + 16


def test_the_board_in_letters():
    lines = text_board(empty("tetro10")).splitlines()
    assert lines[0].split() == list("abcdefgh")
    assert [line.split()[0] for line in lines[1:-1]] == ["5", "4", "3", "2", "1"]
    shown = text_board(solution("tetro20", True, 0))
    assert sum(shown.count(f"]{letter}") for letter in "BYRG") == 80
