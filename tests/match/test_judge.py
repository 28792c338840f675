"""Python players, and the judge: how much value every move lost."""

import json
import sys

import pytest
from typer.testing import CliRunner

import quatuor
from quatuor.cli import app
from quatuor.match.arena import Arena
from quatuor.match.arena_game import Conduct, play
from quatuor.match.judge import judge_move, summary


def first(game, seat):
    """The first legal move."""
    game.play(game.legal(seat)[0])  # a copy: this does not change the game
    game.undo()
    return game.legal(seat)[0]


def clumsy(game, seat, refused):
    """A player whose first two answers are illegal."""
    return "z" if len(refused) < 2 else game.legal(seat)[0]


def broken(game, seat):
    raise RuntimeError("no idea")


def test_functions_play():
    arena = Arena([first, "random"], "plus4", games=2)
    assert arena.engines == ["python:tests.match.test_judge:first", "random"]
    outcome = play(arena.meetings[0])
    assert outcome["end"] == "over"
    outcome = play(Arena([broken, "random"], "plus4", games=1).meetings[0])
    assert "RuntimeError: no idea" in outcome["fault"]


def test_a_function_of_a_file_plays(tmp_path):
    file = tmp_path / "player.py"
    file.write_text("def last(game, seat):\n    return game.legal(seat)[-1]\n")
    assert play(Arena([f"python:{file}:last", "random"], "plus4", games=1).meetings[0])["fault"] is None
    for word, hint in ((f"python:{file}:none", "none"), ("python:nowhere:f", "nowhere"), ("python:f", "write python")):
        with pytest.raises(ValueError, match=hint):
            Arena([word, "random"], "plus4", games=1)


def test_illegal_answers_are_counted_and_too_many_lose():
    meeting = Arena([clumsy, "random"], "plus4", games=1).meetings[0]
    assert play(meeting)["fault"].endswith("'z' is not legal")
    judged = play(meeting, conduct=Conduct(tries=3, judge=50))
    assert judged["fault"] is None
    own = [line for line in judged["judged"] if line["player"].endswith("clumsy")]
    assert all(line["illegal"] == ["z", "z"] for line in own)
    assert summary(own[0]["player"], judged["judged"])["illegal"] == 2 * len(own)
    lost = play(meeting, conduct=Conduct(tries=2, judge=50))["judged"]
    assert (lost[-1]["move"], lost[-1]["verdict"], lost[-1]["illegal"]) == (None, None, ["z", "z"])


def test_a_solved_game_is_judged_exactly():
    """By the solved table: the losses of both sides add up to the result."""
    outcome = play(Arena(["level=8", "random"], "plus4", games=1).meetings[0], conduct=Conduct(judge=50))
    lines = outcome["judged"]
    assert all(line["verdict"]["exact"] and line["verdict"]["error"] == 0.0 for line in lines)
    perfect, dice = summary("level=8", lines), summary("random", lines)
    assert perfect["loss"] == 0.0
    balance = dice["loss"] * dice["moves"]
    assert balance == (0.0 if outcome["ranking"] == [1, 1] else 1.0), "the game is a draw at the start"


def test_unsolved_games_are_judged_by_an_estimate_with_its_error():
    game = quatuor.new("blokus", "duo")
    verdict = judge_move(game, 0, game.legal()[0], 30)
    assert not verdict["exact"]
    assert verdict["error"] > 0
    assert -verdict["error"] <= verdict["loss"] <= 2


def test_secret_orders_are_judged_with_the_error_of_one_depth_more_or_less():
    """The search of 3/6 has no chance in it: other seeds would find the same, and no error."""
    game = quatuor.new("trois_six")
    verdicts = [judge_move(game, 1, order, 30) for order in game.legal(1)[::12]]
    assert all(0 <= verdict["loss"] <= 2 and not verdict["exact"] for verdict in verdicts)
    assert all(verdict["error"] > 0 for verdict in verdicts if verdict["loss"] > 0.1)
    assert judge_move(game, 1, verdicts[0]["best"], 30)["loss"] < 0.2, "what it plays most often"
    meetings = Arena(["level=6", "random"], "trois_six", games=2).meetings
    lines = [line for meeting in meetings for line in play(meeting, conduct=Conduct(judge=30))["judged"]]
    assert not any(line["verdict"]["error"] for line in lines if line["verdict"]["exact"])
    strong, dice = summary("level=6", lines), summary("random", lines)
    assert dice["loss"] - dice["error"] > strong["loss"] + strong["error"] > strong["loss"]


def test_a_move_that_wins_at_once_is_judged_exactly():
    """Also by a search without proofs."""
    game = quatuor.new("plus4", "endless", target=1)
    for move in "ababab":
        game.play(move)
    assert judge_move(game, 0, "a", 20) == {"best": "a", "loss": 0.0, "error": 0.0, "exact": True}


def test_random_moves_give_away_more_than_a_level():
    meetings = Arena(["level=6", "random"], "plus4", "endless", games=4).meetings
    lines = [line for meeting in meetings for line in play(meeting, conduct=Conduct(judge=1000))["judged"]]
    strong, dice = summary("level=6", lines), summary("random", lines)
    assert dice["loss"] - dice["error"] > strong["loss"] + strong["error"]


def test_the_command_writes_lines_and_a_summary(tmp_path):
    file = tmp_path / "moves.jsonl"
    program = f'engine,units=5:{sys.executable} -c "from quatuor.cli import main; main()" engine'
    command = ["arena", program, "python:tests.match.test_judge:first", "--games", "2", "--jobs", "1", "--json"]
    done = CliRunner().invoke(app, [*command, "--judge", str(file), "--judge-units", "50"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert {line["player"] for line in lines} == set(found["judged"])
    assert sum(row["moves"] for row in found["judged"].values()) == len(lines)
    assert {"ply", "seat", "move", "seconds", "illegal", "verdict"} <= lines[0].keys()


def judged_lines(*files, units=50):
    """What ``quatuor judge`` prints."""
    done = CliRunner().invoke(app, ["judge", *map(str, files), "--json", "--units", str(units)])
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_record_is_judged_as_the_arena_judges_the_game(tmp_path):
    outcome = play(Arena(["level=8", "random"], "plus4", games=1).meetings[0], conduct=Conduct(keep=True, judge=50))
    file = tmp_path / "game.txt"
    file.write_text(outcome["record"])
    found = judged_lines(file)
    unknown = {"seconds": None, "illegal": None, "file": str(file)}
    assert found == [line | unknown | {"number": 0} for line in outcome["judged"]]
    assert summary("random", found)["illegal"] is None
    noted = [{key: line[key] for key in ("ply", "seat", "move", "seconds", "illegal")} for line in outcome["judged"]]
    kept = tmp_path / "game.tries.jsonl"
    kept.write_text("".join(json.dumps(line) + "\n" for line in noted))
    assert [line["seconds"] for line in judged_lines(file)] == [line["seconds"] for line in outcome["judged"]]
    kept.write_text(json.dumps(noted[0] | {"move": "other"}))
    done = CliRunner().invoke(app, ["judge", str(file)])
    assert "game.tries.jsonl: ply 0" in str(done.exception)


def test_a_void_order_is_judged_as_the_pass_that_it_is():
    """TS-8: a record may contain an impossible order."""
    game = quatuor.new("trois_six")
    assert judge_move(game, 0, "1>F6", 20) == judge_move(game, 0, "-", 20)
