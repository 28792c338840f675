"""All tournaments: in memory while they are asked for, otherwise in the store, which decides what came first."""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from quatuor.match.tournament import Tournament
from quatuor.server import setups
from quatuor.server.broadcast import Broadcast
from quatuor.server.clock import now
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.store import Conflict, Store
from quatuor.server.store.table_index import TableIndex
from quatuor.server.store.tournaments import Change, Entrant, TournamentRow, TournamentStore
from quatuor.server.tournaments import commands
from quatuor.server.tournaments.view import Plain, Shown, card, shown
from quatuor.server.wire import NewTournament
from quatuor.table import Refused, forfeit, history

log = logging.getLogger("quatuor.server")

T = TypeVar("T")
HELD = 100  # tournaments in memory
TRIES = 20  # for a change that other processes are quicker than
LOOK_EVERY = 5.0  # seconds between looks for games that another process ended, or one that then crashed

Act = Callable[[Tournament, TournamentRow], Change]


class CachedTournament:
    """A tournament in memory: what its lines made of it so far. Nobody touches it without the lock."""

    def __init__(self, look: Callable[[], Coroutine[Any, Any, Shown]]) -> None:
        self.cup = Tournament([])
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.live = Broadcast(look, self.changed)


class Tournaments:
    """Opens tournaments, carries out wishes, counts results."""

    def __init__(self, store: Store, table_index: TableIndex, guests: Guests, hub: Hub) -> None:
        self._tournaments, self._table_index, self._guests, self._hub = TournamentStore(store), table_index, guests, hub
        self._held: OrderedDict[str, CachedTournament] = OrderedDict()

    # ---- looking

    async def lists(self, guest: str | None) -> Plain:
        """Somebody's own tournaments, and those that everybody may find."""
        mine = await self._tournaments.of(guest) if guest else []
        others = await self._tournaments.listed()
        return {
            "mine": [{"id": row.id, **row.card} for row in mine],
            "listed": [{"id": row.id, **row.card} for row in others if row.id not in {own.id for own in mine}],
        }

    async def shown(self, name: str) -> Shown:
        """How it stands."""

        async def look(held: CachedTournament) -> Shown:
            kept = await self._read(name, held)
            organiser = await self._guests.name(kept.organiser)
            return await asyncio.to_thread(shown, held.cup, kept, name, organiser)

        return await self._alone(name, look)

    async def text(self, name: str) -> str:
        """Its file."""

        async def look(held: CachedTournament) -> str:
            await self._read(name, held)
            return held.cup.text()

        return await self._alone(name, look)

    def live(self, name: str) -> Broadcast[Shown]:
        """How it stands, whenever that changes."""
        return self._find(name).live

    # ---- wishes

    async def open(self, guest: str, command: NewTournament) -> str:
        """A new tournament as a guest wishes it."""
        cup, setup = await asyncio.to_thread(setups.tournament, command)
        name = setups.new_id()
        await self._tournaments.open(name, guest, setup, cup.events[0], card(cup, setup), now())
        return name

    async def enter(self, name: str, guest: str) -> None:
        """A guest joins, under the name they have now."""
        entrant = Entrant(await self._guests.name(guest), guest)
        await self._act(name, lambda cup, kept: commands.enter(cup, kept, entrant))

    async def enter_engine(self, name: str, guest: str | None, level: int) -> None:
        """The organiser enters an engine; one of each level."""

        def act(cup: Tournament, kept: TournamentRow) -> Change:
            commands.organised(kept, guest)
            return commands.enter(cup, kept, Entrant(f"Engine {level}", level=level))

        await self._act(name, act)

    async def restore(self, name: str, guest: str | None, number: int) -> None:
        """The organiser lets somebody come back who had left."""

        def act(cup: Tournament, kept: TournamentRow) -> Change:
            commands.organised(kept, guest)
            return commands.restore(cup, kept, _player(cup, number))

        await self._act(name, act)

    async def withdraw(self, name: str, guest: str | None, number: int) -> None:
        """Somebody leaves; a game that they still play is lost."""
        kept = await self._act(name, lambda cup, kept: commands.withdraw(cup, kept, _player(cup, number), guest))
        with contextlib.suppress(Refused):  # there is no such game
            await self._put_out(name, kept, number)

    async def pair(self, name: str, guest: str | None, after: int) -> None:
        """The organiser has the next round drawn up."""

        def act(cup: Tournament, kept: TournamentRow) -> Change:
            commands.organised(kept, guest)
            return commands.pair(cup, kept, name, after)

        await self._act(name, act)

    async def close(self, name: str, guest: str | None) -> None:
        """The organiser wants no more rounds."""

        def act(cup: Tournament, kept: TournamentRow) -> Change:
            commands.organised(kept, guest)
            return commands.close(cup)

        await self._act(name, act)

    async def forfeit(self, name: str, guest: str | None, number: int) -> None:
        """The organiser has somebody lose the game of this round who did not come to it."""

        async def look(held: CachedTournament) -> TournamentRow:
            return await self._read(name, held)

        kept = await self._alone(name, look)
        commands.organised(kept, guest)
        await self._put_out(name, kept, number)

    # ---- results

    async def follow(self) -> None:
        """For ever: count the games that are over."""
        while True:
            self._table_index.ended.clear()
            try:
                await self._table_index.flush(lambda table: bool(table.setup.tournament))
                finished = await self._tournaments.finished()
            except Exception:
                log.exception("results could not be looked for")
                finished = []
            for name, number, table, live in finished:
                try:
                    await self._count(name, (number, table), live)
                except Exception:
                    log.exception("tournament %s: the result of table %s could not be counted", name, live)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._table_index.ended.wait(), LOOK_EVERY)

    async def _count(self, name: str, place: tuple[int, int], live: str) -> None:
        at = await self._hub.get(live)
        await at.catch_up()  # perhaps another process saw the end
        game = history(at.table)

        def act(cup: Tournament, kept: TournamentRow) -> Change:
            players = cup.rounds[place[0] - 1].tables[place[1] - 1]
            return commands.count(cup, kept, name, place, game.record(seats=players))

        await self._act(name, act)

    async def _put_out(self, name: str, kept: TournamentRow, number: int) -> None:
        """At the live table of this round where a player sits."""
        common = (await self.shown(name)).common
        tables = common["rounds"][-1]["tables"] if common["rounds"] else []
        found = [(one["id"], one["players"].index(number)) for one in tables if number in one["players"]]
        if not found or common["players"][number]["level"]:
            raise Refused("no_game")
        live = await self._hub.get(found[0][0])
        await live.carry_out(lambda: forfeit(live.table, kept.organiser, found[0][1]))

    # ---- inside

    async def _act(self, name: str, act: Act) -> TournamentRow:
        """Carry out a wish, and keep its lines before anybody hears of them."""

        async def work(held: CachedTournament) -> TournamentRow:
            for _ in range(TRIES):
                kept = await self._read(name, held)
                before = len(held.cup.events)
                try:
                    change = await asyncio.to_thread(act, held.cup, kept)
                    new = held.cup.events[before:]
                    if new:
                        await self._tournaments.append(name, before + 1, new, change, card(held.cup, kept.setup), now())
                except Conflict:
                    held.cup = Tournament([])
                    continue
                except BaseException:
                    if len(held.cup.events) != before:  # not kept: forget it
                        held.cup = Tournament([])
                    raise
                held.changed.set()
                for live, _ in change.opened.values():
                    (await self._hub.get(live)).update_summary()
                return kept
            raise Refused("store_failed")

        return await self._alone(name, work)

    async def _alone(self, name: str, work: Callable[[CachedTournament], Coroutine[Any, Any, T]]) -> T:
        """Nobody else has the tournament meanwhile; it is finished even if whoever asked has gone."""
        held = self._find(name)

        async def locked() -> T:
            async with held.lock:
                return await work(held)

        return await asyncio.shield(asyncio.ensure_future(locked()))

    async def _read(self, name: str, held: CachedTournament) -> TournamentRow:
        """Take in what was written since."""
        kept = await self._tournaments.load(name, len(held.cup.events))
        if kept is None:
            self._held.pop(name, None)
            raise Refused("unknown_tournament")
        try:
            await asyncio.to_thread(_take_in, held.cup, kept.lines)
        except (ValueError, LookupError) as error:
            held.cup = Tournament([])
            raise Refused("unreadable_tournament") from error
        return kept

    def _find(self, name: str) -> CachedTournament:
        if name not in self._held:
            self._held[name] = CachedTournament(lambda: self.shown(name))
            unread = [other for other, held in self._held.items() if not held.live.read]
            for other in unread[: max(0, len(self._held) - HELD)]:
                del self._held[other]
        self._held.move_to_end(name)
        return self._held[name]


def _take_in(cup: Tournament, lines: list[Plain]) -> None:
    for line in lines:
        cup.happen(line)


def _player(cup: Tournament, number: int) -> str:
    if number >= len(cup.players):
        raise Refused("not_found")
    return cup.players[number]
