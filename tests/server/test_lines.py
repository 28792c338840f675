"""Websockets that misbehave, and servers that stop."""

import asyncio
import json
import socket

import pytest
import websockets

from tests.server.people import Guest


@pytest.fixture
async def line(ada):
    return await ada.line((await ada.open("plus4", "me", "me"))["id"])


async def closed(line) -> int:
    """The code with which the server closes the line."""
    try:
        while True:
            await line.hear()
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
async def test_what_is_no_message_is_answered_and_the_line_stays(line, frame):
    await line.say(frame)
    answer = await line.hear()
    assert (answer["t"], answer["code"]) == ("error", "bad_message")
    await line.say({"t": "ping"})
    assert (await line.hear())["t"] == "pong"
    assert (await line.move("a"))["t"] == "ack"


async def test_a_bad_message_with_an_ack_is_answered_to_that_ack(line):
    assert (await line.ask("move", ply="x", seat=0, move="a"))["code"] == "bad_message"


async def test_four_kibibytes_and_no_more(line):
    fits = '{"t":"ping","pad":""}'
    await line.say(fits[:-2] + "x" * (4096 - len(fits)) + fits[-2:])
    assert (await line.hear())["t"] == "pong"
    await line.say(fits[:-2] + "x" * (4097 - len(fits)) + fits[-2:])
    answer = await line.hear()
    assert (answer["code"], answer["detail"]) == ("too_large", {"limit": 4096})
    await line.say("é" * 3000)  # bytes count, not letters
    assert (await line.hear())["code"] == "too_large"
    await line.say("x" * 100_000)
    assert await closed(line) == 1009


async def test_going_on_with_rubbish_closes_the_line(line):
    for _ in range(20):
        await line.say("rubbish")
    assert await closed(line) == 1008
    assert 10 <= len(line.heard) <= 15


async def test_too_many_messages_are_limited(open_house):
    guest = Guest(open_house(messages=(5, 0.1)).address)
    line = await guest.line((await guest.open("plus4", "me", "me"))["id"])
    for _ in range(7):
        await line.say({"t": "ping"})
    answers = [await line.hear() for _ in range(7)]
    assert [answer["t"] for answer in answers] == ["pong"] * 5 + ["error"] * 2
    assert answers[-1]["code"] == "rate_limited"


async def test_an_unknown_table(ada):
    line = await ada.line("nothing-here")
    assert line.heard[0]["code"] == "unknown_table"
    assert await closed(line) == 4404


async def test_pages_of_other_sites_are_turned_away(ada):
    table = (await ada.open("plus4", "me", "me"))["id"]
    for origin in ("https://evil.example", "null", f"http://{ada.address}.evil.example"):
        with pytest.raises(websockets.InvalidStatus) as caught:
            await ada.line(table, Origin=origin)
        assert caught.value.response.status_code == 403
    assert (await ada.line(table, Origin=f"http://{ada.address}")).table["id"] == table


async def test_a_forged_cookie_is_nobody(ada, bob):
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
        line = await bob.line(table, Cookie=f"quatuor={forged}")
        assert line.table["you"] == []
    assert (await ada.line(table)).table["you"] == [0, 1]


async def test_a_slow_reader_is_sent_away_and_holds_nobody_up(open_house):
    house = open_house(queue=8)
    guest = Guest(house.address)
    table = (await guest.open("trois_six", "me", "me"))["id"]
    quick = await guest.line(table)
    for _ in range(40):  # makes the table 30 kB
        await quick.move("-")
        await quick.move("-")
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    host, port = house.address.split(":")
    narrow.connect((host, int(port)))
    where = f"ws://{house.address}/api/tables/{table}/socket"
    cookie = {"Cookie": f"quatuor={guest.http.cookies['quatuor']}"}
    slow = await websockets.connect(where, sock=narrow, additional_headers=cookie, compression=None, max_queue=1)
    live = await house.services.hub.get(table)
    for number in range(500):  # asks for the whole table again and again, and never reads
        if len(live.listeners) == 1:
            break
        await slow.send(json.dumps({"t": "undo", "ack": str(number), "ply": 0}))
        await asyncio.sleep(0.002)
    assert len(live.listeners) == 1
    assert (await quick.move("-"))["t"] == "ack"
    slow.transport.abort()
    assert (await guest.line(table)).table == quick.table


async def test_a_stopping_server_says_bye(open_house):
    house = open_house()
    guest = Guest(house.address)
    line = await guest.line((await guest.open("plus4", "me", "me"))["id"])
    await asyncio.to_thread(house.close)
    assert await line.hear() == {"t": "bye", "code": "shutdown"}
    assert await closed(line) == 1012
