"""Read records."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from quatuor.game import Game, new
from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove
from quatuor.node import MARKS, GameNode
from quatuor.position import is_position, set_up
from quatuor.record.endings import TERMINATIONS, current
from quatuor.record_text import HEADER, lines_of

_TURN = re.compile(r"(\d+)\. (.+)")
_MARKED = re.compile(rf"(.+?)\s*({'|'.join(map(re.escape, sorted(MARKS, key=len, reverse=True)))})")
LONGEST = 1_000_000  # characters of one record
DEEPEST = 100  # variations inside variations
Source = str | bytes | os.PathLike[str]


class RecordError(ValueError):
    """A damaged record; the message begins with the line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def load(source: Source) -> Game:
    """The first game in a record: its text, its bytes, or the path of its file. A position as text begins a game there.

    >>> game = load('[Game "plus4"]\\n\\n1. a ; the corner')
    >>> game.node.comment
    'the corner'

    RecordError (a ValueError) names the line and the reason.
    """
    for game in load_all(source):
        return game
    raise RecordError(1, 'no [Game "…"] header')


def load_all(source: Source) -> Iterator[Game]:
    """Every game in a text, in bytes or in a file, one after the other.

    >>> text = '[Game "plus4"]\\n\\n1. a\\n\\n[Game "plus4"]\\n\\n1. b\\n'
    >>> [game.last[0] for game in load_all(text)]
    ['a', 'b']

    Raises:
        RecordError: The text is damaged; games before the damage have been yielded. It names the line.
    """
    text = _text(source)
    if is_position(text) and len(text.strip().splitlines()) == 1:
        yield _set_up(text)
        return
    for block in _blocks(text):
        yield _Reader(block).game()


def split(source: Source) -> list[str]:
    """The text of each game in a text, in bytes or in a file; nothing is played.

    Each text begins with an empty line for every line before its game, so that errors name the right line.
    """
    text = _text(source)
    blocks = list(_blocks(text))
    if len(blocks) < 2:
        return [text] if blocks else []
    return ["\n" * (block[0][0] - 1) + "\n".join(line for _, line in block) + "\n" for block in blocks]


def _set_up(text: str) -> Game:
    try:
        return set_up(Game, None, None, {}, text)
    except ValueError as error:
        raise RecordError(1, str(error)) from None


# ---- lines

Block = list[tuple[int, str]]  # the numbered lines of one game


def _text(source: Source) -> str:
    if isinstance(source, os.PathLike):
        source = Path(source).read_bytes()
    if isinstance(source, bytes | bytearray):
        try:
            source = bytes(source).decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(1, f"this is not UTF-8 text (byte {error.start + 1})") from None
    if not isinstance(source, str):
        raise TypeError(f"a record is text, bytes or a pathlib.Path, not {type(source).__name__}")
    if "\n" not in source and not source.lstrip().startswith("[") and Path(source[:200]).suffix == ".txt":
        raise RecordError(1, f"{source!r} is not a record; for the file of this name, give pathlib.Path({source!r})")
    return source.removeprefix("\ufeff")


def _blocks(text: str) -> Iterator[Block]:
    """The lines of each game. A ``Game`` header after a turn or a blank line begins the next one."""
    block: Block = []
    size, begun, paused = 0, False, False
    for number, line in enumerate(lines_of(text), 1):
        bare = line.strip()
        if bare.startswith('[Game "') and begun and paused:
            yield block
            block, size, begun = [], 0, False
        begun = begun or bare.startswith("[")
        paused = not bare.startswith("[")
        size += len(line) + 1
        if size > LONGEST:
            raise RecordError(number, f"a record has at most {LONGEST} characters, this has more")
        block.append((number, bare))
    if begun or any(bare for _, bare in block):
        yield block


# ---- one game


class _Reader:
    """Reads the lines of one game, from the first to the last."""

    def __init__(self, block: Block) -> None:
        self.lines = block
        self.headers: dict[str, str] = {}
        self.where: dict[str, int] = {}
        self.begun = False  # whether a turn has been read

    def game(self) -> Game:
        turns = [(number, line) for number, line in self.lines if line and not self._header(number, line)]
        for number, line in turns[:1] if "Game" not in self.headers else ():
            if not _TURN.fullmatch(line) and not line.startswith(";"):
                raise RecordError(number, f"{line!r} is not a move; expected '1. ' and the move")
        game = self._start()
        _Turns(game).read(turns)
        self._check_out(game)
        self._check_result(game)
        kept = {k: v for k, v in self.headers.items() if k not in ("Game", "Variant", "Options", "Position")}
        game.headers = kept
        if "Termination" in kept:
            game.headers["Termination"] = current(kept["Termination"])
        return game

    def _header(self, number: int, line: str) -> bool:
        """Read a header; False if the line is not a header."""
        if not line.startswith("["):
            self.begun = self.begun or not line.startswith(";")
            return False
        found = HEADER.fullmatch(line)
        if not found:
            raise RecordError(number, f'{line!r} is not a header; it looks like [Game "plus4"]')
        if self.begun:
            raise RecordError(number, "a header after the first move; headers come first")
        if found[1] in self.headers:
            raise RecordError(number, f"the header {found[1]} stands twice (first in line {self.where[found[1]]})")
        self.headers[found[1]], self.where[found[1]] = _unescape(found[2]), number
        return True

    def _start(self) -> Game:
        headers, where = self.headers, self.where
        if "Game" not in headers:
            raise RecordError(self.lines[0][0] if self.lines else 1, 'no [Game "…"] header')
        try:
            book = rulebook(headers["Game"])
        except ValueError as error:
            raise RecordError(where["Game"], str(error)) from None
        options = {}
        for part in filter(None, (p.strip() for p in headers.get("Options", "").split(","))):
            name, equals, value = part.partition("=")
            if not equals:
                raise RecordError(where["Options"], f"{part!r} is not an option; it looks like target=5")
            options[name.strip()] = value.strip()
        try:
            game = Game(book, headers.get("Variant"), options)
        except ValueError as error:
            raise RecordError(where.get("Options", where.get("Variant", where["Game"])), str(error)) from None
        if "Position" not in headers:
            return game
        try:
            return new(book.name, game.variant.name, position=headers["Position"], **game.options)
        except ValueError as error:
            raise RecordError(where["Position"], f"Position: {error}") from None

    def _check_out(self, game: Game) -> None:
        if "Out" not in self.headers:
            return
        out = self.headers["Out"].split(",")
        if not set(out) <= {str(seat) for seat in range(game.seats)} or len(set(out)) < len(out):
            why = f"Out {self.headers['Out']!r}: seats from 0 to {game.seats - 1}, such as 1 or 1,0"
            raise RecordError(self.where["Out"], why)

    def _check_result(self, game: Game) -> None:
        headers, where = self.headers, self.where
        result, ended = headers.get("Result"), headers.get("Termination")
        if ended is not None and current(ended) not in TERMINATIONS:
            raise RecordError(where["Termination"], f"Termination {ended!r}: choose one of {', '.join(TERMINATIONS)}")
        example = "-".join("1234"[: game.seats])
        if ended is not None and not game.over:
            if result is None:
                why = f'Termination without Result: add the places, [Result "{example}"]'
                raise RecordError(where["Termination"], why)
            if not _places(result, game.seats):
                raise RecordError(where["Result"], f"Result {result!r}: {game.seats} places such as {example}")
            return
        expected = "-".join(map(str, game.ranking)) if game.over else "*"
        if result is not None and result != expected:
            raise RecordError(where["Result"], f"Result {result!r}, but the moves give {expected!r}")


class _Turns:
    """Plays the turns of a record; comments, marks and variations make a tree."""

    def __init__(self, game: Game) -> None:
        self.game = game  # of the line that is being read
        self.outer: list[
            tuple[Game, int, int]
        ] = []  # the lines around it, where its parenthesis is, and where it began
        self.opened = 0  # the line of a parenthesis whose first turn has not come yet
        self.before: list[str] = []  # comments that wait for that turn

    def read(self, lines: Block) -> None:
        """Play every line; RecordError names the first that is wrong."""
        main = self.game
        for number, line in lines:
            bare, semicolon, comment = line.partition(";")
            bare = bare.strip()
            if bare == "(":
                self._open(number)
            elif bare == ")":
                self._close(number)
            elif bare:
                self._turn(number, bare)
            if semicolon:
                self._comment(comment.strip())
        if self.outer or self.opened:
            raise RecordError(self.opened or self.outer[-1][1], "this '(' is not closed by a line with ')'")
        self.game = main

    def _open(self, number: int) -> None:
        if self.opened:
            raise RecordError(number, "a variation begins with a turn, not with '('")
        if len(self.outer) >= DEEPEST:
            raise RecordError(number, f"more than {DEEPEST} variations inside each other")
        self.opened = number

    def _close(self, number: int) -> None:
        if self.opened:
            raise RecordError(number, "a variation without a turn")
        if not self.outer:
            raise RecordError(number, "')' without '('")
        self.game, _, _ = self.outer.pop()

    def _turn(self, number: int, text: str) -> None:
        found = _TURN.fullmatch(text)
        if self.opened and found:
            self._branch(number, int(found[1]))
        if not found or found[1] != str(self.game.ply + 1):
            raise RecordError(number, f"{text!r} is not a move; expected '{self.game.ply + 1}. ' and the move")
        self._play(number, found[2].strip())
        if self.before:
            self._comment("\n".join(self.before))
            self.before = []

    def _branch(self, number: int, ply: int) -> None:
        """Go back to the turn that a variation replaces."""
        began = self.outer[-1][2] if self.outer else 1
        if not began <= ply <= self.game.ply + 1:
            raise RecordError(
                number, f"a variation from turn {ply}; here it replaces turn {began} to {self.game.ply + 1}"
            )
        tree = self.game.tree  # made where the first variation is, and shared by all lines
        branch = self.game.copy(tree=False)
        node = self.game.node
        while branch.ply >= ply:
            branch.undo()
            assert node.parent is not None, "there is a node for each turn"
            node = node.parent
        branch._root, branch._node = tree, node
        self.outer.append((self.game, self.opened, ply))
        self.game, self.opened = branch, 0

    def _play(self, number: int, text: str) -> None:
        game = self.game
        acting = game.to_move
        if not acting:
            raise RecordError(number, "a move after the end of the game")
        moves = [move.strip() for move in text.split(" / ")]
        if len(moves) != len(acting):
            raise RecordError(number, f"{len(moves)} moves in a turn of {len(acting)}: {text!r}")
        marks = {}
        for i, (seat, move) in enumerate(zip(acting, moves, strict=True)):
            marked = _MARKED.fullmatch(move)
            if marked and move not in game.legal(seat):
                moves[i], marks[seat] = marked[1], marked[2]
        node, side_line = game._node, bool(self.outer)
        game._node = None  # the node is added here: in a variation it comes after its siblings
        try:
            game.play(dict(zip(acting, moves, strict=True)))
        except IllegalMove as error:
            raise RecordError(number, str(error)) from None
        if node is not None:
            game._node = node._child(game.last, first=not side_line)
        if marks:
            game.node.marks |= marks

    def _comment(self, text: str) -> None:
        """A comment belongs to the turn before it; at the start of a variation to the one after it."""
        if self.opened:
            self.before.append(text)
            return
        node: GameNode = self.game.node
        node.comment = f"{node.comment}\n{text}" if node.comment else text


def _places(result: str, seats: int) -> bool:
    """Whether a text gives the places of this many seats; ties share the better place."""
    if not re.fullmatch(r"[1-9](-[1-9])*", result):
        return False
    places = [int(place) for place in result.split("-")]
    return len(places) == seats and all(place == 1 + sum(other < place for other in places) for place in places)


def _unescape(value: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", value)
