"""Tables of a server as MCP tools: a language model plays with people and engines there. docs/mcp.md explains it."""

import re
import time
import uuid
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.server.mcpserver.exceptions import ToolError

import quatuor

Plain = dict[str, Any]

SHOWN_MOVES = 200  # in one answer; Blokus has up to a thousand
LONGEST_WAIT = 25  # seconds for which one call waits for the others
RETRIES = 3  # of a request whose answer did not come
TABLE = re.compile(r"[\w-]{1,64}")


class ServerTables:
    """The tables of one server for one bot. Nothing is kept here: every tool asks the server."""

    def __init__(self, server: str, token: str) -> None:
        self._server = server.rstrip("/")
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx2.AsyncClient(base_url=f"{self._server}/api/", headers=headers, timeout=LONGEST_WAIT + 15)

    async def open_table(
        self, game: str, seats: list[str], variant: str | None = None, options: dict[str, str] | None = None
    ) -> Plain:
        """Open a table at the server. Each seat: "me", "open" for a person, or the level of an engine, "1" to "8".

        The answer's invitation is the link for those who take the open seats.
        """
        chosen = [{"kind": "engine", "level": int(seat)} if seat.isdecimal() else {"kind": seat} for seat in seats]
        body = {"game": game, "variant": variant, "options": options or {}, "seats": chosen}
        return await self._shown((await self._ask("POST", "tables", body))["id"])

    async def join_table(self, link: str) -> Plain:
        """Take a seat at a table: by the link of an invitation, or by the id of a table in the lobby."""
        found = urlsplit(link)
        if found.netloc and f"{found.scheme}://{found.netloc}" != self._server:
            raise ToolError(f"{link}: this is not a table of {self._server}")
        table = found.path.rstrip("/").rpartition("/")[2]
        token = parse_qs(found.query).get("join", [None])[0]
        await self._ask("POST", f"tables/{_id(table)}/join", {"token": token})
        return await self._shown(table)

    async def see_table(self, table: str, wait: int = 0) -> Plain:
        """Look at a table; wait up to 25 seconds until it is your turn or the game is over."""
        return await self._shown(table, wait)

    async def play_at_table(self, table: str, move: str, seat: int | None = None, wait: int = LONGEST_WAIT) -> Plain:
        """Play a move at a table, then wait until it is your turn again or the game is over (at most 25 seconds)."""
        state = await self._state(table)
        mine = [int(number) for number in state["legal"]]
        if seat is None and len(mine) == 1:
            seat = mine[0]
        if seat not in mine:
            turn = (
                f"choose one of your seats that act now: {', '.join(map(str, mine))}"
                if mine
                else "not your turn; see_table waits for it"
            )
            raise ToolError(f"seat={seat}: {turn}")
        body = {"ack": uuid.uuid4().hex, "ply": len(state["history"]), "seat": seat, "move": move}
        await self._ask("POST", f"tables/{table}/moves", body)
        return await self._shown(table, wait)

    async def resign_at_table(self, table: str, seat: int) -> Plain:
        """Resign a game at a table."""
        await self._ask("POST", f"tables/{_id(table)}/resign", {"ack": uuid.uuid4().hex, "seat": seat})
        return await self._shown(table)

    async def _state(self, table: str, wait: int = 0) -> Plain:
        """The snapshot of docs/protocol.md; with ``wait`` once I can act or the game is over."""
        end = time.monotonic() + min(wait, LONGEST_WAIT)
        state = await self._ask("GET", f"tables/{_id(table)}")
        while not state["over"] and not state["legal"] and (left := int(end - time.monotonic())) > 0:
            await self._ask("GET", f"tables/{table}/events?since={state['version']}&wait={left}")
            state = await self._ask("GET", f"tables/{table}")
        return state

    async def _shown(self, table: str, wait: int = 0) -> Plain:
        state = await self._state(table, wait)
        record = (await self._send("GET", f"tables/{table}/record")).text
        token = next(iter(state["invites"].values()), None)
        return {
            "table": table,
            "link": f"{self._server}/t/{table}",
            "invitation": f"{self._server}/t/{table}?join={token}" if token else None,
            "you": state["you"],
            "players": [f"engine of level {seat['level']}" if seat["kind"] == "engine" else seat["name"] or "nobody yet"
                        for seat in state["seats"]],
            "to_move": state["to_move"],
            "legal": {seat: moves[:SHOWN_MOVES] for seat, moves in state["legal"].items()},
            "legal_count": {seat: len(moves) for seat, moves in state["legal"].items()},
            "over": state["over"],
            "scores": state["scores"],
            "ranking": state["ranking"],
            "board": str(quatuor.load(record)),
            "record": record,
        }  # fmt: skip

    async def _ask(self, method: str, path: str, body: Plain | None = None) -> Plain:
        answer: Plain = (await self._send(method, path, body)).json()
        return answer

    async def _send(self, method: str, path: str, body: Plain | None = None) -> httpx2.Response:
        """Send a request, again if no answer comes: the ack of a command makes the server execute it once."""
        for tries in range(1, RETRIES + 1):
            try:
                response = await self._http.request(method, path, json=body)
                break
            except httpx2.TransportError as error:
                if tries == RETRIES or (method == "POST" and "ack" not in (body or {})):
                    raise ToolError(f"{self._server} does not answer: {error}") from None
        if response.is_success:
            return response
        problem = response.json()["error"] if "json" in response.headers.get("content-type", "") else {}
        raise ToolError(f"{problem.get('code', response.status_code)} {problem.get('detail') or ''}".strip())


def _id(table: str) -> str:
    if not TABLE.fullmatch(table):
        raise ToolError(f"{table!r} is not the id of a table: it has letters, digits, - and _")
    return table
