"""Every command that reports something does so as JSON, too, and nothing else is on the standard output."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from quatuor.cli import app
from quatuor.server.settings import Settings
from tests.server.client import ServerThread

SPEAKING = {"gtp", "engine", "mcp", "serve"}  # they speak a protocol, or to browsers, and report nothing
BUILDING = {"precompile", "warmup"}  # tests/test_cli.py has them: they take long
RECORD = '[Game "plus4"]\n[Seat0 "Ada"]\n[Seat1 "Bo"]\n\n1. a\n2. b\n3. a\n4. b\n5. a\n6. b\n7. a\n'

# what to run, in this order, in one folder
COMMANDS = [
    "games plus4",
    "check plus4 --games 1",
    "play plus4 --seat random --seat random",
    "show game.txt",
    "analyse game.txt --level 1",
    "judge game.txt --units 5",
    "arena random greedy --games 2 --jobs 1",
    "perft plus4 2",
    "solve plus4",
    "ratings game.txt",
    "puzzle solve tetro10",
    "puzzle new tetro10 --seed 1",
    "puzzle daily --difficulty easy",
    "puzzle check tetro.json",
    "puzzle hint tetro.json",
    "tournament create cup.jsonl plus4 Ada Bo Cy --format round_robin",
    "tournament enter cup.jsonl Di",
    "tournament withdraw cup.jsonl Di",
    "tournament pair cup.jsonl",
    "tournament report cup.jsonl 1 --places 1,2",
    "tournament correct cup.jsonl 1 1 --places 2,1 --note misread",
    "tournament standings cup.jsonl",
    "tournament export cup.jsonl games",
    "tournament close cup.jsonl",
    "export all.jsonl --store games.sqlite",
    "import all.jsonl --store other.sqlite",
    "backup backups --store games.sqlite",
    "doctor --store games.sqlite",
    "prune --days 90 --store games.sqlite",
    "reports --store games.sqlite",
    "admin reports --store games.sqlite",
    "admin person guest --store games.sqlite",
    "admin log --store games.sqlite",
    "admin ratings --store games.sqlite",
    "admin grant Ada --store games.sqlite",
    "admin revoke Ada --store games.sqlite",
    "admin decide warn --guest guest --reason rude --store games.sqlite",
    "admin lift 1 --store games.sqlite",
]


def commands(command: Any = None, words: str = "") -> Iterator[tuple[str, Any]]:
    """All commands, each as its words."""
    command = command or get_command(app)
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{words} {name}".strip())
    if not hasattr(command, "commands"):
        yield words, command


def test_every_command_takes_json_and_is_run_here() -> None:
    silent = {words for words, command in commands() if not any("--json" in each.opts for each in command.params)}
    assert silent == SPEAKING
    run = {words for words, _ in commands() if any(line == words or line.startswith(f"{words} ") for line in COMMANDS)}
    assert {words for words, _ in commands()} - run == SPEAKING | BUILDING


def test_the_guide_lists_every_command() -> None:
    guide = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    names = {words.split()[0] for words, _ in commands()}
    assert {name for name in names if f"`quatuor {name}" not in guide} == set()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A record, a puzzle, and a store with an account."""
    (tmp_path / "game.txt").write_text(RECORD)
    found = CliRunner().invoke(app, ["puzzle", "new", "tetro10", "--seed", "1", "--json"])
    (tmp_path / "tetro.json").write_text(found.stdout)
    server = ServerThread(Settings(store=str(tmp_path / "games.sqlite"), secret=tmp_path / "secret"))
    account = {"name": "Ada", "password": "correct horse"}
    httpx.post(f"http://{server.address}/api/account", json=account).raise_for_status()
    server.close()
    return tmp_path


def test_all_that_is_printed_is_json(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    wrong = {line: why for line in COMMANDS if (why := problem(line))}
    assert wrong == {}


def problem(line: str) -> str | None:
    """What is wrong with the JSON that a command prints."""
    done = CliRunner().invoke(app, [*shlex.split(line), "--json"])
    if done.exit_code:
        return f"{done.exception} {done.stderr}"
    try:
        for part in done.stdout.splitlines() if line.startswith("judge") else [done.stdout]:
            json.loads(part)
    except ValueError:
        return f"no JSON: {done.stdout}"
    return None if done.stdout else "nothing"
