"""Play without a server in Firefox, too: one visit, then the host is gone."""

import pytest

import quatuor
from tests.browser.firefox import QUICK_START, launch
from tests.browser.offline.conftest import KEPT, WORKER, hosted
from tests.browser.offline.test_worker import WHOLE_GAME
from tests.browser.steps import CLICKS, NEXT
from tests.browser.test_whole_games import SHORT, VARIANTS
from tests.seeded import play as play_at_random

TURNS = "() => document.querySelectorAll('section[aria-labelledby=moves-title] ol button').length"
CHECK = "(selector) => document.querySelector(selector).click()"  # a radio button lies below its visible label
LAST_TURNS = 12  # of each variant's game, played in the browser; those before are its opening


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    with launch(tmp_path_factory.mktemp("profile"), QUICK_START) as page:
        yield page


@pytest.fixture(scope="module")
def address(firefox, tmp_path_factory):
    """The address of a page that was visited once; its host is stopped."""
    firefox.preload(WORKER)
    with hosted(tmp_path_factory.mktemp("host")) as (address, _):
        firefox.goto(f"{address}#/account")
        firefox.wait_for("[data-kit=ready]")
        firefox.evaluate(KEPT)
    return address


def test_a_game_a_reload_and_a_puzzle_without_a_host(firefox, address):
    firefox.click("a.brand")  # no reload: that comes in the middle of the game
    firefox.click("[data-game=plus4] [data-enter=engine]")
    firefox.wait_for("[data-start]")
    for choice in ("input[name=level][value='1']", "input[name=begins][value=me]"):
        firefox.evaluate(CHECK, choice)
    firefox.click("[data-start]")
    play(firefox, moves=2)
    firefox.wait_for(".status.mine")
    before = firefox.evaluate(TURNS)
    firefox.reload()  # in the middle of the game
    firefox.wait_for(".status.mine")
    assert firefox.evaluate(TURNS) == before >= 3
    play(firefox)
    firefox.wait_for(".status.result")
    assert firefox.evaluate(TURNS) > before

    firefox.goto(f"{address}#/puzzles/play?puzzle=tetro20&difficulty=easy&seed=3")
    firefox.wait_for("[data-outlook=yes]")
    firefox.click("[data-do=hint]")
    firefox.wait_for("[data-hint]")
    assert not firefox.complaints


def test_every_variant_to_its_end_without_a_host(firefox, address):
    """By messages to the worker; CPython plays the records that it writes the same."""
    firefox.goto(f"{address}#/account")
    firefox.wait_for("[data-kit=ready]")
    for game, variant in VARIANTS:
        options = SHORT.get((game, variant), {})
        whole = play_at_random(game, variant, options, seed=3)
        setup = {
            "game": game,
            "variant": variant,
            "options": options,
            "seats": [{"kind": "me"}] * whole.seats,
            "opening": [{str(seat): move for seat, move in turn.items()} for turn in whole.moves[:-LAST_TURNS]],
        }
        found = firefox.evaluate(WHOLE_GAME, setup)
        here = quatuor.load(firefox.evaluate("(id) => kit.text('GET', `/tables/${id}/record`)", found["id"]))
        assert here.over
        assert here.ply == found["plies"] > len(setup["opening"])
    assert not firefox.complaints


def play(firefox, moves=100):
    """Click on this number of columns, or until the game is over."""
    firefox.evaluate(CLICKS, "plus4")
    for _ in range(moves):
        spot = firefox.evaluate(NEXT)
        if not spot:
            return
        firefox.click_at(*spot)
