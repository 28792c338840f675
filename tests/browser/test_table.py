"""What a table offers besides moves: another side of the board, the whole screen, secrets told in their order."""

from playwright.sync_api import expect

from tests.browser.steps import column, headline, push, sit_down, spoken, turns
from tests.browser.test_blokus import EDGE
from tests.browser.test_trois_six import open_table, turn

TURN = "[data-turn-board]"


def _box(page, selector):
    return page.locator(selector).bounding_box()


def test_plus_4_is_seen_from_behind(page):
    sit_down(page)
    assert _box(page, "[data-column=a]")["x"] < _box(page, "[data-column=d]")["x"]
    page.locator(TURN).click()
    assert _box(page, "[data-column=a]")["x"] > _box(page, "[data-column=d]")["x"]
    push(page, "a")
    expect(turns(page).first).to_contain_text("a")
    column(page, "b").focus()
    page.keyboard.press("ArrowRight")
    expect(column(page, "a")).to_be_focused()  # which is to the right of b from here


def test_blokus_is_turned_and_still_found_by_the_pointer(page):
    sit_down(page, game="blokus")
    page.locator(TURN).click()
    page.locator("[data-piece='1']").click()
    box = _box(page, "[data-board]")
    unit = box["width"] / (20 + 2 * EDGE)
    near = (EDGE + 0.5) * unit
    page.mouse.move(box["x"] + box["width"] - near, box["y"] + near)  # a20, left above, is now right above
    page.mouse.click(box["x"] + box["width"] - near, box["y"] + near)
    expect(page.locator("[data-last]")).to_have_attribute("data-last", "a20")
    page.locator(TURN).click()
    page.locator("[data-piece='1']").click()
    expect(page.locator(".advice")).to_contain_text("t20")
    page.keyboard.press("ArrowUp")  # the board stands on its head: up for the eye is down the rows
    expect(page.locator(".advice")).to_contain_text("t19")


def test_plateau_x_and_3_6_are_turned_with_their_keys(page):
    sit_down(page, game="plateau_x", variant=2)
    page.locator(TURN).click()
    before, there = _box(page, "[data-cell=A1]"), _box(page, "[data-cell=F1]")
    assert abs(before["x"] - there["x"]) < 2  # the bottom row runs down the left side
    assert before["y"] < there["y"]
    page.locator("[data-cell=A1]").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-cell=B1]")).to_be_focused()

    sit_down(page, game="trois_six")
    page.locator(TURN).click()
    assert _box(page, "[data-cell=A1]")["y"] < _box(page, "[data-cell=A6]")["y"]
    page.locator("[data-cell=A6]").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-cell=A5]")).to_be_focused()
    turn(page, ("A1", "B2"), None)


def test_full_screen_and_back(page):
    sit_down(page)
    page.get_by_role("button", name="Full screen").click()
    expect(page.get_by_role("button", name="Leave full screen")).to_be_visible()
    expect(page.locator("header")).to_be_hidden()
    push(page, "a")
    page.get_by_role("button", name="Leave full screen").click()
    expect(page.locator("header")).to_be_visible()


def test_secret_orders_are_told_before_what_came_of_them(page):
    open_table(page)
    page.evaluate("""() => {
        window.told = [];
        const log = document.querySelector('[role=log]');
        const note = new MutationObserver(() => window.told.push(log.textContent));
        note.observe(log, {childList: true, subtree: true, characterData: true});
    }""")
    turn(page, ("A1", "B2"), ("A2", "B2"))
    expect(spoken(page)).to_contain_text("nobody moves")
    expect(headline(page)).to_have_text("White to move")
    told = page.evaluate("window.told")
    orders = next(i for i, text in enumerate(told) if text.startswith("Both orders are open. White: "))
    outcome = next(i for i, text in enumerate(told) if "nobody moves" in text)
    assert orders < outcome
    assert "nobody moves" not in told[orders]
