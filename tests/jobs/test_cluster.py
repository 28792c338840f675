"""Work on a Ray cluster of two workers, one of which is killed: the same results as on one machine."""

import functools
import json
import os
import signal
import sys
from socket import gethostname

import numpy as np
import pytest
from ray.cluster_utils import Cluster as Machines

from quatuor.cli import main
from quatuor.engine import solve_race
from quatuor.game import new
from quatuor.jobs import workers
from quatuor.jobs.cluster import _piece
from quatuor.match import arena as arenas
from quatuor.match.arena import Arena
from tests.jobs import toy
from tests.jobs.pieces import mortal, refuse, square, times_done
from tests.jobs.test_processes import SAME

HOST = "127.0.0.1"
NOTICED = {"health_check_period_ms": 500, "health_check_failure_threshold": 3}  # a death, after a second or two
SHARE = {"worker_niceness": 0}  # else tests that run at the same time leave hardly any time to the workers


@pytest.fixture(scope="module")
def machines():
    """A head that does no work, and two workers with a core each, all on this machine."""
    head = {"num_cpus": 0, "node_ip_address": HOST, "_system_config": NOTICED | SHARE}
    cluster = Machines(initialize_head=True, head_node_args=head)
    for _ in range(2):
        cluster.add_node(num_cpus=1, node_ip_address=HOST)
    yield cluster
    cluster.shutdown()


@pytest.fixture
def pool(machines):
    with workers(ray=machines.address) as pool:
        yield pool


def test_every_piece_comes_back_once_and_is_done_again_if_its_worker_dies(pool, tmp_path):
    pieces = {str(n): (n, str(tmp_path), 2 if n == 3 else 0) for n in range(12)}
    assert sorted(pool.map(mortal, pieces)) == sorted((str(n), n * n) for n in range(12))
    assert pool.redone == 2
    assert [times_done(tmp_path, n) for n in range(12)] == [1] * 12


def test_an_error_in_a_piece_is_raised_to_the_caller(pool):
    with pytest.raises(ValueError, match=r"^7 is refused$"):
        list(pool.map(refuse, {"seven": (7,)}))


def test_pieces_left_unread_are_cancelled(pool):
    for _ in pool.map(square, {str(n): (n,) for n in range(100)}):
        break
    assert dict(pool.map(square, {"eleven": (11,)})) == {"eleven": 121}


def test_tables_are_identical_byte_by_byte(pool):
    race, need = toy.Race(), 5
    found = []
    for solve in (solve_race._here, functools.partial(solve_race._on_cluster, cluster=pool)):
        known = np.zeros((race.layers(need), race.size), np.uint8)
        for unit, solved in solve(race, race.units(need), known, threads=1):
            known[list(unit)] = solved
        found.append(known)
    assert found[0].any(axis=1).all()
    assert (found[0] == found[1]).all()


def test_many_games_are_analysed_as_on_this_machine(machines, tmp_path, monkeypatch, capsys):
    for seed, moves in enumerate(("abababa", "abcdabcd", "aabbccdd")):
        game = new("plus4", "endless")
        for move in moves:
            game.play(move)
        (tmp_path / f"{seed}.txt").write_text(game.record(("Ann", "Ben")))
    (tmp_path / "broken.txt").write_text("no record")
    found = []
    for where in (["--jobs", "2"], ["--ray", machines.address]):
        words = ["analyse", str(tmp_path), "--level", "2", "--seed", "5", "--skip-broken", "--json", *where]
        monkeypatch.setattr(sys, "argv", ["quatuor", *words])
        with pytest.raises(SystemExit):
            main()
        out, err = capsys.readouterr()
        assert f"left out {tmp_path}/broken.txt: line 1" in err
        found.append(json.loads(out))
    assert found[0] == found[1]
    assert [len(game["turns"]) for game in found[0]["games"]] == [7, 8, 8]


def test_a_machine_with_other_sources_is_refused():
    with pytest.raises(ValueError, match=f"{gethostname()} has another Quatuor"):
        _piece("of yesterday", square, 2)


def test_the_work_of_a_killed_machine_is_repeated(machines, pool, tmp_path):
    pieces = {str(n): (n, str(tmp_path), int(n == 3), "machine") for n in range(12)}
    assert sorted(pool.map(mortal, pieces)) == sorted((str(n), n * n) for n in range(12))
    assert pool.redone >= 1
    (victim,) = [node for node in machines.worker_nodes if not node.live_processes()]
    machines.remove_node(victim)
    machines.add_node(num_cpus=1, node_ip_address=HOST)


def test_games_of_a_killed_machine_are_played_again(machines, pool):
    arena = Arena(["level=1", "level=3"], "plus4", "endless", games=24, target=3)
    here = {arenas.name(outcome): outcome for outcome in arenas.run(arena.meetings, workers(jobs=2), keep=True)}
    found, victim = [], next(iter(machines.worker_nodes))
    for outcome in arenas.run(arena.meetings, pool, keep=True):
        found.append(outcome)
        if len(found) == 3:
            os.kill(victim.all_processes["raylet"][0].process.pid, signal.SIGKILL)
    assert sorted(map(arenas.name, found)) == sorted(here)  # every game, each once
    for outcome in found:
        assert [outcome[key] for key in SAME] == [here[arenas.name(outcome)][key] for key in SAME]
    machines.remove_node(victim)
    machines.add_node(num_cpus=1, node_ip_address=HOST)
