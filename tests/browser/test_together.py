"""Two people, two browsers."""

import pytest
from playwright.sync_api import expect

from tests.browser.steps import accept, caption, column, headline, push, spoken, start, turns


def _meet(visitor, **host):
    """A host who begins, and a guest who joined by the link."""
    ada, bob = visitor(**host), visitor()
    start(ada, way="invite", begins="me")
    link = ada.locator("[data-invite]").input_value()
    accept(bob, link)
    expect(ada.locator("[data-invite]")).to_have_count(0)
    return ada, bob, link


def _alternate(ada, bob, moves):
    for move in moves:
        mover, other = (ada, bob) if turns(ada).count() % 2 == 0 else (bob, ada)
        before = turns(mover).count()
        push(mover, move)
        expect(turns(other)).to_have_count(before + 1)


@pytest.mark.motion
def test_by_invitation_with_a_reload_in_the_middle(visitor):
    ada, bob, _ = _meet(visitor)
    expect(headline(ada)).to_have_text("Your turn")
    expect(spoken(ada)).to_contain_text("joined the game")
    _alternate(ada, bob, "bcb")
    bob.reload()
    expect(turns(bob)).to_have_count(3)
    for page in (ada, bob):  # neither the event nor the reload hides which move was the last
        expect(page.locator(".plus4 .last")).to_have_count(1)
    expect(headline(bob)).to_have_text("Your turn")
    _alternate(ada, bob, "cbab")
    expect(headline(ada)).to_have_text("You won!")
    expect(headline(bob)).to_have_text("You lost.")
    ada.get_by_role("button", name="Play again").click()
    expect(ada.get_by_text("Waiting for")).to_be_visible()
    expect(bob.get_by_text("offers a rematch")).to_be_visible()
    bob.get_by_role("button", name="Decline").click()
    expect(ada.get_by_role("button", name="Play again")).to_be_visible()
    bob.get_by_role("button", name="Play again").click()
    ada.get_by_role("button", name="Accept").click()
    expect(headline(bob)).to_have_text("Your turn")  # the other one begins now
    expect(ada).to_have_url(bob.url)


def test_a_broken_connection_is_restored(visitor):
    ada, bob, _ = _meet(visitor)
    _alternate(ada, bob, "b")
    ada.context.set_offline(True)
    push(bob, "c")
    ada.context.set_offline(False)
    expect(turns(ada)).to_have_count(2, timeout=30_000)
    push(ada, "b")
    expect(turns(bob)).to_have_count(3)


def test_a_third_visitor_watches(visitor):
    ada, bob, link = _meet(visitor)
    eve = visitor()
    eve.goto(link)
    expect(eve.get_by_text("All seats are taken.")).to_be_visible()
    eve.locator("[data-watch]").click()
    expect(caption(eve)).to_have_text("You are watching")
    _alternate(ada, bob, "a")
    expect(turns(eve)).to_have_count(1)
    expect(column(eve, "a")).to_have_attribute("aria-disabled", "true")
    expect(eve.get_by_role("button", name="Resign")).to_have_count(0)


def test_hosts_can_look_at_their_own_invitations(visitor):
    ada = visitor()
    start(ada, way="invite", begins="me")
    ada.goto(ada.locator("[data-invite]").input_value())
    expect(ada.locator("[data-invite]")).to_be_visible()  # the seat is still free
    assert "join" not in ada.url
