"""Who may see what. All that leaves a table, to a player, a spectator, an engine, a file or a log, is made here."""

from dataclasses import asdict
from typing import Any

from quatuor.game import Game
from quatuor.record.endings import ENDINGS
from quatuor.table.claims import claim_from
from quatuor.table.encoding import encode, merged
from quatuor.table.events import Event
from quatuor.table.offers import can_abort
from quatuor.table.presence import NOBODY, Presence
from quatuor.table.seats import ACCOUNT, BOT
from quatuor.table.table import Table
from quatuor.table.turns import undo_to

Plain = dict[str, Any]  # JSON data
CHAT = 100  # messages in a snapshot
PUBLIC = {
    "undo": ("ply",),
    "join": ("seat",),
    "fill": ("seat",),
    "resign": ("seat",),
    "out": ("seat", "why"),
    "stand_in": ("seat",),
    "offer_declined": ("seat",),
    "rematch_declined": ("seat",),
    "chat_removed": ("number",),
}  # the data of an event that everybody may see
WATCHED = ("to_move", "over", "ranking", "ended_by", "seats", "watching")
UNCHANGED = (
    "rematch",
    "rematch_offer",
    "rematch_declined",
    "chat",
    "spectator_chat",
    "chat_removed",
    "words",
)  # kinds that leave the state of play as it is


def view_for(table: Table, viewer: str | None, presence: Presence = NOBODY) -> Plain:
    """The state of play for a viewer (None, or anyone without a seat: a spectator)."""
    you = table.owned(viewer)
    return {
        **shared_view(table, presence),
        **_own_facts(table, viewer, you, presence),
        "legal": {str(seat): table.position.legal(seat) for seat in _acting(table, you)},
        "position": table.position.view(_sole_seat(you)),
    }


def own_view_json(table: Table, viewer: str | None, presence: Presence) -> bytes:
    """The part of the state of play that depends on the viewer, as JSON."""
    you = table.owned(viewer)
    legal = b",".join([b'"%d":%b' % (seat, table.position.legal_json(seat)) for seat in _acting(table, you)])
    position = table.position.view_json(_sole_seat(you))
    return merged(encode(_own_facts(table, viewer, you, presence)), b'{"legal":{%b},"position":%b}' % (legal, position))


def _acting(table: Table, you: list[int]) -> list[int]:
    """Those of a viewer's seats that are to move."""
    return [seat for seat in table.awaited if seat in you]


def _sole_seat(you: list[int]) -> int | None:
    """The seat whose secrets a viewer may see.

    A viewer with several seats sees what a spectator sees: other people look at the same screen.
    """
    return you[0] if len(you) == 1 else None


def _own_facts(table: Table, viewer: str | None, you: list[int], presence: Presence) -> Plain:
    """That part without moves and position, in which the game's own ``conceal`` hides secret orders.

    Once the game is over, players get what the spectators have written.
    """
    sole = _sole_seat(you)
    opened = bool(you and table.ended_by and table.spectator_messages)
    return {
        **({"spectator_chat": spectator_chat(table, presence)} if opened else {}),
        "you": you,
        "orders": {str(seat): text for seat, text in table.orders.items() if seat == sole},
        "undo": undo_to(table, viewer) is not None,
        "abort": can_abort(table, viewer),
        "owner": viewer is not None and viewer == table.owner,
        "invites": invites(table, viewer) if table.waiting else {},
    }


def shared_view(table: Table, presence: Presence = NOBODY) -> Plain:
    """The part of the state of play that is the same for everybody."""
    ended_by = table.ended_by
    return {
        "to_move": list(table.to_move),
        "ready": list(table.ready),
        "seals": {str(seat): seal.hash for seat, seal in table.seals.items()},
        "over": ended_by is not None,
        "scores": list(table.game.scores),
        "ranking": table.ranking,
        "reason": table.reason,
        "ended_by": ended_by,
        "offer": table.offer,
        **who_is_here(table, presence),
    }


def host(table: Table, presence: Presence) -> Plain:
    """The name of the person who opened the table, and the one under which their profile is found."""
    return {"host": presence.names.get(table.owner), "host_profile": presence.profile(table.owner)}


def sees_as(table: Table, viewer: str | None) -> str | None:
    """The viewer, or None for everybody who sees what a spectator sees."""
    return viewer if viewer is not None and (viewer == table.owner or viewer in table.people) else None


def history(table: Table, presence: Presence = NOBODY) -> Game:
    """The game as a record: complete turns, names, and who resigned or left."""
    game = table.study()
    for seat, who in enumerate(table.seats):
        name = who.label or presence.names.get(who.guest or "", "?")
        game.headers[f"Seat{seat}"] = f"engine, level {who.level}" if who.kind == "engine" else name
    game.headers["Date"] = table.setup.created
    ended_by = table.ended_by
    if ended_by in ENDINGS:
        game.headers["Result"] = "-".join(map(str, table.ranking or []))
        game.headers["Termination"] = ENDINGS[ended_by]
    elif table.out:
        game.headers["Out"] = ",".join(map(str, table.out))
    return game


def snapshot(table: Table, viewer: str | None, presence: Presence = NOBODY) -> Plain:
    """The whole table for a viewer."""
    return {**_snapshot(table, viewer, presence), "history": list(table.entries)}


def snapshot_json(table: Table, viewer: str | None, presence: Presence, **more: str) -> bytes:
    """The same as JSON, with ``more`` fields; the history is not decoded for it."""
    return merged(encode({**more, **_snapshot(table, viewer, presence)}), b'{"history":' + table.entries.json() + b"}")


def _snapshot(table: Table, viewer: str | None, presence: Presence) -> Plain:
    return {
        "version": table.version,
        "game": table.setup.game,
        "variant": table.game.variant.name,
        "options": table.game.options,
        "start": table.start,
        "rematch": table.rematch,
        "rematch_offer": table.rematch_offer,
        "pace": asdict(table.setup.pace),
        "takeback": table.setup.takeback,
        "listed": table.setup.listed,
        "tournament": table.setup.tournament,
        "rated": table.setup.rated,
        "words": table.words,
        **host(table, presence),
        "chat": [message for message in table.chat if message["seat"] is not None][-CHAT:],
        **view_for(table, viewer, presence),
        "spectator_chat": spectator_chat(table, presence) if reads_spectators(table, viewer) else [],
    }


def public_event(table: Table, event: Event) -> Plain:
    """What everybody may know about the event that has just been applied.

    Where ``changes_position`` says so, each viewer's ``view_for`` belongs to it.
    """
    public = public_facts(table, event)
    return {**public, "entry": table.entries[-1]} if public["kind"] == "move" else public


def public_facts(table: Table, event: Event) -> Plain:
    """The same without the entry of a move, which ``table.entries`` has in encoded form."""
    public: Plain = {"version": table.version, "kind": event.kind}
    if event.kind == "move":
        return {**public, "kind": "ready", "seat": event.data["seat"]} if table.orders else public
    if event.kind == "chat":
        return {**public, "message": table.chat[-1]}
    if event.kind == "spectator_chat":
        return {**public, "number": len(table.chat) - 1}  # the message is added for those who may read it
    if event.kind == "words":
        return {**public, "words": table.words}
    if event.kind.startswith("rematch"):
        public |= {"rematch": table.rematch, "rematch_offer": table.rematch_offer}
    return public | {name: event.data[name] for name in PUBLIC.get(event.kind, ())}


def reads_spectators(table: Table, viewer: str | None) -> bool:
    """Whether a viewer may read the spectators' chat: players may not before the game is over."""
    return table.ended_by is not None or viewer is None or viewer not in table.people


def spectator_message(table: Table, number: int, presence: Presence) -> Plain:
    """A message of a spectator, with the name instead of the id."""
    message = table.chat[number]
    shown = {key: value for key, value in message.items() if key not in ("guest", "seat")}
    who = message["guest"] or ""
    return {**shown, "name": presence.names.get(who), "profile": presence.profile(who)}


def spectator_chat(table: Table, presence: Presence) -> list[Plain]:
    """The last messages of spectators, for those who may read them."""
    numbers = [message["number"] for message in table.chat if message["seat"] is None]
    return [spectator_message(table, number, presence) for number in numbers[-CHAT:]]


def watched_json(table: Table, presence: Presence, name: str) -> bytes:
    """A game for a page that shows several: position and last turn as a spectator sees them, without history."""
    facts = {
        "id": name,
        "version": table.version,
        "game": table.setup.game,
        "variant": table.game.variant.name,
        "pace": asdict(table.setup.pace),
        "ply": table.game.ply,
        "entry": table.entries[-1] if table.game.ply else None,
        **{key: value for key, value in shared_view(table, presence).items() if key in WATCHED},
    }
    return merged(encode(facts), b'{"position":' + table.position.view_json(None) + b"}")


def who_is_here(table: Table, presence: Presence = NOBODY) -> Plain:
    """The players, and who of them is here now."""
    return {"seats": _seats(table, presence), "watching": presence.watching}


def logged(event: Event) -> Plain:
    """What a log may say about an event: that it happened; never the move, the player or a token."""
    return {"kind": event.kind} | {key: event.data[key] for key in ("seat", "ply") if key in event.data}


def changes_position(public: Plain) -> bool:
    """Whether a public event changes the state of play, at least for one viewer."""
    return public["kind"] not in UNCHANGED


def _seats(table: Table, presence: Presence) -> list[Plain]:
    return [
        {
            "seat": number,
            "kind": seat.kind,
            "name": seat.label or (presence.names.get(seat.guest) if seat.guest else None),
            "level": seat.level,
            "invited": seat.kind == "open" and seat.invited,
            "bot": bool(seat.guest and seat.guest.startswith(BOT)),
            "account": bool(seat.guest and seat.guest.startswith(ACCOUNT)),
            "profile": None if seat.label else presence.profile(seat.guest),
            "online": seat.guest in presence.online,
            "out": table.out.get(number),
            "stand_in": number in table.stand_ins,
            "left": table.clocks.left[number] if table.setup.pace.budget and seat.kind == "human" else None,
            "until": table.clocks.until(number),
            "free": table.clocks.free(number) and seat.kind == "human",
            "claim": claim_from(table, presence, number),
        }
        for number, seat in enumerate(table.seats)
    ]


def invites(table: Table, viewer: str | None) -> dict[str, str]:
    """The tokens of open seats, for the owner."""
    if viewer is None or viewer != table.owner:
        return {}
    return {str(n): seat.token for n, seat in enumerate(table.seats) if seat.kind == "open" and seat.token}
