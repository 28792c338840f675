"""A fifth game with its own board: two new folders, no existing file changed, and it is played on the page."""

import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SERVER_ENGINES
from tests.browser.steps import headline, turns
from tests.fifth_game import copy, environment

SERVE = """
from pathlib import Path
from quatuor.server.serve import listen, make_server
from quatuor.server.settings import Settings
socket = listen("127.0.0.1", 0)
print(socket.getsockname()[1], flush=True)
make_server(Settings(store="games.sqlite", secret=Path("secret"))).run(sockets=[socket])
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server that runs the copy, with the page built there."""
    store, found = tmp_path_factory.mktemp("fifth"), environment(copy())
    command = [sys.executable, "-c", SERVE]
    with subprocess.Popen(command, cwd=store, env=found, stdout=subprocess.PIPE, text=True) as server:
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        server.terminate()


def test_it_is_played_on_its_own_board(browser, address):
    context = browser.new_context(base_url=address, reduced_motion="reduce")
    context.add_init_script(SERVER_ENGINES)
    page = context.new_page()
    page.goto("/")
    page.locator("[data-game=torus] [data-enter=here]").click()
    page.locator("[data-start]").click()
    for count, cell in enumerate(("a1", "b1", "b2", "a2", "c3"), 1):
        page.locator(f".torus [data-cell={cell}]").click()
        expect(turns(page)).to_have_count(count)
        expect(page.locator(f".torus [data-cell={cell}]")).to_have_text("XO"[(count - 1) % 2])
    expect(headline(page)).to_have_text("Player 1 wins!")
    expect(page.locator(".torus button:enabled")).to_have_count(0)
    context.close()
