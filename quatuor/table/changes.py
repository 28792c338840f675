"""What each kind of event changes at a table. Only ``Table.apply`` calls these functions."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from quatuor.table.commitments import Commitment
from quatuor.table.encoding import encode, merged
from quatuor.table.events import Event
from quatuor.table.position import Position
from quatuor.table.seats import Seat
from quatuor.table.tries import Tried

if TYPE_CHECKING:
    from quatuor.table.table import Table


def move(table: "Table", event: Event) -> None:
    """A move completes the turn, unless it is a secret order and others are still to come."""
    seat, text = event.data["seat"], event.data["move"]
    ply = table.game.ply
    tried = Tried.of(table, event)
    table.game._advance({seat: table.position.action(seat, text)})  # which checks that it is legal
    table.tries.append(tried)
    waiting = table.game.ply == ply
    table.position = Position(table.game, ordered=waiting)
    table.clocks.press(seat, event.at, event.data.get("lag", 0))
    if waiting:
        table.orders[seat] = text
        if "salt" in event.data:
            table.seals[seat] = Commitment.of(ply, seat, text, event.data["salt"])
        return
    seals, table.orders, table.seals = table.seals, {}, {}
    table.turn += 1
    end_turn(table, seals)


def end_turn(table: "Table", seals: dict[int, Commitment]) -> None:
    """Add the completed turn to the history, with the commitments of its orders."""
    table.clocks.turned(table.game.ply)
    entry = {
        "ply": table.game.ply,
        "moves": {str(seat): text for seat, text in table.game.last.items()},
        "effects": table.game.effects(),
    }
    if seals:
        entry["seals"] = {str(seat): asdict(seal) for seat, seal in seals.items()}
    position = b'{"position":' + table.position.view_json(None) + b"}"
    table.entries.append_json(merged(encode(entry), position))


def _undo(table: "Table", event: Event) -> None:
    if table.orders:
        table.game.undo()
    while table.game.ply > event.data["ply"]:
        table.game.undo()
    table.position = Position(table.game)
    table.orders, table.seals = {}, {}
    table.tries = [tried for tried in table.tries if tried.ply < table.game.ply]
    table.turn += 1
    table.clocks.rewind(table.game.ply)
    table.entries.cut(table.game.ply)


def _join(table: "Table", event: Event) -> None:
    number = event.data["seat"]
    table.seats[number] = replace(table.seats[number], kind="human", guest=event.guest)


def _fill(table: "Table", event: Event) -> None:
    table.seats[event.data["seat"]] = Seat("engine", level=event.data["level"])


def _resign(table: "Table", event: Event) -> None:
    table.out[event.data["seat"]] = "resign"


def _out(table: "Table", event: Event) -> None:
    table.out[event.data["seat"]] = event.data["why"]


def _offer(table: "Table", event: Event) -> None:
    if table.offer is None:
        table.offered[event.data["seat"], event.data["kind"]] = table.turn
    table.offer = dict(event.data)


def _offer_declined(table: "Table", event: Event) -> None:
    table.offer = None


def _draw(table: "Table", event: Event) -> None:
    table.called_off = event.data.get("why", "agreed")


def _abort(table: "Table", event: Event) -> None:
    table.called_off = "aborted"


def _stand_in(table: "Table", event: Event) -> None:
    table.stand_ins.add(event.data["seat"])


def _back(table: "Table", event: Event) -> None:
    table.stand_ins.difference_update(event.data["seats"])
    table.turn += 1  # a search that an engine has begun is no longer wanted


def _gathered(table: "Table", event: Event) -> None:
    table.clocks.gathering = False
    table.turned = event.at


def _hold(table: "Table", event: Event) -> None:
    table.clocks.hold(event.data["start"], event.data["end"])


def _chat(table: "Table", event: Event) -> None:
    table.chat.append({"number": len(table.chat), "phrase": None, "words": None, "at": event.at, **event.data})


def _spectator_chat(table: "Table", event: Event) -> None:
    table.spectator_messages += 1
    message = {"number": len(table.chat), "seat": None, "phrase": None, "words": None, "at": event.at}
    table.chat.append({**message, "guest": event.guest, **event.data})


def _chat_removed(table: "Table", event: Event) -> None:
    table.chat[event.data["number"]] |= {"phrase": None, "words": None, "removed": True}


def _words(table: "Table", event: Event) -> None:
    table.words = event.data["on"]


def _adopt(table: "Table", event: Event) -> None:
    old, new = event.data["old"], event.data["new"]
    table.seats = [replace(seat, guest=new) if seat.guest == old else seat for seat in table.seats]
    table.owner = new if table.owner == old else table.owner
    for message in table.chat:
        if message.get("guest") == old:
            message["guest"] = new
    table.answers |= {(new, ack): version for (guest, ack), version in table.answers.items() if guest == old}


def _rematch(table: "Table", event: Event) -> None:
    table.rematch = event.data["table"]
    table.rematch_offer = []


def _rematch_offer(table: "Table", event: Event) -> None:
    seats, seat = event.data["seats"], event.data["seat"]
    if seats == [seat] or not table.rematch_offer:
        table.rematch_at = event.at
        table.rematch_offers[seat] = table.rematch_offers.get(seat, 0) + 1
    table.rematch_offer = seats


def _rematch_declined(table: "Table", event: Event) -> None:
    seat = event.data["seat"]
    table.rematch_declined.discard(seat)
    if seat not in table.rematch_offer:
        table.rematch_declined.update(table.rematch_offer)
    table.rematch_offer = []


CHANGES: dict[str, Callable[["Table", Event], None]] = {
    "move": move,
    "undo": _undo,
    "join": _join,
    "fill": _fill,
    "resign": _resign,
    "out": _out,
    "offer": _offer,
    "offer_declined": _offer_declined,
    "draw": _draw,
    "abort": _abort,
    "stand_in": _stand_in,
    "back": _back,
    "gathered": _gathered,
    "hold": _hold,
    "chat": _chat,
    "spectator_chat": _spectator_chat,
    "chat_removed": _chat_removed,
    "words": _words,
    "adopt": _adopt,
    "rematch": _rematch,
    "rematch_offer": _rematch_offer,
    "rematch_declined": _rematch_declined,
}
