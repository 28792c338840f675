"""The page of a server with the kit: where engines run, and a local game that continues with a friend."""

import re

import pytest
from playwright.sync_api import expect

import quatuor
from tests.browser.offline.conftest import KEPT, PATIENCE, WORKER
from tests.browser.steps import BLUE_COLUMN, accept, column, headline, pick, push, turns


@pytest.fixture(scope="module")
def tab(browser, server):
    """A visitor who has changed no setting; ``asked`` collects the page's requests to the server."""
    context = browser.new_context(base_url=f"http://{server.address}", locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WORKER)
    page = context.new_page()
    page.complaints, page.asked = [], []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.append(f"{request.method} {request.url.partition('/api')[2]}"))
    page.goto("/account")
    expect(page.locator("[data-kit=ready]")).to_be_attached(timeout=PATIENCE)
    yield page
    context.close()


def _open(page, way="here"):
    page.locator("a.brand").click()
    page.locator(f"[data-game=plus4] [data-enter={way}]").click()
    page.locator("[data-start]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-link=online]")).to_be_attached()


def test_with_the_kit_the_browser_computes_every_engine_answer(page):
    """The server computes no move, hint or analysis."""
    expect(page.locator("[data-game] svg").first).to_be_visible()
    page.asked.clear()
    _open(page, "engine")
    assert "/t/local-" in page.url
    expect(page.get_by_role("button", name="Hint")).to_have_attribute("aria-disabled", "false")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".status [data-caption]")).to_contain_text("%")
    _open(page)
    push(page, *BLUE_COLUMN)
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator("[data-stage=done]")).to_be_attached()
    expect(page.locator("[data-best]")).to_be_visible()
    assert [path for path in page.asked if path.startswith("POST") and path != "POST "] == []


OPEN_AT_SERVER = """async (seats) => {
    const setup = { game: 'plus4', seats };
    const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(setup) };
    return (await (await fetch('/api/tables', how)).json()).id;
}"""


def _begun_at_server(page, *seats):
    """Open a table at the server, as before the kit was loaded, and go there."""
    table = page.evaluate(OPEN_AT_SERVER, list(seats))
    page.locator("[href='/games']").first.click()
    page.locator(f"[data-card='{table}'] a").first.click()
    page.wait_for_url(f"**/t/{table}")
    return table


def test_hints_at_a_server_table_are_computed_in_the_browser(page):
    """The game began before the kit was loaded. Its rematch is played in the browser."""
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    _begun_at_server(page, {"kind": "me"}, {"kind": "me"})
    push(page, "b")
    expect(page.locator("[data-take-here]")).to_have_count(0)  # no engine plays
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".status [data-caption]")).to_contain_text("%")
    assert any('"move"' in frame for frame in sent)  # it is a server table
    assert not any('"hint"' in frame for frame in sent)
    push(page, *BLUE_COLUMN[1:])
    page.locator("[data-action=next]").click()
    page.wait_for_url("**/t/local-*")


def test_a_game_against_the_computer_that_began_at_the_server_continues_in_the_browser(page):
    table = _begun_at_server(page, {"kind": "me"}, {"kind": "engine", "level": 1})
    expect(column(page, "b")).to_have_attribute("aria-disabled", "false")
    column(page, "b").click()
    expect(turns(page)).to_have_count(2)  # the server's engine has answered
    page.locator("[data-take-here]").click()
    page.wait_for_url("**/t/local-*")
    expect(turns(page)).to_have_count(2)
    page.context.set_offline(True)
    expect(column(page, "c")).to_have_attribute("aria-disabled", "false")
    column(page, "c").click()
    expect(turns(page)).to_have_count(4)
    expect(page.locator("[data-take-here]")).to_have_count(0)
    page.context.set_offline(False)
    kept = page.request.get(f"/api/tables/{table}").json()
    assert (len(kept["history"]), kept["over"]) == (2, False)  # the game at the server stays as it was


def test_the_account_page_chooses_where_engines_run(page):
    def choose(place):
        page.locator("[href='/account']").first.click()
        pick(page.locator(f"input[name=engine][value={place}]"))
        expect(page.locator(f"[data-in-use={place}]")).to_be_visible()

    page.locator("[href='/account']").first.click()
    expect(page.locator("input[name=engine][value=device]")).to_be_checked()
    choose("server")
    _open(page, "engine")
    assert "/t/local-" not in page.url
    choose("device")
    _open(page, "engine")
    assert "/t/local-" in page.url


def test_what_needs_the_server_says_so_and_comes_back_by_itself(page):
    def comes_back(what):
        expect(page.locator("[data-needs-server]")).to_contain_text("You are offline")
        page.context.set_offline(False)
        expect(what).to_contain_text(re.compile(r"\w"))
        expect(page.locator("[data-needs-server]")).to_have_count(0)
        page.context.set_offline(True)

    page.evaluate(KEPT)
    page.context.set_offline(True)
    page.goto("/lobby")
    comes_back(page.get_by_role("heading", name="Open tables"))
    page.locator("main [href='/watch']").click()
    comes_back(page.locator("main p[role=status]"))  # how many games there are
    page.go_back()
    page.locator("main [href='/tournaments']").click()
    comes_back(page.locator("main section h2").first)
    page.context.set_offline(False)
    page.locator("[href='/account']").first.click()
    expect(page.locator("[data-kit=ready]")).to_be_attached()  # in the page that was loaded here, for the next test


def test_a_local_game_continues_with_a_friend(page, visitor):
    _open(page)
    push(page, "b", "c", "b")
    expect(page.get_by_role("button", name="Offer a draw")).to_have_count(0)  # no other player has to agree
    page.locator("[data-send-to-server]").click()
    expect(page.locator("[data-invite]")).to_be_visible()
    assert "/t/local-" not in page.url
    friend = visitor()
    accept(friend, page.locator("[data-invite]").input_value())
    expect(turns(friend)).to_have_count(3)
    push(friend, "d")
    expect(turns(page)).to_have_count(4)
    expect(headline(page)).to_have_text("Your turn")
    expect(page.get_by_role("button", name="Offer a draw")).to_be_visible()


def test_a_local_game_from_a_position_continues_at_the_server(page):
    game = quatuor.new("plus4")
    game.play("b")
    setup = {"game": "plus4", "seats": [{"kind": "me"}] * 2, "position": game.position}
    table = page.evaluate("(setup) => kit.ask('POST', '/tables', setup)", setup)["id"]
    page.goto(f"/t/{table}")
    expect(headline(page)).to_contain_text("Red")
    page.locator("[data-send-to-server]").click()
    expect(page.locator("[data-invite]")).to_be_visible()
    record = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}/record").text()
    assert quatuor.load(record).position == game.position
