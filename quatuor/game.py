"""One game in progress: the API for people who write Python."""

import operator
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import numpy as np

from quatuor import position as positions
from quatuor import record_text
from quatuor.games import rulebook
from quatuor.games.contract import REPETITIONS, IllegalMove, PositionError, Rulebook, State, Variant
from quatuor.node import GameNode, _unflat


def new(name: str | None = None, variant: str | None = None, *, position: str | None = None, **options: Any) -> "Game":
    """Start a game, at its usual start or at a position.

    >>> game = new("plus4", variant="endless", target=5)
    >>> game.play("a"); game.play("b*")
    >>> game.position
    'plus4:endless,target=5 bR2/4/4/4 b 0:0 - -'
    >>> new(position=game.position) == game
    True

    ValueError lists the names and values that would be right; PositionError (a ValueError) says why a position is
    impossible. A position that begins with its game, such as ``plus4:endless``, needs no name.
    """
    if position is not None:
        return positions.set_up(Game, name, variant, options, position)
    if name is None:
        raise ValueError("name a game, such as new('plus4'), or give a position")
    return Game(rulebook(name), variant, options)


class Game:
    """A position with its history. ``play`` and ``undo`` change it; everything else only reads it.

    Two games are equal, and have the same hash, if their positions are. The hash changes when a move is played: use
    ``game.position`` or ``game.copy()`` as the key of a dictionary.
    """

    def __init__(self, book: Rulebook, variant: str | None = None, options: Mapping[str, Any] | None = None) -> None:
        self.book = book
        self.variant = _variant(book, variant)
        self.options = _options(book, self.variant, options or {})
        self.headers: dict[str, str] = {}  # of the record it was loaded from: names, date, …
        self.state: State = np.zeros(book.state_size, np.int64)
        book.rules.setup(self.state, self.option_values)
        #: For each turn: the difference between the states before it and before the next turn, its actions, the key of
        #: the position after it. Until the next turn begins, the difference is empty: the state before is ``_before``.
        self._turns: list[tuple[bytes, dict[int, int], bytes]] = []
        self._first = b""  # the state before the first turn
        self._orders: dict[int, int] = {}  # of a simultaneous turn, until the last one is in
        self._root: GameNode | None = None  # comments, marks and variations, once there are any
        self._node: GameNode | None = None  # of the last turn
        self._begin(())

    # ---- reading

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
        """The current points of every seat."""
        return self._outcome()[0]

    @property
    def ranking(self) -> tuple[int, ...]:
        """The current place of every seat, from 1; ties share the better place."""
        return self._outcome()[1]

    @property
    def reason(self) -> dict[str, Any]:
        """How a finished game was decided, as codes and numbers; empty while it runs."""
        return self.book.reason(self.state) if self.over else {}

    @property
    def moves(self) -> list[dict[int, str]]:
        """The turns so far, each as {seat: move}."""
        states = [*self._states_before()][::-1]
        return [
            {seat: self.book.write(state, seat, action) for seat, action in actions.items()}
            for state, (_, actions, _) in zip(states, self._turns, strict=True)
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
        state, actions = next(self._states_before()), self._turns[-1][1]
        return {seat: self.book.write(state, seat, action) for seat, action in actions.items()}

    @property
    def ply(self) -> int:
        """How many turns have been played."""
        return len(self._turns)

    @property
    def option_values(self) -> State:
        """Variant and options as the rules' ``setup`` reads them."""
        return np.array(self.book.option_values(self.variant, self.options), np.int64)

    @property
    def common(self) -> State:
        """The state without the orders already given in this turn: what all seats know."""
        return self._before if self._orders else self.state

    @property
    def occurred(self) -> list[bytes]:
        """What the repetition rule counts: the key of every position since the start; empty without such a rule."""
        return [key for key in self._seen.elements() if key]

    @property
    def start(self) -> State:
        """The position before the first turn."""
        return _unpack(self._first) if self._turns else self.common

    @property
    def position(self) -> str:
        """The position as text, as chess has FEN; ``quatuor.new(position=…)`` sets it up (docs/positions.md)."""
        return positions.write(self)

    @property
    def tree(self) -> GameNode:
        """The start of the game as a tree, with comments, marks and variations; its main line is the game itself."""
        if self._root is None:
            self._root = self._node = GameNode()
            self._root._start = _rewound(self)
            for turn in self.moves:
                self._node = self._node._child(turn)
        return self._root

    @property
    def node(self) -> GameNode:
        """The last turn in the tree: where its comment and its marks are kept."""
        root = self.tree
        return self._node or root

    @property
    def variations(self) -> list[GameNode]:
        """The first turn of every variation of the game: turns that the tree keeps but that were not played."""
        own = set(self._line())
        return [other for node in self._line() for other in node.variations if other not in own]

    def follow(self, node: GameNode) -> None:
        """Play the variation through a node of the tree to its end, instead of what was played.

        >>> game = new("plus4")
        >>> game.play("a")
        >>> side = game.tree.add("b")
        >>> game.follow(side)
        >>> game.last
        {0: 'b'}

        Raises:
            ValueError: The node belongs to the tree of another game.
        """
        if not isinstance(node, GameNode):
            raise TypeError(f"follow takes a GameNode, not {type(node).__name__}; tree and variations have them")
        if node.root is not self.tree:
            raise ValueError("the node belongs to the tree of another game")
        line = [*node.line, *(later.moves for later in node.mainline())]
        root, self._root, self._node = self._root, None, None
        while self.ply or self._orders:
            self.undo()
        for turn in line:
            self.play(turn)
        self._root = self._node = root
        for turn in line:
            self._node = self._node._child(turn, first=True) if self._node else None

    def actions(self, seat: int | None = None) -> list[int]:
        """Like ``legal``, as action ids."""
        seat = self._seat(seat)
        return self._legal(seat) if seat in self.to_move else []

    def _legal(self, seat: int) -> list[int]:
        """The legal actions of a seat that is known to act now."""
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
        """The position as plain data, as this seat (None: a spectator) may see it.

        Raises:
            ValueError: There is no such seat.
        """
        if seat is not None:
            seat = self._seat(seat)
        return self.book.view(self.book.conceal(self.state, seat))

    def effects(self, ply: int = -1) -> dict[str, Any]:
        """What a turn did, by its number from 0 (by default the last one): where it went, what it captured, scored.

        >>> game = new("plus4")
        >>> game.play("a")
        >>> game.effects()["column"]
        'a'

        Raises:
            IndexError: There is no such turn.
        """
        if not isinstance(ply, int | np.integer):
            raise TypeError(f"effects takes the number of a turn, not {ply!r}")
        if not -self.ply <= ply < self.ply:
            played = f"{self.ply} turns have been played" if self.ply else "no move has been played"
            raise IndexError(f"effects({ply}): {played}")
        ply %= self.ply
        states = islice(chain([self.common], self._states_before()), self.ply - 1 - ply, None)
        after, before = next(states), next(states)
        return self.book.effects(before, self._turns[ply][1], after)

    def svg(self) -> str:
        """A picture of the position."""
        return self.book.svg(self.state)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def record(self, seats: tuple[str, ...] = (), date: str = "") -> str:
        """The game as a small text file; ``quatuor.load`` reads it."""
        return record_text.write(self, seats, date)

    def __str__(self) -> str:
        from rich.text import Text

        return Text.from_markup(self.book.text_board(self.state)).plain

    def __repr__(self) -> str:
        what = self.position if self.book.position else f"{self.name}:{self.variant.name}"
        return f"<Game {what}>"

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def copy(self, *, tree: bool = True) -> "Game":
        """A copy of the game; playing on in one does not change the other. ``tree=False`` leaves comments out."""
        twin = object.__new__(Game)
        twin.book, twin.variant, twin.options = self.book, self.variant, self.options
        twin.headers, twin.state, twin._before = dict(self.headers), self.state.copy(), self._before.copy()
        twin._turns, twin._orders, twin._seen = list(self._turns), dict(self._orders), self._seen.copy()
        twin._first, twin._past, twin._root, twin._node = self._first, self._past, None, None
        if tree and self._root is not None and self._node is not None:
            twins = self._root._copy()
            twin._root, twin._node = twins[self._root], twins[self._node]
        return twin

    def __deepcopy__(self, memo: Any) -> "Game":
        return self.copy()

    def __reduce__(self) -> Any:
        """What is pickled: the game's choices, its start, what was played and its tree."""
        played = [actions for _, actions, _ in self._turns] + [self._orders] * bool(self._orders)
        choices = (self.name, self.variant.name, self.options, self.headers)
        return _replayed, (*choices, self.start, played, self._past, self._root and self._root._flat())

    # ---- playing

    def play(self, move: str | Mapping[int, str]) -> None:
        """Play a move, or {seat: move} where several seats act at once.

        >>> duel = new("trois_six")
        >>> duel.play({0: "1>A2", 1: "-"})
        >>> duel.ply
        1

        Nothing changes unless every move of the call can be played.

        Raises:
            IllegalMove: A move cannot be played; the message says why, and what would be right.
        """
        acting = self._acting()
        if isinstance(move, str):
            if len(acting) > 1:
                raise IllegalMove(f"seats {acting} act at once: play {{seat: move}}, such as {{{acting[0]}: {move!r}}}")
            move = {acting[0]: move}
        if not isinstance(move, Mapping):
            raise IllegalMove(
                f"a move is text, such as {self.legal(acting[0])[0]!r}, or {{seat: move}}, not {move!r}; "
                "play_id plays an action id"
            )
        if not move:
            raise IllegalMove(
                f"no move is given: play {{seat: move}}, such as {{{acting[0]}: {self.legal(acting[0])[0]!r}}}"
            )
        for seat, text in move.items():
            self._check_seat(seat, acting)
            if not isinstance(text, str):
                raise IllegalMove(f"a move is text, such as {self.legal(seat)[0]!r}, not {text!r}")
        self._advance({seat: self._read(seat, text) for seat, text in move.items()})

    def play_id(self, seat: int, action: int) -> None:
        """Play a move of one seat by its action id, one of ``actions(seat)``. IllegalMove says why not.

        >>> game = new("plus4")
        >>> game.play_id(0, game.actions()[2])
        >>> game.last
        {0: 'c'}
        """
        self._check_seat(seat, self._acting())
        self.play_actions({seat: action})

    def play_actions(self, actions: Mapping[int, int]) -> None:
        """Like ``play``, with action ids: {seat: id}. Nothing changes unless all of them can be played."""
        acting = self._acting()
        if not isinstance(actions, Mapping):
            raise IllegalMove(f"actions are {{seat: action id}}, not {actions!r}")
        checked = {}
        for seat, action in actions.items():
            self._check_seat(seat, acting)
            try:
                checked[operator.index(seat)] = operator.index(action)
            except TypeError:
                raise IllegalMove(f"an action id is a whole number, not {action!r}") from None
            if not self._playable(seat, checked[seat]):
                raise IllegalMove(
                    f"the action {action} is not legal for seat {seat}; actions({seat}) lists those that are"
                )
        self._advance(checked)

    def _advance(self, actions: Mapping[int, int]) -> None:
        """Play action ids that are known to be legal."""
        if not self._orders:
            self._begin_turn()
        for seat, action in sorted(actions.items()):
            self.book.rules.play(self.state, seat, action)
        self._orders.update(actions)
        if self._waiting():
            return
        key = self._key()
        self._turns.append((b"", dict(sorted(self._orders.items())), key))
        self._orders = {}
        self._seen[key] += 1
        if key and self._seen[key] == REPETITIONS and not self.over:
            self.book.rules.repeat(self.state)
        if self._node is not None:
            self._node = self._node._child(self.last, first=True)

    def undo(self) -> None:
        """Take back the last turn, or the orders of a turn that is not complete yet.

        Raises:
            IndexError: No move has been played.
        """
        if self._orders:
            self.state, self._orders = self._before.copy(), {}
            self._end_turn()
            return
        if not self._turns:
            raise IndexError("nothing to take back: no move has been played")
        _, _, key = self._turns.pop()
        self._seen[key] -= 1
        self.state = self._before.copy()
        self._end_turn()
        if self._node is not None and self._node.parent is not None:
            left, self._node = self._node, self._node.parent
            left.remove()

    # ---- inside

    def _begin(self, earlier: Iterable[State]) -> None:
        """Begin here; ``earlier`` positions count for the repetition rule."""
        self._before = self.state.copy()
        self._past = tuple(_pack(state) for state in earlier)
        keys = [positions.key_of(self.book, _unpack(state)) for state in self._past]
        key = self._key()
        self._seen: Counter[bytes] = Counter([*keys, key])
        if key and (self._seen[key] > 3 or any(count > 2 for other, count in self._seen.items() if other != key)):
            raise PositionError("the game ended when a position occurred for the third time")
        if key and self._seen[key] == REPETITIONS and not self.over:
            self.book.rules.repeat(self.state)

    def _begin_turn(self) -> None:
        """Keep the state before this turn whole, and of the state before the last turn only the difference."""
        if self._turns:
            _, actions, key = self._turns[-1]
            self._turns[-1] = _pack(self._before ^ self.state), actions, key
        else:
            self._first = _pack(self.state)
        self._before = self.state.copy()

    def _end_turn(self) -> None:
        """The turn that began is taken back: ``_before`` is the state before the last turn again."""
        if self._turns:
            difference, actions, key = self._turns[-1]
            self._before = self._before ^ _unpack(difference)
            self._turns[-1] = b"", actions, key

    def _states_before(self) -> Iterator[State]:
        """The states before the turns that are complete, the latest first."""
        state = self._before.copy()
        for difference, _, _ in reversed(self._turns):
            state = state ^ _unpack(difference) if difference else state
            yield state

    def _earlier(self) -> Iterator[State]:
        """The positions before this one, the latest first."""
        yield from self._states_before()
        yield from (_unpack(state) for state in reversed(self._past))

    def _identity(self) -> tuple[Any, ...]:
        """What makes games equal: the position, and the orders of a turn that is not complete."""
        orders = tuple(sorted(self._orders.items()))
        if self.book.position is not None:
            return self.position, orders
        return self.name, self.variant.name, str(self.options), self.common.tobytes(), orders

    def _line(self) -> list[GameNode]:
        """The nodes of the game itself, from the start to the last turn."""
        line, node = [], self.node
        while node.parent is not None:
            line.append(node)
            node = node.parent
        return [node, *line[::-1]]

    def _acting(self) -> tuple[int, ...]:
        acting = self.to_move
        if not acting:
            raise IllegalMove("the game is over")
        return acting

    def _check_seat(self, seat: Any, acting: tuple[int, ...]) -> None:
        if isinstance(seat, bool) or seat not in acting:
            raise IllegalMove(f"seat {seat!r} does not act now; to move: {', '.join(map(str, acting))}")

    def _playable(self, seat: int, action: int) -> bool:
        return 0 <= action < self.book.actions if self.book.void_orders else action in self.actions(seat)

    def _read(self, seat: int, text: str) -> int:
        """The action of a move. What the game's ``read`` returns is checked: ``_advance`` trusts it."""
        action = self.book.read(self.state, seat, text)
        if not self._playable(seat, action):
            raise IllegalMove(
                f"{text!r} cannot be played: {self.name} reads it as the action {action}, which is not legal"
            )
        return action

    def _waiting(self) -> bool:
        """Whether a simultaneous turn still lacks an order: seats that gave theirs no longer act, the others do."""
        began = int(self.book.rules.to_move(self._before))
        given = sum(1 << seat for seat in self._orders)
        return given != began

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            acting = self.to_move
            if len(acting) > 1:
                raise ValueError(f"seats {acting} act at once: say which, such as legal({acting[0]})")
            return acting[0] if acting else 0
        if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or seat not in range(self.seats):
            raise ValueError(f"no seat {seat!r}; the seats are 0 to {self.seats - 1}")
        return seat

    def _outcome(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        scores, places = np.zeros(self.seats, np.int64), np.zeros(self.seats, np.int64)
        self.book.rules.outcome(self.state, scores, places)
        return tuple(map(int, scores)), tuple(map(int, places))

    def _key(self) -> bytes:
        return positions.key_of(self.book, self.state)


def _pack(state: State) -> bytes:
    """A state, or the difference of two, compressed for the history: most of its bytes are 0, so few are left."""
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
    past: tuple[bytes, ...] = (),
    tree: list[Any] | None = None,
) -> Game:
    game = Game(rulebook(name), variant, options)
    game.headers, game.state = dict(headers), start.copy()
    game._begin(map(_unpack, past))
    for actions in played:
        game._advance(actions)
    if tree:
        game._root = game._node = _unflat(tree, _rewound(game))[0]
        for turn in game.moves:
            game._node = game._node._child(turn)
    return game


def _rewound(game: Game) -> Game:
    """The game before its first turn, without a tree."""
    start = game.copy(tree=False)
    while start.ply or start._orders:
        start.undo()
    return start


def _variant(book: Rulebook, name: str | None) -> Variant:
    if name is None:
        return book.variants[0]
    for variant in book.variants:
        if variant.name == name:
            return variant
    raise ValueError(f"{book.name} has no variant {name!r}; choose one of {', '.join(v.name for v in book.variants)}")


def _options(book: Rulebook, variant: Variant, given: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise TypeError(f"options={given!r}: give {{name: value}}, such as {{'target': 5}}")
    known = {o.name: o for o in book.options if not o.variants or variant.name in o.variants}
    for name in given:
        if name not in known:
            choices = ", ".join(known) or "none"
            raise ValueError(f"{book.name}:{variant.name} has no option {name!r}; its options: {choices}")
    return {name: o.check(given.get(name, o.default)) for name, o in known.items()}
