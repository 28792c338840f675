"""The rulebooks: every example is a legal position with an up-to-date picture, explained in every language."""

import re
from pathlib import Path

import pytest

from quatuor.games import NAMES, rulebook
from tools import rulebook_pictures

FOLDER = Path(__file__).parents[1] / "docs" / "rulebook"
PICTURE = re.compile(r"!\[([^\]]+)\]\(\.\./pictures/([A-Z0-9]+-\d+)\.svg\)")
LANGUAGES = ("en", "fr", "de")


def book(language: str, game: str) -> str:
    return (FOLDER / language / f"{game}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("clause", rulebook_pictures.examples())
def test_every_example_is_legal_and_of_its_own_game(clause):
    example = rulebook_pictures.examples()[clause]
    game = rulebook_pictures.reached(example)
    assert game.name == example["game"]
    assert clause.startswith(f"{game.book.clause_prefix}-")


def test_an_impossible_example_is_refused():
    for example in (
        {"game": "plateau_x", "variant": "mini", "moves": "+B2 +B2"},
        {"game": "plus4", "position": "plus4:elementary 4/b3/4/4 r 0:0 - -"},
    ):
        with pytest.raises(ValueError, match=r"same kind|gap"):
            rulebook_pictures.reached(example)


def test_the_pictures_are_up_to_date():
    there = {file.name: file.read_text(encoding="utf-8") for file in (FOLDER / "pictures").iterdir()}
    assert there == rulebook_pictures.files(), "run: python tools/rulebook_pictures.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_is_shown_at_its_clause(language):
    shown = {}
    for game in NAMES:
        for part in re.split(r"^### ", book(language, game), flags=re.MULTILINE)[1:]:
            clause = re.search(r"\{#(.+?)\}", part)
            for caption, example in PICTURE.findall(part):
                assert clause
                assert example == clause[1]
                shown[example] = caption
    assert set(shown) == set(rulebook_pictures.examples())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", NAMES)
def test_options_have_the_same_names_as_on_the_page(language, game):
    text = book(language, game)
    for option in rulebook(game).options:
        assert f"`{option.name}`" not in text
        assert getattr(option.title, language) in " ".join(text.split()), option.name
