"""The routes of e-mail: my address, and the links in mails."""

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.responses import Response

from quatuor.server import answers
from quatuor.server.clock import now
from quatuor.server.dependencies import CHANGES, At, Sender, SignedIn, content, operation
from quatuor.server.services import Services
from quatuor.server.store.mail_rows import DAY
from quatuor.server.wire import LINE, respond
from quatuor.table import Refused

api = APIRouter(prefix="/api")

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}")
LONGEST = 254
SAME = 3  # accounts that may give the same address in a day: nobody is flooded through many accounts


class Address(Struct, forbid_unknown_fields=True):
    address: Annotated[str, Meta(max_length=LONGEST, pattern=LINE)]
    lang: Literal["en", "fr", "de"] = "en"


class Link(Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(max_length=400, pattern=LINE)]


@api.get("/account/mail", summary="Where I get mail", dependencies=[CHANGES], **operation(answers.MailAddress))
async def show(at: At, who: SignedIn) -> Response:
    return respond(await _shown(at, who.guest))


@api.put(
    "/account/mail",
    summary="Get mail when it is my turn; the address is to be confirmed first",
    dependencies=[CHANGES],
    **operation(answers.MailAddress, body=Address),
)
async def give(at: At, who: SignedIn, sender: Sender, command: Annotated[Address, content(Address)]) -> Response:
    if at.mailer.server is None:
        raise Refused("no_mail")
    address = command.address.strip()
    if len(address) > LONGEST or not ADDRESS.fullmatch(address):
        raise Refused("bad_address")
    local, _, host = address.rpartition("@")
    address = f"{local}@{host.lower()}"
    at.budgets.spend("mails", sender)
    if await at.mailer.rows.asked(address, now() - DAY) >= SAME:
        raise Refused("rate_limited")
    await at.mailer.rows.set_address(who.guest, address, command.lang, now())
    return respond(await _shown(at, who.guest))


@api.delete("/account/mail", summary="Get no mail any more", dependencies=[CHANGES], **operation(answers.MailAddress))
async def remove(at: At, who: SignedIn) -> Response:
    await at.mailer.rows.remove(who.guest)
    return respond(await _shown(at, who.guest))


@api.post(
    "/mail/confirm",
    summary="Confirm an address by the link that was sent there",
    dependencies=[CHANGES],
    **operation(answers.Ok, body=Link),
)
async def confirm(at: At, command: Annotated[Link, content(Link)]) -> Response:
    await at.mailer.confirm(command.token)
    return respond({"ok": True})


@api.post(
    "/mail/stop",
    summary="Get no mail any more, by the link in a mail; also as RFC 8058 has it",
    dependencies=[CHANGES],
    **operation(answers.Ok),
)
async def stop(at: At, token: str = "") -> Response:
    await at.mailer.stop(token[:400])
    return respond({"ok": True})


async def _shown(at: Services, guest: str) -> dict[str, Any]:
    row = await at.mailer.rows.address(guest)
    return {
        "available": at.mailer.server is not None,
        "address": row.address if row else None,
        "confirmed": bool(row and row.confirmed),
    }
