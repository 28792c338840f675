"""The preview that chats show for the link of a table."""

import re
import struct

import pytest

from quatuor.server import previews
from tests.server.client import Guest

PAGE = "<!doctype html>\n<html>\n  <head>\n    <title>Quatuor</title>\n  </head>\n  <body></body>\n</html>\n"
SEATS = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture
def server(start_server, tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text(PAGE)
    return start_server(page=tmp_path / "page")


async def tags(guest: Guest, address: str, **headers: str) -> dict[str, str]:
    text = (await guest.http.get(address, headers=headers)).text
    assert text.startswith(PAGE[:40])
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)" />', text))


async def test_a_preview_names_host_and_game_in_the_readers_language(ada, bob):
    await ada.http.put("/api/me", json={"name": 'Ada & "Co"'})
    pace = {"total": 150, "increment": 3}
    table = await ada.post("/tables", {"game": "plus4", "seats": SEATS, "pace": pace})
    address = f"/t/{table['id']}?join={table['invites']['1']}"
    found = await tags(bob, address)
    assert found["og:title"] == "Ada &amp; &quot;Co&quot; invites you to a game"
    assert found["og:description"] == "Plus 4 · Elementary game. 2.5 min + 3 s per move. 1 free seat."
    assert found["twitter:card"] == "summary_large_image"
    assert table["invites"]["1"] not in str(found), "no token"
    german = {"accept-language": "es, de-CH;q=0.8, en;q=0.5"}
    assert (await tags(bob, address, **german))["og:title"].endswith("lädt dich zu einer Partie ein")
    assert (await tags(bob, f"{address}&lang=fr"))["og:title"].endswith("vous invite à une partie"), "the host's"
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    french = await tags(bob, address, **{"accept-language": "fr"})
    assert re.fullmatch(r"Ada .* – Invité \d+", french["og:title"])


async def test_a_preview_names_the_game_once(ada):
    table = await ada.post("/tables", {"game": "blokus", "variant": "classic", "seats": [{"kind": "me"}] * 4})
    assert (await tags(ada, f"/t/{table['id']}"))["og:description"] == "Blokus for four. No clock."


@pytest.mark.parametrize("game", ["plus4", "blokus", "plateau_x", "trois_six"])
async def test_the_picture_is_a_png_of_the_position(ada, game):
    seats = [{"kind": "me"}] * (4 if game in ("blokus", "plateau_x") else 2)
    table = (await ada.post("/tables", {"game": game, "seats": seats}))["id"]
    address = (await tags(ada, f"/t/{table}"))["og:image"]
    assert address == f"http://{ada.address}/api/tables/{table}/preview.png?ply=0"
    first = await ada.http.get(address)
    assert first.headers["content-type"] == "image/png"
    assert first.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", first.content[16:24]) == (1200, 630)
    if game != "trois_six":
        line = await ada.connect(table)
        await line.move(line.table["legal"]["0"][0])
        assert (await ada.http.get(address)).content != first.content


async def test_other_pages_and_unknown_tables_have_none(ada):
    for address in ("/", "/lobby", "/t/nowhere", "/t/", "/t/a/b", "/t/%2e%2e"):
        assert await tags(ada, address) == {}


async def test_a_visitor_who_asks_too_often_gets_the_page_alone(start_server, tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    ada = Guest(start_server(page=tmp_path, budgets={"requests": 30}).address)
    table = (await ada.post("/tables", {"game": "plus4", "seats": SEATS}))["id"]
    found = [bool(await tags(ada, f"/t/{table}")) for _ in range(10)]
    assert found[0]
    assert not all(found)


async def test_without_the_drawing_library_the_preview_is_the_icon(ada, monkeypatch):
    monkeypatch.setattr(previews, "CAN_DRAW", False)
    table = (await ada.post("/tables", {"game": "plus4", "seats": SEATS}))["id"]
    found = await tags(ada, f"/t/{table}")
    assert (found["og:image"], found["twitter:card"]) == (f"http://{ada.address}/icon-512.png", "summary")
    assert (await ada.http.get(f"/api/tables/{table}/preview.png")).status_code == 404
