"""``quatuor warmup``: compile every game once, so that nothing waits later."""

import time

ALL_PIECES, RECTANGLES = "puzzles: all pieces", "puzzles: rectangles"


def warmup() -> None:
    """Compile the games for this machine (once; set-up does it)."""
    import multiprocessing
    import os
    from concurrent.futures import ProcessPoolExecutor, as_completed

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from quatuor.games import names

    console = Console()
    began = time.monotonic()
    todo = [*names(), ALL_PIECES, RECTANGLES]
    columns = (TextColumn("{task.description:<32}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    processes = min(os.cpu_count() or 1, len(todo))
    fresh = multiprocessing.get_context("spawn")
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        ProcessPoolExecutor(processes, fresh) as pool,
    ):
        task = progress.add_task("the first ones", total=len(todo))
        works = {pool.submit(_compile, name): name for name in todo}
        for work in as_completed(works):
            work.result()
            progress.update(task, description=works[work], advance=1)
    console.print(f"[green]Compiled[/] in {time.monotonic() - began:.0f} s.")


def _compile(name: str) -> None:
    from quatuor.engine.warmup import warm as warm_game
    from quatuor.puzzles.solve import warm as warm_puzzle

    if name in (ALL_PIECES, RECTANGLES):
        warm_puzzle(name == RECTANGLES)
    else:
        warm_game(name)
