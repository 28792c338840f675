"""The HTTP side: what is refused and how, cookies, names, the page."""

import asyncio
import gzip
import os
import stat

import httpx
import pytest

from quatuor.games import names, rulebook
from quatuor.server.app import create_app
from quatuor.server.settings import Settings
from tests.server.client import Guest, Problem

SEATS = [{"kind": "me"}, {"kind": "me"}]


async def refusal(guest: Guest, content) -> tuple[str, dict]:
    with pytest.raises(Problem) as caught:
        await guest.post("/tables", content)
    assert caught.value.status == 400
    return caught.value.code, caught.value.detail


async def test_invalid_tables_are_refused(ada):
    code, detail = await refusal(ada, {"game": "chess", "seats": SEATS})
    assert (code, detail) == ("unknown_game", {"games": list(names())})
    code, detail = await refusal(ada, {"game": "plus4", "variant": "large", "seats": SEATS})
    assert (code, detail["variants"][0]) == ("unknown_variant", "elementary")
    code, detail = await refusal(ada, {"game": "plus4", "options": {"both_lines": "maybe"}, "seats": SEATS})
    assert code == "bad_option"
    assert "both_lines='maybe'" in detail["message"]
    assert "draw" in detail["message"]
    code, detail = await refusal(ada, {"game": "plus4", "options": {"colour": "red"}, "seats": SEATS})
    assert code == "bad_option"
    assert "both_lines" in detail["message"]
    code, detail = await refusal(ada, {"game": "plus4", "seats": SEATS * 2})
    assert (code, detail) == ("bad_seats", {"seats": 2})
    for seat in ({"kind": "engine"}, {"kind": "me", "level": 3}):
        code, detail = await refusal(ada, {"game": "plus4", "seats": [SEATS[0], seat]})
        assert (code, detail["levels"]) == ("bad_seats", [1, 8])


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        "plus4",
        {"game": "plus4"},
        {"game": "plus4", "seats": 2},
        {"game": "plus4", "seats": [{"kind": "owner"}, {"kind": "me"}]},
        {"game": "plus4", "seats": [{"kind": "engine", "level": 9}, {"kind": "me"}]},
        {"game": "plus4", "seats": SEATS, "extra": 1},
        {"game": "plus4", "seats": SEATS, "options": {"both_lines": ["draw"]}},
    ],
)
async def test_bodies_of_another_shape_are_bad_requests(ada, content):
    code, detail = await refusal(ada, content)
    assert code == "bad_request"
    assert detail["reason"]


async def test_bodies_that_are_no_json_or_too_large(ada):
    response = await ada.http.post("/api/tables", content=b"{")
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")
    response = await ada.http.post("/api/tables", content=b" " * 20_000)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")


async def test_unknown_addresses_and_tables_are_not_found_in_json(ada):
    for method, path, code in (
        ("GET", "/api", "not_found"),
        ("GET", "/api/nothing", "not_found"),
        ("DELETE", "/api/tables", "not_found"),
        ("GET", "/api/tables/nothing", "unknown_table"),
        ("GET", "/api/tables/nothing/record", "unknown_table"),
        ("GET", "/api/tables/nothing/svg", "unknown_table"),
    ):
        response = await ada.http.request(method, path)
        assert (response.status_code, response.json()["error"]["code"]) == (404, code), path
    for path in ("/tables/nothing/join", "/tables/nothing/rematch"):
        await ada.get("/me")
        with pytest.raises(Problem, match=r"404.*unknown_table"):
            await ada.post(path, {"token": "x"})


async def test_an_unexpected_error_is_answered_with_a_code(server, ada, monkeypatch):
    async def broken(_table):
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(server.services.hub, "get", broken)
    response = await ada.http.get("/api/tables/any")
    assert (response.status_code, response.json()) == (500, {"error": {"code": "internal", "detail": {}}})
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_all_games_are_listed_in_their_order(ada):
    games = (await ada.get("/games"))["games"]
    assert [game["name"] for game in games] == sorted(names(), key=lambda name: rulebook(name).order)
    for game in games:
        for text in (game["title"], game["text"], *(v["title"] for v in game["variants"])):
            assert set(text) == {"en", "fr", "de"}
        for option in game["options"]:
            assert option["kind"] in ("choice", "number", "text")
            assert (option["values"] is not None) == (option["kind"] == "choice")
            assert (option["low"] is not None) == (option["kind"] == "number")


async def test_every_game_and_variant_can_be_opened(ada):
    for game in (await ada.get("/games"))["games"]:
        for variant in game["variants"]:
            table = await ada.open(game["name"], *["me"] * variant["seats"], variant=variant["name"])
            snapshot = await ada.get(f"/tables/{table['id']}")
            assert (snapshot["variant"], len(snapshot["seats"])) == (variant["name"], variant["seats"])
            assert snapshot["legal"]


async def test_cookies(ada):
    response = await ada.http.get("/api/me")
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie  # without https, as on the loopback
    name = response.json()["name"]
    assert name.startswith("Guest ")
    assert await ada.get("/me") == {"name": name, "account": None}, "the same guest again"


async def test_only_the_owner_can_read_the_secret(start_server, tmp_path):
    start_server()
    path = tmp_path / "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(path.read_bytes()) == 32


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\u0000b", "a\u202eb", "tab\x07"])
async def test_invalid_names_are_refused(ada, name):
    response = await ada.http.put("/api/me", json={"name": name})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_name")


async def test_other_sites_cannot_post_for_a_guest(ada):
    content = {"game": "plus4", "seats": SEATS}
    response = await ada.http.post("/api/tables", json=content, headers={"origin": "https://evil.example"})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_origin")
    response = await ada.http.post("/api/tables", json=content, headers={"origin": f"http://{ada.address}"})
    assert response.status_code == 201


async def test_too_many_requests(start_server):
    guest = Guest(start_server(requests=(2, 0.01)).address)
    for _ in range(2):
        await guest.open("plus4", "me", "me")
    with pytest.raises(Problem, match=r"429.*rate_limited"):
        await guest.open("plus4", "me", "me")


async def test_health_and_openapi(ada):
    assert (await ada.get("/health"))["ok"]
    schema = (await ada.http.get("/api/openapi.json")).json()
    body = schema["paths"]["/api/tables"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {"game", "variant", "options", "seats", "opening", "pace", "takeback"} <= set(body["properties"])
    assert "$ref" not in str(body)
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            assert "422" not in operation["responses"]
            assert "default" in operation["responses"]
    assert set(schema["components"]["securitySchemes"]) == {"cookie", "bot"}


@pytest.fixture
async def browser(tmp_path):
    """An app with a built page, called without a socket; its store is never opened."""
    page = tmp_path / "dist"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<p>the page</p>")
    (page / "assets" / "main-1a2b.js").write_text("play()")
    (page / "icon.svg").write_text("<svg/>")
    (page / "kit" / "1a2b").mkdir(parents=True)
    (page / "kit" / "1a2b" / "python.wasm.gz").write_bytes(gzip.compress(b"code", mtime=0))
    (page / "kit" / "1a2b" / "python.wasm.br").write_bytes(b"by Brotli")
    (tmp_path / "private").write_text("private")
    transport = httpx.ASGITransport(create_app(Settings(store=str(tmp_path / "x.sqlite"), page=page)))
    async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
        yield client


@pytest.mark.parametrize(
    ("accepted", "encoding", "content"),
    [
        ("gzip, deflate, br, zstd", "br", b"by Brotli"),
        ("gzip, deflate", "gzip", gzip.compress(b"code", mtime=0)),
        ("identity", None, b"code"),
    ],
)
async def test_the_kit_is_kept_compressed_and_sent_as_the_client_reads_it(browser, accepted, encoding, content):
    async with browser.stream("GET", "/kit/1a2b/python.wasm", headers={"accept-encoding": accepted}) as response:
        sent = b"".join([part async for part in response.aiter_raw()])
    assert (response.status_code, response.headers.get("content-encoding"), sent) == (200, encoding, content)
    assert response.headers["content-type"] == "application/wasm"
    assert response.headers["vary"].lower() == "accept-encoding"
    assert "immutable" in response.headers["cache-control"]


async def test_the_page_and_its_assets(browser):
    for path in ("/", "/t/abc", "/t/abc?join=x", "/play/plus4"):
        response = await browser.get(path)
        assert response.text == "<p>the page</p>"
        assert response.headers["cache-control"] == "no-cache"
        policy = response.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy  # no inline scripts
        assert response.headers["referrer-policy"] == "same-origin"
    asset = await browser.get("/assets/main-1a2b.js")
    assert "immutable" in asset.headers["cache-control"]
    assert (await browser.get("/icon.svg")).headers["cache-control"] == "no-cache"
    assert (await browser.get("/assets/old-9f.js")).status_code == 404
    assert (await browser.head("/")).status_code == 200


async def test_an_asset_is_compressed_once_for_those_who_read_gzip(browser, tmp_path):
    asset = "/assets/main-1a2b.js"
    small = await browser.get(asset, headers={"accept-encoding": "gzip, deflate, br"})
    plain = await browser.get(asset, headers={"accept-encoding": "identity"})
    assert (small.headers.get("content-encoding"), plain.headers.get("content-encoding")) == ("gzip", None)
    assert small.text == plain.text
    for answer in (small, plain):
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "immutable" in answer.headers["cache-control"]
    assert small.headers["vary"].lower() == "accept-encoding"
    head = await browser.head(asset, headers={"accept-encoding": "gzip"})
    assert (head.status_code, head.headers["content-encoding"]) == (200, "gzip")
    (file,) = tmp_path.rglob("main-1a2b.js")
    file.write_text("console.log('built anew')")
    os.utime(file, ns=(1, 1))
    assert (await browser.get(asset, headers={"accept-encoding": "gzip"})).text == "console.log('built anew')"


async def test_no_file_outside_the_page_is_served(browser):
    for path in ("/../private", "/..%2fprivate", "/%2e%2e/private", "/assets/..%2f..%2fprivate", "//etc/passwd"):
        assert "private" not in (await browser.get(path)).text
        assert "root:" not in (await browser.get(path)).text


async def test_without_a_built_page_the_server_says_how_to_build_it(tmp_path):
    transport = httpx.ASGITransport(create_app(Settings(page=tmp_path)))
    async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
        response = await client.get("/")
    assert response.status_code == 503
    assert "make setup" in response.text


async def test_many_guests_at_once(ada, bob, eve):
    tables = await asyncio.gather(*(guest.open("plus4", "me", "open") for guest in (ada, bob, eve) for _ in range(10)))
    assert len({table["id"] for table in tables}) == 30
