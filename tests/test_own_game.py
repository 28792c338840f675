"""The guide's example, a game in one file, works everywhere the four games work."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import quatuor
import quatuor.games
from examples import torus
from quatuor.engine.conformance import CHECKS, check
from quatuor.games.contract import IllegalMove
from quatuor.server.settings import Settings
from tests.server.client import Guest, ServerThread

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setitem(quatuor.games._extra, "torus", torus.RULEBOOK)


def _run(
    *arguments: str, games: str = "examples.torus", path: Path = ROOT, input: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QUATUOR_GAMES": games, "PYTHONPATH": f"{ROOT}{os.pathsep}{path}"}
    command = [sys.executable, "-c", "from quatuor.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, input=input)


def test_there_are_twelve_lines_and_no_draws():
    assert len(torus.LINES) == 12
    games = quatuor.batch("torus", 64, seed=1)
    rewards = []
    for _ in range(9):
        games.step(games.sample())
        rewards += games.rewards[games.ended].tolist()
    assert rewards
    assert all(sorted(pair) == [-1.0, 1.0] for pair in rewards)


def test_it_is_played_and_recorded_like_any_game():
    game = quatuor.new("torus")
    for move in ("a1", "b1", "b2", "a2"):
        game.play(move)
    with pytest.raises(IllegalMove, match="b2 is taken"):
        game.play("b2")
    game.play("c3")
    assert game.ranking == (1, 2)
    assert quatuor.load(game.record()).state.tolist() == game.state.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_engine_finds_the_move_that_wins(seed):
    game = quatuor.new("torus")
    for move in ("a1", "b1", "b2", "a2"):
        game.play(move)
    assert quatuor.engine(units=500, seed=seed).choose(game) == "c3"


def test_the_command_line_knows_it():
    found = json.loads(_run("games", "--json").stdout)
    assert "torus" in [game["name"] for game in found]
    assert json.loads(_run("perft", "torus", "3", "--json").stdout)["perft"][-1]["sequences"] == 9 * 8 * 7


def test_it_keeps_the_contract():
    report = check(torus.RULEBOOK)
    assert report.problems == ()
    assert {one.name for one in CHECKS} - set(report.checks) == {"positions", "space"}, "it has neither"
    assert _run("check", "torus").stdout.splitlines()[-1] == "torus keeps the contract."


def test_the_guides_list_of_positions_solves_it(tmp_path):
    """The functions under "Solve it", put into the example as the guide says."""
    guide = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8").partition("## Solve it")[2]
    listed = guide.partition("```python\n")[2].partition("```")[0]
    rules, name, rest = (ROOT / "examples" / "torus.py").read_text(encoding="utf-8").partition("NAME = Text(")
    whole = f"{rules}{listed}{name}{rest}".replace("planes=HERE,", "planes=HERE, space=HERE,")
    (tmp_path / "solved_torus.py").write_text(whole.replace('name="torus"', 'name="solved_torus"'), encoding="utf-8")
    report = _run("check", "solved_torus", games="solved_torus", path=tmp_path)
    assert report.stdout.splitlines()[-1] == "solved_torus keeps the contract.", report.stdout + report.stderr
    assert "✓ space" in report.stdout
    found = json.loads(_run("solve", "solved_torus", "--json", games="solved_torus", path=tmp_path).stdout)
    assert found["value"] == "win"


def test_a_small_game_without_a_list_is_not_solved_and_the_error_says_what_is_missing():
    done = _run("solve", "torus")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "`space` of its Rulebook (see docs/adding.md)" in done.stderr


def test_a_game_without_text_of_its_positions_says_so_in_the_terminal():
    done = _run("play", "torus", input="position\nquit\n")
    assert "torus has no text form of its positions" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_a_wrong_module_is_named():
    wrong = _run("games", games="examples.nothing")
    assert wrong.returncode
    assert "QUATUOR_GAMES=examples.nothing: name modules that define RULEBOOK" in wrong.stderr + wrong.stdout
    assert "Traceback" not in wrong.stderr
    assert "PYTHONPATH" not in wrong.stderr
    absent = _run("games", games="nowhere")
    assert "QUATUOR_GAMES=nowhere: name modules that define RULEBOOK" in absent.stderr
    assert "No module named 'nowhere': its folder must be on PYTHONPATH" in absent.stderr


@pytest.mark.filterwarnings(
    "ignore"
)  # both checkers warn about observations that are not plain arrays, such as those with masks
def test_adapters_accept_it():
    import quatuor.interop.gymnasium
    import quatuor.interop.open_spiel
    import quatuor.interop.pettingzoo

    quatuor.interop.open_spiel.register()
    pyspiel.random_sim_test(pyspiel.load_game("quatuor_torus"), num_sims=2, serialize=True, verbose=False)
    api_test(quatuor.interop.pettingzoo.env("torus"), num_cycles=20)
    check_env(quatuor.interop.gymnasium.SeatEnv("torus"))
    quatuor.interop.gymnasium.register()
    seen, _ = gymnasium.make("quatuor/torus-torus-v0").reset(seed=1)
    assert np.count_nonzero(seen["action_mask"]) in (8, 9)
    quatuor.interop.pettingzoo.register()
    assert pettingzoo.make("aec", "quatuor/torus-torus-v0").possible_agents == ["player_0", "player_1"]


def test_without_planes_open_spiel_shows_it_as_text(monkeypatch):
    import quatuor.interop.open_spiel

    monkeypatch.setitem(quatuor.games._extra, "unseen_torus", replace(torus.RULEBOOK, name="unseen_torus", planes=None))
    quatuor.interop.open_spiel.register()
    game = pyspiel.load_game("quatuor_unseen_torus")
    assert not game.get_type().provides_observation_tensor
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    state = game.new_initial_state()
    state.apply_action(4)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert (observer.tensor, observer.dict) == (None, {})
    assert "to move: 1" in observer.string_from(state, 0)


async def test_a_table_accepts_it(tmp_path):
    server = ServerThread(Settings(store=str(tmp_path / "games.sqlite"), secret=tmp_path / "secret"))
    try:
        guest = Guest(server.address)
        line = await guest.connect((await guest.open("torus", "me", "me"))["id"])
        for move in ("a1", "b1", "b2", "a2", "c3"):
            await line.move(move)
        await line.caught_up()
        assert line.table["ranking"] == [1, 2]
        await line.close()
        await guest.http.aclose()
    finally:
        server.close()
