"""The arena: balanced, repeatable, no result counted twice, a program that fails loses."""

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from quatuor.game import new
from quatuor.games import names, rulebook
from quatuor.jobs import workers
from quatuor.jobs.jsonl import append
from quatuor.match import arena as arenas
from quatuor.match.arena import Arena, kept, run
from quatuor.match.arena_game import play
from quatuor.match.players import make_player
from quatuor.match.summary import duels, rows

ROOT = Path(__file__).parent.parent.parent
GTP = f'gtp:{sys.executable} -c "from quatuor.cli import main; main()" gtp --game {{variant}} --level 1 --seed {{seed}}'
VARIANTS = [(name, variant.name) for name in names() for variant in rulebook(name).variants]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_every_player_has_every_seat_equally_often(name, variant):
    arena = Arena(["random", "greedy", "level=1"], name, variant, games=1)
    seats = Counter((seat, word) for meeting in arena.meetings for seat, word in enumerate(meeting.seats))
    assert len(seats) == 3 * arena.start.seats
    assert len(set(seats.values())) == 1
    pairs = Counter(frozenset(meeting.seats) for meeting in arena.meetings)
    assert set(pairs.values()) == {arena.games}


def test_allies_are_the_same_engine():
    arena = Arena(["random", "greedy"], "blokus", "teams", games=2)
    assert [meeting.seats for meeting in arena.meetings] == [("random", "greedy") * 2, ("greedy", "random") * 2]
    outcome = play(arena.meetings[0])
    (pair,) = arena.pairs(outcome)
    assert pair[:2] == (0, 1)


def test_one_engine_may_play_alone_against_three_of_another():
    arena = Arena(["random", "greedy"], "plateau_x", "four", games=1, alone=True)
    assert [meeting.seats.count("random") for meeting in arena.meetings] == [1, 1, 1, 1, 3, 3, 3, 3]
    assert len({meeting.seats for meeting in arena.meetings}) == 8
    teams = Arena(["random", "greedy"], "blokus", "teams", games=2, alone=True)
    assert [meeting.seats for meeting in teams.meetings] == [("random", "greedy") * 2, ("greedy", "random") * 2]


def test_a_game_of_four_counts_as_its_pairs():
    arena = Arena(["random", "greedy"], "blokus", games=1)
    outcome = play(arena.meetings[0])
    outcome["seats"], outcome["ranking"] = ["random", "greedy", "greedy", "random"], [1, 2, 4, 2]
    assert arena.pairs(outcome) == [(0, 1, 1.0), (0, 1, 1.0), (1, 0, 0.5), (1, 0, 0.0)]


def test_nothing_is_left_to_compile_when_a_level_without_advice_begins():
    """In a separate process: here, another test may already have compiled it."""
    command = [sys.executable, "-m", "tests.match.left_to_compile"]
    compiling = os.environ | {"QUATUOR_KERNELS": "jit"}
    done = subprocess.run(command, env=compiling, cwd=ROOT, capture_output=True, text=True, check=True)
    made, same = done.stdout.split()
    assert int(made) >= 1
    assert same == "True"


@pytest.mark.parametrize("word", ["random", "greedy", "level=2", "units=20", "plain,units=20", "seconds=0.001"])
@pytest.mark.parametrize("which", ["plus4:endless", "blokus:duo", "plateau_x:mini", "trois_six"])
def test_every_player_plays_every_kind_of_game(word, which):
    name, _, variant = which.partition(":")
    game, player = new(name, variant or None), make_player(word, 3)
    while not game.over and game.ply < 6:
        game.play({seat: player.choose(game, seat) for seat in game.to_move})
    assert game.ply == 6 or game.over
    assert player.cpu >= 0


def test_the_same_seed_plays_the_same_game():
    first, again = (Arena(["level=1", "greedy"], "plus4", "endless", games=2, seed=7) for _ in range(2))
    assert [play(meeting)["scores"] for meeting in first.meetings] == [play(m)["scores"] for m in again.meetings]


def test_greedy_beats_random():
    for which in ("plus4:endless", "blokus:duo", "plateau_x:mini", "trois_six"):
        name, _, variant = which.partition(":")
        arena = Arena(["greedy", "random"], name, variant or None, games=20)
        best, worst = rows(arena, [play(meeting) for meeting in arena.meetings])
        assert (best["engine"], worst["engine"]) == ("greedy", "random")
        assert best["score"] > 0.7


def test_results_are_kept_and_nothing_is_counted_twice(tmp_path):
    file = tmp_path / "results.jsonl"
    arena = Arena(["random", "greedy"], "plus4", games=4)
    outcomes = [play(meeting) for meeting in arena.meetings]
    for outcome in [*outcomes[:2], outcomes[0]]:
        append(file, outcome)
    with file.open("a") as stream:
        stream.write('{"game": "plus4", "vari')  # as after a power failure
    append(file, outcomes[2])
    assert [arenas.name(outcome) for outcome in kept(file)] == [meeting.name for meeting in arena.meetings[:3]]
    assert kept(file) == json.loads(json.dumps(outcomes[:3]))
    assert kept(tmp_path / "none.jsonl") == []


def test_processes_play_what_one_process_plays():
    arena = Arena(["random", "level=1"], "plus4", games=4)
    found = {arenas.name(outcome): outcome["scores"] for outcome in run(arena.meetings, workers(jobs=2))}
    assert found == {meeting.name: play(meeting)["scores"] for meeting in arena.meetings}


def test_after_its_time_no_game_is_begun():
    arena = Arena(["random", "greedy"], "plus4", games=4)
    assert list(run(arena.meetings, workers(jobs=1), until=0.0)) == []


def test_a_gtp_program_plays_by_the_rules():
    arena = Arena([GTP, "random"], "blokus", "duo", games=2)
    outcome = play(arena.meetings[1], keep=True)
    assert (outcome["end"], outcome["fault"]) == ("over", None)
    assert outcome["cpu"][GTP] > 0
    assert outcome["record"].startswith('[Game "blokus"]')


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        ("print('= \\n')", "has ended"),
        ("[print('= a1\\n', flush=True) for _ in __import__('sys').stdin]", "'a1'"),
        ("[print('? no\\n', flush=True) for _ in __import__('sys').stdin]", "answered by"),
    ],
)
def test_a_program_that_fails_loses_the_game(program, fault):
    word = f'gtp:{sys.executable} -c "{program}"'
    outcome = play(Arena([word, "random"], "blokus", "two", games=1).meetings[0])
    assert outcome["end"] == "fault"
    assert fault in outcome["fault"]
    assert outcome["ranking"] == [2, 1]


def test_a_duel_is_counted_for_the_first_engine():
    arena = Arena(["random", "greedy"], "plus4", "endless", games=6)
    outcomes = [play(meeting) for meeting in arena.meetings]
    (duel,) = duels(arena, outcomes)
    lost = sum(outcome["ranking"][outcome["seats"].index("random")] == 2 for outcome in outcomes)
    assert (duel["games"], duel["losses"], duel["wins"] + duel["draws"]) == (6, lost, 6 - lost)


def test_invalid_input_is_refused():
    for engines, hint in (
        ([], "name different ones, or one"),
        (["random", "random"], "different"),
        (["random", "strong"], "level=1 to level=8"),
        (["random", "level=9"], "1 to 8"),
        (["random", "level=x"], "is not a number"),
        (["random", "gtp:prog"], "blokus:classic"),
    ):
        with pytest.raises(ValueError, match=hint):
            Arena(engines, "plus4", games=2)
    with pytest.raises(ValueError, match="at least 1"):
        Arena(["random", "greedy"], "plus4", games=0)


def test_one_engine_plays_against_itself():
    arena = Arena(["greedy"], "plus4", "endless", games=3, target=2)
    assert [meeting.seats for meeting in arena.meetings] == [("greedy", "greedy")] * 3
    assert len({meeting.name for meeting in arena.meetings}) == 3
    outcomes = [play(meeting) for meeting in arena.meetings]
    (row,) = rows(arena, outcomes)
    assert (row["games"], row["score"], row["elo"], duels(arena, outcomes)) == (3, 0.5, 0.0, [])


def test_neighbouring_levels_play_each_other_in_a_calibration():
    from quatuor.match.calibrate import levels_arena

    arena = levels_arena("plus4:endless", games=2, seconds=0.5)
    assert arena.engines[-1] == "level=8,seconds=0.5"
    gaps = {abs(arena.engines.index(a) - arena.engines.index(b)) for a, b in (m.seats for m in arena.meetings)}
    assert gaps == {1, 2}
    assert {frozenset(m.seats) for m in arena.meetings} >= {frozenset(p) for p in itertools.pairwise(arena.engines)}
