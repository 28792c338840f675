"""Every public function names what is wrong with an argument: no error comes from deep inside."""

import inspect
import linecache
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatuor
from quatuor import learn, puzzles
from quatuor.engine.perft import perft
from quatuor.engine.playout import random_games
from quatuor.engine.review import review
from quatuor.engine.solve import solve
from quatuor.games import register, rulebook
from quatuor.interop import sgf
from quatuor.match.arena import Arena
from quatuor.match.arena_game import play
from quatuor.match.judge import judge_move
from quatuor.match.ratings import Played, rate
from quatuor.match.tournament import Tournament
from quatuor.record import name_seats, split

PACKAGE = Path(quatuor.__file__).parent


class Thing:
    """An argument that makes no sense anywhere."""


WRONG = [
    Thing(), "x", "", 3, -1, 10**30, 0.5, float("nan"), None, True, b"x", {"x": 1}, (), [Thing()], ["x"], [99],
    [0.5, 0.5],
]  # fmt: skip


def game() -> quatuor.Game:
    played = quatuor.new("plus4")
    played.play("a")
    return played


def batch() -> Any:
    return quatuor.batch("plus4", n=2)


def evaluate(planes: Any, facts: Any, mask: Any) -> Any:
    return np.zeros(mask.shape), np.zeros(len(mask))


MAKERS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "new": (quatuor.new, {"name": "plus4"}),
    "load": (quatuor.load, {"source": game().record()}),
    "load_all": (quatuor.load_all, {"source": game().record()}),
    "engine": (quatuor.engine, {"units": 8}),
    "Engine": (quatuor.Engine, {"units": 8}),
    "batch": (quatuor.batch, {"name": "plus4", "n": 2}),
    "Match": (quatuor.Match, {"name": "plus4"}),
    "search": (quatuor.search, {"games": batch(), "evaluate": evaluate}),
}
OBJECTS: dict[str, Callable[[], Any]] = {
    "Game": game,
    "GameNode": lambda: game().tree,
    "Engine": lambda: quatuor.engine(level=1, units=8),
    "Match": lambda: quatuor.Match("plus4"),
    "batch": batch,
    "search": lambda: quatuor.search(batch(), evaluate),
}
RIGHT = {  # arguments that a method needs besides the wrong one
    "game": game(), "seat": 1, "move": "a", "moves": ["a"], "action": 0, "actions": {1: 0}, "ply": 1, "text": "a",
    "node": game().tree, "row": 0, "rows": [0], "source": [0], "target": [1], "saved": batch().save(),
    "simulations": 4,
}  # fmt: skip
SOLVED = puzzles.solve("tetro10")
FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {  # of the reference, beside those above
    "review": (review, {"game": game(), "engine": quatuor.engine(level=1, units=8)}),
    "solve": (solve, {"name": "plus4", "variant": "elementary", "threads": 1}),
    "perft": (perft, {"game": game(), "depth": 1}),
    "random_games": (random_games, {"name": "plus4"}),
    "judge_move": (judge_move, {"game": game(), "seat": 1, "move": "a", "units": 1}),
    "Arena": (Arena, {"engines": ["random", "greedy"], "name": "plus4", "games": 2}),
    "play": (play, {"meeting": Arena(["random"], "plus4", games=1).meetings[0]}),
    "rate": (rate, {"games": [Played("plus4:elementary", ("Ada", "Bo"), (1, 2))]}),
    "Tournament.create": (Tournament.create, {"game": "plus4"}),
    "Tournament.open": (Tournament.open, {"path": "no such file"}),
    "sgf.read": (sgf.read, {"text": "(;GM[Blokus])"}),
    "sgf.read_all": (sgf.read_all, {"text": "(;GM[Blokus])"}),
    "sgf.write": (sgf.write, {"game": quatuor.new("blokus", "duo")}),
    "puzzles.new": (puzzles.new, {"name": "tetro10"}),
    "puzzles.daily": (puzzles.daily, {"difficulty": "hard"}),
    "puzzles.empty": (puzzles.empty, {"name": "tetro10"}),
    "puzzles.solve": (puzzles.solve, {"name": "tetro10"}),
    "puzzles.read": (puzzles.read, {"data": SOLVED.data()}),
    "puzzles.load": (puzzles.load, {"text": SOLVED.dump()}),
    "puzzles.check": (puzzles.check, {"position": SOLVED}),
    "puzzles.solvable": (puzzles.solvable, {"position": SOLVED}),
    "puzzles.hint": (puzzles.hint, {"position": SOLVED}),
    "puzzles.svg": (puzzles.svg, {"position": SOLVED}),
    "puzzles.text_board": (puzzles.text_board, {"position": SOLVED}),
    "learn.course": (learn.course, {"game": "plus4"}),
    "learn.table": (learn.table, {"game": "plus4", "lesson": "push", "step": 0}),
    "record.split": (split, {"source": game().record()}),
    "record.name_seats": (name_seats, {"text": game().record(), "players": ("Ada", "Bo")}),
    "rulebook": (rulebook, {"name": "plus4"}),
    "register": (register, {}),
}
METHODS = [
    (name, method, parameter)
    for name, make in OBJECTS.items()
    for method, function in inspect.getmembers(type(make()), callable)
    if not method.startswith("_")
    for parameter in list(inspect.signature(function).parameters)
    if parameter != "self"
]


def test_all_that_is_public_is_tried():
    errors = {name for name in quatuor.__all__ if isinstance(getattr(quatuor, name), type) and name.endswith("Error")}
    assert {*MAKERS, *OBJECTS} == {*quatuor.__all__} - errors - {"IllegalMove"}


@pytest.mark.parametrize("name", MAKERS)
def test_what_makes_an_object(name):
    make, right = MAKERS[name]
    for parameter in inspect.signature(make).parameters.values():
        key = "strange" if parameter.kind is parameter.VAR_KEYWORD else parameter.name
        for wrong in WRONG:
            _refused_or_taken(lambda key=key, wrong=wrong: make(**{**right, key: wrong}), f"{name}({key}={wrong!r})")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_the_reference(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # one of them makes a file
    monkeypatch.setenv("QUATUOR_DATA", str(tmp_path))  # and one solves a game
    function, right = FUNCTIONS[name]
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD or parameter.name in ("progress", "cluster"):
            continue
        for wrong in WRONG:
            if parameter.name == "day" and wrong is None:
                continue

            def call(key=parameter.name, wrong=wrong):
                result = function(**{**right, key: wrong})
                return next(result, None) if inspect.isgenerator(result) else result

            _refused_or_taken(call, f"{name}({parameter.name}={wrong!r})")


@pytest.mark.parametrize(("name", "method", "parameter"), METHODS, ids=lambda value: str(value))
def test_a_method(name, method, parameter):
    for wrong in WRONG:
        function = getattr(OBJECTS[name](), method)
        parameters = inspect.signature(function).parameters
        needed = [key for key, one in parameters.items() if one.default is one.empty and key != parameter]
        arguments = {key: RIGHT[key] for key in needed} | {parameter: wrong}

        def call(function=function, arguments=arguments):
            result = function(**arguments)
            return next(result, None) if inspect.isgenerator(result) else result

        _refused_or_taken(call, f"{name}.{method}({parameter}={wrong!r})")


@pytest.mark.parametrize("headers", [{"Event": 3}, {"Event": None}, {"A header": "x"}, {3: "x"}, {"": "x"}])
def test_headers_that_no_record_can_hold(headers):
    played = game()
    played.headers.update(headers)
    with pytest.raises((TypeError, ValueError), match="header"):
        played.record()


@pytest.mark.parametrize("comment", [3, None, b"x"])
def test_a_comment_that_is_no_text(comment):
    for node in ("node", "tree"):
        played = game()
        getattr(played, node).comment = comment
        with pytest.raises(TypeError, match=r"comment .* is text"):
            played.record()


def _refused_or_taken(call: Callable[[], Any], what: str) -> None:
    """A call may take an argument; if not, a line of the package that begins with ``raise`` says why."""
    refusal = None
    try:
        call()
    except Exception as error:
        refusal = error
    if refusal is None:
        return
    *_, last = traceback.extract_tb(refusal.__traceback__)
    if last.filename == __file__:
        return  # Python itself says that there is no such parameter
    if isinstance(refusal, FileNotFoundError):
        return  # it names the file
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    where = f"{what}: {refusal!r} comes from {last.filename}:{last.lineno}: {line}"
    assert Path(last.filename).is_relative_to(PACKAGE), where
    assert line.startswith("raise "), where
    assert isinstance(refusal, TypeError | ValueError | LookupError | OSError), where
    assert str(refusal), where
