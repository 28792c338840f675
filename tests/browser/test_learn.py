"""Learning by doing: lessons by mouse and by keyboard alone, the rulebook, in three languages, for everybody."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from quatuor import learn
from tests.browser.test_access import SMALL, TARGETS, _findings
from tests.browser.test_languages import _leftovers

GAMES = learn.games()


def open_step(page: Page, game: str, lesson: str, step: int = 0) -> None:
    """A lesson at a step, as if those before were done."""
    page.goto("/learn")
    kept = {game: {lesson: list(range(step))}}
    page.evaluate("kept => localStorage.setItem('quatuor-learn', kept)", json.dumps(kept))
    page.goto(f"/learn/{game}/{lesson}")
    at_step(page, step)


def at_step(page: Page, step: int) -> None:
    expect(page.locator(f"[data-step='{step}']")).to_be_visible()
    expect(page.locator(".mat svg, .mat canvas").first).to_be_visible()


def answer(page: Page, verdict: str):
    return page.locator(f"[data-verdict={verdict}]")


def by_key(page: Page, game: str, move: str) -> None:
    """A move with the keyboard alone."""
    for key in {"plus4": reversed(move)}[game]:
        page.keyboard.press(key)


def test_a_whole_course_by_keyboard_alone(page):
    course = learn.course("plus4")
    page.goto("/learn/plus4")
    page.locator("[data-lesson=push]").focus()
    page.keyboard.press("Enter")
    for lesson in course.lessons:
        for number, step in enumerate(lesson.steps):
            at_step(page, number)
            by_key(page, "plus4", step.solutions[0])
            expect(answer(page, "done")).to_contain_text(step.done.en)
            onward = page.locator("[data-do=next], [data-do=play]")
            expect(onward).to_be_focused()
            if lesson != course.lessons[-1] or number < len(lesson.steps) - 1:
                page.keyboard.press("Enter")
    expect(page.get_by_text("You know how to play Plus 4.")).to_be_visible()
    page.goto("/learn")
    expect(page.locator("[data-course=plus4]")).to_contain_text("4 of 4 lessons done")
    page.goto("/learn/plus4/rounds")
    at_step(page, 0)


def test_the_last_step_leads_to_a_real_game(page):
    course = learn.course("plus4").lessons[-1]
    open_step(page, "plus4", course.name, len(course.steps) - 1)
    page.locator("[data-column=a]").click()
    page.locator("[data-do=play]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("main h1")).to_contain_text("Plus 4")


def test_a_wrong_try_is_explained_with_its_rule_and_can_be_repeated(page):
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


def test_who_is_stuck_is_shown_how(page):
    open_step(page, "plus4", "push", 2)
    page.locator("[data-do=show]").click()
    expect(answer(page, "done")).to_contain_text("That is how it goes.")
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
        page.goto(f"/learn/{game}")
        expect(page.locator("[data-lesson]")).to_have_count(len(course.lessons))
        for lesson in course.lessons:
            page.goto(f"/learn/{game}/{lesson.name}")
            at_step(page, 0)
            for number, step in enumerate(lesson.steps):
                page.locator(".steps button").nth(number).click()
                task = page.locator(f"[data-step='{number}']")
                for text in (step.text, step.task):
                    expect(task).to_contain_text(plain(getattr(text, language)))
        page.locator(".rule summary").click()
        expect(page.locator(".rule h2").first).to_be_visible()
        assert language == "en" or _leftovers(page, language) == []
        page.goto(f"/rules/{game}")
        expect(page.locator("[data-clause]").first).to_be_visible()
        assert language == "en" or _leftovers(page, language) == []


def plain(text: str) -> str:
    """As it is drawn: French signs are held to their words."""
    return re.sub(r" (?=[:;!?»])|(?<=«) ", "\u00a0", text)


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious_and_a_phone_needs_no_sideways_scrolling(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")

    def check():
        assert _findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not phone or page.evaluate(SMALL, TARGETS) == []

    page.goto("/learn")
    expect(page.locator("[data-course]").first).to_be_visible()
    check()
    for game in GAMES:
        page.goto(f"/learn/{game}")
        expect(page.locator("[data-lesson]").first).to_be_visible()
        check()
        page.locator("[data-lesson]").first.click()
        at_step(page, 0)
        page.locator(".rule summary").click()
        page.locator("[data-do=show]").click()
        expect(answer(page, "done")).to_be_visible()
        check()
        page.goto(f"/rules/{game}")
        expect(page.locator("[data-clause]").first).to_be_visible()
        assert _findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_ways_in(page):
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Learn").click()
    expect(page.locator("[data-course]").first).to_be_visible()
    page.goto("/learn/nothing")
    expect(page.get_by_text("There is no such page.").first).to_be_visible()
    page.goto("/learn/plus4/nothing")
    expect(page.get_by_text("There is no such page.").first).to_be_visible()
    page.goto("/rules/nothing")
    expect(page.get_by_text("There is no such page.").first).to_be_visible()
