"""A game is one folder: added to the package, it is bundled like the others, and no existing file changes."""

import json
import subprocess
import sys

import pytest

from tests.fifth_game import copy, environment

BATCH = """
import quatuor
game = quatuor.new("torus")
for move in ("a1", "b1", "b2", "a2"):
    game.play(move)
print(quatuor.engine(units=500, seed=1).choose(game), quatuor.batch("torus", 2).planes.shape)
"""


@pytest.fixture(scope="module")
def package():
    return copy()


def run(package, *arguments, given=""):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=package, env=environment(package), input=given,
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def quatuor(package, *arguments, given=""):
    return run(package, "-c", "from quatuor.cli import main; main()", *arguments, given=given)


def test_it_is_the_copy_that_runs(package):
    assert run(package, "-c", "import quatuor; print(quatuor.__file__)").startswith(str(package))


def test_it_is_listed_with_the_others(package):
    found = [game["name"] for game in json.loads(quatuor(package, "games", "--json"))]
    assert found == ["plus4", "blokus", "plateau_x", "trois_six", "torus"]
    assert "torus:torus" in quatuor(package, "games")


def test_it_keeps_the_contract(package):
    report = json.loads(quatuor(package, "check", "torus", "--json"))
    assert report["problems"] == []
    assert report["passed"]


def test_it_is_played_on_the_command_line_against_the_engine(package):
    moves = "\n".join(f"{column}{row}" for row in "123" for column in "abc") + "\n"
    shown = quatuor(package, "play", "torus", "--seat", "human", "--seat", "engine:5", given=3 * moves)
    assert "wins" in shown


def test_it_is_played_from_python(package):
    assert run(package, "-c", BATCH).strip() == "c3 (2, 2, 3, 3)"
