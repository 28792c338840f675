"""Games played over HTTP and by MCP are judged move by move as those of the arena, with illegal tries and time."""

import asyncio
import json
import sys
import time

import pytest
from mcp import Client
from typer.testing import CliRunner

from quatuor.cli import app
from quatuor.interop.mcp_server import make_server
from quatuor.interop.mcp_tables import ServerTables
from quatuor.match.arena import Arena
from quatuor.match.arena_game import Conduct, play
from tests.interop.test_mcp import call, refused
from tests.server.test_http_play import http_client

THOUGHT = 0.3  # seconds that a player thinks about its first move


def judged(link: str, seat: int) -> list[dict]:
    """The lines of ``quatuor judge`` about a seat."""
    done = CliRunner().invoke(app, ["judge", link, "--json", "--units", "50"])
    assert done.exit_code == 0, done.exception
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(line["file"] == link for line in lines)
    return [line for line in lines if line["seat"] == seat]


def clumsy(game, seat, refused):
    """A Python player that makes the same mistake as the clients below."""
    if game.ply == 0 and not refused:
        time.sleep(THOUGHT)
        return "z"
    return game.legal(seat)[0]


def like_the_arenas(own: list[dict]) -> None:
    """The columns of ``arena --judge``, filled in: one illegal try and some time for the first move."""
    assert own[0].keys() - {"file"} == {
        "game", "variant", "number", "ply", "seat", "player", "move", "seconds", "illegal", "verdict"
    }  # fmt: skip
    assert own[0]["illegal"] == ["z"]
    assert own[0]["seconds"] >= THOUGHT
    assert all(line["illegal"] == [] and line["seconds"] >= 0 for line in own[1:])
    assert all(line["verdict"]["exact"] for line in own), "plus4 elementary is solved"


async def test_a_bot_that_plays_by_http_is_judged(server):
    address = f"http://{server.address}"
    table = await asyncio.to_thread(http_client.Client(address).open, "plus4", "me", 8)

    def choose(state: dict, seat: int, moves: list[str]) -> str:
        if not state["history"]:
            time.sleep(THOUGHT)
            with pytest.raises(http_client.Refused, match="illegal_move"):
                table.move(seat, "z")
        return moves[0]

    with pytest.raises(AssertionError, match="not over"):
        await asyncio.to_thread(judged, f"{address}/t/{table.id}", 0)
    await asyncio.to_thread(table.play, choose)
    like_the_arenas(await asyncio.to_thread(judged, f"{address}/t/{table.id}", 0))
    engine = await asyncio.to_thread(judged, f"{address}/t/{table.id}", 1)
    assert all(line["illegal"] == [] and line["verdict"]["loss"] == 0 for line in engine), "level 8 has the table"


async def test_a_model_that_plays_by_mcp_is_judged(ada):
    token = (await ada.post("/bots", {"name": "Model"}))["token"]
    async with Client(make_server(ServerTables(f"http://{ada.address}", token))) as client:
        state = await call(client, "open_table", game="plus4", seats=["me", "8"])
        await asyncio.sleep(THOUGHT)
        assert "illegal_move" in await refused(client, "play_at_table", table=state["table"], move="z")
        while not state["over"]:
            state = await call(client, "play_at_table", table=state["table"], move=state["legal"]["0"][0])
        lines = await asyncio.to_thread(judged, state["link"], 0)
        like_the_arenas(lines)
        assert {line["player"] for line in lines} == {"Model"}
        answer = await call(client, "analyse_record", record=state["record"], units=50)
        verdicts = [
            {key: row[key] for key in line["verdict"]} for row, line in zip(answer["moves"][::2], lines, strict=True)
        ]
        assert verdicts == [line["verdict"] for line in lines], "the model's own tool says the same"


def test_a_python_player_is_judged_alike():
    meeting = Arena([clumsy, "level=8"], "plus4", games=2).meetings
    own = next(word for word in meeting[0].seats if word.endswith("clumsy"))
    first = next(m for m in meeting if m.seats[0] == own)
    outcome = play(first, conduct=Conduct(tries=2, judge=50))
    like_the_arenas([line for line in outcome["judged"] if line["player"] == own])


@pytest.mark.parametrize(
    ("game", "program"),
    [("plus4", "engine,units=5:{} engine"), ("blokus:duo", "gtp:{} gtp --game {{variant}} --level 1")],
)
def test_programs_are_judged_alike(game, program):
    """By the engine protocol and by GTP: a program that answers illegally loses, so its tries are empty."""
    word = program.format(f'{sys.executable} -c "from quatuor.cli import main; main()"')
    name, _, variant = game.partition(":")
    meeting = Arena([word, "random"], name, variant or None, games=1).meetings[0]
    lines = play(meeting, conduct=Conduct(judge=1))["judged"]
    own = [line for line in lines if line["player"] == word]
    assert own
    assert all(line["illegal"] == [] and line["seconds"] > 0 and line["verdict"] for line in own)


@pytest.mark.parametrize(("path", "hint"), [("/t/nowhere", "no such table"), ("", "no answer")])
async def test_links_that_lead_nowhere(server, path, hint):
    link = f"http://{server.address}{path}" if path else "http://127.0.0.1:9/t/x"
    done = await asyncio.to_thread(CliRunner().invoke, app, ["judge", link])
    assert hint in str(done.exception)
    assert link in str(done.exception)
