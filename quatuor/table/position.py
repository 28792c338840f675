"""What can be computed from the position of a table, each thing once."""

from array import array
from typing import Any

from quatuor.game import Game
from quatuor.games.contract import IllegalMove, State
from quatuor.table.encoding import encode

KEPT = 1000  # legal moves; longer lists are not kept but written again on request
NEXT = b'","'  # between two texts of a list as JSON


class Position:
    """The position after the last event; a table makes a new one when the position changes."""

    __slots__ = ("_actions", "_game", "_legal", "_ordered", "_read", "_views", "to_move")

    def __init__(self, game: Game, ordered: bool = False) -> None:
        self._game, self._ordered = game, ordered  # whether secret orders of this turn are in
        self.to_move = game.to_move
        self._views: dict[bytes, bytes] = {}  # concealed state -> view as JSON
        self._actions: dict[int, array[int]] = {}  # seat -> its legal actions
        self._legal: dict[int, bytes] = {}  # the same as texts in JSON: a list would be searched for garbage
        self._read: dict[tuple[int, str], int] = {}  # (seat, move) -> action

    def view(self, seat: int | None) -> dict[str, Any]:
        """The position as a seat (None: a spectator) may see it."""
        return self._game.book.view(self._concealed(seat))

    def view_json(self, seat: int | None) -> bytes:
        """The same as JSON, made once for all who see the same."""
        state = self._concealed(seat)
        key = b"" if state is self._game.state else state.tobytes()  # most games hide nothing
        if key not in self._views:
            self._views[key] = encode(self._game.book.view(state))
        return self._views[key]

    def study(self) -> Game:
        """The game as a seat that still has to give its order knows it: without the orders of this turn."""
        game = self._game.copy()
        if self._ordered:
            game.undo()
        return game

    def legal(self, seat: int) -> list[str]:
        """The moves of a seat that is to move; secret orders of others make no difference."""
        game = self.study() if self._ordered else self._game
        write, known, state = game.book.write, game.book.texts, game.state
        actions = self._actions_of(seat)
        return [*map(known.__getitem__, actions)] if known else [write(state, seat, action) for action in actions]

    def legal_json(self, seat: int) -> bytes:
        """The same as JSON."""
        if seat in self._legal:
            return self._legal[seat]
        found = encode(self.legal(seat))
        if len(self._actions[seat]) <= KEPT:
            self._legal[seat] = found
        return found

    def move(self, seat: int, text: str) -> str:
        """A move of a seat as records write it; IllegalMove if it cannot be played."""
        action = self.action(seat, text)
        move = self._game.book.write(self._game.state, seat, action)
        self._read[seat, move] = action
        return move

    def action(self, seat: int, text: str) -> int:
        """The action id of a move; IllegalMove if it cannot be played."""
        if (seat, text) not in self._read:
            self._read[seat, text] = self._parsed(seat, text)
        return self._read[seat, text]

    def _parsed(self, seat: int, text: str) -> int:
        book, known = self._game.book, self._legal.get(seat, b"")
        if (at := known.find(encode(text))) >= 0:  # as it was sent to the player
            action = self._actions[seat][known.count(NEXT, 0, at + 1)]
            if book.write(self._game.state, seat, action) == text:
                return action
        action = book.read(self._game.state, seat, text)
        if action not in (range(book.actions) if book.void_orders else self._actions_of(seat)):
            raise IllegalMove(f"{text!r} cannot be played: it is read as the action {action}, which is not legal")
        return action

    def _actions_of(self, seat: int) -> "array[int]":
        if seat not in self._actions:
            game = self.study() if self._ordered else self._game
            known = seat in self.to_move and not self._ordered  # that it is to move
            self._actions[seat] = array("q", game._legal(seat) if known else game.actions(seat))
        return self._actions[seat]

    def _concealed(self, seat: int | None) -> State:
        return self._game.book.conceal(self._game.state, seat)
