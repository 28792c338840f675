"""Sheets to print: each fits on its paper, at its true size."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import findings, fits
from tests.browser.test_languages import _leftovers as leftovers

MILLIMETRE = 96 / 25.4  # in pixels
DAYS = ("2026-11-18", "2026-11-20", "2026-11-22")  # puzzles of three kinds
PAPERS = {"a4": (210, 297), "letter": (215.9, 279.4)}


def printed(page: Page) -> list[tuple[float, float]]:
    """The sizes of the pages that the printer gets, in millimetres."""
    file = page.pdf(prefer_css_page_size=True, print_background=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", file)
    return [(float(width) / 72 * 25.4, float(height) / 72 * 25.4) for width, height in boxes]


def opened(page: Page, link: str) -> int:
    """Open a sheet; return how many pages it has."""
    page.goto(link)
    expect(page.locator(".sheet").first).to_be_visible()
    return page.locator(".sheet").count()


def test_every_sheet_fits_on_its_paper(page):
    page.goto("/rules/blokus")
    page.get_by_role("link", name="Boards and pieces to print").click()
    expect(page.locator("[data-print] a[href^='/rules/']")).to_have_count(4)
    links = [str(link.get_attribute("href")) for link in page.locator("[data-print] a[href^='/print/']").all()]
    assert len(links) == 4 * 2 + 4 + 3 + 2 + 2, "the forms of each game and its own sheets"
    links.remove("/print/blokus/puzzles")  # they differ every day
    links += [f"/print/blokus/puzzles?daily={day}&difficulty=easy" for day in DAYS]
    for link in links:
        sheets = opened(page, link)
        for paper, form in PAPERS.items():
            page.locator("select[name=paper]").select_option(paper)
            sizes = printed(page)
            assert len(sizes) == sheets, (link, paper)
            for size in sizes:
                assert size == pytest.approx(form, abs=0.5), (link, paper)


def test_a_sheet_has_its_true_size_and_a_scale_bar(page):
    opened(page, "/print/blokus/board")
    expect(page.get_by_text("Cells of 9 mm")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("main .tools")).to_be_hidden()
    bar, board = page.locator(".sheet header svg"), page.locator("[data-drawing]")
    assert bar.bounding_box()["width"] == pytest.approx(51 * MILLIMETRE, abs=0.5)
    assert board.bounding_box()["width"] == pytest.approx((20 * 9 + 6) * MILLIMETRE, abs=0.5)


def test_puzzles_of_the_day_on_paper(page):
    page.clock.set_fixed_time(f"{DAYS[0]}T12:00")
    page.goto("/puzzles")
    page.get_by_role("link", name="Print today’s puzzles").click()
    expect(page.locator(".sheet h1")).to_have_count(3)
    assert findings(page) == []


@pytest.mark.parametrize("locale", ["fr-FR", "de-DE"])
def test_the_list_of_sheets_in_every_language(visitor, locale):
    page = visitor(locale=locale, phone=True)
    page.goto("/print")
    expect(page.locator("[data-print]")).to_have_count(4)
    assert leftovers(page, locale[:2]) == []
    assert findings(page) == []
    fits(page, 390)


def test_printed_rules_have_no_navigation(page):
    page.goto("/rules/plus4")
    expect(page.get_by_role("button", name="Print the rules")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("main button:visible, main nav:visible")).to_have_count(0)
    assert 1 <= len(printed(page)) <= 6
