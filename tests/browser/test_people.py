"""People: an account that keeps the games, a seat from the lobby, a chat, a clock that runs out, an absent player."""

import json
import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from quatuor.table import clocks
from tests.browser.checks import findings, fits, has_large_targets
from tests.browser.steps import accept, headline, pick, push, sit_down, straight_to, table_of, take_name, turns


def opened(page: Page, **setup) -> dict:
    """Open a table by a request of this browser, without the first page."""
    page.goto("/account")
    expect(page.locator("form")).to_be_visible()
    answer = page.request.post("/api/tables", data=json.dumps(setup))
    assert answer.ok, answer.text()
    return answer.json()


def duel(visitor, phone: bool = False, **setup) -> tuple[Page, Page, str]:
    ada, bob = visitor(phone=phone), visitor()
    table = opened(ada, game="plus4", seats=[{"kind": "me"}, {"kind": "open"}], **setup)
    accept(bob, f"/t/{table['id']}?join={table['invites']['1']}")
    ada.goto(f"/t/{table['id']}")
    for page in (ada, bob):
        expect(page.locator("[data-link=online]")).to_be_attached()
    return ada, bob, table["id"]


def sign(page: Page, way: str, name: str, password: str = "correct horse") -> None:
    page.goto("/account")
    pick(page.locator(f"input[name=way][value={way}]"))
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.locator("form button.primary").click()


def test_signing_up_keeps_the_games_also_on_another_device(visitor):
    page, phone = visitor(), visitor(phone=True)
    sit_down(page)
    push(page, "b")
    table, name = table_of(page), f"Ada {uuid.uuid4().hex[:8]}"
    sign(page, "up", name)
    expect(page.get_by_text(f"signed in as {name}")).to_be_visible()
    page.goto(f"/t/{table}")
    expect(turns(page)).to_have_count(1)
    push(page, "c")
    straight_to(phone, "plus4", "rounds")
    other = table_of(phone)
    sign(phone, "in", name, "wrong horse")
    expect(phone.get_by_role("alert")).to_have_text("Wrong name or password.")
    sign(phone, "in", name)
    expect(phone.get_by_text(f"signed in as {name}")).to_be_visible()
    phone.get_by_role("link", name="My games").last.click()
    expect(phone.locator(f"[data-card='{other}']")).to_be_visible()  # with the games of the guest
    phone.locator(f"[data-card='{table}'] a").click()
    expect(turns(phone)).to_have_count(2)
    push(phone, "b")
    phone.goto("/account")
    phone.get_by_role("button", name="Sign out", exact=True).click()
    expect(phone.get_by_text("An account is optional")).to_be_visible()


def test_a_name_typed_before_the_server_has_answered_is_kept(page):
    answers = []
    page.route("**/api/me", lambda route: answers.append(route), times=1)
    page.goto("/")
    page.locator("[data-game=plus4] [data-enter=invite]").click()
    page.get_by_label("Your name").fill("Ada")
    with page.expect_response("**/api/me"):
        answers[0].continue_()
    page.locator("[data-start]").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_text("Ada", exact=True)).to_be_visible()


def test_a_table_from_the_first_page_to_the_lobby_to_a_game(visitor):
    ada, bob = visitor(), visitor(phone=True)
    bob.goto("/lobby")
    ada.goto("/")
    ada.locator("[data-game=plus4] [data-enter=invite]").click()
    ada.locator("select[name=pace]").select_option("5+3")
    ada.locator("input[name=listed]").check()
    pick(ada.locator("input[name=begins][value=me]"))
    ada.locator("[data-start]").click()
    ada.wait_for_url("**/t/*")
    card = bob.locator(f"[data-card='{table_of(ada)}']")
    expect(card).to_contain_text("5 min + 3 s per move")
    bob.locator("select[name=game]").select_option("blokus")
    expect(card).to_have_count(0)
    bob.locator("select[name=game]").select_option("plus4")
    bob.locator("select[name=pace]").select_option("days")
    expect(card).to_have_count(0)
    bob.locator("select[name=pace]").select_option("clock")
    card.get_by_role("button", name="Join").click()
    bob.wait_for_url("**/t/*")
    expect(ada.locator("[data-invite]")).to_have_count(0)
    push(ada, "b")
    expect(turns(bob)).to_have_count(1)
    push(bob, "c")
    for page in (ada, bob):
        expect(page.locator("[data-clock]")).to_have_count(2)
        expect(page.locator("[data-clock].running")).to_have_count(1)
        expect(page.locator("[data-clock]").first).to_have_text(re.compile(r"[45]:\d\d"))


def test_chat_phrases_are_translated_and_messages_are_only_text(visitor):
    ada, bob, _ = duel(visitor)
    slow = []
    bob.route("**/muted", lambda route: slow.append(route), times=1)
    bob.get_by_label("Language").select_option("fr")
    ada.get_by_role("button", name="Nice move!").click()
    ada.get_by_label("Write a message").fill("<img src=x onerror=alert(1)> & <b>hi</b>")
    ada.keyboard.press("Enter")
    chat = bob.locator("[data-chat] [role=log]")
    expect(chat).to_contain_text("Joli coup !")
    expect(chat).to_contain_text("<img src=x onerror=alert(1)> & <b>hi</b>")
    assert chat.locator("img, b").count() == 0
    chat.locator("[aria-expanded]").first.click()
    bob.get_by_role("button", name="Signaler ce message").first.click()
    expect(bob.get_by_text("Merci, le message est signalé.")).to_be_visible()
    bob.get_by_role("button", name="Masquer cette personne").first.click()
    expect(chat).not_to_contain_text("Joli coup !")
    with bob.expect_response("**/muted"):
        slow[0].fulfill(json={"seats": []})  # the size when the first message came
    bob.evaluate("fetch('/api/me').then((answer) => answer.text())")  # there and back: the message has been read
    expect(chat).not_to_contain_text("Joli coup !")
    bob.reload()
    expect(bob.get_by_text("2 messages masqués.")).to_be_visible()
    ada.get_by_label("Free chat").uncheck()
    expect(bob.get_by_label("Écrire un message")).to_have_count(0)
    bob.get_by_role("button", name="Merci !").click()
    expect(ada.locator("[data-chat] [role=log]")).to_contain_text("Thank you!")


def test_people_who_share_a_device_write_under_their_own_names(visitor):
    ada, bob = visitor(phone=True), visitor()
    seats = [{"kind": "me", "name": "Mia"}, {"kind": "open"}, {"kind": "me", "name": "Tom"}]
    table = opened(ada, game="blokus", variant="three", seats=seats)
    accept(bob, f"/t/{table['id']}?join={table['invites']['1']}")
    ada.goto(f"/t/{table['id']}")
    expect(ada.locator("[data-link=online]")).to_be_attached()
    writer = ada.get_by_role("group", name="Who is writing?")
    expect(writer.get_by_role("radio")).to_have_count(2)
    pick(writer.get_by_role("radio", name="Tom"))
    ada.get_by_role("button", name="Hello!").click()
    pick(writer.get_by_role("radio", name="Mia"))
    ada.get_by_label("Write a message").fill("And me")
    ada.keyboard.press("Enter")
    expect(bob.locator("[data-chat] [role=log] li")).to_have_text([re.compile("Tom Hello!"), re.compile("Mia And me")])
    expect(bob.get_by_role("group", name="Who is writing?")).to_have_count(0)
    assert findings(ada) == []
    has_large_targets(ada)


def test_a_clock_warns_before_it_runs_out(visitor):
    ada, bob, _ = duel(visitor, pace={"total": 15})
    push(ada, "b")
    push(bob, "c")
    low = ada.locator("[data-clock].low")
    expect(low).to_be_visible()
    expect(low).to_contain_text("!")  # not by colour alone
    expect(ada.get_by_text("You are running out of time.")).to_be_attached()
    expect(headline(bob)).to_have_text("You won!")
    expect(headline(ada)).to_have_text("You lost.")
    expect(ada.locator(".status p")).to_contain_text("ran out of time")
    expect(ada.locator("[data-player='0'] [data-clock]")).to_have_text("0:00")


def test_clocks_wait_for_all_players_and_for_the_first_move(visitor, monkeypatch):
    monkeypatch.setattr(clocks, "WAITS", ((600, 0),))
    ada, bob = visitor(), visitor()
    take_name(ada, "Ada")
    table = ada.request.post(
        "/api/tables",
        data=json.dumps({"game": "plus4", "seats": [{"kind": "me"}, {"kind": "open"}], "pace": {"total": 60}}),
    ).json()
    accept(bob, f"/t/{table['id']}?join={table['invites']['1']}")
    note = "[data-first-moves]"
    expect(bob.locator(note)).to_have_text("Ada is not here yet. No clock runs until everyone is here.")
    expect(bob.get_by_role("button", name="Let the computer play")).to_be_visible()
    expect(bob.get_by_role("button", name="Claim the win")).to_have_count(0)
    ada.goto(f"/t/{table['id']}")
    expect(bob.locator(note)).to_have_text("Ada: the clock starts with the first move.")
    expect(ada.locator(note)).to_have_text("Your clock starts with your first move.")
    expect(ada.locator("[data-clock]")).to_have_text(["1:00", "1:00"])
    expect(ada.locator("[data-clock].running")).to_have_count(0)
    push(ada, "b")
    push(bob, "c")
    expect(ada.locator("[data-player='0'] [data-clock].running")).to_be_visible()
    expect(ada.locator(note)).to_have_count(0)
    ada.goto("/account")
    expect(bob.get_by_role("button", name="Claim the win")).to_be_visible()


def test_a_game_without_a_first_move_in_time_is_called_off_without_a_loser(visitor):
    _, bob, _ = duel(visitor, pace={"total": 5})
    expect(headline(bob)).to_have_text("The game was called off.")
    expect(bob.locator(".status [data-caption]")).to_have_text("Nobody has lost.")


def test_an_absent_player_is_replaced_and_comes_back(visitor, monkeypatch):
    monkeypatch.setattr(clocks, "LONGEST_WAIT", 2)
    ada, bob, table = duel(visitor)
    ada.goto("/account")
    expect(bob.get_by_text("is away, and it is their turn.")).to_be_visible()
    bob.get_by_role("button", name="Let the computer play").click()
    expect(turns(bob)).to_have_count(1)
    expect(bob.get_by_text("away, the computer plays")).to_be_visible()
    ada.goto(f"/t/{table}")
    expect(bob.get_by_text("away, the computer plays")).to_have_count(0)
    push(bob, "a")
    expect(turns(ada)).to_have_count(2)
    push(ada, "b")


@pytest.mark.parametrize("path", ["/lobby", "/games", "/account"])
def test_pages_are_accessible_on_a_phone(visitor, path):
    page = visitor(phone=True)
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert findings(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    fits(page, 320)
    has_large_targets(page)


def test_a_table_with_clocks_and_chat_is_accessible(visitor):
    ada, _, _ = duel(visitor, phone=True, pace={"total": 300, "increment": 2})
    push(ada, "b")
    ada.get_by_role("button", name="Hello!").click()
    expect(ada.locator("[data-chat] [role=log]")).to_contain_text("Hello!")
    assert findings(ada) == []
    ada.set_viewport_size({"width": 320, "height": 700})
    fits(ada, 320)
    has_large_targets(ada)


def test_the_menu_of_a_message_does_not_squeeze_the_message(visitor):
    ada, bob, _ = duel(visitor)
    ada.get_by_label("Write a message").fill("A sentence of some length that is to stay readable")
    ada.keyboard.press("Enter")
    message = bob.locator("[data-chat] li p")
    before = message.bounding_box()
    bob.locator("[data-chat] [aria-expanded]").click()
    expect(bob.get_by_role("button", name="Report this message")).to_be_visible()
    after = message.bounding_box()
    assert after["width"] >= 0.9 * before["width"]
    assert after["height"] <= before["height"] + 1
