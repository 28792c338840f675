"""``quatuor analyse``: go over a recorded game with an engine; over many of them, see analyses.py."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.analyses import analyses
from quatuor.cli.analysis_summary import STYLES, SUMMARY, summary_row
from quatuor.cli.common import Jobs, Json, Ray, counting, heading, print_json, to_write, working
from quatuor.cli.show import names, read, texts_in

if TYPE_CHECKING:
    from quatuor.engine.player import Engine
    from quatuor.engine.review import Decision, Turn
    from quatuor.game import Game

SHOWN = 10  # moves of a position without a game


def analyse(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Records, Blokus games as .blksgf, folders of them.")
    ],
    level: Annotated[int, typer.Option(min=1, max=8, help="How strong the engine is.")] = 8,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="At most this many seconds for a turn (default: 1).")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Processor cores to use (default: all; with many games, one each).")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Makes the engine repeat itself.")] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Write the value over the game as a picture.", callback=to_write),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Of many games: keep results here, and continue from here.", callback=to_write
        ),
    ] = None,
    skip: Annotated[bool, typer.Option("--skip-broken", help="Leave out what cannot be read, and say so.")] = False,
    jobs: Jobs = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Show what every move of a game was worth and which moves gave it away. Ctrl-C shows the result so far.

    Of many games: what each player gave away. They are analysed in parallel, on all cores or on many machines.
    """
    (file, *more) = files
    texts = [] if more or file.is_dir() or out or ray else texts_in(file)
    if len(texts) != 1:
        if svg:
            raise ValueError("--svg draws one game: name one file with one game")
        analyses(files, (level, seconds, threads or 1, seed), out, skip, jobs, ray, json)
        return
    game = read(file, texts[0])
    import quatuor
    from quatuor.engine.review import SECONDS

    engine = quatuor.engine(level=level, seconds=seconds or SECONDS, threads=threads, seed=seed)
    if not game.ply:
        if game.over or svg:
            raise ValueError(f"{file}: no move has been played, there is nothing to analyse")
        _standing(game, engine, json)
        return
    turns, whole = collect(game, engine)
    if svg:
        from quatuor.engine.graph import graph

        svg.write_text(graph(turns, names(game)), encoding="utf-8")
    if json:
        about = {"game": game.name, "variant": game.variant.name, "options": game.options, "seats": names(game)}
        print_json({**about, "whole": whole, "turns": turns})
    else:
        _print(game, turns, whole, svg)


def _print(game: "Game", turns: "list[Turn]", whole: bool, svg: Path | None) -> None:
    from rich.console import Console

    console = Console()
    console.print(_table(game, turns))
    console.print(_summary(game, turns))
    if not whole:
        console.print(f"[yellow]Stopped after {len(turns)} of {game.ply} turns.[/]")
    if svg:
        console.print(f"[dim]Picture: {svg}[/]")


def _standing(game: "Game", engine: "Engine", json: bool) -> None:
    """What every seat that acts can do in a position that has no earlier moves."""
    from rich.console import Console
    from rich.table import Table

    with working("Analysing"):
        found = {seat: engine.analyse(game, seat, lines=SHOWN)["moves"] for seat in game.to_move}
    if json:
        about = {"game": game.name, "variant": game.variant.name, "options": game.options}
        print_json({**about, "moves": {str(seat): rows for seat, rows in found.items()}})
        return
    table = Table("player", "move", "value", "line", title=heading(game), title_justify="left")
    for seat, rows in found.items():
        for row in rows:
            table.add_row(names(game)[seat], row["move"], f"{row['value']:+.2f}", " ".join(row["line"]))
    Console().print(table)


def collect(game: "Game", engine: "Engine") -> "tuple[list[Turn], bool]":
    """The turns analysed so far, and whether that is all of them."""
    from quatuor.engine.review import review

    turns: list[Turn] = []
    try:
        with counting() as progress:
            task = progress.add_task("Analysing", total=game.ply)
            for turn in review(game, engine):
                turns.append(turn)
                progress.advance(task)
    except KeyboardInterrupt:
        return turns, False
    return turns, True


def _table(game: "Game", turns: "list[Turn]") -> Any:
    from rich.table import Table

    table = Table(title=heading(game), title_justify="left")
    for head in ("turn", "player", "move", "value", "best", "value", "loss", ""):
        table.add_column(head, justify="right" if head in ("turn", "value", "loss") else "left")
    for turn in turns:
        for decision in turn["decisions"]:
            table.add_row(*_row(turn["number"], names(game)[decision["seat"]], decision))
    return table


def _row(number: int, player: str, decision: "Decision") -> tuple[str, ...]:
    from rich.markup import escape

    mark = decision["mark"] or ""
    style = STYLES.get(mark, "default")
    same = decision["best"] == decision["move"]
    return (
        str(number),
        escape(player),
        f"[{style}]{escape(decision['move'])}[/]",
        f"{decision['value']:+.2f}",
        "" if same else escape(decision["best"]),
        "" if same else f"{decision['best_value']:+.2f}",
        f"{decision['loss']:.2f}" if decision["loss"] >= 0.005 else "",
        f"[{style}]{mark}[/]",
    )


def _summary(game: "Game", turns: "list[Turn]") -> Any:
    from rich.table import Table

    table = Table("player", *SUMMARY, box=None, padding=(0, 2), header_style="dim")
    for seat, name in enumerate(names(game)):
        table.add_row(name, *summary_row(seat, turns))
    return table
