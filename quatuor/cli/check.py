"""``quatuor check``: whether a game keeps the contract."""

from typing import TYPE_CHECKING, Annotated

import typer

from quatuor.cli.common import Json, complete_game, working

if TYPE_CHECKING:
    from quatuor.engine.conformance import Report
    from quatuor.games.contract import Rulebook


def check(
    game: Annotated[
        str,
        typer.Argument(help="Its name: a bundled game, or one that QUATUOR_GAMES names.", autocompletion=complete_game),
    ],
    games: Annotated[int, typer.Option(min=1, help="Random games of every variant.")] = 2,
    json: Json = False,
) -> None:
    """Check whether a game keeps the contract: rules, text, pictures, engine. Exit code 1 if something is wrong."""
    from quatuor.engine.conformance import check as run

    with working("Checking"):
        report = run(_rulebook(game), games)
    if json:
        import json as writer

        print(writer.dumps(report.data(), indent=2, ensure_ascii=False))
    else:
        _print(report)
    if report.problems:
        raise typer.Exit(1)


def _rulebook(name: str) -> "Rulebook":
    """A game by its name, also one that is too wrong to be registered."""
    from quatuor.games import named_modules, rulebook

    for _, book in named_modules():
        if getattr(book, "name", None) == name:
            return book
    return rulebook(name)


def _print(report: "Report") -> None:
    from rich.console import Console
    from rich.markup import escape

    from quatuor.engine.conformance import CHECKS

    console = Console()
    for one in CHECKS:
        found = [problem for problem in report.problems if problem.check == one.name]
        mark = "[dim]–[/]" if one.name not in report.checks else "[red]✗[/]" if found else "[green]✓[/]"
        console.print(f"{mark} {one.name:<12} [dim]{escape(one.text)}[/]", soft_wrap=True)
        for problem in found:
            where = f"{problem.variant}: " if problem.variant else ""
            console.print(f"    [red]{escape(where + problem.text)}[/]", soft_wrap=True, highlight=False)
    if report.problems:
        console.print(f"[bold red]{report.game}: {len(report.problems)} problems.[/]")
    else:
        console.print(f"[bold green]{report.game} keeps the contract.[/]")
