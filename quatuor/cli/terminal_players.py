"""The players of a game in the terminal: people at the keyboard, engines, random players."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import quatuor
from quatuor.game import Game
from quatuor.games.contract import IllegalMove, PositionError
from quatuor.kernel import below, seeded

if TYPE_CHECKING:
    from quatuor.engine.analysis import Row

HELP = (
    "[dim]Type a move, or[/] [b]?[/] [dim]for the moves,[/] [b]h[/] [dim]for a hint,[/] [b]u[/] [dim]to take back,[/] "
    "[b]s FILE[/] [dim]to save,[/] [b]q[/] [dim]to leave.[/]"
)
WORDS = {
    "quit": "q", "exit": "q", "undo": "u", "moves": "?", "hint": "h", "save": "s", "help": "help",
    "position": "position",
}  # fmt: skip
ALL_WORDS = (
    "[b]?[/] or [b]moves[/] lists the moves ([b]? TEXT[/]: those with TEXT in them), [b]h[/] or [b]hint[/] asks the "
    "engine, [b]u[/] or [b]undo[/] takes back, [b]s FILE[/] or [b]save FILE[/] writes the record, [b]position[/] "
    "shows the position as text, [b]q[/] or [b]quit[/] leaves."
)
SHOWN = 120  # moves listed at once
LEVEL = 4  # of an engine by default
HINT_SECONDS = 0.9
HINTS = 5


class Left(Exception):
    """A player has left the game."""


class TakenBack(Exception):
    """A player takes back the last turn."""


class Player(Protocol):
    kind: str
    name: str

    def choose(self, game: Game, seat: int, secret: bool) -> str:
        """The seat's move, as text."""


class Random:
    kind = "random"

    def __init__(self, seat: int, seed: int) -> None:
        self.name = f"Player {seat + 1} (random)"
        self._rng = seeded(seed)

    def choose(self, game: Game, seat: int, secret: bool) -> str:
        moves = game.legal(seat)
        return moves[below(self._rng, len(moves))]


class Engine:
    kind = "engine"

    def __init__(self, seat: int, level: int, console: Console, seed: int | None) -> None:
        self.name = f"Player {seat + 1} (engine, level {level})"
        self._engine = quatuor.engine(level=level, seed=seed)
        self._console = console

    def choose(self, game: Game, seat: int, secret: bool) -> str:
        with self._console.status(f"[dim]{self.name} is thinking[/]"):
            return self._engine.choose(game, seat)


class Human:
    """Asks at the keyboard until a move is legal; also takes the commands of HELP."""

    kind = "human"

    def __init__(self, seat: int, console: Console) -> None:
        self.name = f"Player {seat + 1}"
        self.console = console

    def choose(self, game: Game, seat: int, secret: bool) -> str:
        while True:
            hidden = " [dim](hidden while you type)[/]" if secret else ""
            text = self.console.input(f"[bold]{self.name}[/]{hidden} › ", password=secret).strip()
            word, _, rest = text.partition(" ")
            word = WORDS.get(word.lower(), word)
            if word == "help":
                self.console.print(f"Moves are written like [b]{escape(game.legal(seat)[0])}[/]. {ALL_WORDS}")
            elif word == "position":
                self.show_position(game)
            elif word == "q":
                raise Left
            elif word == "u":
                if game.ply:
                    raise TakenBack
                self.console.print("[yellow]There is nothing to take back.[/]")
            elif word == "?":
                self.list_moves(game, seat, rest.strip())
            elif word == "h":
                self.hint(game, seat)
            elif word == "s":
                self.save(game, rest.strip())
            elif text:
                try:
                    game.book.read(game.state, seat, text)
                except IllegalMove as error:
                    self.console.print(f"[red]{escape(str(error))}[/]")
                else:
                    return text

    def show_position(self, game: Game) -> None:
        """The position as text, if the game has one."""
        try:
            self.console.print(game.position, soft_wrap=True, markup=False, highlight=False)
        except PositionError as error:
            self.console.print(f"[yellow]{escape(str(error))}[/]")

    def list_moves(self, game: Game, seat: int, part: str) -> None:
        """The legal moves, those containing ``part`` if given."""
        moves = [move for move in game.legal(seat) if part in move]
        self.console.print(Columns([escape(move) for move in moves[:SHOWN]], padding=(0, 2)))
        if len(moves) > SHOWN:
            self.console.print(
                f"[dim]… {len(moves)} moves in all; [/][b]? TEXT[/][dim] shows those with TEXT in them.[/]"
            )
        elif not moves:
            self.console.print("[yellow]No move has that in it.[/]")

    def hint(self, game: Game, seat: int) -> None:
        """The best moves as a strong engine sees them, with the proven outcome where it is known."""
        with self.console.status("thinking"):
            found = quatuor.engine(seconds=HINT_SECONDS).analyse(game, seat)
        table = Table("move", "worth", "", box=None, padding=(0, 2), header_style="dim")
        for line in found["moves"][:HINTS]:
            table.add_row(f"[bold]{escape(line['move'])}[/]", f"{line['value']:+.2f}", verdict(line))
        self.console.print(table)
        if found["exact"]:
            self.console.print("[dim]  This is proven: no better play exists for either side.[/]")

    def save(self, game: Game, file: str) -> None:
        if not file:
            self.console.print("[yellow]Where to? Such as: s game.txt[/]")
            return
        try:
            Path(file).expanduser().write_text(game.record(), encoding="utf-8")
        except OSError as error:
            self.console.print(f"[red]{escape(file)}: {error.strerror}[/]")
        else:
            self.console.print(f"[green]Saved.[/] [dim]Look at it with:[/] quatuor show {escape(file)}")


def verdict(line: "Row") -> str:
    """What is proven about a move, or how often it was tried."""
    if line["outcome"]:
        far = f" in {line['distance']}" if line["distance"] is not None else ""
        colour = {"win": "green", "loss": "red"}.get(line["outcome"], "yellow")
        return f"[{colour}]{line['outcome']}{far}[/]"
    return f"[dim]{line['visits']:,} tries[/]" if line["visits"] else ""


def players(wanted: list[str], seats: int, console: Console, seed: int | None) -> list[Player]:
    """The players for the values of ``--seat``; by default you in the first seat, engines in the others."""
    if len(wanted) > seats:
        raise ValueError(f"--seat is given {len(wanted)} times, but there are {seats} seats")
    words = wanted or ["human"]
    words = words + ["engine"] * (seats - len(words))
    return [_player(word, seat, console, seed) for seat, word in enumerate(words)]


def _player(word: str, seat: int, console: Console, seed: int | None) -> Player:
    kind, _, level = word.partition(":")
    if kind == "human" and not level:
        return Human(seat, console)
    if kind == "random" and not level:
        return Random(seat, secrets.randbits(60) if seed is None else seed + seat)
    if kind == "engine" and (level or str(LEVEL)) in map(str, range(1, 9)):
        return Engine(seat, int(level or LEVEL), console, None if seed is None else seed + seat)
    raise ValueError(f"--seat {word!r}: choose human, engine, engine:1 to engine:8, or random")
