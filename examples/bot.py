"""A bot that plays at random: python examples/bot.py "http://localhost:8000/t/TABLE?join=TOKEN" qt_YOUR_BOTS_TOKEN"""

import json
import random
import sys
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def play(invitation: str, token: str) -> None:
    """Take the seat of an invitation link and play to the end."""
    link = urlsplit(invitation)
    table = f"{link.netloc}/api/tables/{link.path.rsplit('/', 1)[-1]}"
    bearer = {"Authorization": f"Bearer {token}"}
    join = json.dumps({"token": parse_qs(link.query)["join"][0]}).encode()
    urlopen(Request(f"{link.scheme}://{table}/join", join, bearer)).close()
    with connect(f"{link.scheme.replace('http', 'ws')}://{table}/socket", additional_headers=bearer) as line:
        ply = 0
        for news in map(json.loads, line):
            ply = len(news["history"]) if "history" in news else news.get("entry", news).get("ply", ply)
            if news.get("over"):
                print("places:", news["ranking"])
                break
            for seat, moves in news.get("legal", {}).items():
                wish = {"t": "move", "ply": ply, "seat": int(seat), "move": random.choice(moves)}
                line.send(json.dumps({**wish, "ack": f"{news['version']}/{seat}"}))


if __name__ == "__main__":
    play(*sys.argv[1:])
