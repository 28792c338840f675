"""The page loads little script, and its layout does not shift while it loads."""

import gzip

import pytest
from playwright.sync_api import expect

from quatuor.games import names
from tests.browser.test_whole_games import open_table

LIMIT = 100_000  # bytes of compressed script
STILL = 0.01  # cumulative layout shift: a tenth of what counts as good
JUMPS = """async () => {
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const found = [];
    const note = (list) => list.getEntries().forEach((entry) => !entry.hadRecentInput && found.push(
        [entry.value, ...entry.sources.map(({node}) => node?.nodeName + '.' + node?.className)]));
    new PerformanceObserver(note).observe({type: 'layout-shift', buffered: true});
    while (window.asked) await pause(10);
    await new Promise(requestAnimationFrame);
    await pause(100);
    return found;
}"""
SLOW = """  // answers come late, one after the other, and behind what sockets tell
    const ask = window.fetch;
    window.asked = 0;
    window.fetch = async (...what) => {
        await new Promise((resolve) => setTimeout(resolve, 250 + 50 * window.asked++));
        return ask(...what).finally(() => (window.asked -= 1));
    };
"""
PAGES = {
    "/": "[data-game] svg",
    "/puzzles": "[data-daily]",
    "/puzzles/play?daily=2026-11-15&difficulty=easy": "[data-piece]",
    "/analysis": "textarea",
    "/tournaments": "main h2",
    "/tournaments/new": "input[name=title]",
    "/learn": "main h1",
    "/rules/blokus": "main h2",
}


def _jumps(page):
    """Layout shifts without a cause by the visitor, if they are noticeable."""
    found = page.evaluate(JUMPS)
    return found if sum(value for value, *_ in found) > STILL else []


def test_the_first_page_loads_little_script(page):
    sizes = {}

    def weigh(response):
        if response.url.endswith(".js"):
            sizes[response.url] = len(gzip.compress(response.body()))

    page.on("response", weigh)
    page.goto("/")
    expect(page.locator("[data-game] svg").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert sizes
    assert sum(sizes.values()) < LIMIT, sizes


@pytest.mark.motion
@pytest.mark.parametrize("phone", [False, True])
def test_layout_does_not_shift_while_pages_load(visitor, phone):
    page = visitor(phone=phone)
    page.add_init_script(SLOW)
    for address, sign in PAGES.items():
        page.goto(address)
        expect(page.locator(sign).first).to_be_visible()
        assert _jumps(page) == [], address


@pytest.mark.motion
@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("game", names())
def test_layout_does_not_shift_while_a_table_loads(visitor, game, phone):
    page = visitor(phone=phone)
    page.add_init_script(SLOW)
    variant = {"plus4": "rounds", "blokus": "duo", "plateau_x": "mini", "trois_six": "classic"}[game]
    open_table(page, game, variant, [{"kind": "me"}, {"kind": "me"}])
    expect(page.locator(".status.mine")).to_be_visible()
    assert _jumps(page) == []
