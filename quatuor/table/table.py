"""The table: which wishes are met, and what events make of it."""

from array import array
from dataclasses import asdict, replace
from typing import Any

from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove
from quatuor.record import behind
from quatuor.table.clocks import Clocks
from quatuor.table.commitments import Commitment, new_salt
from quatuor.table.entries import Entries
from quatuor.table.events import Event, Refused
from quatuor.table.seats import Seat, Setup

SHOWN_LEGAL = 20  # moves listed with a refusal
ANSWERS = 1000  # commands that a client may send again without carrying them out twice
LONGEST_GAME = 1000  # turns; then the table declares a draw, so that no game needs memory without end
STAND_IN_LEVEL = 3  # who plays on for somebody who is out, or away, while others still play


class Table:
    """A game with people around it. Methods named after a wish only look; ``apply`` is the one that changes."""

    def __init__(self, setup: Setup, names: dict[str, str] | None = None) -> None:
        self.setup = setup
        self.names = names if names is not None else {}  # guest -> name
        self.game = Game(rulebook(setup.game), setup.variant, setup.options)
        if len(setup.seats) != self.game.seats:
            raise ValueError(f"{len(setup.seats)} seats given, {setup.game}:{setup.variant} has {self.game.seats}")
        self.seats: list[Seat] = list(setup.seats)
        self.version = 0  # events so far
        self.turn = 0  # which turn this is; unlike the ply it never comes back after an undo
        self.orders: dict[int, str] = {}  # of this turn, secret until the last one is in
        self.seals: dict[int, Commitment] = {}  # of these orders
        self.out: dict[int, str] = {}  # seats that lost, in that order, and why: resign, time, left
        self.stand_ins: set[int] = set()  # seats that an engine plays until their player is back
        self.owner = setup.creator  # sees the invitations, and decides about free words
        self.clocks = Clocks(setup.pace, self.game.seats)
        self.turned = setup.opened  # when this turn began
        self.touched = setup.opened  # when something last happened
        self.chat: list[dict[str, Any]] = []
        self.words = setup.words  # whether people may write freely
        self.rematch: str | None = None
        self.rematch_offer: list[int] = []  # seats that have agreed to a rematch
        self.rematch_at = 0  # when the first of them did
        self.rematch_offers: dict[int, int] = {}  # seat -> how often it offered one
        self.rematch_declined: set[int] = set()  # seats whose offer another player declined
        self.online: set[str] = set()  # guests who are here now; of the moment, never kept
        self.away: dict[str, int] = {}  # guests who sit here and are not: since when; never kept either
        self.watching = 0  # people without a seat who are here now; nor this
        self.answers: dict[tuple[str, str], int] = {}  # (guest, ack) -> version: wishes carried out
        self._look_anew()
        self.start = self.view(None)
        self.entries = Entries()  # one for each ply: moves, effects, position
        for turn in setup.opening:
            self.game.play({int(seat): move for seat, move in turn.items()})
            self._look_anew()
            self._enter({})
        self._run_clocks(setup.opened)

    # ---- looking

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that act now; none when it is over."""
        return () if self.ended_by else self._acting

    @property
    def ready(self) -> tuple[int, ...]:
        """The seats whose secret order is in."""
        return tuple(sorted(self.orders))

    @property
    def ended_by(self) -> str | None:
        """``rules``, why the last seat went out (``resign``, ``time``, ``left``), ``length`` after the longest game.

        None while the game goes on.
        """
        if not self._acting:
            return "rules"
        staying = [seat for seat in range(self.game.seats) if seat not in self.out]
        if self.out and (len(staying) < 2 or all(self.seats[seat].kind == "engine" for seat in staying)):
            return list(self.out.values())[-1]
        return "length" if self.game.ply >= LONGEST_GAME else None

    @property
    def awaited(self) -> list[int]:
        """The seats to move that a person plays."""
        return [n for n in self.to_move if self.seats[n].kind == "human" and n not in {*self.out, *self.stand_ins}]

    @property
    def ranking(self) -> list[int] | None:
        """The places once it is over; who is out stands behind everybody else, the first of them last."""
        if not self.ended_by:
            return None
        drawn = self.ended_by == "length"
        return list(behind([1] * self.game.seats if drawn else self.game.ranking, self.out))

    @property
    def reason(self) -> dict[str, Any]:
        """How it was decided, as codes and numbers."""
        if self.ended_by in (None, "rules"):
            return self.game.reason
        if self.ended_by == "length":
            return {"code": "length", "turns": self.game.ply}
        return {"code": self.ended_by, "seat": list(self.out)[-1]}

    def view(self, seat: int | None) -> dict[str, Any]:
        """The position as a seat (None: a spectator) may see it; made once for all who see the same."""
        state = self.game.book.conceal(self.game.state, seat)
        key = state.tobytes()
        if key not in self._views:
            self._views[key] = self.game.book.view(state)
        return self._views[key]

    def study(self) -> Game:
        """The game as a seat that is still to give its order knows it: without anybody's order of this turn."""
        game = self.game.copy()
        if self.orders:
            game.undo()
        return game

    def legal(self, seat: int) -> list[str]:
        """The moves of a seat that is to move; secret orders of others make no difference."""
        game = self.study() if self.orders else self.game
        if seat not in self._legal:
            self._legal[seat] = array("q", game.actions(seat))
        return [game.book.write(game.state, seat, action) for action in self._legal[seat]]

    @property
    def people(self) -> set[str]:
        """The guests who sit here."""
        return {seat.guest for seat in self.seats if seat.kind == "human" and seat.guest}

    def owned(self, guest: str | None) -> list[int]:
        """The seats that a guest plays."""
        return [n for n, seat in enumerate(self.seats) if seat.kind == "human" and seat.guest == guest]

    def alone(self, guest: str | None) -> bool:
        """Whether the guest is the only person whom it concerns, so that nobody minds taking back or a hint."""
        humans = [seat for seat in self.seats if seat.kind == "human"]
        return bool(humans) and not self.setup.tournament and all(seat.guest == guest for seat in humans)

    def engines(self) -> dict[int, int]:
        """The seats to move that a program plays, with its level."""
        levels = {seat: self.seats[seat].level or STAND_IN_LEVEL for seat in self.to_move}
        absent = {*self.out, *self.stand_ins}
        return {n: level for n, level in levels.items() if self.seats[n].kind == "engine" or n in absent}

    def undo_to(self, guest: str | None) -> int | None:
        """How many plies would be left if the guest took back now; None: it can't be done.

        Where the table allows it among several people, it is possible until somebody else has moved.
        """
        alone, mine = self.alone(guest), self.owned(guest)
        if not mine or self.ended_by not in (None, "rules") or not (alone or self.setup.takeback):
            return None
        if any(seat in mine for seat in self.orders):
            return self.game.ply if alone or len(self.orders) == 1 else None  # only the order is taken back
        played = self.game.played
        for ply in range(self.game.ply - 1, -1, -1):
            people = [seat for seat in played[ply] if self.seats[seat].kind == "human"]
            if not alone and any(seat not in mine for seat in people):
                return None
            if people:
                return ply
        return None

    # ---- wishes: the event that would carry them out, or Refused

    def move(
        self, guest: str | None, ply: int, seat: int, text: str, ack: str | None = None, now: int = 0, lag: int = 0
    ) -> Event:
        """A guest's move, or secret order, after having seen so many plies; the message took ``lag`` to get here."""
        self._own(guest, seat)
        self._running()
        self._seen(ply)
        if self.clocks.fallen(seat, now, lag):
            raise Refused("time_up")
        event = self._act(seat, text, guest, ack)
        refund = min(lag, self.clocks.allowance(seat))
        return replace(event, data=event.data | {"lag": refund}) if self.setup.pace.budget else event

    def answer(self, turn: int, seat: int, text: str) -> Event:
        """An engine's move, thought out for that turn; refused once the table has moved on."""
        self._running()
        if turn != self.turn or seat not in self.engines():
            raise Refused("stale_ply", ply=self.game.ply)
        return self._act(seat, text, None, None)

    def undo(self, guest: str | None, ply: int, ack: str | None = None) -> Event:
        """Take back: a guest's own last turn, where nobody else has a say."""
        if not self.owned(guest):
            raise Refused("not_your_seat", yours=[])
        self._seen(ply)
        target = self.undo_to(guest)
        if target is None:
            raise Refused("no_undo")
        return Event("undo", {"ply": target}, guest, ack)

    def resign(self, guest: str | None, seat: int, ack: str | None = None) -> Event:
        """Give up. With three or four seats the others play on and a program stands in."""
        self._own(guest, seat)
        self._running()
        if seat in self.out:
            raise Refused("game_over")
        return Event("resign", {"seat": seat}, guest, ack)

    def join(self, guest: str, token: str | None, wanted: int | None = None) -> Event | int:
        """Take the open seat of that token, or any open one of a table in the lobby.

        A guest who sits here already keeps the seat, which is the answer.
        """
        number = self._invited(token) if token is not None else self._free(wanted, guest)
        if self.owned(guest):
            return number if number in self.owned(guest) else self.owned(guest)[0]
        if number is None or self.seats[number].kind != "open":
            raise Refused("seat_taken", seat=number)
        return Event("join", {"seat": number}, guest)

    # ---- what events do

    def apply(self, event: Event) -> None:
        """Carry out an event that one of the wishes gave."""
        turn, waiting = self.turn, self._waiting
        getattr(self, f"_on_{event.kind}")(event)
        if self.turn != turn or self._waiting != waiting:
            self.turned = event.at
        self._run_clocks(event.at)
        self.touched = event.at
        self.version += 1
        if event.guest is not None and event.ack is not None:
            self.answers[event.guest, event.ack] = self.version
            if len(self.answers) > ANSWERS:
                del self.answers[next(iter(self.answers))]

    def _on_move(self, event: Event) -> None:
        seat = event.data["seat"]
        ply = self.game.ply
        self._play(seat, event.data["move"])
        self._look_anew()
        self.clocks.press(seat, event.at, event.data.get("lag", 0))
        if self.game.ply == ply:
            self.orders[seat] = event.data["move"]
            if "salt" in event.data:
                self.seals[seat] = Commitment.of(ply, seat, **{key: event.data[key] for key in ("move", "salt")})
            return
        seals, self.orders, self.seals = self.seals, {}, {}
        self.turn += 1
        self._enter(seals)

    def _on_undo(self, event: Event) -> None:
        if self.orders:
            self.game.undo()
        while self.game.ply > event.data["ply"]:
            self.game.undo()
        self._look_anew()
        self.orders, self.seals = {}, {}
        self.turn += 1
        self.clocks.rewind(self.game.ply)
        self.entries.cut(self.game.ply)

    def _on_join(self, event: Event) -> None:
        number = event.data["seat"]
        self.seats[number] = replace(self.seats[number], kind="human", guest=event.guest)

    def _on_fill(self, event: Event) -> None:
        self.seats[event.data["seat"]] = Seat("engine", level=event.data["level"])

    def _on_resign(self, event: Event) -> None:
        self.out[event.data["seat"]] = "resign"

    def _on_out(self, event: Event) -> None:
        self.out[event.data["seat"]] = event.data["why"]

    def _on_stand_in(self, event: Event) -> None:
        self.stand_ins.add(event.data["seat"])

    def _on_back(self, event: Event) -> None:
        self.stand_ins.difference_update(event.data["seats"])
        self.turn += 1  # what an engine still thinks about is no longer asked for

    def _on_hold(self, event: Event) -> None:
        self.clocks.hold(event.data["start"], event.data["end"])

    def _on_chat(self, event: Event) -> None:
        self.chat.append({"number": len(self.chat), "phrase": None, "words": None, "at": event.at, **event.data})

    def _on_chat_removed(self, event: Event) -> None:
        message = self.chat[event.data["number"]]
        message |= {"phrase": None, "words": None, "removed": True}  # in place: what may be sent again shares it

    def _on_words(self, event: Event) -> None:
        self.words = event.data["on"]

    def _on_adopt(self, event: Event) -> None:
        old, new = event.data["old"], event.data["new"]
        self.seats = [replace(seat, guest=new) if seat.guest == old else seat for seat in self.seats]
        self.owner = new if self.owner == old else self.owner
        self.answers |= {(new, ack): version for (guest, ack), version in self.answers.items() if guest == old}

    def _on_rematch(self, event: Event) -> None:
        self.rematch = event.data["table"]
        self.rematch_offer = []

    def _on_rematch_offer(self, event: Event) -> None:
        seats, seat = event.data["seats"], event.data["seat"]
        if seats == [seat] or not self.rematch_offer:
            self.rematch_at = event.at
            self.rematch_offers[seat] = self.rematch_offers.get(seat, 0) + 1
        self.rematch_offer = seats

    def _on_rematch_declined(self, event: Event) -> None:
        seat = event.data["seat"]
        self.rematch_declined.discard(seat)
        if seat not in self.rematch_offer:
            self.rematch_declined.update(self.rematch_offer)
        self.rematch_offer = []

    # ---- inside

    def _look_anew(self) -> None:
        """The position has changed: what is asked for again and again is found out once."""
        self._acting = self.game.to_move
        self._views: dict[bytes, dict[str, Any]] = {}  # concealed state -> view
        self._legal: dict[int, array[int]] = {}  # seat -> actions, of seats that asked; texts would need far more
        self._found: dict[tuple[int, str], int] = {}  # (seat, move) -> action, of moves that were looked up

    def _enter(self, seals: dict[int, Commitment]) -> None:
        """Note the ply that was just completed, and the seals of its orders."""
        self.clocks.turned(self.game.ply)
        self.entries.append(
            {
                "ply": self.game.ply,
                "moves": {str(seat): text for seat, text in self.game.last.items()},
                "effects": self.game.effects(),
                "position": self.view(None),
                **({"seals": {str(seat): asdict(seal) for seat, seal in seals.items()}} if seals else {}),
            }
        )

    def _act(self, seat: int, text: str, guest: str | None, ack: str | None) -> Event:
        if seat not in self.to_move or (guest is not None and seat not in self.awaited):
            raise Refused("not_your_turn", to_move=list(self.to_move))
        plain = text if self._known(seat, text) is not None else self._plain(seat, text)
        secret = {"salt": new_salt()} if len(self.to_move) > 1 else {}  # somebody is still to decide
        return Event("move", {"seat": seat, "move": plain, **secret}, guest, ack)

    def _plain(self, seat: int, text: str) -> str:
        """A move as records write it."""
        book, state = self.game.book, self.game.state
        try:
            return book.write(state, seat, book.read(state, seat, text))
        except IllegalMove as error:
            raise Refused("illegal_move", reason=str(error), legal=self.legal(seat)[:SHOWN_LEGAL]) from None

    def _play(self, seat: int, move: str) -> None:
        action = self._known(seat, move)
        if action is None:
            self.game.play({seat: move})
        else:
            self.game.play_actions({seat: action})

    def _known(self, seat: int, move: str) -> int | None:
        """The action of a move that the seat was told it may play."""
        if (seat, move) not in self._found and seat in self._legal:
            known = dict(zip(self.legal(seat), self._legal[seat], strict=True))
            if move in known:
                self._found[seat, move] = known[move]
        return self._found.get((seat, move))

    @property
    def _waiting(self) -> bool:
        return any(seat.kind == "open" for seat in self.seats)

    def _run_clocks(self, at: int) -> None:
        self.clocks.run(() if self._waiting else self.awaited, at)

    def _invited(self, token: str) -> int:
        for number, seat in enumerate(self.seats):
            if seat.token is not None and seat.token == token:
                return number
        raise Refused("bad_token")

    def _free(self, wanted: int | None, guest: str) -> int | None:
        """An open seat that needs no token: one kept for the guest, or at a listed table one kept for nobody."""
        open_seats = [number for number, seat in enumerate(self.seats) if seat.kind == "open"]
        free = [number for number in open_seats if self.seats[number].guest == guest]
        if not self.setup.listed and not free:
            raise Refused("bad_token")
        free = free or [number for number in open_seats if self.seats[number].guest is None]
        return wanted if wanted in free else None if wanted is not None else next(iter(free), None)

    def _own(self, guest: str | None, seat: int) -> None:
        if seat not in self.owned(guest):
            raise Refused("not_your_seat", yours=self.owned(guest))

    def _running(self) -> None:
        if self.ended_by:
            raise Refused("game_over")

    def _seen(self, ply: int) -> None:
        if ply != self.game.ply:
            raise Refused("stale_ply", ply=self.game.ply)
