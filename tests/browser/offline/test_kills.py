"""The browser kills the page, or its worker, in the middle of moves and searches: what was answered is kept."""

import contextlib

import pytest
from playwright.sync_api import Error, expect

from tests.browser.offline.conftest import PATIENCE
from tests.browser.offline.test_page import sit_down
from tests.browser.steps import column, headline, turns

# Moves at a table, one as soon as the last one is answered; the console says what was answered.
MOVES = """async (id) => {
    const columns = ['a', 'b', 'c', 'd'];
    const next = (ply) => kit.send(line, { t: 'move', ack: `${ply}`, ply, seat: ply % 2, move: columns[ply % 4] });
    const line = kit.listen(id, ({ t, version }) => {
        if (t === 'ack') console.log(`answered ${version}`);
        if (t === 'ack' || t === 'presence') next(version ?? 0);
    });
}"""
SETUP = {"game": "plus4", "variant": "endless", "options": {"target": 99}, "seats": [{"kind": "me"}] * 2}
OPEN = "async (setup) => (await kit.ask('POST', '/tables', setup)).id"
HISTORY = "async (id) => (await kit.ask('GET', `/tables/${id}`)).history.length"


def crash(page):
    """Kill the process that runs the page and its worker: nothing of either has a chance to end properly."""
    with page.expect_event("crash"), contextlib.suppress(Error):
        page.goto("chrome://crash", wait_until="commit")


@pytest.fixture
def tab(context, site):
    """A fresh tab without a network, with the kit."""

    def come(address=""):
        page = context.new_page()
        page.goto(site[0] + address)
        expect(page.locator("main")).to_be_visible()
        return page

    return come


def address_of(page, site):
    return page.url.removeprefix(site[0])


def test_a_tab_killed_in_the_middle_of_moves_loses_none_that_was_answered(tab):
    page = tab("#/account")
    expect(page.locator("[data-kit=ready]")).to_be_attached(timeout=PATIENCE)
    said = []
    page.on("console", lambda message: said.append(message.text))
    table = page.evaluate(OPEN, SETUP)
    with page.expect_console_message(lambda message: message.text == "answered 7"):
        page.evaluate(MOVES, table)
    crash(page)  # the next move is on its way
    last = max(int(text.removeprefix("answered ")) for text in said if text.startswith("answered "))
    page = tab(f"#/t/{table}")
    expect(page.locator("[data-link=online]")).to_be_attached(timeout=PATIENCE)
    assert last <= page.evaluate(HISTORY, table) <= last + 1
    page.close()


def test_a_tab_killed_in_the_middle_of_a_search_and_then_its_worker(tab, site):
    page = tab()
    sit_down(page, "plus4", level=8, variant=1)
    table = address_of(page, site)
    column(page, "b").click()
    expect(headline(page)).to_contain_text("thinking")
    expect(turns(page)).to_have_count(1)
    crash(page)

    page = tab(table)
    expect(turns(page)).to_have_count(2, timeout=PATIENCE)  # the computer has thought anew
    column(page, "c").click()
    expect(headline(page)).to_contain_text("thinking")
    page.evaluate("kit.worker.terminate()")
    expect(turns(page)).to_have_count(4, timeout=PATIENCE)  # in another worker
    page.locator("a.brand").click()
    sit_down(page, "plus4", variant=1)  # a quick answer, to a move that the worker did not live to read
    expect(column(page, "d")).to_have_attribute("aria-disabled", "false")
    page.evaluate("() => { document.querySelector(\"[data-column='d']\").click(); kit.worker.terminate(); }")
    expect(turns(page)).to_have_count(2, timeout=PATIENCE)  # sent again, and played once
    page.close()
