"""A program that speaks the Go Text Protocol about Blokus, as a player (the dialect: quatuor/interop/gtp.py)."""

from quatuor.game import Game, new
from quatuor.games.blokus import PENTOBI, rules
from quatuor.match.process import Failed, LineProcess


def plays(game: Game) -> bool:
    """Whether the protocol has a name for this game."""
    return game.name == "blokus" and game.variant.name in PENTOBI and game.options.get("corners") != "free"


class Program:
    """One program for one game. In its command line, ``{seed}`` and ``{variant}`` are filled in."""

    def __init__(self, command: str, seed: int) -> None:
        self._command, self._seed = command, seed
        self._process: LineProcess | None = None
        self._sent: Game | None = None  # the game as the program knows it
        self._before = 0.0  # processor time of starting it

    @property
    def cpu(self) -> float:
        """Processor time since the game began; 0 where the system does not report it."""
        return max(0.0, self._process.cpu - self._before) if self._process else 0.0

    def choose(self, game: Game, seat: int) -> str:
        if self._sent is None:
            self._sent = self._start(game)
        for turn in game.moves[self._sent.ply :]:
            (move,) = turn.values()
            self._ask(f"play {_colour(self._sent)} {move}")
            self._sent.play(move)
        move = self._ask(f"genmove {_colour(self._sent)}").lower()
        try:
            action = game.book.read(game.state, seat, move)
        except ValueError as error:
            raise Failed(f"{move!r}: {error}") from None
        move = game.book.write(game.state, seat, action)
        self._sent.play(move)
        return move

    def close(self) -> None:
        if self._process is not None:
            self._process.close()

    # ---- inside

    def _start(self, game: Game) -> Game:
        name = PENTOBI[game.variant.name]
        command = self._command.replace("{seed}", str(self._seed)).replace("{variant}", name.short)
        self._process = LineProcess(command)
        self._ask(f"set_game {name.title}")
        self._ask("clear_board")
        self._before = self._process.cpu
        return new("blokus", game.variant.name)

    def _ask(self, command: str) -> str:
        assert self._process is not None
        self._process.write(command)
        answer: list[str] = []
        while True:
            line = self._process.read(command)
            if line:
                answer.append(line)
            elif answer:
                break
        mark, _, text = answer[0].partition(" ")
        if not mark.startswith("="):
            raise Failed(f"{command!r} is answered by {' '.join(answer)!r}")
        return "\n".join([text, *answer[1:]]).strip()


def _colour(game: Game) -> str:
    colour = int(game.state[rules.COLOUR])
    return "bw"[colour] if game.variant.name == "duo" else str(colour + 1)
