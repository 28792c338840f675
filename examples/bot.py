"""A bot that plays random moves: python examples/bot.py "http://localhost:8000/t/TABLE?join=TOKEN" qt_YOUR_BOTS_TOKEN

docs/protocol.md describes the messages.
"""

import json
import random
import sys
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def play(invitation: str, token: str) -> None:
    """Take the seat of an invitation link and play to the end of the game."""
    link = urlsplit(invitation)
    table = f"{link.netloc}/api/tables/{link.path.rsplit('/', 1)[-1]}"
    bearer = {"Authorization": f"Bearer {token}"}
    join = json.dumps({"token": parse_qs(link.query)["join"][0]}).encode()
    urlopen(Request(f"{link.scheme}://{table}/join", join, bearer)).close()
    with connect(f"{link.scheme.replace('http', 'ws')}://{table}/socket", additional_headers=bearer) as socket:
        ply = 0
        for message in map(json.loads, socket):
            ply = len(message["history"]) if "history" in message else message.get("entry", message).get("ply", ply)
            if message.get("over"):
                print("places:", message["ranking"])
                break
            for seat, moves in message.get("legal", {}).items():
                command = {"t": "move", "ply": ply, "seat": int(seat), "move": random.choice(moves)}
                socket.send(json.dumps({**command, "ack": f"{message['version']}/{seat}"}))


if __name__ == "__main__":
    play(*sys.argv[1:])
