"""``quatuor perft``: count move sequences, the measure that two rulebooks agree on."""

import time
from typing import Annotated

import typer

from quatuor.cli.common import GameName, Json, Options, start, working


def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=1, help="How many turns deep.")],
    option: Options = [],  # noqa: B006 (typer's way to say: none given)
    json: Json = False,
) -> None:
    """Count the ways to play the first turns."""
    game = start(name, option)
    from quatuor.engine.perft import perft as count

    rows = []
    with working("Counting"):
        count(game, 1)  # compiling is not counting
        for d in range(1, depth + 1):
            began = time.perf_counter()
            rows.append((d, count(game, d), time.perf_counter() - began))
            if not json and d < depth and rows[-1][2] > 1:
                typer.echo(f"depth {d}: {rows[-1][1]:,} ({rows[-1][2]:.1f} s)", err=True)
    if json:
        import json as writer

        counts = [{"depth": d, "sequences": n, "seconds": round(s, 6)} for d, n, s in rows]
        settings = {"game": game.name, "variant": game.variant.name, "options": game.options}
        print(writer.dumps(settings | {"perft": counts}, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{game.name}:{game.variant.name}", title_justify="left")
    for heading in ("depth", "sequences", "seconds", "a second"):
        table.add_column(heading, justify="right")
    for d, n, seconds in rows:
        table.add_row(str(d), f"{n:,}", f"{seconds:.3f}", f"{n / max(seconds, 1e-9):,.0f}" if seconds > 1e-3 else "")
    Console().print(table)
