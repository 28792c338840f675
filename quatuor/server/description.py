"""The API as OpenAPI describes it: what FastAPI finds out, and what holds for every request."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from quatuor.server.dependencies import answer_schemas

TEXT = (
    "Tables, people and puzzles. A client without a cookie becomes a guest on first contact; a program sends a token. "
    "A table goes on over its websocket, `/api/tables/{table}/socket`: the guide's page *Table protocol* explains its "
    "messages and what every answer here contains."
)
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "detail"],
            "properties": {"code": {"type": "string"}, "detail": {"type": "object"}},
        }
    },
}
WAYS = {
    "cookie": {"type": "apiKey", "in": "cookie", "name": "quatuor", "description": "a guest or an account; signed"},
    "bot": {"type": "http", "scheme": "bearer", "description": "a token of POST /api/bots"},
}


def install(app: FastAPI) -> None:
    """Have the app describe itself this way."""
    made: dict[str, Any] = {}

    def describe() -> dict[str, Any]:
        if not made:
            made.update(_described(app))
        return made

    app.openapi = describe  # type: ignore[method-assign]


def _described(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(title=app.title, version=app.version, description=TEXT, routes=app.routes)
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    refused = {"description": "refused, with a code", "content": error}
    for path in schema["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)  # FastAPI's own; ours is a 400 with a code
            for response in operation["responses"].values():
                content = response.get("content", {})
                response["content"] = {media: found for media, found in content.items() if found["schema"]}
            operation["responses"]["default"] = refused
    schema["components"] = {"securitySchemes": WAYS, "schemas": {**answer_schemas(), "Error": ERROR}}
    schema["security"] = [{}, {"cookie": []}, {"bot": []}]
    return schema
