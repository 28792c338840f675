"""Misbehaving websockets, and servers that stop."""

import asyncio
import json
import socket

import pytest
import websockets

from quatuor.server.budgets import Budgets, Places
from quatuor.server.clients import SendQueue
from quatuor.server.visitors import Visitor
from tests.server.client import Guest


@pytest.fixture
async def line(ada):
    return await ada.connect((await ada.open("plus4", "me", "me"))["id"])


async def closed(line) -> int:
    """The code with which the server closes the socket."""
    try:
        while True:
            await line.receive()
    except websockets.ConnectionClosed:
        return line.socket.close_code


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "7",
        "null",
        '"move"',
        "{}",
        '{"t":"dance","ack":"1"}',
        '{"t":"move"}',
        '{"t":"move","ack":"1","ply":-1,"seat":0,"move":"a"}',
        '{"t":"move","ack":"1","ply":0,"seat":0,"move":7}',
        '{"t":"move","ack":"1","ply":0,"seat":"0","move":"a"}',
        '{"t":"move","ack":"1","ply":1e400,"seat":0,"move":"a"}',
        '{"t":"move","ack":"","ply":0,"seat":0,"move":"a"}',
        json.dumps({"t": "resign", "ack": "x" * 65, "seat": 0}),
        json.dumps({"t": "move", "ack": "1", "ply": 0, "seat": 0, "move": "a" * 300}),
        "[" * 2000,
        '{"t":"ping"} {"t":"ping"}',
        b"\x00\x01",
        b'{"t":"ping"}',
    ],
)
async def test_an_invalid_message_is_answered_and_the_socket_stays_open(line, frame):
    await line.send(frame)
    answer = await line.receive()
    assert (answer["t"], answer["code"]) == ("error", "bad_message")
    await line.send({"t": "ping"})
    assert (await line.receive())["t"] == "pong"
    assert (await line.move("a"))["t"] == "ack"


async def test_a_bad_message_with_an_ack_is_answered_to_that_ack(line):
    assert (await line.ask("move", ply="x", seat=0, move="a"))["code"] == "bad_message"


async def test_messages_are_limited_to_four_kibibytes(line):
    fits = '{"t":"ping","pad":""}'
    await line.send(fits[:-2] + "x" * (4096 - len(fits)) + fits[-2:])
    assert (await line.receive())["t"] == "pong"
    await line.send(fits[:-2] + "x" * (4097 - len(fits)) + fits[-2:])
    answer = await line.receive()
    assert (answer["code"], answer["detail"]) == ("too_large", {"limit": 4096})
    await line.send("é" * 3000)  # bytes count, not letters
    assert (await line.receive())["code"] == "too_large"
    await line.send("x" * 100_000)
    assert await closed(line) == 1009


async def test_many_invalid_messages_close_the_socket(line):
    for _ in range(20):
        await line.send("rubbish")
    assert await closed(line) == 1008
    assert 10 <= len(line.received) <= 15


async def test_too_many_messages_are_limited(start_server):
    guest = Guest(start_server(messages=(5, 0.1)).address)
    line = await guest.connect((await guest.open("plus4", "me", "me"))["id"])
    for _ in range(7):
        await line.send({"t": "ping"})
    answers = [await line.receive() for _ in range(7)]
    assert [answer["t"] for answer in answers] == ["pong"] * 5 + ["error"] * 2
    assert answers[-1]["code"] == "rate_limited"


async def test_an_unknown_table(ada):
    line = await ada.connect("nothing-here")
    assert line.received[0]["code"] == "unknown_table"
    assert await closed(line) == 4404


async def test_pages_of_other_sites_are_turned_away(ada):
    table = (await ada.open("plus4", "me", "me"))["id"]
    for origin in ("https://evil.example", "null", f"http://{ada.address}.evil.example"):
        with pytest.raises(websockets.InvalidStatus) as caught:
            await ada.connect(table, Origin=origin)
        assert caught.value.response.status_code == 403
    assert (await ada.connect(table, Origin=f"http://{ada.address}")).table["id"] == table


async def test_a_forged_cookie_identifies_no_one(ada, bob):
    table = (await ada.open("plus4", "me", "me"))["id"]
    guest, signature = ada.http.cookies["quatuor"].split(".")
    for forged in (
        guest,
        f"{guest}.",
        f"{guest}.{signature[::-1]}",
        f"{guest[::-1]}.{signature}",
        f".{signature}",
        "é",
    ):
        line = await bob.connect(table, Cookie=f"quatuor={forged}")
        assert line.table["you"] == []
    assert (await ada.connect(table)).table["you"] == [0, 1]


async def deaf_line(server, guest, table):
    """A websocket that sends and never reads."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    host, port = server.address.split(":")
    narrow.connect((host, int(port)))
    where = f"ws://{server.address}/api/tables/{table}/socket"
    cookie = {"Cookie": f"quatuor={guest.http.cookies['quatuor']}"}
    return await websockets.connect(where, sock=narrow, additional_headers=cookie, compression=None, max_queue=1)


async def long_table(guest):
    """A table whose snapshot has 30 kB, and a connection to it."""
    table = (await guest.open("trois_six", "me", "me", quiet_turns=999))["id"]
    line = await guest.connect(table)
    for _ in range(40):
        await line.move("-")
        await line.move("-")
    return table, line


async def test_a_slow_reader_is_disconnected_and_delays_no_other_client(start_server):
    server = start_server(send_buffer=2048, queue_bytes=50_000)
    guest = Guest(server.address)
    table, quick = await long_table(guest)
    live = await server.services.hub.get(table)
    others = set(live.listeners)
    slow = await deaf_line(server, guest, table)
    while len(live.listeners) < 2:
        await asyncio.sleep(0.01)
    (client,) = live.listeners - others
    for _ in range(300):  # each sends the slow reader about 1 kB
        assert client.queue.waiting <= 50_000
        if client not in live.listeners:
            break
        assert (await quick.move("-"))["t"] == "ack"
        await asyncio.sleep(0.005)
    assert client not in live.listeners
    assert client.queue.waiting == 0
    assert (await quick.move("-"))["t"] == "ack"
    slow.transport.abort()
    assert (await guest.connect(table)).table == quick.table


async def test_asking_again_and_again_for_the_whole_table_costs_little(start_server):
    server = start_server(send_buffer=2048)
    guest = Guest(server.address)
    table, _quick = await long_table(guest)
    deaf = [await deaf_line(server, guest, table) for _ in range(8)]
    live = await server.services.hub.get(table)
    for number in range(200):
        for line in deaf:
            await line.send(json.dumps({"t": "undo", "ack": str(number), "ply": 0}))
    caller = await guest.connect(table)
    refusals = server.services.metrics.refusals.labels("stale_ply")._value
    while refusals.get() < 8 * 200:
        await caller.caught_up()  # until the server has read all of them
    queued = sum(listener.queue.waiting for listener in live.listeners)
    assert queued < 8 * 150_000, "200 short refusals and one snapshot each, not 200 snapshots"
    network = Visitor("127.0.0.1")
    assert server.services.budgets.held("queued_bytes", network) < 8 * 200_000
    for line in deaf:
        line.transport.abort()
    while server.services.budgets.held("queued_bytes", network):
        await asyncio.sleep(0.01)


async def test_a_stale_command_is_followed_by_the_table_once_for_each_version(ada):
    line = await ada.connect((await ada.open("plus4", "me", "me"))["id"])
    for times in (2, 3):
        for _ in range(6):
            assert (await line.ask("undo", ply=7))["code"] == "stale_ply"
        await line.caught_up()
        assert sum(message["t"] == "state" for message in line.received) == times
        assert (await line.move("a"))["t"] == "ack"


async def test_a_queue_counts_bytes():
    budgets = Budgets({"queued_bytes": Places(1000, 1000)})
    visitor = Visitor("192.0.2.1")
    queue = SendQueue(100, visitor, budgets)
    queue.put(b"x" * 500)  # a snapshot may be larger than the limit; it is sent alone
    assert (queue.waiting, queue.overrun.done()) == (500, False)
    queue.put(b"x")
    assert queue.overrun.done()
    assert (queue.waiting, budgets.held("queued_bytes", visitor)) == (0, 0)
    other = SendQueue(10_000, visitor, budgets)
    for _ in range(9):
        other.put(b"x" * 100)
    third = SendQueue(10_000, visitor, budgets)
    third.put(b"x" * 200)
    assert third.overrun.done(), "all queues of a network together have a limit too"
    assert not other.overrun.done()


async def test_a_stopping_server_says_bye(start_server):
    server = start_server()
    guest = Guest(server.address)
    line = await guest.connect((await guest.open("plus4", "me", "me"))["id"])
    await asyncio.to_thread(server.close)
    assert await line.receive() == {"t": "bye", "code": "shutdown"}
    assert await closed(line) == 1012
