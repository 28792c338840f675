"""The page as static files below a path of any host, without a network after the first visit."""

import html
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.chrome import build_site
from tests.browser.offline.conftest import PATIENCE
from tests.browser.steps import column, headline, pick, play_to_the_end, push, turns

SHOT = {"plus4": 0, "blokus": 4, "plateau_x": 1, "trois_six": 0}  # the shortest variant of each game


def sit_down(page, game, way="engine", variant=0, level=1, begins="me"):
    """From the first page to a table, without a reload."""
    page.locator(f"[data-game={game}] [data-enter={way}]").click()
    if variant:
        page.locator("label.variant").nth(variant).click()
    if way == "engine":
        pick(page.locator(f"input[name=level][value='{level}']"))
        if game != "trois_six":
            pick(page.locator(f"input[name=begins][value={begins}]"))
    page.locator("[data-start]").click()
    page.wait_for_url("**#/t/local-*")
    expect(page.locator("[data-link=online]")).to_be_attached(timeout=PATIENCE)


@pytest.mark.parametrize("game", SHOT)
def test_a_whole_game_by_the_mouse(page, game):
    sit_down(page, game, variant=SHOT[game])
    play_to_the_end(page, game)
    expect(headline(page)).to_have_text(re.compile("won|lost|finished|[Dd]raw|share"))
    assert turns(page).count() > 3


def test_a_whole_game_by_the_keyboard(page):
    sit_down(page, "plus4", "here")
    for number, name in enumerate(["b", "c", "b", "c", "b", "a", "b"]):
        expect(column(page, name)).to_have_attribute("aria-disabled", "false")
        column(page, name).focus()
        page.keyboard.press("Enter")
        expect(turns(page)).to_have_count(number + 1)
    expect(headline(page)).to_contain_text("wins")


def test_hints_and_undo_while_the_computer_thinks(page):
    sit_down(page, "plus4", level=8, variant=1)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".status [data-caption]")).to_contain_text("%", timeout=PATIENCE)
    column(page, "b").click()
    expect(turns(page)).to_have_count(1)
    expect(headline(page)).to_contain_text("thinking")
    page.get_by_role("button", name="Take back").click()
    expect(turns(page)).to_have_count(0, timeout=2000)  # the search has stopped


def test_lessons_rules_and_puzzles(page):
    page.get_by_role("link", name="Learn", exact=True).click()
    expect(page.locator("main h1")).to_be_visible()
    page.goto(page.url.partition("#")[0] + "#/rules/blokus")
    expect(page.locator("main h2").first).to_be_visible()
    page.locator("a.brand").click()
    page.get_by_role("link", name="Puzzles").first.click()
    page.locator("[data-daily]").first.click()
    expect(page.locator("[data-piece]").first).to_be_visible(timeout=PATIENCE)


def test_pages_that_need_other_people_say_so(page):
    page.goto(page.url.partition("#")[0] + "#/lobby")
    expect(page.locator("[data-needs-server]")).to_be_visible()
    page.locator("#language").select_option("fr")
    expect(page.locator("[data-needs-server]")).to_contain_text("serveur")
    page.locator("#language").select_option("de")
    expect(page.locator("[data-needs-server]")).to_contain_text("Server")
    page.locator("#language").select_option("en")
    expect(page.get_by_role("heading")).to_have_text(["Lobby"])  # none over an empty list
    for where, control in (("tournaments", "[href='/tournaments/new']"), ("watch", "select[name=game]")):
        page.goto(page.url.partition("#")[0] + f"#/{where}")
        expect(page.locator("[data-needs-server]")).to_be_visible()
        expect(page.locator(control)).to_have_count(0)  # nothing that could not work


def test_a_second_tab_shows_a_move_that_the_first_has_just_sent(context, page, site):
    sit_down(page, "plus4", "here")
    push(page, "b", "c", "b")
    address = page.url
    column(page, "d").click(no_wait_after=True)  # in the middle of a move
    other = context.new_page()
    other.goto(address)
    expect(turns(other)).to_have_count(4, timeout=PATIENCE)
    other.close(run_before_unload=False)
    page.locator("[href='/games'], [href='#/games']").first.click()
    expect(page.locator(f"[data-card={address.rpartition('/')[2]}]")).to_be_visible()


def test_a_new_version_in_the_middle_of_a_game(context, page, site):
    _, folder = site
    sit_down(page, "plus4", "here")
    push(page, "b", "c")
    worker = folder / "service-worker.js"
    worker.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "newer"', worker.read_text()))
    context.set_offline(False)
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    expect(page.locator("[data-update]")).to_be_visible(timeout=PATIENCE)
    push(page, "b")  # nothing is lost if the player continues
    with page.expect_navigation():
        page.locator("[data-update] .primary").click()
    expect(turns(page)).to_have_count(3, timeout=PATIENCE)
    context.set_offline(True)
    push(page, "d")


def test_full_browser_storage_is_reported_and_play_continues(browser, site):
    """When storage is full, the page says so, and play continues."""
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(site[0])
    origin = re.match(r"https?://[^/]+", site[0])[0]
    context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    sit_down(page, "plus4", "here")
    expect(page.locator("[data-not-kept]")).to_be_visible(timeout=PATIENCE)
    push(page, "b", "c")
    context.close()


REFUSED = """Object.defineProperty(self, 'indexedDB', {
    get() { throw new DOMException('refused', 'SecurityError'); },
});
"""


def test_refused_browser_storage_is_reported_and_play_continues(browser, site):
    """Some private windows refuse storage: the page says so, and play continues."""
    context = browser.new_context(locale="en-GB", service_workers="block")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(REFUSED)  # in the page; in the worker:
    context.route("**/worker-*.js", lambda route: route.fulfill(response=(r := route.fetch()), body=REFUSED + r.text()))
    page = context.new_page()
    page.goto(site[0])
    sit_down(page, "plus4", "here")
    expect(page.locator("[data-not-kept]")).to_contain_text("You can play")
    push(page, "b", "c")
    page.locator("[href='/games'], [href='#/games']").first.click()
    expect(page.locator("main h1")).to_be_visible()
    context.close()


def test_the_site_fetches_nothing_from_other_hosts():
    """Every address in the built files is its own, except for names that are never fetched."""
    built = build_site()
    scripts = [file for file in Path(built).rglob("*.js") if "kit" not in file.parts]
    assert scripts
    found = {url for file in scripts for url in re.findall(r'fetch\("(https?:[^"]+)', file.read_text())}
    assert not found


def test_the_site_allows_no_inline_script():
    """A host of plain files sends no header: the page says so itself, and keeps to it."""
    text = (Path(build_site()) / "index.html").read_text()
    policy = html.unescape(re.search('http-equiv="Content-Security-Policy" content="([^"]+)"', text)[1])
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["worker-src"] == "'self'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert rules["object-src"] == rules["base-uri"] == "'none'"
    scripts = re.findall(r"<script([^>]*)>([^<]*)</script>", text)
    assert scripts
    assert all(" src=" in attributes and not content.strip() for attributes, content in scripts)
    assert not re.search(r"<[^>]+ on\w+=", text)
