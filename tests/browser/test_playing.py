"""Whole games of Plus 4 by mouse and keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.steps import (
    BLUE_COLUMN,
    caption,
    column,
    headline,
    is_over,
    pawns,
    push,
    sit_down,
    spoken,
    turns,
)


@pytest.mark.motion
def test_a_whole_game_on_one_device(page):
    sit_down(page)
    expect(headline(page)).to_have_text("Blue to move")
    push(page, *BLUE_COLUMN)
    expect(headline(page)).to_have_text("Blue wins!")
    expect(caption(page)).to_have_text("Blue has four in a row.")
    expect(spoken(page)).to_contain_text("Blue completes a column. Blue wins! Blue has four in a row.")
    expect(pawns(page)).to_have_count(7)
    expect(column(page, "a")).to_have_attribute("aria-disabled", "true")


@pytest.mark.motion
def test_a_double_click_is_one_move(page):
    sit_down(page)
    column(page, "a").dblclick()
    expect(headline(page)).to_have_text("Red to move")
    push(page, "b")
    expect(turns(page)).to_have_count(2)


@pytest.mark.motion
def test_a_fifth_pawn_falls_out_and_is_announced(page):
    sit_down(page)
    push(page, "a", "a", "a", "a", "a")
    expect(caption(page)).to_have_text("Blue plays column a. A blue pawn falls out.")
    expect(pawns(page)).to_have_count(4)
    expect(column(page, "a")).to_have_attribute(
        "aria-label", "Push column a. Column a, from the top: blue, red, blue, red"
    )


@pytest.mark.motion
def test_a_game_against_the_engine_with_hints(page):
    sit_down(page, way="engine")
    expect(headline(page)).to_have_text("Your turn")
    for _ in range(60):
        page.get_by_role("button", name="Hint").click()
        best = page.locator(".chip.best")
        expect(best).to_be_visible()
        before = turns(page).count()
        page.locator("[data-column]", has=best).click()
        expect(turns(page).nth(before)).to_be_visible()
        expect(headline(page)).not_to_contain_text("thinking")
        if is_over(page):
            break
    expect(headline(page)).to_have_text(re.compile("You won!|Draw"))  # perfect play holds a drawn start
    page.get_by_role("button", name="Play again").click()
    expect(turns(page)).to_have_count(1)  # now the engine begins
    expect(headline(page)).to_have_text("Your turn")


def test_after_a_game_against_the_engine_another_level_is_one_click_away(page):
    sit_down(page, way="engine", level=1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(headline(page)).to_have_text("You lost.")
    expect(page.get_by_role("button", name="Easier")).to_have_count(0)  # there is no easier one
    before = page.url
    page.get_by_role("button", name="Harder: Novice").click()
    expect(page).not_to_have_url(before)
    expect(page.locator("[data-player='1']")).to_contain_text("level 2")
    expect(headline(page)).to_have_text("Your turn")
    expect(page.get_by_role("button", name="Easier")).to_have_count(0)  # not before the end


def test_undo_and_stepping_through_the_game(page):
    sit_down(page)
    push(page, "a", "b", "c")
    page.get_by_role("button", name="Take back").click()
    expect(turns(page)).to_have_count(2)
    expect(pawns(page)).to_have_count(2)
    page.get_by_role("button", name="First position").click()
    expect(headline(page)).to_have_text("Move 0 of 2")
    expect(pawns(page)).to_have_count(0)
    page.get_by_role("slider").fill("1")
    expect(pawns(page)).to_have_count(1)
    expect(column(page, "a")).to_have_attribute("aria-disabled", "true")
    turns(page).nth(1).click()
    expect(headline(page)).to_have_text("Blue to move")
    page.locator("body").press("ArrowLeft")
    expect(pawns(page)).to_have_count(1)
    page.get_by_role("button", name="Back to the game").click()
    push(page, "d")


def test_the_endless_grid_counts_points_and_knows_bonus_pawns(page):
    sit_down(page, variant=1)
    push(page, "a*", "b*", "a", "b", "a", "b")
    expect(page.locator(".pick")).to_have_count(0)  # both bonus pawns are in the grid
    push(page, "a")
    expect(caption(page)).to_have_text("Blue plays column a. Blue completes a column: 2 points.")
    expect(page.locator(".score").first).to_contain_text("2 points, in the lead")
    push(page, "b")
    expect(page.locator("p.unseen", has_text="Blue: 2 of 11. Red: 2 of 11")).to_be_attached()


@pytest.mark.motion
def test_a_round_ends_with_an_empty_grid(page):
    page.goto("/")
    page.locator("[data-game=plus4] [data-enter=here]").click()
    page.locator("label.variant").nth(2).click()
    page.get_by_text("House rules").click()
    page.get_by_label("Number of rounds").fill("2")
    page.locator("[data-start]").click()
    push(page, *BLUE_COLUMN)
    expect(caption(page)).to_contain_text("Blue completes a column: 1 point. The round is over.")
    expect(pawns(page)).to_have_count(0)
    expect(page.get_by_text("Round 2 of 2")).to_be_visible()
    push(page, *BLUE_COLUMN)  # the loser begins
    expect(headline(page)).to_have_text("Draw")
    expect(caption(page)).to_have_text("All rounds have been played: 1 : 1.")
    expect(pawns(page)).to_have_count(7)  # the line that ended the game stays visible


def test_resigning_asks_first(page):
    sit_down(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Keep playing").click()
    push(page, "a")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(headline(page)).to_have_text("Blue wins!")
    expect(caption(page)).to_have_text("Red resigned.")


def test_the_record_can_be_saved(page):
    sit_down(page)
    push(page, *BLUE_COLUMN)
    page.get_by_text("Record and link").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the record").click()
    assert download.value.suggested_filename.startswith("Plus 4 Elementary game")
    assert "plus4" in download.value.path().read_text()


def test_by_keyboard_alone(page):
    page.goto("/")
    page.locator("[data-game]").first.wait_for()
    _tab_to(page, "[data-game=plus4] [data-enter=here]")
    page.keyboard.press("Enter")
    expect(page.locator("input[name=variant]:checked")).to_be_focused()
    page.keyboard.press("Enter")
    expect(headline(page)).to_have_text("Blue to move")
    for number, key in enumerate("bcbcb", 1):
        page.keyboard.press(key)
        expect(turns(page)).to_have_count(number)
    _tab_to(page, "[data-column=a]")
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(6)
    page.keyboard.press("ArrowRight")  # the focus stayed on its column
    expect(column(page, "b")).to_be_focused()
    page.keyboard.press("Space")
    expect(headline(page)).to_have_text("Blue wins!")
    _tab_to(page, ".actions .primary")
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(0)


def test_the_bonus_pawn_by_keyboard(page):
    sit_down(page, variant=1)
    page.keyboard.press("*")
    expect(page.locator(".pick")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("a")
    expect(caption(page)).to_have_text("Blue plays the bonus pawn in column a.")
    page.keyboard.press("Shift+D")
    expect(caption(page)).to_have_text("Red plays the bonus pawn in column d.")


def _tab_to(page, selector):
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"{selector} cannot be reached with the Tab key")
