"""Lessons by mouse and by keyboard alone, and the rulebook: in three languages, accessible."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from quatuor import learn
from tests.browser.checks import findings, fits, has_large_targets
from tests.browser.steps import BLUE_COLUMN, push, sit_down
from tests.browser.test_languages import _leftovers

GAMES = learn.games()


def open_step(page: Page, game: str, lesson: str, step: int = 0) -> None:
    """A lesson at a step, as if the earlier steps were done."""
    page.goto("/learn")
    kept = {game: {lesson: list(range(step))}}
    page.evaluate("kept => localStorage.setItem('quatuor-learn', kept)", json.dumps(kept))
    page.goto(f"/learn/{game}/{lesson}")
    at_step(page, step)


def go(page: Page, address: str) -> None:
    """Follow a link within the page, without a reload."""
    page.evaluate("to => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }", address)


def at_step(page: Page, step: int) -> None:
    expect(page.locator(f"[data-step='{step}']")).to_be_visible()
    expect(page.locator(".mat svg:visible, .mat canvas:visible").first).to_be_visible()


def answer(page: Page, verdict: str):
    return page.locator(f"[data-verdict={verdict}]")


def test_a_whole_course_by_keyboard_alone(page):
    course = learn.course("plus4")
    page.goto("/learn/plus4")
    page.locator("[data-lesson=push]").focus()
    page.keyboard.press("Enter")
    for lesson in course.lessons:
        for number, step in enumerate(lesson.steps):
            at_step(page, number)
            for key in reversed(step.solutions[0]):  # the star of a bonus pawn comes first
                page.keyboard.press(key)
            expect(answer(page, "done")).to_contain_text(step.done.en)
            onward = page.locator("[data-do=next], [data-do=play]")
            expect(onward).to_be_focused()
            if lesson != course.lessons[-1] or number < len(lesson.steps) - 1:
                page.keyboard.press("Enter")
    expect(page.get_by_text("You can play Plus 4 now.")).to_be_visible()
    page.goto("/learn")
    expect(page.locator("[data-course=plus4]")).to_contain_text("4 of 4 lessons done")
    page.goto("/learn/plus4/rounds")
    at_step(page, 0)


@pytest.mark.motion
def test_a_whole_course_by_mouse(page):
    course = learn.course("trois_six")
    page.goto("/learn")
    page.locator("[data-course=trois_six] .button.primary").click()
    page.locator("[data-lesson]").first.click()
    for lesson in course.lessons:
        for number, step in enumerate(lesson.steps):
            at_step(page, number)
            expect(page.locator("[data-card='1'][data-kind=sealed]")).to_be_visible()
            order(page, learn.table("trois_six", lesson.name, number), step.solutions[0])
            expect(answer(page, "done")).to_contain_text(step.done.en)
            if lesson != course.lessons[-1] or number < len(lesson.steps) - 1:
                page.locator("[data-do=next]").click()
    expect(page.get_by_text("You can play 3/6 now.")).to_be_visible()
    page.get_by_role("link", name="All lessons").click()
    expect(page.locator("[data-lesson] .done")).to_have_count(len(course.lessons))


def order(page: Page, table: dict, move: str) -> None:
    """A secret order of White; tapping a cell that cannot be reached counts as giving that order."""
    if move == "-":
        page.locator("[data-order='-']").click()
    else:
        number, cell = move.split(">")
        pawns = {pile["number"]: pile["cell"] for pile in table["position"]["cells"] if pile["owner"] == 0}
        page.locator(f"[data-cell={pawns[int(number)]}]").click()
        page.locator(f"[data-cell={cell}]").click()
        if move not in table["legal"]["0"]:
            return
    page.locator(".give").click()


def test_forced_colours_show_the_step_in_the_colours_of_a_selection(visitor):
    page = visitor(forced_colors="active")
    open_step(page, "blokus", "touching")
    step = page.locator("[aria-current=step] span")
    colours = """([shown]) => {
        const sample = document.body.appendChild(document.createElement('i'));
        sample.style.cssText = 'forced-color-adjust: none; color: HighlightText; background: Highlight';
        return [shown, sample].map(getComputedStyle).map((style) => `${style.color} on ${style.backgroundColor}`);
    }"""
    found, selected = step.evaluate_all(colours)
    assert found == selected


def test_a_gesture_against_the_rules_is_explained(page):
    open_step(page, "blokus", "touching", 1)
    page.keyboard.type("2")
    expect(page.locator(".advice")).to_contain_text("It fits")
    board = page.locator("[data-board]").bounding_box()
    unit = board["width"] / (14 + 1.5)
    at = (board["x"] + (0.75 + 8) * unit, board["y"] + (0.75 + 14 - 7.5) * unit)  # between h8 and i8
    page.mouse.move(*at)
    expect(page.locator(".advice")).to_contain_text("along an edge")
    page.mouse.click(*at)
    expect(answer(page, "refused")).to_contain_text("touch your own piece along an edge")
    expect(page.get_by_role("link", name="Rule BK-4")).to_be_visible()

    open_step(page, "plateau_x", "pawns", 3)
    page.locator("[data-cell=A2]").click()
    page.locator("[data-cell=B2]").click()
    expect(answer(page, "refused")).to_contain_text("Barred!")
    page.locator("[data-cell=A1]").click()
    expect(answer(page, "done")).to_be_visible()

    open_step(page, "trois_six", "orders", 0)
    page.locator("[data-cell=F2]").click()
    page.locator("[data-cell=C4]").click()
    expect(answer(page, "wrong")).to_contain_text("exactly one cell")
    expect(page.locator("[data-card='1'][data-kind=sealed]")).to_be_visible()  # the reason does not reveal the solution


def test_the_last_step_leads_to_a_real_game(page):
    course = learn.course("plus4").lessons[-1]
    open_step(page, "plus4", course.name, len(course.steps) - 1)
    page.locator("[data-column=a]").click()
    page.locator("[data-do=play]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("main h1")).to_contain_text("Plus 4")


def test_a_wrong_answer_is_explained_with_its_rule_and_can_be_repeated(page):
    open_step(page, "plus4", "lines", 4)
    page.locator("[data-column=b]").click()
    expect(answer(page, "wrong")).to_contain_text("red has four and wins")
    page.locator("[data-do=again]").click()
    expect(answer(page, "wrong")).to_have_count(0)
    expect(page.locator(".plus4 g.at")).to_have_count(10)
    page.locator("[data-column=b]").click()
    page.get_by_role("link", name="Rule P4-11").click()
    expect(page.locator("[data-clause=P4-11].wanted")).to_be_in_viewport()
    page.go_back()
    at_step(page, 4)


def test_a_learner_who_is_stuck_is_shown_the_solution(page):
    open_step(page, "plus4", "push", 2)
    page.locator("[data-do=show]").click()
    expect(answer(page, "done")).to_contain_text("That is how it works.")
    expect(page.locator(".plus4 g.at")).to_have_count(6)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR", "de-DE"])
def test_every_page_opens_in_every_language(visitor, locale):
    page = visitor(locale=locale, reduced_motion="reduce")
    language = locale[:2]
    page.goto("/learn")
    expect(page.locator("[data-course]")).to_have_count(len(GAMES))
    assert language == "en" or _leftovers(page, language) == []
    for game in GAMES:
        course = learn.course(game)
        go(page, f"/learn/{game}")
        expect(page.locator("[data-lesson]")).to_have_count(len(course.lessons))
        for lesson in course.lessons:
            go(page, f"/learn/{game}/{lesson.name}")
            at_step(page, 0)
            for text in (lesson.title, lesson.steps[0].text, lesson.steps[0].task):
                expect(page.locator("main")).to_contain_text(plain(getattr(text, language)))
        page.locator(".rule summary").click()
        expect(page.locator(".rule h2").first).to_be_visible()
        assert language == "en" or _leftovers(page, language) == []
        go(page, f"/rules/{game}")
        expect(page.locator("[data-clause]").first).to_be_visible()
        assert language == "en" or _leftovers(page, language) == []


def plain(text: str) -> str:
    """The text as it is drawn: French punctuation has a no-break space before it."""
    return re.sub(r" (?=[:;!?»])|(?<=«) ", "\u00a0", text)


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious_and_a_phone_needs_no_sideways_scrolling(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")

    def check():
        assert findings(page) == []
        fits(page)
        if phone:
            has_large_targets(page)

    page.goto("/learn")
    expect(page.locator("[data-course]").first).to_be_visible()
    check()
    for game in GAMES:
        go(page, f"/learn/{game}")
        expect(page.locator("[data-lesson]").first).to_be_visible()
        check()
        page.locator("[data-lesson]").first.click()
        at_step(page, 0)
        page.locator(".rule summary").click()
        page.locator("[data-do=show]").click()
        expect(answer(page, "done")).to_be_visible()
        check()
        go(page, f"/rules/{game}")
        expect(page.locator("[data-clause]").first).to_be_visible()
        assert findings(page) == []
        fits(page)


def test_links_lead_to_lessons_and_rules(page):
    page.goto("/")
    page.get_by_role("link", name="Blokus: Learn").click()
    expect(page.locator("[data-lesson=touching]")).to_be_visible()
    sit_down(page)
    push(page, *BLUE_COLUMN)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Rule P4-10").click()
    expect(opened.value.locator("[data-clause=P4-10].wanted")).to_be_in_viewport()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Rules", exact=True).click()
    expect(opened.value.locator("[data-clause=P4-1]")).to_be_visible()
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Learn").click()
    expect(page.locator("[data-course]").first).to_be_visible()
    page.goto("/learn/nothing")
    expect(page.get_by_text("Page not found").first).to_be_visible()
    page.goto("/learn/plus4/nothing")
    expect(page.get_by_text("Page not found").first).to_be_visible()
    page.goto("/rules/nothing")
    expect(page.get_by_text("Page not found").first).to_be_visible()


@pytest.mark.parametrize("game", ["plus4", "blokus", "plateau_x", "trois_six"])
def test_the_rules_show_their_examples_on_the_games_own_board(page, game):
    page.goto(f"/rules/{game}")
    pictures = page.locator("[data-example]")
    expect(pictures.first).to_be_visible()
    for picture in pictures.all():
        expect(picture.locator(".mat svg").first).to_be_visible()
        assert picture.locator("figcaption").inner_text() == picture.get_by_role("img").first.get_attribute(
            "aria-label"
        )
