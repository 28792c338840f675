"""Short versions of what bench.crash and bench.load prove at length."""

import pytest

from bench import crash, load


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 2), ("postgresql", 1)])
def test_killed_under_load_nothing_acknowledged_is_lost(kind, kills):
    report = crash.run(kind, kills, tables=5)
    assert report.wrong == []
    assert report.kills == kills
    assert report.games >= 5
    assert report.reconnects > 0
    assert len(report.acknowledged) > 50


def test_many_tables_at_once_and_a_bare_server_beside_them():
    ours, bare = load.run("sqlite", tables=10, pace=0.5, seconds=3.0)
    for result in (ours, bare):
        assert (result.tables, result.lines, result.moves) == (10, 30, 60), (
            "every table plays its 6 moves, none is lost"
        )
