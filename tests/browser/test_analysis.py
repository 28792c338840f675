"""Analysis: of a finished table, of a pasted text, by link; and how to continue a game from it."""

import re

import pytest
from playwright.sync_api import expect

import quatuor
from quatuor.games import names, rulebook
from tests.browser.checks import findings, fits, has_large_targets
from tests.browser.steps import BLUE_COLUMN, accept, caption, headline, pick, push, sit_down, start, try_turn, turns
from tests.seeded import play


def _done(page):
    expect(page.locator("[data-stage=done]")).to_be_attached(timeout=60_000)


def _paste(page, text):
    page.goto("/analysis")
    page.get_by_label("The record of a game").fill(text)
    page.get_by_role("button", name="Analyse").click()


def test_from_a_finished_table_through_its_moves_and_back_into_play(page):
    sit_down(page)
    push(page, *BLUE_COLUMN)
    page.get_by_role("link", name="Analyse").click()
    expect(headline(page)).to_have_text(re.compile("wins!"))
    _done(page)
    expect(page.locator("[data-best]")).to_contain_text("The game is over here.")
    page.keyboard.press("ArrowLeft")
    expect(headline(page)).to_have_text("Move 6 of 7")
    expect(caption(page)).to_contain_text("Blunder by")
    expect(page.locator("[data-best] li").first).to_contain_text("b")
    expect(page.locator("[data-best] li").first).to_contain_text("wins at once")
    box = page.locator("[data-graph]").bounding_box()
    page.mouse.click(box["x"] + 1, box["y"] + 20)
    expect(headline(page)).to_have_text("Move 0 of 7")
    page.get_by_role("slider").fill("3")
    expect(headline(page)).to_have_text("Move 3 of 7")
    page.reload()
    expect(turns(page)).to_have_count(7)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Play on from here").click()
    pick(page.locator("input[name=my-seat][value='0']"))
    page.get_by_role("button", name="Play on", exact=True).click()
    page.wait_for_url("**/t/*")
    expect(turns(page)).to_have_count(6)
    expect(headline(page)).to_have_text("Your turn")
    push(page, "b")
    expect(headline(page)).to_have_text("You won!")


def test_a_link_carries_a_pasted_game(page, visitor):
    game = quatuor.new("plus4")
    for move in "abab":
        game.play(move)
    _paste(page, game.record(("Ada", "engine, level 3")))
    expect(page.locator("main h1")).to_have_text("Analysis · Plus 4 · Elementary game")
    expect(page.get_by_text("Ada").first).to_be_visible()
    expect(page.get_by_text("Computer, level 3").first).to_be_visible()
    expect(turns(page)).to_have_count(4)
    other = visitor(locale="de-DE")
    other.goto(page.url)
    expect(turns(other)).to_have_count(4)
    _done(other)
    expect(other.locator("[data-best] li").first).to_be_visible()  # the game is at this turn and continues
    other.goto(page.url[:-9])
    expect(other.get_by_text("Dieser Link ist beschädigt")).to_be_visible()


def test_errors_in_a_pasted_text_are_explained(page):
    _paste(page, '[Game "plus4"]\n\n1. a\n2. z')
    expect(page.get_by_role("alert")).to_contain_text("Line 4")
    page.get_by_label("The record of a game").fill('[Game "plus4"]\n\n1. a')
    expect(page.get_by_role("alert")).to_have_text("")
    page.get_by_role("button", name="Analyse").click()
    expect(turns(page)).to_have_count(1)


def test_one_of_several_games_is_chosen(page):
    games = [quatuor.new("plus4") for _ in range(2)]
    for game, moves in zip(games, ("ab", "abc"), strict=True):
        for move in moves:
            game.play(move)
    _paste(page, f"{games[0].record(('Ada', 'Bo'))}\n{games[1].record(('Cem', 'Dora'))}")
    expect(page.get_by_role("heading", name="This text has 2 games.")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Game 2: Cem – Dora").click()
    expect(turns(page)).to_have_count(3)
    page.reload()
    expect(turns(page)).to_have_count(3)


@pytest.mark.parametrize("name", names())
def test_every_game_has_an_accessible_analysis(visitor, name):
    page = visitor(phone=name == "trois_six", reduced_motion="reduce")
    _paste(page, play(name, rulebook(name).variants[0].name, {}, seed=4, cap=4).record())
    expect(turns(page)).to_have_count(4)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("[data-best] li").first).to_be_visible(timeout=60_000)
    fits(page, page.viewport_size["width"])
    if name == "trois_six":
        has_large_targets(page)
    assert findings(page) == []


def test_the_empty_page_is_accessible(page):
    page.goto("/analysis")
    expect(page.get_by_label("The record of a game")).to_be_visible()
    assert findings(page) == []


def test_a_running_game_between_two_people_is_not_analysed(visitor):
    ada, bob = visitor(), visitor()
    start(ada, way="invite", begins="me")
    accept(bob, ada.locator("[data-invite]").input_value())
    expect(ada.locator("[data-invite]")).to_have_count(0)
    table = ada.url.rsplit("/", 1)[1]
    ada.goto(f"/analysis?table={table}")
    expect(ada.get_by_text("This game is still in progress.")).to_be_visible()


def test_a_line_in_the_graph_has_the_colour_of_its_player(page):
    _paste(page, play("blokus", "classic", {}, seed=4, cap=4).record())
    expect(page.locator("[data-graph] .line")).to_have_count(4)
    strokes = page.eval_on_selector_all(
        "[data-graph] .line", "lines => lines.map((line) => getComputedStyle(line).stroke.match(/\\d+/g).map(Number))"
    )
    blue, yellow, red, green = strokes
    assert max(blue) == blue[2]
    assert min(yellow) == yellow[2]
    assert max(red) == red[0]
    assert max(red) > 2 * red[1]
    assert max(green) == green[1]


def test_an_analysis_shows_no_buttons_for_moving_and_no_absent_players(page):
    _paste(page, play("blokus", "classic", {}, seed=4, cap=4).record(("Ada", "Bob", "Cem", "Dora")))
    expect(turns(page)).to_have_count(4)
    expect(page.locator("[data-do=numbers]")).to_be_visible()
    expect(page.locator("[data-do=lay], [data-do=turn]")).to_have_count(0)
    game = quatuor.new("plus4")
    for move in BLUE_COLUMN:
        game.play(move)
    _paste(page, game.record(("Ada", "Bob")))
    expect(headline(page)).to_have_text("Ada wins!")
    expect(page.get_by_role("img", name="away")).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "variant"),
    [("plus4", "elementary"), ("blokus", "duo"), ("plateau_x", "mini"), ("trois_six", "classic")],
)
def test_moves_are_tried_commented_promoted_and_shared(page, visitor, name, variant):
    game = quatuor.new(name, variant)
    at_once = len(game.to_move) > 1
    for pick_of in (min, max):
        game.play({seat: pick_of(game.legal(seat)) for seat in game.to_move})
    _paste(page, game.record())
    lines = page.locator("[data-lines]")

    def turn(number, rest=""):
        return lines.get_by_role("button", name=re.compile(rf"^{number}\. .*{rest}$"))

    page.get_by_role("slider").fill("1")
    page.get_by_role("button", name="Try moves").click()
    for number in (2, 3):
        try_turn(page, name)
        expect(headline(page)).to_have_text(f"Variation, move {number}")
    expect(turn(2)).to_be_visible()
    lines.get_by_label("Comment on this position").fill("Interesting")
    lines.get_by_role("button", name="!", exact=True).click()
    expect(turn(3, "!.* ✎")).to_be_visible()
    if not at_once:
        page.locator("[data-best] .first").first.click()  # the computer's line continues from here
        expect(headline(page)).to_have_text("Variation, move 4")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the record").click()
    kept = quatuor.load(saved.value.path())
    assert (saved.value.suggested_filename, kept.moves) == (f"{name}.txt", game.moves)
    assert "Interesting" in [node.comment for node in kept.tree]
    other = visitor()
    other.goto(page.url)
    expect(other.locator("[data-lines]").get_by_role("button", name=re.compile(r"^3\. .*!.* ✎$"))).to_be_visible()
    turn(3, "!.* ✎").click()
    lines.get_by_role("button", name="Make it the main line").click()
    expect(turns(page)).to_have_count(3 if at_once else 4)
    turn(2).click()  # the former main line
    page.get_by_role("button", name="Delete the variation").click()
    expect(turn(2)).to_have_count(0)


def test_a_position_is_analysed_drawn_and_continued(page):
    _paste(page, "plus4:endless,target=1 br2/br2/br2/4 b 0:0 - -")
    expect(headline(page)).to_have_text("Move 0 of 0")
    expect(page.locator("[data-best] li").first).to_contain_text("a", timeout=60_000)
    for kind in ("SVG", "PNG"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Picture ({kind})").click()
        assert saved.value.suggested_filename == f"plus4.{kind.lower()}"
    page.get_by_text("Play on from here").click()
    pick(page.locator("input[name=my-seat][value='0']"))
    page.get_by_role("button", name="Play on", exact=True).click()
    page.wait_for_url("**/t/*")
    push(page, "a")
    expect(headline(page)).to_have_text("You won!")
    page.goto("/analysis")
    page.locator("[data-recent] a").first.click()
    expect(turns(page)).to_have_count(1)
