"""The puzzles by mouse, touch and keyboard; hints, links, saved puzzles."""

import re

import pytest
from playwright.sync_api import expect

from quatuor.games.blokus.puzzles.check import name_of
from quatuor.games.blokus.puzzles.kinds import COLOURS
from quatuor.games.blokus.puzzles.position import cell_at
from tests.browser.checks import findings, fits, has_large_targets
from tests.browser.test_languages import _leftovers

SMALL_ONE = "?puzzle=tetro10&difficulty=easy&rows=5&columns=8&seed=1"
HARD_ONE = "?puzzle=tetro20&difficulty=easy&rows=8&columns=10&seed=3&hard=true"
LARGE_ONE = "?puzzle=all84&difficulty=easy&rows=20&columns=20&seed=1"
EDGE = 0.75  # the frame of the board, in cells


class Task:
    """A puzzle on the page, and a solution that the server knows."""

    def __init__(self, page, query=SMALL_ONE):
        self.page = page
        answer = page.request.get(f"/api/puzzles/new{query}&solution=true").json()
        whole = answer["solution"]
        self.columns, self.rows = whole["columns"], whole["rows"]
        self.rest = whole["pieces"][whole.get("given", 0) :]
        page.goto(f"/puzzles/play{query}")
        expect(self.board).to_be_visible()

    @property
    def board(self):
        return self.page.locator("[data-board]")

    @property
    def own(self):
        return self.page.locator(".own[data-laid]")

    @property
    def held_piece(self):
        return self.page.locator("[data-held]")

    def tray(self, piece):
        return self.page.locator(f"[data-piece='{_key(piece)}']")

    def middle(self, cells):
        """The middle of the box around these cells, on the screen."""
        box = self.board.bounding_box()
        unit = box["width"] / (self.columns + 2 * EDGE)
        spots = [cell_at(cell) for cell in cells]
        column = (min(c for _, c in spots) + max(c for _, c in spots) + 1) / 2
        row = self.rows - (min(r for r, _ in spots) + max(r for r, _ in spots) + 1) / 2
        return box["x"] + (EDGE + column) * unit, box["y"] + (EDGE + row) * unit

    def adjust(self, piece, turn, flip, bring):
        """Turn and flip the piece in hand until it has the wanted form."""
        wanted = ",".join(piece["cells"])
        for i in range(8):
            bring()
            if self.held_piece.get_attribute("data-held") == wanted:
                return
            flip() if i == 3 else turn()
        raise AssertionError(f"{piece} cannot be turned into its form")


def _key(piece):
    return f"{COLOURS.index(piece['colour'])}{name_of(tuple(map(cell_at, piece['cells'])))}"


def _outlook(page, answer):
    return page.locator(f"[data-outlook={answer}]")


def _by_mouse(task, piece):
    page = task.page
    task.tray(piece).click()
    task.adjust(
        piece,
        turn=lambda: page.mouse.wheel(0, 100),
        flip=lambda: page.locator("[data-do=flip]").click(),
        bring=lambda: page.mouse.move(*task.middle(piece["cells"]), steps=2),
    )
    page.mouse.click(*task.middle(piece["cells"]))


def _by_finger(task, piece):
    page = task.page
    task.tray(piece).tap()
    task.adjust(
        piece,
        turn=lambda: page.locator("[data-do=turn]").tap(),
        flip=lambda: page.locator("[data-do=flip]").tap(),
        bring=lambda: page.touchscreen.tap(*task.middle(piece["cells"])),
    )
    page.locator("[data-do=lay]").tap()


def _by_keyboard(task, piece):
    page = task.page
    press = page.keyboard.press
    while not page.evaluate("document.activeElement.matches('[data-piece]')"):
        press("Tab")
    press("Home")
    while page.evaluate("document.activeElement.dataset.piece") != _key(piece):
        press("ArrowRight")
    press("Enter")
    expect(task.board).to_be_focused()

    def bring():
        corners = [_corner(task.held_piece.get_attribute("data-held").split(",")), _corner(piece["cells"])]
        (row, column), (to_row, to_column) = corners
        for _ in range(abs(to_row - row)):
            press("ArrowUp" if to_row > row else "ArrowDown")
        for _ in range(abs(to_column - column)):
            press("ArrowRight" if to_column > column else "ArrowLeft")

    task.adjust(piece, turn=lambda: press("r"), flip=lambda: press("f"), bring=bring)
    press("Enter")
    press("Enter")  # nothing in hand: go to the tray


def _corner(cells):
    spots = [cell_at(cell) for cell in cells]
    return min(row for row, _ in spots), min(column for _, column in spots)


@pytest.mark.parametrize("lay", [_by_mouse, _by_finger, _by_keyboard])
def test_a_small_one_is_solved(visitor, lay):
    page = visitor(phone=lay is _by_finger)
    task = Task(page)
    expect(_outlook(page, "yes")).to_be_visible()
    assert len(task.rest) == 4
    for count, piece in enumerate(task.rest, 1):
        lay(task, piece)
        expect(task.own).to_have_count(count)
        if count < 4:
            expect(page.locator(".advice")).to_contain_text(f"{4 - count} piece")
    end = page.locator("[data-end=solved]")
    expect(end).to_contain_text(
        re.compile(r"Solved!\s*All pieces are placed\. Your time: \d+:\d\d\.Your best time so far!")
    )
    page.reload()
    expect(end).to_contain_text("Solved!")
    page.goto("/puzzles")
    page.locator("[data-kind=tetro10]").click()
    expect(page.get_by_text("Your best time:")).to_be_visible()


@pytest.mark.motion
def test_pieces_are_dragged_onto_the_board_and_off_and_undone(page):
    task = Task(page)
    piece = task.rest[0]
    _by_mouse(task, piece)
    expect(task.own).to_have_count(1)
    expect(task.tray(piece)).to_have_count(0)
    page.mouse.click(*_centre_of(task, piece["cells"][0]))  # into the hand
    expect(task.own).to_have_count(0)
    expect(task.held_piece).to_have_attribute("data-held", ",".join(piece["cells"]))
    page.mouse.click(*task.middle(piece["cells"]))  # and back on the board
    expect(task.own).to_have_count(1)
    page.mouse.move(*_centre_of(task, piece["cells"][0]))
    page.mouse.down()
    page.mouse.move(1260, 20, steps=5)
    page.mouse.up()
    expect(task.own).to_have_count(0)
    expect(task.tray(piece)).to_be_visible()
    tray = task.tray(piece).bounding_box()
    page.mouse.move(tray["x"] + 20, tray["y"] + 20)
    page.mouse.down()
    page.mouse.move(*task.middle(piece["cells"]), steps=5)
    expect(task.held_piece).to_be_visible()
    page.mouse.up()
    page.keyboard.press("Escape")
    given = page.locator(".given").first.get_attribute("data-laid").split(",")
    page.mouse.click(*_centre_of(task, given[0]))
    expect(page.locator(".advice")).to_contain_text("belongs to the puzzle")


def _centre_of(task, cell):
    return task.middle([cell])


def test_a_hint_is_shown_placed_and_undone_by_key(page):
    task = Task(page)
    page.locator("[data-do=hint]").click()
    hint = page.locator("[data-hint]")
    cells = hint.get_attribute("data-hint")
    assert cells in [",".join(piece["cells"]) for piece in task.rest]
    expect(page.locator(".advice")).to_contain_text("belongs on")
    page.locator("[data-piece].hinted").click()
    expect(task.held_piece).to_have_attribute("data-held", cells)
    page.keyboard.press("Enter")
    expect(page.locator(f".own[data-laid='{cells}']")).to_be_visible()
    expect(page.get_by_text("with hints")).to_be_visible()
    page.keyboard.press("Backspace")
    expect(task.own).to_have_count(0)


def test_a_forbidden_contact_is_marked_and_explained(page):
    task = Task(page, HARD_ONE)
    advice = page.locator(".advice")
    task.tray(task.rest[0]).click()
    spots = [f"{column}{row}" for row in range(1, 9) for column in "abcdefghij"]
    for spot in spots:
        page.mouse.move(*task.middle([spot]))
        if "along an edge" in advice.inner_text():
            break
    expect(advice).to_contain_text("pieces of one colour would touch along an edge")
    expect(page.locator("[data-marks]")).to_be_visible()
    page.mouse.click(*task.middle([spot]))
    expect(advice).to_contain_text("along an edge")
    expect(task.own).to_have_count(0)


def test_a_position_without_a_solution_is_reported(page):
    task = Task(page, "?puzzle=tetro10&difficulty=expert&rows=5&columns=8&seed=1")
    page.keyboard.type("i4")
    for key in ["ArrowLeft"] * 8 + ["ArrowDown"] * 5 + ["ArrowUp"]:  # the long one above the lowest row
        page.keyboard.press(key)
    expect(task.held_piece).to_have_attribute("data-held", "a2,b2,c2,d2")
    page.keyboard.press("Enter")
    page.keyboard.type("l4")
    for key in ["f"] + ["ArrowLeft"] * 8 + ["ArrowDown"] * 5 + ["ArrowRight"] * 2:
        page.keyboard.press(key)
    expect(task.held_piece).to_have_attribute("data-held", "c1,d1,e1,e2")
    page.keyboard.press("Enter")
    expect(_outlook(page, "no")).to_contain_text("The gap at a1 cannot be filled.")
    expect(page.locator("[data-marks]")).to_be_visible()


def test_reload_and_link_keep_the_position(visitor):
    page = visitor(permissions=["clipboard-read", "clipboard-write"])
    task = Task(page)
    for piece in task.rest[:2]:
        _by_mouse(task, piece)
    expect(task.own).to_have_count(2)
    laid = task.own.evaluate_all("all => all.map((e) => e.dataset.laid)")
    page.reload()
    expect(task.own).to_have_count(2)
    assert task.own.evaluate_all("all => all.map((e) => e.dataset.laid)") == laid
    page.locator("[data-do=share]").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("/puzzles")
    expect(page.locator("[data-begun]")).to_contain_text("10 tetrominoes")

    friend = visitor()
    friend.goto(link)
    expect(friend.locator(".own[data-laid]")).to_have_count(2)
    expect(friend.locator(".given")).to_have_count(6)
    expect(_outlook(friend, "yes")).to_be_visible()
    friend.locator(".skip").focus()
    friend.keyboard.press("Enter")  # leads to a place on the page, not to another position
    expect(friend.locator("#content")).to_be_focused()
    expect(friend.locator(".own[data-laid]")).to_have_count(2)
    for damaged in (link[:-9], link.replace("tetro10", "tetro20"), link.split("#")[0] + "#nonsense"):
        friend.goto("/puzzles")
        friend.goto(damaged)
        expect(friend.get_by_text("This link is damaged")).to_be_visible()


@pytest.mark.parametrize("calm", [True, False])
def test_giving_up_shows_the_solution(visitor, calm):
    page = visitor(reduced_motion="reduce" if calm else "no-preference")
    task = Task(page)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Really?").click()
    expect(page.locator("[data-end=shown]")).to_be_visible()
    if calm:
        assert task.own.count() == 4
    expect(task.own).to_have_count(4)
    page.locator("[data-do=restart]").click()
    expect(task.own).to_have_count(0)
    expect(_outlook(page, "yes")).to_be_visible()


def test_a_puzzle_of_the_day_that_was_given_up_is_marked(page):
    page.goto("/puzzles")
    page.locator("[data-daily=easy]").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Really?").click()
    expect(page.locator("[data-end=shown]")).to_be_visible()
    page.goto("/puzzles")
    expect(page.locator("[data-daily=easy]")).to_contain_text("given up")
    expect(page.locator("[data-daily=medium]")).not_to_contain_text("given up")


def test_order_matters_on_the_large_board(page):
    task = Task(page, LARGE_ONE)
    for piece in task.rest[:2]:
        _by_mouse(task, piece)
    expect(task.own).to_have_count(2)
    expect(_outlook(page, "yes").or_(_outlook(page, "unknown"))).to_be_visible()
    page.locator("[data-do=back]").click()
    expect(task.own).to_have_count(1)


def test_from_the_first_page_to_the_puzzle_of_the_day(page):
    page.goto("/")
    page.get_by_role("link", name="Puzzles", exact=True).click()
    page.locator("[data-daily=easy]").click()
    expect(page.locator("[data-board]")).to_be_visible()
    assert re.search(r"daily=\d{4}-\d\d-\d\d", page.url)


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")
    page.goto("/puzzles")
    expect(page.locator("[data-kind]").first).to_be_visible()
    assert findings(page) == []
    fits(page)
    task = Task(page, HARD_ONE)
    expect(_outlook(page, "yes")).to_be_visible()
    task.tray(task.rest[0]).click()
    assert findings(page) == []
    fits(page)
    if phone:
        has_large_targets(page)


@pytest.mark.parametrize("locale", ["fr-FR", "de-DE"])
def test_every_text_is_translated(visitor, locale):
    page = visitor(locale=locale)
    page.goto("/puzzles")
    expect(page.locator("[data-kind]").first).to_be_visible()
    assert _leftovers(page, locale[:2]) == []
    Task(page)
    expect(_outlook(page, "yes")).to_be_visible()
    assert _leftovers(page, locale[:2]) == []
    expect(page.locator("main")).not_to_contain_text(re.compile("Solved|piece|Hint|Start over"))


def test_the_choice_of_puzzles_fits_a_small_phone_in_german(visitor):
    page = visitor(phone=True, locale="de-DE")
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto("/puzzles")
    expect(page.locator("[data-kind]").first).to_be_visible()
    fits(page, 320)
    choices = "[...document.querySelectorAll('fieldset label span, .row .button')]"
    assert page.evaluate(f"{choices}.every((choice) => choice.scrollWidth <= choice.clientWidth)")
