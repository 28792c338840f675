"""Recorded calls of every exported kernel give the same results, to the last bit, wherever the kernel runs.

The calls are recorded with the library of this machine and repeated by Numba, in Node.js, Chromium and Firefox.
"""

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from quatuor.games import NAMES as GAMES
from quatuor.kernel.library import CORE, LIBRARIES
from tests.browser.chrome import FLAGS, NAMES, QUICK_START
from tests.browser.firefox import Page as Firefox
from tests.kernel.recorded import every_export

ROOT = Path(__file__).parents[2]
REPLAY = ROOT / "tests" / "kernel" / "replay.mjs"
# The solvers of Plus 4: several threads write into the same large arrays, so no call has them to itself
SOLVERS = ("engine_retrograde__", "games_plus4_blocks__", "games_plus4_exits__", "games_plus4_retrograde__")


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the recorded calls."""
    folder = tmp_path_factory.mktemp("calls")
    command = [sys.executable, "-m", "tests.kernel.recorded", "record", folder]
    run(*command, QUATUOR_KERNELS="aot", QUATUOR_DATA=str(folder))
    return folder


def side_modules() -> list[Path]:
    digests = {name: json.loads((LIBRARIES / f"{name}.json").read_text())["digest"] for name in (CORE, *GAMES)}
    return [LIBRARIES / "wasm32" / f"{name}-{digest}.so" for name, digest in digests.items()]


def test_every_exported_kernel_is_called(calls: Path) -> None:
    called = {(call["library"], call["symbol"]) for call in json.loads((calls / "calls.json").read_text())}
    listed = {name for name, export in every_export().items() if not export.threads}
    assert {name for name in listed - called if not name[1].startswith(SOLVERS)} == set()


def unchanged(found: dict[str, Any], at_least: int) -> bool:
    assert found["wrong"] == []
    return found["calls"] >= at_least


def test_by_numba(calls: Path) -> None:
    command = [sys.executable, "-m", "tests.kernel.recorded", "numba", calls]
    assert unchanged(json.loads(run(*command, QUATUOR_KERNELS="jit")), 100)


def test_in_node(calls: Path) -> None:
    assert unchanged(json.loads(run("node", REPLAY, calls, *side_modules())), 400)


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves the files of several folders."""

    def __init__(self, folders: list[Path], *arguments: object) -> None:
        self._folders = folders
        super().__init__(*arguments)

    def guess_type(self, path: str) -> str:
        return "text/javascript" if path.endswith(".mjs") else "application/octet-stream"

    def translate_path(self, path: str) -> str:
        found = [folder / path.lstrip("/") for folder in self._folders]
        return str(next((file for file in found if file.exists()), found[0]))

    def log_message(self, *_: object) -> None:
        pass


MAKE = """async (libraries) => {
    const bytes = async (name) => new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer());
    const { replay } = await import('/replay.mjs');
    const calls = await (await fetch('/calls.json')).json();
    const read = await Promise.all(libraries.map(async (file) => [file.split('-')[0], await bytes(file)]));
    return replay(calls, await bytes('calls.bin'), Object.fromEntries(read));
}"""


@pytest.fixture
def host(calls: Path) -> Iterator[str]:
    """The address of the page that a browser runs the calls in."""
    folders = [calls, REPLAY.parent, LIBRARIES / "wasm32"]
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, folders))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{host.server_port}/"
    host.shutdown()


def test_in_chromium(host: str, browser: Browser) -> None:
    path = next(filter(None, map(shutil.which, NAMES)))
    flags = [flag for flag in FLAGS if flag != QUICK_START]  # kernels are compiled for speed here
    other = browser.browser_type.launch(executable_path=path, args=flags)
    page = other.new_page()
    page.goto(f"{host}replay.mjs")
    found = page.evaluate(MAKE, [file.name for file in side_modules()])
    other.close()
    assert unchanged(found, 400)


def test_in_firefox(host: str, firefox: Firefox) -> None:
    firefox.goto(f"{host}replay.mjs")
    assert unchanged(firefox.evaluate(MAKE, [file.name for file in side_modules()]), 400)
