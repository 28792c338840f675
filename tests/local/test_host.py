"""The host of tables without a server, run by CPython: the same code that a browser's worker runs."""

import asyncio
import json
import subprocess
import sys

import msgspec
import pytest

import quatuor
from quatuor.games import names, rulebook
from quatuor.local.host import Host
from quatuor.local.store import MemoryStore
from quatuor.puzzles import KINDS
from quatuor.server import answers

VARIANTS = [(name, variant.name) for name in names() for variant in rulebook(name).variants]


class Page:
    """A page that follows a table and sends its player's commands."""

    def __init__(self, host):
        self.host, self.received, self._acks = host, asyncio.Queue(), 0

    async def ask(self, method, path, body=None):
        reply = await self.host.request(method, path, None if body is None else json.dumps(body))
        content = reply.content if isinstance(reply.content, str) else "".join([part async for part in reply.content])
        return reply.status, json.loads(content) if reply.kind == "application/json" else content

    async def sit_down(self, game, variant=None, seats=None, **more):
        count = quatuor.new(game, variant).seats
        seats = seats or [{"kind": "me"}] + [{"kind": "engine", "level": 1}] * (count - 1)
        status, answer = await self.ask("POST", "/tables", {"game": game, "variant": variant, "seats": seats, **more})
        assert status == 201, answer
        self.id = answer["id"]
        await self.follow()
        return self

    async def follow(self, since=None):
        send = lambda text: self.received.put_nowait(json.loads(text))  # noqa: E731
        self.socket = await self.host.socket(self.id, since, send, lambda code: None)

    async def state(self):
        return (await self.ask("GET", f"/tables/{self.id}"))[1]

    async def my_turn(self):
        """The table once it waits for the page or is over."""
        while not ((table := await self.state())["legal"] or table["over"]):
            await asyncio.sleep(0.005)
        return table

    async def send(self, t, ack=None, **fields):
        self._acks += 1
        ack = ack or f"{id(self)} {self._acks}"
        await self.socket.receive(json.dumps({"t": t, "ack": ack, **fields}))
        while (frame := await asyncio.wait_for(self.received.get(), 20)).get("ack") != ack:
            pass
        return frame

    async def move(self, table, pick=0, **more):
        seat = next(iter(table["legal"]))
        move = table["legal"][seat][pick]
        return await self.send("move", ply=len(table["history"]), seat=int(seat), move=move, **more)


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def page(store):
    return Page(Host(store, "Ada", engine_pace=0))


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
async def test_a_few_turns_against_engines(page, game, variant):
    await page.sit_down(game, variant)
    for _ in range(3):
        table = await page.my_turn()
        assert (await page.move(table))["t"] == "ack"
    assert len((await page.my_turn())["history"]) >= 3


async def test_a_game_survives_the_end_of_the_worker(page, store):
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}])
    for _ in range(3):
        await page.move(await page.my_turn())
    before = await page.state()
    after = Page(Host(store, "Ada", engine_pace=0))
    after.id = page.id
    await after.follow()
    assert await after.state() == before


async def test_an_event_is_kept_before_the_page_sees_it(page, store):
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}])
    kept = []
    append = store.append

    async def slow(table, version, event):
        await asyncio.sleep(0.05)
        assert not any(frame["t"] == "event" for frame in page.received._queue)
        await append(table, version, event)
        kept.append(version)

    store.append = slow
    await page.move(await page.my_turn())
    assert kept == [1]


async def test_a_move_sent_twice_is_played_once(page):
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}])
    table = await page.my_turn()
    first = await page.move(table, ack="same")
    assert await page.move(table, ack="same") == first
    assert len((await page.state())["history"]) == 1


async def test_two_tabs_cannot_both_play_a_turn(page, store):
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}])
    other = Page(Host(store, "Ada", engine_pace=0))
    other.id = page.id
    await other.follow()
    table = await page.my_turn()
    assert (await page.move(table))["t"] == "ack"
    refused = await other.move(table, pick=1)
    assert refused["code"] == "stale_ply"
    assert (await other.state())["history"] == (await page.state())["history"]


async def test_taking_back_resigning_and_playing_again(page):
    await page.sit_down("plus4")
    await page.move(await page.my_turn())
    table = await page.my_turn()
    assert len(table["history"]) == 2
    assert (await page.send("undo", ply=2))["t"] == "ack"
    assert (await page.state())["history"] == []
    assert (await page.send("resign", seat=0))["t"] == "ack"
    _, games = await page.ask("GET", "/me/games?over=true&page=0")
    assert [(card["id"], card["status"], card["you"]) for card in games["games"]] == [(page.id, "over", [0])]
    status, answer = await page.ask("POST", f"/tables/{page.id}/rematch")
    assert status == 201
    again = (await page.ask("GET", f"/tables/{answer['id']}"))[1]
    assert [seat["kind"] for seat in again["seats"]] == ["engine", "human"]


async def test_a_hint(page):
    await page.sit_down("plus4")
    found = await page.send("hint", ply=0)
    assert found["t"] == "hint"
    assert {move["move"] for move in found["moves"]} <= set("abcd")


async def test_a_hint_at_a_server_table(page):
    game = quatuor.new("plus4")
    game.play("b")
    asked = {"text": game.record(), "ply": 1, "seat": 1}
    status, found = await page.ask("POST", "/hint", asked)
    assert status == 200
    assert {move["move"] for move in found["moves"]} <= set(game.legal(1))
    _, refused = await page.ask("POST", "/hint", asked | {"ply": 2})
    assert refused["error"]["code"] == "stale_ply"


@pytest.mark.parametrize("game", names())
async def test_a_search_stops_at_once(page, game):
    """A command is answered while an engine of the top level thinks."""
    others = quatuor.new(game).seats - 1
    await page.sit_down(game, seats=[{"kind": "me"}, *[{"kind": "engine", "level": 8}] * others])
    await page.move(await page.my_turn())
    await asyncio.sleep(0.3)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await page.send("undo", ply=len((await page.state())["history"]))
    assert loop.time() - began < 0.5  # on a busy machine; 0.05 is meant
    assert (await page.state())["history"] == []


async def test_a_game_from_a_record_continues(page):
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}], opening=[{"0": "b"}, {"1": "c"}])
    assert [turn["moves"] for turn in (await page.state())["history"]] == [{"0": "b"}, {"1": "c"}]


async def test_a_game_begins_at_a_position(page):
    game = quatuor.new("plus4")
    game.play("b")
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}], position=game.position)
    table = await page.state()
    assert (table["to_move"], table["history"]) == ([1], [])
    assert quatuor.load((await page.ask("GET", f"/tables/{page.id}/record"))[1]).position == game.position


async def test_on_one_device_no_other_player_is_asked(page):
    """People who share a device talk to each other: there is nothing to offer, and taking back needs no consent."""
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}])
    await page.move(await page.my_turn())
    await page.move(await page.my_turn())
    for kind in ("draw", "undo"):
        assert (await page.send("offer", kind=kind))["code"] == "no_offer"
    assert (await page.send("undo", ply=2))["t"] == "ack"
    assert len((await page.state())["history"]) == 1


async def test_commands_for_other_people_need_the_server(page):
    seats = [{"kind": "me"}, {"kind": "open"}]
    status, answer = await page.ask("POST", "/tables", {"game": "plus4", "seats": seats})
    assert (status, answer["error"]["code"]) == (503, "needs_server")
    assert (await page.ask("GET", "/lobby"))[0] == 404


async def test_the_catalogue_lessons_and_records_equal_the_servers(page):
    assert [game["name"] for game in (await page.ask("GET", "/games"))[1]["games"]]
    courses = (await page.ask("GET", "/learn"))[1]["courses"]
    assert {course["game"] for course in courses} == set(names())
    _, step = await page.ask("GET", "/learn/plus4/push/0")
    assert step["legal"]
    _, tried = await page.ask("POST", "/learn/plus4/push/0", {"move": "b"})
    assert tried["verdict"] == "done"
    await page.sit_down("plus4", seats=[{"kind": "me"}, {"kind": "me"}])
    await page.move(await page.my_turn())
    _, record = await page.ask("GET", f"/tables/{page.id}/record")
    _, shown = await page.ask("POST", "/analysis/game", {"text": record})
    assert len(shown["history"]) == 1
    assert msgspec.convert(shown, answers.ReadGame).playable  # the form is the server's
    assert (await page.ask("POST", "/analysis/picture", {"text": record}))[1].startswith("<svg")
    _, answer = await page.ask("POST", "/analysis", {"text": record})
    assert [line.partition(": ")[2] for line in answer.splitlines() if line.startswith("event")] == ["now", "end"]
    assert "data: {" in answer.partition("event: now")[0]  # the turn that was played
    _, answer = await page.ask("POST", "/analysis", {"text": record, "only_now": True})
    assert answer.startswith("event: now")
    _, picture = await page.ask("GET", f"/tables/{page.id}/svg?ply=0")
    assert picture.startswith("<svg")


PUZZLES = [(kind.name, hard) for kind in KINDS.values() for hard in {False, kind.may_be_hard}]


async def test_the_puzzles_equal_the_servers(page):
    _, answer = await page.ask("GET", "/puzzles")
    assert {kind["name"] for kind in answer["puzzles"]} == set(KINDS)
    _, today = await page.ask("GET", "/puzzles/daily?date=2026-11-16&difficulty=easy&solution=true&other=1")
    assert (today["date"], today["solution"]["puzzle"]) == ("2026-11-16", "tetro10")
    for wrong in ("new?puzzle=chess", "new?puzzle=tetro20&seed=x", "daily?date=today"):
        status, answer = await page.ask("GET", f"/puzzles/{wrong}")
        assert (status, answer["error"]["code"]) == (400, "bad_puzzle")


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
async def test_every_puzzle_is_solved_by_hints(page, name, hard):
    query = f"puzzle={name}&hard={str(hard).lower()}&difficulty=easy&seed=3"
    _, challenge = await page.ask("GET", f"/puzzles/new?{query}")
    position, witness = challenge["position"], None
    for _ in range(KINDS[name].open["easy"]):
        question = {"position": position, "witness": witness}
        assert (await page.ask("POST", "/puzzles/solvable", question))[1]["answer"] == "yes"
        _, found = await page.ask("POST", "/puzzles/hint", question)
        position, witness = position | {"pieces": [*position["pieces"], found["piece"]]}, found["completion"]
    assert (await page.ask("POST", "/puzzles/check", {"position": position}))[1]["solved"]
    twice = position | {"pieces": [*position["pieces"], found["piece"]]}
    assert (await page.ask("POST", "/puzzles/solvable", {"position": twice}))[1]["answer"] == "no"


@pytest.mark.parametrize(("name", "hard"), [("all84", False), ("all84", True), ("pento48", True)])
async def test_the_search_for_a_solution_stops_at_once(page, name, hard):
    """A request is answered while a search of ten seconds runs, and the search ends when no client waits for it."""
    position = {"position": {"puzzle": name, "hard": hard, "pieces": []}}
    search = asyncio.ensure_future(page.ask("POST", "/puzzles/solution", position))
    slowest, loop = 0.0, asyncio.get_running_loop()
    for _ in range(5):
        began = loop.time()
        await page.ask("POST", "/puzzles/check", position)
        slowest = max(slowest, loop.time() - began)
    assert slowest < 0.5  # on a busy machine; 0.05 is meant
    search.cancel()
    with pytest.raises(asyncio.CancelledError):
        await search


def test_the_worker_imports_nothing_that_a_browser_lacks():
    """Neither a web framework nor a database nor the compiler's graph library."""
    program = (
        "import importlib, sys, quatuor.local.host\n"
        "for module in quatuor.local.host.LATER: importlib.import_module(module)\n"
        "lacking = {'fastapi', 'starlette', 'sqlalchemy', 'networkx', 'rich', 'typer', 'uvicorn'}\n"
        "print(sorted(lacking & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
