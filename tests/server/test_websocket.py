"""Frames that are written at once: their encoding, and their order with queued frames."""

import asyncio

import pytest
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from quatuor.server.budgets import Budgets
from quatuor.server.clients import SendQueue
from quatuor.server.visitors import Visitor
from quatuor.server.websocket import Inbox, _head
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
