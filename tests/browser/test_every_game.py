"""Every game in the catalogue can be played, with or without a board of its own."""

import pytest
from playwright.sync_api import expect

from quatuor.games import names
from tests.browser.steps import headline, sit_down, turns

COMPILING = 60_000  # on a fresh machine the engine is compiled before it answers
GENERIC = [name for name in names() if name != "plus4"]


@pytest.mark.parametrize("game", GENERIC)
def test_a_turn_against_the_engine_on_the_generic_board(page, game):
    sit_down(page, game=game, way="engine", begins="me")
    picture = page.locator(".generic img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    first = page.locator("button.move").first
    move = first.inner_text()
    page.get_by_label("Find a move").fill(move)
    page.get_by_role("button", name=f"Play {move}", exact=True).click()
    expect(turns(page).first).to_contain_text(move)
    expect(headline(page)).not_to_contain_text("thinking", timeout=COMPILING)
    expect(page.locator("button.move").first).to_be_visible()


def test_the_first_page_offers_every_game(page):
    page.goto("/")
    for name in names():
        expect(page.locator(f"[data-game={name}] svg").first).to_be_visible()
