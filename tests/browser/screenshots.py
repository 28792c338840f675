"""Draw docs/img again, every page on two screens in both themes, and write the page of the guide that shows them:
``python -m tests.browser.screenshots [PAGE …]``."""

import io
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

import quatuor
from quatuor.server.budgets import LIMITS
from quatuor.server.settings import Settings
from tests.browser.chrome import build_page, launch
from tests.browser.steps import BLUE_COLUMN, push
from tests.server.client import ServerThread

DOCS = Path(__file__).parents[2] / "docs"
SCREENS = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
THEMES = ("light", "dark")
PATIENCE = 60_000  # milliseconds; an engine may have to be compiled
SETTLED = 900  # milliseconds until nothing moves any more
HIDE = "document.querySelector('[role=progressbar]')?.setAttribute('hidden', '')"  # how much of the kit has been loaded
LEVEL = 3  # level of the engine that plays the games in the pictures
TEXT = """# The page in pictures

Every page on a desktop and a phone, in light and dark. `make screenshots` takes them again.
"""


@cache
def game(name: str, variant: str, turns: int, **options: str | int) -> quatuor.Game:
    """A game that an engine plays against itself, the same every time."""
    played = quatuor.new(name, variant=variant, **options)
    engine = quatuor.engine(level=LEVEL, seed=7)
    while not played.over and played.ply < turns:
        played.play({seat: engine.choose(played, seat) for seat in played.to_move})
    return played


def sit(page: Page, played: quatuor.Game, engines: bool = True) -> None:
    """A table that begins with a game's turns, against engines or with all seats on one device."""
    page.request.get("/api/me")  # gives the browser the cookie to which the table belongs
    to_move = played.to_move[0] if played.to_move else 0
    other = {"kind": "engine", "level": LEVEL} if engines else {"kind": "me"}
    seats = [{"kind": "me"} if seat == to_move else other for seat in range(played.seats)]
    opening = [{str(seat): move for seat, move in turn.items()} for turn in played.moves]
    setup = {"game": played.name, "variant": played.variant.name, "options": played.options, "seats": seats}
    answer = page.request.post("/api/tables", data={**setup, "opening": opening})
    page.goto(f"/t/{answer.json()['id']}")
    expect(page.locator("[data-link=online]")).to_be_attached()
    expect(page.locator(".status.mine")).to_be_visible()


def home(page: Page) -> None:
    page.goto("/")
    expect(page.locator("[data-enter=here]").first).to_be_visible()


def setup(page: Page) -> None:
    home(page)
    page.locator("[data-game=plateau_x] [data-enter=engine]").click()
    expect(page.locator("[data-start]")).to_be_visible()


def plus4(page: Page) -> None:
    sit(page, game("plus4", "endless", 18), engines=False)


def hint(page: Page) -> None:
    sit(page, game("plus4", "elementary", 6))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".chip").first).to_be_visible()


def blokus(page: Page) -> None:
    sit(page, game("blokus", "classic", 24))
    page.locator("[data-piece]:not(.stuck)").first.click()
    expect(page.locator(".held-piece")).to_be_visible()


def plateau_x(page: Page) -> None:
    page.add_init_script("localStorage.setItem('quatuor-plateau-x', innerWidth > 999 ? 'space' : 'flat')")
    sit(page, game("plateau_x", "four", 32))


def plateau_x_flat(page: Page) -> None:
    sit(page, game("plateau_x", "mini", 14))


def trois_six(page: Page) -> None:
    sit(page, game("trois_six", "classic", 5))


def result(page: Page) -> None:
    sit(page, quatuor.new("plus4"), engines=False)
    push(page, *BLUE_COLUMN)
    expect(page.locator(".status.result")).to_be_visible()


def analysis(page: Page) -> None:
    paste(page)
    page.get_by_label("The record of a game").fill(game("plus4", "elementary", 40).record())
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("[data-stage=done]")).to_be_attached()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-best] li").first).to_be_visible()


def paste(page: Page) -> None:
    page.goto("/analysis")
    expect(page.get_by_label("The record of a game")).to_be_visible()


def puzzles(page: Page) -> None:
    page.goto("/puzzles")
    expect(page.locator("[data-daily]").first).to_be_visible()


def puzzle(page: Page) -> None:
    page.goto("/puzzles/play?daily=2026-11-15&difficulty=medium")
    expect(page.locator("[data-piece]").first).to_be_visible()


def learn(page: Page) -> None:
    page.goto("/learn")
    expect(page.locator("main h1")).to_be_visible()


def course(page: Page) -> None:
    page.goto("/learn/trois_six")
    expect(page.locator("main h1")).to_be_visible()


def lesson(page: Page) -> None:
    course(page)
    page.locator("main a[href^='/learn/trois_six/']").first.click()
    expect(page.locator("main svg").first).to_be_visible()


def invite(page: Page) -> None:
    home(page)
    page.locator("[data-game=blokus] [data-enter=invite]").click()
    page.locator("[data-start]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-link=online]")).to_be_attached()


def rules(page: Page) -> None:
    page.goto("/rules/plus4")
    expect(page.locator("main h2").first).to_be_visible()


def people(address: str) -> Callable[[Page], None]:
    """A page that is shown once it knows the visitor's name."""

    def visit(page: Page) -> None:
        page.goto(address)
        expect(page.locator("main h1")).to_be_visible()

    return visit


def cup(page: Page) -> None:
    """A club's tournament in its second round."""
    names, setup = ("Ann", "Ben", "Cem", "Dora"), {"title": "Friday cup", "game": "plus4", "format": "round_robin"}
    page.goto("/tournaments")
    others = [page.context.browser.new_context(base_url=page.url) for _ in names[1:]]
    people = [page.request, *(other.request for other in others)]
    for who, name in zip(people, names, strict=True):
        who.put("/api/me", data={"name": name})
    at = f"/api/tournaments/{page.request.post('/api/tournaments', data=setup).json()['id']}"
    for who in people:
        who.post(f"{at}/players", data={})
    paired = page.request.post(f"{at}/rounds", data={"after": 0}).json()
    for table in paired["rounds"][0]["tables"]:
        seat = 0 if table["players"][0] else 1  # Ann, who organises, resigns nowhere
        resigned = people[table["players"][seat]].post(
            f"/api/tables/{table['id']}/resign", data={"ack": "1", "seat": seat}
        )
        assert resigned.ok, resigned.text()
    page.goto(at.removeprefix("/api"))
    expect(page.locator("[data-next][aria-disabled=false]")).to_be_visible()
    page.locator("[data-next]").click()
    expect(page.locator("[data-state]")).to_have_text("Round 2")
    for other in others:
        other.close()


def new_cup(page: Page) -> None:
    page.goto("/tournaments/new")
    page.get_by_label("Name of the tournament").fill("Friday cup")


PAGES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "home": ("Four games", home),
    "setup": ("Before a game", setup),
    "invite": ("Waiting for friends", invite),
    "plus4": ("Plus 4", plus4),
    "hint": ("A hint", hint),
    "result": ("The end of a game", result),
    "blokus": ("Blokus", blokus),
    "plateau_x": ("Plateau X", plateau_x),
    "plateau_x_flat": ("Plateau X, flat", plateau_x_flat),
    "trois_six": ("3/6", trois_six),
    "analysis": ("Analysis", analysis),
    "paste": ("A game to analyse", paste),
    "puzzles": ("Puzzles", puzzles),
    "puzzle": ("A puzzle", puzzle),
    "lobby": ("The lobby", people("/lobby")),
    "games": ("My games", people("/games")),
    "account": ("An account", people("/account")),
    "tournaments": ("Tournaments", people("/tournaments")),
    "tournament": ("A tournament", cup),
    "new_tournament": ("A new tournament", new_cup),
    "learn": ("Lessons", learn),
    "course": ("The lessons of a game", course),
    "lesson": ("A lesson", lesson),
    "rules": ("A rulebook", rules),
}


def main() -> None:
    (DOCS / "img").mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerThread(
            Settings(store=f"{folder}/games.sqlite", page=build_page(), budgets=dict.fromkeys(LIMITS, 1e9))
        )
        browser = launch(playwright)
        try:
            for name in sys.argv[1:] or PAGES:
                draw(browser, f"http://{server.address}", name)
        finally:
            browser.close()
            server.close()
    (DOCS / "screens.md").write_text(TEXT + "".join(shown(name, title) for name, (title, _) in PAGES.items()))


def draw(browser: Browser, address: str, name: str) -> None:
    """One page on every screen in every theme."""
    for screen, size in SCREENS.items():
        for theme in THEMES:
            still = {"color_scheme": theme, "locale": "en-GB", "reduced_motion": "reduce"}
            context = browser.new_context(base_url=address, **still, **size)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            PAGES[name][1](page)
            save(page, f"{name}-{screen}-{theme}")
            context.close()
    print(name, flush=True)


def save(page: Page, name: str) -> None:
    """A PNG with 256 colours, a quarter of the size: most colours for soft shades, some for the rare bright ones."""
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(SETTLED)
    page.evaluate(HIDE)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    soft = picture.quantize(200, Image.Quantize.MEDIANCUT).getpalette() or []
    bright = picture.quantize(56, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(soft[:600] + bright[:168])
    few = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(DOCS / "img" / f"{name}.png", optimize=True)


def shown(name: str, title: str) -> str:
    """A page in the guide: large and small, light and dark."""
    pictures = [
        f"![{title}, {screen}, {theme}](img/{name}-{screen}-{theme}.png){{ width={width} }}"
        for screen, width in (("desk", 620), ("phone", 300))
        for theme in THEMES
    ]
    return f"\n## {title}\n\n" + "\n".join(pictures) + "\n"


if __name__ == "__main__":
    main()
