"""Invitations and offers: one link for all seats, the page of an invitation, offers that other players answer."""

from playwright.sync_api import expect

from tests.browser.steps import accept, headline, push, sit_down, table_of, take_name, turns
from tests.browser.test_access import SMALL, TARGETS
from tests.browser.test_access import _findings as findings


def _meet(visitor):
    ada, bob = visitor(), visitor()
    take_name(ada, "Ada")
    sit_down(ada, way="invite", begins="me")
    accept(bob, ada.locator("[data-invite]").input_value())
    expect(ada.locator("[data-invite]")).to_have_count(0)
    return ada, bob


def test_an_invitation_names_the_host_and_the_game_and_is_accepted_with_a_name(visitor):
    ada, bob = visitor(), visitor(phone=True)
    take_name(ada, "Ada")
    sit_down(ada, way="invite", begins="me")
    bob.goto(ada.locator("[data-invite]").input_value())
    expect(bob.get_by_role("heading", name="Ada invites you to a game")).to_be_visible()
    card = bob.locator("[data-invitation]")
    for text in ("Plus 4 · Elementary game", "No clock", "Ada", "free seat"):
        expect(card).to_contain_text(text)
    assert findings(bob) == []
    assert bob.evaluate(SMALL, TARGETS) == []
    expect(ada.locator("[data-invite]")).to_be_visible()  # opening the link takes no seat
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_label("Your name").press("Enter")
    bob.locator("[data-accept]").click()
    expect(ada.locator("[data-player='1']")).to_contain_text("Bob")
    push(ada, "a")
    push(bob, "b")


def test_one_link_seats_three_friends_and_the_computer_takes_the_last_seat(visitor):
    ada, bob, cat = visitor(), visitor(), visitor()
    sit_down(ada, game="blokus", way="invite", begins="me")
    expect(ada.locator("[data-invite]")).to_have_count(1)
    link = ada.locator("[data-invite]").input_value()
    accept(bob, link)
    accept(cat, link)
    expect(ada.locator("[data-seat]", has=ada.locator("select"))).to_have_count(1)
    ada.get_by_label("Level of the computer for Green").select_option("2")
    ada.get_by_role("button", name="Give Green to the computer").click()
    expect(ada.locator("[data-player='3']")).to_contain_text("level 2")
    expect(headline(ada)).to_have_text("Your turn")
    assert bob.request.get(f"/api/tables/{table_of(ada)}").json()["you"] == [1]


def test_the_link_is_a_qr_code_too(page):
    sit_down(page, way="invite")
    page.locator("[data-qr]").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert findings(page) == []


def test_a_cancelled_invitation_is_no_loss(visitor):
    ada, bob = visitor(), visitor()
    sit_down(ada, way="invite", begins="me")
    link = ada.locator("[data-invite]").input_value()
    expect(ada.get_by_role("button", name="Resign")).to_have_count(0)
    ada.get_by_role("button", name="Cancel the invitation").click()
    ada.get_by_role("button", name="Really cancel it?").click()
    expect(headline(ada)).to_have_text("The game was called off.")
    bob.goto(link)
    expect(bob.get_by_text("This invitation was cancelled")).to_be_visible()
    ada.goto("/games")
    expect(ada.locator(f"[data-card='{link.split('/t/')[1].split('?')[0]}']")).to_contain_text("cancelled")


def test_a_draw_is_offered_declined_and_accepted(visitor):
    ada, bob = _meet(visitor)
    push(ada, "a")
    push(bob, "b")
    ada.get_by_role("button", name="Offer a draw").click()
    expect(ada.get_by_text("You have offered a draw.")).to_be_visible()
    expect(bob.get_by_text("Ada offers a draw.")).to_be_visible()
    assert findings(bob) == []
    bob.get_by_role("button", name="Decline").click()
    expect(ada.get_by_text("The offer was declined.").first).to_be_visible()
    bob.get_by_role("button", name="Offer a draw").click()
    ada.get_by_role("button", name="Accept").click()
    for page in (ada, bob):
        expect(headline(page)).to_have_text("Draw")
        expect(page.locator(".status [data-caption]")).to_have_text("You agreed on a draw.")


def test_a_move_is_taken_back_once_the_other_agrees(visitor):
    ada, bob = _meet(visitor)
    push(ada, "a")
    ada.get_by_role("button", name="Ask to take back").click()
    expect(bob.get_by_text("Ada asks to take back a move.")).to_be_visible()
    bob.get_by_role("button", name="Accept").click()
    expect(turns(ada)).to_have_count(0)
    expect(headline(ada)).to_have_text("Your turn")


def test_a_game_is_called_off_before_its_second_move(visitor):
    ada, bob = _meet(visitor)
    push(ada, "a")
    bob.get_by_role("button", name="Call off the game").click()
    bob.get_by_role("button", name="Really call it off?").click()
    for page in (ada, bob):
        expect(headline(page)).to_have_text("The game was called off.")
