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
FIRST_TURNS = {"classic": 36, "teams": 36, "two": 36, "three": 36, "duo": 14}  # of Blokus, played before the page opens
VARIANTS = [(name, variant.name) for name in names() for variant in rulebook(name).variants]


def played(variant):
    """The first turns of a random game of Blokus: the page plays the last ones, in which colours run out of moves."""
    whole = play("blokus", variant, {}, seed=3)
    assert whole.over
    assert whole.ply > FIRST_TURNS[variant] + 4
    return whole.moves[: FIRST_TURNS[variant]]


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_against_engines_to_the_end(visitor, game, variant):
    page = visitor(reduced_motion="reduce")
    seats = [{"kind": "me"}, *[{"kind": "engine", "level": 1}] * (quatuor.new(game, variant).seats - 1)]
    opening = played(variant) if game == "blokus" else ()
    open_table(page, game, variant, seats, SHORT.get((game, variant)), opening)
    play_to_the_end(page, game)
    expect(headline(page)).to_have_text(re.compile("won|lost|finished|[Dd]raw|share"))
    expect(caption(page)).not_to_have_text("")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert turns(page).count() > 3
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
