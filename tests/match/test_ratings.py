"""Ratings follow from results alone, find the order of strength, and are marked as provisional after few games."""

import json
import random

import pytest

import quatuor
from quatuor.cli import program
from quatuor.match.ratings import Played, Skill, rate, updated
from quatuor.match.tournament import Tournament

KIND = "plus4:elementary"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_order_of_strength_is_found(seats):
    dice, players = random.Random(1), ["A", "B", "C", "D", "E"]
    games = []
    for _ in range(200):
        table = dice.sample(players, seats)
        strength = {p: dice.gauss(-players.index(p), 0.8) for p in table}
        ranking = tuple(1 + sum(strength[o] > strength[p] for o in table) for p in table)
        games.append(Played(KIND, tuple(table), ranking))
    rows = rate(games)[KIND]
    assert [row.player for row in rows] == players
    assert not any(row.provisional for row in rows)
    assert sum(row.games for row in rows) == 200 * seats
    assert rate(games) == rate(games)


def test_newcomers_are_provisional_and_kinds_are_apart():
    found = rate([Played(KIND, ("A", "B"), (1, 2)), Played("blokus:duo", ("B", "A"), (1, 2))])
    assert [row.player for row in found[KIND]] == ["A", "B"]
    assert [row.player for row in found["blokus:duo"]] == ["B", "A"]
    assert all(row.provisional for rows in found.values() for row in rows)


def test_a_player_is_not_rated_against_themselves():
    with pytest.raises(ValueError, match="against oneself"):
        rate([Played(KIND, ("A", "A"), (1, 2))])


def _run(capsys, *arguments: str) -> str:
    program()(list(arguments), standalone_mode=False)
    return capsys.readouterr().out


def test_a_tournament_and_ratings_from_the_terminal(tmp_path, capsys):
    cup, record = str(tmp_path / "cup.jsonl"), tmp_path / "game.txt"
    assert "3 players" in _run(
        capsys, "tournament", "create", cup, "plus4", "Ann", "Ben", "Cem", "--format", "round_robin"
    )
    for _ in range(3):
        (table,) = json.loads(_run(capsys, "tournament", "pair", cup, "--json"))["tables"]
        game = quatuor.new("plus4")
        for move in "ababab" + "a":
            game.play(move)
        record.write_text(game.record(seats=tuple(table)), encoding="utf-8")
        assert "complete" in _run(capsys, "tournament", "report", cup, "1", str(record))
    found = json.loads(_run(capsys, "tournament", "standings", cup, "--json"))
    assert found["over"]
    assert sum(row["points"] for row in found["standings"]) == 6
    assert "Ann" in _run(capsys, "tournament", "standings", cup)
    assert "3 records" in _run(capsys, "tournament", "export", cup, str(tmp_path / "games"))
    rated = json.loads(_run(capsys, "ratings", cup, "--json"))[KIND]
    assert sum(row["games"] for row in rated) == 6
    one = min((tmp_path / "games").iterdir())
    assert len(json.loads(_run(capsys, "ratings", str(one), "--json"))[KIND]) == 2
    assert json.loads(_run(capsys, "ratings", str(one.parent), "--json"))[KIND] == rated  # a folder of them
    assert json.loads(_run(capsys, "ratings", str(one), str(one.parent), "--json"))[KIND] == rated  # each counts once


def test_engines_are_rated_by_their_names(tmp_path, capsys):
    _run(capsys, "arena", "level=6", "random", "--game", "plus4", "--games", "8", "--records", str(tmp_path))
    rated = json.loads(_run(capsys, "ratings", str(tmp_path), "--json"))[KIND]
    assert [row["player"] for row in rated] == ["level=6", "random"]
    assert [row["games"] for row in rated] == [8, 8]


def test_a_broken_record_in_a_batch_is_named_and_skipped_only_when_asked(tmp_path, capsys):
    broken, fine = tmp_path / "broken.txt", tmp_path / "fine.txt"
    broken.write_text("nonsense")
    game = quatuor.new("plus4")
    for move in "abababa":
        game.play(move)
    fine.write_text(game.record(seats=("A", "B")))
    with pytest.raises(ValueError, match=r"broken.txt: line 1.*--skip-broken"):
        _run(capsys, "ratings", str(broken), str(fine))
    program()(["ratings", str(broken), str(fine), "--skip-broken", "--json"], standalone_mode=False)
    said = capsys.readouterr()
    assert "left out" in said.err
    assert len(json.loads(said.out)[KIND]) == 2


def test_one_bad_game_of_a_tournament_is_named_and_the_others_are_rated(tmp_path, capsys):
    file, twin = tmp_path / "club.jsonl", tmp_path / "twin.txt"
    tournament = Tournament.create("plus4", players=("Ann", "Ben", "Cem", "engine"), format="round_robin", path=file)
    tournament.pair()
    game = quatuor.new("plus4")
    for move in "abababa":
        game.play(move)
    for table in (1, 2):
        tournament.report(table, game.record())
    twin.write_text(game.record(seats=("Ann", "Ann")), encoding="utf-8")
    assert sum(row["games"] for row in json.loads(_run(capsys, "ratings", str(file), "--json"))[KIND]) == 4
    with pytest.raises(ValueError, match=r"twin.txt: .*against oneself; --skip-broken"):
        _run(capsys, "ratings", str(file), str(twin))
    program()(["ratings", str(file), str(twin), "--skip-broken", "--json"], standalone_mode=False)
    said = capsys.readouterr()
    assert f"left out {twin}" in said.err
    assert "1 of 3 games left out" in said.err
    assert len(json.loads(said.out)[KIND]) == 4


def test_a_tournament_that_cannot_be_read_is_left_out_with_a_warning(tmp_path, capsys):
    file = tmp_path / "club.jsonl"
    Tournament.create("plus4", players=("Ann", "Ben"), path=file)
    file.write_text(file.read_text(encoding="utf-8") + "{broken\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"club.jsonl, line 4"):
        _run(capsys, "ratings", str(file))
    program()(["ratings", str(file), "--skip-broken", "--json"], standalone_mode=False)
    assert "club.jsonl, line 4" in capsys.readouterr().err


def test_allies_win_and_lose_together():
    game = Played("blokus:teams", ("Ann", "Ben", "Cleo", "Dan"), (1, 3, 1, 3), (0, 1, 0, 1))
    after = updated(game, {"Ann": Skill(mu=30.0)})
    assert after["Ann"].mu > 30 > after["Cleo"].mu > Skill().mu > after["Ben"].mu == after["Dan"].mu
    assert {skill.games for skill in after.values()} == {1}


def test_an_engine_with_several_seats_gets_the_mean_and_one_game():
    players = ("Ann", "engine:2", "engine:2", "engine:2")
    after = updated(Played("blokus:classic", players, (2, 1, 3, 4)), {})
    apart = updated(Played("blokus:classic", ("Ann", "x", "y", "z"), (2, 1, 3, 4)), {})
    assert after["Ann"] == apart["Ann"]
    assert after["engine:2"].mu == pytest.approx(sum(apart[name].mu for name in "xyz") / 3)
    assert after["engine:2"].games == 1
