"""Raw connections: endless headers, incomplete requests, answers that no client reads, and too many connections."""

import asyncio

import pytest

from quatuor.server import http
from quatuor.server.visitors import Visitor

ENDLESS = 64 * 1024 * 1024  # bytes: more than the system buffers for a server that is slow to read


@pytest.fixture(scope="module")
def server(each_server):
    return each_server


async def connected(server):
    host, port = server.address.split(":")
    return await asyncio.open_connection(host, int(port))


async def answer(reader) -> bytes:
    """Everything until the server closes."""
    found = b""
    try:
        while part := await asyncio.wait_for(reader.read(65536), 30):
            found += part
    except ConnectionError:
        pass
    return found


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: ", b"y" * 1024),
        (b"GET /health HTTP/1.1\r\nhost: localhost\r\n", b"x: " + b"y" * 1021 + b"\r\n"),
        (b"GET /", b"y" * 1024),
    ],
)
async def test_headers_without_end_are_refused(server, begin, more):
    reader, writer = await connected(server)
    writer.write(begin)
    sent = 0
    try:
        while sent < ENDLESS and not reader.at_eof():
            writer.write(more)
            await writer.drain()
            sent += len(more)
    except ConnectionError:
        pass
    assert sent < ENDLESS, "the server has closed"
    writer.close()


async def test_headers_of_a_usual_size_are_read(server):
    reader, writer = await connected(server)
    head = "".join(f"x-{number}: {'y' * 900}\r\n" for number in range(30))
    writer.write(f"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{head}\r\n".encode())
    assert b" 200 " in await answer(reader)
    writer.close()


async def test_a_trailer_without_end_is_refused(server):
    _reader, writer = await connected(server)
    writer.write(b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: ")
    sent = 0
    try:
        while sent < ENDLESS:
            writer.write(b"y" * 65536)
            await writer.drain()
            sent += 65536
    except ConnectionError:
        pass
    assert sent < ENDLESS
    writer.close()


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /health HT",
        b"GET /health HTTP/1.1\r\nhost: local",
        b'POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"game"',
        b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12",
    ],
)
async def test_an_incomplete_request_times_out(server, monkeypatch, half):
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.3)
    reader, writer = await connected(server)
    writer.write(half)
    found = await answer(reader)
    assert (b" 408 " in found) == (b"GET" in half)
    writer.close()


async def test_a_slow_request_times_out(server, monkeypatch):
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.5)
    reader, writer = await connected(server)
    writer.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\n")
    closed = asyncio.ensure_future(answer(reader))
    for number in range(600):
        if closed.done():
            break
        writer.write(f"x-{number}: y\r\n".encode())
        await asyncio.sleep(0.05)
    assert b" 408 " in await closed
    writer.close()


async def test_a_connection_with_many_requests_stays_open(server, monkeypatch):
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.5)
    reader, writer = await connected(server)
    for _ in range(5):
        writer.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert b" 200 " in await asyncio.wait_for(reader.readline(), 30)
        while (await asyncio.wait_for(reader.readline(), 30)).strip():
            pass
        await reader.readuntil(b"}")
        await asyncio.sleep(0.2)
    writer.close()


async def test_connections_of_one_network_are_limited(start_server):
    server = start_server(proxies=(), budgets={"connections": 5})
    lines = [await connected(server) for _ in range(12)]
    closed = [asyncio.ensure_future(answer(reader)) for reader, _ in lines]
    done, _ = await asyncio.wait(closed, timeout=10, return_when=asyncio.FIRST_COMPLETED)
    while len(done) < 7:
        more, _ = await asyncio.wait(set(closed) - done, timeout=10, return_when=asyncio.FIRST_COMPLETED)
        assert more
        done |= more
    assert server.services.budgets.held("connections", Visitor("127.0.0.1")) == 5
    for _, writer in lines:
        writer.close()
    while server.services.budgets.held("connections", Visitor("127.0.0.1")):
        await asyncio.sleep(0.01)
