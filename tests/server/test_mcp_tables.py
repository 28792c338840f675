"""The MCP tools for tables of a server, called by the SDK's client against a real server."""

import pytest
from mcp import Client

import quatuor
from quatuor.interop.mcp_server import make_server
from quatuor.interop.mcp_tables import ServerTables
from tests.interop.test_mcp import call, refused


async def test_a_model_plays_a_person_and_an_engine_at_a_server(ada):
    token = (await ada.post("/bots", {"name": "Model"}))["token"]
    async with Client(make_server(ServerTables(f"http://{ada.address}", token))) as client:
        invited = await ada.open("plus4", "me", "open")
        link = f"http://{ada.address}/t/{invited['id']}?join={invited['invites']['1']}"
        state = await call(client, "join_table", link=link)
        assert (state["you"], state["to_move"], state["legal"]) == ([1], [0], {})
        person = await ada.connect(invited["id"])
        await person.move("a")
        state = await call(client, "see_table", table=state["table"], wait=25)
        assert state["legal"] == {"1": ["a", "b", "c", "d"]}
        assert "seats that act now: 1" in await refused(client, "play_at_table", table=state["table"], move="b", seat=0)
        state = await call(client, "play_at_table", table=state["table"], move="b", wait=0)
        assert "see_table" in await refused(client, "play_at_table", table=state["table"], move="b")
        assert (await person.event("move"))["entry"]["moves"] == {"1": "b"}
        state = await call(client, "resign_at_table", table=state["table"], seat=1)
        assert (state["over"], state["ranking"]) == (True, [1, 2])

        state = await call(client, "open_table", game="trois_six", seats=["me", "1"])
        while not state["over"]:
            (moves,) = state["legal"].values()
            state = await call(client, "play_at_table", table=state["table"], move=moves[-1])
        assert quatuor.load(state["record"]).over
        assert state["players"] == ["Model", "engine of level 1"]


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        ("open_table", {"game": "chess", "seats": ["me", "1"]}, "unknown_game"),
        ("join_table", {"link": "https://elsewhere.example/t/x?join=y"}, "not a table of http"),
        ("join_table", {"link": "nowhere"}, "unknown_table"),
        ("see_table", {"table": "../bots"}, "not the id of a table"),
    ],
)
async def test_mistakes_at_a_server_are_explained(ada, tool, arguments, hint):
    token = (await ada.post("/bots", {"name": "Model"}))["token"]
    async with Client(make_server(ServerTables(f"http://{ada.address}", token))) as client:
        assert hint in await refused(client, tool, **arguments)


async def test_a_server_that_does_not_answer_and_a_wrong_token(ada):
    for address, hint in ((ada.address, "bad_token"), ("127.0.0.1:9", "does not answer")):
        async with Client(make_server(ServerTables(f"http://{address}", "qt_wrong"))) as client:
            assert hint in await refused(client, "see_table", table="x")
