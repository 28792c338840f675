"""Every variant to its end, against engines and on one device, by mouse."""

import re

import pytest
from playwright.sync_api import expect

import quatuor
from quatuor.games import names, rulebook
from tests.browser.steps import caption, headline, open_table, play_to_the_end, turns
from tests.seeded import play

SHORT = {  # house rules
    ("plus4", "endless"): {"target": 3},
    ("plus4", "rounds"): {"rounds": 2},
    ("trois_six", "classic"): {"quiet_turns": 4},
}
# Played before the page opens; the page plays the last ones. Whole games by mouse: mini and offline/test_page.py
FIRST_TURNS = {
    ("blokus", "classic"): 44, ("blokus", "teams"): 44, ("blokus", "two"): 44, ("blokus", "three"): 44,
    ("blokus", "duo"): 18, ("plateau_x", "four"): 43, ("plateau_x", "trio"): 36, ("plateau_x", "double"): 41,
}  # fmt: skip
VARIANTS = [(name, variant.name) for name in names() for variant in rulebook(name).variants]


def played(game, variant):
    """The first turns of a random game of many turns."""
    turns = FIRST_TURNS.get((game, variant), 0)
    if not turns:
        return ()
    whole = play(game, variant, {}, seed=3)
    assert whole.over
    assert whole.ply > turns + 8
    return whole.moves[:turns]


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_against_engines_to_the_end(visitor, game, variant):
    page = visitor(reduced_motion="reduce")
    seats = [{"kind": "me"}, *[{"kind": "engine", "level": 1}] * (quatuor.new(game, variant).seats - 1)]
    opening = played(game, variant)
    open_table(page, game, variant, seats, SHORT.get((game, variant)), opening)
    play_to_the_end(page, game)
    expect(headline(page)).to_have_text(re.compile("won|lost|finished|[Dd]raw|share"))
    expect(caption(page)).not_to_have_text("")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert turns(page).count() > len(opening) + 3
    if game == "blokus":
        colours = 2 if variant == "duo" else 4
        assert turns(page).count() > 10 * colours
        expect(caption(page)).to_contain_text("No colour can place another piece. Blue ")
        expect(page.locator("[data-hand]")).to_have_count(colours)
        expect(page.locator("[data-hand]").get_by_text("out", exact=True)).to_have_count(colours)
    if variant == "three":
        expect(caption(page)).to_contain_text("which does not count")


@pytest.mark.parametrize("variant", ["endless", "rounds"])  # the other games: in the tests of their boards
def test_on_one_device_to_the_end(visitor, variant):
    page = visitor(reduced_motion="reduce")
    open_table(page, "plus4", variant, [{"kind": "me"}] * 2, SHORT["plus4", variant])
    play_to_the_end(page, "plus4")
    expect(headline(page)).to_have_text(re.compile("(Blue|Red) wins!|Draw"))
    assert turns(page).count() > 3
