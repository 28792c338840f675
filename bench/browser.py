"""The kit in Chromium compared with this Python: ``python -m bench.browser [RUNS]``, after ``make site``.

Prints how long the kit takes to start, from the network and from what the browser has kept, and for every game how much
longer random games and the engine's search take than here. Each uses one thread; the shortest of several runs
counts. Nothing else may run meanwhile.
"""

import functools
import http.server
import json
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.table import Table

SITE = Path(__file__).parent.parent / "web" / "site"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
GOAL = 1.3  # of the time here
START_GOAL = 3.0  # seconds
PROGRAM = '''
import time
import numpy as np
from quatuor.engine import playout, search_registry
from quatuor.game import new
from quatuor.games import NAMES
from quatuor.kernel import bind, seeds

# Each takes 100 ms or more: less is over before the browser has compiled all functions at its best
GAMES = {"plus4": 500_000, "blokus": 4000, "plateau_x": 12_000, "trois_six": 50_000}
UNITS = {"plus4": 300_000, "blokus": 8000, "plateau_x": 2000, "trois_six": 250_000}

def shortest(runs, prepare, work):
    times = []
    for _ in range(runs + 1):  # the first one loads
        ready = prepare()
        began = time.perf_counter()
        work(ready)
        times.append(time.perf_counter() - began)
    return min(times[1:])

def random_games(game, count):
    """What the kernel of random games takes; in a browser this takes longer than the games."""
    cells = playout.scratch_sizes(game.book, playout.CAP)
    scratch = playout.Scratch(*(np.zeros(size, np.int64) for size in cells))
    rows = [np.zeros(shape, np.int64) for shape in ((count, game.seats), (count, game.seats), count)]
    return seeds(1, count), game.option_values, playout.CAP, scratch, playout.Results(*rows)

def measured(runs):
    found = {}
    for name in NAMES:
        game = new(name)
        search = search_registry.module(game, search_registry.kind(game)).search
        play = bind(playout, game.book.rules, name).playouts
        found[name, "random games"] = shortest(
            runs, lambda: random_games(game, GAMES[name]), lambda arguments: play(*arguments)
        )
        begin = lambda: search(game, game.to_move[0], 7)
        found[name, "search"] = shortest(runs, begin, lambda searcher: searcher.run(UNITS[name]))
    return [[name, what, seconds] for (name, what), seconds in found.items()]
'''
RUN = """async ([kit, program]) => {
    const { loadPyodide } = await import(`${kit}pyodide.mjs`);
    const env = { HOME: '/tmp', QUATUOR_DATA: '/tmp', QUATUOR_KERNELS: 'aot', QUATUOR_TREE_MB: '64' };
    const python = await loadPyodide({ indexURL: kit, stdLibURL: `${kit}python_stdlib.zip`, env });
    const source = new Uint8Array(await (await fetch(`${kit}package.zip`)).arrayBuffer());
    python.unpackArchive(source, 'zip', { extractDir: '/quatuor' });
    python.runPython("import sys; sys.path.insert(0, '/quatuor'); from quatuor.local import arrays; arrays.install()");
    return python.runPython(program);
}"""


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves the page without a log."""

    def log_message(self, *_: Any) -> None:
        pass


def start_time(page: Page, address: str) -> float:
    """Seconds from opening the page until the kit is ready."""
    began = time.monotonic()
    page.goto(f"{address}#/account")
    page.wait_for_selector("[data-kit=ready]", state="attached", timeout=120_000)
    return time.monotonic() - began


def main(runs: int = 5) -> None:
    scope: dict[str, Any] = {}
    exec(PROGRAM, scope)
    here = {(name, what): seconds for name, what, seconds in scope["measured"](runs)}
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(SITE)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{host.server_port}/"
    (kit,) = (SITE / "kit").iterdir()
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=path, args=["--headless", "--no-sandbox", "--disable-gpu"])
        context = browser.new_context()
        cold, warm = (start_time(context.new_page(), address) for _ in range(2))
        page = context.new_page()
        page.goto(f"{address}kit/{kit.name}/games.json")  # of that host, and starts nothing
        program = f"{PROGRAM}\nimport json\njson.dumps(measured({runs}))"
        there = json.loads(page.evaluate(RUN, [f"{address}kit/{kit.name}/", program]))
        browser.close()
    console = Console()
    console.print(f"The kit starts in {cold:.1f} s from this host, in {warm:.1f} s once kept (goal: {START_GOAL:g} s).")
    table = Table("game", "work", "here, ms", "in Chromium, ms", f"ratio (goal: {GOAL:g})")
    for name, what, seconds in there:
        own = here[name, what]
        table.add_row(name, what, f"{own * 1000:.1f}", f"{seconds * 1000:.1f}", f"{seconds / own:.2f}")
    console.print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
