"""Work on processes of this machine: everything once, whoever dies."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quatuor.match import arena as arenas
from quatuor.match.arena import Arena
from quatuor.match.bout import play
from quatuor.work import LIVES, lines, workers
from tests.work.pieces import mortal, refuse, square, times_done

SAME = ("scores", "ranking", "turns", "end", "record")  # of two runs with the same seeds; seconds differ


def test_every_piece_comes_back_once():
    with workers(jobs=2) as crew:
        found = list(crew.map(square, {str(n): (n,) for n in range(20)}))
    assert sorted(found) == sorted((str(n), n * n) for n in range(20))
    assert crew.redone == 0


def test_what_a_killed_worker_did_is_done_again_and_only_that(tmp_path):
    pieces = {str(n): (n, str(tmp_path), 2 if n == 3 else 0) for n in range(12)}
    with workers(jobs=2) as crew:
        found = list(crew.map(mortal, pieces))
    assert sorted(found) == sorted((str(n), n * n) for n in range(12))
    assert crew.redone == 2
    assert [times_done(tmp_path, n) for n in range(12)] == [1] * 12  # the other worker was not disturbed


def test_workers_end_with_who_began_them_however_it_dies(tmp_path):
    code = "import sys; from quatuor.work import workers; from tests.work.pieces import linger\n"
    code += "if __name__ == '__main__':\n    with workers(1) as crew: list(crew.map(linger, {'it': (sys.argv[1],)}))"
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
    with workers(jobs=1) as crew, pytest.raises(ChildProcessError, match=rf"deadly: .* {LIVES} workers"):
        list(crew.map(mortal, {"deadly": (1, str(tmp_path), 99)}))


def test_a_mistake_in_a_piece_is_the_callers():
    with workers(jobs=2) as crew, pytest.raises(ValueError, match="7 is refused"):
        list(crew.map(refuse, {"seven": (7,)}))


def test_after_its_time_nothing_is_handed_out():
    with workers(jobs=1) as crew:
        assert list(crew.map(square, {"one": (1,)}, until=time.monotonic())) == []


def test_games_of_a_killed_process_are_played_again():
    arena = Arena(["level=1", "level=2"], "plus4", "endless", games=12, target=3)
    crew = workers(jobs=2)
    found = []
    for outcome in arenas.run(arena.meetings, crew, keep=True):
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
    assert list(lines.kept(file)) == []
    lines.append(file, {"who": "Zoë\u2028"})
    with file.open("ab") as stream:
        stream.write('{"who": "Zoë"'.encode()[:-2])  # the power went off within a letter
    lines.append(file, {"who": "Ann"})
    assert list(lines.kept(file)) == [{"who": "Zoë\u2028"}, {"who": "Ann"}]
