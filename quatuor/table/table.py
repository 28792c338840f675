"""The table: its state, and what can be read from it."""

from typing import Any

from quatuor.game import Game, new
from quatuor.record import behind
from quatuor.table.changes import CHANGES, end_turn
from quatuor.table.clocks import Clocks
from quatuor.table.commitments import Commitment
from quatuor.table.entries import Entries
from quatuor.table.events import Event
from quatuor.table.position import Position
from quatuor.table.seats import Seat, Setup
from quatuor.table.tries import Tried

BEGUN = 2  # turns: with the second one a game has begun
ANSWERS = 1000  # commands that a client may send again without carrying them out twice
LONGEST_GAME = 1000  # turns; then the game is a draw, so that the memory of a table is bounded
DRAWN = ("length", "agreed")  # how a game ends as a draw other than by its rules


class Table:
    """A game with its players. Only ``apply`` changes it."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = new(setup.game, setup.variant, position=setup.position or None, **setup.options)
        if len(setup.seats) != self.game.seats:
            raise ValueError(f"{len(setup.seats)} seats given, {setup.game}:{setup.variant} has {self.game.seats}")
        self.seats: list[Seat] = list(setup.seats)
        self.version = 0  # events so far
        self.foreign = False  # an event of a later release was applied: nothing is decided here any more
        self.turn = 0  # number of this turn; unlike the ply, an undo never brings it back
        self.orders: dict[int, str] = {}  # secret orders of this turn
        self.seals: dict[int, Commitment] = {}  # commitments to these orders
        self.out: dict[int, str] = {}  # seats that lost, in that order, and why: resign, time, left
        self.called_off: str | None = None  # agreed, length: a draw; aborted: before the game had begun
        self.offer: dict[str, Any] | None = None  # that the others have not answered: kind, seat, seats, ply
        self.offered: dict[tuple[int, str], int] = {}  # (seat, kind) -> the turn of its last offer
        self.stand_ins: set[int] = set()  # seats that an engine plays until their player is back
        self.owner = setup.creator  # sees the invitations, and decides about free chat
        self.clocks = Clocks(setup.pace, self.game.seats, setup.gather)
        self.turned = setup.opened  # when this turn began
        self.ended: int | None = None  # when the game ended
        self.touched = setup.opened  # when the last event happened; what spectators write does not count
        self.chat: list[dict[str, Any]] = []  # also of spectators, whose messages have a guest and no seat
        self.spectator_messages = 0
        self.words = setup.words  # whether free chat is on
        self.rematch: str | None = None
        self.rematch_offer: list[int] = []  # seats that have agreed to a rematch
        self.rematch_at = 0  # when the first of them did
        self.rematch_offers: dict[int, int] = {}  # seat -> how often it offered one
        self.rematch_declined: set[int] = set()  # seats whose offer another player declined
        self.answers: dict[tuple[str, str], int] = {}  # (guest, ack) -> version: commands carried out
        self.tries: list[Tried] = []  # how each seat came to each move, by ply
        self.position = Position(self.game)
        self.entries = Entries()  # one for each ply: moves, effects, position
        for turn in setup.opening:
            self.game.play({int(seat): move for seat, move in turn.items()})
            self.position = Position(self.game)
            end_turn(self, {})
        self._derive()
        self.clocks.run(() if self.waiting else self.awaited, setup.opened)

    # ---- state of play

    @property
    def start(self) -> dict[str, Any]:
        """The position before the first turn, as everybody may see it."""
        book = self.game.book
        return book.view(book.conceal(self.game.start, None))

    def _ending(self) -> str | None:
        if self.called_off:
            return self.called_off
        if not self.position.to_move:
            return "rules"
        if self.out:
            staying = [seat for seat in range(self.game.seats) if seat not in self.out]
            if len(staying) < 2 or all(self.seats[seat].kind == "engine" for seat in staying):
                return list(self.out.values())[-1]
        return "length" if self.game.ply >= LONGEST_GAME else None

    @property
    def ready(self) -> tuple[int, ...]:
        """The seats that have given their secret order."""
        return tuple(sorted(self.orders))

    def absent(self, seat: int) -> bool:
        """Whether an engine plays for the seat's player, who is out or away."""
        return seat in self.out or seat in self.stand_ins

    @property
    def ranking(self) -> list[int] | None:
        """Everyone's place once the game is over; seats that went out rank last, the first of them at the very end.

        A game that was called off has none.
        """
        ended_by = self.ended_by
        if not ended_by or ended_by == "aborted":
            return None
        return list(behind([1] * self.game.seats if ended_by in DRAWN else self.game.ranking, self.out))

    @property
    def reason(self) -> dict[str, Any]:
        """How the game was decided, as codes and numbers."""
        ended_by = self.ended_by
        if ended_by is None:
            return {}
        if ended_by == "rules":
            return self.game.reason
        if ended_by == "length":
            return {"code": "length", "turns": self.game.ply}
        if ended_by == self.called_off:
            return {"code": ended_by}
        return {"code": ended_by, "seat": list(self.out)[-1]}

    @property
    def played(self) -> int:
        """The number of turns played at this table."""
        return self.game.ply - len(self.setup.opening)

    # ---- players

    def owned(self, guest: str | None) -> list[int]:
        """The seats that a guest plays."""
        return [n for n, seat in enumerate(self.seats) if seat.kind == "human" and seat.guest == guest]

    def wrote(self, guest: str) -> bool:
        """Whether a guest wrote messages as a spectator."""
        return any(message.get("guest") == guest for message in self.chat)

    def study(self) -> Game:
        """The game as a seat that still has to give its order knows it: without the orders of this turn."""
        return self.position.study()

    # ---- changing

    def apply(self, event: Event) -> None:
        """Carry out an event that ``decide`` gave."""
        turn, waiting = self.turn, self.waiting
        if event.kind in CHANGES:
            CHANGES[event.kind](self, event)
        else:
            self.foreign = True
        self._derive()
        if self.offer and _ends_offer(self.offer, event):
            self.offer = None
        if self.turn != turn or self.waiting != waiting:
            self.turned = event.at
        if self.ended is None or self.ended_by is None:
            self.ended = event.at if self.ended_by else None
        self.clocks.run(() if self.waiting else self.awaited, event.at)
        if event.kind != "spectator_chat":
            self.touched = event.at
        self.version += 1
        if event.guest is not None and event.ack is not None:
            self.answers[event.guest, event.ack] = self.version
            if len(self.answers) > ANSWERS:
                del self.answers[next(iter(self.answers))]

    def _derive(self) -> None:
        """Compute what follows from the rest, once for each event: it is read many times."""
        #: ``rules``, why the last seat went out (``resign``, ``time``, ``left``), ``length`` after the longest game,
        #: ``agreed`` for a draw by agreement, ``aborted`` if the game was called off; None while the game goes on.
        self.ended_by = self._ending()
        #: The seats that act now; none when the game is over.
        self.to_move: tuple[int, ...] = () if self.ended_by else self.position.to_move
        #: The seats to move that a person plays.
        self.awaited = [n for n in self.to_move if self.seats[n].kind == "human" and not self.absent(n)]
        #: Whether a seat is still open.
        self.waiting = any(seat.kind == "open" for seat in self.seats)
        if self.played >= BEGUN:
            self.clocks.gathering = False
        #: The guests who have a seat.
        self.people = {seat.guest for seat in self.seats if seat.kind == "human" and seat.guest}


def _ends_offer(offer: dict[str, Any], event: Event) -> bool:
    """A draw offer stands until a player who has not agreed moves; an offer to take back, until anybody does."""
    if event.kind == "move":
        return offer["kind"] == "undo" or event.data["seat"] not in offer["seats"]
    return event.kind in ("undo", "resign", "out", "draw", "abort", "fill", "stand_in")
