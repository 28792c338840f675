"""A program that speaks the engine protocol (docs/engine_protocol.md) as a player, and how turns are written there."""

import re

from quatuor.game import Game
from quatuor.games.contract import PositionError
from quatuor.match.process import Failed, LineProcess

ORDERS = "|"  # between the orders of seats that act at once
LIMITS = ("seconds", "units")  # settings that go with ``go``; the others are options of the program
_SPEC = re.compile(r"engine((?:,[A-Za-z]\w*=[^,:]+)*):(.+)")


def parse(spec: str) -> tuple[dict[str, str], str]:
    """The settings and the command line of ``engine,seconds=1,Level=3:COMMAND LINE``."""
    found = _SPEC.fullmatch(spec)
    if not found:
        raise ValueError(f"{spec!r}: write engine:COMMAND LINE, or engine,seconds=1,OPTION=VALUE:COMMAND LINE")
    settings = dict(part.split("=", 1) for part in found[1].split(",")[1:])
    for name in LIMITS:
        if not re.fullmatch(r"\d+(\.\d+)?" if name == "seconds" else r"\d+", settings.get(name, "1")):
            raise ValueError(f"{name}={settings[name]} in {spec!r} is not a number")
    return settings, found[2]


def start_text(game: Game) -> str:
    """The position in which a game began, as ``position`` takes it."""
    first = game.copy(tree=False)
    while first.ply:
        first.undo()
    try:
        return first.position
    except PositionError:  # a user's own game, without a text form of its positions
        options = "".join(f",{name}={'none' if value is None else value}" for name, value in game.options.items())
        return f"{game.name}:{game.variant.name}{options} start"


def turn_text(turn: dict[int, str]) -> str:
    """A turn as one word: the moves of the seats that acted, in the order of seats."""
    return ORDERS.join(turn[seat] for seat in sorted(turn))


class ProtocolPlayer:
    """One program for one game. In its command line, ``{seed}`` is filled in."""

    def __init__(self, spec: str, seed: int) -> None:
        settings, command = parse(spec)
        self._command, self._seed = command.replace("{seed}", str(seed)), seed
        self._limit = "".join(f" {name} {settings.pop(name)}" for name in LIMITS if name in settings)
        self._options = settings
        self._process: LineProcess | None = None
        self._start = ""
        self._before = 0.0  # processor time of starting it

    @property
    def cpu(self) -> float:
        """Processor time since the game began; 0 where the system does not report it."""
        return max(0.0, self._process.cpu - self._before) if self._process else 0.0

    def choose(self, game: Game, seat: int) -> str:
        process = self._process or self._launch(game)
        moves = "".join(f" {turn_text(turn)}" for turn in game.moves)
        process.write(f"position {self._start}" + (f" moves{moves}" if moves else ""))
        go = f"go seat {seat}{self._limit}"
        process.write(go)
        move = self._until("bestmove", go)
        if not move:
            raise Failed(f"{go!r} is answered by a bestmove without a move")
        return move.split()[0]

    def close(self) -> None:
        if self._process is not None:
            self._process.close()

    def _launch(self, game: Game) -> LineProcess:
        process = self._process = LineProcess(self._command)
        process.write("quatuor")
        self._until("quatuorok", "quatuor")
        for name, value in self._options.items():
            process.write(f"setoption name {name} value {value}")
        process.write("newgame")
        process.write("isready")
        self._until("readyok", "isready")
        self._start = start_text(game)
        self._before = process.cpu
        return process

    def _until(self, wanted: str, asked: str) -> str:
        """The rest of the first line that begins with the wanted word."""
        assert self._process is not None
        while True:
            first, _, rest = self._process.read(asked).partition(" ")
            if first == wanted:
                return rest
            if first == "error":
                raise Failed(f"{asked!r} is answered by 'error {rest}'")
