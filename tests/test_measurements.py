"""The pages of measurements are generated from the JSON files beside them."""

import json
import re

import pytest

from tools import curve, measurements


@pytest.mark.parametrize("page", sorted(measurements.pages()), ids=lambda path: path.name)
def test_page_is_up_to_date(page: measurements.Path) -> None:
    assert page.read_text(encoding="utf-8") == measurements.pages()[page], "run python tools/measurements.py"


def test_the_learning_curve_shows_the_figures_of_its_table() -> None:
    assert len(curve.rows()) > 5
    assert curve.PICTURE.read_text(encoding="utf-8") == curve.picture(), "run python -m tools.curve"


def test_every_page_has_its_data_and_every_file_its_page() -> None:
    pages = {path.stem for path in measurements.FOLDER.glob("*.md")} - {"index", "strength"}
    assert pages | {"scale"} == {path.stem for path in measurements.FOLDER.glob("*.json")}
    assert measurements.FOLDER.parent / "scale.md" in measurements.pages()


def test_numbers_with_errors_signs_and_units() -> None:
    columns = [
        {"key": "what", "title": "what"},
        {"key": "won", "title": "won", "unit": "%"},
        {"key": "points", "title": "points", "signed": True},
    ]
    rows = [{"what": "a", "won": [57, 4], "points": [-1.5, 2.0]}, {"what": "b", "won": 1000}]
    assert measurements.table(columns, rows) == [
        "| what | won | points |",
        "|---|---:|---:|",
        "| a | 57%\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}4% | −1.5\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}2.0 |",
        "| b | 1,000% |  |",
    ]


def test_a_value_without_a_column_is_an_error() -> None:
    with pytest.raises(ValueError, match="values without a column: seeds"):
        measurements.table([{"key": "games", "title": "games"}], [{"games": 1, "seeds": 2}])


def test_a_claim_about_blokus_names_its_variant() -> None:
    data = json.loads((measurements.FOLDER / "blokus.json").read_text(encoding="utf-8"))
    named = re.compile(r"`(blokus:)?(two|duo|classic|teams|three)`|blokus:two")
    assert [part["title"] for part in data["sections"] if not named.search(json.dumps(part))] == []
