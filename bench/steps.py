"""How long a command waits while a browser's worker thinks: ``python -m bench.steps``, after ``make site``.

The worker answers between two steps of a search. Prints for each kind of work how many milliseconds its steps take,
here (processor time) and in Chromium (wall time, so nothing else may run meanwhile).
"""

import functools
import http.server
import json
import shutil
import threading
from typing import Any

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

from bench.browser import BROWSERS, RUN, SITE, Files

GOAL = 50  # milliseconds
PROGRAM = """
import sys, time
from quatuor.engine.player import Engine
from quatuor.game import new
from quatuor.games import NAMES, rulebook
from quatuor.games.blokus.puzzles import answers
from quatuor.games.blokus.puzzles.kinds import KINDS

clock = time.perf_counter if sys.platform == "emscripten" else time.thread_time

def lengths(steps):
    times, going = [], True
    while going:
        began = clock()
        going = next(steps, steps) is None
        times.append(1000 * (clock() - began))
    times.sort()
    return [len(times), times[len(times) // 2], times[len(times) * 99 // 100], times[-1]]

def works():
    for name in NAMES:
        for variant in rulebook(name).variants:
            game = new(name, variant.name)
            seat = game.to_move[0]
            title = f"{name} {variant.name}"
            yield f"{title}, move", Engine(level=7, seed=1, threads=1, seconds=1.0).choosing(game, seat)
            yield f"{title}, hint", Engine(seconds=0.5, threads=1).analysing(game, seat, lines=5)
            yield f"{title}, analysis", Engine(seconds=0.5, threads=1).analysing(game, seat)
    for kind in KINDS.values():
        for hard in sorted({False, kind.may_be_hard}):
            position = {"puzzle": kind.name, "hard": hard, "pieces": []}
            title = f"{kind.name}{' hard' * hard}"
            for what in ("check", "solvable", "hint"):
                yield f"{title}, {what}", getattr(answers, what)(position)
            yield f"{title}, new", answers.new(kind.name, hard="true" if hard else "")
    yield "puzzle of the day", answers.daily(date="2026-01-01")

def measured():
    return [[title, *lengths(steps)] for title, steps in works()]
"""


def there() -> list[list[Any]]:
    """The same in Chromium, in the kit."""
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(SITE)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    (kit,) = (SITE / "kit").iterdir()
    address = f"http://127.0.0.1:{host.server_port}/kit/{kit.name}/"
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=path, args=["--headless", "--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"{address}games.json")
        found: list[list[Any]] = json.loads(
            page.evaluate(RUN, [address, f"{PROGRAM}\nimport json\njson.dumps(measured())"])
        )
        browser.close()
    host.shutdown()
    return found


def main() -> None:
    scope: dict[str, Any] = {}
    exec(PROGRAM, scope)
    own = {title: numbers for title, *numbers in scope["measured"]()}
    table = Table("work", "steps here", "median", "99%", "worst", "steps in Chromium", "median", "99%", "worst")
    for title, *numbers in there():
        cells = [f"{number:.1f}" if number % 1 else str(number) for number in [*own[title], *numbers]]
        table.add_row(title, *cells, style="bold" if numbers[-1] > GOAL else "")
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
