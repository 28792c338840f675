"""The short version of ``python -m bench.hostile``, and the pages that the proofs write."""

import json
import random
import re
from collections import Counter

import pytest

from bench import crash, faults, hostile, load, pages
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


def test_the_figures_of_a_load_become_a_table():
    facts = {"tables": 1000, "lines": 3000, "moves": 9, "moves_a_second": 499.24, "p50": 8.44, "p99": 20.51}
    costs = {
        "longest": 140.2,
        "server_cores": 0.5456,
        "client_cores": 0.2,
        "kilobytes_a_table": 92.14,
        "ms_a_move": 1.0912,
    }
    result = load.Result("quatuor, sqlite", 1, **facts, **costs, kilobytes_a_move=10.0, new_games=2)
    text = measurements.page(load.page([result], "python -m bench.load"))
    row = "| quatuor, sqlite | 1 | 1,000 | 499 | 8.44 ms | 20.5 ms | 140 ms | 0.546 | 1.09 ms | 92.1 kB |"
    assert row in text


def test_results_of_several_runs_are_added_and_other_sections_stay(tmp_path):
    file = tmp_path / "page.json"
    pages.save(file, faults.page([faults.Outcome("kill", "SQLite", 3, 270, 0)], "python -m bench.faults"))
    for kills in (40, 60):
        earlier = pages.section(file, crash.TITLE) or {"rows": []}
        report = crash.Report(kills, games=7, acknowledged={("t", kills): ("a", "b")})
        pages.save(file, crash.page([*earlier["rows"], crash.row_of("sqlite", 5, report, 9.0)], []))
    text = measurements.page(json.loads(file.read_text()))
    assert "# Failures: measurements" in text
    assert "| kill | SQLite | 3 | 270 |" in text
    assert "100 kills in all" in text
    assert "each of the 2 acknowledged moves was looked for" in text
    assert "| SQLite | 60 | 5 | 7 | 1 |" in text
    pages.save(file, faults.page([faults.Outcome("frozen", "PostgreSQL", 1, 9, 0)], "python -m bench.faults"))
    again = measurements.page(json.loads(file.read_text()))
    assert "| kill | SQLite |" not in again
    assert "| frozen | PostgreSQL |" in again
    assert "100 kills in all" in again


def test_hostile_inputs_of_several_runs_are_added_up(tmp_path):
    file = tmp_path / "page.json"
    for seed, accepted in ((1, 2), (2, 5)):
        outcome = hostile.Hostile({"sgf": Counter(accepted=accepted, refused=10)})
        pages.save(file, hostile.page(outcome, f"--seed {seed}", pages.section(file, hostile.TITLE)))
    text = measurements.page(json.loads(file.read_text()))
    assert "27 inputs were sent" in text
    assert "| SGF files | 27 | 7 | 20 | 0 | 0 | 0 |" in text
    assert re.search(r"--seed 1  # [\d-]+\n--seed 2  # [\d-]+\n", text)
    assert "No other game changed" in text
    pages.save(file, hostile.page(hostile.Hostile({}, ["an error"]), "--seed 3", pages.section(file, hostile.TITLE)))
    assert "No other game changed" not in measurements.page(json.loads(file.read_text()))
