"""Accessibility: screen readers, keyboards, small screens, reduced motion, contrast."""

import pytest
from playwright.sync_api import expect

from tests.browser.checks import findings, fits, has_large_targets
from tests.browser.steps import BLUE_COLUMN, headline, pawns, push, sit_down, start, turns


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")
    page.goto("/")
    expect(page.locator("[data-game]").first).to_be_visible()
    assert findings(page) == []
    page.locator("[data-enter=engine]").first.click()
    page.locator("summary").click()
    assert findings(page) == []
    sit_down(page, variant=1)
    push(page, "a", "b*")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".chip").first).to_be_visible()
    assert findings(page) == []
    sit_down(page)
    push(page, *BLUE_COLUMN)
    expect(page.locator(".status.result")).to_be_visible()
    assert findings(page) == []


def test_axe_on_the_generic_board(visitor):
    page = visitor(reduced_motion="reduce")
    sit_down(page, game="trois_six", way="engine")
    page.get_by_label("Moves as a list").check()
    expect(page.locator("button.move").first).to_be_visible()
    assert findings(page) == []


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_needs_no_horizontal_scrolling_and_buttons_are_large(visitor, width):
    page = visitor(phone=True)
    page.set_viewport_size({"width": width, "height": 844})
    for go in (lambda: page.goto("/"), lambda: start(page, variant=1), lambda: start(page, way="invite")):
        go()
        expect(page.locator("[data-enter=here], [data-column]").first).to_be_visible()
        fits(page, width)
        has_large_targets(page)


def test_reduced_motion_shows_no_movement(visitor):
    page = visitor(reduced_motion="reduce")
    page.goto("/")
    expect(page.locator("[data-game] svg").first).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0
    sit_down(page)
    push(page, "a", "a", "a", "a", "a")
    assert page.evaluate("document.getAnimations().filter((a) => a.effect.getTiming().duration > 1).length") == 0
    expect(pawns(page)).to_have_count(4)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_preference_for_more_contrast_is_followed(visitor, theme):
    page = visitor(contrast="more", color_scheme=theme, reduced_motion="reduce")
    page.goto("/")
    expect(page.locator("[data-game]").first).to_be_visible()
    assert findings(page, ["cat.color"]) == []
    sit_down(page)
    push(page, *BLUE_COLUMN)
    expect(page.locator(".status.result")).to_be_visible()
    assert findings(page, ["cat.color"]) == []


@pytest.mark.motion
def test_layout_does_not_shift(page):
    sit_down(page)
    push(page, "b")
    places = (
        "() => ['.plus4', '.actions', 'ol'].map((name) => document.querySelector(name).getBoundingClientRect().top)"
    )
    before = page.evaluate(places)
    push(page, *BLUE_COLUMN[1:5])
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".chip").first).to_be_visible()
    assert page.evaluate(places) == before
    push(page, *BLUE_COLUMN[5:])
    expect(page.locator(".status.result")).to_be_visible()
    assert page.evaluate(places) == before


def test_the_theme_follows_the_system_until_chosen(visitor):
    page = visitor(color_scheme="dark")
    page.goto("/")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Dark colours").click()
    page.wait_for_function(f"(dark) => {ground} !== dark", arg=dark)  # colours change a frame later
    light = page.evaluate(ground)
    page.reload()
    assert page.evaluate(ground) == light


def test_a_skip_link_comes_first(page):
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


def test_unknown_tables_are_explained(page):
    page.goto("/t/nowhere")
    expect(page.get_by_text("There is no such table")).to_be_visible()
    page.get_by_role("link", name="Go to the games").click()
    expect(page.locator("[data-enter=here]").first).to_be_visible()


def test_a_lost_connection_is_shown_until_it_is_back(visitor):
    page = visitor()
    sit_down(page)
    page.context.set_offline(True)
    expect(page.get_by_text("No connection.")).to_be_visible(timeout=30_000)
    page.context.set_offline(False)
    expect(page.locator("[data-link=online]")).to_be_attached(timeout=30_000)
    push(page, "a")
    expect(turns(page)).to_have_count(1)
    expect(headline(page)).to_have_text("Red to move")


@pytest.mark.parametrize("width", [320, 390])
def test_the_language_menu_is_not_clipped_on_a_phone(visitor, width):
    page = visitor(phone=True, locale="fr-FR")
    page.set_viewport_size({"width": width, "height": 700})
    page.goto("/")
    shown = page.evaluate("""() => {
        const select = document.getElementById('language');
        const label = document.querySelector('[data-language]');
        if (label?.checkVisibility()) return label.scrollWidth <= label.clientWidth;
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = getComputedStyle(select).font;
        return pen.measureText(select.selectedOptions[0].text).width + 20 <= select.clientWidth;
    }""")
    assert shown
    page.get_by_label("Langue").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_page_that_cannot_be_loaded_says_so_and_comes_back(visitor):
    page = visitor()
    page.goto("/")
    expect(page.locator("[data-enter=engine]").first).to_be_visible()
    page.context.set_offline(True)
    page.locator("[data-enter=engine]").first.click()  # its dialog has not been fetched yet
    expect(page.locator("h1")).to_have_text("This page did not load")
    page.get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    assert findings(page) == []
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status").filter(has_text="does not answer")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("Lobby")


def test_a_table_that_the_server_cannot_show_now_is_not_called_missing(visitor):
    page = visitor()
    page.route("**/api/tables/*", lambda route: route.fulfill(status=503, json={"error": {"code": "store_failed"}}))
    page.goto("/t/somewhere")
    expect(page.locator("h1")).to_have_text("This page did not load")
    page.unroute("**/api/tables/*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("h1")).to_have_text("Page not found")


PATHS = (
    *("/", "/lobby", "/watch", "/games", "/account", "/moderation", "/tournaments", "/tournaments/new", "/analysis"),
    *("/puzzles", "/puzzles/play?daily=2026-11-15&difficulty=medium", "/learn", "/learn/blokus", "/rules/trois_six"),
    *("/print", "/print/plus4/score", "/mail#confirm=unknown", "/@nobody", "/nowhere", "/t/nowhere"),
)


def test_axe_finds_nothing_on_any_page_in_the_dark(visitor):
    page = visitor(color_scheme="dark")
    for path in PATHS:
        page.goto(path)
        expect(page.locator("main h1")).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert findings(page) == [], path


def test_axe_finds_nothing_in_any_dialog_before_a_game(page):
    for game in ("plus4", "blokus", "plateau_x", "trois_six"):
        for way in ("engine", "here", "invite"):
            page.goto("/")
            page.locator(f"[data-game={game}] [data-enter={way}]").click()
            page.locator("dialog summary").click()
            if page.locator("[data-by-row]").count():
                page.locator("[data-by-row]").click()
            expect(page.locator("[data-seat-row]").first).to_be_visible()
            assert findings(page) == [], (game, way)
            page.emulate_media(color_scheme="dark")  # the same elements in other colours
            page.evaluate("() => Promise.allSettled(document.getAnimations().map((change) => change.finished))")
            assert findings(page, ["color-contrast", "link-in-text-block"]) == [], (game, way)
            page.emulate_media(color_scheme="light")
