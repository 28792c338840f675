import pytest
from playwright.sync_api import expect, sync_playwright

from quatuor.server.budgets import LIMITS
from quatuor.server.settings import Settings
from tests.browser import firefox as firefox_here
from tests.browser.chrome import build_page, launch
from tests.server.client import ServerThread

PATIENCE = 30_000  # the first engine move or solution may have to be compiled, on a busy machine
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SERVER_ENGINES = """try { localStorage.quatuor ??= '{"engine":"server"}'; } catch {}"""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The real server with the real page."""
    store = tmp_path_factory.mktemp("store") / "games.sqlite"
    server = ServerThread(
        Settings(
            store=str(store),
            page=build_page(),
            engine_pace=0.05,
            messages=(1000, 1000),
            sign_ins=(1000, 1000),
            budgets=dict.fromkeys(LIMITS, 1e9),
        )
    )
    yield server
    server.close()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def firefox(tmp_path_factory):
    with firefox_here.launch(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def visitor(request, browser, server):
    """A function that opens a page for a new visitor, in a separate browser context. No page may log an error.

    The server's engines play; tests of play without a server (offline/) open their own pages. Only tests with the mark
    ``motion`` show movement: to draw each step takes a third of the processor time.
    """
    contexts, complaints = [], []
    motion = "no-preference" if request.node.get_closest_marker("motion") else "reduce"

    def come(phone=False, locale="en-GB", **options):
        screen = {"viewport": PHONE, "is_mobile": True, "has_touch": True} if phone else {"viewport": DESKTOP}
        options = {"service_workers": "block", "reduced_motion": motion, **options}
        context = browser.new_context(base_url=f"http://{server.address}", locale=locale, **screen, **options)
        context.add_init_script(SERVER_ENGINES)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if _is_complaint(message) else None)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not complaints


def _is_complaint(message):
    """Errors of the console, without the browser's notes about answers such as 404: the page handles those."""
    notes = ("Failed to load resource", "WebSocket connection")
    return message.type == "error" and not message.text.startswith(notes)


@pytest.fixture
def page(visitor):
    return visitor()
