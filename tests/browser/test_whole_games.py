"""Every way to play against engines to its end, by clicks on the board."""

import re

import pytest
from playwright.sync_api import expect

from quatuor.games import names, rulebook
from tests.browser.steps import caption, headline, turns

SHORT = {
    ("plus4", "endless"): {"target": 3},
    ("plus4", "rounds"): {"rounds": 2},
    ("trois_six", "classic"): {"quiet_turns": 4},
}
VARIANTS = [(name, variant.name) for name in names() for variant in rulebook(name).variants]

# Clicks what the board offers until the game is over; gives how many turns it took, or what it was stuck with.
TO_THE_END = """async (game) => {
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const all = (selector) => [...document.querySelectorAll(selector)];
    const any = (selector) => { const found = all(selector); return found[Math.floor(Math.random() * found.length)]; };
    const click = async (element) => { element?.click(); await pause(0); return element; };
    const moves = {
        plus4: () => click(any("[data-column][aria-disabled='false']")),
        blokus: async () => {
            if (!await click(document.querySelector("[data-piece]:not(.stuck)[aria-disabled='false']"))) return;
            await click(document.querySelector('[data-do=lay]'));
        },
        plateau_x: async () => {
            const end = await click(document.querySelector('[data-end]'));
            if (end) return click(document.querySelector('.controls .button'));
            for (const tool of all("[data-tool]:not(:disabled)")) {
                await click(tool);
                for (let quarter = 0; quarter < 4; quarter++) {
                    const cell = any("[data-cell][aria-label*='It fits'], [data-cell][aria-label*='within reach']");
                    if (cell) return click(cell);
                    await click(document.querySelector('[data-turn]'));
                }
            }
        },
        trois_six: async () => {
            if (!await click(any("[data-cell][aria-disabled='false']"))) return;
            await click(any("[data-cell][aria-label*='possible target']"));
            await click(document.querySelector('.give.primary'));
        },
    };
    for (const end = Date.now() + 90000; Date.now() < end; await pause(5)) {
        if (document.querySelector('.status.result')) return '';
        if (document.querySelector('.status.mine')) await moves[game]();
    }
    return document.querySelector('main').innerText;
}"""


def open_table(page, game, variant, seats):
    """A table as the first page opens it, with house rules for a short game."""
    page.request.get("/api/me")  # the table belongs to whoever this makes the browser
    wish = {"game": game, "variant": variant, "options": SHORT.get((game, variant), {}), "seats": seats}
    answer = page.request.post("/api/tables", data=wish)
    page.goto(f"/t/{answer.json()['id']}")
    expect(page.locator("[data-link=online]")).to_be_attached()


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_against_engines_to_the_end(visitor, game, variant):
    page = visitor(reduced_motion="reduce")
    count = next(item.seats for item in rulebook(game).variants if item.name == variant)
    open_table(page, game, variant, [{"kind": "me"}, *[{"kind": "engine", "level": 1}] * (count - 1)])
    assert page.evaluate(TO_THE_END, game) == ""
    expect(headline(page)).to_have_text(re.compile("win|lose|draw|share"))
    expect(caption(page)).not_to_have_text("")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert turns(page).count() > 3


def test_the_endless_grid_on_one_device(page):
    open_table(page, "plus4", "endless", [{"kind": "me"}] * 2)
    assert page.evaluate(TO_THE_END, "plus4") == ""
    expect(headline(page)).to_have_text(re.compile("(Blue|Red) wins!"))
