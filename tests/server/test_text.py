"""Control characters, lone surrogates and over-long text, in every field of every request and message."""

import asyncio
import functools
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
import websockets
from sqlalchemy import select

from quatuor.server import wire
from quatuor.server.dependencies import described
from quatuor.server.store.schema import metadata
from tests.server.client import Guest, ServerThread
from tests.server.conformance import description

HOSTILE = ["\0", "a\0b", "\x1b[31m", "a\u0085b", "a\x7f", "\n", "\ud800", "x" * 3000]
IDS = ["%00", "a%00b", "%1b", "%0a", "%c3%a9", "%ed%a0%80", "x" * 300, "..%2f..", "%2500"]
CONTROL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # characters that may not be stored
BY_STORE = {"\0", "\ud800", "%00", "%ed%a0%80"}  # texts that databases treat differently
SAMPLES: dict[str, Any] = {
    "game": "plus4", "variant": None, "seats": [{"kind": "me", "level": None}, {"kind": "open", "level": None}],
    "options": {"target": "none"}, "opening": [{"0": "a"}], "title": "Cup", "name": "Ada", "password": "long enough",
    "old": "long enough", "new": "long enough", "pace": None, "phrase": None, "words": "hello", "witness": None,
    "rounds": None, "t": None,
}  # fmt: skip


SETTINGS = {"faults": (100_000, 100_000)}  # no connection is closed for invalid text


@pytest.fixture(scope="module")
def server(each_server) -> ServerThread:
    return each_server


@functools.cache
def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [(method, path, spec) for path, ways in description()["paths"].items() for method, spec in ways.items()]


def tried(server: ServerThread, texts: list[str]) -> list[str]:
    """The texts to try: all of them with SQLite, with another store only those that depend on it."""
    return [text for text in texts if server.services.store.engine.dialect.name == "sqlite" or text in BY_STORE]


def sample(schema: dict[str, Any], name: str = "") -> Any:
    """A value that fits a schema, with every field of every object."""
    if name in SAMPLES:
        return SAMPLES[name]
    if "anyOf" in schema:
        return sample(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {key: sample(part, key) for key, part in schema.get("properties", {}).items()}
        case "string" if "(" in schema.get("pattern", "").partition("$")[0]:
            return schema["pattern"].partition("(")[2].partition("|")[0]
        case "string":
            return "a" * max(1, schema.get("minLength", 0))
        case "array":
            return []
    return {"integer": schema.get("minimum", 0), "number": 0, "boolean": False}.get(schema.get("type", ""))


def texts(value: Any, schema: dict[str, Any], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where text is possible: the paths of all strings, of optional fields that are None, and of dictionary keys."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from texts(part, schema, (*path, key))
        yield (*path, None)  # another key
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from texts(part, schema, (*path, number))
    elif value is None or isinstance(value, str):
        yield path


def changed(value: Any, path: tuple[Any, ...], text: str) -> Any:
    if not path:
        return text
    first, *rest = path
    if isinstance(value, list):
        return [changed(part, tuple(rest), text) if i == first else part for i, part in enumerate(value)]
    if first is None:
        return {**value, text: "a"}
    return {key: changed(part, tuple(rest), text) if key == first else part for key, part in value.items()}


def body_of(spec: dict[str, Any]) -> dict[str, Any] | None:
    content = spec.get("requestBody", {}).get("content", {})
    return content["application/json"]["schema"] if content else None


def check(answer: httpx.Response, refused: bool = False) -> None:
    where = f"{answer.request.method} {answer.request.url} {answer.request.content[:200]!r}: {answer.text[:300]}"
    assert answer.status_code < 500, where
    assert not refused or answer.status_code >= 400, where
    if answer.status_code >= 400:
        assert set(answer.json()["error"]) == {"code", "detail"}, where


def stored_texts(server: ServerThread) -> Iterator[tuple[str, str]]:
    def inside(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, part in value.items():
                yield from (key, *inside(part))
        elif isinstance(value, list):
            for part in value:
                yield from inside(part)

    with server.services.store.engine.connect() as connection:
        for relation in metadata.sorted_tables:
            for row in connection.execute(select(relation)).mappings():
                yield from ((relation.name, text) for value in row.values() for text in inside(value))


def nothing_bad_is_stored(server: ServerThread) -> None:
    assert [found for found in stored_texts(server) if CONTROL.search(found[1]) or len(found[1]) > 2000] == []


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in operations()])
async def test_no_request_stores_or_fails_on_invalid_text(server, method, path):
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    cup = (await guest.post("/tournaments", {"title": "Cup", "game": "plus4"}))["id"]
    bot = (await guest.post("/bots", {"name": "Robot"}))["id"]
    known = {"table": table, "tournament": cup, "bot": bot, "player": "0", "game": "plus4", "lesson": "x", "step": "0"}
    known |= {"number": "1", "person": "0" * 24, "session": "0" * 12, "name": "Ada"}
    spec = next(spec for m, p, spec in operations() if (m, p) == (method, path))
    schema, right = body_of(spec), path.format(**known)

    async def send(where: str, content: Any = None) -> httpx.Response:
        given = {} if content is None else {"content": json.dumps(content).encode()}
        return await guest.http.request(method.upper(), where, **given)

    content = sample(schema) if schema else None
    for text in tried(server, IDS):
        for part in known:
            if f"{{{part}}}" in path:
                check(await send(path.format(**{**known, part: text}), content), refused=True)
        for query in [p["name"] for p in spec.get("parameters", []) if p["in"] == "query"]:
            check(await send(f"{right}?{query}={text}", content))
    if schema:
        for field in texts(content, schema):
            for text in tried(server, HOSTILE):
                check(await send(right, changed(content, field, text)))
    nothing_bad_is_stored(server)


def messages() -> list[dict[str, Any]]:
    parts = msgspec.json.schema(wire.Message)["$defs"]
    return [{**sample(part), "t": part["properties"]["t"]["enum"][0]} for part in parts.values()]


@pytest.mark.parametrize("message", messages(), ids=lambda message: message["t"])
async def test_no_message_stores_or_fails_on_invalid_text(server, message):
    ada, bob = Guest(server.address), Guest(server.address)
    table = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    a, b = await ada.connect(table["id"]), await bob.connect(table["id"])
    for field in texts(message, {}):
        for text in tried(server, HOSTILE):
            await a.send(json.dumps(changed(message, field, text)))
    await a.caught_up()
    await b.caught_up()  # no client was disconnected
    nothing_bad_is_stored(server)


@pytest.mark.parametrize("text", HOSTILE)
async def test_an_ack_with_invalid_text_is_refused(server, text):
    ada = Guest(server.address)
    line = await ada.connect((await ada.open("plus4", "me", "me"))["id"])
    await line.send(json.dumps({"t": "say", "ack": text, "phrase": "hello"}))
    answer = await line.until(lambda message: message["t"] in ("error", "ack"))
    assert (answer["t"], answer["code"]) == ("error", "bad_message")


@pytest.mark.parametrize("name", ["a\0b", "\x1b[31m"])
async def test_names_with_control_characters_are_refused_at_sign_in(server, name):
    answer = await Guest(server.address).http.post(
        "/api/account/session", json={"name": name, "password": "long enough"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
    assert "control characters" in answer.json()["error"]["detail"]["reason"]


@pytest.mark.parametrize("text", [text for text in IDS if "%2f" not in text])
@pytest.mark.parametrize("kind", ["tables", "tournaments"])
async def test_a_socket_at_an_invalid_table_id_is_refused(server, kind, text):
    where = f"ws://{server.address}/api/{kind}/{text}/socket"
    async with asyncio.timeout(60), websockets.connect(where) as socket:
        assert json.loads(await socket.recv())["code"] in ("unknown_table", "unknown_tournament")


def test_the_description_names_the_pattern_of_text():
    schema = described(wire.SignIn)["requestBody"]["content"]["application/json"]["schema"]
    assert "\\u0000-\\u001f" in schema["properties"]["name"]["pattern"]
