"""OpenSpiel accepts every game, and its algorithms run on them."""

import json
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, generate_playthrough, mcts, minimax

import quatuor
import quatuor.games
import quatuor.interop.open_spiel as adapter
from quatuor.engine.observation import look
from quatuor.games import NAMES, rulebook
from tests.engine import ring

EVERY = [f"quatuor_{name}(variant={variant.name})" for name in NAMES for variant in rulebook(name).variants]


@pytest.mark.parametrize("name", EVERY)
def test_random_simulations_with_serialization(name):
    short = {"endless": ",target=2", "rounds": ",target=2"}
    for variant, option in short.items():
        name = name.replace(f"{variant})", f"{variant}{option})")
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_shows_the_whole_game():
    text = generate_playthrough.playthrough("quatuor_plus4", action_sequence=[0, 1, 0, 1, 0, 1, 0])
    assert "quatuor_plus4" in text
    assert "Returns() = [1, -1]" in text


def test_a_state_equals_the_game():
    state = pyspiel.load_game("quatuor_plateau_x(variant=mini,edition=fr)").new_initial_state()
    game = quatuor.new("plateau_x", "mini", edition="fr")
    for _ in range(12):
        action = max(game.actions())
        assert state.current_player() == game.to_move[0]
        assert state.legal_actions() == sorted(game.actions())
        assert state.action_to_string(action) == game.book.write(game.state, game.to_move[0], action)
        game.play_actions({game.to_move[0]: action})
        state.apply_action(action)
        assert str(state) == str(game)
        assert json.loads(state.to_json()) == json.loads(json.dumps(game.view()))
        planes, facts = look(game.book, game.state, 1)
        assert state.observation_tensor(1) == [*planes.ravel().tolist(), *facts.tolist()]


def test_clones_are_independent():
    state = pyspiel.load_game("quatuor_plus4").new_initial_state()
    state.apply_action(0)
    twin = state.clone()
    twin.apply_action(3)
    assert len(state.history()) == 1
    assert state.position.ply == 1
    assert twin.position.ply == 2


def test_numbers_and_none_are_options_too():
    game = pyspiel.load_game("quatuor_plus4(variant=rounds,rounds=3)")
    assert game.new_initial_state().position.options["rounds"] == 3
    assert pyspiel.load_game("quatuor_plus4(variant=rounds)").new_initial_state().position.options["rounds"] is None


def test_wrong_parameters_name_the_right_ones():
    with pytest.raises(ValueError, match="choose one of elementary, endless, rounds"):
        pyspiel.load_game("quatuor_plus4(variant=small)")
    with pytest.raises(ValueError, match="has no option 'target'"):
        pyspiel.load_game("quatuor_plus4(variant=elementary,target=5)")
    with pytest.raises(pyspiel.SpielError, match="Available parameters are: both_lines"):
        pyspiel.load_game("quatuor_plus4(colour=red)")


def test_games_from_outside_the_package_are_registered(monkeypatch):
    monkeypatch.setitem(quatuor.games._extra, "ring", ring.RULEBOOK)  # removed after this test
    adapter.register()
    assert "quatuor_ring" in pyspiel.registered_names()


def test_a_game_without_planes_has_string_observations(monkeypatch):
    unseen = replace(rulebook("plus4"), name="unseen", planes=None)
    monkeypatch.setitem(quatuor.games._extra, "unseen", unseen)
    adapter.register()
    game = pyspiel.load_game("quatuor_unseen")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state, other = game.new_initial_state(), game.new_initial_state()
    other.apply_action(0)
    assert not game.get_type().provides_observation_tensor
    assert state.observation_string(0) != other.observation_string(0)
    assert state.information_state_string(0) != other.information_state_string(0)
    assert "planes" not in state.to_observation_struct(0).to_dict()


@pytest.mark.parametrize("name", EVERY)
def test_structs_hold_the_whole_position_and_moves(name):
    game, dice = pyspiel.load_game(name), np.random.RandomState(3)
    state, twin = game.new_initial_state(), game.new_initial_state()
    for _ in range(6):
        assert game.new_initial_state(state.to_struct().to_json()).to_struct() == state.to_struct()
        seen = state.to_observation_struct(1)
        planes, facts = look(state.position.book, state.position.common, 1)
        assert (seen.planes, seen.facts) == (planes.tolist(), facts.tolist())
        json.loads(seen.to_json())
        players = state.position.to_move
        actions = [int(dice.choice(state.legal_actions(player))) for player in players]
        moves = {}
        for player, action in zip(players, actions, strict=True):
            moves |= state.action_to_struct(player, action).moves
        assert state.struct_to_actions({"moves": moves}) == actions
        assert state.apply_action_struct(adapter.Struct(moves=moves)).ok()
        twin.apply_actions(actions) if len(actions) > 1 else twin.apply_action(actions[0])
        assert str(state) == str(twin)
        assert state.history() == twin.history()


def test_a_struct_with_an_illegal_move_is_refused_and_changes_nothing():
    state = pyspiel.load_game("quatuor_plus4").new_initial_state()
    for wrong in ({"moves": {"0": "e"}}, {"moves": {"1": "a"}}, {"moves": {}}, {}, {"moves": {"0": 3}}, 7):
        status = state.apply_action_struct(wrong)
        assert not status.ok(), wrong
        assert status.message()
    assert state.position.ply == 0


def test_a_state_that_was_set_up_is_serialised_with_its_position():
    game = pyspiel.load_game("quatuor_plus4(variant=endless,target=3)")
    state = game.new_initial_state("br2/4/4/4 b 0:0 - -")
    state.apply_action(2)
    again = game.deserialize_state(state.serialize())
    assert again.to_struct() == state.to_struct()
    assert str(again) == str(state)
    with pytest.raises(ValueError, match="variant"):
        game.new_initial_state("plus4:elementary br2/4/4/4 b 0:0 - -")


def _about_to_win():
    """Blue completes column a."""
    state = pyspiel.load_game("quatuor_plus4").new_initial_state()
    for action in (0, 1, 0, 1, 0, 1):
        state.apply_action(action)
    return state


def test_its_tree_search_finds_the_win():
    state, dice = _about_to_win(), np.random.RandomState(1)
    bot = mcts.MCTSBot(state.get_game(), 1.4, 60, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    assert bot.step(state) == 0


def test_its_minimax_finds_the_win():
    state = _about_to_win()
    value, action = minimax.alpha_beta_search(
        state.get_game(), state, maximum_depth=3, value_function=lambda _: 0.0, maximizing_player_id=0
    )
    assert (value, action) == (1.0, 0)


def _payoffs(game: quatuor.Game) -> np.ndarray:
    """White's result of every pair of orders that ends the game."""
    white, black = game.actions(0), game.actions(1)
    table = np.zeros((len(white), len(black)))
    for i, mine in enumerate(white):
        for j, theirs in enumerate(black):
            after = game.copy()
            after.play_actions({0: mine, 1: theirs})
            assert after.over
            table[i, j] = after.ranking[1] - after.ranking[0]
    return table


def test_its_regret_minimisation_solves_a_simultaneous_ending():
    """White can complete a line in several places, and black has to guess which one to block. One turn decides."""
    layout = "A1 B1 D2 E2 F4 F5 / A6 B6 A3 A4 C4 D6"
    spec = f"quatuor_trois_six(layout={layout},quiet_turns=1,void_blocks=yes)"
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(spec))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    first = game.new_initial_state()
    policy, position = solver.average_policy(), pyspiel.load_game(spec).new_initial_state().position
    mixes = []
    for seat, state in enumerate((first, first.child(first.legal_actions()[0]))):
        chances = policy.action_probabilities(state)
        mixes.append(np.array([chances[action] for action in position.actions(seat)]))
    payoffs = _payoffs(position)

    def gap(white: np.ndarray, black: np.ndarray) -> float:
        """How much the two seats could gain together by knowing each other's mixed strategies."""
        return float((payoffs @ black).max() - (white @ payoffs).min())

    uniform = [np.full(n, 1 / n) for n in payoffs.shape]
    assert gap(*mixes) < 0.3 * gap(*uniform)
