"""Frames that are written at once: their encoding, and their order with queued frames."""

import asyncio

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from quatuor.server.budgets import Budgets
from quatuor.server.clients import SendQueue
from quatuor.server.serve import TRANSPORT_LIMIT
from quatuor.server.visitors import Visitor
from quatuor.server.websocket import DirectWebsocket, Inbox, _head
from tests.server.client import Guest

ADA = Visitor("1.2.3.4", "ada")


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_of_any_size_is_read_back(size):
    reader, text = StreamReader(), b"x" * size
    reader.feed_data(_head(size) + text)
    with pytest.raises(StopIteration) as read:
        next(Frame.parse(reader.read_exact, mask=False))
    assert (read.value.value.opcode, read.value.value.fin, read.value.value.data) == (Opcode.TEXT, True, text)


async def test_a_frame_never_overtakes_one_that_waits():
    written, reads = [], True

    def write(frame):
        if reads:
            written.append(frame)
        return reads

    budgets = Budgets()
    queue = SendQueue(1000, ADA, budgets, write)
    queue.put(b"1")
    assert (written, queue.waiting, budgets.held("queued_bytes", ADA)) == ([b"1"], 0, 0)
    reads = False
    queue.put(b"2")
    reads = True
    queue.put(b"3")
    assert (await queue.get(), written) == (b"2", [b"1"])
    queue.put(b"4")
    assert [await queue.get(), await queue.get()] == [b"3", b"4"]
    waiting = asyncio.ensure_future(queue.get())
    await asyncio.sleep(0)
    queue.put(b"5")
    waiting.cancel()
    assert (written, budgets.held("queued_bytes", ADA)) == ([b"1", b"5"], 0)


async def test_nothing_is_written_to_a_broken_connection(start_server):
    server = start_server()
    ada = Guest(server.address)
    table = (await ada.open("plus4", "me", "open"))["id"]
    line = await ada.connect(table)
    (client,) = (await server.services.hub.get(table)).listeners
    connection = client.queue._write.__self__
    line.socket.transport.abort()
    while not connection.transport.is_closing():
        await asyncio.sleep(0.01)
    assert connection.write(b"{}") is False


async def test_messages_of_a_client_are_read_in_their_order():
    inbox = Inbox()
    first = asyncio.ensure_future(inbox.get())
    await asyncio.sleep(0)
    for number in range(3):
        inbox.put_nowait(number)
    assert (await first, inbox.qsize(), await inbox.get(), await inbox.get(), inbox.empty()) == (0, 2, 1, 2, True)


# ---- what comes from clients, cut anyhow

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: there\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Wire(asyncio.Transport):
    """The server's end of a connection."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.closed = b"", False

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


async def read(*parts: bytes) -> tuple[list[str], int | None]:
    """What the app receives of these parts, and the code with which the server closes the connection, if it does."""
    received = []

    async def app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            received.append(message["text"])

    config = uvicorn.Config(
        app, ws_max_size=TRANSPORT_LIMIT, ws_per_message_deflate=False, lifespan="off", log_config=None
    )
    config.load()
    connection, wire = DirectWebsocket(config, ServerState(), {}), Wire()
    connection.connection_made(wire)
    for part in (REQUEST, *parts):
        connection.data_received(part)
        for _ in range(10):
            await asyncio.sleep(0)
    connection.connection_lost(None)
    for _ in range(10):
        await asyncio.sleep(0)
    close = wire.written.partition(b"\x88")[2]
    return received, int.from_bytes(close[1:3]) if close else None


def frame(opcode: Opcode, content: bytes, fin=True) -> bytes:
    return Frame(opcode, content, fin).serialize(mask=True)


STREAM = b"".join(
    [
        frame(Opcode.TEXT, b"first"),
        frame(Opcode.TEXT, b"x" * 125) + frame(Opcode.TEXT, b"y" * 126),
        frame(Opcode.PING, b"there?"),
        frame(Opcode.TEXT, "née".encode()),
        frame(Opcode.TEXT, b"z" * 65_535),
        frame(Opcode.TEXT, b""),
        frame(Opcode.TEXT, b"be", fin=False) + frame(Opcode.CONT, b"gun"),
        frame(Opcode.TEXT, b"again"),
        frame(Opcode.TEXT, b"go", fin=False),
        frame(Opcode.PONG, b""),
        frame(Opcode.CONT, b"es on"),
        frame(Opcode.TEXT, b"last"),
    ]
)
MESSAGES = ["first", "x" * 125, "y" * 126, "née", "z" * 65_535, "", "begun", "again", "goes on", "last"]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6, 11, 50, 131, 134, 265, 1000, 65_543, 100_000])
async def test_messages_are_the_same_however_they_are_cut(size):
    parts = [STREAM[first : first + size] for first in range(0, len(STREAM), size)]
    assert await read(*parts) == (MESSAGES, None)


async def test_messages_that_come_one_by_one():
    texts = [b"a", b"b" * 125, b"c" * 126, b"d" * 4000, b"e" * 65_535, "née".encode(), b""]
    assert await read(*(frame(Opcode.TEXT, text) for text in texts)) == ([text.decode() for text in texts], None)
    begun = frame(Opcode.TEXT, b"be", fin=False)
    assert await read(frame(Opcode.TEXT, b"a"), begun, frame(Opcode.CONT, b"gun")) == (["a", "begun"], None)
    whole = frame(Opcode.TEXT, b"in two parts")
    assert await read(whole[:5], whole[5:], whole) == (["in two parts"] * 2, None)
    longer = bytes([0x81, 0xFF]) + (119).to_bytes(8) + bytes(4) + b"f" * 119  # 64 bits for a size that needs seven
    assert await read(longer) == (["f" * 119], None)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ([Frame(Opcode.TEXT, b"not masked").serialize(mask=False)], 1002),
        ([frame(Opcode.TEXT, b"\xff\xfe")], 1007),
        ([frame(Opcode.CONT, b"of nothing")], 1002),
        ([frame(Opcode.TEXT, b"be", fin=False), frame(Opcode.TEXT, b"another")], 1002),
        ([b"\xc1" + frame(Opcode.TEXT, b"a reserved bit")[1:]], 1002),
        ([frame(Opcode.TEXT, b"x" * 65_537)], 1009),
    ],
)
async def test_what_is_not_a_message_closes_the_connection(wrong, code):
    first, last = frame(Opcode.TEXT, b"first"), frame(Opcode.TEXT, b"too late")
    assert await read(first, *wrong, last) == (["first"], code)
