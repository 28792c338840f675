"""Every check of a game can fail and says why; an invalid rulebook is refused at registration."""

import itertools
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import quatuor
import quatuor.games
from examples import torus
from quatuor.engine.conformance import CHECKS, check, run_check
from quatuor.engine.conformance.samples import samples
from quatuor.games import provisional, register, rulebook
from quatuor.games.contract import Choice, Cover, IllegalMove, Level, Number, Text, Variant
from quatuor.games.plus4 import space
from tests import broken
from tests.engine import ring_guided

ROOT = Path(__file__).parent.parent
BOOK = torus.RULEBOOK
(VARIANT,) = BOOK.variants
ONE = Text("one")


def found(book, name):
    """The findings of one check about a game."""
    one = next(one for one in CHECKS if one.name == name)
    with provisional(book):
        return [problem.text for sample in samples(book, 1) for problem in run_check(one, sample)]


# ---- the fields of a rulebook


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": "My game"}, "name='My game': use small letters"),
        ({"state_size": 0}, "state_size=0: give a whole number from 1"),
        ({"max_moves": "9"}, "max_moves='9': give a whole number"),
        ({"actions": True}, "actions=True: give a whole number"),
        ({"svg": None}, "svg=None: give a function"),
        ({"title": "Torus"}, r"title='Torus': give a Text, such as Text\('Torus'\)"),
        ({"text": Text()}, "text is empty: write it in one language at least"),
        ({"variants": ()}, "give a tuple with one Variant or more"),
        ({"variants": (VARIANT, VARIANT)}, "two variants named 'torus'"),
        ({"variants": (replace(VARIANT, seats=5),)}, "seats=5: choose 1 to 4"),
        ({"variants": (replace(VARIANT, sides=(0,)),)}, "1 sides for 2 seats: name one for each seat"),
        ({"variants": (replace(VARIANT, name="a b"),)}, "variant 'a b': a name has small letters"),
        ({"options": (Number("n", ONE, ONE, 0, 1, 9),)}, "'n' refuses its own default 0: n=0: choose a whole number"),
        (
            {"options": (Choice("c", ONE, ONE, {"x": ONE}, ("wide",)),)},
            "'c' is for a variant 'wide' that does",
        ),
        ({"options": (SimpleNamespace(name="o"),)}, "lacks title, text, default, variants, check, encode"),
        ({"rules": SimpleNamespace()}, "rules lacks setup, to_move, legal, play, outcome, key, repeat"),
        ({"planes": SimpleNamespace(observe=print)}, "planes lacks VERSION, ROWS, COLUMNS, PLANES, FACTS"),
        ({"space": SimpleNamespace()}, r"space lacks setup, .*positions, index, unindex"),
        ({"advice": SimpleNamespace()}, "advice has SEARCH=None: choose one of guided, bestfirst, matrix"),
        ({"advice": SimpleNamespace(SEARCH="matrix")}, "advice lacks SCRATCH, expected_result, identity"),
        ({"race": 3}, "race=3: give a function or a class"),
        ({"ladders": {"torus": (Level(1),)}}, "the ladder of 'torus' has 1 levels: give 8"),
        ({"ladders": {"wide": (Level(1),) * 8}}, "ladders has a variant 'wide' that does not exist"),
        ({"ladders": {"torus": (Level(0),) * 8}}, "a level without units"),
        ({"endings": {"line": "TX-1"}}, "endings\\['line'\\]='TX-1': name a clause"),
        ({"endings": {"wide:line": "TX-1"}, "clause_prefix": "TX"}, "there is no variant 'wide'"),
        ({"cover": Cover("wide", 3)}, "cover shows a variant 'wide' that does not exist"),
        ({"foreign_names": {"gogui": {"wide": None}}}, r"foreign_names\['gogui'\] has a variant 'wide'"),
    ],
)
def test_a_wrong_field_is_refused_with_what_would_be_right(change, says):
    with pytest.raises(ValueError, match=says):
        register(replace(BOOK, **change))
    assert "torus" not in quatuor.games.names()


def test_what_is_no_rulebook_is_refused():
    with pytest.raises(ValueError, match=r"a game is a quatuor\.games\.contract\.Rulebook, not dict"):
        register({"name": "torus"})


def test_all_problems_are_reported_together():
    with pytest.raises(ValueError, match=r"state_size=0.*actions=0.*svg=None"):
        register(replace(BOOK, state_size=0, actions=0, svg=None))


def test_a_right_rulebook_is_registered(monkeypatch):
    monkeypatch.setattr(quatuor.games, "_extra", {})
    register(BOOK)
    assert rulebook("torus") is BOOK
    with pytest.raises(ValueError, match="'torus' is registered already"):
        register(BOOK)


# ---- rules that write outside their arrays: compiled, they would overwrite other memory


BEYOND = [
    (replace(BOOK, max_moves=5), r"turn 1: legal goes beyond an array .*is max_moves=5 too small\?"),
    (replace(BOOK, actions=5), r"turn 1: the legal action 5 is not in 0 to 4 \(actions\)"),
    (replace(BOOK, state_size=3), "turn 1: setup goes beyond an array .*its arrays have 3, 1 cells"),
    (broken.with_rules(legal=broken.legal_none), "turn 1: seat 0 acts and has 0 legal actions"),
    (broken.with_rules(legal=broken.legal_twice), "turn 1: legal lists an action twice for seat 0"),
    (broken.with_rules(legal=broken.legal_that_plays), "turn 1: legal changes the state"),
    (broken.with_rules(play=broken.play_backwards), "turn 1: play goes beyond an array .*index -1 is below 0"),
    (broken.with_rules(play=broken.play_large), "word 0 of the state is .*: keep it below"),
    (broken.with_rules(to_move=broken.to_move_third), "turn 1: to_move returns 4, but the seats are bits 0 to 1"),
    (broken.with_rules(outcome=broken.outcome_of_seconds), r"outcome gives the places \[2, 2\]; count from 1"),
    (broken.with_rules(key=broken.key_too_long), "key returns 100: write 0 to state_size=4 cells"),
    (replace(BOOK, write=lambda state, seat, action: "a1"), "read makes 0 of it|which is legal: a1 is taken"),
    (replace(BOOK, write=lambda state, seat, action: action), "write returns 0 for action 0; return text"),
    (replace(BOOK, read=lambda state, seat, text: 99), "write makes 'a1' of action 0, but read makes 99 of it"),
    (replace(BOOK, read=lambda state, seat, text: {}[text]), "turn 1: read raises KeyError"),
]


@pytest.mark.parametrize(("book", "says"), BEYOND, ids=[says[:30] for _, says in BEYOND])
def test_rules_that_break_the_contract_are_not_registered(book, says):
    with pytest.raises(ValueError, match=says):
        register(book)
    report = check(book, games=1)
    assert {problem.check for problem in report.problems} == {"bounds"}
    assert report.checks == ("fields", "bounds")  # nothing was compiled


# ---- every other check


def test_compiled_rules_that_differ_from_interpreted_ones_are_found():
    book = broken.with_rules(legal=broken.legal_by_table)
    assert found(book, "compiled") == []
    broken.CELL_COUNT[0] = 8
    try:
        (problem,) = found(book, "compiled")
    finally:
        broken.CELL_COUNT[0] = 9
    assert problem == (
        "turn 1: legal gives {0: [0, 1, 2, 3, 4, 5, 6, 7]} interpreted and {0: [0, 1, 2, 3, 4, 5, 6, 7, 8]} compiled"
    )


def test_a_setup_that_leaves_words_as_they_were_is_found():
    assert found(BOOK, "setup") == []
    assert found(broken.with_rules(setup=broken.setup_half), "setup") == [
        "setup leaves word 2 of the state as it was: write every word"
    ]


def texts(seen):
    """Text that is different each time."""
    numbers = itertools.count()
    return lambda *_: f"{seen}{next(numbers)}"


def read_any(state, seat, text):
    if text not in torus.NAMES:
        raise IllegalMove(f"{text!r} is not a cell")
    return torus.NAMES.index(text)


def read_first_free(state, seat, text):
    return next(cell for cell in range(9) if not (state[0] | state[1]) >> cell & 1)


@pytest.mark.parametrize(
    ("name", "book", "says"),
    [
        ("fields", replace(BOOK, actions=0), "actions=0: give a whole number from 1"),
        ("acting", replace(BOOK, reason=lambda state: {}), "the game is over, and its reason is {}"),
        ("actions", broken.with_rules(play=broken.play_nothing), "the legal action 4 of seat 0 changes nothing"),
        ("text", replace(BOOK, write=lambda state, seat, action: "b2"), "two actions of seat 0 are both written 'b2'"),
        ("text", replace(BOOK, write=lambda *given: f"{torus.NAMES[given[2]]};"), "IllegalMove: 'a1;' is not a cell"),
        ("refusals", replace(BOOK, read=read_any), "which is not legal; raise IllegalMove"),
        ("refusals", replace(BOOK, read=lambda *given: torus.NAMES.index(given[2])), "read raises ValueError, not"),
        ("undo", replace(BOOK, read=read_first_free), "played again, the game"),
        ("determinism", broken.with_rules(legal=broken.legal_shuffled), "the same seed gives another game"),
        ("records", replace(BOOK, write=texts("move")), "RecordError: line 8: 'move"),
        ("places", broken.with_rules(outcome=broken.outcome_of_seconds), r"turn 1: places (2, 2): count from 1"),
        ("data", replace(BOOK, view=lambda state: {"cells": state}), "the view of turn 1 is not plain data"),
        ("data", replace(BOOK, view=lambda state: {None: 1}), "view of turn 1 has the key None: keys must be text"),
        ("data", replace(BOOK, reason=lambda state: {"winner": 1}), "it needs a code"),
        ("pictures", replace(BOOK, svg=lambda state: "<svg>"), "turn 1: svg is not well-formed"),
        ("pictures", replace(BOOK, svg=lambda state: "<p/>"), "svg begins with p, not with <svg"),
        ("pictures", replace(BOOK, text_board=lambda state: " "), "text_board is empty"),
        ("languages", replace(BOOK, text=ONE), "the text of the game is not in French, in which the title is written"),
        ("endings", replace(BOOK, clause_prefix="TX", endings={"x": "TX-1"}), "a game ends by 'line', for which"),
        (
            "planes",
            broken.with_rules(observe=broken.observe_beyond),
            "observe leaves its arrays or the range of 8 bits",
        ),
        ("planes", broken.with_rules(observe=broken.observe_and_change), "observe changes the state"),
        ("engine", replace(BOOK, write=texts("b")), "the engine plays"),
    ],
)
def test_each_check_can_fail(name, book, says):
    assert found(BOOK, name) == []
    assert any(says in text for text in found(book, name)), found(book, name)


def test_visible_secret_orders_are_found():
    book = replace(rulebook("trois_six"), name="open", view=lambda state: {"words": state.tolist()})
    assert found(book, "secrecy") == []
    book = replace(book, conceal=lambda state, seat: state)
    assert found(book, "secrecy") == ["what others see depends on the order that seat 0 has given: hide it in conceal"]


def test_advice_that_does_not_work_is_found():
    advice = SimpleNamespace(**vars(ring_guided) | {"MEMORY": None})
    assert found(replace(BOOK, name="advised", advice=advice), "engine")


def test_a_solver_space_that_numbers_positions_twice_is_found():
    listed = SimpleNamespace(**vars(space) | {"index": broken.index_zero})
    problems = found(replace(rulebook("plus4"), name="listed", space=listed), "space")
    assert problems[0].startswith("unindex(")
    assert problems[0].endswith("makes a position whose index is 0")


# ---- a read that is wrong is not played


def test_an_illegal_action_from_read_is_not_played():
    for action in (99, -1, 4):
        game = quatuor.Game(replace(BOOK, read=lambda state, seat, text, action=action: action))
        game.play_actions({0: 4})
        before = game.state.tolist()
        with pytest.raises(IllegalMove, match=f"torus reads it as the action {action}, which is not legal"):
            game.play("a1")
        assert game.state.tolist() == before


# ---- texts in one language


def test_a_text_in_one_language_is_used_for_all():
    assert Text("Torus") == Text("Torus", "Torus", "Torus")
    assert Text(fr="Tore").en == "Tore"
    assert (Text(fr="Tore").languages, Text("a", "b", "c").languages) == (("fr",), ("en", "fr", "de"))
    book = replace(BOOK, name="mono", title=ONE, text=ONE, variants=(Variant("mono", ONE, ONE, 2, (1, 1)),))
    assert found(book, "languages") == []


# ---- the command line


def run(*arguments, games, folder=ROOT):
    environment = os.environ | {"QUATUOR_GAMES": games, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "COLUMNS": "200"}
    command = [sys.executable, "-c", "from quatuor.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture
def narrow(tmp_path):
    """A module with a torus that has room for too few moves."""
    text = "from dataclasses import replace\nfrom examples import torus\n"
    (tmp_path / "narrow.py").write_text(text + "RULEBOOK = replace(torus.RULEBOOK, name='narrow', max_moves=5)\n")
    return tmp_path


def test_the_command_says_what_is_wrong(narrow):
    done = run("check", "narrow", games="narrow", folder=narrow)
    assert done.returncode == 1
    assert "torus: turn 1: legal goes beyond an array" in done.stdout
    assert "narrow: 1 problems" in done.stdout
    data = json.loads(run("check", "narrow", "--json", games="narrow", folder=narrow).stdout)
    assert (data["passed"], data["checks"]) == (False, ["fields", "bounds"])
    assert data["problems"][0]["check"] == "bounds"


@pytest.mark.slow
def test_a_broken_module_is_one_line_everywhere(narrow):
    (narrow / "wrong.py").write_text("RULEBOOK = nothing\n")
    (narrow / "unreadable.py").write_text("def\n")
    (narrow / "empty.py").write_text("")
    for module, says in (
        ("narrow", "QUATUOR_GAMES=narrow: the game 'narrow' cannot be used: torus: turn 1: legal goes beyond"),
        ("wrong", "NameError: name 'nothing' is not defined, at"),
        ("unreadable", "SyntaxError: invalid syntax"),
        ("empty", "QUATUOR_GAMES=empty: name modules that define RULEBOOK"),
    ):
        done = run("games", games=module, folder=narrow)
        assert done.returncode == 2
        assert says in done.stderr
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_the_command_knows_bundled_games_and_refuses_unknown_ones():
    done = run("check", "chess", games="")
    assert done.returncode == 2
    assert "unknown game 'chess'; the games are" in done.stderr
