"""Play without a server in Firefox, too: one visit, then the host is gone."""

import re

import pytest

import quatuor
from tests.browser.firefox import FEW_FRAMES, QUICK_START, launch
from tests.browser.offline.conftest import KEPT, WORKER, hosted
from tests.browser.offline.test_kills import HISTORY, MOVES, OPEN, SETUP
from tests.browser.offline.test_page import SHOT
from tests.browser.steps import NEXT, PLAY
from tests.browser.test_whole_games import SHORT, VARIANTS
from tests.seeded import play as play_at_random

LIST = "section[aria-labelledby=moves-title] ol button"
# Two to four seconds of processor time each: `make test` plays only their last turns, `pytest -m long` all
LONG = [("blokus", "classic"), ("blokus", "teams"), ("blokus", "two"), ("blokus", "three")]
LONG += [("plateau_x", "four"), ("plateau_x", "trio"), ("plateau_x", "double")]
LAST_TURNS = 12
TURNS = f"() => document.querySelectorAll('{LIST}').length"
REACHED = f"""(count) => new Promise((resolve) => {{
    const look = () => (document.querySelectorAll('{LIST}').length === count ? resolve() : setTimeout(look, 20));
    look();
}})"""
CHECK = "(selector) => document.querySelector(selector).click()"  # a radio button lies below its visible label
SHOW = "(address) => { location.hash = address; }"
RECORD = "(id) => kit.text('GET', `/tables/${id}/record`)"


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """The folder that the host serves as long as it is there."""
    return tmp_path_factory.mktemp("host")


@pytest.fixture(scope="module")
def visitor(tmp_path_factory, host):
    """A Firefox that has visited the page once; its host is stopped."""
    with launch(tmp_path_factory.mktemp("profile"), QUICK_START + FEW_FRAMES) as firefox:
        firefox.preload(WORKER)
        with hosted(host) as (address, _):
            firefox.goto(f"{address}#/account")
            firefox.wait_for("[data-kit=ready]")
            firefox.evaluate(KEPT)
        firefox.address = address
        yield firefox


@pytest.fixture
def firefox(visitor):
    """At the first page, with the kit."""
    if not visitor.evaluate("() => location.href").startswith(visitor.address):
        visitor.goto(visitor.address)
    visitor.evaluate(SHOW, "#/account")
    visitor.wait_for("[data-kit=ready]")
    visitor.click("a.brand")
    visitor.complaints.clear()
    return visitor


# ---- whole games


def test_a_game_against_the_computer_a_reload_and_a_puzzle(firefox):
    firefox.click("[data-game=plus4] [data-enter=engine]")
    firefox.wait_for("[data-start]")
    for choice in ("input[name=level][value='1']", "input[name=begins][value=me]"):
        firefox.evaluate(CHECK, choice)
    firefox.click("[data-start]")
    play(firefox, "plus4", steps=2)
    firefox.wait_for(".status.mine")
    before = firefox.evaluate(TURNS)
    firefox.reload()  # in the middle of the game
    firefox.wait_for(".status.mine")
    assert firefox.evaluate(TURNS) == before >= 3
    play(firefox, "plus4")
    firefox.wait_for(".status.result")
    assert firefox.evaluate(TURNS) > before

    firefox.goto(f"{firefox.address}#/puzzles/play?puzzle=tetro20&difficulty=easy&seed=3")
    firefox.wait_for("[data-outlook=yes]")
    firefox.click("[data-do=hint]")
    firefox.wait_for("[data-hint]")
    assert not firefox.complaints


@pytest.mark.parametrize(
    ("game", "variant"), [pytest.param(*one, marks=[pytest.mark.long] * (one in LONG)) for one in VARIANTS]
)
def test_a_whole_game_of_every_variant_by_the_mouse(firefox, game, variant):
    whole_game(firefox, game, variant)


@pytest.mark.parametrize(("game", "variant"), LONG)
def test_the_last_turns_of_a_long_game_by_the_mouse(firefox, game, variant):
    whole_game(firefox, game, variant, opening=play_at_random(game, variant, {}, seed=3).moves[:-LAST_TURNS])


@pytest.mark.parametrize("game", SHOT)
def test_a_whole_game_by_the_keyboard(firefox, game):
    whole_game(firefox, game, VARIANTS[[name for name, _ in VARIANTS].index(game) + SHOT[game]][1], typing=True)


def whole_game(firefox, game, variant, typing=False, opening=()):
    """On one device, to the result; CPython plays its record the same."""
    setup = {
        "game": game,
        "variant": variant,
        "options": SHORT.get((game, variant), {}),
        "seats": [{"kind": "me"}] * quatuor.new(game, variant).seats,
        "opening": [{str(seat): move for seat, move in turn.items()} for turn in opening],
    }
    table = firefox.evaluate(OPEN, setup)
    firefox.evaluate(SHOW, f"#/t/{table}")
    play(firefox, game, typing)
    firefox.wait_for(".status.result")
    text = firefox.evaluate("() => document.querySelector('.status h2').innerText")
    assert re.search("won|wins|lost|finished|[Dd]raw|share", text), text
    record = quatuor.load(firefox.evaluate(RECORD, table))
    assert record.over
    assert record.ply == firefox.evaluate(HISTORY, table) > len(opening)
    assert not firefox.complaints


def play(firefox, game, typing=False, steps=1000):
    """Make this number of clicks, or play until the game is over."""
    firefox.wait_for(".status.mine")
    firefox.evaluate(PLAY, game, typing)
    for _ in range(steps):
        step = firefox.evaluate(NEXT)
        if not step:
            return
        if typing:
            firefox.press(*step)
        else:
            firefox.click_at(*step)


# ---- what may happen to a browser


def test_a_tab_killed_in_the_middle_of_moves_and_then_its_worker(firefox):
    table = firefox.evaluate(OPEN, SETUP)
    with firefox.crash(), firefox.expect("log.entryAdded", "answered 7"):
        firefox.evaluate(MOVES, table)  # at the end, the next one is on its way
    firefox.goto(f"{firefox.address}#/t/{table}")
    firefox.wait_for("[data-link=online]")
    answered = [int(text.removeprefix("answered ")) for _, text in firefox.events if text.startswith("answered ")]
    before = firefox.evaluate(HISTORY, table)
    assert before >= max(answered) >= 7
    firefox.evaluate(REACHED, before)
    firefox.evaluate("() => kit.worker.terminate()")
    firefox.press("abcd"[before % 4])
    firefox.evaluate(REACHED, before + 1)  # by another worker
    assert not firefox.complaints


def test_a_new_version_in_the_middle_of_a_game(firefox, host):
    begin(firefox)
    push(firefox, "b", "c")
    with hosted(host, int(re.search(r":(\d+)/", firefox.address)[1])) as (_, folder):
        worker = folder / "service-worker.js"
        worker.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "newer"', worker.read_text()))
        firefox.evaluate("() => navigator.serviceWorker.ready.then((found) => void found.update())")
        firefox.wait_for("[data-update]")
        push(firefox, "b")  # nothing is lost if the player continues
        with firefox.expect("browsingContext.load", firefox.address):
            firefox.click("[data-update] .primary")
        firefox.evaluate(REACHED, 3)
    push(firefox, "d")
    assert not firefox.complaints


def test_a_private_window_plays(firefox, host):
    """It keeps games until it is closed: there is nothing to report."""
    with hosted(host) as (address, _), firefox.private_window():
        firefox.goto(address)
        begin(firefox)
        push(firefox, "b", "c")
        assert not firefox.evaluate("() => document.querySelector('[data-not-kept]')")
    assert not firefox.complaints


def test_refused_storage_is_reported_and_play_continues(firefox, host):
    """The visitor's settings refuse cookies, and with them all that a page could keep."""
    with hosted(host) as (address, _), firefox.preference("network.cookie.cookieBehavior", 2):
        goes_on_without_storage(firefox, address)


def test_full_storage_is_reported_and_play_continues(firefox, host):
    """One kilobyte for all pages together."""
    limit = firefox.preference("dom.quotaManager.temporaryStorage.fixedLimit", 1)
    with hosted(host) as (address, _), firefox.preference("dom.quotaManager.testing", True), limit:
        firefox.goto("about:blank")
        firefox.command("new Promise((done) => { Services.qms.reset().callback = () => done(); })")  # counts anew
        goes_on_without_storage(firefox, address)


def goes_on_without_storage(firefox, address):
    firefox.goto(address)
    begin(firefox)
    firefox.wait_for("[data-not-kept]")
    assert "You can play" in firefox.evaluate("() => document.querySelector('[data-not-kept]').innerText")
    push(firefox, "b", "c")
    firefox.click("[href='/games'], [href='#/games']")
    firefox.wait_for("main h1")


def begin(firefox):
    firefox.click("[data-game=plus4] [data-enter=here]")
    firefox.click("[data-start]")
    firefox.wait_for(".status.mine")


def push(firefox, *columns):
    for column in columns:
        before = firefox.evaluate(TURNS)
        firefox.wait_for(f"[data-column={column}][aria-disabled=false]")
        firefox.press(column)
        firefox.evaluate(REACHED, before + 1)
