"""The visitor's games and account: sessions, blocked people, stored data."""

import json
import uuid

from playwright.sync_api import expect

from tests.browser.checks import findings
from tests.browser.steps import BLUE_COLUMN, open_table, push, table_of, take_name
from tests.browser.test_people import duel, sign


def test_my_games_show_date_opponent_and_result(visitor):
    ada, bob, _ = duel(visitor)
    take_name(ada, "Ada")
    take_name(bob, "Bob")
    push(ada, "b")
    running = table_of(ada)
    open_table(ada, "plus4", "endless", [{"kind": "me"}, {"kind": "engine", "level": 2}])
    push(ada, "a")
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("button", name="Yes, resign").click()
    expect(ada.locator(".status.result")).to_be_visible()
    over = table_of(ada)

    bob.goto("/games")
    mine = bob.locator("section").filter(has=bob.get_by_role("heading", name="Your turn"))
    expect(mine.locator(f"[data-card='{running}']")).to_contain_text("Ada")
    expect(mine.locator("li")).to_have_count(1)
    ada.goto("/games")
    row = ada.locator(f"[data-card='{over}']")
    for text in ("You lost · by resignation", "Computer, level 2", "today", "No clock"):
        expect(row).to_contain_text(text)
    picture = row.locator("img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("(image) => image.naturalWidth") > 0
    assert findings(ada) == []
    ada.get_by_label("Search").fill("bob")
    expect(ada.locator("[data-card]")).to_have_count(1)
    expect(ada.locator(f"[data-card='{running}']")).to_be_visible()
    ada.get_by_label("Search").fill("")
    ada.get_by_label("Against").select_option("The computer")
    expect(ada.locator("[data-card]")).to_have_count(1)
    expect(row).to_be_visible()


def test_a_game_of_several_people_on_one_device_names_the_winner(page):
    take_name(page, "Mum")
    open_table(page, "plus4", "elementary", [{"kind": "me"}, {"kind": "me", "name": "Leo"}])
    push(page, *BLUE_COLUMN)
    table = table_of(page)
    page.goto("/games")
    expect(page.locator(f"[data-card='{table}']")).to_contain_text("Mum wins")
    expect(page.locator(f"[data-card='{table}']")).to_contain_text("Leo")


def test_every_page_counts_the_games_that_wait_for_a_move(visitor):
    ada, bob, _ = duel(visitor)
    count = bob.locator("[data-awaited]")
    bob.goto("/lobby")
    expect(bob.locator("h1")).to_be_visible()
    expect(count).to_have_count(0)
    push(ada, "b")
    bob.goto("/")
    expect(count).to_have_attribute("data-awaited", "1")
    expect(bob.get_by_role("link", name="My games, 1 game waits for your move")).to_be_visible()
    assert findings(bob) == []
    bob.get_by_role("link", name="My games, 1 game waits for your move").click()
    bob.get_by_role("link", name="Play: Plus 4").click()
    expect(count).to_have_count(0)  # it is on the screen
    push(bob, "c")
    bob.goto("/account")
    expect(bob.locator("h1")).to_be_visible()
    expect(count).to_have_count(0)


def test_thirty_games_are_filtered_and_searched(visitor):
    ada, bob = visitor(), visitor()
    take_name(ada, "Ada")
    take_name(bob, "Bob")
    for number in range(30):
        game, variant = (("plus4", "elementary"), ("trois_six", "classic"), ("blokus", "duo"))[number % 3]
        other = {"kind": "engine", "level": 1} if number % 2 else {"kind": "open"}
        table = ada.request.post(
            "/api/tables", data={"game": game, "variant": variant, "seats": [{"kind": "me"}, other]}
        )
        if not number % 2:
            token = table.json()["invites"]["1"]
            assert bob.request.post(f"/api/tables/{table.json()['id']}/join", data={"token": token}).ok
        if number >= 20:
            command = {"ack": "r", "seat": 0}
            assert ada.request.post(f"/api/tables/{table.json()['id']}/resign", data=command).ok
    ada.goto("/games")
    cards = ada.locator("[data-card]")
    expect(cards).to_have_count(30)
    expect(ada.locator("section[aria-labelledby=part-mine] [data-card]")).to_have_count(20)
    expect(ada.locator("section[aria-labelledby=part-over] [data-card]")).to_have_count(10)
    ada.get_by_label("Search").fill("bob")
    expect(cards).to_have_count(15)
    ada.locator("main select").first.select_option("blokus")
    expect(cards).to_have_count(5)
    ada.get_by_label("Search").fill("nobody")
    expect(ada.get_by_text("No game matches.")).to_be_visible()
    ada.get_by_label("Search").fill("")
    ada.get_by_label("Against").select_option("engine")
    expect(cards).to_have_count(5)


def test_the_account_page_signs_out_another_device_unblocks_and_exports(visitor):
    ada, bob, _ = duel(visitor)
    name = f"Ada {uuid.uuid4().hex[:8]}"
    sign(ada, "up", name)
    expect(ada.get_by_text(f"signed in as {name}")).to_be_visible()
    ada.request.post("/api/me/blocked", data={"table": table_of(bob), "seat": 1})
    phone = visitor(phone=True)
    sign(phone, "in", name)
    expect(phone.get_by_text(f"signed in as {name}")).to_be_visible()

    ada.reload()
    expect(ada.locator("[data-session]")).to_have_count(2)
    expect(ada.locator("[data-session]").get_by_text("this device")).to_have_count(1)
    assert findings(ada) == []
    ada.get_by_role("button", name="Sign out there").click()
    expect(ada.locator("[data-session]")).to_have_count(1)
    expect(ada.get_by_role("heading", name="Where you are signed in")).to_be_focused()
    phone.reload()
    expect(phone.get_by_text("An account is optional")).to_be_visible()

    ada.get_by_role("button", name="Unblock").click()
    expect(ada.get_by_text("You have not blocked anyone.")).to_be_visible()
    with ada.expect_download() as download:
        ada.get_by_role("link", name="Download my data").click()
    assert json.loads(download.value.path().read_text())["account"] == name


def test_errors_and_codes_of_an_account_appear_where_the_person_looks(visitor):
    phone = visitor(phone=True)
    sign(phone, "up", f"Ada {uuid.uuid4().hex[:8]}")
    expect(phone.get_by_role("heading", name="Your recovery codes")).to_be_focused()
    form = phone.locator("form", has=phone.get_by_label("New password"))
    form.get_by_label("Current password").fill("not this one")
    form.get_by_label("New password").fill("something else")
    form.get_by_role("button", name="Show the password").last.click()
    expect(form.get_by_label("New password")).to_have_attribute("type", "text")
    expect(form.get_by_label("Current password")).to_have_attribute("type", "password")
    assert findings(phone) == []
    form.get_by_role("button", name="Change password").click()
    expect(phone.get_by_role("alert")).to_have_text("That is not your current password.")
    expect(phone.get_by_role("alert")).to_be_in_viewport()
    phone.locator("summary", has_text="New recovery codes").click()
    phone.locator("details").get_by_label("Password", exact=True).first.fill("correct horse")
    phone.get_by_role("button", name="New recovery codes").click()
    expect(phone.get_by_role("heading", name="Your recovery codes")).to_be_focused()
