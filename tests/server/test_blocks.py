"""Blocking: no joins, rematch offers or messages of a blocked player; the list of blocked players; unblocking."""

import pytest

from tests.server.client import Guest, Problem
from tests.server.test_play import duel


async def test_a_blocked_player_cannot_join_invite_or_chat(start_any_server):
    server = start_any_server()
    ada, bob, eve = (Guest(server.address) for _ in range(3))
    await bob.http.put("/api/me", json={"name": "Bob"})
    table = await duel(ada, bob)
    (entry,) = (await ada.post("/me/blocked", {"table": table, "seat": 1}))["blocked"]
    assert entry["name"] == "Bob"
    assert len((await ada.post("/me/blocked", {"table": table, "seat": 1}))["blocked"]) == 1
    assert await ada.get(f"/tables/{table}/muted") == {"seats": [1]}, "their messages are not shown"
    await (await ada.connect(table)).ask("resign", seat=0)
    with pytest.raises(Problem, match=r"403.*blocked"):
        await bob.post(f"/tables/{table}/rematch")
    kinds = [{"kind": "me"}, {"kind": "open"}]
    listed = await ada.post("/tables", {"game": "plus4", "seats": kinds, "listed": True})
    for command in ({}, {"token": listed["invites"]["1"]}):
        with pytest.raises(Problem, match=r"403.*blocked"):
            await bob.post(f"/tables/{listed['id']}/join", command)
    assert (await bob.get("/me/blocked"))["blocked"] == []
    for guest in (bob, eve):
        assert (await guest.http.delete(f"/api/me/blocked/{entry['id']}")).status_code == 404
    assert (await ada.http.delete(f"/api/me/blocked/{entry['id']}")).json() == {"blocked": []}
    assert await bob.post(f"/tables/{listed['id']}/join", {}) == {"seat": 1}
    assert (await bob.post(f"/tables/{table}/rematch"))["offered"] == [1]


async def test_a_spectator_is_blocked_by_a_message(start_any_server):
    server = start_any_server()
    ada, bob, eve, carl = (Guest(server.address) for _ in range(4))
    table = await duel(ada, bob)
    for spectator in (eve, carl):
        await spectator.get("/me")
    await (await eve.connect(table)).ask("say", words="boo")
    assert len((await carl.post("/me/blocked", {"table": table, "number": 0}))["blocked"]) == 1
    assert await carl.get(f"/tables/{table}/muted") == {"seats": [], "numbers": [0]}, "their messages are not shown"
    kinds = [{"kind": "me"}, {"kind": "open"}]
    listed = await carl.post("/tables", {"game": "plus4", "seats": kinds, "listed": True})
    with pytest.raises(Problem, match=r"403.*blocked"):
        await eve.post(f"/tables/{listed['id']}/join", {})
    assert await bob.post(f"/tables/{listed['id']}/join", {}) == {"seat": 1}


async def test_blocking_oneself_or_nobody_is_refused(ada):
    table = (await ada.open("plus4", "me", "open"))["id"]
    for whom in ({"seat": 0}, {"seat": 1}, {"seat": 7}, {"number": 0}, {}):
        with pytest.raises(Problem, match="404"):
            await ada.post("/me/blocked", {"table": table, **whom})
