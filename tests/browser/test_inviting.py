"""Invitations and offers: one link for all seats, the page of an invitation, offers that other players answer."""

import re

from playwright.sync_api import Page, expect

from tests.browser.checks import findings, has_large_targets
from tests.browser.steps import accept, caption, headline, push, start, table_of, take_name, try_turn, turns


def _meet(visitor):
    ada, bob = visitor(), visitor()
    take_name(ada, "Ada")
    start(ada, way="invite", begins="me")
    accept(bob, ada.locator("[data-invite]").input_value())
    expect(ada.locator("[data-invite]")).to_have_count(0)
    return ada, bob


def test_an_invitation_names_the_host_and_the_game_and_is_accepted_with_a_name(visitor):
    ada, bob = visitor(), visitor(phone=True)
    take_name(ada, "Ada")
    start(ada, way="invite", begins="me")
    link = ada.locator("[data-invite]").input_value()
    chat = bob.context.request.get(link).text()  # what a chat reads for its preview
    assert '<meta property="og:title" content="Ada invites you to a game" />' in chat
    picture = re.search('<meta property="og:image" content="([^"]+)"', chat)
    assert picture
    assert bob.request.get(picture[1]).headers["content-type"] == "image/png"
    bob.goto(link)
    expect(bob.get_by_role("heading", name="Ada invites you to a game")).to_be_visible()
    card = bob.locator("[data-invitation]")
    for text in ("Plus 4 · Elementary game", "No clock", "Ada", "free seat"):
        expect(card).to_contain_text(text)
    assert findings(bob) == []
    has_large_targets(bob)
    expect(ada.locator("[data-invite]")).to_be_visible()  # opening the link takes no seat
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_label("Your name").press("Enter")
    bob.locator("[data-accept]").click()
    expect(ada.locator("[data-player='1']")).to_contain_text("Bob")
    push(ada, "a")
    push(bob, "b")


def test_one_link_seats_three_friends_and_the_computer_takes_the_last_seat(visitor):
    ada, bob, cat = visitor(), visitor(), visitor()
    start(ada, game="blokus", way="invite", begins="me")
    expect(ada.locator("[data-invite]")).to_have_count(1)
    for language, waiting, may in (
        ("fr", "On attend Jaune, Rouge et Vert", "Vous pouvez déjà jouer."),
        ("de", "Warten auf Gelb, Rot und Grün", "Du kannst schon ziehen."),
        ("en", "Waiting for Yellow, Red and Green", "You can already move."),
    ):
        ada.locator("#language").select_option(language)
        expect(headline(ada)).to_have_text(waiting)
        expect(caption(ada)).to_contain_text(may)
    link = ada.locator("[data-invite]").input_value()
    accept(bob, link)
    expect(headline(ada)).to_have_text("Waiting for Red and Green")
    accept(cat, link)
    expect(ada.locator("[data-seat]", has=ada.locator("select"))).to_have_count(1)
    ada.get_by_label("Level of the computer for Green").select_option("2")
    ada.get_by_role("button", name="Give Green to the computer").click()
    expect(ada.locator("[data-player='3']")).to_contain_text("level 2")
    expect(headline(ada)).to_have_text("Your turn")
    assert bob.request.get(f"/api/tables/{table_of(ada)}").json()["you"] == [1]


def _is_in_view(page: Page, selector: str) -> bool:
    return page.locator(selector).evaluate(
        "(e) => { const { top, bottom } = e.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }"
    )


def test_a_family_with_a_phone_each_and_a_tablet_that_watches(visitor):
    """The names of all are seen on every phone; messages, offers and answers are seen without scrolling."""
    names = ("Papa", "Maman", "Léo")
    dad, mum, leo, tablet = (visitor(phone=True) for _ in range(4))
    for page, name in zip((dad, mum, leo), names, strict=True):
        take_name(page, name)
    dad.goto("/")
    dad.locator("[data-game=blokus] [data-enter=invite]").click()
    dad.get_by_role("button", name="Choose each player").click()
    rows = dad.locator("[data-seat-row]")
    rows.nth(3).locator("select").first.select_option(label="The computer")
    lefts = {row.locator("select").first.bounding_box()["x"] for row in rows.all()}
    assert len(lefts) == 1, "every row is laid out alike"
    dad.get_by_label("Draw lots for the seats").uncheck()
    dad.locator("[data-start]").click()
    dad.wait_for_url("**/t/*")
    link = dad.locator("[data-invite]").input_value()
    mum.goto(link)
    expect(mum.locator("[data-invitation] .game")).to_have_text("Blokus for four")
    accept(mum, link)
    accept(leo, link)
    tablet.goto(link)
    tablet.locator("[data-watch]").click()
    expect(headline(tablet)).to_have_text("Papa to move")
    expect(tablet.get_by_text("The others are moving")).to_have_count(0)  # the tablet plays no colour
    for page in (dad, mum, leo, tablet):
        for number, name in enumerate(names):
            shown = page.locator(f"[data-player='{number}'] small")
            mine = page in (dad, mum, leo) and page is (dad, mum, leo)[number]
            expect(shown).to_be_visible(visible=not mine)
            expect(shown).to_contain_text(name)
    expect(caption(dad)).to_contain_text("Choose a piece")
    expect(caption(mum)).to_be_empty()  # it is not her turn
    assert findings(mum) == []
    try_turn(dad, "blokus")
    expect(mum.locator(".status.mine")).to_be_visible()
    expect(mum.get_by_role("button", name="Ask to take back")).to_have_count(0)  # she has not moved yet
    try_turn(mum, "blokus")
    expect(leo.locator(".status.mine")).to_be_visible()
    dad.get_by_role("button", name="Nice move!").click()
    expect(mum.locator(".place")).to_have_text("Papa: Nice move!")  # her chat is out of sight

    dad.get_by_role("button", name="Resign").click()
    dad.get_by_role("button", name="Yes, resign").click()
    expect(mum.locator(".place")).to_have_text("Papa resigned.")
    expect(dad.locator("[data-out]")).to_have_text("You are out of the game. The computer plays on for you.")
    expect(dad.get_by_role("button", name=re.compile("Resign|Ask to take back"))).to_have_count(0)
    for page in (mum, leo):
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
    expect(caption(leo)).to_have_text("Papa, Maman and Léo resigned.")
    for page in (dad, mum, leo):
        page.evaluate("scrollTo(0, 0)")
    dad.get_by_role("button", name="Play again").click()
    expect(dad.get_by_text("Waiting for Maman and Léo…")).to_be_visible()
    expect(dad.get_by_role("button", name="Withdraw")).to_be_focused()
    expect(leo.get_by_text("Papa offers a rematch.")).to_be_visible()
    assert _is_in_view(leo, "[data-offer]")
    assert findings(leo) == []
    mum.get_by_role("button", name="Accept").click()
    expect(leo.get_by_text("Papa and Maman offer a rematch.")).to_be_visible()
    leo.get_by_role("button", name="Decline").click()
    for page in (dad, mum):
        expect(page.locator(".place")).to_have_text("Léo declined the offer.")
    expect(leo.locator(".place")).to_be_empty()
    expect(leo.get_by_role("button", name="Play again")).to_be_focused()
    leo.get_by_role("button", name="Play again").click()
    for page in (dad, mum):
        page.get_by_role("button", name="Accept").click()
    for page in (dad, mum, leo):
        expect(page).not_to_have_url(re.compile(table_of(tablet)))
        expect(page.locator(".status")).to_be_visible()
    assert table_of(dad) == table_of(mum) == table_of(leo)


def test_the_link_is_a_qr_code_too(page):
    start(page, way="invite")
    page.locator("[data-qr]").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert findings(page) == []


def test_a_cancelled_invitation_is_no_loss(visitor):
    ada, bob = visitor(), visitor()
    start(ada, way="invite", begins="me")
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
    expect(ada.locator(".place")).to_contain_text("declined the offer.")
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
