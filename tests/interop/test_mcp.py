"""The MCP server with the SDK's client: in a separate process by stdio, and by HTTP without sessions."""

import json
import socket
import subprocess
import sys
import time

import httpx
import pytest
from mcp import Client, StdioServerParameters

import quatuor
import quatuor.games
from examples import torus
from quatuor.interop import rule_texts
from quatuor.interop.mcp_server import make_server

STDIO = StdioServerParameters(command=sys.executable, args=["-m", "quatuor", "mcp"])
NEWEST = "2026-07-28"  # of the protocol: every request stands alone
HEADERS = {
    "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": NEWEST, "Mcp-Method": "tools/call",
    "Mcp-Name": "start_game",
}  # fmt: skip
ABOUT_ME = {"protocolVersion": NEWEST, "clientInfo": {"name": "test", "version": "1"}, "clientCapabilities": {}}


async def call(client: Client, tool: str, **arguments):
    """The answer of a tool as data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found = result.structured_content or {}
    return found.get("result", found)


async def refused(client: Client, tool: str, **arguments) -> str:
    """The message of a tool's error."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


async def play_whole_game(client: Client) -> None:
    """Play as a model would: look, choose, play, until the game is over; then have the game judged."""
    state = await call(client, "start_game", game="plus4", variant="elementary")
    while not state["over"]:
        asked = await call(client, "ask_engine", record=state["record"], seconds=0.2)
        assert asked["exact"]
        assert "proven" in asked["moves"][0]["why"]
        move = asked["moves"][-1]["move"]  # the worst of three
        assert (await call(client, "try_moves", record=state["record"], moves=[move, "z"]))[move] == "legal"
        state = await call(client, "play", record=state["record"], move=move, engine_level=8)
    assert state["ranking"] == [2, 1]
    judged = await call(client, "analyse_record", record=state["record"], units=20)
    assert judged["seats"]["seat 0"]["loss"] > 0
    assert judged["seats"]["seat 1"]["loss"] == 0
    assert all(row["exact"] for row in judged["moves"])


async def test_a_client_plays_a_whole_game_by_stdio():
    async with Client(STDIO) as client:
        assert client.protocol_version == NEWEST
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools >= {"list_games", "start_game", "show_board", "list_moves", "play", "ask_engine", "solve_puzzle"}
        await play_whole_game(client)


async def test_every_tool_and_resource():
    async with Client(make_server()) as client:
        games = await call(client, "list_games")
        assert {game["game"] for game in games} >= {"plus4", "blokus", "plateau_x", "trois_six"}
        start = await call(client, "start_game", game="plus4", variant="endless", options={"target": "3"})
        assert start["position"].startswith("plus4:endless,target=3 ")
        text, picture = (await client.call_tool("show_board", {"record": start["record"]})).content
        assert "a" in text.text
        assert (picture.mime_type, picture.data[:8]) == ("image/png", "iVBORw0K")
        moves = await call(client, "list_moves", record=start["position"], containing="*")
        assert moves == {"count": 4, "moves": ["a*", "b*", "c*", "d*"]}
        secret = await call(client, "start_game", game="trois_six")
        after = await call(
            client, "play", record=secret["record"], seat=1, move=secret["legal"]["1"][0], engine_level=1
        )
        assert [sorted(turn) for turn in after["played"]] == [["0", "1"]]
        puzzle = await call(client, "solve_puzzle", puzzle="tetro10")
        assert json.loads(puzzle["solution"])
        assert "sinks by one floor" in await call(client, "read_clause", clause="P4-2")
        listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert "rulebook://blokus/en" in listed
        (found,) = (await client.read_resource("rulebook://plus4/fr")).contents
        assert found.text == rule_texts.rulebook("plus4", "fr")


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        ("start_game", {"game": "chess"}, "plus4"),
        ("play", {"record": "plus4:elementary start", "move": "a"}, ""),
        ("play", {"record": '[Game "plus4"]\n\n', "move": "z"}, "z"),
        ("play", {"record": '[Game "trois_six"]\n\n', "move": "-", "seat": 0}, "engine_level"),
        ("list_moves", {"record": '[Game "plus4"]\n\n', "seat": 1}, "choose one that acts now: 0"),
        ("ask_engine", {"record": '[Game "plus4"]\n\n', "seconds": 99}, "at most 30"),
        ("solve_puzzle", {"puzzle": "none"}, "tetro10"),
        ("read_clause", {"clause": "P4-999"}, "P4-999"),
    ],
)
async def test_mistakes_are_explained_to_the_model(tool, arguments, hint):
    async with Client(make_server()) as client:
        assert hint in await refused(client, tool, **arguments)


async def test_a_game_of_ones_own_needs_no_text_of_its_positions(monkeypatch):
    monkeypatch.setitem(quatuor.games._extra, "torus", torus.RULEBOOK)
    async with Client(make_server()) as client:
        assert "torus" in {game["game"] for game in await call(client, "list_games")}
        state = await call(client, "start_game", game="torus")
        while not state["over"]:
            state = await call(client, "play", record=state["record"], move=state["legal"]["0"][0], engine_level=1)
        assert (state["position"], sorted(state["ranking"])) == (None, [1, 2])
        judged = await call(client, "analyse_record", record=state["record"], units=5)
        assert len(judged["moves"]) == quatuor.load(state["record"]).ply


async def test_http_without_sessions():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "quatuor", "mcp", "--http", f"127.0.0.1:{port}"]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        _listening(port)
        address = f"http://127.0.0.1:{port}/mcp"
        async with Client(address) as client:
            assert client.protocol_version == NEWEST
            await play_whole_game(client)
        async with Client(address, mode="legacy") as client:  # older programs begin with a handshake
            assert client.protocol_version < NEWEST
            assert (await call(client, "start_game", game="plus4"))["to_move"] == [0]
        meta = {f"io.modelcontextprotocol/{key}": value for key, value in ABOUT_ME.items()}
        params = {"name": "start_game", "arguments": {"game": "plus4"}, "_meta": meta}
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = httpx.post(address, json=request, headers=HEADERS, timeout=60)  # this client's only request
        assert answer.json()["result"]["structuredContent"]["to_move"] == [0]
        assert "mcp-session-id" not in answer.headers
    finally:
        server.terminate()
        server.wait()


def _listening(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not start")
