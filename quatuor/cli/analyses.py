"""``quatuor analyse`` of many games in parallel, on the cores of this machine or on a cluster."""

import hashlib
import json as writer
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

import typer

from quatuor.cli.analysis_summary import SUMMARY, summary_row
from quatuor.cli.common import counting, report_redone, within
from quatuor.cli.show import SGF, names, parse, texts_in

if TYPE_CHECKING:
    from quatuor.engine.review import Turn

SUFFIXES = (".txt", SGF)  # of records in a folder
Settings = tuple[int, float | None, int, int | None]  # level, seconds, threads, seed


class Report(TypedDict):
    """One analysed game, as it is kept: a line of JSON."""

    file: str
    number: int  # of the game in its file, from 1
    name: str  # of this very analysis: other settings or other moves have another
    game: str
    variant: str
    options: dict[str, Any]
    seats: list[str]
    turns: "list[Turn]"


def analyses(
    paths: Sequence[Path],
    settings: Settings,
    out: Path | None,
    skip: bool,
    jobs: int | None,
    ray: str | None,
    json: bool,
) -> None:
    """Analyse, keep and print. A game that cannot be read is an error, or left out and named."""
    from quatuor.jobs import jsonl, workers

    read = _read(paths, skip)
    pieces = {
        _name(file, number, text, settings): (str(file), number, text, tables, settings)
        for file, number, text, tables in read
    }
    if not pieces:
        raise ValueError(f"{', '.join(map(str, paths))}: no records ({' or '.join(SUFFIXES)}) to analyse")
    found: dict[str, Report] = {}
    for row in jsonl.read(out) if out else ():
        if isinstance(row, dict) and row.get("name") in pieces:
            found.setdefault(row["name"], cast("Report", row))
    missing = {name: piece for name, piece in pieces.items() if name not in found}
    whole = True
    try:
        with workers(jobs, ray) as pool, counting() as progress:
            task = progress.add_task("Analysing", total=len(pieces), completed=len(found))
            for name, report in pool.map(analysed, missing):
                found[name] = {**report, "name": name}
                if out:
                    jsonl.append(out, found[name])
                progress.advance(task)
            report_redone(pool)
    except KeyboardInterrupt:
        whole = False
    reports = [found[name] for name in pieces if name in found]  # in the order they were named
    if json:
        print(writer.dumps({"whole": whole, "games": reports}, indent=2, ensure_ascii=False))
        return
    _print(reports, len(pieces))


def analysed(file: str, number: int, text: str, tables: int, settings: Settings) -> Report:
    """Analyse one game, on this machine or another one."""
    import quatuor
    from quatuor.engine.review import SECONDS, review
    from quatuor.engine.solve import differs, extent

    level, seconds, threads, seed = settings
    game = parse(text, Path(file).suffix)
    if extent(game) != tables:
        raise differs(game.name)
    engine = quatuor.engine(level=level, seconds=seconds or SECONDS, threads=threads, seed=seed)
    return {
        "file": file,
        "number": number,
        "name": "",
        "game": game.name,
        "variant": game.variant.name,
        "options": game.options,
        "seats": list(names(game)),
        "turns": list(review(game, engine)),
    }


def _read(paths: Sequence[Path], skip: bool) -> Iterator[tuple[Path, int, str, int]]:
    """The games that can be analysed, with how much of them is solved; of files named, and of those in folders."""
    from quatuor.engine.solve import extent

    for file in within(paths, *SUFFIXES):
        for number, text in _texts(file, skip):
            try:
                game = parse(text, file.suffix)
                if not game.ply:
                    raise ValueError("no move has been played, there is nothing to analyse")
            except ValueError as why:
                _leave_out(f"{file}: {why}", skip)
            else:
                yield file, number, text, extent(game)


def _texts(file: Path, skip: bool) -> list[tuple[int, str]]:
    """The numbered texts of the games in a file."""
    try:
        return list(enumerate(texts_in(file), 1))
    except OSError as error:
        _leave_out(f"{file}: {error.strerror}", skip)
    except ValueError as why:  # names the file
        _leave_out(str(why), skip)
    return []


def _leave_out(why: str, skip: bool) -> None:
    if not skip:
        raise ValueError(f"{why}; --skip-broken leaves such games out") from None
    typer.echo(f"left out {why}", err=True)


def _name(file: Path, number: int, text: str, settings: Settings) -> str:
    where = str(file) if number == 1 else f"{file} {number}"
    return f"{where} {hashlib.sha256(writer.dumps([text, settings]).encode()).hexdigest()[:16]}"


def _print(reports: Sequence[Report], wanted: int) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console, table = Console(), Table("game", "player", *SUMMARY)
    several = {report["file"] for report in reports if report.get("number", 1) > 1}
    for report in reports:
        where = f"{report['file']} {report.get('number', 1)}" if report["file"] in several else report["file"]
        for seat, player in enumerate(report["seats"]):
            table.add_row("" if seat else escape(where), escape(player), *summary_row(seat, report["turns"]))
    console.print(table)
    if len(reports) < wanted:
        console.print(f"[yellow]Stopped after {len(reports)} of {wanted} games.[/]")
