"""Play without a server in Firefox: after one visit the host is stopped."""

from tests.browser.offline.conftest import KEPT, hosted
from tests.browser.steps import CLICKS, NEXT

TURNS = "() => document.querySelectorAll('section[aria-labelledby=moves-title] ol button').length"
CHECK = "(selector) => document.querySelector(selector).click()"  # the radio button lies below its visible label


def test_a_game_and_a_puzzle_work_without_the_host_after_a_reload(firefox, tmp_path):
    with hosted(tmp_path) as (address, _):
        firefox.goto(f"{address}#/account")
        firefox.wait_for("[data-kit=ready]")
        firefox.evaluate(KEPT)
    firefox.goto(address)
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


def play(firefox, moves=100):
    """Click on this number of columns, or until the game is over."""
    firefox.evaluate(CLICKS, "plus4")
    for _ in range(moves):
        spot = firefox.evaluate(NEXT)
        if not spot:
            return
        firefox.click_at(*spot)
