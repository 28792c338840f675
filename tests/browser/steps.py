"""What people do on the page."""

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

import quatuor
from quatuor.games import rulebook

BLUE_COLUMN = ["b", "c", "b", "c", "b", "a", "b"]  # blue fills column b and wins the elementary game

# Yields the elements to click for a move that the board offers; ``choose`` picks one of several.
MOVE = """(game, choose) => {
    const first = (selector) => document.querySelector(selector);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const any = (selector) => choose(all(selector));
    const moves = {
        plus4: function* () { yield any("[data-column][aria-disabled='false']"); },
        blokus: function* () {
            yield first("[data-piece]:not(.stuck)[aria-disabled='false']");
            yield first('[data-do=lay]');
        },
        plateau_x: function* () {
            if (first('[data-end]')) { yield first('[data-end]'); return yield first('.controls .button'); }
            for (const tool of all('[data-tool]:not(:disabled)')) {
                yield tool;
                for (let quarter = 0; quarter < 4; quarter++) {
                    const cell = any("[data-cell][aria-label*='Fits:'], [data-cell][aria-label*='within reach']");
                    if (cell) return yield cell;
                    yield first('[data-turn]');
                }
            }
        },
        trois_six: function* () {
            yield first('[data-taken]');
            yield any("[data-cell][aria-disabled='false']");
            yield any("[data-cell][aria-label*='possible target']");
            yield first('.give.primary');
        },
    };
    return moves[game]();
}"""

# Yields the keys to press for such a move, some at a time.
TYPED = """(game, choose) => {
    const first = (selector) => document.querySelector(selector);
    const any = (selector) => choose([...document.querySelectorAll(selector)]);
    const arrows = (cell) => {  // from the cell that has the focus
        const [here, there] = [document.activeElement.dataset.cell, cell.dataset.cell];
        const [across, up] = [0, 1].map((at) => there.charCodeAt(at) - here.charCodeAt(at));
        const steps = (by, less, more) => Array(Math.abs(by)).fill(by < 0 ? less : more);
        return [...steps(across, 'ArrowLeft', 'ArrowRight'), ...steps(up, 'ArrowDown', 'ArrowUp')];
    };
    const press = function* (selector) {
        while (document.activeElement !== first(selector)) yield ['Tab'];
        yield ['Enter'];
    };
    const moves = {
        plus4: function* () {
            const column = any("[data-column][aria-disabled='false']");
            if (column) yield [column.dataset.column];
        },
        blokus: function* () {
            const piece = first("[data-piece]:not(.stuck)[aria-disabled='false']");
            if (piece) yield [...piece.querySelector('.name').textContent.toLowerCase(), 'Enter'];
        },
        plateau_x: function* () {
            if (first('[data-end]')) { yield* press('[data-end]'); return yield* press('.controls .button'); }
            for (const key of ['3', '2', '1', 'p']) {
                if (first(`[data-tool='${key}']`)?.disabled) continue;
                yield [key];
                for (let quarter = 0; quarter < 4; quarter++) {
                    const cell = any("[data-cell][aria-label*='Fits:'], [data-cell][aria-label*='within reach']");
                    if (cell) return yield [...arrows(cell), 'Enter'];
                    yield ['r'];
                }
            }
        },
        trois_six: function* () {
            if (first('[data-taken]')) return yield ['Enter'];
            yield [choose(['1', '2', '3', '4', '5', '6'])];
            const target = any("[data-cell][aria-label*='possible target']");
            if (target) yield [...target.dataset.cell.toLowerCase(), 'Enter'];
        },
    };
    return moves[game]();
}"""

# Yields where to click next or, ``typing``, which keys to press, until the game is over.
PLAY = f"""(game, typing = false) => {{
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const first = (selector) => document.querySelector(selector);
    const random = (elements) => elements.sort(() => Math.random() - 0.5)[0];
    const middle = (element) => {{
        element.scrollIntoView({{ block: 'nearest' }});
        const box = element.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }};
    const clicked = {MOVE}, typed = {TYPED};
    const clicks = function* () {{ for (const element of clicked(game, random)) if (element) yield middle(element); }};
    window.steps = (async function* () {{
        for (const end = Date.now() + 90000; Date.now() < end; await pause(5)) {{
            if (first('.status.result')) return;
            if (first('.status.mine')) yield* typing ? typed(game, random) : clicks();
        }}
        throw new Error(first('main').innerText);
    }})();
}}"""
NEXT = "async () => (await window.steps.next()).value"


def start(
    page: Page, game: str = "plus4", way: str = "here", variant: int = 0, begins: str | None = None, level: int = 1
) -> None:
    """From the first page to a table."""
    page.goto("/")
    page.locator(f"[data-game={game}] [data-enter={way}]").click()
    if variant:
        page.locator("label.variant").nth(variant).click()
    if way == "engine":
        pick(page.locator(f"input[name=level][value='{level}']"))
    if begins and game != "trois_six":  # simultaneous games: neither side begins
        pick(page.locator(f"input[name=begins][value={begins}]"))
    page.locator("[data-start]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-link=online]")).to_be_attached()


def sit_down(page: Page, game: str = "plus4", way: str = "here", variant: int = 0, level: int = 1) -> None:
    """A table with two or more seats of one visitor, or where the visitor begins against engines."""
    chosen = rulebook(game).variants[variant].name
    others = {"kind": "me"} if way == "here" else {"kind": "engine", "level": level}
    open_table(page, game, chosen, [{"kind": "me"}, *[others] * (quatuor.new(game, chosen).seats - 1)])


def accept(page: Page, link: str) -> None:
    """Open an invitation and take a seat."""
    page.goto(link)
    page.locator("[data-accept]").click()
    expect(page.locator("[data-link=online]")).to_be_attached()


def open_table(
    page: Page,
    game: str,
    variant: str,
    seats: list[dict[str, Any]],
    options: Any = None,
    opening: Sequence[dict[int, str]] = (),
) -> None:
    """A table as the first page opens it, but without that page; ``opening``: turns that are already played."""
    page.request.get("/api/me")  # gives the browser the cookie to which the table belongs
    setup = {"game": game, "variant": variant, "options": options or {}, "seats": seats}
    turns = [{str(seat): move for seat, move in turn.items()} for turn in opening]
    answer = page.request.post("/api/tables", data=setup | {"opening": turns})
    page.goto(f"/t/{answer.json()['id']}")
    expect(page.locator("[data-link=online]")).to_be_attached()


def pick(radio: Locator) -> None:
    """Choose a radio button. It is invisible below its label, which may move while the page is loading."""
    radio.dispatch_event("click")
    expect(radio).to_be_checked()


def take_name(page: Page, name: str) -> None:
    """Name a new visitor before any page is open: pages ask for the name, and two first requests make two guests."""
    answer = page.request.put("/api/me", data={"name": name})
    assert answer.ok, answer.text()


def straight_to(page: Page, game: str, variant: str) -> None:
    """Open a table where one person plays all seats."""
    open_table(page, game, variant, [{"kind": "me"}] * quatuor.new(game, variant).seats)


def column(page: Page, name: str) -> Locator:
    return page.locator(f"[data-column={name}]")


def turns(page: Page) -> Locator:
    """The moves in the list."""
    return page.locator("section[aria-labelledby=moves-title] ol button")


def push(page: Page, *moves: str) -> None:
    """Push columns (with a star: the bonus pawn) and wait for each in the list."""
    for move in moves:
        expect(column(page, move[0])).to_have_attribute("aria-disabled", "false")
        before = turns(page).count()  # only now: the list also waits for the turn of the player who moved before
        if move.endswith("*"):
            page.locator(".pick").click()
        column(page, move[0]).click()
        expect(turns(page)).to_have_count(before + 1)


def headline(page: Page) -> Locator:
    """Whose turn it is, or the result."""
    return page.locator(".status h2")


def caption(page: Page) -> Locator:
    return page.locator(".status [data-caption]")


def spoken(page: Page) -> Locator:
    """The last announcement of a screen reader."""
    return page.locator("p[role=log]")  # the chat is a second live region


def pawns(page: Page) -> Locator:
    """The pawns in the grid."""
    return page.locator(".plus4 g.at")


def is_over(page: Page) -> bool:
    return page.locator(".status.result").count() > 0


def press_twice(button: Locator) -> None:
    """Press a button that asks for confirmation, and confirm: the question disappears after a while."""
    button.evaluate("async (button) => { button.click(); await Promise.resolve(); button.click(); }")


def table_of(page: Page) -> str:
    found = re.search(r"/t/([\w-]+)", page.url)
    assert found
    return found[1]


def play_to_the_end(page: Page, game: str) -> None:
    """Play every move at random by mouse."""
    page.evaluate(PLAY, game)
    while spot := page.evaluate(NEXT):
        page.mouse.click(*spot)


OFFERED = {  # what each board shows when a move can be made
    "plus4": "[data-column][aria-disabled='false']",
    "blokus": "[data-piece][aria-disabled='false']",
    "plateau_x": "[data-tool]:not(:disabled)",
    "trois_six": "[data-cell][aria-disabled='false']",
}


def try_turn(page: Page, game: str) -> None:
    """In an analysis, play the first move that the board offers; in simultaneous games, one for each seat."""
    for _ in quatuor.new(game).to_move:
        expect(page.locator(OFFERED[game]).first).to_be_visible()
        page.evaluate(f"(game) => {{ window.elements = ({MOVE})(game, (elements) => elements[0]); }}", game)
        found = (
            "() => { for (let at = elements.next(); !at.done; at = elements.next()) if (at.value) return at.value; }"
        )
        while element := page.evaluate_handle(found).as_element():
            element.click()
