"""Moderation: reports are read in context and decided; a ban takes effect everywhere at once; all of it is logged."""

import asyncio
import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from bench.processes import Process
from quatuor.cli import app
from quatuor.server import clock
from quatuor.server.store.prune import SHORTEST, prune
from tests.server.client import Guest, Problem
from tests.server.test_lines import closed
from tests.server.test_play import duel

SECRET = "correct horse"


def admin(store: str, *arguments: str) -> object:
    """What ``quatuor admin`` prints; run within this process, which is much faster than a new one."""
    done = CliRunner().invoke(app, ["admin", *arguments, "--store", store, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def admin_process(store: str, *arguments: str) -> None:
    """``quatuor admin`` in a separate process."""
    command = [sys.executable, "-m", "quatuor.cli", "admin", *arguments, "--store", store]
    subprocess.run(command, capture_output=True, text=True, check=True)


async def moderator(address: str, store: str, name: str = "Judge") -> Guest:
    guest = Guest(address)
    await guest.post("/account", {"name": name, "password": SECRET})
    await asyncio.to_thread(admin, store, "grant", name, "moderator")
    return guest


async def reported(ada: Guest, bob: Guest, words: str = "something nasty") -> tuple[str, "object"]:
    """A table where Bob said something that Ada has reported."""
    table = await duel(ada, bob)
    line = await bob.connect(table)
    for said in ("hello there", words):
        assert (await line.ask("say", words=said))["t"] == "ack"
    await ada.post(f"/tables/{table}/report", {"number": 1})
    return table, line


async def decide(judge: Guest, report: int, action: str, **more) -> dict:
    return await judge.post(f"/moderation/reports/{report}", {"action": action, **more})


async def open_report(judge: Guest) -> int:
    return (await judge.get("/moderation/reports"))["reports"][0]["id"]


async def test_only_moderators_see_and_decide(start_any_server, store_url):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await reported(ada, bob)
    judge = await moderator(server.address, store_url)
    number = await open_report(judge)
    for guest in (ada, bob):
        for path in ("/reports", f"/reports/{number}", "/people/abc", "/log"):
            with pytest.raises(Problem, match=r"403.*not_moderator"):
                await guest.get(f"/moderation{path}")
        with pytest.raises(Problem, match=r"403.*not_moderator"):
            await decide(guest, number, "dismiss")
    found = await judge.get(f"/moderation/reports/{number}")
    assert (found["said"], [message["words"] for message in found["chat"]]) == (
        "something nasty",
        ["hello there", "something nasty"],
    )
    assert len(found["history"]["reports"]) == 1
    await decide(judge, number, "dismiss")
    assert (await judge.get("/moderation/reports"))["reports"] == []
    assert (await judge.get("/moderation/reports?closed=true"))["reports"][0]["id"] == number
    await asyncio.to_thread(admin, store_url, "revoke", "judge", "moderator")
    with pytest.raises(Problem, match=r"403.*not_moderator"):
        await judge.get("/moderation/reports")


async def test_a_removed_message_is_hidden_from_everyone_and_stays_in_the_event_log(start_any_server, store_url):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    table, _line = await reported(ada, bob)
    a = await ada.connect(table)
    version = a.table["version"]
    judge = await moderator(server.address, store_url)
    await decide(judge, await open_report(judge), "remove")
    assert (await a.event("chat_removed"))["number"] == 1
    assert a.table["chat"] == (await ada.get(f"/tables/{table}"))["chat"]
    assert (a.table["chat"][1]["words"], a.table["chat"][1]["removed"]) == (None, True)
    shown = json.dumps(await ada.get(f"/tables/{table}"))
    late = await bob.connect(table, since=version - 2)
    await late.event("presence")
    assert "nasty" not in shown + json.dumps(late.received)
    assert "hello there" in json.dumps(late.received)
    server = await asyncio.to_thread(start_any_server)
    again = Guest(server.address)
    assert "nasty" not in json.dumps(await again.get(f"/tables/{table}"))
    kept = await server.services.store.load(table)
    assert [event.data.get("words") for event in kept.events if event.kind == "chat"][1] == "something nasty"


async def test_a_mute_and_a_warning(start_any_server, store_url, monkeypatch):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    _, line = await reported(ada, bob)
    judge = await moderator(server.address, store_url)
    number = await open_report(judge)
    with pytest.raises(Problem, match=r"400.*bad_request"):
        await decide(judge, number, "mute", hours=1)
    await decide(judge, number, "warn", reason="be kind")
    await decide(judge, number, "mute", hours=1, reason="again")
    refused = await line.ask("say", words="hi")
    assert (refused["code"], refused["detail"]["reason"]) == ("muted", "again")
    assert (await line.move("a", seat=0))["code"] == "not_your_seat", "playing continues"
    mine = (await bob.get("/me/sanctions"))["sanctions"]
    assert [(row["kind"], row["reason"]) for row in mine] == [("warn", "be kind"), ("mute", "again")]
    later = clock.now() + 3_700_000
    monkeypatch.setattr("quatuor.server.sanctions.now", lambda: later)
    assert (await line.ask("say", words="hi"))["t"] == "ack", "it has expired"


async def test_an_account_does_not_end_a_guests_mute_or_block(start_any_server, store_url):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    table, _ = await reported(ada, bob)
    await ada.post("/me/blocked", {"table": table, "seat": 1})
    judge = await moderator(server.address, store_url)
    await decide(judge, await open_report(judge), "mute", reason="enough")
    await decide(
        judge, (await judge.get("/moderation/reports?closed=true"))["reports"][0]["id"], "mute", reason="more", hours=1
    )
    await bob.post("/account", {"name": "Bob", "password": SECRET})
    await ada.post("/account", {"name": "Ada", "password": SECRET})
    await server.services.sanctions.refresh()
    refused = await (await bob.connect(table)).ask("say", words="hi")
    assert (refused["code"], refused["detail"]["until"]) == ("muted", None), "the longest counts"
    assert [row["name"] for row in (await ada.get("/me/blocked"))["blocked"]] == ["Bob"]
    listed = await ada.post("/tables", {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "open"}], "listed": True})
    with pytest.raises(Problem, match=r"403.*blocked"):
        await bob.post(f"/tables/{listed['id']}/join", {})


async def test_a_ban_closes_sockets_and_refuses_everything_until_it_is_lifted(start_any_server, store_url):
    server = start_any_server()
    ada, bob, eve = (Guest(server.address) for _ in range(3))
    await bob.post("/account", {"name": "Bob", "password": SECRET})
    table, line = await reported(ada, bob)
    bot = await bob.post("/bots", {"name": "Bobby"})
    judge = await moderator(server.address, store_url)
    await decide(judge, await open_report(judge), "ban", hours=24, reason="enough")
    assert await closed(line) == 1008
    assert line.received[-1]["code"] == "banned" or any(m.get("code") == "banned" for m in line.received)
    for attempt in (
        bob.open("plus4", "me", "open"),
        bob.post(f"/tables/{table}/rematch"),
        bob.post("/account/session", {"name": "Bob", "password": SECRET}),
        eve.post("/account/session", {"name": "Bob", "password": SECRET}),
    ):
        with pytest.raises(Problem, match=r"403.*banned"):
            await attempt
    program = Guest(server.address)
    program.http.headers["authorization"] = f"Bearer {bot['token']}"
    with pytest.raises(Problem, match=r"403.*banned"):
        await program.open("plus4", "me", "open")
    assert (await bob.connect(table)).received[0]["code"] == "banned"
    await ada.open("plus4", "me", "open")
    for sanction in await server.services.moderation.in_force(clock.now()):
        await judge.http.delete(f"/api/moderation/sanctions/{sanction['id']}")
    await bob.open("plus4", "me", "open")
    log = (await judge.get("/moderation/log"))["log"]
    assert {"grant", "ban", "lift"} == {row["action"] for row in log}


async def test_a_network_is_banned_with_a_guest(start_any_server, store_url):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    _, _line = await reported(ada, bob)
    judge = await moderator(server.address, store_url)
    number = await open_report(judge)
    await decide(judge, number, "ban", reason="enough", network=True)
    with pytest.raises(Problem, match=r"403.*banned"):
        await Guest(server.address).open("plus4", "me", "open")
    assert (await judge.get("/me"))["moderator"]
    sanctions = (await judge.get(f"/moderation/reports/{number}"))["history"]["sanctions"]
    for sanction in sanctions:  # by a moderator who is in the same network
        assert (await judge.http.delete(f"/api/moderation/sanctions/{sanction['id']}")).status_code == 200
    await Guest(server.address).open("plus4", "me", "open")
    last, *_ = (await judge.get("/moderation/log"))["log"]
    assert (last["action"], last["moderator_name"]) == ("lift", "Judge")


async def test_the_ban_of_a_network_ends(start_any_server, store_url, monkeypatch):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await reported(ada, bob)
    judge = await moderator(server.address, store_url)
    await decide(judge, await open_report(judge), "ban", hours=2, reason="enough", network=True)
    banned = clock.now()
    with pytest.raises(Problem, match=r"403.*banned") as refused:
        await Guest(server.address).open("plus4", "me", "open")
    assert abs(refused.value.detail["until"] - banned - 7_200_000) < 600_000
    monkeypatch.setattr("quatuor.server.sanctions.now", lambda: refused.value.detail["until"] + 1)
    for guest in (Guest(server.address), bob):
        await guest.open("plus4", "me", "open")


async def test_the_log_of_moderation_only_grows(start_any_server, store_url):
    """Whatever is decided, lifted, deleted or pruned afterwards, what it says stays as it is."""
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await bob.post("/account", {"name": "Bob", "password": SECRET})
    _, line = await reported(ada, bob)
    judge = await moderator(server.address, store_url)
    number = await open_report(judge)
    found: list[dict] = await asyncio.to_thread(admin, store_url, "log")
    for action in ("warn", "mute", "remove", "rename", "ban", "dismiss"):
        await decide(judge, number, action, reason="enough")
        entries = await asyncio.to_thread(admin, store_url, "log")
        assert (entries[1:], entries[0]["action"]) == (found, action)
        found = entries
    assert await closed(line) == 1008
    for sanction in (await judge.get(f"/moderation/reports/{number}"))["history"]["sanctions"]:
        if sanction["kind"] in ("mute", "ban"):
            await judge.http.delete(f"/api/moderation/sanctions/{sanction['id']}")
    for guest in (bob, judge):
        assert (await guest.http.request("DELETE", "/api/account", json={"password": SECRET})).status_code < 300
    await asyncio.to_thread(prune, server.services.store.engine, SHORTEST, dry_run=False)
    entries = await asyncio.to_thread(admin, store_url, "log")
    assert entries[-len(found) :] == found
    assert [entry["action"] for entry in entries[: -len(found)]] == ["lift", "lift"]


async def test_reports_of_one_visitor_are_limited(start_any_server):
    server = start_any_server(budgets={"reports": 6})
    ada, bob = Guest(server.address), Guest(server.address)
    table, _ = await reported(ada, bob)
    await ada.post(f"/tables/{table}/report", {"number": 0})
    with pytest.raises(Problem, match=r"429.*reports"):
        await ada.post(f"/tables/{table}/report", {"number": 0})


async def test_a_moderator_renames_and_cannot_be_moderated_by_another(start_any_server, store_url):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await bob.http.put("/api/me", json={"name": "Nasty name"})
    table, _ = await reported(ada, bob)
    judge = await moderator(server.address, store_url)
    await decide(judge, await open_report(judge), "rename")
    assert (await ada.get(f"/tables/{table}"))["seats"][1]["name"].startswith("Guest ")
    other = await moderator(server.address, store_url, "Second")
    table, _line = await reported(ada, other)
    for one in (judge, other):
        with pytest.raises(Problem, match=r"403.*protected"):
            await decide(one, await open_report(judge), "ban", reason="coup")


async def test_the_command_line_decides_on_a_running_servers_store(start_any_server, store_url):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    _, line = await reported(ada, bob)
    (report,) = await asyncio.to_thread(admin, store_url, "reports")
    ban = ("decide", "ban", "--report", str(report["id"]), "--reason", "enough")
    await asyncio.to_thread(admin_process, store_url, *ban)
    assert await closed(line) == 1008
    assert await asyncio.to_thread(admin, store_url, "reports") == []
    history = await asyncio.to_thread(admin, store_url, "person", report["author"])
    assert [row["kind"] for row in history["sanctions"]] == ["ban"]
    await asyncio.to_thread(admin, store_url, "lift", str(history["sanctions"][0]["id"]))
    log = await asyncio.to_thread(admin, store_url, "log")
    assert [(row["moderator"], row["action"]) for row in log] == [("operator", "lift"), ("operator", "ban")]


async def test_what_the_command_line_removes_and_renames_disappears_from_a_running_server(start_any_server, store_url):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await bob.http.put("/api/me", json={"name": "Nasty name"})
    table, _ = await reported(ada, bob)
    a = await ada.connect(table)
    (report,) = await asyncio.to_thread(admin, store_url, "reports")
    await asyncio.to_thread(admin_process, store_url, "decide", "remove", "--report", str(report["id"]))
    assert (await a.event("chat_removed"))["number"] == 1
    await asyncio.to_thread(admin_process, store_url, "decide", "rename", "--guest", report["author"])
    await a.until(lambda _: a.table["seats"][1]["name"].startswith("Guest "))
    assert "asty" not in json.dumps([a.table, await ada.get(f"/tables/{table}")])


def test_reports_reads_the_given_store_and_creates_none(tmp_path):
    for command in (["reports"], ["admin", "reports"]):
        done = subprocess.run(
            [sys.executable, "-m", "quatuor.cli", *command],
            capture_output=True, text=True, env={"QUATUOR_STORE": str(tmp_path / "nothing.sqlite"), "PATH": ""},
        )  # fmt: skip
        assert done.returncode == 2
        assert "nothing.sqlite" in done.stderr.replace("\n", "")
        assert not (tmp_path / "nothing.sqlite").exists()


async def test_a_ban_reaches_every_process(postgres, tmp_path):
    url = postgres.database()
    one, two = (Process(url, tmp_path / "secret") for _ in range(2))
    try:
        ada, bob = Guest(one.address), Guest(two.address)
        await bob.get("/me")
        _table, line = await reported(ada, bob)
        judge = await moderator(one.address, url)
        await decide(judge, await open_report(judge), "ban", reason="enough")
        assert await closed(line) == 1008
        with pytest.raises(Problem, match=r"403.*banned"):
            await bob.open("plus4", "me", "open")
    finally:
        for process in (one, two):
            process.stop()
