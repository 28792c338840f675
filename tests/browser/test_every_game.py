"""Every game in the catalogue can be played, on its own board and as a plain list of moves."""

import re

import pytest
from playwright.sync_api import expect

from quatuor.games import names
from tests.browser.steps import headline, start, turns

COMPILING = 60_000  # on a fresh machine the engine is compiled before it answers


@pytest.mark.parametrize("game", names())
def test_a_turn_against_the_engine_by_the_list_of_moves(page, game):
    start(page, game=game, way="engine", begins="me")
    page.get_by_label("Moves as a list").check()
    picture = page.locator(".generic img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    button = page.locator("button.move").first
    move, notation = button.inner_text(), button.get_attribute("title")
    page.get_by_label("Find a move").fill(move)
    page.get_by_role("button", name=move, exact=True).and_(page.locator(f"[title='{notation}']")).click()
    expect(turns(page).first).to_have_attribute("title", re.compile(f"^{re.escape(notation)}( / .*)?$"))
    expect(headline(page)).not_to_contain_text("thinking", timeout=COMPILING)
    expect(page.locator("button.move").first).to_be_visible()


def test_the_first_page_offers_every_game(page):
    page.goto("/")
    for name in names():
        expect(page.locator(f"[data-game={name}] svg").first).to_be_visible()
