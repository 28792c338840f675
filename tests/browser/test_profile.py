"""Rated games and profiles: from the setup dialog to what others see."""

import uuid

from playwright.sync_api import Page, expect

from tests.browser.steps import accept, pick, push, table_of
from tests.browser.test_access import _findings as findings


def member(page: Page, name: str) -> str:
    """Sign up before any page is open; the name of the account."""
    called = f"{name} {uuid.uuid4().hex[:8]}"
    answer = page.request.post("/api/account", data={"name": called, "password": "correct horse"})
    assert answer.ok, answer.text()
    return called


def test_a_rated_game_is_in_the_profile_if_its_owner_allows_it(visitor):
    ada, bob, guest = visitor(), visitor(), visitor(phone=True)
    name, other = member(ada, "Ada"), member(bob, "Bob")
    ada.goto("/")
    ada.locator("[data-game=plus4] [data-enter=invite]").click()
    pick(ada.locator("input[name=begins][value=me]"))
    ada.locator("input[name=takeback]").check()
    expect(ada.locator("input[name=rated]")).to_be_disabled()
    ada.locator("input[name=takeback]").uncheck()
    ada.locator("input[name=rated]").check()
    ada.locator("[data-start]").click()
    ada.wait_for_url("**/t/*")
    expect(ada.locator("[data-rated]")).to_contain_text("Rated game")
    link = ada.locator("[data-invite]").first.input_value()
    guest.goto(link)
    expect(guest.locator("[data-needs-account]")).to_contain_text("you need an account")
    accept(bob, link)
    push(ada, "b")
    push(bob, "c")
    assert table_of(ada) == table_of(bob)
    bob.get_by_role("button", name="Resign").click()
    bob.get_by_role("button", name="Yes, resign").click()
    expect(ada.locator(".status.result")).to_be_visible()

    ada.goto("/account")
    ada.get_by_role("link", name="My profile").click()
    expect(ada.locator("[data-rating='plus4:elementary']")).to_contain_text("1 rated game · provisional")
    expect(ada.locator("[data-opponent]")).to_contain_text(other)
    assert findings(ada) == []
    bob.goto(f"/@{name}")
    expect(bob.get_by_text("does not show anything here")).to_be_visible()
    pick(ada.locator("input[name=shows-ratings][value=everybody]"))
    expect(ada.get_by_text("Saved.")).to_be_visible()
    bob.reload()
    expect(bob.locator("[data-rating='plus4:elementary']")).to_be_visible()
    expect(bob.locator("[data-part]")).to_have_count(1)
    expect(bob.locator("[data-part] input")).to_have_count(0)
