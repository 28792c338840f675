"""``quatuor solve``: the value of a game under perfect play."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.common import GameName, Json, Options, Ray, report_redone, start

if TYPE_CHECKING:
    from quatuor.game import Game
    from quatuor.jobs.cluster import Cluster

POSITIONS = {"win": "won by the mover", "draw": "drawn", "loss": "lost by the mover", "total": "in all"}


def solve(
    name: GameName,
    option: Options = [],  # noqa: B006
    target: Annotated[int | None, typer.Option(help="Short for --option target=N.")] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Cores to use (default: all); of each machine, with --ray.")
    ] = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Solve a game from its start.

    What is solved is kept; an interrupted solution goes on where it was.
    """
    game = start(name, option if target is None else [*option, f"target={target}"])
    from rich.console import Console

    if ray:
        from quatuor.jobs.cluster import Cluster

        with Cluster(ray) as cluster:
            found = _solved(game, threads, cluster)
            report_redone(cluster)
    else:
        found = _solved(game, threads, None)
    if json:
        import json as writer

        print(writer.dumps(found, indent=2))
    else:
        _print(Console(), found)


def _solved(game: "Game", threads: int | None, cluster: "Cluster | None") -> dict[str, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from quatuor.engine.solve import solve as work

    columns = (TextColumn("solving"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        return work(game.name, game.variant.name, report, threads, cluster, **game.options).summary()


def _print(console: Any, found: dict[str, Any]) -> None:
    from rich.table import Table

    rules = ", ".join(f"{k}={'none' if v is None else v}" for k, v in found["options"].items())
    console.print(f"[bold]{found['game']}:{found['variant']}[/]  [dim]{rules}[/]")
    far = f" in {found['distance']} turns" if found["distance"] else ""
    colour = {"win": "green", "loss": "red"}.get(found["value"], "yellow")
    console.print(f"The first player has a [bold {colour}]{found['value']}[/]{far}: {', '.join(found['best'])}")
    if found["reachable"] is None:
        return
    table = Table("positions that can come up", "", box=None, padding=(0, 2), header_style="dim")
    table.columns[1].justify = "right"
    for label, text in POSITIONS.items():
        table.add_row(text, f"{found['reachable'][label]:,}")
    table.add_row("longest win, in turns", str(found["longest_win"]))
    console.print(table)
