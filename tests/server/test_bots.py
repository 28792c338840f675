"""Programs as players: tokens, and the bot of examples/."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
import websockets

from quatuor.server.bots import Bots
from quatuor.server.guests import Guests
from quatuor.server.sessions import Sessions
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.session_rows import SessionRows
from tests.server.client import Connection, Guest, Problem

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def program(ada: Guest, token: str) -> Guest:
    """A program that sends a token instead of a cookie."""
    guest = Guest(ada.address)
    guest.http.headers["Authorization"] = f"Bearer {token}"
    return guest


async def seated(ada: Guest, bot: Guest) -> str:
    table = await ada.open("plus4", "me", "open")
    assert await bot.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]}) == {"seat": 1}
    return table["id"]


async def line_of(bot: Guest, table: str) -> Connection:
    return await bot.connect(table, Authorization=bot.http.headers["Authorization"])


async def test_a_bot_joins_by_invitation_and_plays(ada):
    made = await ada.post("/bots", {"name": "Deep Thought"})
    bot = program(ada, made["token"])
    assert (await bot.get("/me"))["name"] == "Deep Thought"
    table = await seated(ada, bot)
    assert bot.http.cookies == {}, "a bot needs no cookie"
    a, b = await ada.connect(table), await line_of(bot, table)
    assert [seat["bot"] for seat in a.table["seats"]] == [False, True]
    assert (b.table["you"], b.table["seats"][1]["name"]) == ([1], "Deep Thought")
    await a.move("a")
    await b.event("move")
    assert (await b.move("b"))["t"] == "ack"
    assert (await b.move("b", seat=0))["code"] == "not_your_seat"


async def test_a_revoked_token_is_refused_at_once(ada, eve):
    made = await ada.post("/bots", {"name": "Bot"})
    bot = program(ada, made["token"])
    table = await seated(ada, bot)
    line = await line_of(bot, table)
    assert [b["id"] for b in (await ada.get("/bots"))["bots"]] == [made["id"]]
    await eve.get("/me")
    assert (await eve.http.delete(f"/api/bots/{made['id']}")).status_code == 404, "someone else's bot"
    assert (await ada.http.delete(f"/api/bots/{made['id']}")).status_code == 200
    assert await line.until(lambda m: m["t"] == "bye") == {"t": "bye", "code": "bad_token"}
    with pytest.raises(websockets.ConnectionClosed, match="1008"):
        await line.receive()
    assert (await ada.get("/bots"))["bots"] == []
    with pytest.raises(Problem, match=r"401.*bad_token"):
        await bot.get("/me")
    with pytest.raises(websockets.InvalidStatus) as caught:
        await line_of(bot, table)
    assert caught.value.response.status_code == 403


async def test_the_store_keeps_no_token(ada, server):
    made = await ada.post("/bots", {"name": "Bot"})
    with server.services.store.engine.connect() as connection:
        for relation in ("tokens", "guests"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {relation}").all()
            assert made["token"] not in str(rows)
            assert made["token"].removeprefix("qt_") not in str(rows)


@pytest.mark.parametrize("token", ["qt_", "qt_guess", "é", "x" * 5000])
async def test_invalid_tokens_are_refused(ada, token):
    response = await ada.http.get("/api/me", headers={b"Authorization": b"Bearer " + token.encode()})
    assert (response.status_code, response.json()["error"]["code"]) == (401, "bad_token")


async def test_an_account_has_at_most_twenty_bots_and_a_bot_has_none(ada):
    made = [await ada.post("/bots", {"name": f"Bot {n}"}) for n in range(20)]
    with pytest.raises(Problem, match=r"409.*too_many_bots"):
        await ada.post("/bots", {"name": "one more"})
    with pytest.raises(Problem, match=r"403.*not_for_bots"):
        await program(ada, made[0]["token"]).post("/bots", {"name": "child"})
    with pytest.raises(Problem, match=r"400.*bad_name"):
        await ada.post("/bots", {"name": " "})


async def let_play(ada: Guest, table: dict) -> list[subprocess.Popen]:
    """The bot of the examples in both seats of a table."""
    running = []
    for seat, token in table["invites"].items():
        bot = await ada.post("/bots", {"name": f"Random {seat}"})
        link = f"http://{ada.address}/t/{table['id']}?join={token}"
        running.append(
            subprocess.Popen([sys.executable, str(BOT), link, bot["token"]], stdout=-1, stderr=-1, text=True)
        )
    return running


async def test_the_bot_of_the_examples_plays_a_whole_game(ada):
    assert len(BOT.read_text().splitlines()) <= 36
    table = await ada.open("plus4", "open", "open")
    for process in await let_play(ada, table):
        out, err = await asyncio.to_thread(process.communicate)
        assert out.startswith("places: ["), err
    assert (await ada.get(f"/tables/{table['id']}"))["over"]


async def test_the_bot_of_the_examples_gives_secret_orders(ada):
    table = await ada.open("trois_six", "open", "open")
    running = await let_play(ada, table)
    line = await ada.connect(table["id"])
    await line.until(lambda _: len(line.table["history"]) >= 3)
    for process in running:
        process.kill()
        process.communicate()


async def test_tokens_are_kept_by_both_kinds_of_store(store_url, tmp_path):
    store = await asyncio.to_thread(Store, Settings(store=store_url).url)
    bots = Bots(store, Guests(tmp_path / "secret", store, Sessions(SessionRows(store), Settings())))
    made = await bots.make("ada", "Bot")
    assert (await bots.whose(made["token"])).startswith("bot-")
    assert [bot["name"] for bot in await bots.of("ada")] == ["Bot"]
    await bots.revoke("ada", made["id"])
    assert await bots.whose(made["token"]) is None
    store.close()
