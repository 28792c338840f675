"""``quatuor puzzle`` as a user types it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quatuor.cli import main
from quatuor.puzzles import check, load, read
from tests.games.blokus.puzzles import solution

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``quatuor puzzle``; returns exit code, output and errors."""

    def command(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["quatuor", "puzzle", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return command


def test_solve_shows_the_board(run: Run) -> None:
    code, out, _ = run("solve", "tetro20", "--hard", "--seed", 3)
    assert code == 0
    assert "20 tetrominoes, hard" in out
    assert sum(out.count(letter) for letter in "BYRG") == 80


def test_solve_as_json_and_as_a_picture(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "solution.svg"
    code, out, _ = run("solve", "all84", "--hard", "--seed", 2, "--json", "--svg", picture)
    position = load(out)
    assert (code, position.puzzle, position.hard) == (0, "all84", True)
    assert check(position).solved
    assert picture.read_text().startswith("<svg")


def test_solve_on_another_board(run: Run) -> None:
    _, out, _ = run("solve", "tetro10", "--rows", 4, "--json")
    assert (load(out).rows, load(out).columns) == (4, 10)


def test_check_a_solution_a_beginning_and_a_mistake(run: Run, tmp_path: Path) -> None:
    file, whole = tmp_path / "puzzle.json", solution("tetro20", True, 1)
    file.write_text(whole.dump())
    assert "Solved" in run("check", file)[1]
    data = whole.data()
    file.write_text(json.dumps(data | {"pieces": data["pieces"][:7]}))
    code, out, _ = run("check", file)
    assert (code, "13 pieces are still to place" in out) == (0, True)
    file.write_text(json.dumps(data | {"pieces": [*data["pieces"][:7], data["pieces"][0]]}))
    code, out, _ = run("check", file)
    assert code == 1
    assert "again, after piece 1" in out.replace("\n", " ")
    code, out, _ = run("check", file, "--json")
    assert (code, json.loads(out)["faults"][0]["code"]) == (1, "used_twice")


def test_hint_from_a_file_and_from_standard_input(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, data = tmp_path / "puzzle.json", solution("tetro20", True, 1).data()
    file.write_text(json.dumps(data | {"pieces": data["pieces"][:-1]}))
    last = data["pieces"][-1]
    code, out, _ = run("hint", file)
    assert (code, f"{last['colour']} {','.join(last['cells'])} belongs there." in out) == (0, True)
    with file.open() as text:
        monkeypatch.setattr(sys, "stdin", text)
        code, out, _ = run("hint", "-", "--json")
    assert json.loads(out) == {"piece": last, "answer": "yes", "faults": []}
    file.write_text(json.dumps(data))
    assert "Nothing is missing" in run("hint", file)[1]
    file.write_text(json.dumps(data | {"pieces": [{"colour": "blue", "cells": ["b1", "b2", "b3", "a3"]}]}))
    code, out, _ = run("hint", file)
    assert code == 1
    assert "the empty region at a1 has 2 cells, no multiple of 4" in out


def test_new_and_daily(run: Run) -> None:
    code, out, _ = run("new", "tetro20", "-d", "medium", "--seed", 4)
    assert (code, "medium, seed 4: 10 pieces are still to place." in out) == (0, True)
    assert run("new", "tetro20", "--json")[1] != run("new", "tetro20", "--json")[1], "chance chooses"
    first = run("daily", "--date", "2026-11-16", "--json")[1]
    assert first == run("daily", "--date", "2026-11-16", "--json")[1]
    assert read(json.loads(first)).puzzle == "tetro10"
    assert "2026-11-16" in run("daily", "--date", "2026-11-16")[1]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["solve", "tetro21"], "unknown puzzle 'tetro21'; the puzzles are all84, tetro20"),
        (["solve", "pento12", "--hard"], "pento12 has no hard form"),
        (["solve", "tetro10", "--rows", 7], "--rows 7: tetro10 is laid on 5 by 8 or 4 by 10"),
        (["new", "tetro20", "-d", "hard"], "choose easy, medium, expert"),
        (["daily", "--date", "tomorrow"], "write YYYY-MM-DD, such as 2026-11-15"),
        (["check", "no/such/file"], "no/such/file: No such file or directory"),
        (["hint"], "Missing argument 'FILE'"),
        (["dance"], "No such command 'dance'"),
    ],
)
def test_mistake_is_one_line_and_exit_code_2(run: Run, words: list[object], answer: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert answer in err


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (b"{", "this is not JSON"),
        (b"\xff\xfe", "this is not UTF-8 text"),
        (b'{"puzzle": "tetro20"}', "'pieces' is missing"),
        (b'{"puzzle": "tetro20", "pieces": [{"colour": "blue", "cells": ["zz"]}]}', 'piece 1: "zz" is not a cell'),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(run: Run, tmp_path: Path, content: bytes, answer: str) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    for command in ("check", "hint"):
        code, _, err = run(command, file)
        assert code == 2
        assert "bad.json" in err
        assert answer in err
