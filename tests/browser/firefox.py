"""The Firefox of this machine, controlled by WebDriver BiDi, which Firefox itself supports.

Playwright needs commands that Debian's Firefox does not have. Scripts run in the page; clicks are mouse clicks. What a
page cannot do, such as to open a private window, a script in the browser's own scope does.
"""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
PATIENCE = 60  # seconds, on a busy machine
PRIVATE = "about:privatebrowsing"  # what a private window shows first
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
KEYS = {  # as WebDriver writes them
    "Enter": "\ue006", "Tab": "\ue004",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}  # fmt: skip
# Draw ten pictures a second, for those who look on for long: whole games take two thirds of the processor time
FEW_FRAMES = 'user_pref("layout.frame_rate", 10);\n'
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
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    command += ["--remote-debugging-port", "0", "--remote-allow-system-access"]
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
        self.events: list[tuple[str, str]] = []  # lines of the console, and pages loaded
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded", "browsingContext.load"])
        chrome = {"moz:scope": "chrome"}
        self._browser = self._ask("browsingContext.getTree", **chrome)["contexts"][0]["context"]
        self.open_window()

    def open_window(self) -> None:
        """Go on in a new window. It has the focus, as keys need it: a Firefox without a screen starts without."""
        self._page = self._ask("browsingContext.create", type="window")["context"]

    @contextmanager
    def private_window(self) -> Iterator[None]:
        """In a private window, which is closed afterwards."""
        before = self._page
        with self.expect("browsingContext.load", PRIVATE):
            self.command("void OpenBrowserWindow({ private: true })")
        contexts = self._ask("browsingContext.getTree")["contexts"]
        (self._page,) = (found["context"] for found in contexts if found["url"] == PRIVATE)
        try:
            yield
        finally:
            self._ask("browsingContext.close", context=self._page)
            self._page = before

    def command(self, expression: str) -> Any:
        """Evaluate an expression in the browser's own scope, not in the page."""
        return self._evaluate(f"(async () => JSON.stringify((await ({expression})) ?? null))()", self._browser)

    @contextmanager
    def preference(self, name: str, value: int | bool) -> Iterator[None]:
        """With a preference set."""
        kind = "Bool" if isinstance(value, bool) else "Int"
        self.command(f"Services.prefs.set{kind}Pref({json.dumps(name)}, {json.dumps(value)})")
        try:
            yield
        finally:
            self.command(f"Services.prefs.clearUserPref({json.dumps(name)})")

    @contextmanager
    def crash(self) -> Iterator[None]:
        """At the end of the block kill all processes of pages, at once; go on in a new window."""
        found = "(await ChromeUtils.requestProcInfo()).children.filter(({ type }) => type === 'webIsolated')"
        processes = self.command(f"(async () => {found}.map(({{ pid }}) => pid))()")
        assert processes
        yield
        for process in processes:
            os.kill(process, signal.SIGKILL)
        self.open_window()

    @contextmanager
    def expect(self, kind: str, text: str) -> Iterator[None]:
        """Wait until this event has come since the beginning of the block; ``text``: its beginning."""
        before = len(self.events)
        yield
        while not any(event == kind and what.startswith(text) for event, what in self.events[before:]):
            self._receive()

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
        return self._evaluate(f"(async () => JSON.stringify((await ({function})({given})) ?? null))()", self._page)

    def _evaluate(self, expression: str, context: str) -> Any:
        target = {"context": context}
        answer = self._ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
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

    def press(self, *keys: str) -> None:
        """Press keys, one after the other: characters, or names such as ``Enter``."""
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": strokes}
        self._ask("input.performActions", context=self._page, actions=[keyboard])

    def _ask(self, method: str, **parameters: object) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := self._receive()).get("id") != number:
            pass
        if message["type"] == "error":
            raise RuntimeError(f"{method}: {message['message']}")
        return message["result"]

    def _receive(self) -> dict[str, Any]:
        """The next message; events are noted."""
        message: dict[str, Any] = json.loads(self._socket.recv(PATIENCE))
        kind, what = message.get("method"), message.get("params", {})
        if kind == "log.entryAdded":
            self.events.append((kind, str(what["text"])))
            if what["type"] == "javascript" and what["level"] == "error":
                self.complaints.append(what["text"])
        elif kind == "browsingContext.load":
            self.events.append((kind, what["url"]))
        return message
