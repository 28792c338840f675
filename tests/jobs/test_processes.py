"""Jobs on processes of this machine: every piece is computed once, also if workers die."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quatuor.jobs import MAX_DEATHS, jsonl, workers
from quatuor.match import arena as arenas
from quatuor.match.arena import Arena
from quatuor.match.arena_game import play
from tests.jobs.pieces import mortal, refuse, square, times_done

SAME = ("scores", "ranking", "turns", "end", "record")  # equal in two runs with the same seeds; seconds differ


def test_every_piece_comes_back_once():
    with workers(jobs=2) as pool:
        found = list(pool.map(square, {str(n): (n,) for n in range(20)}))
    assert sorted(found) == sorted((str(n), n * n) for n in range(20))
    assert pool.redone == 0


def test_only_the_work_of_a_killed_worker_is_repeated(tmp_path):
    pieces = {str(n): (n, str(tmp_path), 2 if n == 3 else 0) for n in range(12)}
    with workers(jobs=2) as pool:
        found = list(pool.map(mortal, pieces))
    assert sorted(found) == sorted((str(n), n * n) for n in range(12))
    assert pool.redone == 2
    assert [times_done(tmp_path, n) for n in range(12)] == [1] * 12  # the other worker continued


def test_workers_end_with_their_parent_process(tmp_path):
    code = "import sys; from quatuor.jobs import workers; from tests.jobs.pieces import linger\n"
    code += "if __name__ == '__main__':\n    with workers(1) as pool: list(pool.map(linger, {'it': (sys.argv[1],)}))"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) as began:
        while not (found := list(tmp_path.iterdir())):
            assert began.poll() is None
            time.sleep(0.05)
        began.kill()
    (worker,) = (int(path.name) for path in found)
    until = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


def test_a_piece_that_kills_every_worker_is_named(tmp_path):
    with workers(jobs=1) as pool, pytest.raises(ChildProcessError, match=rf"deadly: .* {MAX_DEATHS} workers"):
        list(pool.map(mortal, {"deadly": (1, str(tmp_path), 99)}))


def test_an_error_in_a_piece_is_raised_to_the_caller():
    with workers(jobs=2) as pool, pytest.raises(ValueError, match="7 is refused"):
        list(pool.map(refuse, {"seven": (7,)}))


def test_after_the_time_limit_no_work_is_started():
    with workers(jobs=1) as pool:
        assert list(pool.map(square, {"one": (1,)}, until=time.monotonic())) == []


def test_games_of_a_killed_process_are_played_again():
    arena = Arena(["level=1", "level=2"], "plus4", "endless", games=12, target=3)
    pool = workers(jobs=2)
    found = []
    for outcome in arenas.run(arena.meetings, pool, keep=True):
        if len(found) == 2:
            _kill_one()
        found.append(outcome)
    names = [arenas.name(outcome) for outcome in found]
    assert sorted(names) == sorted(meeting.name for meeting in arena.meetings)
    alone = {meeting.name: play(meeting, keep=True) for meeting in arena.meetings}
    for outcome in found:
        assert [outcome[key] for key in SAME] == [alone[arenas.name(outcome)][key] for key in SAME]


def _kill_one() -> None:
    import multiprocessing

    os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)


def test_an_unfinished_line_is_passed_over(tmp_path):
    file = tmp_path / "results.jsonl"
    assert list(jsonl.read(file)) == []
    jsonl.append(file, {"who": "Zoë\u2028"})
    with file.open("ab") as stream:
        stream.write('{"who": "Zoë"'.encode()[:-2])  # as after a power failure in the middle of a character
    jsonl.append(file, {"who": "Ann"})
    assert list(jsonl.read(file)) == [{"who": "Zoë\u2028"}, {"who": "Ann"}]
