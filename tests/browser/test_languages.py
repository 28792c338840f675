"""French and German pages have no English text."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.chrome import WEB
from tests.browser.steps import BLUE_COLUMN, push, start

TEXT = re.compile(r"^ +(\w+): '(.*)',$", re.MULTILINE)
ROOT = Path(__file__).parents[2]


def _texts(language: str) -> dict[str, str]:
    return dict(TEXT.findall((WEB / f"src/lib/i18n/{language}.ts").read_text()))


def _leftovers(page, language: str) -> list[str]:
    """The page's English texts that are visible, and traces of missing texts."""
    shown = page.locator("body").inner_text() + " ".join(
        page.eval_on_selector_all("[aria-label], [title]", "all => all.map(e => `${e.ariaLabel} ${e.title}`)")
    )
    local = _texts(language)
    own = set(local.values())  # a word that both languages have does not count as English
    english = [text for text in _texts("en").values() if len(text) > 3 and text not in own]
    return [
        text
        for text in [*english, "undefined", "[object", "=>"]
        if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", shown)
    ]


@pytest.mark.parametrize(("locale", "wins"), [("fr-FR", "Bleu gagne !"), ("de-DE", "Blau gewinnt!")])
def test_every_text_is_translated(visitor, locale, wins):
    page = visitor(locale=locale)
    language = locale[:2]
    start(page)
    assert page.locator("html").get_attribute("lang") == language
    assert _leftovers(page, language) == []
    for fold in page.locator("details").all():
        fold.evaluate("fold => fold.open = true")
    push(page, *BLUE_COLUMN)
    expect(page.locator(".status h2")).to_have_text(wins)
    assert _leftovers(page, language) == []
    page.goto("/")
    page.locator("[data-enter=engine]").first.click()
    page.locator("summary").click()
    assert _leftovers(page, language) == []
    page.goto("/nowhere")
    expect(page.locator("h1")).to_be_visible()
    assert _leftovers(page, language) == []


def test_the_language_can_be_changed_and_is_remembered(page):
    page.goto("/")
    page.get_by_label("Language").select_option("de")
    expect(page.locator("h1")).to_have_text("Vier Spiele, ein Tisch.")
    page.reload()
    expect(page.locator("h1")).to_have_text("Vier Spiele, ein Tisch.")
    assert page.locator("html").get_attribute("lang") == "de"
    start(page)
    expect(page.locator("main h1")).to_have_text("Plus 4 · Grundspiel")
    page.get_by_label("Sprache").select_option("fr")  # in the middle of a game
    expect(page.locator("main h1")).to_have_text("Plus 4 · Partie élémentaire")
    expect(page.locator(".status h2")).to_have_text("À Bleu de jouer")


def test_every_error_code_of_the_server_has_a_text():
    sources = [file.read_text() for part in ("server", "table") for file in (ROOT / "quatuor" / part).rglob("*.py")]
    codes = {code for source in sources for code in re.findall(r'(?:Refused|problem)\("(\w+)"', source)}
    assert len(codes) > 10
    assert codes - set(_texts("en")) == set()
