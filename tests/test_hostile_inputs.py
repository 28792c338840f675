"""The short version of ``python -m bench.hostile``, and the page that ``python -m bench.faults`` writes."""

import random
from collections import Counter

import pytest

from bench import faults, hostile
from tools import measurements

COUNT = 60


@pytest.mark.parametrize("read", [hostile.records, hostile.sgf_files, hostile.gtp_commands, hostile.backups])
def test_damaged_texts_are_accepted_or_refused(read, tmp_path):
    found: Counter[str] = Counter()
    places = [tmp_path, str(tmp_path / "target.sqlite")] if read is hostile.backups else []
    read(COUNT, random.Random(7), found, *places)
    assert found["crashes"] == 0
    assert found["refused"] > COUNT / 2
    assert found["refused"] + found["accepted"] == COUNT


def test_an_exception_that_is_no_refusal_counts_as_a_crash(capsys):
    found: Counter[str] = Counter()
    hostile.texts(lambda text: {}[text], ["x"], 3, random.Random(1), found)
    assert found == {"crashes": 3}
    assert "KeyError" in capsys.readouterr().out


def test_outcomes_of_failures_become_a_table():
    outcomes = [faults.Outcome("kill", "SQLite", 3, 270, 0), faults.Outcome("signed out", "PostgreSQL", 2, private=0)]
    text = measurements.page(faults.page(outcomes, "python -m bench.faults"))
    assert "| kill | SQLite | 3 | 270 | 0 |  |  |" in text
