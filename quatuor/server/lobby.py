"""Lists of tables for readers: those that wait for players, live, and one's own."""

from dataclasses import dataclass
from typing import Any

from quatuor.games import names, rulebook
from quatuor.server.broadcast import Broadcast
from quatuor.server.clock import now
from quatuor.server.guests import Guests
from quatuor.server.store.profile_rows import ProfileRows
from quatuor.server.store.table_index import PAGE, SummaryRow, TableIndex, lobby_since
from quatuor.table.seats import ACCOUNT

Tables = list[dict[str, Any]]


@dataclass(frozen=True)
class Wanted:
    """Which games a reader searches for; empty: any."""

    text: str = ""  # in the names of the others and of the game, in any language
    game: str = ""
    against: str = ""  # people or engine

    def __bool__(self) -> bool:
        return bool(self.text or self.game or self.against)

    def fits(self, game: dict[str, Any]) -> bool:
        """Whether a game is one of them."""
        others = [seat for number, seat in enumerate(game["seats"]) if number not in game["you"]]
        people = any(seat["kind"] != "engine" for seat in others)
        if (self.against == "people" and not people) or (self.against == "engine" and (people or not others)):
            return False
        texts = [*_titles(game["game"], game["variant"]), *(text for seat in others for text in _names(seat))]
        return self.text.casefold().strip() in " ".join(texts).casefold()


def _titles(game: str, variant: str) -> list[str]:
    if game not in names():
        return [game, variant]
    book = rulebook(game)
    titles = [book.title, *(found.title for found in book.variants if found.name == variant)]
    return [getattr(title, lang) for lang in ("en", "fr", "de") for title in titles]


def _names(seat: dict[str, Any]) -> list[str]:
    level = seat["level"]
    engine = [f"Computer, level {level}", f"Ordinateur, niveau {level}", f"Computer, Stufe {level}"]
    return engine if seat["kind"] == "engine" else [seat["name"] or ""]


class Lobby:
    """Clients that watch the lobby (``live``) get it again whenever it changes."""

    def __init__(self, table_index: TableIndex, guests: Guests, profiles: ProfileRows) -> None:
        self._table_index, self._guests, self._profiles = table_index, guests, profiles
        self.live = Broadcast(self.tables, table_index.changed)

    async def tables(self) -> Tables:
        """The tables that wait for players, the newest first."""
        return await self._shown(await self._table_index.lobby(lobby_since(now())))

    async def games(self, guest: str, over: bool, page: int) -> dict[str, Any]:
        """A page of a guest's own games."""
        found, more = await self._table_index.games(guest, over, page)
        return {"games": await self._shown(found), "more": more}

    async def search(self, guest: str, over: bool, page: int, wanted: "Wanted") -> dict[str, Any]:
        """A page of those last games of a guest that fit the search."""
        if wanted.game and wanted.game not in names():
            return {"games": [], "more": False}
        rows = await self._table_index.latest_games(guest, over, wanted.game)
        found = [game for game in await self._shown(rows) if wanted.fits(game)]
        first = page * PAGE
        return {"games": found[first : first + PAGE], "more": len(found) > first + PAGE}

    async def _shown(self, found: list[SummaryRow]) -> Tables:
        people = {seat["guest"] for card in found for seat in card.facts["seats"] if seat["guest"]}
        called, public = await self._guests.names(people), await self._profiles.showing(people)
        return [_shown(card, called, public) for card in found]


def _shown(card: SummaryRow, called: dict[str, str], public: set[str]) -> dict[str, Any]:
    """A summary as readers may see it: names instead of ids, and the names of ``public`` profiles."""
    facts = card.facts
    mine = [seat for seat in range(len(facts["seats"])) if card.mine >> seat & 1]
    untils = [until for seat, until in facts["until"].items() if int(seat) in mine]
    return {
        "id": card.table,
        "game": card.game,
        "variant": facts["variant"],
        "pace": facts["pace"],
        "takeback": facts["takeback"],
        "seats": [
            {
                "kind": seat["kind"],
                "level": seat["level"],
                "name": seat.get("label") or called.get(seat["guest"]),
                "account": (seat["guest"] or "").startswith(ACCOUNT),
                "profile": called[seat["guest"]] if seat["guest"] in public and not seat.get("label") else None,
                "invited": seat.get("invited", False),
            }
            for seat in facts["seats"]
        ],
        "status": card.status,
        "ply": facts["ply"],
        "touched": card.touched,
        "you": mine,
        "your_turn": bool(card.mine & card.acting),
        "until": min(untils, default=None),
        "ended_by": facts["ended_by"],
        "ranking": facts["ranking"],
        "scores": facts.get("scores"),  # summaries of earlier releases have none
        "rated": facts.get("rated", False),
    }
