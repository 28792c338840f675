"""After any mix of commands, every client's table equals the server's snapshot."""

import asyncio
import random

import pytest

from tests.server.client import Guest

COMMANDS = 60


async def anything(dice: random.Random, guest: Guest, table: str, versions: list[int]) -> None:
    """A guest sends random commands, valid or not, sometimes loses the connection, and reconnects."""
    line = await guest.connect(table)
    for _ in range(COMMANDS):
        what = dice.choice(["move"] * 6 + ["late", "undo", "rename", "listen", "drop", "resign"])
        if what == "move":
            seat = dice.choice([0, 1])
            moves = line.table["legal"].get(str(seat)) or ["a", "-"]
            await line.move(dice.choice(moves), seat=seat)
        elif what == "late":
            await line.ask("move", ply=dice.randrange(5), seat=0, move="a")
        elif what == "undo":
            await line.ask("undo", ply=len(line.table["history"]))
        elif what == "rename":
            await guest.http.put("/api/me", json={"name": f"Name {dice.randrange(100)}"})
        elif what == "resign" and dice.random() < 0.05:
            await line.ask("resign", seat=dice.choice([0, 1]))
        elif what == "drop":
            drawn, line.table = line.table, {}
            await line.close()
            await asyncio.sleep(dice.choice([0, 0.1]))  # shorter or longer than the delay of presence
            line = await guest.connect(table, since=drawn["version"])
            line.table = drawn
        await asyncio.sleep(0)
    versions.append(line.table["version"])
    guest.last_line = line


@pytest.mark.parametrize(("seed", "game"), [(1, "plus4"), (2, "trois_six"), (3, "plus4"), (4, "trois_six")])
@pytest.mark.parametrize("seats", [("me", "open"), ("me", "me")])
async def test_every_clients_table_equals_the_servers(ada, bob, eve, seed, game, seats):
    opened = await ada.open(game, *seats)
    table = opened["id"]
    if opened["invites"]:
        await bob.post(f"/tables/{table}/join", {"token": opened["invites"]["1"]})
    guests, versions = (ada, ada, bob, eve), []
    people = [Guest(guest.address) for guest in guests]
    for person, guest in zip(people, guests, strict=True):
        person.http.cookies = guest.http.cookies
        await person.get("/me")
    await asyncio.gather(*(anything(random.Random(seed * 10 + n), p, table, versions) for n, p in enumerate(people)))
    version = (await ada.get(f"/tables/{table}"))["version"]
    for person in people:
        for _ in range(100):  # presence is sent a moment later
            await person.last_line.caught_up(version)
            snapshot = await person.get(f"/tables/{table}")
            if person.last_line.table == snapshot:
                break
            await asyncio.sleep(0.1)
        assert snapshot["version"] == version
        assert person.last_line.table == snapshot
