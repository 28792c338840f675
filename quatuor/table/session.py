"""A table that is being played: commands in, events out. Each event is stored before anybody sees it.

Nothing here needs a server: a log stores the events, listeners receive JSON, observers see every event.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from quatuor.table.commands import Command, Move
from quatuor.table.context import Context
from quatuor.table.decide import decide
from quatuor.table.encoding import encode, merged
from quatuor.table.events import AlreadyDone, Event, Refused
from quatuor.table.presence import Presence
from quatuor.table.recent import Recent
from quatuor.table.seats import Setup
from quatuor.table.table import Table
from quatuor.table.tries import IllegalMoves
from quatuor.table.visibility import (
    Plain,
    changes_position,
    host,
    own_view_json,
    public_facts,
    reads_spectators,
    sees_as,
    shared_view,
    snapshot_json,
    spectator_chat,
    spectator_message,
    who_is_here,
)

TRIES = 20  # for an event while other processes store theirs first
EVENT = b'{"t":"event"}'


class Conflict(Exception):
    """Another process has stored this version of the table."""


class EventLog(Protocol):
    """Where the events of one table are stored."""

    @property
    def shared(self) -> bool:
        """Whether other processes store events of this table, too."""

    async def append(self, version: int, event: Event) -> None:
        """Return once it is stored; Conflict if the table has this version already."""

    async def since(self, version: int) -> list[Event]:
        """The events after a version that other processes have stored."""


class Listener(Protocol):
    """A client at the table. ``send`` returns at once."""

    guest: str | None

    def send(self, frame: bytes) -> None:
        """Queue a message."""


L = TypeVar("L", bound=Listener)


class Session(Generic[L]):
    """One table with its listeners. Other processes may play the same table: the log decides which event is next."""

    def __init__(
        self, name: str, table: Table, log: EventLog, clock: Callable[[], int], recent: Recent | None = None
    ) -> None:
        self.id, self.table, self.presence = name, table, Presence()
        self.listeners: set[L] = set()
        self.observers: list[Callable[[Event], None]] = []  # called after an event was applied and sent
        self._log, self._clock = log, clock
        self._lock = asyncio.Lock()
        self._recent = recent or Recent()
        self._illegal = IllegalMoves(table)

    # ---- commands

    async def reply(self, command: Command, sender: str | None, lag: int = 0) -> Plain:
        """Carry out a command; the message that answers it."""
        try:
            version = await self.carry_out(command, sender, lag)
        except Refused as refused:
            return error(refused, command.ack)
        return {"t": "ack", "ack": command.ack, "version": version}

    async def handle(self, command: Command, sender: str | None = None, lag: int = 0) -> int:
        """Like ``carry_out``, for callers that may be cancelled: a server finishes the command anyway."""
        return await self.carry_out(command, sender, lag)

    async def carry_out(self, command: Command, sender: str | None = None, lag: int = 0) -> int:
        """Decide, store, apply, send; returns the version as of which the command is carried out. Raises Refused."""
        async with self._lock:
            await self._prepare()
            return await self._try(command, sender, lag)

    async def catch_up(self) -> bool:
        """Apply and send what other processes have stored; returns whether there was anything."""
        async with self._lock:
            return await self._catch_up()

    async def _try(self, command: Command, sender: str | None, lag: int) -> int:
        for _ in range(TRIES):
            decision = decide(self.table, command, self._context(command, sender, lag))
            if isinstance(decision, AlreadyDone):
                return decision.version
            if isinstance(decision, Refused):
                if self._log.shared and await self._catch_up():
                    continue  # the table has changed: decide again
                if decision.code == "illegal_move" and isinstance(command, Move):
                    self._illegal.add(self.table, command)
                raise decision
            if await self._store(decision.event):
                await self._before_sending([decision.event])
                self._apply(decision.event)
                return self.table.version
            await self._catch_up()
        raise self._break("store_failed")

    def _context(self, command: Command, sender: str | None, lag: int) -> Context:
        """What the decision depends on. What other processes refused is not known here."""
        illegal = None if self._log.shared else self._illegal.before(self.table, command)
        return Context(sender, self._clock(), lag, self.presence, illegal)

    async def _store(self, event: Event) -> bool:
        """Store an event; False if another process has stored one first."""
        try:
            await self._log.append(self.table.version + 1, event)
        except Conflict:
            return False
        return True

    async def _catch_up(self) -> bool:
        missed = await self._log.since(self.table.version)
        if missed:
            await self._before_sending(missed)
        for event in missed:
            self._apply(event)
        return bool(missed)

    # ---- events

    def _apply(self, event: Event) -> None:
        self._recent.before(self.table, event)
        self.table.apply(event)
        self.presence.update_away(self.table.people, self._clock())
        public = public_facts(self.table, event)
        self._recent.append(self.table, public)
        self._send(public)
        for observe in self.observers:
            observe(event)

    def _send(self, public: Plain) -> None:
        """Send a public event, and to each listener what they may see besides; each part is encoded once."""
        if not self.listeners:
            return
        parts = [EVENT, encode(public)]
        if public["kind"] == "move":
            parts.append(b'{"entry":' + self.table.entries.last + b"}")
        changed = changes_position(public)
        if changed:
            parts.append(encode(shared_view(self.table, self.presence)))
        common = merged(*parts)
        frames: dict[str | None, bytes] = {}
        for listener in list(self.listeners):
            viewer = sees_as(self.table, listener.guest)
            if viewer not in frames:
                own = [own_view_json(self.table, viewer, self.presence)] if changed else []
                frames[viewer] = merged(common, *own, *filter(None, [self._message(public, viewer)]))
            listener.send(frames[viewer])

    def _message(self, public: Plain, viewer: str | None) -> bytes:
        """The message of a spectator, or all of them once a guest has another name, for those who may read them."""
        if public["kind"] not in ("spectator_chat", "adopt") or not reads_spectators(self.table, viewer):
            return b""
        if public["kind"] == "adopt":
            if viewer in self.table.people:
                return b""  # their own view has them
            return encode({"spectator_chat": spectator_chat(self.table, self.presence)})
        return encode({"spectator_message": spectator_message(self.table, public["number"], self.presence)})

    # ---- what a client reads

    def snapshot(self, viewer: str | None, **more: str) -> bytes:
        """The whole table as a viewer may see it, as JSON."""
        return snapshot_json(self.table, viewer, self.presence, id=self.id, **more)

    def frames_since(self, viewer: str | None, version: int | None) -> list[bytes]:
        """What a client that has seen everything up to a version still needs; None: it has seen nothing."""
        missed = None if version is None else self._recent.since(self.table, version)
        if missed is None:
            return [self.snapshot(viewer, t="state")]
        frames = [merged(EVENT, text, *filter(None, [self._message(public, viewer)])) for public, text in missed]
        changing = [number for number, (public, _) in enumerate(missed) if changes_position(public)]
        if changing:  # the last of them carries the state of play, which has not changed since
            shared, own = (
                encode(shared_view(self.table, self.presence)),
                own_view_json(self.table, viewer, self.presence),
            )
            frames[changing[-1]] = merged(frames[changing[-1]], shared, own)
        return [*frames, self.presence_frame()]

    def presence_frame(self) -> bytes:
        """The message that says who is here, and the host's name, which may have changed."""
        return encode({"t": "presence", **who_is_here(self.table, self.presence), **host(self.table, self.presence)})

    def send_spectator_chat(self) -> None:
        """Send the spectators' messages again, to all who may read them: one of their authors has another name."""
        chat = encode({"spectator_chat": spectator_chat(self.table, self.presence)})
        for listener in list(self.listeners):
            if reads_spectators(self.table, listener.guest):
                listener.send(merged(self.presence_frame(), chat))

    # ---- for a server to override

    async def _prepare(self) -> None:
        """Called under the lock before a command is decided."""

    async def _before_sending(self, events: list[Event]) -> None:
        """Called under the lock once events are stored, before they are applied and sent."""

    def _break(self, code: str) -> Refused:
        """Called when the log takes no event after those in memory, for instance because the table was deleted."""
        return Refused(code)


def restore(setup: Setup, events: Iterable[Event]) -> tuple[Table, Recent]:
    """A table from its events, and the last of them for clients that come back."""
    table, recent = Table(setup), Recent()
    for event in events:
        recent.before(table, event)
        table.apply(event)
        recent.append(table, public_facts(table, event))
    return table, recent


def error(refused: Refused, ack: str | None) -> Plain:
    """The message that refuses a command."""
    return {"t": "error", "ack": ack, "code": refused.code, "detail": refused.detail}
