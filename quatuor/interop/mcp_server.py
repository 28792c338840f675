"""An MCP server: language models play, ask the engine, solve puzzles and read the rules. docs/mcp.md explains it.

No tool keeps anything: a game is the text of its record, which each tool takes and ``play`` returns. So the server
needs no sessions, and any number of them can share the work. With a server's address there are tools for its tables,
too (mcp_tables.py).
"""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

import quatuor
from quatuor import puzzles
from quatuor.engine.analysis import Row
from quatuor.game import Game
from quatuor.games import catalogue
from quatuor.interop import rule_texts
from quatuor.interop.mcp_tables import SHOWN_MOVES, ServerTables
from quatuor.interop.pictures import png
from quatuor.match.judge import decisions, judge, summary

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_SEARCH = 30.0  # seconds
MOST_UNITS = 5_000
INSTRUCTIONS = (
    "Board games: Plus 4, Blokus, Plateau X, 3/6. start_game gives a record; hand the newest record to every other "
    "tool. play takes your move and can have the engine answer. Read the rulebook:// resources first."
)


def explain_errors(tool: Callable[P, T]) -> Callable[P, T]:
    """Decorate a tool: an error in its arguments becomes a ToolError, whose text the model reads."""

    @functools.wraps(tool)
    def checked(*args: P.args, **named: P.kwargs) -> T:
        try:
            return tool(*args, **named)
        except (ValueError, TypeError, LookupError) as error:
            raise ToolError(str(error)) from None

    return checked


# ---- games


@explain_errors
def list_games() -> list[dict[str, Any]]:
    """List the games with their variants and options."""
    return [
        {
            "game": game["name"],
            "title": game["title"]["en"],
            "about": game["text"]["en"],
            "variants": {v["name"]: f"{v['text']['en']} ({v['seats']} seats)" for v in game["variants"]},
            "options": {o["name"]: {"default": o["default"], "about": o["text"]["en"]} for o in game["options"]},
            "puzzles": game["puzzles"],
        }
        for game in catalogue.games()
    ]


@explain_errors
def start_game(
    game: str, variant: str | None = None, options: dict[str, str] | None = None, position: str | None = None
) -> dict[str, Any]:
    """Start a game, at its beginning or at a position text. The answer's record is the game for all other tools."""
    return standing(quatuor.new(game, variant, position=position, **(options or {})))


@explain_errors
def show_board(record: str, picture: bool = True) -> list[str | Image]:
    """Show the position as text and, if wanted, as a picture."""
    game = quatuor.load(record)
    return [str(game), *([Image(data=png(game), format="png")] if picture else [])]


@explain_errors
def list_moves(record: str, seat: int | None = None, containing: str = "") -> dict[str, Any]:
    """List the legal moves of the seat to move, all or those whose text contains a given part."""
    game = quatuor.load(record)
    moves = [move for move in game.legal(acting(game, seat)) if containing in move]
    return {"count": len(moves), "moves": moves[:SHOWN_MOVES]}


@explain_errors
def try_moves(record: str, moves: list[str], seat: int | None = None) -> dict[str, str]:
    """Say of each move whether it is legal, and if not, why, without playing it."""
    game = quatuor.load(record)
    mover = acting(game, seat)
    return {move: _tried(game, mover, move) for move in moves}


@explain_errors
def play(record: str, move: str, seat: int | None = None, engine_level: int | None = None) -> dict[str, Any]:
    """Play a move. With engine_level (1 to 8) the engine then plays all other seats until it is your turn again.

    Where several seats act at once (3/6), the engine gives the others' orders, so engine_level is needed.
    """
    game = quatuor.load(record)
    mover = acting(game, seat)
    engine = quatuor.Engine(level=engine_level, seconds=LONGEST_SEARCH) if engine_level is not None else None
    others = [other for other in game.to_move if other != mover]
    if others and engine is None:
        raise ValueError(f"seats {', '.join(map(str, others))} act at the same time: give engine_level")
    began = game.ply
    game.play({mover: move} | {other: engine.choose(game, other) for other in others if engine})
    while engine and not game.over and mover not in game.to_move:
        game.play({other: engine.choose(game, other) for other in game.to_move})
    return standing(game) | {"played": [{str(s): text for s, text in turn.items()} for turn in game.moves[began:]]}


# ---- the engine


@explain_errors
def ask_engine(record: str, seconds: float = 1.0, lines: int = 3, seat: int | None = None) -> dict[str, Any]:
    """Ask the engine for the best moves, each with its value from -1 to 1 and the reason."""
    if not 0 < seconds <= LONGEST_SEARCH:
        raise ValueError(f"seconds={seconds}: choose more than 0 and at most {LONGEST_SEARCH:g}")
    game = quatuor.load(record)
    found = quatuor.Engine(seconds=seconds).analyse(game, acting(game, seat), lines=lines)
    return {
        "exact": found["exact"],
        "moves": [{"move": row["move"], "value": round(row["value"], 3), "why": reason(row)} for row in found["moves"]],
    }


@explain_errors
def analyse_record(record: str, units: int = 300) -> dict[str, Any]:
    """Judge every move of a game: the best move, and what was given away of a value from -1 to 1.

    It is exact where the position is solved or proven, elsewhere an estimate with its error.
    """
    if not 1 <= units <= MOST_UNITS:
        raise ValueError(f"units={units}: choose 1 to {MOST_UNITS}")
    game = quatuor.load(record)
    seats = tuple(f"seat {seat}" for seat in range(game.seats))
    judged = judge(game, seats, 0, decisions(game), units)
    rows = [
        {"ply": line["ply"], "seat": line["seat"], "move": line["move"], **(line["verdict"] or {})} for line in judged
    ]
    return {"moves": rows, "seats": {seat: summary(seat, judged) for seat in seats}}


# ---- puzzles and rules


@explain_errors
def solve_puzzle(puzzle: str, hard: bool = False, seed: int = 0) -> dict[str, str]:
    """Solve one of the solitaire puzzles of Blokus."""
    if puzzle not in puzzles.KINDS:
        raise ValueError(f"no puzzle {puzzle!r}; choose one of {', '.join(puzzles.KINDS)}")
    solution = puzzles.solve(puzzle, hard, seed)
    return {"board": plain(puzzles.text_board(solution)), "solution": solution.dump()}


@explain_errors
def read_clause(clause: str, language: str = "en") -> str:
    """Read one clause of a rulebook, such as P4-2; languages: en, fr, de."""
    return rule_texts.clause(clause, language)


def read_rulebook(game: str, language: str) -> str:
    """The rulebook of a game; languages: en, fr, de."""
    return rule_texts.rulebook(game, language)


# ---- what tools answer


def standing(game: Game) -> dict[str, Any]:
    """A game as plain data."""
    legal = {str(seat): game.legal(seat) for seat in game.to_move}
    return {
        "record": game.record(),
        "board": str(game),
        "to_move": list(game.to_move),
        "legal": {seat: moves[:SHOWN_MOVES] for seat, moves in legal.items()},
        "legal_count": {seat: len(moves) for seat, moves in legal.items()},
        "over": game.over,
        "scores": list(game.scores),
        "ranking": list(game.ranking) if game.over else None,
        "position": game.position if game.book.position else None,
    }


def acting(game: Game, seat: int | None) -> int:
    """The seat that is meant."""
    if game.over:
        raise ValueError("the game is over")
    if seat is None and len(game.to_move) == 1:
        return game.to_move[0]
    if seat not in game.to_move:
        raise ValueError(f"seat={seat}: choose one that acts now: {', '.join(map(str, game.to_move))}")
    return seat


def reason(row: Row) -> str:
    """Why the engine thinks so, in a sentence."""
    parts = []
    if row["outcome"]:
        parts.append(f"a proven {row['outcome']}" + (f" in {row['distance']} turns" if row["distance"] else ""))
    if row["score"] is not None:
        parts.append(f"{row['score']:.1f} points expected")
    if row["weight"] is not None:
        parts.append(f"played with probability {row['weight']:.0%}, gives away at most {row['regret'] or 0.0:.2f}")
    if row["visits"] is not None:
        parts.append(f"searched {row['visits']} times")
    if len(row["line"]) > 1:
        parts.append("expected to go on " + " ".join(row["line"][1:]))
    return "; ".join(parts)


def plain(markup: str) -> str:
    """A text without rich's markup."""
    from rich.text import Text

    return Text.from_markup(markup).plain


def _tried(game: Game, seat: int, move: str) -> str:
    try:
        game.book.read(game.state, seat, move)
    except ValueError as error:
        return str(error)
    return "legal"


TOOLS: tuple[Callable[..., Any], ...] = (
    list_games, start_game, list_moves, try_moves, play, ask_engine, analyse_record, solve_puzzle, read_clause,
)  # fmt: skip


def make_server(tables: ServerTables | None = None) -> MCPServer[Any]:
    """The server with its tools and resources, and tools for the ``tables`` of a game server."""
    server: MCPServer[Any] = MCPServer(
        "quatuor", title="Quatuor", instructions=INSTRUCTIONS, version=quatuor.__version__, log_level="WARNING"
    )
    for tool in TOOLS:
        server.add_tool(tool)
    server.add_tool(show_board, structured_output=False)
    if tables:
        at = (tables.open_table, tables.join_table, tables.see_table, tables.play_at_table, tables.resign_at_table)
        for tool in at:
            server.add_tool(tool)
    server.resource("rulebook://{game}/{language}", mime_type="text/markdown")(read_rulebook)
    for game in rule_texts.games():
        server.resource(f"rulebook://{game}/en", name=f"Rules of {game}", mime_type="text/markdown")(
            functools.partial(read_rulebook, game, "en")
        )
    return server


def main(host: str | None = None, port: int = 8765, tables: ServerTables | None = None) -> None:
    """Serve on standard input and output, or with a host by streamable HTTP at /mcp, without sessions."""
    server = make_server(tables)
    if host is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host=host, port=port, stateless_http=True, json_response=True)
