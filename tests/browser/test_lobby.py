"""The lobby: two people who look for an opponent are paired at once; a player opens a table there."""

import re

from playwright.sync_api import expect

from tests.browser.checks import findings, has_large_targets
from tests.browser.steps import headline, press_twice, push, table_of, take_name

AT_TABLE = re.compile(r"/t/[\w-]+$")


def _look(page, pace, game="plus4", variant="elementary"):
    """Choose a game in the lobby; each test uses another game."""
    page.goto("/lobby")
    page.locator("select[name=play-game]").select_option(game)
    page.locator("select[name=play-variant]").select_option(variant)
    page.locator("select[name=play-pace]").select_option(pace)


def test_two_people_who_look_for_an_opponent_meet_at_once(visitor):
    ada, bob = visitor(), visitor(phone=True)
    for page, name in ((ada, "Ada"), (bob, "Bob")):
        take_name(page, name)
        _look(page, "3+2")
        assert findings(page) == []
        has_large_targets(page)
    ada.get_by_role("button", name="Find an opponent").click()
    expect(ada).to_have_url(AT_TABLE)
    expect(ada.locator("#invite-title")).to_have_text("Waiting for players")
    assert findings(ada) == []
    bob.get_by_role("button", name="Find an opponent").click()
    expect(bob).to_have_url(AT_TABLE)
    assert table_of(bob) == table_of(ada)
    expect(ada.locator("[data-invite]")).to_have_count(0)
    for page in (ada, bob):
        expect(page.locator("[data-clock]")).to_have_count(2)
        expect(page.locator(".status")).to_be_visible()
    seat = ada.request.get(f"/api/tables/{table_of(ada)}").json()["you"]
    first, second = (ada, bob) if seat == [0] else (bob, ada)
    push(first, "a")
    push(second, "b")


def test_a_search_for_an_opponent_can_be_cancelled(visitor):
    ada, bob = visitor(), visitor()
    _look(ada, "5+3")
    ada.locator("[data-find]").click()
    expect(ada).to_have_url(AT_TABLE)
    table = table_of(ada)
    bob.goto("/lobby")
    expect(bob.locator(f"[data-card='{table}']")).to_be_visible()
    press_twice(ada.get_by_role("button", name="Stop waiting"))
    expect(headline(ada)).to_have_text("The game was called off.")
    expect(bob.locator(f"[data-card='{table}']")).to_have_count(0)
    _look(bob, "5+3")
    bob.locator("[data-find]").click()
    expect(bob).to_have_url(AT_TABLE)
    assert table_of(bob) != table


def test_a_table_is_opened_in_the_lobby(visitor):
    ada, bob = visitor(), visitor()
    take_name(ada, "Ada")
    _look(ada, "30+10", "blokus", "duo")
    ada.locator("[data-open]").click()
    dialog = ada.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Blokus · Open a table")).to_be_visible()
    expect(dialog.locator("select[name=pace]")).to_have_value("30+10")
    expect(dialog.locator("input[name=variant][value=duo]")).to_be_checked()
    expect(dialog.locator("input[name=listed]")).to_have_count(0)
    assert findings(ada) == []
    dialog.locator("[data-start]").click()
    expect(ada).to_have_url(AT_TABLE)
    expect(ada.get_by_text("Your table is listed in the lobby.")).to_be_visible()
    table = table_of(ada)
    bob.goto("/lobby")
    card = bob.locator(f"[data-card='{table}']")
    expect(card).to_contain_text("Ada")
    expect(card).to_contain_text("30 min + 10 s per move")
    ada.goto("/lobby")
    ada.locator(f"[data-card='{table}']").get_by_role("link", name="Your table").click()
    expect(ada.locator("[data-invite]")).to_be_visible()
    card.get_by_role("button", name="Join").click()
    expect(bob).to_have_url(AT_TABLE)
    expect(ada.locator("[data-invite]")).to_have_count(0)
