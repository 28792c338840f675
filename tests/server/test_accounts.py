"""Accounts: sign up with the games played so far, sign in, out, change, delete; sessions end when they should."""

import asyncio
import json

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import select

from quatuor.server import clock
from quatuor.server.accounts import fits_nothing
from quatuor.server.store.schema import metadata
from tests.server.client import Guest, Problem, cheap_hasher
from tests.server.test_lines import closed

SECRET = "correct horse"


@pytest.fixture
def names(request):
    """Names that no other test has."""
    return [f"{who} {abs(hash(request.node.name)) % 10**6}" for who in ("Ada", "Bob")]


async def sign_up(guest: Guest, name: str) -> dict:
    return await guest.post("/account", {"name": name, "password": SECRET})


async def sign_in(guest: Guest, name: str, password: str = SECRET, keep: bool = False) -> dict:
    return await guest.post("/account/session", {"name": name, "password": password, "keep": keep})


async def send(guest: Guest, method: str, path: str, content=None) -> dict:
    return guest._json(await guest.http.request(method, f"/api{path}", json=content))


async def test_signing_up_keeps_the_games_and_they_are_there_on_another_device(ada, bob, server, names):
    table = await ada.open("plus4", "me", "open")
    line = await ada.connect(table["id"])
    await line.move("a", ack="before")
    before = ada.http.cookies["quatuor"]
    answer = await sign_up(ada, names[0])
    assert (answer["name"], answer["account"], len(set(answer["recovery"]))) == (names[0], names[0], 10)
    assert await closed(line) == 1012, "that connection was the guest's"
    line = await ada.connect(table["id"])
    assert (line.table["you"], line.table["seats"][0]["name"]) == ([0], names[0])
    assert line.table["invites"] == table["invites"]
    assert (await line.ask("move", "before", ply=0, seat=0, move="a"))["t"] == "ack", "carried out once"
    assert (await ada.get("/me/games"))["games"][0]["id"] == table["id"]
    assert (await sign_in(bob, names[0].upper()))["name"] == names[0]
    assert (await bob.get(f"/tables/{table['id']}"))["you"] == [0]
    old = Guest(server.address)
    old.http.cookies.set("quatuor", before)
    assert (await old.get(f"/tables/{table['id']}"))["you"] == [], "the guest's cookie is no longer valid"


async def test_signing_in_takes_a_guests_games_along_only_on_request(ada, bob, eve, names):
    await sign_up(ada, names[0])
    for guest, keep in ((bob, True), (eve, False)):
        table = (await guest.open("plus4", "me", "me"))["id"]
        await sign_in(guest, names[0], keep=keep)
        assert (await guest.get(f"/tables/{table}"))["you"] == ([0, 1] if keep else [])
        ids = [game["id"] for game in (await ada.get("/me/games"))["games"]]
        assert (table in ids) == keep


async def test_signing_out_here_and_everywhere(ada, bob, eve, names):
    await sign_up(ada, names[0])
    table = (await ada.open("plus4", "me", "me"))["id"]
    for guest in (bob, eve):
        await sign_in(guest, names[0])
    stolen = Guest(ada.address)
    stolen.http.cookies.set("quatuor", ada.http.cookies["quatuor"])
    line = await stolen.connect(table)
    await send(ada, "DELETE", "/account/session")
    assert (await ada.get("/me"))["account"] is None
    assert await closed(line) == 1012
    assert (await stolen.get(f"/tables/{table}"))["you"] == []
    assert (await bob.get(f"/tables/{table}"))["you"] == [0, 1]
    await send(bob, "DELETE", "/account/session?everywhere=true")
    assert (await eve.get("/me"))["account"] is None


async def test_another_password_signs_out_everywhere_else(ada, bob, eve, names):
    await sign_up(ada, names[0])
    await sign_in(bob, names[0])
    with pytest.raises(Problem, match=r"401.*wrong_password"):
        await send(ada, "PUT", "/account/password", {"old": "guess guess", "new": "something else"})
    await send(ada, "PUT", "/account/password", {"old": SECRET, "new": "something else"})
    assert (await ada.get("/me"))["account"] == names[0]
    assert (await bob.get("/me"))["account"] is None
    with pytest.raises(Problem, match=r"401.*wrong_password"):
        await sign_in(eve, names[0])
    assert (await sign_in(eve, names[0], "something else"))["account"] == names[0]


async def test_a_deleted_account_leaves_its_games_without_its_name(ada, bob, names):
    await sign_up(ada, names[0])
    table = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    with pytest.raises(Problem, match=r"401.*wrong_password"):
        await send(ada, "DELETE", "/account", {"password": "guess guess"})
    await send(ada, "DELETE", "/account", {"password": SECRET})
    assert (await ada.get("/me"))["account"] is None
    seats = (await bob.get(f"/tables/{table['id']}"))["seats"]
    assert seats[0]["name"].startswith("Guest ")
    with pytest.raises(Problem, match=r"401.*wrong_password"):
        await sign_in(ada, names[0])
    await sign_up(bob, names[0])  # the name is free again
    assert (await bob.get(f"/tables/{table['id']}"))["you"] == [1], "and gives no seat of the former owner"


async def test_a_name_is_taken_once_in_all_its_spellings(ada, bob, names):
    await sign_up(ada, names[0])
    for alike in (names[0].upper(), f"  {names[0]} ", names[0].replace("A", "\uff21")):
        with pytest.raises(Problem, match=r"409.*name_taken"):
            await sign_up(bob, alike)
    with pytest.raises(Problem, match=r"409.*signed_in"):
        await sign_up(ada, names[1])


@pytest.mark.parametrize("hasher", [PasswordHasher(), cheap_hasher()], ids=["real", "cheap"])
def test_a_name_that_does_not_exist_is_checked_like_any_other(hasher):
    """An answer that came sooner would tell which names exist."""
    nobody = fits_nothing(hasher)
    assert extract_parameters(nobody) == extract_parameters(hasher.hash("a password"))
    with pytest.raises(VerifyMismatchError):  # after all the work, not because it cannot be read
        hasher.verify(nobody, "a password")


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        ("", SECRET, "bad_name"),
        ("x" * 25, SECRET, "bad_name"),
        ("Zed", "short", "bad_password"),
        ("Zed", "x" * 201, "bad_request"),
    ],
)
async def test_names_and_passwords_that_are_refused(ada, name, password, code):
    with pytest.raises(Problem) as caught:
        await ada.post("/account", {"name": name, "password": password})
    assert (caught.value.status, caught.value.code) == (400, code)


async def test_account_changes_need_a_session(ada):
    for method, path, content in (
        ("PUT", "/account/password", {"old": SECRET, "new": SECRET}),
        ("DELETE", "/account", {"password": SECRET}),
    ):
        with pytest.raises(Problem, match=r"401.*not_signed_in"):
            await send(ada, method, path, content)
    assert await send(ada, "DELETE", "/account/session") == {"ok": True}


async def guess(guest: Guest, name: str, times: int) -> list[int]:
    content = {"name": name, "password": "guess guess"}
    return [(await guest.http.post("/api/account/session", json=content)).status_code for _ in range(times)]


async def test_guessing_is_limited_by_network_and_name(start_server, names):
    server = start_server(sign_ins=(3, 0.001))
    owner, guesser = Guest(server.address), Guest(server.address)
    await sign_up(owner, names[0])
    assert await guess(guesser, names[0], 4) == [401, 401, 429, 429]


async def test_guesses_from_elsewhere_do_not_lock_the_owner_out(start_server, names):
    server = start_server(sign_ins=(5, 0.001), proxies=("127.0.0.1",))
    owner, guesser, elsewhere = (Guest(server.address) for _ in range(3))
    for guest, address in ((owner, "192.0.2.1"), (guesser, "192.0.2.2"), (elsewhere, "192.0.2.3")):
        guest.http.headers["x-forwarded-for"] = address
    await sign_up(owner, names[0])
    await send(owner, "DELETE", "/account/session")
    assert (await guess(guesser, names[0], 12))[-1] == 429
    assert (await sign_in(elsewhere, names[0]))["account"] == names[0], "another network has separate attempts"
    owner.http.headers["x-forwarded-for"] = "192.0.2.2"
    assert (await sign_in(owner, names[0]))["account"] == names[0], "so has a browser that was signed in before"
    owner.http.cookies.delete("quatuor_device")
    with pytest.raises(Problem, match=r"429.*rate_limited"):
        await sign_in(owner, names[0])


async def test_guesses_from_many_networks_are_limited_and_a_known_browser_gets_in(start_server, names):
    server = start_server(sign_ins=(2, 0.001), proxies=("127.0.0.1",))
    owner, guesser = Guest(server.address), Guest(server.address)
    await sign_up(owner, names[0])
    answers = []
    for number in range(25):
        guesser.http.headers["x-forwarded-for"] = f"198.51.100.{number}"
        answers += await guess(guesser, names[0], 1)
    assert (answers[:20], answers[20:]) == ([401] * 20, [429] * 5)
    assert (await sign_in(owner, names[0]))["account"] == names[0]


async def test_a_forged_or_foreign_device_cookie_is_ignored(start_server, names):
    server = start_server(sign_ins=(2, 0.001), proxies=("127.0.0.1",))
    owner, thief = Guest(server.address), Guest(server.address)
    owner.http.headers["x-forwarded-for"] = "192.0.2.1"
    await sign_up(owner, names[0])
    await sign_up(thief, names[1])
    assert (await guess(thief, names[0], 3))[-1] == 429
    value, _, signature = owner.http.cookies["quatuor_device"].rpartition(".")
    forged = ("A" if signature[0] != "A" else "B") + signature[1:]  # some bits of the last character are not used
    thief.http.cookies.set("quatuor_device", f"{value}.{forged}")
    assert (await guess(thief, names[0], 1)) == [429]


@pytest.mark.parametrize("password", ["password1", "PASSWORD1", "12345678", "aaaaaaaaaa", "Ada the 2nd"])
async def test_common_passwords_are_refused(ada, password):
    with pytest.raises(Problem, match=r"400.*bad_password"):
        await ada.post("/account", {"name": "Ada the 2nd", "password": password})


async def test_a_recovery_code_sets_a_new_password_once(start_any_server, store_url, tmp_path):
    server = start_any_server()
    ada, bob, eve = (Guest(server.address) for _ in range(3))
    codes = (await sign_up(ada, "Ada"))["recovery"]
    recovery = {"name": "ada", "code": codes[0].upper().replace("-", " "), "password": "something else"}
    with pytest.raises(Problem, match=r"400.*bad_password"):
        await bob.post("/account/recovery", {**recovery, "password": "password1"})
    with pytest.raises(Problem, match=r"401.*wrong_code"):
        await bob.post("/account/recovery", {**recovery, "code": "abcd-efgh-jkmn-pqrs"})
    answer = await bob.post("/account/recovery", recovery)
    assert (answer["account"], answer["left"]) == ("Ada", 9)
    assert (await ada.get("/me"))["account"] is None, "all other sessions are signed out"
    with pytest.raises(Problem, match=r"401.*wrong_code"):
        await eve.post("/account/recovery", recovery)
    with pytest.raises(Problem, match=r"401.*wrong_password"):
        await sign_in(eve, "Ada")
    assert (await sign_in(eve, "Ada", "something else"))["account"] == "Ada"
    renewed = (await eve.post("/account/recovery-codes", {"password": "something else"}))["recovery"]
    with pytest.raises(Problem, match=r"401.*wrong_code"):
        await ada.post("/account/recovery", {**recovery, "code": codes[1]})
    assert (await ada.post("/account/recovery", {**recovery, "code": renewed[1]}))["left"] == 9


async def test_sessions_are_listed_and_closed_one_by_one(start_any_server):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    bob.http.headers["user-agent"] = "Some browser"
    await sign_up(ada, "Ada")
    await sign_in(bob, "Ada")
    table = (await ada.open("plus4", "me", "me"))["id"]
    line = await bob.connect(table)
    found = (await ada.get("/account/sessions"))["sessions"]
    assert sorted((row["here"], row["agent"] == "Some browser") for row in found) == [(False, True), (True, False)]
    there = next(row["id"] for row in found if not row["here"])
    left = (await send(ada, "DELETE", f"/account/sessions/{there}"))["sessions"]
    assert [row["here"] for row in left] == [True]
    assert await closed(line) == 1012
    assert (await bob.get("/me"))["account"] is None
    with pytest.raises(Problem, match=r"404.*not_found"):
        await send(ada, "DELETE", f"/account/sessions/{there}")
    with pytest.raises(Problem, match=r"401.*not_signed_in"):
        await bob.get("/account/sessions")


async def test_the_export_holds_only_the_owners_data(start_any_server):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await sign_up(ada, "Ada")
    table = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    await (await ada.connect(table["id"])).ask("say", words="hello from Ada")
    await (await bob.connect(table["id"])).ask("say", words="hello from Bob")
    await ada.post("/me/blocked", {"table": table["id"], "seat": 1})
    mine = await ada.get("/me/export")
    assert (mine["account"], [game["id"] for game in mine["games"]]) == ("Ada", [table["id"]])
    assert [message["data"]["words"] for message in mine["messages"]] == ["hello from Ada"]
    assert len(mine["blocked"]) == len(mine["sessions"]) == 1
    with pytest.raises(Problem, match="404"):
        await Guest(server.address).get("/me/export")


async def test_a_deleted_account_leaves_no_name_not_even_its_bots(start_any_server):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await sign_up(ada, "Zyxwvut")
    await bob.put("/me", {"name": "Bob"})
    bot = Guest(server.address)
    bot.http.headers["authorization"] = f"Bearer {(await ada.post('/bots', {'name': 'Zyxwvut bot'}))['token']}"
    table = await bob.open("plus4", "me", "open")
    await bot.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    b = await bob.connect(table["id"])
    await (await ada.connect(table["id"])).ask("say", words="I watch my bot")
    assert "Zyxwvut" in json.dumps(await bob.get(f"/tables/{table['id']}"))
    await send(ada, "DELETE", "/account", {"password": SECRET})
    await b.until(lambda _: b.table["seats"][1]["name"].startswith("Guest "))
    assert "Zyxwvut" not in json.dumps([b.table, await bob.get(f"/tables/{table['id']}")])
    await bob.get("/me/games")  # its summaries are written
    with server.services.store.engine.connect() as connection:
        for relation in metadata.sorted_tables:
            assert "zyxwvut" not in str(connection.execute(select(relation)).all()).lower(), relation.name


async def test_an_unused_session_ends_and_a_password_is_never_stored(start_server, tmp_path, monkeypatch, names):
    server = start_server(session_check=0)
    guest = Guest(server.address)
    await sign_up(guest, names[0])
    assert (await guest.get("/me"))["account"] == names[0]
    later = clock.now() + 91 * 86_400_000
    monkeypatch.setattr("quatuor.server.sessions.now", lambda: later)
    assert (await guest.get("/me"))["account"] is None
    await asyncio.to_thread(server.close)
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert SECRET.encode() not in kept
    assert b"$argon2id$" in kept


async def test_a_forged_session_is_refused(ada, bob, names):
    await sign_up(ada, names[0])
    table = (await ada.open("plus4", "me", "me"))["id"]
    value, _, signature = ada.http.cookies["quatuor"].rpartition(".")
    who, _, session = value.partition("~")
    for forged in (f"{who}.{signature}", f"{who}~.{signature}", f"{who}~{session[::-1]}.{signature}", who):
        line = await bob.connect(table, Cookie=f"quatuor={forged}")
        assert line.table["you"] == []
