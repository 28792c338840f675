"""One clock for several hosts."""

import asyncio

import pytest

from bench.processes import Process
from quatuor.server import clock
from tests.server.client import Guest


@pytest.fixture
def clocks():
    """A clock whose own time the test sets."""
    local = [1000.0]
    return clock.Clock(monotonic=lambda: local[0], wall=lambda: 5000.0), local


def test_the_local_clock_counts_until_another_is_measured(clocks):
    own, local = clocks
    assert own.now() == 5_000_000
    local[0] += 2.5
    assert own.now() == 5_002_500
    own.measured(4_962_500.0, 1002.49, 1002.51)
    assert own.now() == 4_962_500, "40 seconds behind, and not measured yet"
    local[0] += 1
    assert own.now() == 4_963_500


def test_a_slow_answer_does_not_replace_a_quick_one(clocks):
    own, local = clocks
    own.measured(4_000_000.0, 999.999, 1000.001)
    own.measured(4_000_400.0, 999.0, 1001.0)  # anything within a second of it fits
    assert own.now() == 4_000_000
    local[0] = 7000.0
    own.measured(10_000_040.0, 6999.9, 7000.1)  # 6000 seconds later, clocks may have drifted apart by more than this
    assert own.now() == 10_000_040


def test_the_clock_never_goes_back(clocks):
    own, local = clocks
    own.measured(4_000_000.0, 999.999, 1000.001)
    assert own.now() == 4_000_000
    own.measured(3_999_000.0, 999.999, 1000.001)  # another database host
    assert own.now() == 4_000_000
    local[0] += 0.5
    assert own.now() == 4_000_000
    local[0] += 1.5
    assert own.now() == 4_001_000
    own.measured(4_061_000.0, 1001.999, 1002.001)
    assert own.now() == 4_061_000


async def test_hosts_whose_clocks_differ_by_forty_seconds_cost_no_player_time(postgres, tmp_path):
    url, secret = postgres.database(), tmp_path / "secret"
    skews = ("-20", "20")
    hosts = [await asyncio.to_thread(Process, url, secret, QUATUOR_TEST_CLOCK_SKEW=skew) for skew in skews]
    try:
        ada, bob = (Guest(host.address) for host in hosts)
        body = {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "open"}], "pace": {"total": 30}}
        table = await ada.post("/tables", body)
        await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
        a, b = await ada.connect(table["id"]), await bob.connect(table["id"])
        await a.caught_up(1)
        pongs = []
        for line in (a, b):
            await line.send({"t": "ping"})
            pongs.append((await line.event("pong"))["now"])
        assert abs(pongs[1] - pongs[0]) < 20_000, "far less than their clocks differ"
        for line, other, move in ((a, b, "a"), (b, a, "b"), (a, b, "c"), (b, a, "d")):
            answer = await line.move(move)
            assert answer["t"] == "ack", answer
            await other.caught_up(answer["version"])
        assert a.table["ended_by"] is None
        assert min(seat["left"] for seat in a.table["seats"]) > 10_000
    finally:
        for host in hosts:
            host.kill()
