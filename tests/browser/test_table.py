"""What a table offers apart from moves: a turned board, full screen, announcements, shortcuts."""

import pytest
from playwright.sync_api import expect

from tests.browser.checks import drawn, eventually
from tests.browser.steps import column, headline, pick, push, sit_down, spoken, straight_to, turns
from tests.browser.test_blokus import EDGE
from tests.browser.test_trois_six import open_table, turn

TURN = "[data-turn-board]"


def _box(page, selector):
    return page.locator(selector).bounding_box()


def _turn(page):
    page.locator(TURN).click()
    drawn(page)


def test_plus_4_can_be_seen_from_behind(page):
    sit_down(page)
    assert _box(page, "[data-column=a]")["x"] < _box(page, "[data-column=d]")["x"]
    _turn(page)
    eventually(lambda: [_box(page, f"[data-column={name}]")["x"] for name in "ad"], lambda at: at[0] > at[1])
    push(page, "a")
    expect(turns(page).first).to_contain_text("a")
    column(page, "b").focus()
    page.keyboard.press("ArrowRight")
    expect(column(page, "a")).to_be_focused()  # which is to the right of b from here


def test_blokus_is_turned_and_still_found_by_the_pointer(page):
    sit_down(page, game="blokus")
    _turn(page)
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
    page.keyboard.press("ArrowUp")  # the board is upside down: the up arrow goes down the rows
    expect(page.locator(".advice")).to_contain_text("t19")


def test_plateau_x_and_3_6_are_turned_with_their_keys(page):
    sit_down(page, game="plateau_x", variant=2)
    _turn(page)
    before, there = _box(page, "[data-cell=A1]"), _box(page, "[data-cell=F1]")
    assert abs(before["x"] - there["x"]) < 2  # the bottom row runs down the left side
    assert before["y"] < there["y"]
    page.locator("[data-cell=A1]").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-cell=B1]")).to_be_focused()

    sit_down(page, game="trois_six")
    _turn(page)
    assert _box(page, "[data-cell=A1]")["y"] < _box(page, "[data-cell=A6]")["y"]
    page.locator("[data-cell=A6]").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-cell=A5]")).to_be_focused()
    turn(page, ("A1", "B2"), None)


def test_full_screen_and_back(page):
    sit_down(page)
    page.get_by_role("button", name="Full screen").click()
    expect(page.get_by_role("button", name="Full screen")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("header")).to_be_hidden()
    push(page, "a")
    page.get_by_role("button", name="Full screen").click()
    expect(page.locator("header")).to_be_visible()


@pytest.mark.motion
def test_secret_orders_are_announced_before_their_results(page):
    open_table(page)
    page.evaluate("""() => {
        window.announced = [];
        const log = document.querySelector('[role=log]');
        const note = new MutationObserver(() => window.announced.push(log.textContent));
        note.observe(log, {childList: true, subtree: true, characterData: true});
    }""")
    turn(page, ("A1", "B2"), ("A2", "B2"))
    expect(spoken(page)).to_contain_text("neither moves")
    expect(headline(page)).to_have_text("White to move")
    announced = page.evaluate("window.announced")
    orders = next(i for i, text in enumerate(announced) if text.startswith("Both orders are revealed. White: "))
    outcome = next(i for i, text in enumerate(announced) if "neither moves" in text)
    assert orders < outcome
    assert "neither moves" not in announced[orders]


def test_a_move_without_a_connection_is_shown_as_waiting_and_can_be_withdrawn(page):
    sit_down(page)
    page.context.set_offline(True)
    expect(page.locator("[data-link=offline]")).to_be_attached()
    column(page, "b").click()
    pending = page.locator("[data-pending]")
    expect(pending).to_contain_text("column b")
    pending.get_by_role("button").click()
    expect(pending).to_have_count(0)
    column(page, "c").click()
    expect(pending).to_contain_text("column c")
    page.context.set_offline(False)
    expect(turns(page)).to_have_count(1)
    expect(turns(page).first).to_contain_text("c")
    expect(pending).to_have_count(0)


def _picture(page, selector):
    """An element as it looks without focus and pointer."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    return page.locator(selector).first.screenshot(animations="disabled")


def test_forced_colours_show_what_is_selected(visitor):
    page = visitor(forced_colors="active", reduced_motion="reduce")
    page.goto("/")
    page.locator("[data-game=plus4] [data-enter=engine]").click()
    for name, one, other in (("level", "3", "5"), ("begins", "lot", "me")):
        pick(page.locator(f"input[name={name}][value='{one}']"))
        chosen = _picture(page, f"label:has(input[name={name}][value='{one}'])")
        pick(page.locator(f"input[name={name}][value='{other}']"))
        assert _picture(page, f"label:has(input[name={name}][value='{one}'])") != chosen, name
    sit_down(page)
    to_move = _picture(page, "[data-player='0']")
    push(page, "a", "b", "a")
    assert _picture(page, "[data-player='0']") != to_move
    current = _picture(page, "section[aria-labelledby=moves-title] ol li:nth-child(3) button")
    page.keyboard.press("ArrowLeft")
    expect(headline(page)).to_have_text("Move 2 of 3")
    assert _picture(page, "section[aria-labelledby=moves-title] ol li:nth-child(3) button") != current


def test_forced_colours_show_what_is_in_hand_and_whose_turn_it_is(visitor):
    page = visitor(forced_colors="active", reduced_motion="reduce")
    straight_to(page, "plateau_x", "mini")
    triple, to_move = _picture(page, "[data-tool='3']"), _picture(page, ".stocks li")
    page.locator("[data-tool='1']").click()
    assert _picture(page, "[data-tool='3']") != triple
    page.locator("[data-cell=A1]").click()
    expect(turns(page)).to_have_count(1)
    assert _picture(page, ".stocks li") != to_move
    straight_to(page, "blokus", "duo")
    piece = _picture(page, "[data-piece=F]")
    assert page.locator("[data-hand='0']").evaluate("(hand) => getComputedStyle(hand).outlineStyle") == "solid"
    assert page.locator("[data-hand='1']").evaluate("(hand) => getComputedStyle(hand).outlineStyle") == "none"
    page.locator("[data-piece=F]").click()
    assert _picture(page, "[data-piece=F]") != piece


def test_forced_colours_show_which_hint_is_best(visitor):
    page = visitor(forced_colors="active", reduced_motion="reduce")
    straight_to(page, "plus4", "elementary")
    push(page, "b", "c", "b", "c", "b", "a")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".chip.best")).to_have_text("wins in 1")
    ground = "(chip) => getComputedStyle(chip).backgroundColor"
    assert page.locator(".chip.best").evaluate(ground) != page.locator(".chip:not(.best)").first.evaluate(ground)


def test_buttons_keep_the_focus_when_they_are_used(page):
    sit_down(page, way="engine")
    column(page, "a").click()
    expect(turns(page)).to_have_count(2)
    expect(headline(page)).to_have_text("Your turn")
    hint = page.get_by_role("button", name="Hint")
    hint.focus()
    page.keyboard.press("Enter")
    expect(spoken(page)).to_contain_text("Hint")
    expect(hint).to_be_focused()
    take_back = page.get_by_role("button", name="Take back")
    take_back.focus()
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(0)
    expect(take_back).to_be_focused()
    resign = page.get_by_role("button", name="Resign")
    resign.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep playing")).to_be_focused()
    expect(page.get_by_role("group", name="Really resign?")).to_be_visible()
    page.keyboard.press("Enter")
    expect(resign).to_be_focused()


def test_toggles_have_one_name_and_a_pressed_state(page):
    page.goto("/")
    for name in ("Dark colours", "Sound"):
        toggle = page.get_by_role("button", name=name, exact=True)
        before = toggle.get_attribute("aria-pressed")
        toggle.click()
        expect(toggle).to_have_attribute("aria-pressed", "false" if before == "true" else "true")


def test_moves_in_the_list_are_named_with_player_and_words(page):
    sit_down(page)
    push(page, "a", "c")
    expect(turns(page).first).to_have_accessible_name("1. Blue: column a")
    expect(turns(page).nth(1)).to_have_accessible_name("2. Red: column c")


def test_the_list_of_moves_speaks_in_words(page):
    sit_down(page)
    page.get_by_label("Moves as a list").check()
    expect(page.locator("button.move").first).to_have_text("column a")
    page.get_by_label("Find a move").fill("column c")
    expect(page.locator("button.move")).to_have_count(1)
    page.locator("button.move").click()
    expect(turns(page)).to_have_count(1)


def test_the_first_line_says_what_to_do(page):
    sit_down(page)
    expect(page.locator(".status [data-caption]")).to_have_text("Click a column to push a pawn in from the top.")
    straight_to(page, "plus4", "endless")  # the bonus pawn can be clicked, and looks so
    expect(page.locator(".status [data-caption]")).to_contain_text("To push the bonus pawn ★ instead, click it first.")
    expect(page.locator(".ready")).to_have_count(1)
    page.locator(".pick").click()
    expect(page.locator(".ready")).to_have_count(0)


def test_a_question_mark_shows_the_keyboard_shortcuts(page):
    straight_to(page, "plus4", "elementary")
    expect(page.locator(".keys dl")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.locator(".keys dl")).to_be_visible()
    expect(page.locator(".keys summary")).to_be_focused()
    expect(page.locator(".keys dd").last).to_be_in_viewport()
