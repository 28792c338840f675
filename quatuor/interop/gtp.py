"""The Go Text Protocol in the dialect of the Blokus program Pentobi, so that its tools and ours work together.

    set_game Blokus Duo        genmove b        play w i4,h5,i5,j5,i6        final_score

Colours are 1 to 4, in duo b and w. As there, a colour may play out of turn, a colour that can place no piece answers
``genmove`` with ``pass``, and passes are never played. Scores count the squares placed: 89 more than BK-7 a colour.
"""

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TextIO

import quatuor
from quatuor.game import Game, new
from quatuor.games.blokus import PENTOBI, rules
from quatuor.games.blokus.tables import SQUARES
from quatuor.interop import sgf

GAMES = {name.short: name.title for name in PENTOBI.values()}
COLOURS = {"1": 0, "blue": 0, "2": 1, "yellow": 1, "3": 2, "red": 2, "4": 3, "green": 3}
DUO_COLOURS = {"b": 0, "black": 0, "blue": 0, "w": 1, "white": 1, "green": 1}
ALL_SQUARES = int(SQUARES.sum())  # of one colour


class Chooser(Protocol):
    """What answers ``genmove``, such as the engine."""

    def choose(self, game: Game) -> str: ...


class Session:
    """One conversation: a game, its past, and who chooses moves."""

    def __init__(self, game: str, chooser: Chooser) -> None:
        if game not in GAMES:
            raise ValueError(f"no game {game!r}; choose one of {', '.join(GAMES)}")
        self.chooser = chooser
        self.done = False
        self.game, self.past = new("blokus", sgf.VARIANTS[GAMES[game]]), list[Game]()

    def answer(self, line: str) -> str:
        """The whole answer to a line; nothing if it asks nothing."""
        words = line.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return ""
        name, *arguments = words
        try:
            if name not in COMMANDS:
                raise ValueError("unknown command")
            command, usage = COMMANDS[name]
            if len(arguments) != len(usage.split()) and not usage.endswith("…"):
                raise ValueError(f"usage: {name} {usage}".strip())
            return f"={number} {command(self, *arguments)}".rstrip() + "\n\n"
        except (ValueError, OSError) as error:
            return f"?{number} {' '.join(str(error).split())}\n\n"

    # ---- the protocol

    def quit(self) -> str:
        self.done = True
        return ""

    # ---- the game

    def set_game(self, *words: str) -> str:
        name = " ".join(words)
        if name not in sgf.VARIANTS:
            raise ValueError(f"no game {name!r}; choose one of {', '.join(sgf.VARIANTS)}")
        self.game, self.past = new("blokus", sgf.VARIANTS[name]), []
        return ""

    def clear_board(self) -> str:
        self.game, self.past = new("blokus", self.game.variant.name), []
        return ""

    def load(self, file: str) -> str:
        self.game, self.past = sgf.read(Path(file).read_text(encoding="utf-8")).game(), []
        return ""

    def play(self, colour: str, move: str) -> str:
        if move.lower() == "pass":
            raise ValueError("a pass is not played: a colour that can place no piece is skipped")
        asked = self._asked(colour)
        if asked is None:
            raise ValueError(f"colour {colour} can place no piece any more")
        asked.play(move)
        self.past.append(self.game)
        self.game = asked
        return ""

    def play_next(self, move: str) -> str:
        return self.play(self._next(), move)

    def genmove(self, colour: str) -> str:
        move = self.reg_genmove(colour)
        if move != "pass":
            self.play(colour, move)
        return move

    def genmove_next(self) -> str:
        return self.genmove(self._next())

    def reg_genmove(self, colour: str) -> str:
        asked = self._asked(colour)
        return "pass" if asked is None else self.chooser.choose(asked)

    def undo(self) -> str:
        if not self.past:
            raise ValueError("cannot undo: no move has been played")
        self.game = self.past.pop()
        return ""

    def all_legal(self, colour: str) -> str:
        asked = self._asked(colour)
        return "" if asked is None else "\n".join(asked.legal())

    def final_score(self) -> str:
        """Two players: who leads by how much, ``B+3``, ``W+1``, ``0``; else the points of every colour."""
        state = self.game.state
        if self.game.seats > 2:
            return " ".join(str(rules.score(state, colour) + ALL_SQUARES) for colour in range(4))
        first, second = self.game.scores
        return "0" if first == second else f"B+{first - second}" if first > second else f"W+{second - first}"

    def showboard(self) -> str:
        return f"\n{self.game}"

    # ---- inside

    def _asked(self, name: str) -> Game | None:
        """The game with a colour to move, in turn or not; None if it can place no piece."""
        names = DUO_COLOURS if self.game.variant.name == "duo" else COLOURS
        if name.lower() not in names:
            raise ValueError(f"no colour {name!r}; choose one of {', '.join(names)}")
        colour, asked = names[name.lower()], self.game.copy()
        if asked.over:
            return None
        if asked.state[rules.COLOUR] != colour:
            rules.give_turn(asked.state, colour)
        return asked if asked.state[rules.COLOUR] == colour else None

    def _next(self) -> str:
        """The name of the colour to move."""
        colour = int(self.game.state[rules.COLOUR])
        return "bw"[colour] if self.game.variant.name == "duo" else str(colour + 1)


COMMANDS: dict[str, tuple[Callable[..., str], str]] = {
    "all_legal": (Session.all_legal, "COLOUR"),
    "clear_board": (Session.clear_board, ""),
    "cputime": (lambda session: f"{time.process_time():.3f}", ""),
    "final_score": (Session.final_score, ""),
    "g": (Session.genmove_next, ""),
    "genmove": (Session.genmove, "COLOUR"),
    "known_command": (lambda session, name: "true" if name in COMMANDS else "false", "NAME"),
    "list_commands": (lambda session: "\n".join(COMMANDS), ""),
    "loadsgf": (Session.load, "FILE"),
    "name": (lambda session: "Quatuor", ""),
    "p": (Session.play_next, "MOVE"),
    "play": (Session.play, "COLOUR MOVE"),
    "protocol_version": (lambda session: "2", ""),
    "quit": (Session.quit, ""),
    "reg_genmove": (Session.reg_genmove, "COLOUR"),
    "set_game": (Session.set_game, "NAME…"),
    "showboard": (Session.showboard, ""),
    "undo": (Session.undo, ""),
    "version": (lambda session: quatuor.__version__, ""),
}


def serve(lines: Iterable[str], output: TextIO, game: str, chooser: Chooser) -> None:
    """Answer commands line by line until ``quit`` or the end of the input."""
    session = Session(game, chooser)
    for line in lines:
        output.write(session.answer(line))
        output.flush()
        if session.done:
            return


def main(game: str, chooser: Chooser) -> None:
    """Speak on standard input and output."""
    serve(sys.stdin, sys.stdout, game, chooser)
