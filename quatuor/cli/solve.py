"""``quatuor solve``: the value of a game under perfect play."""

from typing import Annotated, Any

import typer

from quatuor.cli.common import GameName, Json, Options, pairs

POSITIONS = {"win": "won by the mover", "draw": "drawn", "loss": "lost by the mover", "total": "in all"}


def solve(
    name: GameName,
    option: Options = [],  # noqa: B006
    target: Annotated[int | None, typer.Option(help="Short for --option target=N.")] = None,
    json: Json = False,
) -> None:
    """Solve a game from its start (what is solved once is kept)."""
    game, _, variant = name.partition(":")
    options = pairs(option) | ({} if target is None else {"target": str(target)})
    from rich.console import Console

    from quatuor.engine.solve import solve as work

    with Console(stderr=True).status(f"solving {name}"):
        found = work(game, variant or None, **options).summary()
    if json:
        import json as writer

        print(writer.dumps(found, indent=2))
    else:
        _print(Console(), found)


def _print(console: Any, found: dict[str, Any]) -> None:
    from rich.table import Table

    rules = ", ".join(f"{k}={'none' if v is None else v}" for k, v in found["options"].items())
    console.print(f"[bold]{found['game']}:{found['variant']}[/]  [dim]{rules}[/]")
    far = f" in {found['distance']} turns" if found.get("distance") else ""
    colour = {"win": "green", "loss": "red"}.get(found["value"], "yellow")
    console.print(f"The first player has a [bold {colour}]{found['value']}[/]{far}: {', '.join(found['best'])}")
    table = Table("positions that can come up", "", box=None, padding=(0, 2), header_style="dim")
    table.columns[1].justify = "right"
    for label, text in POSITIONS.items():
        table.add_row(text, f"{found['reachable'][label]:,}")
    table.add_row("longest win, in turns", str(found["longest_win"]))
    console.print(table)
