"""Mails to people who are awaited in a game played by the day.

What is to be sent is in the store, so a restart loses nothing, and of several processes one sends each mail. Sending
happens in a thread of its own.
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any
from urllib.parse import quote, urlsplit

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from quatuor.games import rulebook
from quatuor.games.catalogue import in_one
from quatuor.server.clock import now
from quatuor.server.guests import Guests
from quatuor.server.mail_texts import TEXTS
from quatuor.server.settings import Settings
from quatuor.server.smtp import MailServer, cause_of, is_final
from quatuor.server.store import Store
from quatuor.server.store.mail_rows import CONFIRM, DAY, Mail, MailRows
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

VALID = 2 * 86_400  # seconds for which a link to confirm an address works
PER_DAY = 20  # mails for one person
LIMIT = 90.0  # seconds for one mail
AGAIN = (60_000, 600_000, 3_600_000)  # milliseconds after a first, second, third failure; then it is given up
THERE = 60_000  # milliseconds until we check again for a person who is at the table, or may be


class Mailer:
    """``server`` is None where the operator set up no mail server: then nothing is sent or kept."""

    def __init__(
        self, store: Store, guests: Guests, settings: Settings, online: Callable[[str, str], Awaitable[bool]]
    ) -> None:
        """``online``: whether a guest is at a table right now, at any process; Refused if that is not known."""
        self.rows = MailRows(store)
        self.server = MailServer.read(settings.smtp) if settings.smtp else None
        self._guests, self._settings, self._online = guests, settings, online
        self._confirms = URLSafeTimedSerializer(guests.key, salt="quatuor.mail.confirm")
        self._stops = URLSafeSerializer(guests.key, salt="quatuor.mail.stop")
        self._thread = ThreadPoolExecutor(1, "quatuor-mail")

    # ---- links

    def confirm_token(self, guest: str, address: str) -> str:
        """For the link in the mail that asks to confirm an address."""
        return str(self._confirms.dumps([guest, _digest(address)]))

    def stop_token(self, guest: str, address: str) -> str:
        """For the link that ends all mails to an address."""
        return str(self._stops.dumps([guest, _digest(address)]))

    async def confirm(self, token: str) -> None:
        """The owner of an address wants mails. Refused if the link is forged or old."""
        guest, row = await self._owner(lambda: self._confirms.loads(token, max_age=VALID))
        if row is None:
            raise Refused("bad_token")
        await self.rows.confirm(guest, row.address, now())

    async def stop(self, token: str) -> None:
        """Delete the address that the link was sent to; may be repeated."""
        guest, row = await self._owner(lambda: self._stops.loads(token))
        if row is not None:
            await self.rows.remove(guest)

    async def _owner(self, read: Callable[[], Any]) -> tuple[str, Any | None]:
        try:
            guest, digest = read()
        except (BadSignature, ValueError, TypeError):
            raise Refused("bad_token") from None
        row = await self.rows.address(guest)
        return guest, row if row is not None and _digest(row.address) == digest else None

    # ---- sending

    async def run(self) -> None:
        """Send mails until cancelled."""
        while self.server:
            try:
                await self.send_due()
            except Exception as error:
                log.warning("mails were not sent", extra={"cause": cause_of(error)})
            await asyncio.sleep(self._settings.mail_every)

    async def send_due(self) -> None:
        """Queue a mail for each person who has been awaited for a while, and send what is due."""
        at = now()
        await self.rows.queue_turns(at - int(1000 * self._settings.mail_after), at, PER_DAY)
        left = self._settings.mails_a_day - await self.rows.sent_since(at - DAY)
        for mail in await self.rows.take(at, left) if left > 0 else ():
            await self._send(mail)

    def close(self) -> None:
        """Do not wait for the mail server any longer."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _send(self, mail: Mail) -> None:
        if mail.table != CONFIRM and await self._may_be_there(mail):
            return await self.rows.postpone(mail, now() + THERE)  # they may leave without a move
        message = await self._message(mail)
        if message is None:  # it is no longer wanted
            return await self.rows.finish(mail, None)
        assert self.server is not None
        sending = asyncio.get_running_loop().run_in_executor(self._thread, self.server.send, message)
        try:
            async with asyncio.timeout(LIMIT):
                await sending
        except Exception as error:
            log.warning("a mail was not sent", extra={"cause": cause_of(error)})
            over = is_final(error) or mail.tries > len(AGAIN)
            return await self.rows.finish(mail, None, None if over else now() + AGAIN[mail.tries - 1])
        return await self.rows.finish(mail, now())

    async def _may_be_there(self, mail: Mail) -> bool:
        try:
            return await self._online(mail.table, mail.guest)
        except Refused:  # another process does not say who is there
            return True

    async def _message(self, mail: Mail) -> EmailMessage | None:
        row = await self.rows.address(mail.guest)
        if row is None:
            return None
        texts, site = TEXTS[row.lang], self._settings.site_url
        facts = {"name": await self._guests.name(mail.guest)}
        if mail.table == CONFIRM:
            token = quote(self.confirm_token(mail.guest, row.address))
            text = texts.confirm.format(**facts, confirm=f"{site}/mail?confirm={token}")
            return self._composed(mail, row.address, texts.confirm_subject, text)
        card = await self.rows.awaited(mail)
        if card is None or row.confirmed is None:
            return None
        stop = quote(self.stop_token(mail.guest, row.address))
        facts |= {"title": _title(card, row.lang), "opponents": await self._opponents(card, mail.guest) or texts.alone}
        text = texts.turn.format(**facts, table=f"{site}/t/{mail.table}", stop=f"{site}/mail?stop={stop}")
        message = self._composed(mail, row.address, texts.turn_subject.format(**facts), text)
        message["List-Unsubscribe"] = f"<{site}/api/mail/stop?token={stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return message

    def _composed(self, mail: Mail, address: str, subject: str, text: str) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._settings.mail_from, address, subject
        message["Date"] = format_datetime(datetime.now(UTC))
        name = _digest(f"{mail.guest} {mail.table} {mail.ply} {address}")  # the same if it has to be sent again
        message["Message-ID"] = f"<{name}@{urlsplit(self._settings.site_url or '').hostname}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message

    async def _opponents(self, card: Any, guest: str) -> str:
        others = [seat["guest"] for seat in card.facts["seats"] if seat["guest"] and seat["guest"] != guest]
        names = await self._guests.names(set(others))
        return ", ".join(names[other] for other in dict.fromkeys(others))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _title(card: Any, lang: str) -> str:
    book = rulebook(card.game)
    variant = next(found for found in book.variants if found.name == card.facts["variant"])
    return in_one(getattr(book.title, lang), getattr(variant.title, lang))
