"""The engine protocol: lines of text between a host and an engine, for every game, modelled on chess's UCI.

    quatuor                                 id name Quatuor 0.1.0 … option name Level … quatuorok
    position plus4:endless start moves a b
    go seconds 1                            info … value 0.12 pv c d, then bestmove c

docs/engine_protocol.md describes every line.
"""

import random
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import quatuor
from quatuor.engine.analysis import Row, Update
from quatuor.engine.levels import TOP
from quatuor.engine.player import Engine
from quatuor.engine.searches import MOST_THREADS
from quatuor.game import Game, new
from quatuor.match.protocol import ORDERS

Emit = Callable[[str], None]
FOREVER = 1e9  # seconds of ``go infinite``


class Option(NamedTuple):
    """A number that ``setoption`` sets."""

    default: int
    low: int
    high: int


OPTIONS = {"Level": Option(TOP, 1, TOP), "Threads": Option(1, 1, MOST_THREADS), "Seed": Option(0, 0, 2**53)}


class Session:
    """One conversation. ``emit`` writes a line; searches run in another thread, so that ``stop`` can be read."""

    def __init__(self, emit: Emit, level: int = TOP) -> None:
        self._emit = emit
        self._options = {name: option.default for name, option in OPTIONS.items()} | {"Level": level}
        self._game: Game = new("plus4")
        self._engine: tuple[dict[str, Any], Engine] | None = None
        self._search: threading.Thread | None = None
        self._stopping = threading.Event()
        self._searching = self.done = False

    def read(self, line: str) -> None:
        """Carry out one line. A mistake is answered by a line ``error …``."""
        words = line.split()
        if not words:
            return
        command = COMMANDS.get(words[0])
        try:
            if command is None:
                raise ValueError(f"unknown command {words[0]!r}; commands: {', '.join(COMMANDS)}")
            if self._searching and words[0] not in ("stop", "isready", "quit"):
                raise ValueError(f"{words[0]} while searching: send stop, and wait for bestmove")
            command(self, words[1:])
        except ValueError as error:
            self._emit(f"error {' '.join(str(error).split())}")

    # ---- commands

    def identify(self, _: list[str]) -> None:
        self._emit(f"id name Quatuor {quatuor.__version__}")
        for name, (default, low, high) in OPTIONS.items():
            shown = self._options["Level"] if name == "Level" else default
            self._emit(f"option name {name} type spin default {shown} min {low} max {high}")
        self._emit("quatuorok")

    def ready(self, _: list[str]) -> None:
        self._emit("readyok")

    def set_option(self, words: list[str]) -> None:
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise ValueError("usage: setoption name NAME value NUMBER")
        name, value = words[1], words[3]
        if name not in OPTIONS:
            raise ValueError(f"no option {name!r}; options: {', '.join(OPTIONS)}")
        _, low, high = OPTIONS[name]
        if not value.isdecimal() or not low <= int(value) <= high:
            raise ValueError(f"{name} is a whole number from {low} to {high}")
        self._options[name] = int(value)

    def new_game(self, _: list[str]) -> None:
        self._engine = None

    def position(self, words: list[str]) -> None:
        fields, _, turns = " ".join(words).partition(" moves ")
        game = _set_up(fields.split())
        for turn in turns.split():
            game.play(_orders(game, turn))
        self._game = game

    def go(self, words: list[str]) -> None:
        wanted = _limits(words)
        game = self._game.copy(tree=False)
        seat = wanted.pop("seat", game.to_move[0] if len(game.to_move) == 1 else None)
        if seat not in game.to_move:
            acting = ", ".join(map(str, game.to_move)) or "nobody, the game is over"
            raise ValueError(f"go seat N: seats to move: {acting}")
        moves, lines = wanted.pop("searchmoves", None), wanted.pop("lines", None)
        if moves is not None and not set(moves) <= set(game.legal(seat)):
            raise ValueError("searchmoves: one of them is not legal")
        engine = self._engine_for(wanted)
        limited = bool(wanted) or lines is not None
        self._stopping.clear()
        self._searching = True
        self._search = threading.Thread(target=self._answer, args=(engine, game, seat, moves, lines, limited))
        self._search.start()

    def stop(self, _: list[str]) -> None:
        self._stopping.set()
        if self._engine:
            self._engine[1].stop()

    def show(self, _: list[str]) -> None:
        for line in str(self._game).splitlines():
            self._emit(f"info string {line}".rstrip())

    def quit(self, _: list[str]) -> None:
        self.stop([])
        self.done = True

    def wait(self) -> None:
        """Until the search under way has answered."""
        if self._search:
            self._search.join()

    # ---- inside

    def _engine_for(self, limits: dict[str, Any]) -> Engine:
        """An engine with these limits: the last one, with its search tree, if they have not changed."""
        settings = {name.lower(): value for name, value in self._options.items()} | limits
        settings["seed"] = settings["seed"] or None
        if self._engine is None or self._engine[0] != settings:
            self._engine = settings, Engine(**settings)
        return self._engine[1]

    def _answer(
        self, engine: Engine, game: Game, seat: int, moves: list[str] | None, lines: int | None, limited: bool
    ) -> None:
        try:
            if limited:
                answer = f"bestmove {self._analysed(engine, game, seat, moves, lines)}"
            else:  # as the level plays
                answer = f"bestmove {engine.choose(game, seat, moves=moves)}"
        except Exception as error:
            answer = f"error {type(error).__name__}: {' '.join(str(error).split())}"
        self._searching = False  # the host may go on as soon as it reads the answer
        self._emit(answer)

    def _analysed(self, engine: Engine, game: Game, seat: int, moves: list[str] | None, lines: int | None) -> str:
        for update in engine.analysis(game, seat, moves=moves):
            for number, row in enumerate(update["moves"][: lines or 1], 1):
                self._emit(_info(update, row, number))
            if self._stopping.is_set():
                break
        return _drawn(update["moves"])


COMMANDS: dict[str, Callable[[Session, list[str]], None]] = {
    "quatuor": Session.identify,
    "isready": Session.ready,
    "setoption": Session.set_option,
    "newgame": Session.new_game,
    "position": Session.position,
    "go": Session.go,
    "stop": Session.stop,
    "show": Session.show,
    "quit": Session.quit,
}


def serve(lines: Iterable[str], emit: Emit, level: int = TOP) -> None:
    """Read lines until ``quit`` or the end of the input; then wait for the last answer."""
    session = Session(emit, level)
    for line in lines:
        session.read(line)
        if session.done:
            break
    session.wait()


def main(level: int = TOP) -> None:
    """Speak on standard input and output."""
    serve(sys.stdin, lambda line: print(line, flush=True), level)


def _set_up(words: list[str]) -> Game:
    """The game that ``GAME:VARIANT[,OPTION=VALUE…] start`` or a position text names."""
    if len(words) == 2 and words[1] == "start":
        name, _, rest = words[0].partition(":")
        variant, *options = rest.split(",")
        pairs = [option.partition("=") for option in options]
        return new(name, variant or None, **{key: value for key, _, value in pairs})
    if not words:
        raise ValueError("usage: position GAME:VARIANT start|FIELDS… [moves TURN…]")
    return new(position=" ".join(words))


def _orders(game: Game, turn: str) -> dict[int, str]:
    """The moves of one turn by seat."""
    moves = [turn] if len(game.to_move) == 1 else turn.split(ORDERS)
    if len(moves) != len(game.to_move):
        raise ValueError(
            f"turn {turn!r}: seats {', '.join(map(str, game.to_move))} act; join their moves with {ORDERS}"
        )
    return dict(zip(sorted(game.to_move), moves, strict=True))


def _limits(words: list[str]) -> dict[str, Any]:
    """What ``go`` asks for."""
    found: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            found |= {"seconds": FOREVER, "units": 2**53}
        elif word == "searchmoves":
            found["searchmoves"] = list(rest)
        elif word in ("seat", "units", "seconds", "lines"):
            value = next(rest, "")
            try:
                found[word] = float(value) if word == "seconds" else int(value)
            except ValueError:
                raise ValueError(f"go {word} {value}: give a number") from None
            if found[word] < (0 if word == "seat" else 1e-9):
                raise ValueError(f"go {word} {value}: give a number above 0")
        else:
            raise ValueError(f"go {word}: use seat, units, seconds, infinite, lines, searchmoves")
    return found


def _info(update: Update, row: Row, number: int) -> str:
    facts = [f"info units {update['units']} seconds {update['seconds']:.3f} multipv {number} value {row['value']:.4f}"]
    for name in ("outcome", "distance", "score", "weight"):
        if row[name] is not None:
            value = row[name]
            facts.append(f"{name} {value:.4f}" if isinstance(value, float) else f"{name} {value}")
    return " ".join([*facts, "pv", *row["line"]])


def _drawn(rows: list[Row]) -> str:
    """The best move; where seats act at once, one drawn from the mix."""
    if rows[0]["weight"] is None:
        return rows[0]["move"]
    return random.choices(rows, [row["weight"] or 0.0 for row in rows])[0]["move"]
