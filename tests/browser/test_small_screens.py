"""Phones upright and on their side, and pages at 320 pixels: nothing is cut off, a turn's things are in sight."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

import quatuor
from tests.browser.checks import fits
from tests.browser.conftest import DESKTOP
from tests.browser.steps import open_table, push, sit_down, start, straight_to
from tests.browser.test_puzzles import LARGE_ONE

PHONE, SIDEWAYS, NARROW, ZOOMED = (
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 320, "height": 640},
    {"width": 640, "height": 400},  # a window of 1280 by 800 at 200%
)
CUT_OFF = """(selector) => [...document.querySelectorAll(selector)]
    .filter((e) => e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"""
WORDS = "[data-tool] .name, .stocks .height, .stocks small, [data-card] .head, [data-card] .text, [data-player] strong"


def _at(visitor, size, **options):
    page = visitor(phone=True, reduced_motion="reduce", **options)
    page.set_viewport_size(size)
    return page


def _bottom(locator):
    box = locator.bounding_box()
    assert box
    return box["y"] + box["height"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE, SIDEWAYS, NARROW])
def test_hints_stand_side_by_side(visitor, size):
    page = _at(visitor, size, locale="de-DE")
    sit_down(page, way="engine")
    page.get_by_role("button", name="Tipp").click()
    expect(page.locator(".chip")).to_have_count(4)
    boxes = [chip.bounding_box() for chip in page.locator(".chip").all()]
    for left, right in pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"] + 1
    assert page.evaluate(CUT_OFF, ".chip") == []


@pytest.mark.parametrize("size", [PHONE, NARROW])
def test_an_invitation_is_legible_on_a_phone(visitor, size):
    page = _at(visitor, size, locale="de-DE")
    start(page, game="blokus", way="invite")
    level = page.locator("[data-seat] select").first
    expect(level).to_be_visible()
    assert level.bounding_box()["width"] >= 100  # the name of the level is legible
    guest = _at(visitor, size, locale="de-DE")
    guest.goto(page.locator("[data-invite]").input_value())
    colour = guest.locator("[data-invitation] li strong").first
    expect(colour).to_be_visible()
    assert colour.bounding_box()["height"] < 30  # one line


def test_a_sheet_to_print_is_small_but_whole_on_a_phone(visitor):
    page = _at(visitor, NARROW, locale="de-DE")
    page.goto("/print/plus4/moves")
    expect(page.locator("th").first).to_be_visible()
    assert page.evaluate(CUT_OFF, "th, .sheet") == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW])
@pytest.mark.parametrize(("game", "variant"), [("plus4", "endless"), ("blokus", "duo"), ("plateau_x", "four")])
def test_players_names_are_not_cut_off(visitor, size, game, variant):
    page = _at(visitor, size)
    others = [{"kind": "engine", "level": 1}] * (quatuor.new(game, variant).seats - 1)
    open_table(page, game, variant, [{"kind": "me"}, *others])
    mine = page.locator("[data-player='0']")
    expect(mine).to_contain_text("you")
    assert page.evaluate(CUT_OFF, "[data-player] .who, [data-player] strong, [data-player] small") == []
    if len(others) > 1:  # the signs say the colours, so the names stand there
        expect(page.locator("[data-player='1'] small")).to_contain_text("Level 1")


def test_the_bonus_pawn_in_the_list_of_moves_is_not_cut_off(visitor):
    page = _at(visitor, PHONE)
    sit_down(page, variant=1)
    push(page, "a", "b", "c", "a", "b*", "c*")
    expect(page.locator(".move-text").last).to_have_text("c★")
    assert page.evaluate(CUT_OFF, ".move-text") == []


def test_plateau_x_on_its_side_shows_board_and_bricks(visitor):
    page = _at(visitor, SIDEWAYS)
    straight_to(page, "plateau_x", "four")
    assert _bottom(page.locator(".field")) <= SIDEWAYS["height"]
    for tool in page.locator("[data-tool]").all():
        assert _bottom(tool) <= SIDEWAYS["height"]


IN_SIGHT = {  # the board, its cells, and what a turn needs
    ("plus4", "elementary"): ".plus4 svg",
    ("plateau_x", "four"): ".field, [data-cell], [data-tool], .controls .button",
    ("trois_six", "classic"): ".square, [data-cell], [data-card], .buttons .button",
}


@pytest.mark.parametrize("size", [PHONE, NARROW, ZOOMED])
def test_board_and_tools_are_in_sight_together_with_every_word_whole(visitor, size):
    page = _at(visitor, size, locale="de-DE")
    for (game, variant), things in IN_SIGHT.items():
        straight_to(page, game, variant)
        expect(page.locator(things).first).to_be_visible()
        for thing in page.locator(things).all():
            assert _bottom(thing) <= size["height"] + 1, (game, thing)
        assert page.evaluate(CUT_OFF, WORDS) == [], game


@pytest.mark.parametrize("size", [SIDEWAYS, ZOOMED])
def test_a_puzzle_on_a_low_screen_shows_board_pieces_and_buttons(visitor, size):
    page = _at(visitor, size)
    page.goto(f"/puzzles/play{LARGE_ONE}")
    for thing in ("[data-piece]", "[data-do=turn]", "[data-do=lay]", ".surface"):
        expect(page.locator(thing).first).to_be_visible()
        assert _bottom(page.locator(thing).first) <= size["height"], thing


def test_at_200_percent_no_page_scrolls_sideways(visitor):
    page = _at(visitor, ZOOMED)
    for path in ("/", "/tournaments/new", "/lobby", "/puzzles", "/print", "/rules/plateau_x"):
        page.goto(path)
        expect(page.locator("main h1")).to_be_visible()
        fits(page, ZOOMED["width"])


def test_blokus_at_320_pixels_shows_the_whole_board_above_its_buttons(visitor):
    page = _at(visitor, NARROW)
    straight_to(page, "blokus", "classic")
    place = page.locator("[data-do=lay]")
    expect(place).to_be_visible()
    turn = page.get_by_role("button", name="Turn", exact=True)
    assert _bottom(page.locator(".surface")) <= turn.bounding_box()["y"]
    assert place.bounding_box()["y"] == turn.bounding_box()["y"]
    assert _bottom(page.locator("[data-piece]").first) <= place.bounding_box()["y"]


def test_a_title_names_the_game_once(visitor):
    page = visitor()
    straight_to(page, "blokus", "classic")
    expect(page.locator("h1")).to_have_text("Blokus for four")
    straight_to(page, "blokus", "duo")
    expect(page.locator("h1")).to_have_text("Blokus · Duo")
