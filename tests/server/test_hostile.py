"""Hostile clients: nothing that they send crashes the server, changes others' games, or reads secrets.

docs/security.md lists the threats, and which test covers each.
"""

import asyncio
import contextlib
import json
import random
import re
import string
from pathlib import Path

import httpx
import hypothesis
import pytest
import schemathesis
import websockets
from itsdangerous import Signer

from quatuor.server.settings import Settings
from tests.server.client import Guest, Problem, ServerThread
from tests.server.conformance import check_answer
from tests.server.conftest import QUICK
from tests.server.test_lines import closed

ROOT = Path(__file__).parents[2]
EXAMPLES = 4  # of each kind of request
QUICKLY = hypothesis.settings(
    max_examples=EXAMPLES, deadline=None, database=None, derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck), phases=[hypothesis.Phase.generate],
)  # fmt: skip


@pytest.fixture(scope="module")
def server(each_server):
    return each_server


@pytest.fixture
def addresses(postgres, tmp_path):
    """Of two servers, one for each kind of store."""
    stores = str(tmp_path / "games.sqlite"), postgres.database()
    servers = [ServerThread(Settings(store=store, secret=tmp_path / "secret", **QUICK)) for store in stores]
    yield [f"http://{server.address}" for server in servers]
    for server in servers:
        server.close()


def test_no_request_causes_a_server_error(addresses):
    """Schemathesis generates valid and invalid requests from the server's OpenAPI description.

    Both kinds of store get each request: generating it takes as long as answering it.
    """
    schema = schemathesis.openapi.from_url(f"{addresses[0]}/api/openapi.json")
    tried = set()

    def answered(case):
        for address in addresses:
            check(case.call(base_url=address, timeout=120), case)

    for found in schema.get_all_operations():
        operation = found.ok()

        @QUICKLY
        @hypothesis.given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE))
        def fits(case):
            answered(case)

        @QUICKLY
        @hypothesis.given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
        def does_not_fit(case):
            answered(case)

        fits()
        if operation.body or operation.query:  # any text fits in a path: hundreds of examples find nothing
            does_not_fit()
        tried.add(f"{operation.method.upper()} {operation.path}")
    assert {"POST /api/tables", "PUT /api/me", "POST /api/bots", "GET /api/tables/{table}"} <= tried
    assert {"POST /api/tournaments", "POST /api/tournaments/{tournament}/rounds"} <= tried
    for address in addresses:
        assert httpx.get(f"{address}/health").json()["ok"]


def check(response, case) -> None:
    assert response.status_code < 500, (case.method, case.formatted_path, response.text)
    check_answer(case.method, case.path.replace("{", "").replace("}", ""), response.status_code, response.content)
    if response.status_code >= 400:
        assert set(response.json()["error"]) == {"code", "detail"}, (case.formatted_path, response.text)


async def duel(ada: Guest, bob: Guest) -> str:
    table = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    return table["id"]


def rubbish(dice: random.Random) -> str | bytes:
    """A frame that is almost a message, or none at all."""
    good = {"t": dice.choice(["move", "undo", "resign", "hint", "ping", "chat", "x"]), "ack": "a", "ply": 0, "seat": 0}
    good["move"] = "a"
    kind = dice.randrange(6)
    if kind == 0:
        return dice.randbytes(dice.randrange(300))
    if kind == 1:
        return "".join(dice.choices(string.printable, k=dice.randrange(300)))
    values = [
        None,
        True,
        -1,
        1e308,
        10**30,
        "",
        "\u0000",
        "💥" * 50,
        [],
        {},
        [[[]]],
        "9" * 400,
        {"t": "move"},
        "\ud800",
    ]
    if kind == 2:
        return json.dumps({**good, dice.choice(list(good)): dice.choice(values)})
    if kind == 3:
        text = json.dumps(good)
        cut = dice.randrange(len(text))
        return text[:cut] + dice.choice('{}[]",:\\x') + text[cut + dice.randrange(3) :]
    if kind == 4:
        return json.dumps({**good, "".join(dice.choices(string.ascii_letters, k=5)): dice.choice(values)})
    return json.dumps(dice.choice(values))


@pytest.mark.parametrize("seed", range(4))
async def test_fuzzed_frames_crash_nothing_and_change_no_other_game(ada, bob, eve, seed):
    table = await duel(ada, bob)
    await (await ada.connect(table)).move("a")
    before = await ada.get(f"/tables/{table}")
    dice = random.Random(seed)
    await eve.get("/me")
    for _ in range(5):
        line = await eve.connect(table)
        with contextlib.suppress(websockets.ConnectionClosed):
            for _ in range(100):
                await line.send(rubbish(dice))
                await asyncio.sleep(0)
        assert await closed(line) == 1008, "a client that only sends invalid frames is disconnected"
        assert all(message["t"] in ("state", "error", "pong", "presence") for message in line.received)
    passing = ("seats", "watching")
    after = await ada.get(f"/tables/{table}")
    assert {k: v for k, v in after.items() if k not in passing} == {k: v for k, v in before.items() if k not in passing}


async def test_forged_and_foreign_cookies_identify_no_one(ada, server):
    table = (await ada.open("plus4", "me", "me"))["id"]
    cookie = ada.http.cookies["quatuor"]
    guest = cookie.split(".")[0]
    other_key = Signer(b"another key", salt="quatuor.guest").sign(guest).decode()
    for forged in (
        guest,
        other_key,
        cookie[:-1],
        cookie + "x",
        cookie.upper(),
        f"{guest}.{'A' * 27}",
        "." * 100,
        "%00",
    ):
        async with httpx.AsyncClient(base_url=f"http://{server.address}", verify=False) as client:
            answer = await client.get(f"/api/tables/{table}", headers={"cookie": f"quatuor={forged}"})
            assert answer.json()["you"] == [], forged
            refused = await client.post(f"/api/tables/{table}/rematch", headers={"cookie": f"quatuor={forged}"})
            assert refused.status_code in (403, 409)


async def test_a_cookie_signed_before_the_key_was_changed_has_expired(start_server, tmp_path):
    guest = Guest(start_server().address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    (tmp_path / "secret").unlink()  # an operator who changes the key ends every session
    moved = Guest((await asyncio.to_thread(start_server)).address)
    moved.http.cookies.set("quatuor", guest.http.cookies["quatuor"])
    assert (await moved.get(f"/tables/{table}"))["you"] == []
    assert (await (await moved.connect(table)).move("a"))["code"] == "not_your_seat"


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://", "http://"]
)
async def test_pages_of_other_sites_change_nothing(ada, origin):
    table = (await ada.open("plus4", "me", "me"))["id"]
    commands = [
        ("POST", "/api/tables", {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "me"}]}),
        ("POST", f"/api/tables/{table}/join", {"token": "x"}),
        ("POST", f"/api/tables/{table}/rematch", None),
        ("PUT", "/api/me", {"name": "Mallory"}),
        ("POST", "/api/bots", {"name": "Mallory"}),
        ("POST", "/api/tournaments", {"title": "Mallory's", "game": "plus4"}),
        ("DELETE", "/api/bots/x", None),
    ]
    for method, path, content in commands:
        response = await ada.http.request(method, path, json=content, headers={"origin": origin})
        assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_origin"), path
    response = await ada.http.get("/api/me", headers={"origin": origin})
    assert "access-control-allow-origin" not in response.headers, "the other site cannot read the answer"
    with pytest.raises(websockets.InvalidStatus):
        await ada.connect(table, Origin=origin)


async def test_a_body_without_end_is_refused(ada):
    async def endless():
        for _ in range(100):
            yield b" " * 4096

    with contextlib.suppress(httpx.TransportError):  # or the server closes the connection while the body is sent
        response = await ada.http.post("/api/tables", content=endless())
        assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")
    assert (await ada.get("/health"))["ok"]


async def test_deep_and_strange_json_is_refused(ada):
    for content in (
        b"[" * 10_000,
        b'{"game":' * 2_000,
        b'{"game": "\xff"}',
        b'{"game": NaN}',
        b"\x00",
        b'{"a":1}' * 100,
    ):
        response = await ada.http.post("/api/tables", content=content)
        assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")


async def test_a_flood_is_limited_and_others_are_served(start_server):
    server = start_server(messages=(30, 8), requests=(60, 5))
    flood, calm = Guest(server.address), Guest(server.address)
    calm.http.headers["x-forwarded-for"] = "192.0.2.7"  # as a proxy reports it
    table = (await calm.open("plus4", "me", "me"))["id"]
    line = await flood.connect(table)
    for _ in range(200):
        await line.send({"t": "ping"})
    assert await closed(line) == 1008
    assert sum(message["t"] == "pong" for message in line.received) <= 40
    answers = await asyncio.gather(*(flood.http.post("/api/tables", content=b"{}") for _ in range(80)))
    assert [answer.status_code for answer in answers].count(429) >= 10
    assert (await calm.open("plus4", "me", "me"))["id"]
    assert (await (await calm.connect(table)).move("a"))["t"] == "ack"


INJECTIONS = [
    "<script>alert(1)",
    '"><img src=x>',
    "'; DROP TABLE guests--",
    "{{7*7}}",
    "../../etc/passwd",
    "%s%n",
]


@pytest.mark.parametrize("name", INJECTIONS)
async def test_a_name_is_text_wherever_it_appears(ada, name):
    assert (await ada.http.put("/api/me", json={"name": name})).json()["name"] == name
    table = (await ada.open("plus4", "me", "me"))["id"]
    assert (await ada.get(f"/tables/{table}"))["seats"][0]["name"] == name
    record = await ada.http.get(f"/api/tables/{table}/record")
    assert record.headers["content-type"].startswith("text/plain")
    picture = (await ada.http.get(f"/api/tables/{table}/svg")).text
    assert "<script" not in picture
    assert "<img" not in picture
    for answer in (record, await ada.http.get("/api/me")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret",
        "..%2fsecret",
        "%2e%2e/secret",
        "....//secret",
        "/etc/passwd",
        "assets/../../secret",
        "\\..\\secret",
        "%00",
        "x" * 300,
    ],
)
async def test_no_path_leads_out_of_the_page(ada, server, path):
    for prefix in ("/", "/assets/", "/api/tables/"):
        response = await ada.http.get(f"{prefix}{path}")
        assert response.status_code in (200, 400, 404) or (
            response.status_code == 503 and "not been built" in response.text
        )
        assert server.services.settings.secret_file.read_bytes() not in response.content
        assert "root:" not in response.text


@pytest.mark.parametrize("table", ["' OR 1=1 --", "x" * 500, "%00", "é", "..", "a/b", "%s"])
async def test_strange_table_ids_are_unknown(ada, table):
    response = await ada.http.get(f"/api/tables/{table}")
    assert response.status_code == 404


async def test_a_guest_cannot_act_for_another(ada, bob, eve):
    table = await duel(ada, bob)
    await eve.get("/me")
    b, e = await bob.connect(table), await eve.connect(table)
    for line in (b, e):
        for command in (
            {"t": "move", "ply": 0, "seat": 0, "move": "a"},
            {"t": "resign", "seat": 0},
            {"t": "move", "ply": 0, "seat": 999_999, "move": "a"},
        ):
            assert (await line.ask(**command))["code"] == "not_your_seat"
    with pytest.raises(Problem, match="bad_token"):
        await eve.post(f"/tables/{table}/join", {"token": ""})
    assert (await ada.get(f"/tables/{table}"))["version"] == 1, "the join is the only event"


def test_the_page_never_inserts_html():
    sources = [file for file in (ROOT / "web" / "src").rglob("*") if file.suffix in (".svelte", ".ts")]
    assert len(sources) > 50
    for file in sources:
        for way in ("{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in file.read_text(), f"{file.name} uses {way}"


def test_every_test_that_the_list_of_threats_names_exists():
    listed = re.findall(r"`((?:\w+/)?test_\w+\.py)::(test_\w+)`", (ROOT / "docs" / "security.md").read_text())
    assert len(listed) == (ROOT / "docs" / "security.md").read_text().count("::")
    for file, name in listed:
        assert re.search(rf"^(async )?def {name}\(", (ROOT / "tests" / file).read_text(), re.MULTILINE), (
            f"{file}::{name}"
        )
