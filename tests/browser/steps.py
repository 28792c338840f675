"""What people do on the page."""

import re

from playwright.sync_api import Locator, Page, expect

BLUE_COLUMN = ["b", "c", "b", "c", "b", "a", "b"]  # blue fills column b and wins the elementary game


def sit_down(
    page: Page, game: str = "plus4", way: str = "here", variant: int = 0, begins: str | None = None, level: int = 1
) -> None:
    """From the first page to a table."""
    page.goto("/")
    page.locator(f"[data-game={game}] [data-enter={way}]").click()
    page.locator("label.variant").nth(variant).click()
    if way == "engine":
        page.locator(f"input[name=level][value='{level}']").check(force=True)
    if begins:
        page.locator(f"input[name=begins][value={begins}]").check(force=True)
    page.locator("[data-start]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-link=online]")).to_be_attached()


def column(page: Page, name: str) -> Locator:
    return page.locator(f"[data-column={name}]")


def turns(page: Page) -> Locator:
    """The moves in the list."""
    return page.locator("section[aria-labelledby=moves-title] ol button")


def push(page: Page, *moves: str) -> None:
    """Push columns, with a star the bonus pawn, and see each in the list."""
    for move in moves:
        before = turns(page).count()
        expect(column(page, move[0])).to_have_attribute("aria-disabled", "false")
        if move.endswith("*"):
            page.locator(".pick").click()
        column(page, move[0]).click()
        expect(turns(page)).to_have_count(before + 1)


def headline(page: Page) -> Locator:
    """Whose turn it is, or the result."""
    return page.locator(".status h2")


def caption(page: Page) -> Locator:
    return page.locator(".status [data-caption]")


def spoken(page: Page) -> Locator:
    """What a screen reader says last."""
    return page.locator("p[role=log]")  # the chat is another one


def pawns(page: Page) -> Locator:
    """Those in the grid."""
    return page.locator(".plus4 g.at")


def is_over(page: Page) -> bool:
    return page.locator(".status.result").count() > 0


def table_of(page: Page) -> str:
    found = re.search(r"/t/([\w-]+)", page.url)
    assert found
    return found[1]
