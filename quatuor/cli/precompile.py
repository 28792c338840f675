"""``quatuor precompile``: compile every game once, so that nothing waits later. Its former name was ``warmup``."""

import time

from quatuor.cli.common import Json, counting, print_json

ALL_PIECES, RECTANGLES = "puzzles: all pieces", "puzzles: rectangles"


def precompile(json: Json = False) -> None:
    """Compile the games for this machine (once; set-up does it)."""
    from rich.console import Console

    from quatuor.games import names
    from quatuor.jobs import workers

    began = time.monotonic()
    todo = {name: (name,) for name in (*names(), ALL_PIECES, RECTANGLES)}
    with workers() as pool, counting() as progress:
        task = progress.add_task("the first ones", total=len(todo))
        for name, _ in pool.map(_compile, todo):
            progress.update(task, description=name, advance=1)
    if json:
        return print_json({"compiled": list(todo), "seconds": round(time.monotonic() - began, 1)})
    return Console().print(f"[green]Compiled[/] in {time.monotonic() - began:.0f} s.")


def _compile(name: str) -> None:
    from quatuor.engine.precompile import precompile as precompile_game
    from quatuor.games.blokus.puzzles.solve import precompile as precompile_puzzle

    if name in (ALL_PIECES, RECTANGLES):
        precompile_puzzle(name == RECTANGLES)
    else:
        precompile_game(name)
