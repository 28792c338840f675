"""What routes ask FastAPI for: services, the sender, the request's content; and what a request counts as.

A route that changes something has ``dependencies=[CHANGES]``, an expensive one ``dependencies=[costs("snapshot")]``.
Every route has an ``operation(Answer, body=Content)``, which describes it in OpenAPI.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from quatuor.server.budgets import COSTS
from quatuor.server.services import Services, services
from quatuor.server.sessions import Identity
from quatuor.server.visitors import Visitor, visitor
from quatuor.server.wire import BODY_LIMIT, body
from quatuor.table import Refused

T = TypeVar("T")
REF = "#/components/schemas/{name}"
ANSWERS: dict[str, type] = {}  # by name: what OpenAPI describes

# ---- what a route gets: all of it ``async``, since FastAPI calls other functions in threads


async def _services(connection: HTTPConnection) -> Services:
    return services(connection)


At = Annotated[Services, Depends(_services)]


async def _known(request: Request, at: At) -> Identity | None:
    return await at.guests.known(request)


async def _met(request: Request, at: At) -> Identity:
    return await at.guests.meet(request)


Known = Annotated[Identity | None, Depends(_known)]  # the sender, if they have a cookie or a token
Met = Annotated[Identity, Depends(_met)]  # the sender, or a new guest


async def _sender(request: Request, who: Known) -> Visitor:
    return visitor(request, who.guest if who else None)


async def _signed_in(who: Known) -> Identity:
    if who is None or who.session is None:
        raise Refused("not_signed_in")
    return who


async def _moderator(at: At, who: Known) -> str:
    if who is None or who.session is None or not await at.moderation.is_moderator(who.guest):
        raise Refused("not_moderator")
    return who.guest


Sender = Annotated[Visitor, Depends(_sender)]  # the sender as budgets count them
SignedIn = Annotated[Identity, Depends(_signed_in)]
Moderator = Annotated[str, Depends(_moderator)]


def content(kind: type[T], limit: int = BODY_LIMIT) -> Any:
    """The request's body as a struct: ``command: Annotated[Join, content(Join)]``."""

    async def read(request: Request) -> T:
        return await body(request, kind, limit)

    return Depends(read)


# ---- what a request counts as


async def _count_change(request: Request, at: At) -> None:
    at.budgets.spend("changes", visitor(request))


CHANGES = Depends(_count_change)


def costs(kind: str) -> Any:
    """A request that costs more than an ordinary one."""

    async def spend(request: Request, at: At) -> None:
        at.budgets.spend("requests", visitor(request), COSTS[kind] - 1)

    return Depends(spend)


# ---- what OpenAPI says


def operation(
    answer: type | None,
    status: int = 200,
    body: type | None = None,
    media: str = "application/json",
    also: int | None = None,
) -> dict[str, Any]:
    """How a route describes itself: the struct of its answer and of its body. Without a struct, the answer is a text.

    ``also`` is another status with the same answer.
    """
    schema: dict[str, Any] = {"type": "string"}
    if answer is not None:
        ANSWERS[answer.__name__] = answer
        schema = {"$ref": REF.format(name=answer.__name__)}
    response = {"description": "Successful Response", "content": {media: {"schema": schema}}}
    statuses = (status,) if also is None else (status, also)
    extra: dict[str, Any] = {"responses": {str(each): response for each in statuses}}
    if body is not None:
        extra |= described(body)
    return {"status_code": status, "openapi_extra": extra}


def described(kind: type) -> dict[str, Any]:
    """A request's body as OpenAPI describes it."""
    parts = msgspec.json.schema(kind)["$defs"]
    schema = _inlined(parts[kind.__name__], parts)
    tag = kind.__struct_config__.tag_field if issubclass(kind, msgspec.Struct) else None
    schema["required"] = [name for name in schema.get("required", ()) if name != tag]  # a tag may be left out
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def answer_schemas() -> dict[str, Any]:
    """The schemas of all answers, by name."""
    _, components = msgspec.json.schema_components(ANSWERS.values(), ref_template=REF)
    return components


def _inlined(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(part, parts) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(parts[schema["$ref"].removeprefix("#/$defs/")], parts)
    return {key: _inlined(part, parts) for key, part in schema.items()}
