"""``quatuor arena``: engines play each other, and levels are measured."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.common import Jobs, Json, Options, Ray, complete_game, counting, pairs, report_redone, to_write

if TYPE_CHECKING:
    from quatuor.jobs import Workers
    from quatuor.match.arena import Arena
    from quatuor.match.arena_game import Conduct, Outcome

EXAMPLES = (
    "Engines: [b]level=1[/b] to [b]level=8[/b], [b]seconds=0.5[/b], [b]units=2000[/b], [b]plain[/b], [b]greedy[/b], "
    "[b]random[/b], [b]'gtp:COMMAND LINE'[/b] (with {seed} and {variant} filled in), [b]'engine:COMMAND LINE'[/b] "
    "(with {seed}), [b]python:FILE.py:FUNCTION[/b]; settings join with commas."
)


def arena(
    engines: Annotated[list[str], typer.Argument(metavar="ENGINE… | calibrate GAME[:VARIANT]", help=EXAMPLES)],
    game: Annotated[
        str, typer.Option(metavar="GAME[:VARIANT]", help="What they play.", autocompletion=complete_game)
    ] = "plus4",
    option: Options = [],  # noqa: B006
    games: Annotated[int, typer.Option(min=1, help="Per pair of engines, rounded up to cover all seatings.")] = 20,
    near: Annotated[int | None, typer.Option(min=1, help="Only engines this near in the list meet.")] = None,
    alone: Annotated[bool, typer.Option("--alone", help="Of more than two sides, one engine plays only one.")] = False,
    seed: Annotated[int, typer.Option(help="Another seed gives other games.")] = 1,
    jobs: Jobs = None,
    ray: Ray = None,
    minutes: Annotated[float | None, typer.Option(min=0.01, help="Start no game after this many minutes.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="To calibrate: for a move of the highest level.")] = 1.0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep results here, and continue from here.", callback=to_write)
    ] = None,
    records: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Keep the games as records, too.")] = None,
    judge: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Judge every move: JSON lines with what it gave away.", callback=to_write),
    ] = None,
    judge_units: Annotated[int, typer.Option(min=1, help="Effort of each search that judges a move.")] = 1000,
    tries: Annotated[int, typer.Option(min=1, help="Number of illegal answers for one move that lose the game.")] = 1,
    docs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="To calibrate: JSON file for the figures.", callback=to_write)
    ] = None,
    json: Json = False,
) -> None:
    """Have engines play each other on all cores, or on many machines; Ctrl-C shows the result so far.

    One engine plays against itself. With [b]calibrate GAME[/b], every level of a game meets its neighbours.
    """
    from quatuor.match.arena import Arena

    options = dict[str, Any](pairs(option))
    if engines[0] == "calibrate":
        from quatuor.match.calibrate import levels_arena, read

        if len(engines) != 2:
            raise ValueError("arena calibrate: name one game, such as quatuor arena calibrate plus4:endless")
        match = levels_arena(engines[1], games=games, seconds=seconds, seed=seed, **options)
        if docs:
            read(docs.with_suffix(".json"))  # ValueError now, not after hours
    else:
        if docs:
            raise ValueError("--docs is for quatuor arena calibrate")
        name, _, variant = game.partition(":")
        match = Arena(engines, name, variant or None, games=games, near=near, alone=alone, seed=seed, **options)
    from quatuor.jobs import workers
    from quatuor.match.arena_game import Conduct

    conduct = Conduct(records is not None, tries, judge_units if judge else 0)
    with workers(jobs, ray) as pool:
        outcomes, whole = collect(match, pool, conduct, (out, records, judge), minutes)
        report_redone(pool)
    report(match, outcomes, whole, json)
    if docs:
        from quatuor.match.calibrate import write

        write(docs, match, outcomes)


def collect(
    match: "Arena",
    pool: "Workers",
    conduct: "Conduct",
    files: tuple[Path | None, Path | None, Path | None],
    minutes: float | None,
) -> "tuple[list[Outcome], bool]":
    """The games that were kept and those played now; and whether that is all of them."""
    from quatuor.jobs.jsonl import append
    from quatuor.match.arena import kept, name, precompile, run

    out, records, judge = files
    wanted = {meeting.name: meeting for meeting in match.meetings}
    outcomes = [outcome for outcome in (kept(out) if out else []) if name(outcome) in wanted]
    for outcome in outcomes:
        del wanted[name(outcome)]
    if records:
        records.mkdir(parents=True, exist_ok=True)
    if wanted:
        precompile(tuple(match.engines), match.meetings[0])  # here first: else all processes would compile the same
    until = time.monotonic() + 60 * minutes if minutes else float("inf")
    try:
        with counting() as progress:
            task = progress.add_task("Playing", total=len(match.meetings), completed=len(outcomes))
            for outcome in run(list(wanted.values()), pool, until=until, conduct=conduct):
                if records:
                    (records / _file(outcome)).write_text(outcome["record"] or "", encoding="utf-8")
                    outcome["record"] = None
                for line in outcome.get("judged", ()):
                    append(judge or Path(), line)
                if out:
                    append(out, outcome)
                outcomes.append(outcome)
                progress.advance(task)
    except KeyboardInterrupt:
        return outcomes, False
    return outcomes, len(outcomes) == len(match.meetings)


def _file(outcome: "Outcome") -> str:
    """A game's own file: readable names may be cut alike, the number at the end is the game's alone."""
    from hashlib import sha256

    from quatuor.match.arena import name

    seats = ["".join(letter if letter.isalnum() else "_" for letter in spec)[:40] for spec in outcome["seats"]]
    return f"{'-'.join(seats)}-{outcome['number']}-{sha256(name(outcome).encode()).hexdigest()[:8]}.txt"


def report(match: "Arena", outcomes: "list[Outcome]", whole: bool, json: bool) -> None:
    """Print the results."""
    from quatuor.match.summary import duels, rows

    table, met = rows(match, outcomes), duels(match, outcomes)
    verdicts = _verdicts(match, outcomes)
    if json:
        import json as writer

        about = {"game": match.start.name, "variant": match.start.variant.name, "options": match.start.options}
        found = {"games": len(outcomes), "whole": whole, "engines": table, "duels": met}
        if verdicts:
            found["judged"] = verdicts
        print(writer.dumps(about | found, indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    console.print(_engines(match, table))
    console.print(_duels(met))
    if verdicts:
        console.print(judged_table(verdicts))
    if not whole:
        console.print(f"[yellow]Stopped after {len(outcomes)} of {len(match.meetings)} games.[/]")
    for fault in sorted({outcome["fault"] for outcome in outcomes if outcome["fault"]}):
        console.print(f"Lost by a fault: {fault}", style="red", markup=False)


def _verdicts(match: "Arena", outcomes: "list[Outcome]") -> dict[str, Any]:
    """What each engine gave away, as far as games were judged."""
    from quatuor.match.judge import summary

    lines = [line for outcome in outcomes for line in outcome.get("judged", ())]
    found = {spec: summary(spec, lines) for spec in match.engines}
    return {spec: verdict for spec, verdict in found.items() if verdict}


def judged_table(verdicts: dict[str, Any]) -> Any:
    """What each player gave away."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(title="Given away (of a value from -1 to 1)", title_justify="left")
    for head in ("player", "moves", "a move", "± 95%", "exact", "blunders", "illegal"):
        table.add_column(head, justify="left" if head == "player" else "right", overflow="fold")
    for spec, row in verdicts.items():
        numbers = f"{row['loss']:.3f}", f"{row['error']:.3f}", f"{row['exact']:.0%}"
        table.add_row(escape(spec), str(row["moves"]), *numbers, str(row["blunders"]), _count(row["illegal"]))
    return table


def _count(number: int | None) -> str:
    return "?" if number is None else str(number)


def _engines(match: "Arena", found: list[Any]) -> Any:
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=f"{match.start.name}:{match.start.variant.name}", title_justify="left")
    for head in ("engine", "games", "score", "Elo", "± 95%", "s a move", "slowest", "CPU s a game"):
        table.add_column(head, justify="left" if head == "engine" else "right", overflow="fold")
    for row in found:
        numbers = f"{row['score']:.1%}", f"{row['elo']:+.0f}", f"{row['error']:.0f}"
        times = f"{row['seconds']:.3f}", f"{row['slowest']:.2f}", f"{row['cpu']:.2f}"
        table.add_row(escape(row["engine"]), str(row["games"]), *numbers, *times)
    return table


def _duels(found: list[Any]) -> Any:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="dim")
    for head in ("", "", "games", "won", "drawn", "lost", "Elo", "± 95%"):
        table.add_column(head, justify="left" if head == "" else "right", overflow="fold")
    for duel in found:
        one, two = map(escape, duel["engines"])
        counts = (str(duel[key]) for key in ("games", "wins", "draws", "losses"))
        table.add_row(one, two, *counts, f"{duel['elo']:+.0f}", f"{duel['error']:.0f}")
    return table
