"""What can be computed from the position of a table, each thing once."""

from array import array
from typing import Any

from quatuor.game import Game
from quatuor.games.contract import IllegalMove


class Position:
    """The position after the last event; a table makes a new one when the position changes."""

    def __init__(self, game: Game, ordered: bool = False) -> None:
        self._game, self._ordered = game, ordered  # whether secret orders of this turn are in
        self.to_move = game.to_move
        self._views: dict[bytes, dict[str, Any]] = {}  # concealed state -> view
        self._legal: dict[int, array[int]] = {}  # seat -> actions; their texts would need far more memory
        self._read: dict[tuple[int, str], int] = {}  # (seat, move) -> action

    def view(self, seat: int | None) -> dict[str, Any]:
        """The position as a seat (None: a spectator) may see it; made once for all who see the same."""
        book = self._game.book
        state = book.conceal(self._game.state, seat)
        key = state.tobytes()
        if key not in self._views:
            self._views[key] = book.view(state)
        return self._views[key]

    def study(self) -> Game:
        """The game as a seat knows it that is still to give its order: without the orders of this turn."""
        game = self._game.copy()
        if self._ordered:
            game.undo()
        return game

    def legal(self, seat: int) -> list[str]:
        """The moves of a seat that is to move; secret orders of others make no difference."""
        game = self.study() if self._ordered else self._game
        return [game.book.write(game.state, seat, action) for action in self._actions(seat)]

    def move(self, seat: int, text: str) -> str:
        """A move of a seat as records write it; IllegalMove if it cannot be played."""
        action = self.action(seat, text)
        move = self._game.book.write(self._game.state, seat, action)
        self._read[seat, move] = action
        return move

    def action(self, seat: int, text: str) -> int:
        """The action id of a move; IllegalMove if it cannot be played."""
        if (seat, text) not in self._read:
            book = self._game.book
            action = book.read(self._game.state, seat, text)
            legal = range(book.actions) if book.void_orders else self._actions(seat)
            if action not in legal:
                raise IllegalMove(f"{text!r} cannot be played: it is read as the action {action}, which is not legal")
            self._read[seat, text] = action
        return self._read[seat, text]

    def _actions(self, seat: int) -> "array[int]":
        if seat not in self._legal:
            game = self.study() if self._ordered else self._game
            self._legal[seat] = array("q", game.actions(seat))
        return self._legal[seat]
