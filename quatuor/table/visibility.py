"""Who may see what. Whatever leaves a table, to a player, a spectator, an engine, a file or a log, is made here."""

from dataclasses import asdict
from typing import Any

from quatuor.game import Game
from quatuor.record.endings import ENDINGS
from quatuor.table.claims import claim_from
from quatuor.table.events import Event
from quatuor.table.seats import ACCOUNT, BOT
from quatuor.table.table import Table

Plain = dict[str, Any]  # what JSON can say
CHAT = 100  # messages shown to whoever comes
PUBLIC = {
    "undo": ("ply",),
    "join": ("seat",),
    "fill": ("seat",),
    "resign": ("seat",),
    "out": ("seat", "why"),
    "stand_in": ("seat",),
    "rematch_declined": ("seat",),
    "chat_removed": ("number",),
}  # what anybody may hear of an event's own data
UNCHANGED = (
    "rematch",
    "rematch_offer",
    "rematch_declined",
    "chat",
    "chat_removed",
    "words",
)  # kinds that leave the standing as it is


def view_for(table: Table, viewer: str | None, alike: Plain | None = None) -> Plain:
    """How the table stands for a viewer (None, or anyone without a seat: a spectator). The one place that decides.

    Secret orders are hidden by the game's own ``conceal``. Several seats on one screen see what a spectator sees:
    the other half of the family is looking. Whoever asks for several viewers gives what is ``alike`` for all.
    """
    you = table.owned(viewer)
    sole = you[0] if len(you) == 1 else None
    mine = [seat for seat in table.awaited if seat in you]
    return {
        **(alike or shared_view(table)),
        "you": you,
        "position": table.view(sole),
        "orders": {str(seat): text for seat, text in table.orders.items() if seat == sole},
        "legal": {str(seat): table.legal(seat) for seat in mine},
        "undo": table.undo_to(viewer) is not None,
        "owner": viewer is not None and viewer == table.owner,
        "invites": _invites(table, viewer),
    }


def shared_view(table: Table) -> Plain:
    """What of a table's standing looks the same to everybody."""
    return {
        "to_move": list(table.to_move),
        "ready": list(table.ready),
        "seals": {str(seat): seal.hash for seat, seal in table.seals.items()},
        "over": table.ended_by is not None,
        "scores": list(table.game.scores),
        "ranking": table.ranking,
        "reason": table.reason,
        "ended_by": table.ended_by,
        **presence(table),
    }


def history(table: Table) -> Game:
    """The game as a file may tell it: the turns that are complete, the names, and who gave up."""
    game = table.study()
    for seat, who in enumerate(_seats(table)):
        game.headers[f"Seat{seat}"] = f"engine, level {who['level']}" if who["kind"] == "engine" else who["name"] or "?"
    game.headers["Date"] = table.setup.created
    if table.ended_by in ENDINGS:
        game.headers["Result"] = "-".join(map(str, table.ranking or []))
        game.headers["Termination"] = ENDINGS[table.ended_by]
    elif table.out:
        game.headers["Out"] = ",".join(map(str, table.out))
    return game


def snapshot(table: Table, viewer: str | None, history: Any = None) -> Plain:
    """The whole table for a viewer. A caller that encodes it may give the ``history`` in an encoded form."""
    return {
        "version": table.version,
        "game": table.setup.game,
        "variant": table.game.variant.name,
        "options": table.game.options,
        "history": list(table.entries) if history is None else history,
        "start": table.start,
        "rematch": table.rematch,
        "rematch_offer": table.rematch_offer,
        "pace": asdict(table.setup.pace),
        "takeback": table.setup.takeback,
        "listed": table.setup.listed,
        "tournament": table.setup.tournament,
        "words": table.words,
        "chat": table.chat[-CHAT:],
        **view_for(table, viewer),
    }


def public_event(table: Table, event: Event) -> Plain:
    """What anybody may hear about the event that has just been applied.

    Where ``stands_anew`` says so, ``seen_by`` belongs to it, for each viewer apart.
    """
    heard: Plain = {"version": table.version, "kind": event.kind}
    if event.kind == "move":
        if table.ready:
            return heard | {"kind": "ready", "seat": event.data["seat"]}
        return heard | {"entry": table.entries[-1]}
    if event.kind == "chat":
        return heard | {"message": table.chat[-1]}
    if event.kind == "words":
        return heard | {"words": table.words}
    if event.kind.startswith("rematch"):
        heard |= {"rematch": table.rematch, "rematch_offer": table.rematch_offer}
    return heard | {name: event.data[name] for name in PUBLIC.get(event.kind, ())}


def presence(table: Table) -> Plain:
    """Who sits where, and who of them is here now."""
    return {"seats": _seats(table), "watching": table.watching}


def logged(event: Event) -> Plain:
    """What a log may tell of an event: that it was, never which move, who, or by which token."""
    return {"kind": event.kind} | {key: event.data[key] for key in ("seat", "ply") if key in event.data}


def changes_position(heard: Plain) -> bool:
    """Whether something that was told changes how the table stands, for some viewer at least."""
    return heard["kind"] not in UNCHANGED


def _seats(table: Table) -> list[Plain]:
    return [
        {
            "seat": number,
            "kind": seat.kind,
            "name": table.names.get(seat.guest) if seat.guest else None,
            "level": seat.level,
            "bot": bool(seat.guest and seat.guest.startswith(BOT)),
            "account": bool(seat.guest and seat.guest.startswith(ACCOUNT)),
            "online": seat.guest in table.online,
            "out": table.out.get(number),
            "stand_in": number in table.stand_ins,
            "left": table.clocks.left[number] if table.setup.pace.budget and seat.kind == "human" else None,
            "until": table.clocks.until(number),
            "claim": claim_from(table, number),
        }
        for number, seat in enumerate(table.seats)
    ]


def _invites(table: Table, viewer: str | None) -> dict[str, str]:
    if viewer is None or viewer != table.owner:
        return {}
    return {str(n): seat.token for n, seat in enumerate(table.seats) if seat.kind == "open" and seat.token}
