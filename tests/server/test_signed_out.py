"""A session that is signed out receives nothing more, at any process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

import pytest

from bench.processes import Process
from bench.proxy import Proxy, proxied
from tests.server.client import Connection, Guest
from tests.server.test_accounts import SECRET, send, sign_in, sign_up
from tests.server.test_lines import closed
from tests.server.test_processes import elsewhere


@pytest.fixture(scope="module")
def both(postgres, tmp_path_factory) -> Iterator[tuple[Process, Process]]:
    """Two processes over one PostgreSQL."""
    url, secret = postgres.database(), tmp_path_factory.mktemp("server") / "secret"
    with contextlib.ExitStack() as running:
        processes = []
        for _ in range(2):
            processes.append(Process(url, secret))
            running.callback(processes[-1].kill)
        yield processes[0], processes[1]


@pytest.fixture
async def silenced(postgres, tmp_path) -> AsyncIterator[tuple[Process, Process, Proxy]]:
    """Two processes, the second of which reaches PostgreSQL by a network that can go silent."""
    url, secret = postgres.database(), tmp_path / "secret"
    async with proxied(url) as network:
        one = await asyncio.to_thread(Process, url, secret)
        two = await asyncio.to_thread(Process, network.url, secret)
        try:
            yield one, two, network
        finally:
            one.kill()
            two.kill()


async def duel(ada: Guest, bob: Guest) -> str:
    table = await ada.open("trois_six", "me", "open")
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    return table["id"]


def private(line: Connection) -> list[dict]:
    """Data that only a player of the table may read."""
    return [message for message in line.received if message.get("orders") or message.get("legal")]


async def test_signing_out_closes_sockets_at_other_processes(both):
    one, two = both
    ada, bob = Guest(one.address), Guest(two.address)
    await sign_up(ada, "Ada")
    table = await duel(ada, bob)
    phone = Guest(two.address)
    await sign_in(phone, "Ada")
    there, stays = await elsewhere(ada, two).connect(table), await phone.connect(table)
    await send(ada, "DELETE", "/account/session")
    assert await closed(there) == 1012, "signed out at the other process"
    assert (await stays.move(stays.table["legal"]["0"][0], seat=0))["t"] == "ack", "the other device is still signed in"
    assert (await elsewhere(ada, two).get(f"/tables/{table}"))["you"] == []
    await sign_in(ada, "Ada")
    await send(ada, "DELETE", "/account/session?everywhere=true")
    assert await closed(stays) == 1012
    assert (await phone.get("/me"))["account"] is None, "without waiting for a check"


async def test_another_password_closes_the_sockets_of_other_sessions_everywhere(both):
    one, two = both
    ada, phone = Guest(one.address), Guest(two.address)
    await sign_up(ada, "Eva")
    table = (await ada.open("plus4", "me", "me"))["id"]
    await sign_in(phone, "Eva")
    there, mine = await phone.connect(table), await elsewhere(ada, two).connect(table)
    await send(ada, "PUT", "/account/password", {"old": SECRET, "new": "something else"})
    assert await closed(there) == 1012
    assert (await mine.move("a", seat=0))["t"] == "ack"


async def test_deleting_an_account_closes_its_own_and_its_bots_sockets_everywhere(both):
    one, two = both
    ada, bob = Guest(one.address), Guest(two.address)
    await sign_up(ada, "Uma")
    token = (await ada.post("/bots", {"name": "Robot"}))["token"]
    bots = [Guest(process.address) for process in (one, two)]
    for bot in bots:
        bot.http.headers["Authorization"] = f"Bearer {token}"
    table = await duel(bots[0], bob)
    lines = [await bot.connect(table, Authorization=f"Bearer {token}") for bot in bots]
    assert lines[1].table["you"] == [0]
    mine = await elsewhere(ada, two).connect(table)
    await send(ada, "DELETE", "/account", {"password": SECRET})
    assert await closed(mine) == 1012
    for line in lines:
        assert await closed(line) == 1008


async def test_while_processes_cannot_reach_each_other_nothing_private_is_sent_unchecked(silenced):
    one, two, network = silenced
    ada, bob = Guest(one.address), Guest(two.address)
    await sign_up(ada, "Ada")
    table = await duel(ada, bob)
    stolen, b = await elsewhere(ada, two).connect(table), await bob.connect(table)
    a = await ada.connect(table)
    for line in (stolen, b, a):
        await line.caught_up()
    network.silence(b"LISTEN")
    await send(ada, "DELETE", "/account/session?everywhere=true")
    await asyncio.sleep(2.5)  # longer than a connection between processes may be silent
    stolen.received.clear()
    assert (await b.move(b.table["legal"]["1"][0], seat=1))["t"] == "ack"
    assert await closed(stolen) == 1012
    assert private(stolen) == []
