"""One table with everybody around it: wishes in, events out, each written down before anybody hears of it."""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from msgspec import Raw

from quatuor.game import Game
from quatuor.server.budgets import TABLE_EVENTS
from quatuor.server.clock import now
from quatuor.server.commands import decide
from quatuor.server.engine_driver import EngineDriver
from quatuor.server.engine_queue import Asker
from quatuor.server.engines import Engines
from quatuor.server.recent import Recent
from quatuor.server.settings import Settings
from quatuor.server.store import Conflict, Store
from quatuor.server.store.outages import COMING_BACK
from quatuor.server.store.table_index import TableIndex
from quatuor.server.visitors import Visitor
from quatuor.server.wire import Claim, Command, Hint, encode
from quatuor.table import (
    Event,
    Refused,
    Setup,
    Table,
    changes_position,
    come_back,
    flag,
    presence,
    public_event,
    shared_view,
    snapshot,
    view_for,
)  # fmt: skip

log = logging.getLogger("quatuor.server")

PRESENCE_EVERY = 0.25  # seconds between two messages about who is here
TRIES = 20  # for an event that other processes are quicker than
RESTART = 1012  # why a line is closed: come back
REMEMBERED = 200  # answers that can be given again, besides those of wishes carried out
PASSING = ("store_failed", "try_again")  # refusals that say nothing about the command itself


class Listener(Protocol):
    """Somebody at the other end of a line; ``send`` never waits."""

    guest: str | None
    session: str | None
    visitor: Visitor

    async def valid(self) -> bool: ...
    def send(self, frame: bytes) -> None: ...
    def close(self, code: int) -> None: ...


class RemotePresence(NamedTuple):
    """Who listens at a process."""

    here: frozenset[str] = frozenset()  # guests who sit at the table
    watching: int = 0  # people who don't
    watched: bool = False  # whether anybody listens at all

    @classmethod
    def read(cls, note: dict[str, Any]) -> "RemotePresence":
        """As another process sent it."""
        return cls(frozenset(note["here"]), note["watching"], note["watched"])

    def note(self) -> dict[str, Any]:
        """As it is sent to other processes."""
        return {**self._asdict(), "here": sorted(self.here)}


Names = Callable[[set[str]], Awaitable[dict[str, str]]]
Opens = Callable[[], tuple[str, Setup]]  # the table that a rematch opens, as it is when the rematch is decided


class TableSession:
    """A table in memory. Other processes may hold it too: the store decides which event comes next."""

    def __init__(
        self,
        name: str,
        table: Table,
        heard: list[dict[str, Any]],  # what was told of its last events
        store: Store,
        table_index: TableIndex,
        engines: Engines,
        settings: Settings,
        names: Names,
    ) -> None:
        self.id = name
        self.table = table
        self.listeners: set[Listener] = set()
        self.used = asyncio.get_running_loop().time()
        self.broken = False
        self.visitor: Visitor | None = None  # who opened or loaded it, and whose budget it counts against
        self._store, self._table_index, self._engines, self._settings, self._names = (
            store,
            table_index,
            engines,
            settings,
            names,
        )
        self._lock = asyncio.Lock()
        self._recent = Recent(heard)
        self._elsewhere: dict[str, RemotePresence] = {}  # by process
        self._announced = RemotePresence()
        self._replies: OrderedDict[tuple[str | None, str], dict[str, Any]] = OrderedDict()
        self._hints: dict[tuple[str | None, str], asyncio.Future[dict[str, Any]]] = {}
        self._engine_driver = EngineDriver(self, engines, settings.engine_pace)
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarm: asyncio.TimerHandle | None = None  # when the next flag falls
        self._presence_sent = 0.0
        self._presence_due: asyncio.TimerHandle | None = None
        self._look_around()
        self._set_alarm()

    @property
    def ticking(self) -> bool:
        """Whether somebody's time runs out within hours rather than days."""
        return bool(self.table.clocks.since) and not self.table.setup.pace.days

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if the table leaves memory."""
        return not (
            self.listeners or self._engine_driver.thinking or self._tasks or self.ticking or self._lock.locked()
        )

    # ---- wishes

    async def command(self, guest: str | None, command: Command, lag: int = 0) -> dict[str, Any]:
        """Carry out a message's wish, once; the answer is the same however often it is sent."""
        key = (guest, command.ack)
        if key in self._replies:
            return self._replies[key]
        try:
            if self.table.version >= TABLE_EVENTS:
                raise Refused("over_budget", budget="table_events", of="table", most=TABLE_EVENTS)
            if isinstance(command, Claim):
                await self.ask_who_is_here()
            version = await self.carry_out(lambda: decide(self.table, guest, command, now(), lag))
        except Refused as refused:
            reply = {"t": "error", "ack": command.ack, "code": refused.code, "detail": refused.detail}
            return reply if refused.code in PASSING else self._remember(key, reply)
        return {"t": "ack", "ack": command.ack, "version": version}

    async def carry_out(self, decide: Callable[[], Event | int], opens: Opens | None = None) -> int:
        """Do what ``decide`` gives: an event to keep, apply and tell, or a version at which it was done before.

        It is decided again if another process was quicker. It is finished even if the sender has gone.
        """
        return await asyncio.shield(asyncio.ensure_future(self._carry_out(decide, opens)))

    async def hint(self, guest: str | None, command: Hint) -> dict[str, Any]:
        """What an engine would do, for somebody who plays alone or against engines."""
        key = (guest, command.ack)
        if key in self._replies:
            return self._replies[key]
        if key not in self._hints:
            if any(other == guest for other, _ in self._hints):
                raise Refused("rate_limited")  # one at a time
            game, seat = self._hint_wanted(guest, command.ply)
            self._hints[key] = asyncio.ensure_future(self._find_hint(key, game, seat))
        try:
            return await asyncio.shield(self._hints[key])
        except Refused as refused:
            raise Refused("engine_busy", **refused.detail) from None
        except Exception as error:
            log.exception("table %s: a hint failed", self.id)
            raise Refused("engine_failed") from error

    # ---- coming and going

    async def enter(self, listener: Listener, since: int | None) -> None:
        """Tell a newcomer what was missed, or everything, and from then on whatever happens."""
        async with self._lock:
            if not await listener.valid():
                listener.close(RESTART)  # signed out while it came in
                return
            self.listeners.add(listener)
            self._note_presence(listener.guest, skip=listener)
            for frame in self._missed(listener.guest, since):
                listener.send(encode(frame))
        self.announce()
        self._wake_engines()
        if come_back(self.table, listener.guest):
            await self.carry_out(lambda: come_back(self.table, listener.guest) or self.table.version)

    def leave(self, listener: Listener) -> None:
        """Somebody is gone; the others are told unless they are back in a moment."""
        self.listeners.discard(listener)
        self.used = asyncio.get_running_loop().time()
        self._drop_hint(listener.guest)
        self._wake_engines()
        self.announce()
        self._spawn(self._gone(listener.guest))

    async def note_presence(self, guest: str | None) -> None:
        """Tell everybody if the guest has come or gone meanwhile."""
        async with self._lock:
            self._note_presence(guest)
        self.announce()

    async def rename(self, guest: str, name: str) -> None:
        """Somebody at this table has another name now."""
        if self.table.owned(guest):
            async with self._lock:
                self.table.names[guest] = name
                self._send_presence()

    async def settle(self) -> None:
        """Clocks get back the time of an outage, if there was one."""
        await self.carry_out(lambda: self.table.version)

    async def check_flags(self) -> None:
        """Whoever's time is up is out."""
        while flag(self.table, now()):
            await self.carry_out(lambda: flag(self.table, now()) or self.table.version)

    async def adopt(self, old: str, new: str, name: str) -> None:
        """A guest is known under another id from now on; lines of the old one have to come anew."""

        def decide() -> Event | int:
            self.table.names[new] = name
            here = self.table.owned(old) or self.table.owner == old
            return Event("adopt", {"old": old, "new": new}) if here else self.table.version

        await self.carry_out(decide)
        self.send_away(lambda listener: listener.guest == old)  # also where the guest has no seat

    def send_away(self, which: Callable[[Listener], bool]) -> None:
        """Some have to connect anew: they are somebody else now, or nobody."""
        for listener in [listener for listener in self.listeners if which(listener)]:
            listener.close(RESTART)

    def update_summary(self) -> None:
        """Have lists of tables show how this one stands."""
        self._table_index.update(self.id, self.table)

    def snapshot(self, viewer: str | None) -> dict[str, Any]:
        """The whole table as a viewer may see it."""
        return {"id": self.id, **snapshot(self.table, viewer, Raw(self.table.entries.json()))}

    def dismiss(self, guest: str) -> None:
        """A guest is no longer who they were: their lines are closed."""
        for listener in list(self.listeners):
            if listener.guest == guest:
                listener.send(encode({"t": "bye", "code": "bad_token"}))
                listener.close(1008)

    def bye(self, code: str) -> None:
        """The server stops: everybody may try again somewhere else, or later."""
        for listener in list(self.listeners):
            listener.send(encode({"t": "bye", "code": code}))
            listener.close(RESTART)
        self._engine_driver.stop()
        for task in self._tasks:
            task.cancel()
        for hint in self._hints.values():
            hint.cancel()
        self.silence()

    def silence(self) -> None:
        """No alarm rings here any more."""
        if self._alarm:
            self._alarm.cancel()

    # ---- other processes

    @property
    def here(self) -> RemotePresence:
        """Who listens at this process."""
        guests = {listener.guest or listener for listener in self.listeners}
        here = frozenset(self.table.people & guests)
        return RemotePresence(here, len(guests - here), bool(guests))

    async def catch_up(self) -> None:
        """Tell what other processes have written."""
        async with self._lock:
            await self._catch_up()
        self._wake_engines()

    def announce(self, ask: bool = False, again: bool = False) -> None:
        """Let the other processes know who listens here, if that has changed or they ask; ``ask`` them too."""
        state = self.here
        if ask or again or state != self._announced:
            self._announced = state
            self._spawn(self._store.note({"at": self.id, **state.note(), "ask": ask}))

    def elsewhere(self, process: str, there: RemotePresence) -> None:
        """Who listens at another process."""
        before = self._elsewhere.pop(process, RemotePresence())
        if there.watched:
            self._elsewhere[process] = there
        for guest in there.here - before.here:
            self._spawn(self.note_presence(guest))
        for guest in before.here - there.here:
            self._spawn(self._gone(guest))
        if there.watching != before.watching:
            self._spawn(self.note_presence(None))
        self._wake_engines()

    async def ask_who_is_here(self) -> None:
        """Before somebody is put out for being away, every process says who listens there."""
        answers = await self._store.ask({"table": self.id})
        if answers is None:
            raise Refused("try_again")
        try:
            elsewhere = {process: RemotePresence.read(answer) for process, answer in answers.items()}
        except (LookupError, TypeError):
            raise Refused("try_again") from None  # a process of another release
        for process, there in elsewhere.items():
            self.elsewhere(process, there)
            for guest in there.here:
                await self.note_presence(guest)

    async def _close_signed_out(self) -> None:
        """Close sockets whose session is over, before they get anything private.

        Usually a note has done that. While notes may be missing, the store is asked.
        """
        if not self._store.pubsub.current:
            for listener in [one for one in self.listeners if one.guest in self.table.people]:
                try:
                    valid = await listener.valid()
                except Exception:
                    valid = False
                if not valid:
                    listener.close(RESTART)

    async def _catch_up(self) -> bool:
        """Tell what other processes have written; whether that was anything."""
        if self.broken:
            return False
        missed = await self._store.since(self.id, self.table.version)
        named = {event.guest for event in missed} | {event.data.get("new") for event in missed}
        strangers = {guest for guest in named if guest} - self.table.names.keys()
        if strangers:
            self.table.names |= await self._names(strangers)
        if missed:
            await self._close_signed_out()
        for event in missed:
            self._tell(event)
        return bool(missed)

    # ---- inside

    def _hint_wanted(self, guest: str | None, ply: int) -> tuple[Game, int]:
        table = self.table
        seats = [seat for seat in table.to_move if seat in table.owned(guest)]
        if not table.alone(guest) or any(place.kind == "open" for place in table.seats):
            raise Refused("no_hint")  # another person plays, or may come to play on
        if not seats:
            raise Refused("game_over" if table.ended_by else "not_your_turn", to_move=list(table.to_move))
        if ply != table.game.ply:
            raise Refused("stale_ply", ply=table.game.ply)
        return table.study(), seats[0]

    async def _find_hint(self, key: tuple[str | None, str], game: Game, seat: int) -> dict[str, Any]:
        try:
            found = await self._engines.hint(Asker(self._visitor(key[0]), self.id), game, seat)
        finally:
            del self._hints[key]
        return self._remember(key, {"t": "hint", "ack": key[1], **found})

    def _visitor(self, guest: str | None) -> Visitor:
        return next((listener.visitor for listener in self.listeners if listener.guest == guest), Visitor("", guest))

    def _drop_hint(self, guest: str | None) -> None:
        """Stop looking for the hint of a guest who is gone; it can be asked for again."""
        if not any(listener.guest == guest for listener in self.listeners):
            for asked in [hint for (other, _), hint in self._hints.items() if other == guest]:
                asked.cancel()

    async def _carry_out(self, decide: Callable[[], Event | int], opens: Opens | None) -> int:
        async with self._lock:
            await self._give_time_back()
            for _ in range(TRIES):
                try:
                    decided = decide()
                except Refused:
                    if not self._store.pubsub.shared or not await self._catch_up():
                        raise
                    continue  # it was refused for what was no longer so
                if isinstance(decided, int):
                    return decided
                decided = replace(decided, at=now())
                if await self._keep(decided, opens() if opens and decided.kind == "rematch" else None):
                    break
            else:
                raise self._break("store_failed")
            await self._close_signed_out()
            self._tell(decided)
            self.update_summary()
            version = self.table.version
        self._wake_engines()
        return version

    async def _give_time_back(self) -> None:
        """Before anything else happens, clocks get back the time in which nobody could move."""
        for _ in range(TRIES):
            outage = await self._store.outages.unaccounted(self.table)
            if outage is None:
                return
            end = min(now(), outage.end + COMING_BACK)
            hold = Event("hold", {"start": outage.start, "end": end}, at=now())
            if await self._keep(hold, None):
                await self._close_signed_out()
                self._tell(hold)
                self.update_summary()

    async def _keep(self, event: Event, opens: tuple[str, Setup] | None) -> bool:
        """Write an event down; False if another process was quicker, and what it wrote is now told."""
        if self.broken:
            raise Refused("store_failed")
        try:
            await self._store.append(self.id, self.table.version + 1, event, opens)
            return True
        except Conflict:
            await self._catch_up()
            return False
        except Exception as error:
            # Whether it was written is unknown: forget what is in memory, everybody comes back to what was kept.
            raise self._break("store_failed") from error

    def _break(self, code: str) -> Refused:
        log.exception("table %s is taken out of memory", self.id)
        self.broken = True
        self.bye(code)
        return Refused(code)

    def _tell(self, event: Event) -> None:
        try:
            self.table.apply(event)
        except Exception as error:
            raise self._break("internal") from error
        self._look_around()
        self._set_alarm()
        if event.kind == "adopt":
            self.send_away(lambda listener: listener.guest == event.data["old"])
        heard = public_event(self.table, event)
        self._recent.append(heard)
        alike = shared_view(self.table) if changes_position(heard) else None  # made once for all who listen
        frames: dict[str | None, bytes] = {}
        for listener in list(self.listeners):
            viewer = listener.guest
            if viewer not in frames:
                own = view_for(self.table, viewer, alike) if alike else {}
                frames[viewer] = encode({"t": "event", **heard, **own})
            listener.send(frames[viewer])

    def _missed(self, viewer: str | None, since: int | None) -> list[dict[str, Any]]:
        """What somebody who has heard everything up to ``since`` has to be told."""
        missed = None if since is None else self._recent.last(self.table.version - since)
        if missed is None:
            return [{"t": "state", **self.snapshot(viewer)}]
        frames = [{"t": "event", **self._unremoved(heard)} for heard in missed]
        anew = [frame for frame in frames if changes_position(frame)]
        if anew:
            anew[-1].update(view_for(self.table, viewer))  # how it stands since then is how it stands now
        return [*frames, {"t": "presence", **presence(self.table)}]

    def _unremoved(self, heard: dict[str, Any]) -> dict[str, Any]:
        """A chat message as it is now: a moderator may have removed it since."""
        if heard["kind"] != "chat":
            return heard
        return {**heard, "message": self.table.chat[heard["message"]["number"]]}

    def _note_presence(self, guest: str | None, skip: Listener | None = None) -> None:
        here = any(listener.guest == guest for listener in self.listeners)
        here = here or any(guest in other.here for other in self._elsewhere.values())
        table = self.table
        watching = len({listener.guest or listener for listener in self.listeners} - table.people)
        watching += sum(other.watching for other in self._elsewhere.values())
        changed = guest is not None and guest in table.people and here != (guest in table.online)
        if changed or watching != table.watching:
            table.online ^= {guest} if changed and guest else set()
            table.watching = watching
            self._look_around()
            self._send_presence(skip)

    def _look_around(self) -> None:
        """Who sits here and is away, since when."""
        away = self.table.people - self.table.online
        self.table.away = {guest: self.table.away.get(guest, now()) for guest in away}

    def _send_presence(self, skip: Listener | None = None) -> None:
        """Send who is here: at once, but changes in quick succession together."""
        loop = asyncio.get_running_loop()
        if self._presence_due is not None:
            return
        wait = self._presence_sent + PRESENCE_EVERY - loop.time()
        if wait > 0:
            self._presence_due = loop.call_later(wait, self._send_due_presence)
            return
        self._presence_sent = loop.time()
        frame = encode({"t": "presence", **presence(self.table)})
        for listener in self.listeners - {skip}:
            listener.send(frame)

    def _send_due_presence(self) -> None:
        self._presence_due = None
        self._send_presence()

    async def _gone(self, guest: str | None) -> None:
        await asyncio.sleep(self._settings.away_after)
        await self.note_presence(guest)

    def _remember(self, key: tuple[str | None, str], reply: dict[str, Any]) -> dict[str, Any]:
        self._replies[key] = reply
        if len(self._replies) > REMEMBERED:
            self._replies.popitem(last=False)
        return reply

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- clocks

    def _set_alarm(self) -> None:
        self.silence()
        fall = self.table.clocks.next_fall
        if fall is not None and self.ticking:  # days are looked after even when the table is not in memory
            wait = max(0, fall - now()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(wait, lambda: self._spawn(self._ring()))

    async def _ring(self) -> None:
        with contextlib.suppress(Refused):  # the table is taken out of memory, and comes back with its alarm
            await self.check_flags()

    # ---- engines

    @property
    def watchers(self) -> set[Listener]:
        """The people for whom engines think."""
        return self.listeners

    def send_error(self, code: str, seat: int) -> None:
        """Tell everybody that the engine of a seat does not answer now."""
        for listener in list(self.listeners):
            listener.send(encode({"t": "error", "ack": None, "code": code, "detail": {"seat": seat}}))

    def _wake_engines(self) -> None:
        """Have the engines think, at one of the processes that hold the table: a second answer would be refused."""
        first = all(self._store.pubsub.process < process for process in self._elsewhere)
        self._engine_driver.wake(first and not self.broken)
