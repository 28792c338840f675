"""``quatuor judge``: what every move of recorded games gave away, as ``quatuor arena --judge`` reports it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.analyses import SUFFIXES
from quatuor.cli.common import counting, within
from quatuor.cli.show import SGF, names, parse

if TYPE_CHECKING:
    from quatuor.game import Game
    from quatuor.match.judge import JudgedMove

KEPT = ".tries.jsonl"  # beside a record: times and illegal answers that a player noted


def judge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records, .blksgf files, folders of them.")],
    units: Annotated[int, typer.Option(min=1, help="Effort of each search that judges a move.")] = 1000,
    out: Annotated[Path | None, typer.Option(metavar="OUT", help="Append the JSON lines to this file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each move.")] = False,
) -> None:
    """Judge every move of finished games, wherever they were played. Ctrl-C shows the result so far."""
    import json as writer

    from quatuor.jobs.jsonl import append
    from quatuor.match.judge import judge as judged

    games = [(file, game) for file in within(files, *SUFFIXES) for game in _games(file)]
    lines: list[JudgedMove] = []
    try:
        with counting() as progress:
            task = progress.add_task("Judging", total=len(games))
            for number, (file, game) in enumerate(games):
                for line in judged(game, names(game), number, _decisions(file, game), units):
                    lines.append({**line, "file": str(file)})
                    if out:
                        append(out, lines[-1])
                    if json:
                        print(writer.dumps(lines[-1], ensure_ascii=False), flush=True)
                progress.advance(task)
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)
    if not json:
        _print(lines)


def _games(file: Path) -> "list[Game]":
    from quatuor.record import load_all

    try:
        text = file.read_text(encoding="utf-8")
        return [parse(text, SGF)] if file.suffix == SGF else list(load_all(text))
    except ValueError as why:
        raise ValueError(f"{file}: {why}") from None


def _decisions(file: Path, game: "Game") -> Any:
    """All decisions of a game, with what a player noted about its own."""
    from quatuor.jobs.jsonl import read
    from quatuor.match.judge import decisions

    kept = file.with_suffix(KEPT)
    try:
        return decisions(game, read(kept))
    except (ValueError, KeyError, TypeError) as why:
        raise ValueError(f"{kept}: {why}") from None


def _print(lines: "list[JudgedMove]") -> None:
    from rich.console import Console

    from quatuor.cli.arena import judged_table
    from quatuor.match.judge import summary

    players = dict.fromkeys(line["player"] for line in lines)
    found = {player: summary(player, lines) for player in players}
    Console().print(judged_table({player: row for player, row in found.items() if row}))
