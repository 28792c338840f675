"""Blokus by mouse, touch and keyboard; every variant to its end."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.checks import drawn, findings, fits, has_large_targets
from tests.browser.steps import (
    caption,
    headline,
    is_over,
    open_table,
    play_to_the_end,
    sit_down,
    spoken,
    straight_to,
    turns,
)

VARIANTS = ["classic", "teams", "two", "three", "duo"]
EDGE = 0.75  # the frame of the board, in cells


def _sit(page, variant="classic", **options):
    if options:
        sit_down(page, game="blokus", variant=VARIANTS.index(variant), **options)
    else:
        straight_to(page, "blokus", variant)
    expect(page.locator("[data-board]")).to_be_visible()


def _piece(page, name):
    return page.locator(f"[data-piece='{name}']")


def _at(page, cell, size=20):
    """The middle of a cell on the screen."""
    box = page.locator("[data-board]").bounding_box()
    unit = box["width"] / (size + 2 * EDGE)
    column, row = ord(cell[0]) - 97, size - int(cell[1:])
    return box["x"] + (EDGE + column + 0.5) * unit, box["y"] + (EDGE + row + 0.5) * unit


def _advice(page):
    return page.locator(".advice")


def _now(page):
    return page.locator("[data-now]")


def _last(page):
    return page.locator("[data-last]")


def _lay(page):
    before = turns(page).count()
    page.locator("[data-do=lay]").click()
    expect(turns(page)).to_have_count(before + 1)


def test_a_whole_game_on_one_device(visitor):  # all variants, against engines: test_whole_games.py
    page = visitor(reduced_motion="reduce")
    _sit(page, "duo")
    expect(_now(page)).to_contain_text("Your turn: blue")
    _piece(page, "I5").click()
    _lay(page)
    expect(_now(page)).to_contain_text("Your turn: yellow")
    play_to_the_end(page, "blokus")
    assert turns(page).count() > 20
    expect(headline(page)).to_have_text(re.compile("win|draw"))
    expect(page.locator("[data-do=numbers]")).to_be_visible()
    for action in ("turn", "flip", "next", "reach", "lay"):  # there is nothing to place any more
        expect(page.locator(f"[data-do={action}]")).to_have_count(0)


def test_by_mouse_with_the_reasons_of_refusals(page):
    _sit(page)
    expect(_advice(page)).to_contain_text("Choose a piece. Your first piece must cover the marked start cell.")
    _piece(page, "L5").click()
    page.mouse.move(*_at(page, "k10"))
    expect(_advice(page)).to_contain_text("your first piece must cover the marked start cell")
    page.mouse.click(*_at(page, "k10"))
    expect(turns(page)).to_have_count(0)
    page.mouse.move(*_at(page, "b20"))
    expect(_advice(page)).to_contain_text("It fits")
    page.keyboard.press("r")
    page.mouse.wheel(0, 120)
    page.mouse.wheel(0, 120)
    page.mouse.wheel(0, 120)  # four turns in all
    page.mouse.click(*_at(page, "b20"))
    expect(_last(page)).to_have_attribute("data-last", "a19,b19,c19,d19,a20")
    expect(caption(page)).to_have_text("Blue places L5 at a20.")
    expect(spoken(page)).to_contain_text("Yellow to move")
    expect(_piece(page, "L5")).to_have_count(1)  # yellow's
    expect(page.locator("[data-hand='0']")).to_contain_text("5 squares placed")

    _piece(page, "2").click()
    _lay(page)
    _piece(page, "2").click()
    _lay(page)
    _piece(page, "2").click()
    _lay(page)
    for cell, why in (
        ("b19", "a cell is occupied"),
        ("a18", "along an edge"),
        ("k10", "does not touch your colour at a corner"),
    ):
        if not page.locator(".held-piece").count():
            _piece(page, "1").click()
        page.mouse.move(*_at(page, cell))
        expect(_advice(page)).to_contain_text(why)
    page.mouse.move(*_at(page, "e18"))
    expect(_advice(page)).to_contain_text("It fits")


@pytest.mark.motion
def test_a_piece_is_dragged_from_the_tray(page):
    _sit(page)
    box = _piece(page, "V5").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 20, box["y"] + 40)
    expect(page.locator(".flying")).to_be_visible()
    page.mouse.move(*_at(page, "b19"), steps=4)
    expect(page.locator(".flying")).to_have_count(0)
    page.mouse.up()
    expect(_last(page)).to_have_attribute("data-last", "a18,b18,c18,a19,a20")


def test_move_numbers_reachable_cells_and_a_hint(page):
    _sit(page, "duo", way="engine")
    _piece(page, "F").click()
    page.locator("[data-do=lay]").click()
    expect(turns(page)).to_have_count(2)
    expect(headline(page)).to_have_text("Your turn")
    page.locator("[data-do=numbers]").click()
    expect(page.locator(".number")).to_have_count(2)
    page.locator("[data-do=reach]").click()
    expect(page.locator("path.reach")).to_be_visible()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_be_visible()
    page.locator("[data-piece].hinted").click()
    expect(page.locator(".held-piece.fits")).to_be_visible()  # it is held where the hint says
    page.locator("[data-do=lay]").click()
    expect(turns(page)).to_have_count(4)
    page.get_by_role("button", name="First position").click()
    expect(_last(page)).to_have_count(0)
    expect(page.locator(".number")).to_have_count(0)


@pytest.mark.motion
def test_against_three_engines(page):
    _sit(page, way="engine")
    for number in range(3):
        expect(_now(page)).to_contain_text("Your turn: blue")
        page.locator("[data-piece]:not(.stuck)").first.click()
        page.locator("[data-do=lay]").click()
        expect(turns(page)).to_have_count(4 * (number + 1))
        expect(headline(page)).to_have_text("Your turn")
        expect(page.locator(".recent")).to_have_count(2)  # what the others placed, except the last piece


def test_the_colour_to_play_is_always_shown(page):
    _sit(page, "two")
    expect(headline(page)).to_have_text("Blue and red to move")
    for colour in ("blue", "yellow", "red", "green", "blue"):
        expect(_now(page)).to_contain_text(f"Your turn: {colour}")
        expect(page.get_by_role("group", name=f"Pieces left: {colour}")).to_be_visible()
        page.locator("[data-piece]:not(.stuck)").first.click()
        _lay(page)
    _sit(page, "three")
    for colour, whose in (("blue", ""), ("yellow", ""), ("red", ""), ("green", "blue places it now")):
        expect(_now(page)).to_contain_text(f"Your turn: {colour}")
        expect(_now(page)).to_contain_text(whose)
        page.locator("[data-piece]:not(.stuck)").first.click()
        _lay(page)


def test_a_whole_game_by_keyboard_alone(page):
    _sit(page, "duo")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.locator("[data-board]:focus").count():
            break
    for _ in range(60):
        if is_over(page):
            break
        before = turns(page).count()
        page.keyboard.press("Enter")  # to the pieces
        while page.locator("[data-piece].stuck:focus").count():
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")  # take it; it is held where it fits
        expect(page.locator("[data-board]")).to_be_focused()
        page.keyboard.press("r")
        page.keyboard.press("f")
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        expect(turns(page)).to_have_count(before + 1)
    assert is_over(page)


def test_keys_choose_move_and_turn_pieces_and_resign(page):
    _sit(page)
    page.keyboard.type("l5")
    expect(_piece(page, "L5")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-board]")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(_advice(page)).to_contain_text("Not here")
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".held-piece")).to_have_count(0)
    expect(_piece(page, "L5")).to_be_focused()
    page.keyboard.press("n")  # without a piece in hand, a letter chooses a piece
    expect(_piece(page, "N")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    while not page.locator("[data-board]:focus").count():
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowUp")
    expect(_advice(page)).to_contain_text("k11, empty")


def test_by_finger_on_a_phone(visitor):
    page = visitor(phone=True)
    _sit(page)
    has_large_targets(page)
    _piece(page, "P").tap()
    expect(page.locator(".held-piece.fits")).to_be_visible()
    page.locator("[data-board]").scroll_into_view_if_needed()
    page.touchscreen.tap(*_at(page, "k10"))
    expect(page.locator(".held-piece:not(.fits)")).to_be_visible()
    page.touchscreen.tap(*_at(page, "b18"))  # near enough
    expect(page.locator(".held-piece.fits")).to_be_visible()
    expect(turns(page)).to_have_count(0)  # a touch alone places nothing
    page.locator("[data-do=lay]").tap()
    expect(turns(page)).to_have_count(1)
    fits(page, 390)
    page.set_viewport_size({"width": 320, "height": 700})
    fits(page, 320)
    has_large_targets(page)


def _fingers(page):
    """A function that puts fingers down, moves and lifts them."""
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        places = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    return touch


def test_a_finger_drags_from_the_tray_on_a_tablet(visitor):
    page = visitor(has_touch=True)
    _sit(page)
    box = _piece(page, "V5").bounding_box()
    start, end = (box["x"] + 20, box["y"] + 20), _at(page, "b19")
    touch = _fingers(page)
    touch("touchStart", start)
    for step in range(1, 9):
        touch("touchMove", tuple(a + (b - a) * step / 8 for a, b in zip(start, end, strict=True)))
    touch("touchEnd")
    expect(page.locator(".held-piece.fits")).to_be_visible()  # it stays there
    expect(turns(page)).to_have_count(0)
    _lay(page)


def test_two_fingers_turn_the_piece(visitor):
    page = visitor(phone=True)
    _sit(page)
    _piece(page, "I5").tap()
    page.locator("[data-board]").scroll_into_view_if_needed()
    page.touchscreen.tap(*_at(page, "k10"))
    advice = _advice(page).inner_text()
    x, y = _at(page, "k10")
    touch = _fingers(page)
    touch("touchStart", (x - 40, y), (x + 40, y))
    touch("touchMove", (x - 30, y - 30), (x + 30, y + 30))
    touch("touchMove", (x, y - 40), (x, y + 40))
    touch("touchEnd")
    expect(_advice(page)).not_to_have_text(advice)
    expect(_advice(page)).to_contain_text("k8 k9 k10 k11 k12")


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")
    _sit(page, "two")
    assert findings(page) == []
    for _ in range(5):
        page.locator("[data-piece]:not(.stuck)").first.click()
        _lay(page)
    page.locator("[data-do=numbers]").click()
    page.locator("[data-piece]:not(.stuck)").first.click()
    assert findings(page) == []
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".status.result")).to_be_visible()
    assert findings(page) == []


@pytest.mark.motion
@pytest.mark.parametrize("variant", ["two", "three"])
def test_layout_does_not_shift(visitor, variant):
    page = visitor(locale="de-DE")
    _sit(page, variant)
    places = """() => ['[data-board]', '[data-hand]', '[data-do=lay]', '.actions', 'ol'].map((name) => {
        const element = document.querySelector(name), [, sunk] = getComputedStyle(element).translate.split(' ')
        const top = element.getBoundingClientRect().top - parseFloat(sunk ?? 0)  // a pressed button gives way
        return top.toFixed(3)
    })"""
    before = page.evaluate(places)
    for _ in range(9):
        page.locator("[data-piece]:not(.stuck)").first.click()
        drawn(page)
        assert page.evaluate(places) == before
        _lay(page)
    assert page.evaluate(places) == before


@pytest.mark.parametrize(("width", "height"), [(640, 400), (667, 375), (844, 390)])
def test_a_low_screen_shows_the_board_beside_its_pieces(visitor, width, height):
    page = visitor(reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    _sit(page, "classic")
    board = page.locator("[data-board]").bounding_box()
    assert board["width"] >= 300
    fits(page, width)
    tray = page.locator(".tray [role=group]").bounding_box()
    assert tray["x"] >= board["x"] + board["width"]
    assert tray["y"] < board["y"] + board["height"] / 2
    mat = page.locator(".mat").bounding_box()
    for button in page.locator("[data-do]").all():
        box = button.bounding_box()
        assert box["x"] >= mat["x"]
        assert box["x"] + box["width"] <= mat["x"] + mat["width"]
        assert box["y"] + box["height"] <= mat["y"] + mat["height"]
    assert board["y"] + board["height"] <= height  # all of it without scrolling
    lay = page.locator("[data-do=lay]").bounding_box()
    assert lay["y"] + lay["height"] <= height
    page.locator("[data-piece='1']").click()
    page.locator("[data-do=lay]").click()
    expect(turns(page)).to_have_count(1)


def test_a_phone_shows_board_tray_and_buttons_without_scrolling(visitor):
    page = visitor(phone=True, reduced_motion="reduce")
    open_table(page, "blokus", "classic", [{"kind": "me"}, *[{"kind": "engine", "level": 1}] * 3])
    expect(page.locator(".status.mine")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("[data-board]").bounding_box()["width"] >= 340
    buttons = page.locator("[data-do=lay]").bounding_box()["y"]
    for piece in page.locator("[data-piece]").all():
        box = piece.bounding_box()
        assert box["y"] + box["height"] <= buttons
    expect(page.get_by_text("Your turn").filter(visible=True)).to_have_count(1)


def test_a_move_is_described_by_piece_and_cell_or_by_its_notation(page):
    _sit(page, "classic")
    _piece(page, "1").click()
    _lay(page)
    expect(turns(page).first.locator(".move-text")).to_have_text("1 at a20")
    expect(turns(page).first).to_have_attribute("title", "a20")
    expect(spoken(page)).to_contain_text("Blue places 1 at a20.")
