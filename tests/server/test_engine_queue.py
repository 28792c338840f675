"""The queue of engine work: which job is next, and which is refused."""

import asyncio

import pytest

from quatuor.server.engine_queue import STARVED_AFTER, Asker, Bounds, EngineQueue, Job, Priority
from quatuor.server.visitors import Visitor
from quatuor.table import Refused


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def job(path: str, priority: Priority = Priority.MOVE, short: bool = True) -> Job:
    """A job of a network, person and table, such as n/p/t."""
    network, person, table = path.split("/")
    return Job(Asker(Visitor(network, person), table), priority, b"", path, asyncio.Future(), short)


def order(queue: EngineQueue, suits=lambda _: True) -> list[str]:
    found = []
    while next_job := queue.pop(suits):
        found.append(next_job.name)
    return found


async def test_networks_then_people_then_tables_take_turns():
    queue = EngineQueue()
    for path in ("a/1/x", "a/1/x", "a/1/y", "a/2/x", "b/3/x", "b/3/x"):
        queue.push(job(path))
    assert order(queue) == ["a/1/x", "b/3/x", "a/2/x", "b/3/x", "a/1/y", "a/1/x"]


async def test_many_cookies_of_one_network_share_its_turns():
    queue = EngineQueue()
    for n in range(20):
        queue.push(job(f"crowd/{n}/x"))
    queue.push(job("stranger/s/x"))
    assert order(queue).index("stranger/s/x") == 1


async def test_moves_go_before_hints_puzzles_and_analysis():
    queue = EngineQueue(clock=Clock())
    for priority in reversed(Priority):
        queue.push(job(f"n/p/{priority.name}", priority))
    assert order(queue) == [f"n/p/{priority.name}" for priority in Priority]


async def test_no_priority_is_starved_by_a_flood_of_higher_ones():
    clock = Clock()
    queue = EngineQueue(clock=clock)
    queue.push(job("stranger/s/puzzle", Priority.PUZZLE))
    served = []
    for n in range(10):
        queue.push(job(f"flood/p/{n}"))
        queue.push(job(f"flood/p/{n}"))
        served.append(queue.pop().name)
        clock.now += STARVED_AFTER / 4
    assert 3 <= served.index("stranger/s/puzzle") <= 5


async def test_a_worker_for_short_work_passes_over_the_rest():
    queue = EngineQueue()
    queue.push(job("a/1/long", short=False))
    queue.push(job("b/2/short"))
    assert order(queue, lambda waiting: waiting.short) == ["b/2/short"]
    assert order(queue) == ["a/1/long"]


async def test_a_job_that_is_taken_out_leaves_no_trace():
    queue = EngineQueue(Bounds(person=1, network=1, total=1))
    for _ in range(3):
        waiting = job("a/1/x")
        queue.push(waiting)
        assert waiting in queue
        queue.remove(waiting)
    assert (len(queue), queue.pop()) == (0, None)


@pytest.mark.parametrize("more", ["a/1/z", "a/2/z"])
async def test_a_person_and_a_network_have_a_limit_of_waiting_jobs(more):
    queue = EngineQueue(Bounds(person=2, network=3, total=100))
    for path in ("a/1/x", "a/1/y") if more == "a/1/z" else ("a/1/x", "a/1/y", "a/2/x"):
        queue.push(job(path))
    with pytest.raises(Refused) as refused:
        queue.push(job(more))
    assert refused.value.code == "rate_limited"
    assert refused.value.detail["retry_after"] > 0
    queue.push(job("b/3/x"))


async def test_a_full_queue_drops_a_job_of_the_network_with_the_most():
    queue = EngineQueue(Bounds(person=9, network=9, total=4))
    for path in ("a/1/old", "a/1/new", "a/2/newest"):
        queue.push(job(path))
    queue.push(job("b/1/x"))
    displaced = queue.push(job("c/1/x"))
    assert displaced.name == "a/2/newest"
    with pytest.raises(Refused) as refused:
        queue.push(job("a/3/x"))
    assert refused.value.code == "busy"
    assert len(queue) == 4


async def test_length_and_age_are_known_by_priority():
    queue = EngineQueue()
    queue.push(job("a/1/x", Priority.PUZZLE))
    assert [queue.length(priority) for priority in Priority] == [0, 0, 1, 0, 0]
    assert queue.age(Priority.PUZZLE) > 0
    assert queue.age(Priority.MOVE) == 0
