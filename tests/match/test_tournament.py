"""Tournaments: every player is paired, no two players twice, and the standings follow from the records alone."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

import quatuor
from quatuor.match import pairing
from quatuor.match.tournament import Tournament, TournamentError

NAMES = tuple("ABCDEFGHIJKLM")
SECOND_WINS, FIRST_WINS, DRAWN = "a b a b a b c b", "a b a b a b a", "a a a a a a a a"


def _record(moves: str, players: tuple[str, ...], **options) -> str:
    game = quatuor.new("plus4", **options)
    for move in moves.split():
        game.play(move)
    assert game.over
    return game.record(seats=players)


def _play(cup: Tournament, stronger=lambda table: min(table)) -> None:
    """Play the paired round: the stronger player of each table wins."""
    for number, table in enumerate(cup.rounds[-1].tables, 1):
        if number - 1 in cup.rounds[-1].missing:
            cup.report(number, _record(FIRST_WINS if table[0] == stronger(table) else SECOND_WINS, table))


def _play_all(cup: Tournament) -> None:
    while not cup.over:
        cup.pair()
        _play(cup)


def _plateau(variant: str, players: tuple[str, ...], seed: int) -> str:
    game, dice = quatuor.new("plateau_x", variant), random.Random(seed)
    while not game.over:
        game.play(dice.choice(game.legal()))
    return game.record(seats=players)


@pytest.mark.parametrize("count", range(2, 9))
def test_in_a_round_robin_all_players_meet_once(count):
    cup = Tournament.create("plus4", players=NAMES[:count], format="round_robin")
    _play_all(cup)
    meetings = pairing.met([table for r in cup.rounds for table in r.tables])
    assert meetings == Counter(frozenset(pair) for pair in combinations(NAMES[:count], 2))
    assert len(cup.rounds) == count - 1 + count % 2
    assert [row.player for row in cup.standings()] == list(NAMES[:count])
    assert [row.points for row in cup.standings()] == [2 * (count - 1 - i) for i in range(count)]


@pytest.mark.parametrize("count", [5, 8, 13])
def test_in_a_swiss_no_two_players_meet_twice_and_the_best_is_first(count):
    cup = Tournament.create("plus4", players=NAMES[:count], format="swiss")
    _play_all(cup)
    assert len(cup.rounds) == (count - 1).bit_length()
    assert max(pairing.met([table for r in cup.rounds for table in r.tables]).values()) == 1
    out = [player for r in cup.rounds for player in r.byes]
    assert len(out) == len(set(out)) == len(cup.rounds) * (count % 2)
    assert cup.standings()[0].player == "A"


def test_seats_are_shared_out_fairly():
    cup = Tournament.create("plus4", players=NAMES[:6], format="round_robin")
    _play_all(cup)
    first = Counter(table[0] for r in cup.rounds for table in r.tables)
    assert set(first.values()) <= {2, 3}


@pytest.mark.parametrize(("variant", "seats"), [("trio", 3), ("four", 4)])
def test_tables_of_three_and_four(variant, seats):
    cup = Tournament.create("plateau_x", variant, players=NAMES[: 2 * seats + 1], format="swiss", rounds=3)
    for seed in range(3):
        paired = cup.pair()
        assert [len(table) for table in paired.tables] == [seats, seats]
        assert len(paired.byes) == 1
        for number, table in enumerate(paired.tables, 1):
            cup.report(number, _plateau(variant, table, 10 * seed + number))
    assert cup.over
    assert len({player for r in cup.rounds for player in r.byes}) == 3
    total = sum(row.points for row in cup.standings())
    games = sum((result.points for r in cup.rounds for result in r.results.values()), ())
    assert total > sum(games)  # byes count too
    again = max(pairing.met([table for r in cup.rounds for table in r.tables]).values())
    assert again <= 2


def test_a_round_robin_of_three_at_a_table_ends_when_all_have_met():
    cup = Tournament.create("plateau_x", "trio", players=NAMES[:6], format="round_robin")
    while not cup.over:
        for number, table in enumerate(cup.pair().tables, 1):
            cup.report(number, _plateau("trio", table, number))
        assert len(cup.rounds) < 9
    meetings = pairing.met([table for r in cup.rounds for table in r.tables])
    assert len(meetings) == 15


@pytest.mark.parametrize("count", [2, 5, 8, 11])
def test_a_knock_out_leaves_one_player(count):
    cup = Tournament.create("plus4", players=NAMES[:count], format="knockout")
    _play_all(cup)
    assert len(cup.rounds) == (count - 1).bit_length()
    assert cup.standings()[0].player == "A"
    assert sum(len(r.tables) for r in cup.rounds) == count - 1


def test_a_tie_in_a_knock_out_is_played_again():
    cup = Tournament.create("plus4", players=("A", "B"), format="knockout")
    cup.report(1, _record(DRAWN, cup.pair().tables[0]))
    assert not cup.over
    assert set(cup.pair().tables[0]) == {"A", "B"}
    _play(cup)
    assert cup.over


@pytest.mark.parametrize("count", [4, 5, 9])
def test_a_knock_out_for_four_at_a_table(count):
    cup = Tournament.create("plateau_x", "four", players=NAMES[:count], format="knockout")
    seed = 0
    while not cup.over:
        for number, table in enumerate(cup.pair().tables, 1):
            seed += 1
            cup.report(number, _plateau("four", table, seed))
        assert len(cup.rounds) < 12
    assert [row.place for row in cup.standings()].count(1) == 1


def test_a_draw_counts_half_and_first_places_break_ties():
    cup = Tournament.create("plus4", players=("A", "B"), format="swiss", rounds=1)
    cup.report(1, _record(DRAWN, cup.pair().tables[0]))
    assert [(row.place, row.points) for row in cup.standings()] == [(1, 1), (1, 1)]


def test_late_entry_and_withdrawal():
    cup = Tournament.create("plus4", players=NAMES[:4], format="swiss", rounds=3)
    cup.pair()
    _play(cup)
    cup.enter("L")
    cup.withdraw("A")
    paired = cup.pair()
    sitting = {player for table in paired.tables for player in table} | set(paired.byes)
    assert sitting == {"B", "C", "D", "L"}
    _play(cup)
    row = next(row for row in cup.standings() if row.player == "A")
    assert row.withdrawn
    assert row.points == 2


def test_an_absent_player_loses():
    cup = Tournament.create("plus4", players=("A", "B"), format="swiss", rounds=1)
    cup.pair()
    result = cup.forfeit(1, "A")
    assert dict(zip(result.players, result.points, strict=True)) == {"A": 0, "B": 2}


def test_a_player_who_left_can_come_back():
    cup = Tournament.create("plus4", players=NAMES[:4], format="swiss", rounds=3)
    cup.withdraw("D")
    assert [row.player for row in cup.standings()] == ["A", "B", "C"], "a player who left before playing is not listed"
    cup.enter("D")
    assert len(cup.players) == 4
    cup.pair()
    _play(cup)
    cup.withdraw("A")
    cup.enter("A")
    assert {player for table in cup.pair().tables for player in table} == set("ABCD")
    with pytest.raises(TournamentError, match="has entered already"):
        cup.enter("A")


def test_it_can_be_closed_before_its_last_round(tmp_path):
    path = tmp_path / "cup.jsonl"
    cup = Tournament.create("plus4", players=NAMES[:4], format="swiss", rounds=3, path=path)
    with pytest.raises(TournamentError, match="no round"):
        cup.close()
    cup.pair()
    with pytest.raises(TournamentError, match="no result of table 1, 2"):
        cup.close()
    _play(cup)
    assert (cup.over, cup.planned) == (False, 3)
    cup.close()
    assert cup.over
    assert Tournament.open(path).over
    assert path.read_text(encoding="utf-8") == cup.text()
    with pytest.raises(TournamentError, match="the tournament is over"):
        cup.pair()


@pytest.mark.parametrize("given_up", [False, True])
def test_giving_up_early_does_not_spoil_the_winners_score(given_up):
    """In Blokus, points are scores, which are far below 0 in a game without a move."""
    cup = Tournament.create("blokus", "duo", players=("A", "B"), format="swiss", rounds=1)
    players = cup.pair().tables[0]
    if given_up:
        game = quatuor.new("blokus", "duo")
        game.headers |= {"Result": "1-2", "Termination": "resigned"}
        result = cup.report(1, game.record(seats=players))
    else:
        result = cup.forfeit(1, players[1])
    assert result.points[0] == 0
    assert result.points[1] < -50


def test_a_player_who_is_out_early_is_ranked_behind_the_others():
    cup = Tournament.create("blokus", players=NAMES[:4], format="swiss", rounds=1)
    players = cup.pair().tables[0]
    game, dice = quatuor.new("blokus"), random.Random(5)
    while not game.over:
        game.play(dice.choice(game.legal()))
    first, second = game.ranking.index(1), game.ranking.index(2)
    game.headers["Out"] = f"{first},{second}"
    result = cup.report(1, game.record(seats=players))
    assert (result.ranking[first], result.ranking[second]) == (4, 3)
    stayed = [points for seat, points in enumerate(result.points) if seat not in (first, second)]
    assert result.points[first] == result.points[second] == min(stayed)


def test_the_file_holds_the_whole_tournament(tmp_path):
    path = tmp_path / "cup.jsonl"
    cup = Tournament.create("plus4", players=NAMES[:5], format="swiss", title="Cup", path=path)
    _play_all(cup)
    again = Tournament.open(path)
    assert again.standings() == cup.standings()
    assert again.title == "Cup"
    assert again.over
    assert len(list(again.records())) == sum(len(r.tables) for r in cup.rounds)


def test_invalid_commands_are_explained_and_change_nothing(tmp_path):
    cup = Tournament.create("plus4", players=("A", "B", "C"), format="swiss", rounds=2, path=tmp_path / "cup.jsonl")
    refused = [
        (lambda: cup.enter("A"), "has entered already"),
        (lambda: cup.enter("  "), "1 to 60 printable"),
        (lambda: cup.withdraw("Z"), "has not entered; players: A, B, C"),
        (lambda: cup.report(1, "x"), "no round has been paired"),
        (lambda: Tournament.create("plus4", format="ladder"), "choose one of round_robin, swiss, knockout"),
        (lambda: Tournament.create("plus4", path=tmp_path / "cup.jsonl"), "exists already"),
    ]
    for wrong, why in refused:
        with pytest.raises(TournamentError, match=why):
            wrong()
    (table,) = cup.pair().tables
    other = tuple(reversed(table))
    refused = [
        (lambda: cup.pair(), "no result of table 1"),
        (lambda: cup.report(2, ""), "no table 2; round 1 has tables 1 to 1"),
        (lambda: cup.report(1, '[Game "plus4"]\n\n1. z'), "the record of table 1 is damaged: line 3"),
        (lambda: cup.report(1, _record(FIRST_WINS, other)), "the record names"),
        (lambda: cup.report(1, _record(FIRST_WINS, table, both_lines="mover")), "is not plus4:elementary"),
        (lambda: cup.report(1, quatuor.new("plus4").record(seats=table)), "the game is not over"),
        (lambda: cup.forfeit(1, "nobody"), "does not sit at table 1"),
    ]
    before = (tmp_path / "cup.jsonl").read_text()
    for wrong, why in refused:
        with pytest.raises(TournamentError, match=why):
            wrong()
    assert (tmp_path / "cup.jsonl").read_text() == before
    cup.report(1, _record(FIRST_WINS, table))
    with pytest.raises(TournamentError, match="counted already"):
        cup.report(1, _record(FIRST_WINS, table))


def test_a_damaged_file_names_the_line(tmp_path):
    path = tmp_path / "cup.jsonl"
    Tournament.create("plus4", players=("A", "B"), path=path).pair()
    lines = path.read_text().splitlines()
    for number, broken in [(2, '{"kind": "entered"'), (3, '{"kind": "sung"}'), (4, '{"kind": "played", "round": 9}')]:
        damaged = [*lines]
        damaged[number - 1] = broken
        path.write_text("\n".join(damaged))
        with pytest.raises(TournamentError, match=f"line {number}"):
            Tournament.open(path)
    path.write_text("")
    with pytest.raises(TournamentError, match="is empty"):
        Tournament.open(path)


def test_a_result_is_never_counted_twice_from_a_file(tmp_path):
    path = tmp_path / "cup.jsonl"
    cup = Tournament.create("plus4", players=("A", "B"), path=path)
    cup.pair()
    _play(cup)
    assert len(path.read_text().splitlines()) == 5  # created, entered twice, paired, played
    path.write_text(path.read_text() + json.dumps(cup.events[-1]) + "\n")
    with pytest.raises(TournamentError, match="line 6: round 1, table 1: a result is counted already"):
        Tournament.open(path)


def test_a_record_without_names_gets_those_of_its_table_also_from_a_file_of_an_earlier_release(tmp_path):
    path = tmp_path / "club.jsonl"
    tournament = Tournament.create("plus4", players=("A", "B"), path=path)
    (table,) = tournament.pair().tables
    bare = _record(FIRST_WINS, ("?", "?")).replace('[Seat0 "?"]\n', "") + "; well played\n"
    tournament.report(1, bare)
    ((_, _, named),) = tournament.records()
    assert tuple(quatuor.load(named).headers[f"Seat{seat}"] for seat in (0, 1)) == table
    assert "; well played" in named
    assert tournament.events[-1]["record"] == named
    *before, last = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*before, json.dumps(json.loads(last) | {"record": bare})]), encoding="utf-8")
    assert list(Tournament.open(path).records()) == [(1, 1, named)]


def test_a_renamed_player_has_the_new_name_everywhere_and_the_old_one_is_free(tmp_path):
    path = tmp_path / "club.jsonl"
    tournament = Tournament.create("plus4", players=("Ada", "B", "C"), format="swiss", rounds=3, path=path)
    tournament.pair()
    _play(tournament)
    tournament.withdraw("C")
    places = [(row.place, row.points) for row in tournament.standings()]
    tournament.rename("Ada", "Guest 1")
    tournament.rename("C", "Guest 2")
    assert [(row.place, row.points) for row in tournament.standings()] == places
    assert tournament.withdrawn == {"Guest 2"}
    assert '"Ada' not in tournament.text()
    assert "Guest 1" in next(record for *_, record in tournament.records())
    tournament.enter("Ada")
    with pytest.raises(TournamentError, match="already the name of a player"):
        tournament.rename("B", "Ada")
    tournament.pair()
    _play(tournament)
    again = Tournament.open(path)
    assert again.players == ["Guest 1", "B", "Guest 2", "Ada"]
    assert again.standings() == tournament.standings()
    path.write_text(tournament.text(), encoding="utf-8")
    shared = Tournament.open(path)
    assert (shared.standings(), shared.cross_table()) == (again.standings(), again.cross_table())
    assert "renamed" not in tournament.text(), "earlier releases read it too"


def test_points_are_exact():
    cup = Tournament.create("plus4", players=NAMES[:3], format="swiss", rounds=1)
    cup.pair()
    _play(cup)
    assert all(isinstance(row.points, Fraction) for row in cup.standings())
    assert [row.points for row in cup.standings()] == [2, 2, 0]  # the winner, and the player with the bye


def test_results_without_records_count_and_are_corrected_with_a_note(tmp_path):
    file = tmp_path / "cup.jsonl"
    cup = Tournament.create("plus4", players=NAMES[:4], format="round_robin", path=file)
    first, second = cup.pair().tables
    assert cup.decide(1, ranking=(2, 1)).points == (0, 2)
    assert cup.decide(2, ranking=(1, 1)).points == (1, 1)
    with pytest.raises(TournamentError, match="counted already"):
        cup.decide(1, ranking=(1, 2))
    with pytest.raises(TournamentError, match="a note"):
        cup.correct(1, 1, " ", ranking=(1, 2))
    cup.pair()
    cup.correct(1, 1, "Seats were mixed up", ranking=(1, 2))
    assert {row.player: row.points for row in cup.standings()} == {first[0]: 2, first[1]: 0, second[0]: 1, second[1]: 1}
    again = Tournament.open(file)
    assert again.standings() == cup.standings()
    assert again.rounds[0].results[0].note == "Seats were mixed up"
    with pytest.raises(TournamentError, match="no result yet"):
        again.correct(2, 1, "too early", ranking=(1, 2))


@pytest.mark.parametrize("ranking", [(), (1,), (2, 2), (0, 1), (1, 3), (1, 2, 3)])
def test_invalid_places_are_refused(ranking):
    cup = Tournament.create("plus4", players=NAMES[:2])
    cup.pair()
    with pytest.raises(TournamentError, match="place"):
        cup.decide(1, ranking=ranking)


def test_a_result_needs_points_where_points_are_scores():
    cup = Tournament.create("blokus", "duo", players=NAMES[:2])
    cup.pair()
    with pytest.raises(TournamentError, match="give scores"):
        cup.decide(1, ranking=(1, 2))
    with pytest.raises(TournamentError, match="do not follow"):
        cup.decide(1, ranking=(1, 2), scores=(-9, 5))
    result = cup.decide(1, scores=(-9, 5))
    assert (result.ranking, result.points) == ((2, 1), (-9, 5))


def test_a_knock_out_is_corrected_in_its_last_round_only():
    cup = Tournament.create("plus4", players=NAMES[:4], format="knockout")
    tables = cup.pair().tables
    for table in (1, 2):
        cup.decide(table, ranking=(1, 2))
    cup.correct(1, 1, "misread", ranking=(2, 1))
    assert set(cup.pair().tables[0]) == {tables[0][1], tables[1][0]}
    with pytest.raises(TournamentError, match="it stands"):
        cup.correct(1, 1, "again", ranking=(1, 2))
