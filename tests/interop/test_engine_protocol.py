"""The engine protocol: what each line does, and whole games through it."""

import re
import subprocess
import sys
import time

import pytest

import quatuor
from quatuor.interop.engine_protocol import Session, serve
from quatuor.match.arena import Arena
from quatuor.match.arena_game import Conduct, play
from quatuor.match.protocol import start_text, turn_text

COMMAND = f'{sys.executable} -c "from quatuor.cli import main; main()" engine'


class Host:
    def __init__(self, level: int = 8) -> None:
        self.lines: list[str] = []
        self.session = Session(self.lines.append, level)

    def say(self, *lines: str) -> list[str]:
        """The answer, after the end of a search if there is one."""
        self.lines.clear()
        for line in lines:
            self.session.read(line)
        self.session.wait()
        return list(self.lines)


def test_it_reports_its_name_and_its_options():
    lines = Host(level=3).say("quatuor", "isready")
    assert lines[0] == f"id name Quatuor {quatuor.__version__}"
    assert "option name Level type spin default 3 min 1 max 8" in lines
    assert lines[-2:] == ["quatuorok", "readyok"]


def test_a_search_reports_lines_and_a_best_move():
    lines = Host().say("position plus4:endless,target=5 start moves a b*", "go units 300 lines 2")
    assert re.fullmatch(r"bestmove [a-d]\*?", lines[-1])
    infos = [line for line in lines if line.startswith("info ")]
    assert {re.search(r"multipv (\d)", line)[1] for line in infos} == {"1", "2"}
    assert all(re.search(r"units \d+ seconds [\d.]+ .*value -?[\d.]+ .*pv [a-d]", line) for line in infos)


def test_a_position_text_and_restricted_moves():
    game = quatuor.new("plus4")
    for move in "ababa":
        game.play(move)
    host = Host()
    (*infos, best) = host.say(f"position {game.position}", "go seconds 1")
    assert best == "bestmove a", "it has to block"
    assert "outcome win distance" in infos[-1]
    assert host.say("go units 50 searchmoves c d")[-1] in ("bestmove c", "bestmove d")
    assert any("ab" not in line and line.startswith("info string") for line in host.say("show"))


def test_a_level_plays_as_the_level():
    host = Host()
    host.say("setoption name Level value 2", "setoption name Seed value 7", "position plus4:endless start")
    game = quatuor.new("plus4", "endless")
    assert host.say("go") == [f"bestmove {quatuor.engine(level=2, seed=7).choose(game)}"]


def test_stop_ends_an_endless_search():
    host = Host()
    host.say("position trois_six:" + quatuor.new("trois_six").variant.name + " start", "go seat 0 units 2")  # compiled
    host.lines.clear()
    host.session.read("go seat 0 infinite")
    assert host.lines == [] or host.lines[-1].startswith("info")
    host.session.read("go units 5")
    assert host.lines[-1].startswith("error go while searching")
    began = time.monotonic()
    host.session.read("stop")
    host.session.wait()
    assert time.monotonic() - began < 20
    assert host.lines[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("hello", "unknown command"),
        ("setoption name Level value 9", "from 1 to 8"),
        ("setoption Level 3", "usage"),
        ("position", "usage"),
        ("position chess start", "chess"),
        ("position plus4:elementary start moves z", "z"),
        ("position trois_six:standard start moves -", "join their moves"),
        ("go units x", "number"),
        ("go depth 3", "units"),
        ("go seat 1", "seats to move: 0"),
    ],
)
def test_mistakes_are_answered_by_an_error(line, hint):
    if line.startswith("position trois_six"):
        line = line.replace("standard", quatuor.new("trois_six").variant.name)
    (answer,) = Host().say(line)
    assert answer.startswith("error ")
    assert hint in answer


def test_simultaneous_turns_are_read_and_written():
    game = quatuor.new("trois_six")
    game.play({seat: game.legal(seat)[0] for seat in game.to_move})
    host = Host(level=1)
    lines = host.say(f"position {start_text(game)} moves {turn_text(game.moves[0])}", "go seat 1")
    assert lines[0].removeprefix("bestmove ") in game.legal(1)
    assert host.session._game == game


def test_the_end_of_the_input_waits_for_the_answer():
    lines: list[str] = []
    serve(["position plus4:elementary start\n", "go units 20\n"], lines.append)
    assert lines[-1].startswith("bestmove")


@pytest.mark.parametrize("which", ["plus4:endless", "trois_six"])
def test_the_arena_plays_whole_games_with_such_a_program(which):
    name, _, variant = which.partition(":")
    word = f"engine,units=20:{COMMAND}"
    outcome = play(Arena([word, "random"], name, variant or None, games=1).meetings[0])
    assert (outcome["end"], outcome["fault"]) == ("over", None)
    assert outcome["cpu"][word] > 0


FOREIGN = """
import sys

turns = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "quatuor":
        print("id name Rotation")
        print("option name Shift type spin default 0 min 0 max 3")
        print("quatuorok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "setoption":
        shift = int(rest[-1])
    elif word == "position":
        turns = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
    elif word == "go":
        column = "abcd"[(turns + shift) % 4]
        print("info string as ever")
        print(f"info units 1 seconds 0.0 multipv 1 value 0.0 pv {column}")
        print(f"bestmove {column}", flush=True)
    elif word == "quit":
        break
"""  # the minimal engine of docs/engine_protocol.md, with one option


def test_a_program_that_knows_only_the_protocol_plays_whole_games(tmp_path):
    """It does not import this package, and pushes one column after the other."""
    file = tmp_path / "rotation.py"
    file.write_text(FOREIGN)
    word = f"engine,Shift=1:{sys.executable} -S {file}"
    for meeting in Arena([word, "random"], "plus4", games=2).meetings:
        outcome = play(meeting, conduct=Conduct(keep=True))
        assert (outcome["end"], outcome["fault"]) == ("over", None)
        own = meeting.seats.index(word)
        moves = [turn[own] for turn in quatuor.load(outcome["record"]).moves if own in turn]
        assert moves == ["abcd"[(own + 2 * number + 1) % 4] for number in range(len(moves))]


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        ("print('id name x')", "has ended"),
        ("[print('error no', flush=True) for _ in __import__('sys').stdin]", "error no"),
        (
            "[print('quatuorok\\nreadyok\\nbestmove z', flush=True) for _ in __import__('sys').stdin]",
            "'z' is not legal",
        ),
    ],
)
def test_a_program_that_fails_loses(program, fault):
    word = f'engine:{sys.executable} -c "{program}"'
    outcome = play(Arena([word, "random"], "plus4", games=1).meetings[0])
    assert fault in outcome["fault"]


def test_the_command_speaks_it():
    talk = "quatuor\nposition plus4:elementary start moves a\ngo units 10\n"
    done = subprocess.run(
        [sys.executable, "-m", "quatuor", "engine", "--level", "4"], input=talk, capture_output=True, text=True
    )
    assert "default 4" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("bestmove")
