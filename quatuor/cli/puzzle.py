"""``quatuor puzzle``: the solitaire puzzles of Blokus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quatuor.cli.common import Json, read_text, to_write, working

if TYPE_CHECKING:
    from quatuor.puzzles import Challenge, Position

puzzle = typer.Typer(
    name="puzzle",
    help="Solitaire puzzles: solve, check, hint, and new ones every day.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Name = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="[b]all84[/b], [b]tetro20[/b], [b]pento48[/b], tetro10 or pento12.")
]
Hard = Annotated[bool, typer.Option("--hard", help="The hard form: colours apart, or pieces by decreasing size.")]
Seed = Annotated[int, typer.Option(help="Another seed gives another puzzle.")]
Svg = Annotated[Path | None, typer.Option(metavar="OUT", help="Write a picture.", callback=to_write)]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A puzzle as --json writes it; - for standard input.")]
Rows = Annotated[int | None, typer.Option(help="Of a small puzzle, where there is a choice.")]
Difficulty = Annotated[str, typer.Option("--difficulty", "-d", help="easy, medium or expert.")]
Seconds = Annotated[float, typer.Option(min=0.1, max=3600, help="How long to search.")]


@puzzle.command()
def solve(
    name: Name, hard: Hard = False, seed: Seed = 0, rows: Rows = None, svg: Svg = None, json: Json = False
) -> None:
    """Solve a puzzle."""
    from quatuor.puzzles import solve

    with working("Searching"):
        solution = solve(name, hard, seed, *_board(name, rows))
    _show(solution, svg, json)


@puzzle.command()
def new(
    name: Name,
    difficulty: Difficulty = "easy",
    hard: Hard = False,
    seed: Annotated[int | None, typer.Option(help="The same seed, the same puzzle; else chance decides.")] = None,
    rows: Rows = None,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Make a partly filled puzzle that has a solution."""
    import secrets

    from quatuor.puzzles import new

    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    with working("Searching"):
        challenge = new(name, difficulty, chosen, hard, *_board(name, rows))
    _task(challenge, f"seed {chosen}", svg, json)


@puzzle.command()
def daily(
    date: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Another day than today.")] = None,
    difficulty: Difficulty = "medium",
    svg: Svg = None,
    json: Json = False,
) -> None:
    """The puzzle of the day: the same for everyone, without a network."""
    from datetime import date as Day

    from quatuor.puzzles import daily

    try:
        day = Day.fromisoformat(date) if date else Day.today()
    except ValueError:
        raise ValueError(f"--date {date!r}: write YYYY-MM-DD, such as 2026-11-15") from None
    with working("Searching"):
        challenge = daily(day, difficulty)
    _task(challenge, day.isoformat(), svg, json)


@puzzle.command()
def check(file: File, json: Json = False) -> None:
    """Check a solution or an unfinished one; exit code 1 if a rule is broken."""
    import json as writer

    from rich.console import Console

    from quatuor.puzzles import check

    position = _read(file)
    report = check(position)
    if json:
        print(writer.dumps(report.data(), indent=2))
    else:
        console = Console()
        console.print(_board_panel(position))
        for fault in report.faults:
            console.print(f"[red]{fault.text}[/] [dim]({fault.rule})[/]", highlight=False)
        if report.solved:
            console.print("[green]Solved: every piece is placed, every rule is kept.[/]")
        elif report.legal:
            console.print(f"All rules are kept so far; {len(report.left)} pieces are still to place.")
    raise typer.Exit(0 if report.legal else 1)


@puzzle.command()
def hint(file: File, seconds: Seconds = 10, json: Json = False) -> None:
    """Name one piece of a solution; exit code 1 if there is no solution or none was found."""
    import json as writer

    from rich.console import Console

    from quatuor.puzzles import hint

    position = _read(file)
    with working("Searching"):
        piece, answer = hint(position, seconds)
    if json:
        report = {
            "piece": piece and piece.data(),
            "answer": answer.value,
            "faults": [fault.data() for fault in answer.faults],
        }
        print(writer.dumps(report, indent=2))
    elif piece:
        Console().print(_board_panel(position.plus([piece])))
        print(f"{piece} belongs there.")
    elif answer.value == "yes":
        print("Nothing is missing: the puzzle is solved.")
    else:
        print("This cannot be completed: take something back." if answer.value == "no" else "No completion was found.")
        for fault in answer.faults:
            print(fault.text)
    raise typer.Exit(0 if answer.value == "yes" else 1)


# ---- shared


def _board(name: str, rows: int | None) -> tuple[int | None, int | None]:
    """The board with this number of rows."""
    from quatuor.games.blokus.puzzles.kinds import kind_of

    if rows is None:
        return None, None
    found = dict(kind_of(name).boards)
    if rows not in found:
        raise ValueError(f"--rows {rows}: {name} is laid on {' or '.join(f'{r} by {c}' for r, c in found.items())}")
    return rows, found[rows]


def _read(file: Path) -> "Position":
    import sys

    from quatuor.puzzles import load

    text = sys.stdin.read() if str(file) == "-" else read_text(file)
    try:
        return load(text)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def _task(challenge: "Challenge", source: str, svg: Path | None, json: bool) -> None:
    position = challenge.position
    _show(position, svg, json)
    if not json:
        open_pieces = len(challenge.solution.pieces) - position.given
        print(f"{challenge.difficulty}, {source}: {open_pieces} pieces are still to place.")


def _show(position: "Position", svg: Path | None, json: bool) -> None:
    from quatuor.puzzles import svg as draw

    if svg:
        svg.write_text(draw(position), encoding="utf-8")
    if json:
        print(position.dump(), end="")
        return
    from rich.console import Console

    console = Console()
    console.print(_board_panel(position))
    if svg:
        console.print(f"[dim]Picture: {svg}[/]")


def _board_panel(position: "Position") -> object:
    from rich.panel import Panel
    from rich.text import Text

    from quatuor.puzzles import text_board

    title = f"{position.kind.title.en}{', hard' if position.hard else ''}"
    board = Text.from_markup(text_board(position))
    return Panel(board, title=title, title_align="left", border_style="dim", padding=(1, 1), expand=False)
