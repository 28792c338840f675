"""Worker processes: they answer, stop, are replaced, and end with their server."""

import asyncio
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import quatuor
from bench.processes import Process
from quatuor.engine.player import Engine
from quatuor.server import searches
from quatuor.server.engine_queue import Asker, Bounds, Priority
from quatuor.server.metrics import Metrics
from quatuor.server.settings import Settings
from quatuor.server.visitors import Visitor
from quatuor.server.workers import Size, WorkerError, Workers, cores
from tests.server.client import PATIENCE, Guest

ADA, EVE = Asker(Visitor("home", "ada"), "t"), Asker(Visitor("elsewhere", "eve"), "t")
LONG = partial(time.sleep, 4 * PATIENCE)


@pytest.fixture
def quick_processes() -> None:
    """None here: a forked worker begins with more memory than one that starts anew."""


@pytest.fixture
async def workers():
    """One general worker and the quick one."""
    found = Workers(Size(1), Metrics(), Bounds(person=4, network=6, total=10))
    yield found
    found.close()


def ask(workers, call, asker=ADA, priority=Priority.MOVE, short=True):
    return asyncio.ensure_future(workers.run(asker, priority, call, short))


async def until(happened) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():
            await asyncio.sleep(0.01)


def running(workers):
    return [worker for worker in workers.all if worker.job]


def count(workers, name):
    text = workers._metrics.text()[0].decode()
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name))


@pytest.mark.parametrize(("name", "level"), [("plus4", 1), ("plus4", 4), ("trois_six", 3), ("blokus", 2)])
async def test_a_worker_plays_what_the_engine_plays_with_the_same_seed(workers, name, level):
    game = quatuor.new(name)
    seat = game.to_move[0]
    for seed in range(3):
        move, _ = await ask(workers, partial(searches.choose, game, seat, level, seed))
        assert move == Engine(level, seed=seed, threads=1).choose(game, seat)


async def test_nothing_starts_before_there_is_work(workers):
    assert workers.all == []
    assert await ask(workers, partial(os.getpid)) == (workers.all[0].pid, workers.all[0].number)
    assert len(workers.all) == 1


async def test_invalid_calls_are_distinguished_from_failures(workers):
    with pytest.raises(ValueError, match="invalid literal"):
        await ask(workers, partial(int, "x"))
    with pytest.raises(WorkerError):
        await ask(workers, partial(divmod, 1, 0))
    assert (await ask(workers, partial(divmod, 7, 2)))[0] == (3, 1)


async def test_output_of_a_search_does_not_mix_with_the_answers(workers):
    assert (await ask(workers, partial(print, "hello", flush=True)))[0] is None
    assert (await ask(workers, partial(os.write, 1, b"hello")))[0] == 5


async def test_a_worker_that_dies_is_replaced_and_its_job_done_once_more(workers, tmp_path):
    seen = tmp_path / "seen"
    once = f"import os; a = open({str(seen)!r}, 'a'); a.write('x'); a.close(); os.path.getsize({str(seen)!r}) > 1 or "
    assert (await ask(workers, partial(exec, once + "os.kill(os.getpid(), 9)")))[0] is None
    assert seen.read_text() == "xx"
    assert count(workers, "quatuor_worker_restarts_total") == 1


async def test_a_job_that_kills_two_workers_fails(workers):
    with pytest.raises(WorkerError):
        await ask(workers, partial(os._exit, 3))
    assert (await ask(workers, partial(abs, -1)))[0] == 1


async def test_a_worker_that_dies_with_nothing_to_do_costs_no_job(workers):
    await ask(workers, partial(abs, -1))
    (worker,) = workers.all
    os.kill(worker.pid, signal.SIGKILL)
    await until(lambda: not workers.all)
    assert (await ask(workers, partial(os.getpid)))[0] != worker.pid


async def test_a_cancelled_job_is_dropped_or_stopped(workers):
    first, second = ask(workers, LONG, short=False), ask(workers, LONG, short=False)
    await until(lambda: running(workers) and len(workers.queue) == 1)
    (worker,) = workers.all
    second.cancel()
    await until(lambda: not workers.queue)
    first.cancel()
    await until(lambda: not running(workers))
    assert (await ask(workers, partial(os.getpid)))[0] == worker.pid, "stopped, not killed"


async def test_ctrl_c_is_left_to_the_server(workers):
    pid, _ = await ask(workers, partial(os.getpid))
    waiting = ask(workers, partial(time.sleep, 0.5))
    await until(lambda: running(workers))
    os.kill(pid, signal.SIGINT)
    await waiting
    assert (await ask(workers, partial(os.getpid)))[0] == pid


async def test_short_work_does_not_wait_behind_long_work(workers):
    long = [ask(workers, LONG, short=False) for _ in range(3)]
    assert (await ask(workers, partial(abs, -1)))[0] == 1
    assert not any(task.done() for task in long)
    for task in long:
        task.cancel()


async def test_a_flood_is_refused_while_another_visitor_is_served(workers):
    flood = [ask(workers, LONG, short=False) for _ in range(4)]
    await until(lambda: len(workers.queue) == 3)
    assert count(workers, 'quatuor_engine_queue{priority="move"}') == 3
    assert count(workers, 'quatuor_engine_queue_seconds{priority="move"}') > 0
    assert count(workers, "quatuor_workers_busy") == 1
    flood += [ask(workers, LONG, short=False) for _ in range(3)]
    await until(lambda: any(task.done() for task in flood))
    refused = [task.exception() for task in flood if task.done()]
    assert {error.code for error in refused} == {"rate_limited"}
    assert count(workers, 'quatuor_engine_refusals_total{code="rate_limited",priority="move"}') == len(refused)
    assert (await ask(workers, partial(abs, -1), EVE))[0] == 1
    stranger = ask(workers, partial(abs, -2), EVE, short=False)
    for task in flood[:2]:  # the network of the flood has at most one more turn before the other visitor
        general = next(worker for worker in workers.all if not worker.quick)
        job = general.job
        task.cancel()
        await until(lambda: general.job is not job)  # noqa: B023
    assert (await stranger)[0] == 2
    assert len(workers.queue) >= 1, "searches of the flood"
    for task in flood:
        task.cancel()


async def test_a_visitor_who_has_used_up_the_engine_seconds_is_served_after_the_others(workers):
    workers.budget.charge(ADA.visitor, 10_000)
    order = []
    blocker = ask(workers, LONG, EVE, short=False)
    await until(lambda: running(workers))
    waiting = [ask(workers, partial(abs, -1), ADA), ask(workers, partial(abs, -2), EVE, Priority.ANALYSIS)]
    for task in waiting:
        task.add_done_callback(lambda task: order.append(task.result()[0]))
    await until(lambda: len(workers.queue) == 2)
    blocker.cancel()
    await asyncio.gather(*waiting)
    assert order == [2, 1]


async def test_work_is_charged_to_the_person_who_asked(workers):
    before = workers.budget.left(ADA.visitor)
    await ask(workers, partial(exec, "import time\nwhile time.process_time() < 1.5: pass"))
    assert workers.budget.left(ADA.visitor) < before
    assert workers.budget.left(EVE.visitor) > before - 1e-6


async def test_a_worker_that_holds_much_memory_is_replaced():
    workers = Workers(Size(1, memory=10), Metrics())
    try:
        pid, _ = await ask(workers, partial(os.getpid))
        assert (await ask(workers, partial(os.getpid)))[0] != pid
        assert count(workers, 'quatuor_worker_restarts_total{cause="memory"}') >= 1
    finally:
        workers.close()


def test_the_number_of_workers_can_be_set_by_its_former_name(start_server):
    for settings in ({"engine_workers": 3}, {"engine_threads": 3}):
        assert start_server(**settings).services.engines.workers.size.general == 3
    assert start_server().services.engines.workers.size.general == cores()


@pytest.mark.parametrize("name", ["engine_workers", "engine_threads", "engine_memory", "analyses"])
def test_invalid_settings_are_refused(name):
    with pytest.raises(ValueError, match=f"{name}=0: choose a whole number from"):
        Settings(**{name: 0})


@pytest.mark.skipif(sys.platform != "linux", reason="needs a memory limit of the operating system")
async def test_a_worker_cannot_take_all_memory():
    workers = Workers(Size(1, memory=256), Metrics())
    try:
        with pytest.raises(WorkerError):
            await ask(workers, partial(bytearray, 2 << 30))
        assert (await ask(workers, partial(abs, -1)))[0] == 1
    finally:
        workers.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_workers_end_with_a_server_that_is_killed(tmp_path):
    server = Process(str(tmp_path / "games.sqlite"), tmp_path / "secret")
    ada = Guest(server.address)
    await ada.connect((await ada.open("blokus", "me", 8, variant="duo"))["id"])
    await ada.post("/puzzles/check", {"position": {"puzzle": "tetro20", "pieces": []}})
    children = [int(child) for child in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()]
    assert children
    server.kill()
    await until(lambda: not any(Path(f"/proc/{child}/cmdline").exists() for child in children))
