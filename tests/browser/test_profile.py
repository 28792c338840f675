"""Rated games and profiles: from the setup dialog to what others see."""

import re
import uuid

from playwright.sync_api import Page, expect

from tests.browser.checks import findings
from tests.browser.steps import BLUE_COLUMN, accept, pick, push, table_of


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


def test_a_name_leads_to_the_profile_wherever_it_is_read(visitor):
    """At the table in a new tab while the game runs; not for people who show nothing."""
    ada, bob, eve = visitor(), visitor(), visitor(phone=True)
    name, other = member(ada, "Ada"), member(bob, "Bob")
    shows = {"ratings": "everybody", "games": "me", "puzzles": "me"}
    assert ada.request.put("/api/account/profile", data=shows).ok
    seats = [{"kind": "me"}, {"kind": "open"}]
    setup = {"game": "plus4", "variant": "elementary", "seats": seats, "listed": True}
    table = ada.request.post("/api/tables", data=setup).json()["id"]
    cup = ada.request.post("/api/tournaments", data={"title": "Cup", "game": "plus4"}).json()["id"]
    assert ada.request.post(f"/api/tournaments/{cup}/players", data={}).ok
    profile = re.compile(f"/@{name.replace(' ', '%20')}$")

    invite = ada.request.post("/api/tables", data={**setup, "listed": False}).json()
    eve.goto(f"/t/{invite['id']}?join={invite['invites']['1']}")
    expect(eve.locator("[data-invitation] h1")).to_have_text(f"{name} invites you to a game")
    with eve.context.expect_page() as opened:
        eve.locator("[data-invitation] h1 a").click()
    expect(opened.value).to_have_url(profile)
    eve.goto(f"/tournaments/{cup}")
    eve.locator("header").get_by_role("link", name=name).click()
    expect(eve).to_have_url(profile)

    eve.goto("/lobby")
    eve.locator(f"[data-card='{table}']").get_by_role("link", name=name).click()
    expect(eve).to_have_url(profile)
    assert bob.request.post(f"/api/tables/{table}/join", data={}).ok
    eve.goto("/watch")
    card = eve.locator(f"[data-watch='{table}']")
    assert findings(eve) == []
    card.get_by_role("link", name=name, exact=True).click()
    expect(eve).to_have_url(profile)
    eve.go_back()
    card.get_by_role("link", name="Plus 4").click(position={"x": 5, "y": 5})
    expect(eve).to_have_url(re.compile(f"/t/{table}$"))

    for page in (ada, bob):
        page.goto(f"/t/{table}")
        expect(page.locator("[data-link=online]")).to_be_attached()
    ada.get_by_role("button", name="Hello!").click()
    expect(bob.locator("[data-chat] li a")).to_have_text(name)
    expect(ada.get_by_role("link", name=other)).to_have_count(0)
    with bob.context.expect_page() as opened:
        bob.locator("[data-player='0'] a").press("Enter")
    expect(opened.value).to_have_url(profile)
    expect(opened.value.locator("[data-part=ratings]")).to_be_visible()
    expect(bob.locator("[data-link=online]")).to_be_attached()

    bob.goto("/games")
    bob.locator(f"[data-card='{table}']").get_by_role("link", name=name).click()
    expect(bob).to_have_url(profile)
    bob.goto(f"/tournaments/{cup}")
    bob.locator("[data-standings]").get_by_role("link", name=name).click()
    expect(bob).to_have_url(profile)


def rated_game(ada: Page, bob: Page) -> str:
    """Ada wins a rated game against Bob by requests, without a page; the table."""
    setup = {"game": "plus4", "variant": "elementary", "seats": [{"kind": "me"}, {"kind": "open"}], "rated": True}
    opened = ada.request.post("/api/tables", data=setup).json()
    at = f"/api/tables/{opened['id']}"
    assert bob.request.post(f"{at}/join", data={"token": opened["invites"]["1"]}).ok
    for ply, move in enumerate(BLUE_COLUMN):
        command = {"ack": f"{ply}", "ply": ply, "seat": ply % 2, "move": move}
        answer = (ada, bob)[ply % 2].request.post(f"{at}/moves", data=command)
        assert answer.ok, answer.text()
    return opened["id"]


def test_the_sixth_rated_game_of_a_day_says_that_it_did_not_count(visitor):
    ada, bob = visitor(), visitor()
    member(ada, "Ada")
    member(bob, "Bob")
    tables = [rated_game(ada, bob) for _ in range(6)]
    ada.goto(f"/t/{tables[5]}")
    expect(ada.locator("[data-not-counted]")).to_have_text("This game did not count for the ratings.")
    assert findings(ada) == []
    with ada.expect_response(f"**/api/tables/{tables[4]}/rated") as counted:
        ada.goto(f"/t/{tables[4]}")
    assert counted.value.json() == {"counted": True}
    expect(ada.locator("[data-rated]")).to_be_visible()
    expect(ada.locator("[data-not-counted]")).to_have_count(0)
