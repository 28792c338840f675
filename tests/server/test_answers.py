"""Every operation says what it answers, from the structs of ``quatuor.server.answers``."""

import json

import pytest

from tests.server.conformance import check_answer, check_message, description

OPERATIONS = [
    (f"{method.upper()} {path}", spec)
    for path, methods in description()["paths"].items()
    for method, spec in methods.items()
]


@pytest.mark.parametrize(("name", "spec"), OPERATIONS, ids=[name for name, _ in OPERATIONS])
def test_every_operation_has_a_response_schema(name, spec):
    successes = {status: response for status, response in spec["responses"].items() if status.startswith("2")}
    assert successes, name
    for response in successes.values():
        assert response["content"], f"{name} has no response schema: give it operation(answers.…)"
        assert all(content["schema"] for content in response["content"].values())
    assert "422" not in spec["responses"]


def test_references_lead_somewhere():
    schemas = description()["components"]["schemas"]
    wanted = set(json.dumps(description()).split('"#/components/schemas/')[1:])
    assert {text.partition('"')[0] for text in wanted} <= schemas.keys()


@pytest.mark.parametrize(
    ("content", "wrong"),
    [(b'{"seat": 1, "more": 2}', "more"), (b'{"seat": "1"}', "seat"), (b"{}", "seat")],
)
def test_an_answer_that_does_not_fit_its_schema_is_found(content, wrong):
    check_answer("POST", "/api/tables/t/join", 200, b'{"seat": 1}')
    with pytest.raises(AssertionError, match=wrong):
        check_answer("POST", "/api/tables/t/join", 200, content)


def test_a_message_that_does_not_fit_its_schema_is_found():
    check_message('{"t": "ack", "ack": "a", "version": 1}')
    with pytest.raises(AssertionError, match="version"):
        check_message('{"t": "ack", "ack": "a"}')
