"""``quatuor warmup``: compile every game once, so that nothing waits later."""

import time


def warmup() -> None:
    """Compile the games for this machine (once; set-up does it)."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from quatuor.engine.warmup import steps
    from quatuor.puzzles.solve import warm

    console = Console()
    began = time.monotonic()
    puzzles = [("puzzles: rectangles", lambda: warm(True)), ("puzzles: all pieces", lambda: warm(False))]
    todo = [*steps(), *puzzles]
    columns = (TextColumn("{task.description:<32}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(todo))
        for name, work in todo:
            progress.update(task, description=name)
            work()
            progress.advance(task)
    console.print(f"[green]Compiled[/] in {time.monotonic() - began:.0f} s.")
