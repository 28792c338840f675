"""What a chat shows for the link of a table: title, text and a picture of the position (Open Graph)."""

import asyncio
import importlib.util
import re
from collections import OrderedDict
from dataclasses import dataclass
from html import escape
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from quatuor.games import catalogue
from quatuor.interop.pictures import png_of
from quatuor.server.budgets import COSTS, Budgets
from quatuor.server.dependencies import At, Sender, costs, operation
from quatuor.server.hub import Hub
from quatuor.server.table_session import TableSession
from quatuor.server.visitors import visitor
from quatuor.table import Pace, Refused, history

api = APIRouter(prefix="/api")

WIDTH, HEIGHT, EDGE = 1200, 630, 30  # of the picture, in pixels, as chats show it without cutting
GROUND = "#efe6d6"
KEPT = 100  # pictures in memory, of some 50 KB each
TABLE = re.compile(r"[\w-]{1,64}")
GUEST = re.compile(r"Guest (\d+)")
CAN_DRAW = importlib.util.find_spec("resvg_py") is not None  # comes with quatuor[server]


@dataclass(frozen=True)
class PreviewTexts:
    """The texts of a preview in one language."""

    guest: str
    computer: str
    invites: str
    nobody: str
    no_clock: str
    clock: str
    days: tuple[str, str]  # one, several
    free: tuple[str, str]


TEXTS = {
    "en": PreviewTexts(
        "Guest {}", "Computer, level {}", "{} invites you to a game", "You are invited to a game", "No clock",
        "{} min + {} s per move", ("{} day per move", "{} days per move"), ("{} free seat", "{} free seats"),
    ),
    "fr": PreviewTexts(
        "Invité {}", "Ordinateur, niveau {}", "{} vous invite à une partie", "Vous êtes invité à une partie",
        "Sans pendule", "{} min + {} s par coup", ("{} jour par coup", "{} jours par coup"),
        ("{} place libre", "{} places libres"),
    ),
    "de": PreviewTexts(
        "Gast {}", "Computer, Stufe {}", "{} lädt dich zu einer Partie ein", "Du bist zu einer Partie eingeladen",
        "Ohne Uhr", "{} Min. + {} s pro Zug", ("{} Tag pro Zug", "{} Tage pro Zug"),
        ("{} freier Platz", "{} freie Plätze"),
    ),
}  # fmt: skip


class Previews:
    """Draws one picture at a time, and keeps the last ones."""

    def __init__(self, hub: Hub, budgets: Budgets) -> None:
        self._hub, self._budgets = hub, budgets
        self._pictures: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def head(self, request: Request, table: str) -> str:
        """The tags for a table's page; none if there is no such table, or the visitor has asked too often."""
        if not TABLE.fullmatch(table):
            return ""
        sender = visitor(request)
        try:
            self._budgets.spend("requests", sender, COSTS["snapshot"])
            live = await self._hub.get(table, sender)
        except Refused:
            return ""
        games = await asyncio.to_thread(catalogue.games)
        chosen = request.query_params.get("lang", "")  # the host's: chats do not ask for a language
        language = _language(f"{chosen},{request.headers.get('accept-language', '')}")
        title, text = _texts(live, games, language)
        origin = str(request.base_url).rstrip("/")
        tags = {"og:type": "website", "og:site_name": "Quatuor", "og:title": title, "og:description": text}
        if CAN_DRAW:
            tags["og:image"] = f"{origin}/api/tables/{table}/preview.png?ply={live.table.game.ply}"
            tags |= {"og:image:type": "image/png", "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
        else:
            tags["og:image"] = f"{origin}/icon-512.png"
        lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()]
        card = "summary_large_image" if CAN_DRAW else "summary"
        return "\n    ".join([*lines, f'<meta name="twitter:card" content="{card}" />'])

    async def picture(self, live: TableSession) -> bytes:
        """The position after the last complete turn, as PNG."""
        key = live.id, live.table.game.ply
        async with self._drawing:
            if key not in self._pictures:
                game = history(live.table, live.presence)
                self._pictures[key] = await asyncio.to_thread(lambda: _drawn(game.svg()))
            self._pictures.move_to_end(key)
            if len(self._pictures) > KEPT:
                self._pictures.popitem(last=False)
            return self._pictures[key]


@api.get(
    "/tables/{table}/preview.png",
    summary="A picture of the position for link previews",
    dependencies=[costs("preview")],
    **operation(None, media="image/png"),
)
async def preview(table: str, at: At, sender: Sender) -> Response:
    live = await at.hub.get(table, sender)
    if not CAN_DRAW:
        raise Refused("not_found")
    picture = await at.previews.picture(live)
    return Response(picture, headers={"cache-control": "public, max-age=60"}, media_type="image/png")


def _language(accepted: str) -> str:
    """The first of our languages that a browser asks for."""
    asked = (part.strip()[:2].lower() for part in accepted.split(","))
    return next((language for language in asked if language in TEXTS), "en")


def _texts(live: TableSession, games: list[dict[str, Any]], language: str) -> tuple[str, str]:
    table, texts = live.table, TEXTS[language]
    game = next(game for game in games if game["name"] == table.setup.game)
    variant = next(variant for variant in game["variants"] if variant["name"] == table.game.variant.name)
    both = catalogue.in_one(game["title"][language], variant["title"][language])
    what = f"{both}. {_pace(table.setup.pace, texts)}."
    free = sum(seat.kind == "open" for seat in table.seats)
    if free and table.ended_by is None:
        host = live.presence.names.get(table.owner)
        title = texts.invites.format(_name(host, texts)) if host else texts.nobody
        return title, f"{what} {_count(free, texts.free)}."
    names = [
        texts.computer.format(seat.level)
        if seat.kind == "engine"
        else _name(seat.label or live.presence.names.get(seat.guest or ""), texts)
        for seat in table.seats
    ]
    return " – ".join(names), what


def _name(name: str | None, texts: PreviewTexts) -> str:
    found = GUEST.fullmatch(name or "")
    return texts.guest.format(found[1]) if found else name or "?"


def _pace(pace: Pace, texts: PreviewTexts) -> str:
    if pace.days:
        return _count(pace.days, texts.days)
    return texts.clock.format(f"{pace.total / 60:g}", pace.increment) if pace.total else texts.no_clock


def _count(number: int, forms: tuple[str, str]) -> str:
    return forms[number != 1].format(number)


def _drawn(svg: str) -> bytes:
    """The board in the middle of a wide picture."""
    head, _, rest = svg.partition(">")
    head = re.sub(r'\s(width|height)="[^"]*"', "", head)
    place = f'x="{EDGE}" y="{EDGE}" width="{WIDTH - 2 * EDGE}" height="{HEIGHT - 2 * EDGE}"'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>'
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{ground}{head} {place}>{rest}</svg>'
    )
    return png_of(whole, WIDTH)
