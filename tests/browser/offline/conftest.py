"""The page as static files below a path on a host, in a browser without a network, and its worker."""

import contextlib
import functools
import http.server
import shutil
import threading

import pytest
from playwright.sync_api import expect

from tests.browser.chrome import build_site

PATIENCE = 60_000  # the kit starts once, on a busy machine
BELOW = "/some/path/"

# In every page: `kit.ask` sends the worker a request past the page, `kit.listen` and `kit.send` connect to a table.
WORKER = """
    let last = 1e6;  // numbers that the page does not use
    const kit = { worker: null };
    const answered = (n, what, done) => {
        const look = ({ data }) => data.n === n && done(data, () => kit.worker.removeEventListener('message', look));
        kit.worker.addEventListener('message', look);
        kit.worker.postMessage({ n, ...what });
    };
    kit.ask = (...asked) => kit.text(...asked).then(JSON.parse);
    kit.text = (method, path, body, signal) => new Promise((resolve, reject) => {
        const n = (last += 1);
        let text = '';
        signal?.addEventListener('abort', () => kit.worker.postMessage({ t: 'abort', n }));
        answered(n, { t: 'request', method, path, body: body ? JSON.stringify(body) : null }, (data, stop) => {
            if (data.t === 'piece') text += data.text;
            if (data.t === 'end' || data.t === 'broken') stop();
            if (data.t === 'end') resolve(text);
            if (data.t === 'broken') reject(new Error(data.why));
        });
    });
    kit.listen = (table, receive) => {
        const n = (last += 1);
        answered(n, { t: 'open', table, since: 0 }, ({ t, text }) => t === 'message' && receive(JSON.parse(text)));
        return n;
    };
    kit.send = (n, message) => kit.worker.postMessage({ t: 'message', n, text: JSON.stringify(message) });
    window.Worker = class extends Worker {
        constructor(...how) {
            super(...how);
            kit.worker = this;
        }
    };
    window.kit = kit;
"""


class Files(http.server.SimpleHTTPRequestHandler):
    """A host that serves a folder and nothing else."""

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def hosted(root, port=0):
    """The page at a static host, again if it was there before: its address and its folder below the root."""
    folder = root / BELOW.strip("/")
    if not folder.exists():
        shutil.copytree(build_site(), folder)
    host = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Files, directory=root))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{host.server_port}{BELOW}", folder
    finally:
        host.shutdown()
        host.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of the page at a static host, and its folder."""
    with hosted(tmp_path_factory.mktemp("host")) as found:
        yield found


@pytest.fixture(scope="module")
def context(browser, site):
    """A browser that has visited the page once and then lost its network."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WORKER)
    page = context.new_page()
    page.goto(f"{site[0]}#/account")
    expect(page.locator("[data-kit=ready]")).to_be_attached(timeout=PATIENCE)
    page.evaluate(KEPT)
    page.close()
    context.set_offline(True)
    yield context
    context.close()


KEPT = """async () => {  // until the service worker has kept the kit
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    for (;;) {
        const names = (await caches.keys()).filter((name) => name.startsWith('quatuor-kit-'));
        const kept = names.length ? (await (await caches.open(names[0])).keys()).length : 0;
        if (kept >= 7) return;
        await pause(100);
    }
}"""


@pytest.fixture(scope="module")
def tab(context, site):
    """One tab for all tests that do not need a new one: the kit starts once."""
    page = context.new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(site[0])
    expect(page.locator("[data-game] svg").first).to_be_visible()
    return page


@pytest.fixture
def page(tab):
    tab.locator("a.brand").click()
    yield tab
    assert not tab.complaints
