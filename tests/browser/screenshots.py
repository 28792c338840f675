"""Draws docs/img anew: ``python -m tests.browser.screenshots``."""

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from quatuor.server.settings import Settings
from tests.browser.chrome import build_page, launch
from tests.browser.steps import BLUE_COLUMN, column, push, sit_down, turns
from tests.server.people import House

IMAGES = Path(__file__).parents[2] / "docs" / "img"
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
GAME = ["b", "c", "b", "c", "b*", "a", "b", "a*", "c", "b", "d", "d", "a", "c", "d", "a"]
PATIENCE = 60_000  # milliseconds; an engine may have to be compiled
SETTLED = 900  # milliseconds until nothing moves any more


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Settings(store=f"{folder}/games.sqlite", page=build_page()))
        browser = launch(playwright)
        try:
            draw(browser, f"http://{house.address}")
        finally:
            browser.close()
            house.close()


def draw(browser: Browser, address: str) -> None:
    """Every picture, in a browser of its own."""

    def visitor(screen: dict, theme: str = "light", locale: str = "en-GB") -> Page:
        still = {"color_scheme": theme, "locale": locale, "reduced_motion": "reduce"}
        context = browser.new_context(base_url=address, **still, **screen)
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    for name, theme in (("home", "light"), ("home-dark", "dark")):
        page = visitor(DESK, theme)
        page.goto("/")
        expect(page.locator("[data-enter=here]").first).to_be_visible()
        save(page, name)

    for name, screen, theme in (("table", DESK, "light"), ("table-dark", DESK, "dark"), ("phone", PHONE, "light")):
        page = visitor(screen, theme)
        sit_down(page, variant=1)
        push(page, *GAME)
        if screen is DESK:
            column(page, "c").hover()
        save(page, name)

    page = visitor(DESK)
    sit_down(page, way="engine", begins="me")
    push(page, "b")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".chip").first).to_be_visible()
    save(page, "hint")

    for game, length in {"blokus": 5, "plateau_x": 6, "trois_six": 2}.items():
        page = visitor(DESK)
        sit_down(page, game=game, way="engine", begins="me", level=3)
        answer_engines(page, length)
        save(page, game)

    page = visitor(PHONE, "dark", "fr-FR")
    sit_down(page)
    push(page, *BLUE_COLUMN)
    expect(page.locator(".status.result")).to_be_visible()
    save(page, "result-fr")


def answer_engines(page: Page, times: int) -> None:
    """Follow the hints through a few turns, by the list of moves, which every game has; then show the board again."""
    plain = page.get_by_label("Moves as a list")
    plain.check()
    for _ in range(times):
        expect(page.locator("button.move").first).to_be_visible()
        page.get_by_role("button", name="Hint").click()
        before = turns(page).count()
        page.locator("button.move.best").click()
        expect(turns(page).nth(before)).to_be_visible()
    expect(page.locator("button.move").first).to_be_visible()
    plain.uncheck()


def save(page: Page, name: str) -> None:
    """A PNG with 256 colours, a quarter of the size: most for the many soft shades, some for the rare bright ones."""
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(SETTLED)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    soft = picture.quantize(200, Image.Quantize.MEDIANCUT).getpalette() or []
    bright = picture.quantize(56, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(soft[:600] + bright[:168])
    few = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
