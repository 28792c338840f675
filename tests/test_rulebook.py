"""The rulebooks: every example is a legal position with an up-to-date picture, explained in every language."""

import re
from pathlib import Path

import pytest

from quatuor import puzzles
from quatuor.games import NAMES, rulebook
from tools import rulebook_pictures

FOLDER = Path(__file__).parents[1] / "docs" / "rulebook"
PICTURE = re.compile(r"!\[([^\]]+)\]\(\.\./pictures/([A-Z0-9]+-\d+)\.svg\)")
LANGUAGES = ("en", "fr", "de")


def book(language: str, game: str) -> str:
    return (FOLDER / language / f"{game}.md").read_text(encoding="utf-8")


EXAMPLES = rulebook_pictures.examples()
GAMES = [clause for clause, example in EXAMPLES.items() if "moves" in example or "position" in example]


@pytest.mark.parametrize("clause", GAMES)
def test_every_example_is_legal_and_of_its_own_game(clause):
    example = EXAMPLES[clause]
    game = rulebook_pictures.reached(example)
    assert game.name == example["game"]
    assert clause.startswith(f"{game.book.clause_prefix}-")


def test_BK_7_the_picture_of_the_end_is_one_where_no_colour_can_place():
    game = rulebook_pictures.reached(EXAMPLES["BK-7"])
    assert game.over
    assert game.scores == (-15, -19, -23, -18)  # the caption says so


def test_BK_8_the_hands_in_the_picture_score_what_the_clause_says():
    _, shown = rulebook_pictures.drawn(EXAMPLES["BK-8"])
    assert [hand["score"] for hand in shown["view"]["colours"]] == [20, -8, -24, -20]


@pytest.mark.parametrize("clause", [clause for clause in EXAMPLES if "puzzle" in EXAMPLES[clause]])
def test_BK_20_BK_21_BK_22_the_pictures_of_puzzles_are_solutions(clause):
    _, shown = rulebook_pictures.drawn(EXAMPLES[clause])
    position = puzzles.read(shown["view"])
    assert puzzles.check(position).solved


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
    assert set(shown) == set(EXAMPLES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", NAMES)
def test_options_have_the_same_names_as_on_the_page(language, game):
    text = book(language, game)
    for option in rulebook(game).options:
        assert f"`{option.name}`" not in text
        assert getattr(option.title, language) in " ".join(text.split()), option.name
