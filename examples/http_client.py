"""A client that plays with HTTP alone, by long polling: python examples/http_client.py http://localhost:8000 plus4

docs/protocol.md describes the requests. Nothing but Python's standard library is needed.
"""

import json
import random
import sys
import uuid
from collections.abc import Callable
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

Snapshot = dict[str, Any]
Choose = Callable[[Snapshot, int, list[str]], str]  # the table, a seat of mine, its legal moves -> the move
OWN = ("t", "kind", "entry", "ply", "seat", "why", "message", "number")  # fields of an event, not of the snapshot
RETRIES = 3


class Refused(Exception):
    """The server refused a request: a code for programs, and details."""

    def __init__(self, code: str, detail: dict[str, Any]) -> None:
        super().__init__(f"{code} {detail}")
        self.code, self.detail = code, detail


class Client:
    """A player: a guest, who is remembered by a cookie, or with a ``token`` a bot."""

    def __init__(self, server: str, token: str | None = None) -> None:
        self._server = server.rstrip("/")
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Ask the server; raises Refused."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._server}/api{path}", data, self._headers, method=method)
        try:
            with self._opener.open(request, timeout=60) as response:
                return json.load(response)
        except HTTPError as error:
            found = json.load(error)["error"]
            raise Refused(found["code"], found["detail"]) from None

    def open(self, game: str, *seats: str | int, variant: str | None = None, **options: Any) -> "Table":
        """Open a table; each seat is ``me``, ``open``, or the level of an engine."""
        chosen = [{"kind": seat} if isinstance(seat, str) else {"kind": "engine", "level": seat} for seat in seats]
        made = self.request("POST", "/tables", {"game": game, "variant": variant, "options": options, "seats": chosen})
        return Table(self, made["id"])

    def join(self, table: str, token: str | None = None) -> "Table":
        """Take an open seat: of an invitation's ``token``, or any at a table in the lobby."""
        self.request("POST", f"/tables/{table}/join", {"token": token})
        return Table(self, table)


class Table:
    """A table as this client knows it; ``state`` is the snapshot of docs/protocol.md."""

    def __init__(self, client: Client, name: str) -> None:
        self.id, self._client = name, client
        self.state: Snapshot = client.request("GET", f"/tables/{name}")

    def wait(self, seconds: int = 25) -> None:
        """Wait for news, no longer than ``seconds``, and bring ``state`` up to date."""
        news = self._client.request("GET", f"/tables/{self.id}/events?since={self.state['version']}&wait={seconds}")
        for message in news["messages"]:
            self._apply(message)
        self.state["version"] = news["version"]

    def move(self, seat: int, move: str) -> None:
        """Play a move or give a secret order. A repeated request with the same ack is carried out once."""
        body = {"ack": uuid.uuid4().hex, "ply": len(self.state["history"]), "seat": seat, "move": move}
        for tries in range(RETRIES):
            try:
                self._client.request("POST", f"/tables/{self.id}/moves", body)
                break
            except OSError:
                if tries == RETRIES - 1:
                    raise
        self.wait(0)

    def resign(self, seat: int) -> None:
        """Give up."""
        self._client.request("POST", f"/tables/{self.id}/resign", {"ack": uuid.uuid4().hex, "seat": seat})
        self.wait(0)

    def play(self, choose: Choose) -> list[int]:
        """Play all of my seats to the end of the game; the places of all seats."""
        while not self.state["over"]:
            for seat, moves in self.state["legal"].items():
                self.move(int(seat), choose(self.state, int(seat), moves))
                break  # the other seats once the state is known again
            else:
                self.wait()
        ranking: list[int] = self.state["ranking"]
        return ranking

    def _apply(self, message: dict[str, Any]) -> None:
        if message["t"] == "event":
            self.state |= {key: value for key, value in message.items() if key not in OWN}
            if message["kind"] == "move":
                self.state["history"].append(message["entry"])
            elif message["kind"] == "undo":
                del self.state["history"][message["ply"] :]
        elif message["t"] in ("state", "presence"):
            self.state |= {key: value for key, value in message.items() if key != "t"}


if __name__ == "__main__":
    table = Client(sys.argv[1]).open(sys.argv[2], "me", 3)
    print("places:", table.play(lambda state, seat, moves: random.choice(moves)))
