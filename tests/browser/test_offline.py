"""The page as plain files below some path of any host, and without a network after the first visit."""

import functools
import http.server
import json
import re
import shutil
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect

from quatuor.engine.player import Engine
from quatuor.game import new
from tests.browser.chrome import build_site
from tests.browser.steps import column, headline, play_to_the_end, push, turns

PATIENCE = 60_000  # the kit starts once, on a busy machine
BELOW = "/some/path/"
SHOT = {"plus4": 0, "blokus": 4, "plateau_x": 1, "trois_six": 0}  # the shortest variant of each game

# Chosen by levels that stop after an amount of work: they play the same on every machine.
LEVELS = {
    ("plus4", "elementary"): (2, 7),
    ("plus4", "rounds"): (5,),
    ("trois_six", "classic"): (2, 6),
    ("plateau_x", "mini"): (3, 5),
    ("blokus", "duo"): (2, 4),
}
PLAY = """
def played(cases):
    found = []
    for name, variant, level in cases:
        game = new(name, variant)
        players = [Engine(level, seconds=600, seed=seat + 1, threads=1) for seat in range(game.seats)]
        while not game.over and game.ply < 4:
            game.play({seat: players[seat].choose(game, seat) for seat in game.to_move})
        found.append([list(turn.values()) for turn in game.moves])
    return found
"""


class Files(http.server.SimpleHTTPRequestHandler):
    """A host that serves a folder and nothing else."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of the page at such a host, and its folder."""
    root = tmp_path_factory.mktemp("host")
    folder = root / BELOW.strip("/")
    shutil.copytree(build_site(), folder)
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=root))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{host.server_port}{BELOW}", folder
    host.shutdown()


@pytest.fixture(scope="module")
def context(browser, site):
    """A browser that has visited the page once, and has no network since."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site[0]}#/account")
    expect(page.locator("[data-kit=ready]")).to_be_attached(timeout=PATIENCE)
    page.evaluate(KEPT)
    page.close()
    context.set_offline(True)
    yield context
    context.close()


KEPT = """async () => {  // until the service worker has kept the kit
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    for (;;) {
        const names = (await caches.keys()).filter((name) => name.startsWith('quatuor-kit-'));
        const kept = names.length ? (await (await caches.open(names[0])).keys()).length : 0;
        if (kept >= 7) return;
        await pause(100);
    }
}"""


@pytest.fixture(scope="module")
def tab(context, site):
    """One tab for all tests that need no fresh one: the kit starts once."""
    page = context.new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(site[0])
    expect(page.locator("[data-game] svg").first).to_be_visible()
    return page


@pytest.fixture
def page(tab):
    tab.locator("a.brand").click()
    yield tab
    assert not tab.complaints


def sit_down(page, game, way="engine", variant=0, level=1, begins="me"):
    """From the first page to a table, without loading anything anew."""
    page.locator(f"[data-game={game}] [data-enter={way}]").click()
    if variant:
        page.locator("label.variant").nth(variant).click()
    if way == "engine":
        page.locator(f"input[name=level][value='{level}']").check(force=True)
        if game != "trois_six":
            page.locator(f"input[name=begins][value={begins}]").check(force=True)
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


def test_hints_and_taking_back_while_the_computer_thinks(page):
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


def test_what_needs_other_people_says_so(page):
    page.goto(page.url.partition("#")[0] + "#/lobby")
    expect(page.locator("[data-needs-server]")).to_be_visible()
    page.locator("#language").select_option("fr")
    expect(page.locator("[data-needs-server]")).to_contain_text("serveur")
    page.locator("#language").select_option("de")
    expect(page.locator("[data-needs-server]")).to_contain_text("Server")
    page.locator("#language").select_option("en")


def test_a_game_survives_the_end_of_its_tab(context, page, site):
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


def test_the_same_seed_plays_the_same_in_the_browser(page, site):
    """The kit's Python against this one: every move of several levels of each game."""
    cases = [(*name, level) for name, levels in LEVELS.items() for level in levels]
    scope = {"Engine": Engine, "new": new}
    exec(PLAY, scope)
    program = f"from quatuor.engine.player import Engine\nfrom quatuor.game import new\n{PLAY}\nimport json\n"
    (kit,) = (site[1] / "kit").iterdir()
    found = page.evaluate(RUN, [f"{site[0]}kit/{kit.name}/", f"{program}json.dumps(played({cases!r}))"])
    assert json.loads(found) == scope["played"](cases)


RUN = """async ([kit, program]) => {
    const { loadPyodide } = await import(`${kit}pyodide.mjs`);
    const env = { HOME: '/tmp', QUATUOR_DATA: '/tmp', QUATUOR_KERNELS: 'aot' };
    const python = await loadPyodide({ indexURL: kit, stdLibURL: `${kit}python_stdlib.zip`, env });
    const source = new Uint8Array(await (await fetch(`${kit}package.zip`)).arrayBuffer());
    python.unpackArchive(source, 'zip', { extractDir: '/quatuor' });
    python.runPython("import sys; sys.path.insert(0, '/quatuor'); from quatuor.local import arrays; arrays.install()");
    return python.runPython(program);
}"""


def test_a_new_version_in_the_middle_of_a_game(context, page, site):
    _, folder = site
    sit_down(page, "plus4", "here")
    push(page, "b", "c")
    worker = folder / "service-worker.js"
    worker.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "newer"', worker.read_text()))
    context.set_offline(False)
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    expect(page.locator("[data-update]")).to_be_visible(timeout=PATIENCE)
    push(page, "b")  # nothing is lost if one plays on
    with page.expect_navigation():
        page.locator("[data-update] .primary").click()
    expect(turns(page)).to_have_count(3, timeout=PATIENCE)
    context.set_offline(True)
    push(page, "d")


def test_a_browser_that_keeps_nothing(browser, site):
    """No room left: the page says so, and play goes on."""
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


def test_the_site_fetches_nothing_from_elsewhere():
    """Every address in the built files is its own, but for names that are no addresses."""
    built = build_site()
    scripts = [file for file in Path(built).rglob("*.js") if "kit" not in file.parts]
    assert scripts
    found = {url for file in scripts for url in re.findall(r'fetch\("(https?:[^"]+)', file.read_text())}
    assert not found
