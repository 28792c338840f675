"""3/6 on its board: secret orders, handing the device over, revealing both orders together."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.checks import drawn, findings, fits, has_large_targets
from tests.browser.steps import accept, caption, headline, sit_down, spoken, start, straight_to, turns

Order = tuple[str, str] | None  # from cell to cell; None: no move
ROW = [(("A1", "B2"), ("B1", "C1")), (("B2", "C2"), None), (("C2", "D2"), None), (("E1", "E2"), None)]


def open_table(page: Page, **options) -> None:
    """A table on one device with house rules."""
    page.request.get("/api/me")  # this request makes the browser a guest, who owns the table
    seats = [{"kind": "me"}, {"kind": "me"}]
    answer = page.request.post(
        "/api/tables", data={"game": "trois_six", "variant": "classic", "options": options, "seats": seats}
    )
    page.goto(f"/t/{answer.json()['id']}")
    expect(page.locator("[data-link=online]")).to_be_attached()


def cell(page: Page, name: str) -> Locator:
    return page.locator(f"[data-cell={name}]")


def give_button(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Give the order"))


def no_move(page: Page) -> Locator:
    return page.get_by_role("button", name="Stay", exact=True)


def taken(page: Page) -> Locator:
    """The button of the person who now has the device."""
    return page.get_by_role("button", name=re.compile("^Ready"))


def card(page: Page, side: int, kind: str) -> Locator:
    return page.locator(f"[data-card='{side}'][data-kind={kind}]")


def pawns(page: Page) -> Locator:
    return page.locator(".trois-six g.at")


def choose(page: Page, order: Order) -> None:
    if order is None:
        expect(no_move(page)).to_be_enabled()
        no_move(page).click()
    else:
        expect(cell(page, order[0])).to_have_attribute("aria-disabled", "false")
        cell(page, order[0]).click()
        cell(page, order[1]).click()


def order(page: Page, order: Order) -> None:
    choose(page, order)
    give_button(page).click()


def turn(page: Page, white: Order, black: Order) -> None:
    """A whole turn on one device."""
    before = turns(page).count()
    order(page, white)
    taken(page).click()
    order(page, black)
    expect(turns(page)).to_have_count(before + 1)


@pytest.mark.motion
def test_a_whole_game_on_one_device(page):
    straight_to(page, "trois_six", "classic")
    expect(headline(page)).to_have_text("White to move")
    for white, black in ROW:
        turn(page, white, black)
    expect(headline(page)).to_have_text("White wins!")
    expect(caption(page)).to_have_text("White has three in a row.")
    expect(spoken(page)).to_contain_text("White 2 moves to E2. Black stays. White wins!")
    expect(page.locator(".three")).to_have_count(1)
    expect(page.locator(".prompt")).to_have_text("White has three in a row.")
    expect(give_button(page)).to_have_count(0)


def test_the_cover_leaves_no_trace_of_the_order(page):
    straight_to(page, "trois_six", "classic")
    seen = []
    for secret in (("A1", "B2"), ("F6", "E5"), None):
        order(page, secret)
        expect(page.get_by_role("dialog")).to_contain_text("Pass the device to Black.")
        expect(spoken(page)).to_have_text("Black to move")
        box = page.get_by_role("dialog").bounding_box()
        assert (box["width"], box["height"]) == (1280, 800)
        seen.append(page.content())
        page.keyboard.press("Escape")
        expect(taken(page)).to_be_focused()  # only the button continues
        taken(page).click()
        expect(card(page, 0, "sealed")).to_be_visible()
        seen.append(page.content())
        page.get_by_role("button", name="Take back").click()
        expect(headline(page)).to_have_text("White to move")
        expect(card(page, 0, "sealed")).to_have_count(0)
    assert seen[0] == seen[2] == seen[4]
    assert seen[1] == seen[3] == seen[5]


def test_the_cover_comes_back_after_a_reload(page):
    straight_to(page, "trois_six", "classic")
    order(page, ("A1", "B2"))
    taken(page).click()
    page.reload()
    taken(page).click()
    order(page, ("A2", "B2"))
    expect(caption(page)).to_have_text("White 1 and Black 3 both chose B2: neither moves.")


@pytest.mark.motion
def test_the_results_of_both_orders_are_shown(page):
    open_table(page, own_stacking="yes")
    turn(page, ("A1", "B2"), ("A2", "B2"))
    expect(page.locator(".clash")).to_have_count(1)
    for side in (0, 1):
        expect(card(page, side, "open")).to_contain_text("same cell")
    turn(page, ("A1", "B1"), ("B1", "A1"))
    expect(caption(page)).to_have_text("White 1 and Black 1 pass each other between A1 and B1.")
    turn(page, ("F2", "F1"), ("F5", "F6"))
    expect(caption(page)).to_have_text("White 3 lands on Black 2 on F1. Black 4 lands on White 6 on F6.")
    expect(cell(page, "F1")).to_have_attribute("aria-label", re.compile("^F1: White 3, pile of 2"))
    expect(pawns(page)).to_have_count(10)
    cell(page, "F1").click()
    expect(cell(page, "D3")).to_have_attribute("aria-label", "D3: empty, possible target")  # two cells to its target
    page.keyboard.press("Escape")
    turn(page, ("E1", "F1"), None)
    expect(caption(page)).to_have_text("White 2 lands on White 3 on F1. Black stays.")
    expect(pawns(page)).to_have_count(9)
    turns(page).nth(0).click()
    expect(page.locator(".clash")).to_have_count(1)  # looking back shows the orders of that turn
    expect(pawns(page)).to_have_count(12)


def test_impossible_orders_and_blocked_cells(page):
    open_table(page, void_blocks="yes")
    page.get_by_role("button", name="Block a cell").click()
    cell(page, "B2").click()  # no white pawn reaches it
    give_button(page).click()
    taken(page).click()
    order(page, ("A2", "B2"))
    expect(caption(page)).to_have_text("White and Black 3 both chose B2: neither moves.")
    page.get_by_role("button", name="Block a cell").click()
    cell(page, "A1").click()  # under one's own pawn
    expect(card(page, 0, "draft")).to_contain_text("A1")
    give_button(page).click()
    taken(page).click()
    order(page, None)
    expect(caption(page)).to_have_text("White blocked A1, but nobody went there. Black stays.")
    expect(page.locator(".cross")).to_have_count(1)
    expect(card(page, 0, "past")).to_contain_text("blocked")


def test_a_side_with_two_pawns_left_loses(page):
    open_table(page, layout="A1 C1 E1 A4 F4 F6 / B2 D2 A5 F5 C4 D6")
    for white in (("A1", "B2"), ("C1", "D2"), ("A4", "A5")):
        turn(page, white, None)
    expect(page.locator("small.few")).to_have_count(1)  # three left: one more landing decides
    turn(page, ("F4", "F5"), None)
    expect(headline(page)).to_have_text("White wins!")
    expect(caption(page)).to_have_text("Black has only 2 pawns left and loses.")


def test_quiet_turns_are_counted_near_the_end(page):
    open_table(page, quiet_turns=3)
    turn(page, None, None)
    expect(caption(page)).to_have_text("Neither side moves.")
    expect(page.locator(".note")).to_have_text("Draw in 2 turns if nobody lands on a pawn")
    turn(page, ("A1", "B2"), None)
    expect(page.locator(".note")).to_have_text("Draw in 1 turn if nobody lands on a pawn")
    turn(page, None, None)
    expect(headline(page)).to_have_text("Draw")
    expect(caption(page)).to_have_text("3 turns in a row without landing on a pawn.")


def test_each_move_in_the_list_has_the_colour_of_its_player(page):
    straight_to(page, "trois_six", "classic")
    _type_turn(page, "1b2", "-")
    expect(turns(page).locator(".mark svg")).to_have_count(2)
    expect(turns(page).locator(".move-text")).to_have_text(["1 → B2", "–"])


def test_by_keyboard_alone(page):
    page.goto("/")
    page.locator("[data-game]").first.wait_for()
    _tab_to(page, "[data-game=trois_six] [data-enter=here]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-start]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(headline(page)).to_have_text("White to move")
    _type_turn(page, "1b2", "1c1")
    _type_turn(page, "1C2", "-")
    _tab_to(page, "[data-cell]")  # and with arrows over the board
    for key in ("Home", *["ArrowDown"] * 4, "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(cell(page, "C2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, "C2")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(give_button(page)).to_be_focused()
    _type_turn(page, "", "-")
    _type_turn(page, "2e2", "-")
    expect(headline(page)).to_have_text("White wins!")
    expect(headline(page)).to_be_focused()  # the button that had the focus is gone


def _type_turn(page: Page, white: str, black: str) -> None:
    """A whole turn on one device by typing both orders."""
    before = turns(page).count()
    for side, keys in enumerate((white, black)):
        for key in keys:
            page.keyboard.press(key)
        expect(give_button(page)).to_be_focused()
        page.keyboard.press("Enter")
        if side == 0:
            expect(taken(page)).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(cell(page, "A6")).to_be_focused()
    expect(turns(page)).to_have_count(before + 1)


def test_against_the_engine_with_a_hint(page):
    sit_down(page, game="trois_six", way="engine")
    expect(headline(page)).to_have_text("Choose your move in secret")
    page.get_by_role("button", name="Hint").click()
    expect(caption(page)).to_contain_text("Hint:", timeout=60_000)
    expect(page.locator(".hint, .hinted").first).to_be_visible()
    for number, mine in enumerate((("A1", "B2"), None, None), 1):  # these orders are legal whatever the engine does
        order(page, mine)
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(turns(page)).to_have_count(number, timeout=60_000)
        expect(turns(page).nth(number - 1).locator(".move-text")).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(turns(page)).to_have_count(2)


@pytest.mark.motion
def test_an_opponents_order_is_shown_only_as_ready(visitor):
    ada, bob = visitor(), visitor()
    start(ada, game="trois_six", way="invite", begins="me")
    accept(bob, ada.locator("[data-invite]").input_value())
    expect(ada.locator("[data-invite]")).to_have_count(0)
    choose(bob, ("F5", "E4"))
    empty = bob.locator(".panel").inner_html()
    order(ada, ("A1", "B2"))
    expect(card(ada, 0, "own")).to_contain_text("B2")
    expect(ada.locator(".prompt")).to_have_text("Waiting for Black to give an order.")
    expect(card(bob, 0, "sealed")).to_be_visible()
    assert "B2" not in bob.locator(".panel").inner_html() != empty
    ada.reload()
    expect(card(ada, 0, "own")).to_contain_text("B2")
    give_button(bob).click()  # what was chosen while the opponent was still thinking
    for page in (ada, bob):
        expect(caption(page)).to_have_text("White 1 moves to B2. Black 4 moves to E4.")
        expect(headline(page)).to_have_text("Choose your move in secret")


def test_a_phone_shows_the_whole_board(visitor):
    page = visitor(phone=True)
    straight_to(page, "trois_six", "classic")
    choose(page, ("A1", "B2"))
    fits(page, 390)
    has_large_targets(page)
    bottom = give_button(page).bounding_box()
    assert bottom["y"] + bottom["height"] < 844  # without scrolling


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")
    open_table(page, void_blocks="yes", quiet_turns=4)
    assert findings(page) == []
    cell(page, "A1").click()
    assert findings(page) == []
    cell(page, "B2").click()
    assert findings(page) == []
    give_button(page).click()
    expect(taken(page)).to_be_visible()
    assert findings(page) == []
    taken(page).click()
    order(page, ("A2", "B2"))
    expect(turns(page)).to_have_count(1)
    assert findings(page) == []


def test_reduced_motion_shows_all_orders_without_movement(visitor):
    page = visitor(reduced_motion="reduce")
    straight_to(page, "trois_six", "classic")
    turn(page, ("A1", "B2"), ("F5", "E4"))
    expect(page.locator(".trois-six .white .point, .trois-six .black .point")).to_have_count(2)
    assert page.evaluate("document.getAnimations().filter((a) => a.effect.getTiming().duration > 1).length") == 0


@pytest.mark.motion
def test_layout_does_not_shift(page):
    open_table(page, void_blocks="yes", quiet_turns=5)
    places = (
        "() => ['.square', '.panel', '.panel .buttons', '.actions', 'ol']"
        ".map((name) => document.querySelector(name).getBoundingClientRect().top)"
    )
    before = page.evaluate(places)
    choose(page, ("A1", "B2"))
    drawn(page)
    assert page.evaluate(places) == before
    give_button(page).click()
    taken(page).click()
    drawn(page)
    assert page.evaluate(places) == before
    order(page, ("A2", "B2"))
    expect(turns(page)).to_have_count(1)
    assert page.evaluate(places) == before
    turn(page, ("F2", "F1"), ("F5", "F6"))
    assert page.evaluate(places) == before


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"{selector} cannot be reached with the Tab key")


def test_a_cell_out_of_reach_says_so_and_keeps_the_pawn(page):
    open_table(page)
    cell(page, "A1").click()
    cell(page, "E4").click(force=True)  # not a target, but it can be tapped
    expect(page.locator(".prompt")).to_contain_text("cannot reach E4")
    expect(cell(page, "A1")).to_have_attribute("aria-pressed", "true")
    cell(page, "B2").click()
    expect(give_button(page)).to_have_attribute("aria-disabled", "false")


def test_board_and_cards_are_in_sight_together_on_a_phone_on_its_side(visitor):
    page = visitor(phone=True)
    page.set_viewport_size({"width": 844, "height": 390})
    sit_down(page, "trois_six", way="engine")
    for part in (".square", ".prompt", ".panel", ".give"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.locator(".square").bounding_box()["width"] > 300
    fits(page, 844)
