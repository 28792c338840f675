"""A referee between two programs that speak GTP. It trusts neither: it checks moves by the oracle, and sends what one
program plays to the other.
"""

import queue
import subprocess
import threading
from dataclasses import dataclass, field

from tests.oracle.blokus import COLOURS, Naive

VARIANTS = {  # the name in GTP: the oracle's variant, the names of the colours
    "Blokus": ("classic", "1234"),
    "Blokus Two-Player": ("two", "1234"),
    "Blokus Three-Player": ("three", "1234"),
    "Blokus Duo": ("duo", "bw"),
}


class Fault(Exception):
    """A program broke the protocol or the rules."""


class Program:
    """A child process that speaks GTP."""

    def __init__(self, command: list[str], patience: float = 60) -> None:
        self.patience = patience
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def _line(self, command: str) -> str:
        try:
            line = self.lines.get(timeout=self.patience)
        except queue.Empty:
            raise Fault(f"no answer to {command!r}") from None
        if line is None:
            raise Fault(f"the program ended at {command!r}")
        return line

    def ask(self, command: str) -> str:
        """The answer to a command; Fault if it is an error."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = [self._line(command)]
        while line := self._line(command):
            answer.append(line)
        if answer[0][:1] != "=":
            raise Fault(f"{command!r} was answered by {answer[0]!r}")
        return "\n".join([answer[0][1:].strip(), *answer[1:]]).strip()

    def close(self) -> int:
        """Send ``quit``; return the exit status."""
        try:
            self.ask("quit")
            return self.process.wait(self.patience)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()


@dataclass
class Result:
    moves: list[tuple[str, str]] = field(default_factory=list)  # (colour, cells)
    points: list[int] = field(default_factory=list)  # of every colour, squares placed and bonuses
    finals: list[str] = field(default_factory=list)  # the result that each program reports


def match(name: str, programs: tuple[Program, Program], first: int = 0) -> Result:
    """One game; ``programs[first]`` has the first seat and every second one after it."""
    variant, colours = VARIANTS[name]
    judge, result = Naive(variant, {"corners": "fixed"}), Result()
    for program in programs:
        program.ask(f"set_game {name}")
        program.ask("clear_board")
    while not judge.over:
        colour, (seat,) = colours[COLOURS.index(judge.colour)], judge.to_move
        mover = programs[(first + seat) % 2]
        move = mover.ask(f"genmove {colour}")
        if move not in judge.legal(seat):
            raise Fault(f"colour {colour} played {move!r}")
        for program in programs:
            if program is not mover:
                program.ask(f"play {colour} {move}")
        judge.play({seat: move})
        result.moves.append((colour, move))
    result.points = [judge.colour_score(colour) + 89 for colour in judge.colours]
    result.finals = [program.ask("final_score") for program in programs]
    for program in programs:
        for colour in colours:
            if program.ask(f"genmove {colour}") != "pass" or program.ask(f"all_legal {colour}"):
                raise Fault(f"the game is over, but a program finds a move for colour {colour}")
    return result
