"""A program that speaks the Go Text Protocol about Blokus, as a player (the dialect: quatuor/interop/gtp.py)."""

import os
import queue
import shlex
import subprocess
import threading
from pathlib import Path

from quatuor.game import Game, new
from quatuor.games.blokus import PENTOBI, rules

PATIENCE = 900.0  # seconds for an answer


class Failed(Exception):
    """The program has answered wrongly, or not at all."""


def plays(game: Game) -> bool:
    """Whether the protocol has a name for this game."""
    return game.name == "blokus" and game.variant.name in PENTOBI and game.options.get("corners") != "free"


class Program:
    """One program for one game. In its command line, ``{seed}`` and ``{variant}`` are filled in."""

    def __init__(self, command: str, seed: int) -> None:
        self._command, self._seed = command, seed
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._told: Game | None = None  # the game as the program knows it
        self._before = 0.0  # processor time of starting it

    @property
    def cpu(self) -> float:
        """Processor time since the game began; 0 where the system does not tell."""
        return max(0.0, self._used() - self._before)

    def choose(self, game: Game, seat: int) -> str:
        if self._told is None:
            self._told = self._start(game)
        for turn in game.moves[self._told.ply :]:
            (move,) = turn.values()
            self._ask(f"play {_colour(self._told)} {move}")
            self._told.play(move)
        move = self._ask(f"genmove {_colour(self._told)}").lower()
        try:
            action = game.book.read(game.state, seat, move)
        except ValueError as error:
            raise Failed(f"{move!r}: {error}") from None
        move = game.book.write(game.state, seat, action)
        self._told.play(move)
        return move

    def close(self) -> None:
        if self._process is None:
            return
        try:
            self._process.communicate("quit\n", timeout=2)
        except (subprocess.TimeoutExpired, OSError, ValueError):
            self._process.kill()
            self._process.wait()

    # ---- inside

    def _start(self, game: Game) -> Game:
        name = PENTOBI[game.variant.name]
        command = self._command.replace("{seed}", str(self._seed)).replace("{variant}", name.short)
        self._process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        threading.Thread(target=self._read, daemon=True).start()
        self._ask(f"set_game {name.title}")
        self._ask("clear_board")
        self._before = self._used()
        return new("blokus", game.variant.name)

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def _ask(self, command: str) -> str:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except OSError:
            raise Failed(f"it has ended before {command!r}") from None
        answer: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise Failed(f"no answer to {command!r} for {PATIENCE:.0f} s") from None
            if line is None:
                raise Failed(f"it has ended at {command!r}")
            if line:
                answer.append(line)
            elif answer:
                break
        mark, _, text = answer[0].partition(" ")
        if not mark.startswith("="):
            raise Failed(f"{command!r} is answered by {' '.join(answer)!r}")
        return "\n".join([text, *answer[1:]]).strip()

    def _used(self) -> float:
        try:
            stat = Path(f"/proc/{self._process.pid if self._process else 0}/stat").read_text()
        except OSError:
            return 0.0
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _colour(game: Game) -> str:
    colour = int(game.state[rules.COLOUR])
    return "bw"[colour] if game.variant.name == "duo" else str(colour + 1)
