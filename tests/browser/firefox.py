"""The Firefox of this machine, controlled by WebDriver BiDi, which Firefox itself supports.

Playwright needs commands that Debian's Firefox does not have. Scripts run in the page; clicks are mouse clicks.
"""

import itertools
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
PATIENCE = 60  # seconds, on a busy machine
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PREFERENCES = """
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("intl.accept_languages", "en-GB, en");
user_pref("ui.prefersReducedMotion", 1);
"""
# Compile WebAssembly once, quickly, and not again for speed: the kit takes half the processor time
QUICK_START = 'user_pref("javascript.options.wasm_optimizingjit", false);\n'
# The place of the first element that matches a selector, once there is one
PLACE = """(selector) => new Promise((resolve) => {
    const look = () => {
        const found = document.querySelector(selector);
        if (!found) return requestAnimationFrame(look);
        found.scrollIntoView({ block: 'nearest' });
        const { x, y, width, height } = found.getBoundingClientRect();
        resolve([x + width / 2, y + height / 2]);
    };
    look();
})"""


@contextmanager
def launch(profile: Path, preferences: str = "") -> "Iterator[Page]":
    """Start it with an empty profile and further preferences; return its page."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise RuntimeError(f"no browser found; install one of {', '.join(NAMES)}")
    (profile / "user.js").write_text(PREFERENCES + preferences)
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    log = profile / "log.txt"
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file)
    try:
        end = time.monotonic() + PATIENCE
        while not (found := LISTENING.search(log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        with connect(f"{found[1]}/session", max_size=None, open_timeout=PATIENCE) as socket:
            yield Page(socket)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


class Page:
    """The one page of a running Firefox."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._numbers = socket, itertools.count(1)
        self.complaints: list[str] = []  # uncaught errors of scripts
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def preload(self, script: str) -> None:
        """Run a script in every page that is opened from now on, before those of the page."""
        self._ask("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def goto(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def reload(self) -> None:
        self._ask("browsingContext.reload", context=self._page, wait="complete")

    def evaluate(self, function: str, *arguments: object) -> Any:
        """Call a JavaScript function in the page, wait for its result and return it."""
        given = ", ".join(map(json.dumps, arguments))
        call = f"(async () => JSON.stringify((await ({function})({given})) ?? null))()"
        target = {"context": self._page}
        answer = self._ask("script.evaluate", expression=call, target=target, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait_for(self, selector: str) -> tuple[float, float]:
        """Wait for an element; return the point in its middle."""
        x, y = self.evaluate(PLACE, selector)
        return x, y

    def click(self, selector: str) -> None:
        self.click_at(*self.wait_for(selector))

    def click_at(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "actions": [move, *press]}
        self._ask("input.performActions", context=self._page, actions=[mouse])

    def _ask(self, method: str, **parameters: object) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message.get("method") == "log.entryAdded":
                self._note(message["params"])
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]

    def _note(self, entry: dict[str, Any]) -> None:
        if entry["type"] == "javascript" and entry["level"] == "error":
            self.complaints.append(entry["text"])
