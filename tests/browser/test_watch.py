"""Watching: small live boards of public games, and a chat of spectators that players cannot read during the game."""

from playwright.sync_api import expect

from tests.browser.checks import findings, has_large_targets
from tests.browser.steps import headline, push, take_name


def _public_game(ada, bob, game="plus4", variant="elementary"):
    """A public table with both players; their pages are not open yet."""
    for page, name in ((ada, "Ada"), (bob, "Bob")):
        take_name(page, name)
    seats = [{"kind": "me"}, {"kind": "open"}]
    opened = ada.request.post("/api/tables", data={"game": game, "variant": variant, "seats": seats, "listed": True})
    assert opened.ok, opened.text()
    table = opened.json()["id"]
    assert bob.request.post(f"/api/tables/{table}/join", data={}).ok
    return table


def _sit(page, table):
    page.goto(f"/t/{table}")
    expect(page.locator("[data-link=online]")).to_be_attached()


def test_a_public_game_is_watched_on_a_small_live_board(visitor):
    ada, bob, eve = visitor(), visitor(), visitor(phone=True)
    table, other = _public_game(ada, bob), _public_game(eve, visitor(), "blokus", "duo")
    eve.goto("/lobby")
    eve.get_by_role("link", name="Watch games").click()
    card = eve.locator(f"[data-watch='{table}']")
    for text in ("Plus 4 · Elementary game", "Bob", "Ada to move", "No clock"):
        expect(card).to_contain_text(text)
    expect(card.locator("svg g.at")).to_have_count(0)
    expect(eve.locator(f"[data-watch='{other}'] a")).to_be_visible()
    assert findings(eve) == []
    has_large_targets(eve)
    _sit(ada, table)
    push(ada, "b")
    expect(card.locator("[data-ply='1'] svg g.at")).to_have_count(1)
    expect(card).to_contain_text("Bob to move")
    eve.locator("select[name=game]").select_option("blokus")
    expect(card).to_have_count(0)
    eve.locator("select[name=game]").select_option("plus4")
    _sit(bob, table)
    push(bob, "c")
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("button", name="Yes, resign").click()
    expect(card).to_contain_text("Bob wins")
    card.get_by_role("link").click()
    expect(headline(eve)).to_have_text("Bob wins!")


def test_every_game_has_a_small_board(visitor):
    eve, tables = visitor(), {}
    for game, variant in (("plus4", "rounds"), ("trois_six", "classic"), ("blokus", "duo"), ("plateau_x", "mini")):
        ada, bob = visitor(), visitor()
        table = tables[game] = _public_game(ada, bob, game, variant)
        ply = {"ack": "1", "ply": 0, "seat": 0}
        legal = ada.request.get(f"/api/tables/{table}").json()["legal"]["0"]
        assert ada.request.post(f"/api/tables/{table}/moves", data={**ply, "move": legal[0]}).ok
        if game == "trois_six":
            legal = bob.request.get(f"/api/tables/{table}").json()["legal"]["1"]
            assert bob.request.post(f"/api/tables/{table}/moves", data={**ply, "seat": 1, "move": legal[0]}).ok
    for game, table in tables.items():
        eve.goto("/watch")
        eve.locator("select[name=game]").select_option(game)
        board = eve.locator(f"[data-watch='{table}'] [data-ply='1'] svg").first
        expect(board).to_be_visible()
        box = board.bounding_box()
        assert box
        assert box["width"] > 150
        assert box["height"] > 150
        assert findings(eve) == []


def test_spectators_chat_apart_from_the_players_until_the_game_is_over(visitor):
    ada, bob, eve, fay = visitor(), visitor(), visitor(phone=True), visitor()
    table = _public_game(ada, bob)
    for page, name in ((eve, "Eve"), (fay, "Fay")):
        take_name(page, name)
    for page in (ada, bob, eve, fay):
        _sit(page, table)
    room = eve.locator("[data-spectator-chat]")
    expect(room).to_contain_text("The players can read this once the game is over.")
    room.get_by_label("Write a message").fill("Blue should play c")
    room.get_by_label("Write a message").press("Enter")
    log = fay.locator("[data-spectator-chat] [role=log]")
    expect(log).to_contain_text("Eve Blue should play c")
    fay.locator("[data-spectator-chat]").get_by_role("button", name="Nice move!").click()
    expect(room.locator("[role=log]")).to_contain_text("Fay Nice move!")
    assert findings(eve) == []
    has_large_targets(eve)
    push(ada, "b")  # its event comes after theirs
    expect(headline(bob)).to_have_text("Your turn")
    for page in (ada, bob):
        expect(page.locator("[data-spectator-chat]")).to_have_count(0)
        expect(page.get_by_text("Blue should play c")).to_have_count(0)
    ada.reload()
    expect(headline(ada)).to_have_text("Bob to move")
    expect(ada.locator("[data-spectator-chat]")).to_have_count(0)
    log.get_by_role("button", name="Options for this message from Eve").click()
    fay.get_by_role("button", name="Hide this person").click()
    expect(log).not_to_contain_text("Blue should play c")
    push(bob, "c")
    bob.get_by_role("button", name="Resign").click()
    bob.get_by_role("button", name="Yes, resign").click()
    for page in (ada, bob):
        said = page.locator("[data-spectator-chat]")
        expect(said).to_contain_text("What the spectators wrote during the game.")
        expect(said.locator("[role=log]")).to_contain_text("Eve Blue should play c")
        expect(said.get_by_label("Write a message")).to_have_count(0)
    assert findings(ada) == []
