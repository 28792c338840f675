"""What every game must do, whatever its rules: each registered game and variant passes the same tests."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numba import types

import quatuor
from quatuor.engine.playout import random_games
from quatuor.games import names, rulebook
from tests.seeded import at, fingerprint, play, sample

CASES = [(name, variant.name) for name in names() for variant in rulebook(name).variants]
every_variant = pytest.mark.parametrize(("name", "variant"), CASES)
every_game = pytest.mark.parametrize("name", names())
GARBAGE = ("", " ", "?", "zz", "a0", "--", "1>", "+", "@", "a,,b", "\0", "é", "٣>B4", "end of it", "9" * 5000)


def stations(game, step=7):
    """The start, some positions on the way, and the end."""
    return [at(game, ply) for ply in sorted({*range(0, game.ply, step), game.ply})]


def snapshot(game):
    return (game.state.tobytes(), game.ply, game.to_move, game.moves)


# ---- moves


@every_variant
def test_who_acts_has_moves_and_a_finished_game_has_none(name, variant):
    game = sample(name, variant, 1)
    for position in stations(game, 1):
        for seat in range(position.seats):
            acts = seat in position.to_move
            assert bool(position.actions(seat)) == acts
            assert bool(position.legal(seat)) == acts
        assert position.over == (not position.to_move)
        assert bool(position.reason) == position.over


@every_variant
def test_actions_are_distinct_and_within_the_bounds_of_the_rulebook(name, variant):
    book = rulebook(name)
    for position in stations(sample(name, variant, 2), 1):
        for seat in position.to_move:
            actions = position.actions(seat)
            assert len(set(actions)) == len(actions) <= book.max_moves
            assert min(actions) >= 0
            assert max(actions) < book.actions


@every_variant
def test_writing_and_reading_a_move_are_inverse(name, variant):
    book = rulebook(name)
    for position in stations(sample(name, variant, 1), 3):
        for seat in position.to_move:
            actions, texts = position.actions(seat), position.legal(seat)
            assert len(set(texts)) == len(texts)
            assert [book.read(position.state, seat, text) for text in texts] == actions
            assert all(text == text.strip() and " / " not in text and ";" not in text for text in texts)  # records


@every_variant
def test_what_is_legal_can_be_played(name, variant):
    for position in stations(sample(name, variant, 2), 11):
        for seat in position.to_move:
            texts = position.legal(seat)
            for text in texts[:: 1 + len(texts) // 20]:
                after = position.copy()
                after.play({seat: text})
                assert after.state.tobytes() != position.state.tobytes()
                assert seat not in after.to_move or len(position.to_move) == 1


@every_variant
def test_what_is_not_legal_is_refused_and_changes_nothing(name, variant):
    game = sample(name, variant, 1)
    known = sorted({text for position in stations(game) for seat in position.to_move for text in position.legal(seat)})
    for position in stations(game):
        before = snapshot(position)
        for seat in position.to_move:
            together = len(position.to_move) > 1
            legal = set(position.legal(seat))
            for text in (*GARBAGE, *known[:: 1 + len(known) // 100]):
                if text in legal:
                    continue
                if together and text not in GARBAGE:  # an order may be impossible without being an error
                    action = position.book.read(position.state, seat, text)
                    assert 0 <= action < position.book.actions
                    assert position.book.write(position.state, seat, action) == text
                    continue
                with pytest.raises(quatuor.IllegalMove) as refusal:
                    position.play({seat: text})
                assert len(str(refusal.value)) > 10
                assert snapshot(position) == before


@every_variant
def test_only_acting_seats_may_play(name, variant):
    for position in stations(sample(name, variant, 1)):
        before = snapshot(position)
        text = position.legal(position.to_move[0])[0] if position.to_move else "a"
        for seat in {*range(position.seats), -1, 9} - set(position.to_move):
            with pytest.raises(quatuor.IllegalMove):
                position.play({seat: text})
        assert snapshot(position) == before


# ---- histories


@every_variant
def test_undo_restores_every_state_and_replay_reaches_it_again(name, variant):
    game = sample(name, variant, 2).copy()
    moves, states = game.moves, [game.state.tobytes()]
    while game.ply:
        game.undo()
        states.append(game.state.tobytes())
    for move in moves:
        assert game.state.tobytes() == states.pop()
        game.play(move)
    assert [game.state.tobytes()] == states
    assert game.moves == moves


@every_variant
def test_undo_takes_back_the_orders_of_an_unfinished_turn(name, variant):
    position = at(sample(name, variant, 1), 4)
    before = snapshot(position)
    position.play({position.to_move[0]: position.legal(position.to_move[0])[-1]})
    position.undo()
    assert snapshot(position) == before


@every_variant
def test_copies_are_independent(name, variant):
    game = sample(name, variant, 1)
    original = at(game, game.ply // 2)
    before = snapshot(original)
    twin = original.copy()
    for move in game.moves[original.ply :]:
        twin.play(move)
    assert snapshot(original) == before
    assert (twin.state == game.state).all()
    twin = original.copy()
    twin.undo()
    assert snapshot(original) == before


@every_variant
def test_a_record_reads_back_to_the_same_game(name, variant):
    for position in stations(sample(name, variant, 2), 20):
        text = position.record(date="2026-11-15")
        loaded = quatuor.load(text)
        assert snapshot(loaded) == snapshot(position)
        assert (loaded.options, loaded.scores, loaded.ranking) == (position.options, position.scores, position.ranking)
        assert loaded.record() == text


@every_variant
def test_a_seed_gives_the_same_game_through_the_api_and_in_the_kernel(name, variant):
    options = sample(name, variant, 1).options
    kernel = random_games(name, variant, seed=40, count=3, cap=200, **options)
    for i in range(3):
        game = play(name, variant, options, seed=40 + i, cap=200)
        assert (game.ply, game.scores) == (kernel.plies[i], tuple(kernel.scores[i]))
        assert game.ranking == tuple(kernel.places[i])


# ---- what is shown


@every_variant
def test_secret_orders_stay_secret(name, variant):
    start = quatuor.new(name, variant)
    if len(start.to_move) == 1:
        assert start.view() == start.view(0)  # nothing to hide
        return
    first, second = start.to_move
    seen = []
    for order in (start.legal(first)[0], start.legal(first)[-1]):
        game = start.copy()
        game.play({first: order})
        seen.append((game.view(), game.view(second), game.legal(second), game.to_move))
    assert seen[0] == seen[1]


@every_variant
def test_view_effects_and_reason_are_plain_data(name, variant):
    game = sample(name, variant, 1)
    shown = [position.view(seat) for position in stations(game) for seat in (None, *range(game.seats))]
    shown += [game.effects(ply) for ply in range(game.ply)]
    for data in (*shown, game.reason):
        text = json.dumps(data, allow_nan=False)
        assert json.dumps(json.loads(text)) == text
    if game.over:
        assert isinstance(game.reason["code"], str)


@every_variant
def test_pictures_are_well_formed(name, variant):
    for position in stations(sample(name, variant, 2), 20):
        assert ElementTree.fromstring(position.svg()).tag == "{http://www.w3.org/2000/svg}svg"
        assert len(str(position).splitlines()) >= 4


@every_variant
def test_scores_and_places_fit_together(name, variant):
    for position in stations(sample(name, variant, 2)):
        assert len(position.scores) == len(position.ranking) == position.seats
        for place in position.ranking:  # ties share the better place: a place has as many seats before it
            assert place == 1 + sum(other < place for other in position.ranking)


# ---- the kernel


@every_variant
def test_states_stay_within_62_bits(name, variant):
    for position in stations(sample(name, variant, 1), 1):
        assert position.state.dtype == np.int64
        assert len(position.state) == rulebook(name).state_size
        assert np.abs(position.state).max() < 2**62


def in_a_process(name, **settings):
    """The fingerprints of ``tests.seeded``, made by a process with its own compiler settings."""
    root = Path(__file__).parent.parent
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.seeded", name]
    done = subprocess.run(command, env=os.environ | settings, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def here(name):
    return [fingerprint(name, variant.name, seed) for variant in rulebook(name).variants for seed in (1, 2)]


@every_game
def test_interpreted_where_no_index_may_leave_its_array_equals_compiled(name):
    assert in_a_process(name, NUMBA_DISABLE_JIT="1") == here(name)


@every_game
def test_no_rule_is_compiled_for_two_kinds_of_arrays(name):
    here(name)
    rules = {rule: value for rule, value in vars(rulebook(name).rules).items() if hasattr(value, "signatures")}
    kept = {rule: kinds(value) for rule, value in rules.items()}
    assert all(kept[rule] for rule in ("setup", "legal", "play", "outcome"))
    assert {rule: arrays for rule, arrays in kept.items() if len(arrays) > 1} == {}


def kinds(kernel):
    """The kinds of arrays for which machine code is kept, by whomever it was made."""
    index = kernel._cache._cache_file._load_index()  # Numba tells it nowhere else
    return {tuple(str(kind) for kind in signature[0] if isinstance(kind, types.Array)) for signature in index}
