"""Quick pairing: two visitors who want the same game meet at one table."""

import asyncio
import itertools

import pytest

from quatuor.server import pairing
from tests.server.client import Guest, Problem

_totals = itertools.count(100)


@pytest.fixture
def wanted() -> dict:
    """A game that no other test waits for."""
    return {"game": "plus4", "variant": "endless", "pace": {"total": next(_totals), "increment": 1}}


async def test_the_second_visitor_joins_the_first(ada, bob, eve, wanted):
    first = await ada.post("/lobby/pairing", wanted)
    assert first["opened"]
    line = await ada.connect(first["id"])
    assert await ada.post("/lobby/pairing", wanted) == {**first, "opened": False}, "who asks again waits at one table"
    assert await bob.post("/lobby/pairing", wanted) == {"id": first["id"], "seat": 1 - first["seat"], "opened": False}
    await line.event("join")
    assert (line.table["listed"], line.table["variant"], line.table["takeback"]) == (True, "endless", False)
    assert (await eve.post("/lobby/pairing", wanted))["opened"], "the table is full"


async def test_visitors_at_the_same_moment_meet_in_pairs(server, wanted):
    guests = [Guest(server.address) for _ in range(6)]
    found = await asyncio.gather(*(guest.post("/lobby/pairing", wanted) for guest in guests))
    assert len({answer["id"] for answer in found}) == 3
    assert sum(answer["opened"] for answer in found) == 3


@pytest.mark.parametrize(
    "other",
    [
        {"pace": None},
        {"pace": {"total": 99, "increment": 1}},
        {"variant": "elementary"},
        {"takeback": True},
        {"options": {"repetition": "none"}},
        {"listed": False},
    ],
    ids=str,
)
async def test_a_table_of_another_kind_is_left_alone(ada, bob, wanted, other):
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = await ada.post("/tables", {**wanted, "seats": seats, "listed": True, **other})
    await ada.connect(table["id"])
    assert (await bob.post("/lobby/pairing", wanted))["id"] != table["id"]


async def test_a_table_whose_owner_has_gone_is_left_alone(ada, bob, eve, wanted, monkeypatch):
    table = (await ada.post("/lobby/pairing", wanted))["id"]
    monkeypatch.setattr(pairing, "ARRIVING", -1)
    other = await bob.post("/lobby/pairing", wanted)
    assert other["id"] != table
    await ada.connect(table)
    assert (await eve.post("/lobby/pairing", wanted))["id"] == table


async def test_people_who_blocked_each_other_are_not_paired(ada, bob, wanted):
    table = (await ada.post("/lobby/pairing", wanted))["id"]
    seat = (await bob.post("/lobby/pairing", wanted))["seat"]
    await ada.post("/me/blocked", {"table": table, "seat": seat})
    again = (await ada.post("/lobby/pairing", wanted))["id"]
    assert again != table
    third = await bob.post("/lobby/pairing", wanted)
    assert third["id"] != again
    assert (await ada.post("/lobby/pairing", wanted))["id"] == again


@pytest.mark.parametrize(
    ("change", "code"),
    [({"game": "chess"}, "unknown_game"), ({"variant": "x"}, "unknown_variant"), ({"pace": {}}, "bad_pace")],
)
async def test_unknown_names_are_not_found(ada, wanted, change, code):
    with pytest.raises(Problem, match=f"400.*{code}"):
        await ada.post("/lobby/pairing", {**wanted, **change})


async def test_a_visitor_cannot_fill_the_lobby(start_server):
    ada = Guest(start_server(budgets={"listed": 20}).address)
    for total in range(10, 15):
        await ada.post("/lobby/pairing", {"game": "plus4", "pace": {"total": total}})
    with pytest.raises(Problem, match=r"429.*listed"):
        await ada.post("/lobby/pairing", {"game": "plus4", "pace": {"total": 15}})
