"""``quatuor serve --processes N``: dead processes are replaced, and no acknowledged move is lost."""

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from bench import crash
from bench.client import HttpClient
from bench.processes import QUATUOR, Process
from quatuor.server.settings import Settings
from quatuor.server.supervisor import pack, share, unpack
from tests.server.client import Guest
from tests.server.test_operation import numbers

TABLES = 4


def free_ports(count: int) -> int:
    """The first of ``count`` ports that are free."""
    while True:
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            first = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
            for more in range(1, count):
                stack.enter_context(socket.create_server(("127.0.0.1", first + more)))
            return first


def children(pid: int) -> set[int]:
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


async def replaced(supervisor: int, gone: set[int]) -> set[int]:
    """Wait for two processes, none of them an old one."""
    while len(now := children(supervisor)) != 2 or now & gone:
        await asyncio.sleep(0.1)
    return now


async def more_moves(report: crash.Report, count: int) -> None:
    wanted = len(report.acknowledged) + count
    while len(report.acknowledged) < wanted:
        await asyncio.sleep(0.02)


async def test_no_acknowledged_move_is_lost_when_a_process_is_killed_and_all_are_replaced(postgres, tmp_path):
    url = postgres.database()
    server = await asyncio.to_thread(Process, url, tmp_path / "secret", "--processes", "2")
    report, stop = crash.Report(), asyncio.Event()
    client = HttpClient(server.address)
    playing = [asyncio.ensure_future(crash.sit_down(client, number, report, stop)) for number in range(TABLES)]
    try:
        async with asyncio.timeout(120):
            await more_moves(report, 10)
            first = await replaced(server.pid, set())
            killed = random.Random(1).choice(sorted(first))
            os.kill(killed, signal.SIGKILL)
            await more_moves(report, 10)
            second = await replaced(server.pid, {killed})
            os.kill(server.pid, signal.SIGHUP)
            third = await replaced(server.pid, second)
            await more_moves(report, 10)
            stop.set()
            await asyncio.gather(*playing)
        assert third == children(server.pid)
        await asyncio.to_thread(crash.check, url, report)
        assert report.wrong == []
        assert report.reconnects > 0
        deaths = [server.log.count(f"a server process {what}") for what in ("ended", "did not start")]
        assert sum(deaths) == 1, "it may have been killed before it was ready"
    finally:
        for task in playing:
            task.cancel()
        await client.close()
        status = await asyncio.to_thread(server.stop)
    assert status == 0


async def test_each_process_has_a_port_of_its_own_and_stops_when_the_supervisor_is_killed(postgres, tmp_path):
    first = free_ports(2)
    options = ("--processes", "2", "--process-ports", str(first))
    server = await asyncio.to_thread(Process, postgres.database(), tmp_path / "secret", *options)
    try:
        ada, bob = (Guest(f"127.0.0.1:{first + number}") for number in range(2))
        table = await ada.open("plus4", "me", "open")
        await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
        lines = [await guest.connect(table["id"]) for guest in (ada, bob)]
        assert (await lines[0].move("a"))["t"] == "ack"
        await lines[1].event("move")
        assert [(await numbers(guest))["quatuor_listeners"] for guest in (ada, bob)] == [1, 1]
        pids = await replaced(server.pid, set())
    finally:
        server.kill()
    assert [(await line.event("bye"))["code"] for line in lines] == ["shutdown"] * 2
    async with asyncio.timeout(60):
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            await asyncio.sleep(0.1)


def test_sqlite_says_why_it_takes_one_process(tmp_path):
    command = [*QUATUOR, "serve", "--store", str(tmp_path / "games.sqlite"), "--processes", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "one writer" in done.stderr


@pytest.mark.parametrize(("workers", "expected"), [(4, [2, 2]), (3, [2, 1]), (1, [1, 1])])
def test_engine_workers_are_divided(workers, expected):
    settings = Settings(engine_workers=workers)
    assert [share(settings, number, 2).engine_workers for number in range(2)] == expected


def test_settings_reach_a_process_of_another_release(tmp_path):
    settings = Settings(store="postgresql://x", secret=tmp_path / "secret", budgets={"sockets": 7.0})
    with (tmp_path / "settings").open("w+b") as stream:
        stream.write(pack(settings))
        stream.seek(0)
        assert unpack(stream) == settings
