"""All tournaments: cached in memory while they are used; the store decides which change came first."""

import asyncio
import contextlib
import functools
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

from quatuor.match.tournament import Tournament
from quatuor.server import setups
from quatuor.server.broadcast import Broadcast
from quatuor.server.clock import now
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.names import nameless
from quatuor.server.store import Conflict, Store
from quatuor.server.store.profile_rows import ProfileRows
from quatuor.server.store.table_index import TableIndex
from quatuor.server.store.tournaments import Change, Entrant, TournamentRow, TournamentStore
from quatuor.server.table_session import TableSession
from quatuor.server.tournaments import commands
from quatuor.server.tournaments.view import JsonObject, Shown, shown, summary
from quatuor.server.wire import NewTournament, OnBoard, TournamentResult
from quatuor.table import Context, Refused, decide, history
from quatuor.table.commands import CallOff, Forfeit

log = logging.getLogger("quatuor.server")

T = TypeVar("T")
HELD = 100  # tournaments in memory; more only while each of them is watched over an open websocket
TRIES = 20  # of a change that conflicts with other processes
LOOK_EVERY = 5.0  # seconds between looks for finished games: another process may have ended them, or crashed
LONGEST_RETRY = 600.0  # seconds between two attempts to count a game that could not be counted

Act = Callable[[Tournament, TournamentRow], Change]


class CachedTournament:
    """A tournament in memory, replayed from its lines so far. Use it under its lock only."""

    def __init__(self, look: Callable[[], Coroutine[Any, Any, Shown]]) -> None:
        self.tournament = Tournament([])
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.live = Broadcast(look, self.changed)


class Game(NamedTuple):
    """The game of a player in the round that is being played."""

    place: tuple[int, int]  # round and table, from 1
    table: str | None  # the live table's id; None: played over the board
    seat: int
    counted: bool
    session: TableSession | None  # None: there is no live table, or it cannot be read


class Tournaments:
    """Opens tournaments, carries out commands, counts results."""

    def __init__(self, store: Store, table_index: TableIndex, guests: Guests, profiles: ProfileRows, hub: Hub) -> None:
        self._tournaments, self._table_index, self._guests, self._hub = TournamentStore(store), table_index, guests, hub
        self._profiles = profiles
        self._held: OrderedDict[str, CachedTournament] = OrderedDict()
        self.uncounted: dict[str, tuple[int, float]] = {}  # live table -> failed attempts, when to try again

    # ---- views

    async def lists(self, guest: str | None) -> JsonObject:
        """A guest's own tournaments, and those that are listed for everybody."""
        mine = await self._tournaments.of(guest) if guest else []
        others = await self._tournaments.listed()
        return {
            "mine": [{"id": row.id, **row.card} for row in mine],
            "listed": [{"id": row.id, **row.card} for row in others if row.id not in {own.id for own in mine}],
        }

    async def shown(self, name: str) -> Shown:
        """The view that clients get."""

        async def look(held: CachedTournament) -> Shown:
            kept = await self._read(name, held)
            organiser = await self._guests.name(kept.organiser)
            people = {one.guest for one in kept.entrants.values() if one.guest} | {kept.organiser}
            public = await self._profiles.showing(people)
            called = await self._guests.names(public)
            link = functools.partial(self._guests.player_link, name)
            return await asyncio.to_thread(shown, held.tournament, kept, name, organiser, called, link)

        return await self._alone(name, look)

    async def text(self, name: str) -> str:
        """Its file."""

        async def look(held: CachedTournament) -> str:
            await self._read(name, held)
            return held.tournament.text()

        return await self._alone(name, look)

    def live(self, name: str) -> Broadcast[Shown]:
        """The view, again whenever it changes."""
        return self._find(name).live

    # ---- commands

    async def open(self, guest: str, command: NewTournament) -> str:
        """Create a tournament."""
        tournament, setup = await asyncio.to_thread(setups.validate_new_tournament, command)
        name = setups.new_id()
        await self._tournaments.open(name, guest, setup, tournament.events, summary(tournament, setup), now())
        return name

    async def enter(self, name: str, guest: str) -> None:
        """A guest joins, under the name they have now."""
        entrant = Entrant(await self._guests.name(guest), guest)
        await self._act(name, lambda tournament, kept: commands.enter(tournament, kept, entrant))

    async def organise(self, name: str, guest: str | None, act: Act) -> None:
        """A change that only the organiser may make: one of ``commands``."""

        def organised(tournament: Tournament, kept: TournamentRow) -> Change:
            commands.organised(kept, guest)
            return act(tournament, kept)

        await self._act(name, organised)

    async def withdraw(self, name: str, guest: str | None, number: int) -> None:
        """A player leaves, or the organiser withdraws one; the game they are playing is lost."""

        async def check(held: CachedTournament) -> None:
            kept = await self._read(name, held)
            commands.may_withdraw(kept, commands.player(held.tournament, number), guest)

        await self._alone(name, check)
        game = await self._game(name, number)
        live = game.session if game else None
        if game and live and not live.table.ended_by and game.seat not in live.table.out:
            decision = decide(live.table, Forfeit(game.seat), Context(guest, now(), presence=live.presence))
            if isinstance(decision, Refused):
                raise decision  # the organiser plays this game
        await self._act(name, lambda it, kept: commands.withdraw(it, kept, commands.player(it, number), guest))
        with contextlib.suppress(Refused):  # there is no such game, or it has just ended
            await self._put_out(name, number, guest)

    async def result(self, name: str, guest: str | None, command: TournamentResult) -> None:
        """The organiser records or corrects a result; a player states that of their own game over the board."""
        view = (await self.shown(name)).to(guest, self._guests.player_of(name, command.link))
        if view["organiser"] or view["you"] is None:
            await self._act(name, lambda it, kept: commands.result(it, kept, name, guest, command))
        else:
            await self._act(name, lambda it, kept: commands.state(it, kept, name, view["you"], command))

    async def move_to_board(self, name: str, guest: str | None, command: OnBoard) -> None:
        """The organiser has an online game played over the board, unless it has begun: its table is called off."""
        place = command.round, command.table

        async def check(held: CachedTournament) -> str | None:
            kept = await self._read(name, held)
            commands.organised(kept, guest)
            commands.check_move_to_board(held.tournament, place, command.note)
            return kept.tables.get(place)

        if (table := await self._alone(name, check)) is not None:
            live = await self._hub.get(table)
            if live.table.ended_by != "aborted":  # else an earlier attempt did not get to its end
                await live.handle(CallOff())
        await self._act(name, lambda it, kept: commands.move_to_board(it, kept, place, command.note))

    async def forfeit(self, name: str, guest: str | None, number: int) -> None:
        """The organiser decides that a player has lost the game of this round, usually by not coming to it."""

        async def check(held: CachedTournament) -> None:
            commands.organised(await self._read(name, held), guest)

        await self._alone(name, check)
        await self._put_out(name, number, guest)

    async def forget(self, guest: str) -> None:
        """An account is being deleted: take its name out of all tournaments, and its player out of running ones."""
        for name in await self._tournaments.entered(guest):
            try:
                await self._act(name, lambda it, kept: commands.forget(it, kept, guest, nameless(guest)))
                for number, one in enumerate((await self.shown(name)).guests):
                    if one == guest:
                        with contextlib.suppress(Refused):  # no running game
                            await self._put_out(name, number, guest)
            except Refused as refused:
                if refused.code != "unreadable_tournament":  # it is not shown either
                    raise
                log.error("tournament %s is unreadable: a deleted account's name stays in it", name)

    # ---- results

    async def follow(self) -> None:
        """For ever: count the games that are over, and start what is due. One failure does not hold up the others."""
        while True:
            self._table_index.ended.clear()
            await self._start_due()
            try:
                await self._table_index.flush(lambda table: bool(table.setup.tournament))
                finished = await self._tournaments.finished()
            except Exception:
                log.exception("finished tournament games could not be looked up")
            else:
                for live in self.uncounted.keys() - {live for *_, live in finished}:
                    del self.uncounted[live]  # another process counted it, or the organiser decided
                for name, number, table, live in finished:
                    await self._try_to_count(name, (number, table), live)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._table_index.ended.wait()

    async def _start_due(self) -> None:
        """Start the tournaments whose time has come."""
        at = now()
        try:
            due = await self._tournaments.due(at)
        except Exception:
            log.exception("scheduled tournaments could not be looked up")
            return
        for name in due:
            try:
                await self._act(name, functools.partial(commands.start, name=name, at=at))
            except Exception:
                log.exception("tournament %s could not be started at its time; the next attempt follows", name)

    async def _try_to_count(self, name: str, place: tuple[int, int], live: str) -> None:
        time = asyncio.get_running_loop().time
        attempts, due = self.uncounted.get(live, (0, 0.0))
        if attempts and time() < due:
            return
        try:
            await self._count(name, place, live)
            self.uncounted.pop(live, None)
        except Exception as error:
            wait = min(LONGEST_RETRY, LOOK_EVERY * 2**attempts)
            self.uncounted[live] = (attempts + 1, time() + wait)
            cause = error.code if isinstance(error, Refused) else error.__class__.__name__
            text = "tournament %s: the game of table %s could not be counted (%s); next attempt in %d s"
            log.exception(text, name, live, cause, wait)

    async def _count(self, name: str, place: tuple[int, int], live: str) -> None:
        at = await self._hub.get(live)
        await at.catch_up()  # another process may have ended the game
        if at.table.ended_by == "aborted":
            return  # it is about to be played over the board
        game = history(at.table, at.presence)

        def act(tournament: Tournament, kept: TournamentRow) -> Change:
            players = tournament.rounds[place[0] - 1].tables[place[1] - 1]
            return commands.count(tournament, kept, name, place, game.record(seats=players))

        await self._act(name, act)

    async def _game(self, name: str, number: int) -> Game | None:
        """The game of a player in this round; None: there is none, or the player is an engine."""
        common = (await self.shown(name)).common
        tables = common["rounds"][-1]["tables"] if common["rounds"] else []
        for table, one in enumerate(tables, 1):
            if number in one["players"] and not common["players"][number]["level"]:
                place, seat = (len(common["rounds"]), table), one["players"].index(number)
                return Game(place, one["id"], seat, one["ranking"] is not None, await self._session(one["id"]))
        return None

    async def _session(self, table: str | None) -> TableSession | None:
        if table is None:
            return None
        try:
            return await self._hub.get(table)
        except Refused as refused:
            if refused.code != "unreadable_table":
                raise
            return None

    async def _put_out(self, name: str, number: int, guest: str | None) -> None:
        """Have a player lose the game of this round: at its live table, or in the list if it cannot be counted."""
        game = await self._game(name, number)
        if game is None:
            raise Refused("no_game")
        if game.counted:
            raise Refused("game_over")
        live = game.session
        if live and not live.table.ended_by:
            own = live.table.owned(guest)
            if own and game.seat not in own:
                await live.replication.ask_who_is_here()  # an opponent may only be put out for being away
            await live.handle(Forfeit(game.seat), guest)
            return
        if game.table is not None:
            try:
                await self._count(name, game.place, game.table)
            except (ValueError, LookupError, Refused) as error:
                if isinstance(error, Refused) and error.code != "unreadable_table":
                    raise
            else:
                raise Refused("game_over")  # it ended by itself, and that result counts

        def decide(tournament: Tournament, kept: TournamentRow) -> Change:
            player = commands.player(tournament, number)
            table = tournament.rounds[game.place[0] - 1].tables[game.place[1] - 1]
            mine = [one for one in table if kept.entrants[one].guest == guest]
            if game.table and mine and player not in mine:  # over the board only the organiser can decide
                raise Refused("own_game", at=None)
            return commands.forfeit(tournament, kept, name, game.place, player)

        await self._act(name, decide)

    # ---- inside

    async def _act(self, name: str, act: Act) -> TournamentRow:
        """Carry out a command; its lines are written before anybody sees the change."""

        async def work(held: CachedTournament) -> TournamentRow:
            for _ in range(TRIES):
                kept = await self._read(name, held)
                before = len(held.tournament.events)
                try:
                    change = await asyncio.to_thread(act, held.tournament, kept)
                    new = held.tournament.events[before:]
                    if new:
                        await self._tournaments.append(
                            name, before + 1, new, change, summary(held.tournament, kept.setup), now()
                        )
                except Conflict:
                    held.tournament = Tournament([])
                    continue
                except BaseException:
                    if len(held.tournament.events) != before:  # not written: replay it from the store
                        held.tournament = Tournament([])
                    raise
                held.changed.set()
                for live, _ in change.opened.values():
                    (await self._hub.get(live)).update_summary()
                return kept
            raise Refused("store_failed")

        return await self._alone(name, work)

    async def _alone(self, name: str, work: Callable[[CachedTournament], Coroutine[Any, Any, T]]) -> T:
        """Work under the tournament's lock; it is finished even if the client has gone."""
        held = self._find(name)

        async def locked() -> T:
            async with held.lock:
                return await work(held)

        return await asyncio.shield(asyncio.ensure_future(locked()))

    async def _read(self, name: str, held: CachedTournament) -> TournamentRow:
        """Replay the lines written since."""
        kept = await self._tournaments.load(name, len(held.tournament.events))
        if kept is None:
            self._held.pop(name, None)
            raise Refused("unknown_tournament")
        try:
            await asyncio.to_thread(_replay, held.tournament, kept.lines)
        except (ValueError, LookupError) as error:
            held.tournament = Tournament([])
            raise Refused("unreadable_tournament") from error
        return kept

    def _find(self, name: str) -> CachedTournament:
        """The cached tournament. Those that nobody watches are dropped, the least recently used first."""
        if name not in self._held:
            self._held[name] = CachedTournament(lambda: self.shown(name))
        self._held.move_to_end(name)
        if (surplus := len(self._held) - HELD) > 0:
            unwatched = [other for other, held in self._held.items() if other != name and not held.live.read]
            for other in unwatched[:surplus]:
                del self._held[other]
        return self._held[name]


def _replay(tournament: Tournament, lines: list[JsonObject]) -> None:
    for line in lines:
        tournament.happen(line)
