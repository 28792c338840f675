"""One game in progress: the API for people who write Python."""

import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove, Rulebook, State, Variant


def new(name: str, variant: str | None = None, **options: Any) -> "Game":
    """Start a game.

    >>> game = new("plus4", variant="endless", target=5)
    >>> game.play("a"); game.play("b*")
    >>> game.to_move
    (0,)
    """
    return Game(rulebook(name), variant, options)


class Game:
    """A position with its history. ``play`` and ``undo`` change it, everything else looks."""

    def __init__(self, book: Rulebook, variant: str | None = None, options: Mapping[str, Any] | None = None) -> None:
        self.book = book
        self.variant = _variant(book, variant)
        self.options = _options(book, self.variant, options or {})
        self.headers: dict[str, str] = {}  # of the record it was loaded from: names, date, …
        self.state: State = np.zeros(book.state_size, np.int64)
        book.rules.setup(self.state, self.words)
        self._turns: list[tuple[bytes, dict[int, int], bytes]] = []  # packed state before, actions, key of that after
        self._orders: dict[int, int] = {}  # of a simultaneous turn, until the last one is in
        self._before = self.state.copy()
        self._seen: Counter[bytes] = Counter([self._key()])

    # ---- looking

    @property
    def name(self) -> str:
        """The game's name, such as ``plus4``."""
        return self.book.name

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.variant.seats

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that act now; empty when the game is over."""
        mask = int(self.book.rules.to_move(self.state))
        return tuple(seat for seat in range(self.seats) if mask >> seat & 1)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.to_move

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of every seat, as it stands."""
        return self._outcome()[0]

    @property
    def ranking(self) -> tuple[int, ...]:
        """Place of every seat from 1, as it stands; ties share the better place."""
        return self._outcome()[1]

    @property
    def reason(self) -> dict[str, Any]:
        """How a finished game was decided, as codes and numbers; empty while it runs."""
        return self.book.reason(self.state) if self.over else {}

    @property
    def moves(self) -> list[dict[int, str]]:
        """The turns so far, each as {seat: move}."""
        return [
            {seat: self.book.write(state, seat, action) for seat, action in actions.items()}
            for before, actions, _ in self._turns
            for state in [_unpack(before)]
        ]

    @property
    def played(self) -> list[dict[int, int]]:
        """The turns so far, each as {seat: action id}."""
        return [dict(actions) for _, actions, _ in self._turns]

    @property
    def last(self) -> dict[int, str]:
        """The last turn as {seat: move}; empty before the first."""
        if not self._turns:
            return {}
        before, actions, _ = self._turns[-1]
        state = _unpack(before)
        return {seat: self.book.write(state, seat, action) for seat, action in actions.items()}

    @property
    def ply(self) -> int:
        """How many turns have been played."""
        return len(self._turns)

    @property
    def words(self) -> State:
        """Variant and options as the rules' ``setup`` reads them."""
        return np.array(self.book.setup_words(self.variant, self.options), np.int64)

    @property
    def common(self) -> State:
        """The state without the orders of this turn that are in: what all seats know."""
        return self._before if self._orders else self.state

    @property
    def occurred(self) -> list[bytes]:
        """What the repetition rule counts: the key of every position since the start; empty where it has none."""
        return [key for key in self._seen.elements() if key]

    @property
    def start(self) -> State:
        """The position before the first turn."""
        return _unpack(self._turns[0][0]) if self._turns else self.common

    def actions(self, seat: int | None = None) -> list[int]:
        """Like ``legal``, as action ids."""
        seat = self._seat(seat)
        if seat not in self.to_move:
            return []
        moves = np.empty(self.book.max_moves, np.int64)  # for each call: thousands of games are held at once
        found: list[int] = moves[: self.book.rules.legal(self.state, seat, moves)].tolist()
        return found

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal moves of the seat to move, or of one seat where several act at once.

        >>> new("plus4").legal()
        ['a', 'b', 'c', 'd']

        Raises:
            ValueError: There is no such seat, or several seats act at once and none is named.
        """
        seat, write, state = self._seat(seat), self.book.write, self.state
        return [write(state, seat, action) for action in self.actions(seat)]

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The position as plain data, as this seat (None: a spectator) may see it."""
        return self.book.view(self.book.conceal(self.state, seat))

    def effects(self, ply: int = -1) -> dict[str, Any]:
        """What a turn did (the last one unless told): pushed, ejected, captured, scored."""
        before, actions, _ = self._turns[ply]
        after = self.state if ply in (-1, self.ply - 1) else _unpack(self._turns[ply + 1][0])
        return self.book.effects(_unpack(before), actions, after)

    def svg(self) -> str:
        """A picture of the position."""
        return self.book.svg(self.state)

    def record(self, seats: tuple[str, ...] = (), date: str = "") -> str:
        """The game as a small text file; ``quatuor.load`` reads it."""
        from quatuor.record import write

        return write(self, seats, date)

    def __str__(self) -> str:
        from rich.text import Text

        return Text.from_markup(self.book.text_board(self.state)).plain

    def __repr__(self) -> str:
        return f"<{self.name}:{self.variant.name} ply {self.ply}, to move {self.to_move}>"

    def copy(self) -> "Game":
        """The same game once more; playing on in one leaves the other alone."""
        twin = object.__new__(Game)
        twin.book, twin.variant, twin.options = self.book, self.variant, self.options
        twin.headers, twin.state, twin._before = dict(self.headers), self.state.copy(), self._before.copy()
        twin._turns, twin._orders, twin._seen = list(self._turns), dict(self._orders), self._seen.copy()
        return twin

    def __deepcopy__(self, memo: Any) -> "Game":
        return self.copy()

    def __reduce__(self) -> Any:
        """To pickle a game: its choices, its start and what was played."""
        played = [actions for _, actions, _ in self._turns] + [self._orders] * bool(self._orders)
        return _replayed, (self.name, self.variant.name, self.options, self.headers, self.start, played)

    # ---- playing

    def play(self, move: str | Mapping[int, str]) -> None:
        """Play a move, or {seat: move} where several seats act at once. IllegalMove says why not.

        Nothing changes unless every move of the call can be played.
        """
        acting = self.to_move
        if not acting:
            raise IllegalMove("the game is over")
        if isinstance(move, str):
            if len(acting) > 1:
                raise IllegalMove(f"seats {acting} act at once: play {{seat: move}}, such as {{{acting[0]}: {move!r}}}")
            move = {acting[0]: move}
        for seat, text in move.items():
            if seat not in acting:
                raise IllegalMove(f"seat {seat!r} does not act now; to move: {', '.join(map(str, acting))}")
            if not isinstance(text, str):
                raise IllegalMove(f"a move is text, such as {self.legal(seat)[0]!r}, not {text!r}")
        self.play_actions({seat: self._read(seat, text) for seat, text in move.items()})

    def play_actions(self, actions: Mapping[int, int]) -> None:
        """Like ``play``, with action ids that are known to be legal."""
        if not self._orders:
            self._before = self.state.copy()
        for seat, action in sorted(actions.items()):
            self.book.rules.play(self.state, seat, action)
        self._orders.update(actions)
        if self._waiting():
            return
        key = self._key()
        self._turns.append((_pack(self._before), dict(sorted(self._orders.items())), key))
        self._orders = {}
        self._seen[key] += 1
        if key and self._seen[key] == 3 and not self.over:
            self.book.rules.repeat(self.state)

    def undo(self) -> None:
        """Take back the last turn, or the orders of a turn that is not complete yet.

        Raises:
            IndexError: No move has been played.
        """
        if self._orders:
            self.state, self._orders = self._before.copy(), {}
            return
        if not self._turns:
            raise IndexError("nothing to take back: no move has been played")
        before, _, key = self._turns.pop()
        self._seen[key] -= 1
        self.state = _unpack(before)

    # ---- inside

    def _read(self, seat: int, text: str) -> int:
        """The action of a move. ``play_actions`` does not check it, so what ``read`` returns is checked here."""
        action = self.book.read(self.state, seat, text)
        legal = 0 <= action < self.book.actions if self.book.void_orders else action in self.actions(seat)
        if not legal:
            raise IllegalMove(
                f"{text!r} cannot be played: {self.name} reads it as the action {action}, which is not legal"
            )
        return action

    def _waiting(self) -> bool:
        """Whether a simultaneous turn still lacks an order: those that are in no longer act, the others do."""
        began = int(self.book.rules.to_move(self._before))
        given = sum(1 << seat for seat in self._orders)
        return given != began

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            acting = self.to_move
            if len(acting) > 1:
                raise ValueError(f"seats {acting} act at once: say which, such as legal({acting[0]})")
            return acting[0] if acting else 0
        if seat not in range(self.seats):
            raise ValueError(f"no seat {seat!r}; the seats are 0 to {self.seats - 1}")
        return seat

    def _outcome(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        scores, places = np.zeros(self.seats, np.int64), np.zeros(self.seats, np.int64)
        self.book.rules.outcome(self.state, scores, places)
        return tuple(map(int, scores)), tuple(map(int, places))

    def _key(self) -> bytes:
        words = np.zeros(self.book.state_size, np.int64)
        return words[: self.book.rules.key(self.state, words)].tobytes()


def _pack(state: State) -> bytes:
    """A state as it is kept in the history: most of its cells are small numbers, so a tenth of the bytes is left."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -12, 5)
    return packer.compress(state.tobytes()) + packer.flush()


def _unpack(packed: bytes) -> State:
    return np.frombuffer(zlib.decompress(packed, -12), np.int64).copy()


def _replayed(
    name: str,
    variant: str,
    options: Mapping[str, Any],
    headers: dict[str, str],
    start: State,
    played: list[dict[int, int]],
) -> Game:
    game = Game(rulebook(name), variant, options)
    game.headers, game.state, game._before = dict(headers), start.copy(), start.copy()
    game._seen = Counter([game._key()])
    for actions in played:
        game.play_actions(actions)
    return game


def _variant(book: Rulebook, name: str | None) -> Variant:
    if name is None:
        return book.variants[0]
    for variant in book.variants:
        if variant.name == name:
            return variant
    raise ValueError(f"{book.name} has no variant {name!r}; choose one of {', '.join(v.name for v in book.variants)}")


def _options(book: Rulebook, variant: Variant, given: Mapping[str, Any]) -> dict[str, Any]:
    known = {o.name: o for o in book.options if not o.variants or variant.name in o.variants}
    for name in given:
        if name not in known:
            choices = ", ".join(known) or "none"
            raise ValueError(f"{book.name}:{variant.name} has no option {name!r}; its options: {choices}")
    return {name: o.check(given.get(name, o.default)) for name, o in known.items()}
