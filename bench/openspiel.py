"""The peer: OpenSpiel's C++ connect_four, its game most similar to Plus 4. All loops run inside its C++ code."""

import random

import pyspiel

from bench.measure import Rate, rate

ROLLOUTS = 20_000
SIMULATIONS = 2_000
GAME = pyspiel.load_game("connect_four")


def random_plies(**how: float) -> Rate:
    """A search of one simulation judges the root by many random games: its whole time goes into those games."""
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 7)
    bot = _bot(evaluator, simulations=1)
    plies = ROLLOUTS * _mean_plies()

    def work() -> float:
        bot.step(GAME.new_initial_state())
        return plies

    return rate("connect_four, OpenSpiel C++", "random plies", work, **how)


def uct(**how: float) -> Rate:
    """Its tree search with one random game a simulation, from the start position."""
    bot = _bot(pyspiel.RandomRolloutEvaluator(1, 7), SIMULATIONS)

    def work() -> float:
        bot.restart()
        bot.step(GAME.new_initial_state())
        return SIMULATIONS

    return rate("connect_four, OpenSpiel C++ MCTS", "simulations", work, **how)


def _bot(evaluator: pyspiel.RandomRolloutEvaluator, simulations: int) -> pyspiel.MCTSBot:
    return pyspiel.MCTSBot(GAME, evaluator, 1.4, simulations, 1000, False, 7, False)


def _mean_plies(games: int = 2000) -> float:
    """The length of a random game."""
    dice, total = random.Random(7), 0
    for _ in range(games):
        state = GAME.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            total += 1
    return total / games
