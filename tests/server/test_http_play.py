"""Playing by HTTP alone: the same acks, refusals and messages as on the socket."""

import asyncio
import random
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.server.client import Guest, Problem

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))

import http_client  # noqa: E402 (examples is not a package)


def body(ack: str, ply: int, seat: int, move: str) -> dict:
    return {"ack": ack, "ply": ply, "seat": seat, "move": move}


async def polled(guest: Guest, table: str, since: int, wait: int = 25) -> dict:
    return await guest.get(f"/tables/{table}/events?since={since}&wait={wait}")


@pytest.fixture
async def pair(each_server):
    """Two guests at a table of Plus 4."""
    ada, bob = Guest(each_server.address), Guest(each_server.address)
    table = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    return ada, bob, table["id"]


async def test_a_move_is_acknowledged_once_and_seen_by_a_waiting_poll(pair):
    ada, bob, table = pair
    first = (await ada.get(f"/tables/{table}"))["version"]
    waiting = asyncio.ensure_future(polled(bob, table, first))
    await asyncio.sleep(0.2)
    assert not waiting.done(), "nothing has happened yet"
    ack = await ada.post(f"/tables/{table}/moves", body("k1", 0, 0, "a"))
    assert ack == {"t": "ack", "ack": "k1", "version": first + 1}
    news = await asyncio.wait_for(waiting, 10)
    assert news["version"] == first + 1
    (event,) = [message for message in news["messages"] if message["t"] == "event"]
    assert (event["kind"], event["entry"]["moves"], list(event["legal"])) == ("move", {"0": "a"}, ["1"])
    assert await ada.post(f"/tables/{table}/moves", body("k1", 0, 0, "a")) == ack, "carried out once"
    assert len((await ada.get(f"/tables/{table}"))["history"]) == 1


async def test_refusals_equal_those_of_the_socket(pair):
    ada, bob, table = pair
    line = await ada.connect(table)
    for command, status in [
        (body("r1", 0, 0, "z"), 400),
        (body("r2", 7, 0, "a"), 409),
        (body("r3", 0, 1, "a"), 403),
    ]:
        refusal = await line.ask("move", **command)
        with pytest.raises(Problem) as caught:
            await ada.post(f"/tables/{table}/moves", command)
        assert (caught.value.status, caught.value.code, caught.value.detail) == (
            status,
            refusal["code"],
            refusal["detail"],
        )
    with pytest.raises(Problem, match=r"409.*not_your_turn"):
        await bob.post(f"/tables/{table}/moves", body("r4", 0, 1, "a"))
    with pytest.raises(Problem, match=r"409.*no_undo"):
        await ada.post(f"/tables/{table}/undo", {"ack": "r5", "ply": 0})
    with pytest.raises(Problem, match=r"no_claim|try_again"):  # try_again: until the others report
        await ada.post(f"/tables/{table}/claim", {"ack": "r6", "seat": 1, "win": True})
    with pytest.raises(Problem, match=r"400.*bad_request"):
        await ada.post(f"/tables/{table}/moves", {"ply": 0, "seat": 0, "move": "a"})
    with pytest.raises(Problem, match=r"404.*unknown_table"):
        await ada.post("/tables/none/moves", body("r7", 0, 0, "a"))
    await line.close()


async def test_a_draw_is_offered_and_accepted(pair):
    ada, bob, table = pair
    await ada.post(f"/tables/{table}/moves", body("d1", 0, 0, "a"))
    with pytest.raises(Problem, match=r"409.*no_offer"):
        await bob.post(f"/tables/{table}/answer", {"ack": "d2", "accept": True})
    await ada.post(f"/tables/{table}/offer", {"ack": "d3", "kind": "draw"})
    assert (await bob.get(f"/tables/{table}"))["offer"]["seats"] == [0]
    await bob.post(f"/tables/{table}/answer", {"ack": "d4", "accept": True})
    found = await ada.get(f"/tables/{table}")
    assert (found["over"], found["ended_by"], found["ranking"]) == (True, "agreed", [1, 1])


async def test_a_game_is_called_off_before_its_second_turn(pair):
    ada, bob, table = pair
    await bob.post(f"/tables/{table}/abort", {"ack": "a1"})
    assert (await ada.get(f"/tables/{table}"))["ended_by"] == "aborted"


async def test_undo_and_resign(each_server):
    ada = Guest(each_server.address)
    table = (await ada.open("plus4", "me", "me"))["id"]
    await ada.post(f"/tables/{table}/moves", body("a", 0, 0, "a"))
    await ada.post(f"/tables/{table}/undo", {"ack": "b", "ply": 1})
    assert (await ada.get(f"/tables/{table}"))["history"] == []
    await ada.post(f"/tables/{table}/resign", {"ack": "c", "seat": 0})
    state = await ada.get(f"/tables/{table}")
    assert (state["ended_by"], state["ranking"]) == ("resign", [2, 1])
    with pytest.raises(Problem, match=r"409.*game_over"):
        await ada.post(f"/tables/{table}/moves", body("d", 0, 1, "a"))


async def test_a_poll_ends_when_its_time_is_up_and_is_bounded(pair):
    ada, _, table = pair
    version = (await ada.get(f"/tables/{table}"))["version"]
    began = time.monotonic()
    news = await polled(ada, table, version, 1)
    assert 0.9 < time.monotonic() - began < 8
    assert {message["t"] for message in news["messages"]} == {"presence"}
    for query in ("wait=31", "wait=-1", "wait=x", "since=x"):
        with pytest.raises(Problem, match=r"400.*bad_request"):
            await ada.get(f"/tables/{table}/events?{query}")
    assert (await ada.get(f"/tables/{table}/events"))["messages"][0]["t"] == "state", "without since: everything"


async def test_a_polling_client_is_present_and_counts(pair, each_server):
    ada, bob, table = pair
    line = await ada.connect(table)
    version = line.table["version"]
    poll = asyncio.ensure_future(bob.http.get(f"/api/tables/{table}/events?since={version}"))
    await line.until(lambda _: line.table["seats"][1]["online"])
    live = each_server.services.hub.here(table)
    assert len(live.listeners) == 2
    poll.cancel()  # the client closes the connection
    await line.until(lambda _: not line.table["seats"][1]["online"])
    assert len(live.listeners) == 1
    await line.close()


async def test_polls_count_as_sockets(start_server):
    server = start_server(budgets={"sockets": 2})
    guests = [Guest(server.address) for _ in range(3)]
    table = (await guests[0].open("plus4", "me", "open"))["id"]
    version = (await guests[0].get(f"/tables/{table}"))["version"]
    polls = [asyncio.ensure_future(polled(guest, table, version, 3)) for guest in guests[:2]]
    await asyncio.sleep(0.3)
    with pytest.raises(Problem, match=r"429.*over_budget"):
        await polled(guests[2], table, version)
    await asyncio.gather(*polls)
    await polled(guests[2], table, version, 0)


async def test_a_server_that_stops_answers_its_polls(start_server):
    server = start_server()
    ada = Guest(server.address)
    table = (await ada.open("plus4", "me", "open"))["id"]
    poll = asyncio.ensure_future(polled(ada, table, (await ada.get(f"/tables/{table}"))["version"]))
    await asyncio.sleep(0.3)
    began = time.monotonic()
    await asyncio.to_thread(server.close)
    assert time.monotonic() - began < 10
    assert (await poll)["messages"][-1] == {"t": "bye", "code": "shutdown"}


@pytest.mark.parametrize("game", ["plus4", "trois_six"])
async def test_the_client_of_the_examples_plays_a_whole_game(each_server, game):
    """Against an engine; in 3/6 with secret orders."""
    assert len(Path(http_client.__file__).read_text().splitlines()) <= 130
    dice = random.Random(1)
    address = f"http://{each_server.address}"
    table = await asyncio.to_thread(http_client.Client(address).open, game, "me", 1)

    def choose(state: dict, seat: int, moves: list[str]) -> str:
        assert seat in state["you"]
        return dice.choice(moves)

    ranking = await asyncio.wait_for(asyncio.to_thread(table.play, choose), 100)
    assert sorted(ranking) in ([1, 1], [1, 2])
    async with httpx.AsyncClient() as anyone:
        seen = (await anyone.get(f"{address}/api/tables/{table.id}")).json()
    assert seen["over"]
    assert seen["history"] == table.state["history"]
    with pytest.raises(http_client.Refused, match="unknown_table"):
        await asyncio.to_thread(http_client.Client(address).join, "nowhere")
