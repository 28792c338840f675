"""The dialog in which a game is set up: what it asks, what it remembers, and what it says when it fails."""

from playwright.sync_api import Page, expect

from tests.browser.steps import sit_down


def _open(page: Page, game: str = "plus4", way: str = "engine") -> None:
    page.goto("/")
    page.locator(f"[data-game={game}] [data-enter={way}]").click()
    expect(page.locator("dialog [data-start]")).to_be_visible()


def test_an_option_that_the_server_refuses_is_explained_in_the_dialog(page):
    _open(page, "trois_six", "here")
    page.locator("dialog summary").click()
    page.get_by_label("Starting cells").fill("foo")
    page.locator("[data-start]").click()
    problem = page.locator("dialog").get_by_role("alert")
    expect(problem).to_contain_text("server rules")
    expect(problem).to_be_in_viewport()
    page.get_by_label("Starting cells").fill("")
    expect(problem).to_have_text("")


def test_a_server_that_does_not_answer_is_explained_in_the_dialog(page):
    _open(page, "plus4", "here")
    page.route("**/api/tables", lambda route: route.abort())
    page.locator("[data-start]").click()
    expect(page.locator("dialog").get_by_role("alert")).to_contain_text("The server does not answer")


def test_nobody_is_asked_who_begins_where_both_sides_move_at_once(page):
    _open(page, "trois_six")
    expect(page.locator("input[name=begins]")).to_have_count(0)
    _open(page, "plus4")
    expect(page.locator("input[name=begins]")).to_have_count(3)


def test_the_level_is_remembered_for_each_game(page):
    sit_down(page, way="engine", level=6)
    _open(page, "trois_six")
    expect(page.locator("input[name=level]:checked")).to_have_value("3")
    _open(page, "plus4")
    expect(page.locator("input[name=level]:checked")).to_have_value("6")


def test_the_focus_begins_at_the_first_choice(page):
    _open(page, "plus4")
    expect(page.locator("input[name=variant]:checked")).to_be_focused()
