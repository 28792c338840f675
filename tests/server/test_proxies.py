"""Behind proxies: the visitor's address, the host names that the server accepts, and cookies for https."""

import httpx
import pytest
import websockets

from bench.processes import Process
from quatuor.server.proxies import Proxied, check
from tests.server.client import PATIENCE, Guest


async def seen(proxies, client, kind="http", **headers):
    """Address and scheme of a request, as the app sees them."""
    found = {}

    async def app(scope, _receive, _send):
        found.update(scope)

    scheme = "http" if kind == "http" else "ws"
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "client": (client, 1234), "scheme": scheme, "headers": raw}
    await Proxied(app, proxies)(scope, None, None)
    return found["client"][0], found["scheme"]


PROXY = ("10.0.0.0/24", "2001:db8::5")


@pytest.mark.parametrize(
    ("client", "forwarded", "visitor"),
    [
        ("10.0.0.2", "192.0.2.7", "192.0.2.7"),
        ("2001:db8::5", "192.0.2.7", "192.0.2.7"),
        ("::ffff:10.0.0.2", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.2", "203.0.113.9, 192.0.2.7", "192.0.2.7"),  # the visitor invented the first address
        ("10.0.0.2", "192.0.2.7, 10.0.0.3", "192.0.2.7"),  # two proxies in a row
        ("10.0.0.2", "10.0.0.8, 10.0.0.3", "10.0.0.8"),
        ("10.0.0.2", "192.0.2.7:4711", "192.0.2.7"),
        ("10.0.0.2", "[2001:db8:1::7]:4711", "2001:db8:1::7"),
        ("10.0.0.2", "203.0.113.9, nonsense", "10.0.0.2"),
        ("10.0.0.2", "", "10.0.0.2"),
        ("10.0.1.2", "192.0.2.7", "10.0.1.2"),  # not a trusted proxy
        ("127.0.0.1", "192.0.2.7", "127.0.0.1"),
    ],
)
async def test_the_last_address_that_is_no_proxy_is_the_visitor(client, forwarded, visitor):
    assert (await seen(PROXY, client, x_forwarded_for=forwarded))[0] == visitor


async def test_the_standard_forwarded_header_is_read():
    forwarded = 'for=203.0.113.9;proto=http, for="[2001:db8:1::7]:4711";by=10.0.0.2;proto=https'
    assert await seen(PROXY, "10.0.0.2", forwarded=forwarded) == ("2001:db8:1::7", "https")
    assert await seen(PROXY, "192.0.2.7", forwarded=forwarded) == ("192.0.2.7", "http")


async def test_the_scheme_is_believed_only_from_a_proxy():
    assert await seen(PROXY, "10.0.0.2", x_forwarded_proto="https") == ("10.0.0.2", "https")
    assert await seen(PROXY, "10.0.0.2", "websocket", x_forwarded_proto="https") == ("10.0.0.2", "wss")
    assert await seen(PROXY, "10.0.0.2", x_forwarded_proto="gopher") == ("10.0.0.2", "http")
    assert await seen(PROXY, "192.0.2.7", x_forwarded_proto="https") == ("192.0.2.7", "http")


def test_a_proxy_that_is_no_address_is_explained():
    with pytest.raises(ValueError, match="give an address such as"):
        check(["proxy.example.org"])


async def test_visitors_behind_a_remote_proxy_have_separate_budgets(tmp_path):
    def limited(*arguments):
        return Process(str(tmp_path / "games.sqlite"), tmp_path / "secret", "--budgets", "requests=5", *arguments)

    def codes(address):
        with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as client:
            return [client.get("/api/games", headers={"x-forwarded-for": f"192.0.2.{n}"}).status_code for n in range(9)]

    trusting, strict = limited(), limited("--proxies", "192.0.2.200")
    try:
        assert codes(trusting.address) == [200] * 9
        assert 429 in codes(strict.address), "the loopback is not a proxy here: its headers are ignored"
    finally:
        trusting.stop()
        strict.stop()


async def test_on_the_loopback_the_server_answers_to_its_own_names_only(tmp_path):
    plain = Process(str(tmp_path / "games.sqlite"), tmp_path / "secret")
    port = plain.address.split(":")[1]
    try:
        with httpx.Client(base_url=f"http://{plain.address}", timeout=PATIENCE) as client:
            for host in (f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST", f"[::1]:{port}"):
                assert client.get("/api/games", headers={"host": host}).status_code == 200, host
            for host in ("evil.example", f"127.0.0.1.evil.example:{port}", ""):
                refused = client.get("/api/games", headers={"host": host})
                assert (refused.status_code, refused.json()["error"]["code"]) == (421, "bad_host"), host
        with pytest.raises(websockets.InvalidStatus):
            await websockets.connect(f"ws://evil.example:{port}/api/lobby/socket", host="127.0.0.1", port=int(port))
    finally:
        plain.stop()


async def test_other_names_are_set(start_server):
    server = start_server(hosts=("games.example.org",))
    async with httpx.AsyncClient(base_url=f"http://{server.address}") as client:
        for host in ("games.example.org", "games.example.org:8443", server.address):
            assert (await client.get("/health", headers={"host": host})).status_code == 200
        assert (await client.get("/health", headers={"host": "evil.example"})).status_code == 421
    server = start_server(hosts=("*",))
    async with httpx.AsyncClient(base_url=f"http://{server.address}") as client:
        assert (await client.get("/health", headers={"host": "evil.example"})).status_code == 200


HTTPS = {"x-forwarded-proto": "https"}


async def test_by_https_the_cookie_belongs_to_this_host_alone(server):
    async with httpx.AsyncClient(base_url=f"http://{server.address}") as client:
        plain = await client.get("/api/me")
        assert plain.headers["set-cookie"].startswith("quatuor=")
        assert "strict-transport-security" not in plain.headers
        name = plain.json()["name"]
        cookie = plain.headers["set-cookie"].split(";")[0]
        client.cookies.clear()
        upgraded = await client.get("/api/me", headers={"cookie": cookie, **HTTPS})
        assert upgraded.json()["name"] == name, "a cookie of an earlier release is still read"
        kept = upgraded.headers["set-cookie"]
        assert kept.startswith("__Host-quatuor=")
        assert "; Secure" in kept
        assert "; Path=/" in kept
        assert "Domain" not in kept
        assert upgraded.headers["strict-transport-security"].startswith("max-age=")
        client.cookies.clear()
        stranger = (await client.get("/api/me", headers=HTTPS)).headers["set-cookie"].split(";")[0]
        client.cookies.clear()
        both = f"{cookie}; {stranger}"
        assert (await client.get("/api/me", headers={"cookie": both, **HTTPS})).json()["name"] != name
        client.cookies.clear()
        out = await client.delete("/api/account/session", headers={"cookie": kept.split(";")[0], **HTTPS})
        assert {header.split("=")[0] for header in out.headers.get_list("set-cookie")} == {"quatuor", "__Host-quatuor"}


async def test_nothing_may_be_embedded_elsewhere(ada):
    table = (await ada.open("plus4", "me", "me"))["id"]
    for path in ("/api/me", f"/api/tables/{table}/svg"):
        assert (await ada.http.get(path)).headers["cross-origin-resource-policy"] == "same-origin"


async def test_a_long_path_is_not_found(start_server, tmp_path):
    (tmp_path / "index.html").write_text("page")
    guest = Guest(start_server(page=tmp_path).address)
    for path in ("/" + "x" * 300, "/assets/" + "x" * 5000):
        assert (await guest.http.get(path)).status_code == 404
