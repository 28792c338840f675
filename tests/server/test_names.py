"""Names: no name looks like that of an account, an engine or another guest, in any spelling."""

import asyncio
import sqlite3

import pytest

from quatuor.server.names import looks, nameless, proper_name
from quatuor.table import Refused
from tests.server.client import Guest, Problem

SECRET = "correct horse"


async def rename(guest: Guest, name: str) -> dict:
    return guest._json(await guest.http.put("/api/me", json={"name": name}))


def reason(name: str) -> str | None:
    with pytest.raises(Refused) as caught:
        proper_name(name, "0123")
    assert caught.value.code == "bad_name"
    return caught.value.detail.get("reason")


@pytest.mark.parametrize(
    "name",
    ["Engine 8", "engine, level 3", "ENGINE", "Еngine 8", "Engіne 8", "Computer, Stufe 2",
     "Machine, niveau 5", "Ｅｎｇｉｎｅ 8", "Guest 1234", "Gast 12", "Moderator", "Adm1n", "Quatuor"],
)  # fmt: skip
def test_names_of_engines_guests_and_staff_are_reserved(name):
    assert reason(name) in ("reserved", "mixed_scripts")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Ada\u200b", "invisible_characters"),
        ("A\u2060da", "invisible_characters"),
        ("\u3164", "invisible_characters"),
        ("\u202eada", "invisible_characters"),
        ("A\x07da", "control_characters"),
        ("Аda", "mixed_scripts"),
        ("Adα", "mixed_scripts"),
        ("A\u0335\u0336\u0337\u0338da", "too_many_marks"),
    ],
)
def test_unreadable_text_is_refused(name, why):
    assert reason(name) == why


@pytest.mark.parametrize(
    "name", ["Ada", "José", "Łukasz", "Вова", "Αθηνά", "山田 Taro", "김민수", "עדה", "Ada ❤️", "Zoë 2"]
)
def test_names_in_any_script_are_accepted(name):
    assert proper_name(name)


def test_a_guest_keeps_the_number_it_was_given():
    assert proper_name(nameless("0123"), "0123") == nameless("0123")


@pytest.mark.parametrize("other", ["ADA 1O", "Ada.10", "Ada l0", "ada  10", "Аdа 1О", "Ａｄａ 10"])
def test_look_alike_names_are_equal(other):
    assert looks("Ada 10") & looks(other)
    assert not looks("Ada 10") & looks("Ada 12")


async def test_a_guest_cannot_use_an_accounts_name(start_any_server):
    server = start_any_server()
    ada, bob, eve = (Guest(server.address) for _ in range(3))
    await rename(eve, "Lovelace")
    table = await eve.open("plus4", "me", "open")
    await ada.post("/account", {"name": "Lovelace", "password": SECRET})
    for name in ("lovelace", "Love1ace", "LoveIace", "Lovelace!"):
        with pytest.raises(Problem, match=r"409.*name_taken"):
            await rename(bob, name)
        with pytest.raises(Problem, match=r"409.*name_taken"):
            await bob.post("/account", {"name": name, "password": SECRET})
        with pytest.raises(Problem, match=r"409.*name_taken"):
            await bob.post("/bots", {"name": name})
    assert (await eve.get("/me"))["name"].startswith("Guest "), "a guest who had the name before loses it"
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})


async def test_an_accounts_names_are_unique_and_marked(start_any_server):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    await ada.post("/account", {"name": "Lovelace", "password": SECRET})
    await rename(ada, "Countess")
    for name in ("Countess", "Lovelace"):
        with pytest.raises(Problem, match=r"409.*name_taken"):
            await rename(bob, name)
    await rename(ada, "Lovelace")
    await rename(bob, "Countess")
    kinds = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}, {"kind": "engine", "level": 1}]
    table = (await ada.post("/tables", {"game": "blokus", "seats": kinds, "listed": True}))["id"]
    await bob.post(f"/tables/{table}/join", {})
    seats = (await bob.get(f"/tables/{table}"))["seats"]
    assert [seat["account"] for seat in seats] == [True, False, False, False]
    (card,) = (await bob.get("/lobby"))["tables"]
    assert [seat["account"] for seat in card["seats"]] == [True, False, False, False]


async def test_of_two_who_sign_up_with_look_alikes_one_succeeds(start_any_server):
    server = start_any_server()
    guests = [Guest(server.address) for _ in range(4)]
    names = ("Iris", "lris", "1ris", "|ris")
    answers = await asyncio.gather(
        *(
            guest.http.post("/api/account", json={"name": name, "password": SECRET})
            for guest, name in zip(guests, names, strict=True)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


async def test_accounts_of_earlier_releases_keep_their_names(start_server, tmp_path):
    server = start_server()
    ada = Guest(server.address)
    await ada.post("/account", {"name": "Lovelace", "password": SECRET})
    server.close()
    with sqlite3.connect(tmp_path / "games.sqlite") as old:
        later = ("ratings", "rated_games", "profiles", "solved_puzzles", "addresses", "mails")
        moderation = ("networks", "moderation_log", "sanctions", "blocks", "roles", "recovery_codes", "account_names")
        for name in later + moderation:
            old.execute(f"DROP TABLE {name}")
        old.execute("ALTER TABLE reports DROP COLUMN closed")
        old.execute("ALTER TABLE sessions DROP COLUMN agent")
        old.execute("UPDATE alembic_version SET version_num = '0006'")
    bob = Guest((await asyncio.to_thread(start_server)).address)
    with pytest.raises(Problem, match=r"409.*name_taken"):
        await rename(bob, "LoveIace")
