"""Whether answers and messages fit their structs: no missing field, no other type, no additional field."""

import json
import re
from functools import cache
from typing import Any

import msgspec

from quatuor.server import answers
from quatuor.server.app import create_app
from quatuor.server.dependencies import ANSWERS

MESSAGES = {kind.__struct_config__.tag: kind for kind in answers.ServerMessage.__args__}
STANDING = set(answers.Standing.__struct_fields__)


@cache
def description() -> dict[str, Any]:
    """The API as OpenAPI describes it: made once for all tests, which must not change it."""
    return create_app().openapi()


@cache
def _operations() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    paths = description()["paths"]
    return [
        (re.compile(re.sub(r"{\w+}", "[^/]+", path)), paths[path]) for path in sorted(paths, key=lambda p: "{" in p)
    ]


def struct_of(method: str, path: str, status: int) -> type | None:
    """The struct of an answer; None for a text, or for an operation that is not part of the API."""
    for pattern, operations in _operations():
        if pattern.fullmatch(path) and method.lower() in operations:
            response = operations[method.lower()]["responses"].get(str(status))
            assert response, f"{method} {path} does not say that it answers {status}"
            schema = response["content"].get("application/json", {}).get("schema", {})
            return ANSWERS[schema["$ref"].rpartition("/")[2]] if schema else None
    return None


def check_answer(method: str, path: str, status: int, content: bytes) -> None:
    """Fail unless a successful answer fits."""
    kind = struct_of(method, path, status) if status < 300 else None
    if kind is answers.Events:
        for message in json.loads(content)["messages"]:
            check_message(json.dumps(message))
        assert json.loads(content).keys() == {"version", "messages"}
    elif kind:
        _fits(content, kind, f"{method} {path}")


def check_message(text: str | bytes) -> None:
    """Fail unless a message of a table's socket fits."""
    message = json.loads(text)
    if message["t"] == "event" and STANDING & message.keys():
        standing = {key: value for key, value in message.items() if key in STANDING}
        _fits(json.dumps(standing), answers.Standing, "the standing of an event")
        message = {key: value for key, value in message.items() if key not in STANDING}
    _fits(json.dumps(message), MESSAGES[message["t"]], f"the message {message['t']}")


def _fits(content: str | bytes, kind: type, what: str) -> None:
    try:
        again = msgspec.json.encode(msgspec.json.decode(content, type=kind))
    except msgspec.DecodeError as error:
        raise AssertionError(f"{what} is no {kind.__name__}: {error}") from None
    given, read = json.loads(content), json.loads(again)
    assert given == read, f"{what}: {kind.__name__} does not have {_more(given, read)}"


def _more(given: Any, read: Any) -> Any:
    if isinstance(given, dict) and isinstance(read, dict):
        lost = sorted(given.keys() - read.keys())
        return lost or [_more(given[key], read[key]) for key in given if given[key] != read[key]]
    if isinstance(given, list) and isinstance(read, list):
        return [_more(*pair) for pair in zip(given, read, strict=True) if pair[0] != pair[1]]
    return given
