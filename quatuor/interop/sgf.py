"""Blokus games as ``.blksgf`` files, the dialect of SGF that Pentobi reads and writes.

>>> tree = read("(;GM[Blokus Duo];B[e8,d9,e9,f9,e10]C[A bold start.];W[i4,h5,i5,j5,i6])")
>>> tree.root.children[0].comment
'A bold start.'
>>> tree.game().ply
2

Variations, comments and properties that mean nothing here are kept in the tree; ``Tree.game`` and ``write`` carry
comments, marks and variations over to a game and back. What the format has no word for (the team variant, free corners)
stands in the rules property: ``RU[variant=teams, corners=free]``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.blokus import PENTOBI, rules
from quatuor.games.blokus.board import laid
from quatuor.games.blokus.notation import COLOURS, fits, parse, write_cells
from quatuor.games.blokus.tables import Cells, cells_of
from quatuor.games.contract import IllegalMove
from quatuor.interop.sgf_tree import Node, SgfError, parse_trees, serialise
from quatuor.node import GameNode

VARIANTS = {name.title: variant for variant, name in PENTOBI.items()}
MARKS = {"!": ("TE", "1"), "!!": ("TE", "2"), "?": ("BM", "1"), "??": ("BM", "2"), "!?": ("IT", ""), "?!": ("DO", "")}
_OLD = {name.upper(): colour for colour, name in enumerate(COLOURS)}  # early files: BLUE[…]
Pieces = list[tuple[int, int]]  # (colour, action)


@dataclass
class Tree:
    """A game with its variations and comments."""

    root: Node

    def line(self, choices: Sequence[int] = ()) -> list[Node]:
        """The nodes from the root on: the main line, or by ``choices`` which child to follow at each branching."""
        nodes, rest = [self.root], list(choices)
        while nodes[-1].children:
            children = nodes[-1].children
            nodes.append(children[rest.pop(0) if rest and len(children) > 1 else 0])
        return nodes

    def game(self, choices: Sequence[int] = ()) -> Game:
        """A line as a game, by default the main line. Moves before a setup become part of it.

        Comments, marks and variations after the last setup of the line go with it; a variation that cannot be played is
        left out. SgfError says which node of the line cannot be played, and why.
        """
        game, line, start = _start(self.root), self.line(choices), self.root
        for node in line:
            arranged = _set_up(game, node)
            start, game = (node, arranged) if arranged is not game else (start, game)
            for colour, move in _moves(game, node):
                _play(game, node, colour, move)
        game.headers |= _headers(self.root, game.seats)
        _annotate(game, start, line)
        return game

    def __str__(self) -> str:
        return serialise(self.root)


def read(text: str) -> Tree:
    """The first game in a file; SgfError (a ValueError) names the place and the reason."""
    return read_all(text)[0]


def read_all(text: str) -> list[Tree]:
    """Every game in a file.

    >>> [tree.game().ply for tree in read_all("(;GM[Blokus Duo];B[e10])(;GM[Blokus Duo];B[e10];W[j5])")]
    [1, 2]

    Raises:
        SgfError: The file is damaged.
    """
    roots = parse_trees(text)
    for root in roots:
        _start(root)
    return [Tree(root) for root in roots]


def write(game: Game, comments: Mapping[int, str] | None = None) -> str:
    """A game as a file; ``comments``: text by the number of moves before it."""
    return str(tree(game, comments))


def tree(game: Game, comments: Mapping[int, str] | None = None) -> Tree:
    """A game as a tree, with its variations, comments and marks."""
    if not isinstance(game, Game):
        raise TypeError(f"give a quatuor.Game, not {game!r}")
    if game.name != "blokus":
        raise ValueError(f"blksgf files hold Blokus, not {game.name}")
    start = game.copy(tree=False)
    while start.ply:
        start.undo()
    nodes = [Node(_root_properties(game) | _setup_properties(start))]
    if game._root is None:
        for ply in range(game.ply):
            done = game.effects(ply)
            nodes.append(Node({_colour_name(game, done["colour"]): [",".join(done["cells"])]}))
            nodes[-2].children.append(nodes[-1])
    else:
        nodes = _annotated(game, start, nodes[0])
    if comments is not None and not isinstance(comments, Mapping):
        raise TypeError(f"comments={comments!r}: give {{moves before it: text}}, such as {{0: 'Played in a train.'}}")
    for ply, comment in (comments or {}).items():
        if ply not in range(len(nodes)) or not isinstance(comment, str):
            raise ValueError(f"comments={{{ply!r}: {comment!r}}}: text for 0 to {len(nodes) - 1} moves before it")
        nodes[ply].properties["C"] = [comment]
    return Tree(nodes[0])


# ---- reading


def _start(root: Node) -> Game:
    name = root.value("GM")
    if name not in VARIANTS:
        known = ", ".join(VARIANTS)
        raise SgfError(
            root.where, f"the game GM[{name}] is not known here" if name else f"no game: GM[…], one of {known}"
        )
    if (root.value("CA") or "UTF-8").upper() != "UTF-8":
        raise SgfError(root.where, f"the character set {root.value('CA')} is not supported, only UTF-8")
    options: dict[str, Any] = {}
    for part in (root.value("RU") or "").split(","):
        key, equals, value = part.strip().partition("=")
        if equals:
            options[key] = value
    try:
        return Game(rulebook("blokus"), options.pop("variant", VARIANTS[name]), options)
    except ValueError as error:
        raise SgfError(root.where, f"RU[{root.value('RU')}]: {error}") from None


def _colour(game: Game, name: str) -> int | None:
    """The colour that a property's name stands for, if it does."""
    if game.variant.name == "duo":
        return {"B": 0, "W": 1}.get(name)
    return int(name) - 1 if name in ("1", "2", "3", "4") else _OLD.get(name)


def _colour_name(game: Game, colour: int) -> str:
    return "BW"[colour] if game.variant.name == "duo" else str(colour + 1)


def _moves(game: Game, node: Node) -> list[tuple[int, str]]:
    """The moves of a node as (colour, cells); early files give one cell a value."""
    found = ((_colour(game, name), ",".join(values)) for name, values in node.properties.items())
    return [(colour, move) for colour, move in found if colour is not None]


def _play(game: Game, node: Node, colour: int, move: str) -> None:
    if not game.over and game.state[rules.COLOUR] != colour:
        now = COLOURS[game.state[rules.COLOUR]]
        raise SgfError(node.where, f"a move of {COLOURS[colour]}, but {now} moves now")
    try:
        game.play(move)
    except IllegalMove as error:
        raise SgfError(node.where, str(error)) from None


def _annotate(game: Game, start: Node, line: list[Node]) -> None:
    """Give a game the comments, marks and variations that follow a node, the one from which its turns begin."""
    if not any(_notes(node) or len(node.children) > 1 for node in _below(start)):
        return
    at = game.tree.game()
    waiting = [(start, game.tree, at)]
    while waiting:
        node, turn, at = waiting.pop()
        _note(turn, node)
        for child in node.children:
            played = _continued(turn, at if child is node.children[-1] else at.copy(), child)
            if played:
                waiting.append((child, *played))


def _below(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        waiting += (node := waiting.pop()).children
        yield node


def _notes(node: Node) -> bool:
    return bool(node.comment) or any(name in node.properties for name, _ in MARKS.values())


def _note(turn: GameNode, node: Node) -> None:
    """Carry a comment and a mark over."""
    if node.comment:
        turn.comment = f"{turn.comment}\n{node.comment}" if turn.comment else node.comment
    for mark, (name, value) in MARKS.items():
        if turn.moves and name in node.properties and (node.value(name) == "2") == (value == "2"):
            turn.marks[next(iter(turn.moves))] = mark


def _continued(turn: GameNode, game: Game, node: Node) -> tuple[GameNode, Game] | None:
    """The turn and the game after a node; None if it sets up another position or cannot be played."""
    try:
        if _set_up(game, node) is not game:
            return None
        for colour, move in _moves(game, node):
            _play(game, node, colour, move)
            turn = turn._child(game.last)
    except SgfError:
        return None
    return turn, game


def _set_up(game: Game, node: Node) -> Game:
    """The game with a node's setup properties carried out: A1, A2, … add pieces, AE takes away, PL gives the turn."""
    added = [(name, _colour(game, name[1:])) for name in node.properties if name[:1] == "A"]
    adding = [(name, colour) for name, colour in added if colour is not None]
    if not adding and not {"AE", "PL"} & node.properties.keys():
        return game
    turn = _colour(game, node.value("PL") or "") if "PL" in node.properties else int(game.state[rules.COLOUR])
    if turn is None:
        raise SgfError(node.where, f"PL[{node.value('PL')}] names no colour")
    try:
        pieces = laid(game.state)
        for value in node.properties.get("AE", []):
            pieces = _without(pieces, _cells(game, value))
        game = arranged(game, pieces, turn)
        for name, colour in adding:
            for value in node.properties[name]:
                pieces.append((colour, fits(game.state, colour, _cells(game, value))))
                game = arranged(game, pieces, turn)
    except IllegalMove as error:
        raise SgfError(node.where, str(error)) from None
    return game


def _cells(game: Game, value: str) -> Cells:
    return parse(value, int(rules.side(game.state)))[1]


def _without(pieces: Pieces, cells: Cells) -> Pieces:
    kept = [(colour, action) for colour, action in pieces if cells_of(action) != cells]
    if len(kept) == len(pieces):
        raise IllegalMove(f"AE[{write_cells(cells)}]: no piece lies there")
    return kept


def arranged(game: Game, pieces: Pieces, turn: int) -> Game:
    """A game of the same kind that begins with these pieces on the board; a colour moves, or the next that can."""
    fresh = Game(game.book, game.variant.name, game.options)
    for colour, action in pieces:
        rules.put(fresh.state, colour, action)
    fresh.state[rules.LAST_COLOUR] = fresh.state[rules.LAST_ACTION] = rules.NONE  # set up, not played
    rules.give_turn(fresh.state, turn)
    return fresh


def _headers(root: Node, seats: int) -> dict[str, str]:
    names = {f"Seat{seat}": root.value(_player(seat, seats)) for seat in range(seats)} | {"Date": root.value("DT")}
    return {name: value for name, value in names.items() if value}


# ---- writing


def _player(seat: int, seats: int) -> str:
    """The property with a player's name."""
    return f"P{'BW'[seat]}" if seats == 2 else f"P{seat + 1}"


def _root_properties(game: Game) -> dict[str, list[str]]:
    known = game.variant.name in PENTOBI
    name = PENTOBI[game.variant.name if known else "classic"].title
    settled = {} if known else {"variant": game.variant.name}
    settled |= {"corners": "free"} if game.options.get("corners") == "free" else {}
    properties = {"GM": [name], "CA": ["UTF-8"]}
    if settled:
        properties["RU"] = [", ".join(f"{key}={value}" for key, value in settled.items())]
    for seat in range(game.seats):
        if game.headers.get(f"Seat{seat}", "?") != "?":
            properties[_player(seat, game.seats)] = [game.headers[f"Seat{seat}"]]
    if "Date" in game.headers:
        properties["DT"] = [game.headers["Date"]]
    return properties


def _annotated(game: Game, start: Game, root: Node) -> list[Node]:
    """Add all turns of a game and its variations below a root; return the nodes of the game itself."""
    line = game._line()
    made = {line[0]: root}
    waiting = [(line[0], start)]
    while waiting:
        turn, at = waiting.pop()
        node = made[turn]
        comment, marks = turn._notes()
        if comment:
            node.properties["C"] = [comment]
        for mark in marks.values():
            name, value = MARKS[mark]
            node.properties[name] = [value]
        for child in sorted(turn.variations, key=lambda child: child not in line):
            after = at.copy(tree=False)
            after.play(child.moves)
            done = after.effects()
            made[child] = Node({_colour_name(game, done["colour"]): [",".join(done["cells"])]})
            node.children.append(made[child])
            waiting.append((child, after))
    return [made[turn] for turn in line]


def _setup_properties(start: Game) -> dict[str, list[str]]:
    """How to come to a start position that is not the usual one."""
    properties: dict[str, list[str]] = {}
    for colour, action in laid(start.state):
        properties.setdefault("A" + _colour_name(start, colour), []).append(write_cells(cells_of(action)))
    if start.state[rules.COLOUR] or properties:
        properties["PL"] = [_colour_name(start, int(start.state[rules.COLOUR]))]
    return properties
