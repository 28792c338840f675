"""Lists of tables for readers: those that wait for players, live, and one's own."""

from typing import Any

from quatuor.server.broadcast import Broadcast
from quatuor.server.clock import now
from quatuor.server.guests import Guests
from quatuor.server.store.table_index import SummaryRow, TableIndex, lobby_since
from quatuor.table.seats import ACCOUNT

Tables = list[dict[str, Any]]


class Lobby:
    """Clients that watch the lobby (``live``) get it again whenever it changes."""

    def __init__(self, table_index: TableIndex, guests: Guests) -> None:
        self._table_index, self._guests = table_index, guests
        self.live = Broadcast(self.tables, table_index.changed)

    async def tables(self) -> Tables:
        """The tables that wait for players, the newest first."""
        return await self._shown(await self._table_index.lobby(lobby_since(now())))

    async def games(self, guest: str, over: bool, page: int) -> dict[str, Any]:
        """A page of a guest's own games."""
        found, more = await self._table_index.games(guest, over, page)
        return {"games": await self._shown(found), "more": more}

    async def _shown(self, found: list[SummaryRow]) -> Tables:
        people = {seat["guest"] for card in found for seat in card.facts["seats"] if seat["guest"]}
        names = await self._guests.names(people)
        return [_shown(card, names) for card in found]


def _shown(card: SummaryRow, names: dict[str, str]) -> dict[str, Any]:
    """A card as readers may see it: names instead of ids."""
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
                "name": seat.get("label") or names.get(seat["guest"]),
                "account": (seat["guest"] or "").startswith(ACCOUNT),
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
