"""The dialog in which a game is set up: what it asks, what it remembers, and what it says when it fails."""

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import accept, headline, pick, start, take_name


def _open(page: Page, game: str = "plus4", way: str = "engine") -> None:
    page.goto("/")
    page.locator(f"[data-game={game}] [data-enter={way}]").click()
    expect(page.locator("dialog [data-start]")).to_be_visible()


def test_an_option_that_the_server_refuses_is_explained_in_the_dialog(page):
    _open(page, "trois_six", "here")
    page.locator("dialog summary").click()
    for pawn, cell in (("A1", "C1"), ("F2", "D1")):  # White would have three in line
        page.locator(f"[data-start-cell={pawn}]").click()
        page.locator(f"[data-start-cell={cell}]").click()
    page.locator("[data-start]").click()
    problem = page.locator("dialog").get_by_role("alert")
    expect(problem).to_contain_text("house rules")
    expect(problem).to_be_in_viewport()


def test_the_starting_cells_of_3_6_are_chosen_on_a_small_board(page):
    _open(page, "trois_six", "here")
    page.locator("dialog summary").click()
    board = page.get_by_role("group", name="Starting cells")
    board.get_by_label("A1: White 1").click()
    expect(board.get_by_label("A1: White 1")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowUp")  # A2 has a black pawn
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(board.get_by_label("B2: White 1")).to_be_focused()
    expect(page.locator("dialog .changed")).to_have_text("1 changed")
    page.locator("[data-start]").click()
    page.wait_for_url("**/t/*")
    assert page.request.get(page.url.replace("/t/", "/api/tables/")).json()["options"]["layout"].startswith("B2 E1 ")


def test_only_a_solved_variant_calls_its_top_level_perfect(page):
    _open(page, "plus4")
    pick(page.locator("input[name=level][value='8']"))
    expect(page.locator("dialog")).to_contain_text("Perfect")
    page.locator("label.variant").nth(1).click()
    expect(page.locator("dialog")).not_to_contain_text("Perfect")


def test_a_server_that_does_not_answer_is_explained_where_a_friend_is_invited(page):
    _open(page, "plus4", "invite")
    page.route("**/api/tables", lambda route: route.abort())
    page.locator("[data-start]").click()
    expect(page.locator("dialog").get_by_role("alert")).to_contain_text("The server does not answer")


def test_a_game_on_one_device_starts_without_a_server(page):
    _open(page, "plus4", "here")
    page.route("**/api/tables", lambda route: route.abort())
    page.locator("[data-start]").click()
    expect(page.get_by_role("button", name="Push column a")).to_be_enabled(timeout=60_000)  # after the kit is loaded
    assert "/t/local-" in page.url


def test_simultaneous_games_do_not_ask_who_begins(page):
    _open(page, "trois_six")
    expect(page.locator("input[name=begins]")).to_have_count(0)
    _open(page, "plus4")
    expect(page.locator("input[name=begins]")).to_have_count(3)


def test_the_level_is_remembered_for_each_game(page):
    start(page, way="engine", level=6)
    _open(page, "trois_six")
    expect(page.locator("input[name=level]:checked")).to_have_value("3")
    _open(page, "plus4")
    expect(page.locator("input[name=level]:checked")).to_have_value("6")


def test_the_focus_begins_at_the_first_choice(page):
    _open(page, "plus4")
    expect(page.locator("input[name=variant]:checked")).to_be_focused()


def test_each_seat_is_chosen_separately_and_every_player_is_named(visitor):
    ada, eve = visitor(), visitor()
    take_name(ada, "Ada")
    _open(ada, "blokus", "engine")
    ada.locator("[data-by-row]").press("Enter")
    ada.get_by_label("Draw lots for the seats").uncheck()
    ada.get_by_label("Who plays Yellow?").select_option("here")
    ada.get_by_label("Name of the person who plays Yellow").fill("Ben")
    ada.get_by_label("Level of the computer for Red").select_option("1")
    ada.get_by_label("Who plays Green?").select_option("friend")
    ada.locator("[data-start]").click()
    take_name(eve, "Eve")
    accept(eve, ada.locator("[data-invite]").input_value())
    people = ["Ada", "Ben", "Computer, level\u00a01", "Eve"]
    for page in (ada, eve):
        expect(page.locator("[data-player] small")).to_have_text([re.compile(name) for name in people])
    expect(headline(ada)).to_have_text("Ada to move")
    expect(headline(eve)).to_have_text("Ada to move")
    expect(ada.locator("[data-player='1']")).to_contain_text("here")
    _place(ada)
    expect(headline(ada)).to_have_text("Ben to move")
    _place(ada)
    expect(headline(eve)).to_have_text("Your turn")  # once the computer has moved
    ada.get_by_role("button", name="Resign").click()
    expect(ada.get_by_role("group", name="Ada: really resign?")).to_be_visible()


def test_two_people_with_names_hand_the_device_over_between_secret_orders(page):
    take_name(page, "Ada")
    _open(page, "trois_six", "here")
    page.get_by_label("Name of the person who plays Black").fill("Ben")
    page.locator("[data-start]").click()
    expect(page.locator(".prompt")).to_have_text("Ada: choose one of your pawns. Ben: look away!")
    page.locator("[data-order='-']").click()
    page.get_by_role("button", name="Give the order").click()
    expect(page.get_by_role("heading", name="Pass the device to Ben.")).to_be_visible()
    page.locator("[data-taken]").click()
    expect(headline(page)).to_have_text("Ben to move")
    expect(page.locator("section[aria-label=Chat]")).to_have_count(0)


def _place(page: Page) -> None:
    """Any piece, by the mouse."""
    turn = headline(page).inner_text()
    page.locator("[data-piece]:not(.stuck)[aria-disabled='false']").first.click()
    page.locator("[data-do=lay]").click()
    expect(headline(page)).not_to_have_text(turn)
