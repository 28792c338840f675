"""Mails to people who are to move, through a real SMTP server on the loopback; with both kinds of store."""

import asyncio
import logging
import re
import ssl
import subprocess
import time
from email import message_from_bytes, policy
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from sqlalchemy import insert

from quatuor.server import mailer
from quatuor.server.settings import Settings
from quatuor.server.smtp import MailServer
from quatuor.server.store import Store, mail_rows, pubsub
from quatuor.server.store.mail_rows import MailRows
from quatuor.server.store.schema import accounts
from tests.server.client import Guest, Problem
from tests.server.test_profiles import member

SITE = "https://games.example.org"
PATIENCE = 20.0
SLOW = {"game": "plus4", "variant": "endless", "seats": [{"kind": "me"}, {"kind": "open"}], "pace": {"days": 3}}


class Post:
    """A mail server that keeps the mails it receives, or refuses some recipients."""

    def __init__(self, port: int = 0, host: str = "127.0.0.1", **more) -> None:
        self.mails, self.refused, self.attempts, self.encrypted = [], {}, 0, []
        self._controller = Controller(self, hostname=host, port=port or _free_port(), **more)
        self._controller.start()
        self.port = self._controller.port

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.attempts += 1
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.encrypted.append(server.transport.get_extra_info("ssl_object") is not None)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    async def mail(self, number: int):
        """Wait for the mail with this number."""
        until = time.monotonic() + PATIENCE
        while len(self.mails) <= number:
            assert time.monotonic() < until, "no mail came"
            await asyncio.sleep(0.02)
        return self.mails[number]

    def close(self) -> None:
        self._controller.stop()


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(autouse=True)
def alone(request, monkeypatch):
    """The only server process knows at once that there are no others."""
    if "several" not in request.fixturenames:
        monkeypatch.setattr(pubsub, "SETTLED", 0.0)


@pytest.fixture
def post():
    post = Post()
    yield post
    post.close()


@pytest.fixture
def quick(monkeypatch):
    """Retry failed mails soon, also those during which the server stopped."""
    monkeypatch.setattr(mailer, "AGAIN", (200, 200, 200))
    monkeypatch.setattr(mail_rows, "LEASE", 1500)


OUTSIDE = "127.0.0.2"  # a loopback address that counts as another machine: mails to it are encrypted
USER, SECRET = "games", "p:w@rd"


@pytest.fixture
def certificate(tmp_path):
    """A self-made certificate for ``OUTSIDE``; the file and a context for the mail server."""
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=mail.test"
    names = ["-addext", f"subjectAltName=IP:{OUTSIDE}", "-keyout", key, "-out", cert]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return cert, context


def _checking(logins: list[bool]):
    """Takes one user and password; ``logins`` says of each login whether it was encrypted."""

    def check(server, session, envelope, mechanism, auth_data) -> AuthResult:
        logins.append(server.transport.get_extra_info("ssl_object") is not None)
        right = (auth_data.login, auth_data.password) == (USER.encode(), SECRET.encode())
        return AuthResult(success=right, handled=False)

    return check


def abroad(post: Post, scheme: str = "smtp", password: str = SECRET) -> dict:
    return mailing(0) | {"smtp": f"{scheme}://{USER}:{quote(password)}@{OUTSIDE}:{post.port}"}


def mailing(port: int, **more):
    where = {"smtp": f"smtp://127.0.0.1:{port}", "mail_from": "games@example.org", "site_url": SITE}
    return {**where, "mail_after": 0.0, "mail_every": 3600.0, **more}


async def deliver(server, guest: Guest) -> None:
    """Run the server's periodic work now, including the guest's latest events."""
    await guest.get("/me/games")
    await server.services.mailer.send_due()


def token(mail, kind: str) -> str:
    (link,) = re.findall(rf"{SITE}/mail\?{kind}=\S+", mail.get_content())
    return parse_qs(urlsplit(link).query)[kind][0]


async def give_address(guest: Guest, address: str, lang: str = "en"):
    return await guest.http.put("/api/account/mail", json={"address": address, "lang": lang})


async def confirmed(server, guest: Guest, post: Post, lang: str = "en") -> None:
    assert (await give_address(guest, "ada@example.org", lang)).status_code == 200
    await deliver(server, guest)
    await guest.post("/mail/confirm", {"token": token(post.mails[-1], "confirm")})


async def slow_game(first: Guest, second: Guest) -> str:
    opened = await first.post("/tables", SLOW)
    await second.post(f"/tables/{opened['id']}/join", {"token": opened["invites"]["1"]})
    return opened["id"]


async def move(guest: Guest, table: str, ply: int) -> None:
    command = {"ack": f"{ply}", "ply": ply, "seat": ply % 2, "move": "abcd"[ply % 4]}
    await guest.post(f"/tables/{table}/moves", command)


async def test_one_mail_a_table_until_the_player_has_moved_and_none_after_one_click(start_any_server, post):
    server = start_any_server(**mailing(post.port))
    ada, bob = await member(server, "Ada"), await member(server, "Bob")
    table = await slow_game(bob, ada)
    await confirmed(server, ada, post, lang="de")
    assert (await ada.get("/account/mail"))["confirmed"]
    await move(bob, table, 0)
    await deliver(server, ada)
    mail = post.mails[1]
    assert (mail["to"], mail["from"]) == ("ada@example.org", "games@example.org")
    assert mail["subject"] == f"Du bist am Zug: Plus 4 · Endloses Gitter, gegen {bob.called}"
    assert f"{SITE}/t/{table}" in mail.get_content()
    assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    await deliver(server, ada)
    assert len(post.mails) == 2, "no second mail about the same turn"
    await move(ada, table, 1)
    await move(bob, table, 2)
    await deliver(server, ada)
    stop = urlsplit(post.mails[2]["list-unsubscribe"].strip("<>"))
    assert f"{stop.scheme}://{stop.netloc}" == SITE
    stranger = Guest(server.address)  # a mail program sends no cookie
    answer = await stranger.http.post(f"{stop.path}?{stop.query}", data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert await ada.get("/account/mail") == {"available": True, "address": None, "confirmed": False}
    await move(ada, table, 3)
    await move(bob, table, 4)
    await deliver(server, ada)
    assert len(post.mails) == 3


async def test_no_mail_without_confirmation_or_at_the_table_or_in_a_quick_game(start_any_server, post):
    server = start_any_server(**mailing(post.port))
    ada, bob = await member(server, "Ada"), await member(server, "Bob")
    assert (await give_address(ada, "ada@example.org")).status_code == 200
    table = await slow_game(bob, ada)
    await move(bob, table, 0)
    await deliver(server, ada)
    confirm = token(post.mails[0], "confirm")
    for wrong in ("x", confirm[:-2] + "xx", server.services.mailer.confirm_token("u" + "0" * 24, "ada@example.org")):
        with pytest.raises(Problem, match="bad_token"):
            await bob.post("/mail/confirm", {"token": wrong})
    await deliver(server, ada)
    line = await ada.connect(table)
    await ada.post("/mail/confirm", {"token": confirm})
    await deliver(server, ada)
    await line.close()
    opened = await bob.post("/tables", {**SLOW, "pace": None})
    await ada.post(f"/tables/{opened['id']}/join", {"token": opened["invites"]["1"]})
    await move(bob, opened["id"], 0)
    await deliver(server, ada)
    assert len(post.mails) == 1


async def test_a_person_who_leaves_the_table_without_a_move_gets_the_mail_later(start_any_server, post, monkeypatch):
    monkeypatch.setattr(mailer, "THERE", 0)
    server = start_any_server(**mailing(post.port), away_after=0.1)
    ada, bob = await member(server, "Ada"), await member(server, "Bob")
    await confirmed(server, ada, post)
    table = await slow_game(bob, ada)
    line = await ada.connect(table)
    await move(bob, table, 0)
    for _ in range(5):
        await deliver(server, ada)
    assert len(post.mails) == 1, "she is there"
    await line.close()
    while (await bob.get(f"/tables/{table}"))["seats"][1]["online"]:
        await asyncio.sleep(0.02)
    await deliver(server, ada)
    assert f"{SITE}/t/{table}" in (await post.mail(1)).get_content()
    await deliver(server, ada)
    assert len(post.mails) == 2, "once"


async def test_a_mail_survives_a_mail_server_that_is_down_and_a_restart(start_any_server, quick, caplog):
    caplog.set_level(logging.INFO, "quatuor.server")
    port = _free_port()
    server = start_any_server(**mailing(port, mail_every=0.05))
    ada = await member(server, "Ada")
    assert (await give_address(ada, "ada@example.org")).status_code == 200
    until = time.monotonic() + PATIENCE
    while not any("was not sent" in record.message for record in caplog.records):
        assert time.monotonic() < until
        await asyncio.sleep(0.02)
    start_any_server(**mailing(port, mail_every=0.05))
    post = Post(port)
    try:
        await post.mail(0)
        await asyncio.sleep(0.5)
        assert len(post.mails) == 1
    finally:
        post.close()
    assert "ada@example.org" not in caplog.text + "".join(str(vars(record)) for record in caplog.records)


async def test_a_refused_address_is_not_tried_again_and_never_logged(start_any_server, post, quick, caplog):
    caplog.set_level(logging.DEBUG, "quatuor.server")
    post.refused = {"gone@example.org": "550 <gone@example.org> no such user", "full@example.org": "452 full"}
    server = start_any_server(**mailing(post.port, mail_every=0.05))
    ada, bob = await member(server, "Ada"), await member(server, "Bob")
    await give_address(ada, "gone@example.org")
    await give_address(bob, "full@example.org")
    until = time.monotonic() + PATIENCE
    while post.attempts < 5:  # one attempt, and four attempts
        assert time.monotonic() < until
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    assert post.attempts == 5
    assert "example.org" not in caplog.text + "".join(str(vars(record)) for record in caplog.records)


async def test_addresses_are_checked_limited_exported_and_deleted_with_the_account(start_any_server, post):
    server = start_any_server(**mailing(post.port), budgets={"mails": 12})  # three of a person
    ada = await member(server, "Ada")
    for wrong in ("ada", "ada@", "ada@host", "a b@example.org", "ada@example.org, eve@example.org", "é@example.org"):
        assert (await give_address(ada, wrong)).json()["error"]["code"] == "bad_address"
    assert [(await give_address(ada, f"ada{n}@example.org")).status_code for n in range(4)] == [200, 200, 200, 429]
    exported = await ada.get("/me/export")
    assert [row["address"] for row in exported["addresses"]] == ["ada2@example.org"]
    await ada.http.request("DELETE", "/api/account", json={"password": "correct horse"})
    assert await server.services.mailer.rows.address(exported["id"]) is None
    assert (await give_address(Guest(server.address), "eve@example.org")).status_code == 401


async def test_many_accounts_cannot_flood_one_address(start_any_server, post):
    server = start_any_server(**mailing(post.port))
    codes = [(await give_address(await member(server, "Eve"), "ada@Example.org")).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]


async def test_all_mails_of_a_day_are_limited(start_any_server, post):
    server = start_any_server(**mailing(post.port, mails_a_day=2))
    for number in range(3):
        await give_address(await member(server, "Ada"), f"ada{number}@example.org")
        await deliver(server, Guest(server.address))
    assert len(post.mails) == 2


async def test_without_a_mail_server_nothing_is_stored(each_server):
    ada = await member(each_server, "Ada")
    assert (await ada.get("/account/mail"))["available"] is False
    assert (await give_address(ada, "ada@example.org")).json()["error"]["code"] == "no_mail"


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_a_mail_to_another_machine_is_encrypted_and_handed_in_with_a_login(
    start_any_server, certificate, monkeypatch, scheme
):
    cert, context = certificate
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    tls = {"ssl_context": context, "auth_require_tls": False} if scheme == "smtps" else {"tls_context": context}
    logins = []
    post = Post(host=OUTSIDE, authenticator=_checking(logins), **tls)
    server = start_any_server(**abroad(post, scheme))
    ada = await member(server, "Ada")
    await confirmed(server, ada, post)
    assert post.encrypted == logins == [True]
    post.close()


@pytest.mark.parametrize("wrong", ["password", "unknown certificate", "no STARTTLS"])
async def test_a_login_is_never_sent_in_the_open_and_a_wrong_one_never_logged(
    start_any_server, certificate, monkeypatch, caplog, quick, wrong
):
    cert, context = certificate
    if wrong != "unknown certificate":
        monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    offered = {"auth_require_tls": False} if wrong == "no STARTTLS" else {"tls_context": context}
    logins = []
    post = Post(host=OUTSIDE, authenticator=_checking(logins), **offered)
    server = start_any_server(**abroad(post, password="wr0ng w0rd" if wrong == "password" else SECRET))
    ada = await member(server, "Ada")
    with caplog.at_level(logging.INFO):
        await give_address(ada, "ada@example.org")
        await deliver(server, ada)
    assert not post.mails
    assert all(logins)
    assert bool(logins) == (wrong == "password")
    assert "a mail was not sent" in caplog.text
    for secret in ("wr0ng", SECRET, "ada@example.org"):
        assert secret not in "".join(str(vars(record)) for record in caplog.records)
    post.close()


async def test_nobody_gets_mail_while_at_the_table_at_another_process(several, post):
    one, two = [await asyncio.to_thread(several, **mailing(post.port), forget_after=0.2) for _ in range(2)]
    ada, bob = await member(one, "Ada"), await member(one, "Bob")
    await confirmed(one, ada, post)
    table = await slow_game(bob, ada)
    there = Guest(two.address)
    there.http.cookies = ada.http.cookies
    line = await there.connect(table)
    await move(bob, table, 0)
    await asyncio.sleep(pubsub.SETTLED + 1)  # by then they know each other
    assert one.services.hub.here(table) is None
    await deliver(one, ada)
    assert len(post.mails) == 1
    await line.close()


def test_settings_of_a_mail_server():
    found = MailServer.read("smtps://ada%40example.org:p%3Aw@mail.example.org")
    assert (found.host, found.port, found.user, found.password) == ("mail.example.org", 465, "ada@example.org", "p:w")
    assert "p:w" not in repr(found)
    for wrong in ({"smtp": "mail.example.org"}, {"smtp": "smtp://h", "mail_from": "a@b.c"}, {"smtp": "smtp://h"}):
        with pytest.raises(ValueError, match=r"smtp://|QUATUOR_SITE_URL|QUATUOR_MAIL_FROM"):
            Settings(**wrong)


async def test_of_several_processes_one_sends_each_mail(store_url):
    stores = [Store(Settings(store=store_url).url) for _ in range(3)]
    outboxes = [MailRows(store) for store in stores]
    people = [{"guest": f"u{n}", "name": f"P{n}", "key": f"p{n}", "password": "", "created": n} for n in range(9)]
    with stores[0].engine.begin() as connection:
        connection.execute(insert(accounts), people)
    for person in people:
        await outboxes[0].set_address(person["guest"], f"{person['guest']}@example.org", "en", 1)
    taken = await asyncio.gather(*(outbox.take(2, 100) for outbox in outboxes))
    assert sorted(mail.guest for mails in taken for mail in mails) == [person["guest"] for person in people]
    assert await outboxes[0].take(2, 100) == []
    for store in stores:
        store.close()
