"""Comments, marks and variations: a game as a tree of turns.

>>> import quatuor
>>> game = quatuor.new("plus4")
>>> game.play("a")
>>> game.node.comment = "The corner."
>>> better = game.tree.add("b")
>>> better.marks[0] = "!"
>>> better.add("c").ply
2
>>> print(game.record(date="2026-11-18").split("\\n\\n")[1])
1. a ; The corner.
  (
  1. b!
  2. c
  )
<BLANKLINE>
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from quatuor.games.contract import IllegalMove

if TYPE_CHECKING:
    from quatuor.game import Game

MARKS = ("!", "?", "!!", "??", "!?", "?!")


class GameNode:
    """One turn of a game, or of a variation; the root is the start and has no turn.

    The first of ``variations`` is the main continuation. The turns of the game itself always count as its main line.
    """

    def __init__(self, parent: "GameNode | None" = None, moves: Mapping[int, str] | None = None) -> None:
        self.parent = parent
        self.moves: dict[int, str] = dict(moves or {})  # {seat: move}; empty at the root
        self.marks: dict[int, str] = {}  # {seat: "!" or "?", …}
        self.comment = ""
        self.variations: list[GameNode] = []
        self._start: Game | None = None  # of the root

    def __repr__(self) -> str:
        what = " / ".join(self.moves[seat] + self.marks.get(seat, "") for seat in self.moves)
        return f"<GameNode {self.ply}. {what}>" if self.parent else "<GameNode: the start>"

    @property
    def root(self) -> "GameNode":
        """The start of the game."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    @property
    def ply(self) -> int:
        """How many turns lead here from the start."""
        return len(self.line)

    @property
    def line(self) -> list[dict[int, str]]:
        """The turns that lead here from the start, each as {seat: move}."""
        turns: list[dict[int, str]] = []
        node = self
        while node.parent is not None:
            turns.append(dict(node.moves))
            node = node.parent
        return turns[::-1]

    def game(self) -> "Game":
        """A game at this position, to look at or to play on; it has no tree of its own yet."""
        start = self.root._start
        assert start is not None, "the root knows the start"
        game = start.copy()
        for turn in self.line:
            game.play(turn)
        return game

    def add(self, move: "str | Mapping[int, str]") -> "GameNode":
        """Go on from here with a turn: a new variation, or the one that exists. IllegalMove says why not."""
        game = self.game()
        ply = game.ply
        game.play(move)
        if game.ply == ply:
            missing = ", ".join(map(str, game.to_move))
            raise IllegalMove(f"a turn is one move of each seat that acts; seat {missing} has none")
        return self._child(game.last)

    def promote(self) -> None:
        """Put it before its siblings, as the main continuation."""
        if self.parent is not None:
            self.parent.variations.remove(self)
            self.parent.variations.insert(0, self)

    def remove(self) -> None:
        """Take it and all that follows out of the tree. ValueError at the root."""
        if self.parent is None:
            raise ValueError("the start of a game cannot be removed")
        self.parent.variations.remove(self)

    def mainline(self) -> "Iterator[GameNode]":
        """The main continuation from here, node by node."""
        node = self
        while node.variations:
            node = node.variations[0]
            yield node

    def __iter__(self) -> "Iterator[GameNode]":
        """This node and all below it, each before what follows it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.variations[::-1]

    # ---- for Game and for records

    def _notes(self) -> tuple[str, dict[int, str]]:
        """The comment and the marks that are set, for a record.

        Raises:
            TypeError: The comment is not text.
            ValueError: There is no such mark, or its seat did not move.
        """
        if not isinstance(self.comment, str):
            raise TypeError(f"the comment {self.comment!r} of turn {self.ply}: a comment is text")
        for seat, mark in self.marks.items():
            if mark not in ("", *MARKS):
                raise ValueError(f"the mark {mark!r}: choose one of {', '.join(MARKS)}")
            if seat not in self.moves:
                raise ValueError(f"turn {self.ply} has a mark for seat {seat!r}, which did not move in it")
        return self.comment, {seat: mark for seat, mark in self.marks.items() if mark}

    def _child(self, moves: Mapping[int, str], first: bool = False) -> "GameNode":
        """The variation with these moves, new if there is none; with ``first`` before its siblings."""
        found = next((node for node in self.variations if node.moves == dict(moves)), None)
        if found is None:
            found = GameNode(self, moves)
            self.variations.append(found)
        if first:
            found.promote()
        return found

    def _flat(self) -> "list[tuple[int, dict[int, str], dict[int, str], str]]":
        """The tree below a root as rows: the number of the parent's row, moves, marks, comment."""
        rows: list[tuple[int, dict[int, str], dict[int, str], str]] = []
        number: dict[GameNode, int] = {}
        for node in self:
            number[node] = len(rows)
            rows.append((number.get(node.parent, -1) if node.parent else -1, node.moves, node.marks, node.comment))
        return rows

    def _copy(self) -> "dict[GameNode, GameNode]":
        """A copy of the tree below a root: each node with its twin."""
        return dict(zip(self, _unflat(self._flat(), self._start), strict=True))


def _unflat(rows: "list[tuple[int, dict[int, str], dict[int, str], str]]", start: "Game | None") -> list[GameNode]:
    """The nodes of rows, the root first."""
    nodes: list[GameNode] = []
    for parent, moves, marks, comment in rows:
        node = GameNode(nodes[parent] if nodes else None, moves)
        node.marks, node.comment = dict(marks), comment
        if node.parent is not None:
            node.parent.variations.append(node)
        nodes.append(node)
    nodes[0]._start = start
    return nodes
