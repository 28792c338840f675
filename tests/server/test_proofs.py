"""Short runs of bench.crash, bench.faults, bench.hostile, bench.load and bench.soak."""

import subprocess
from pathlib import Path

import pytest

from bench import crash, faults, hostile, load, soak

ROOT = Path(__file__).parents[2]
ELSEWHERE = ("kill", "disk_full", "migration")  # in the first test below, test_full_store.py and test_migrations.py


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 2), ("postgresql", 1)])
def test_killed_under_load_nothing_acknowledged_is_lost(kind, kills):
    report = crash.run(kind, kills, tables=5)
    assert report.wrong == []
    assert report.kills == kills
    assert report.games >= 5
    assert report.reconnects > 0
    assert len(report.acknowledged) > 50


@pytest.fixture
def short_games(monkeypatch):
    monkeypatch.setattr(crash, "LONG", 8)
    monkeypatch.setattr(crash, "MOVES", (5, 10))


def possible(fault: str, folder: Path) -> bool:
    """Whether a failure can be caused here: root makes files immutable, the repository has the release before."""
    if fault == "read_only_file":
        (folder / "file").touch()
        commands = [["chattr", attribute, str(folder / "file")] for attribute in ("+i", "-i")]
    else:
        commands = [["git", "-C", str(ROOT), "rev-parse", "HEAD~100"]] if fault == "releases" else []
    return not any(subprocess.run(command, capture_output=True).returncode for command in commands)


@pytest.mark.parametrize("fault", [name for name in faults.FAULTS if name not in ELSEWHERE])
async def test_no_failure_loses_a_move_or_shows_a_secret(fault, postgres, tmp_path, short_games, monkeypatch):
    if not possible(fault, tmp_path):
        pytest.skip("this machine cannot cause it")
    monkeypatch.setattr(faults, "FAILURE", (1.0, 2.0))
    (outcome,) = await faults.run(faults.Plan(1, 1, 2, tmp_path, postgres), [fault])
    assert outcome.wrong == []
    assert not outcome.failed
    assert outcome.times == 1
    assert outcome.sign_outs >= 1
    if fault != "sign_out":
        assert outcome.moves > 5
        assert outcome.claims > 2
        assert (outcome.lost, outcome.given_away, outcome.private) == (0, 0, 0)


def test_hostile_inputs_of_all_kinds_crash_nothing():
    outcome = hostile.run(inputs=1000, seed=7)
    assert outcome.wrong == []
    assert not outcome.failed
    assert sum(row["inputs"] for row in outcome.rows) >= 900, "a few frames may not be sent: the server closes sockets"
    assert outcome.found["frames"]["unanswered"] < outcome.found["frames"]["refused"]
    for numbers in outcome.found.values():
        assert numbers["refused"] > 10
        assert numbers["accepted"] > 0


async def test_a_server_that_is_used_for_a_while_logs_no_error(short_games):
    for found in await soak.both(seconds=5, tables=2):
        assert [line for line in found.wrong if "memory" not in line] == [], "memory grows in the first minutes"
        assert found.report.games > 2
        assert found.requests > 2
        assert len(found.samples) == soak.SAMPLES


def test_many_tables_at_once_and_a_bare_server_beside_them():
    for result in (load.run("sqlite", load.Plan(10, 0.5, 3.0)), load.echo(load.Plan(10, 0.5, 3.0))):
        assert (result.tables, result.lines, result.moves) == (10, 30, 60), (
            "every table plays its 6 moves, none is lost"
        )
