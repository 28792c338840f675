"""Learn Plus 4 from nothing by self-play, as AlphaZero does, and measure it against the solved game.

    python examples/train_plus4.py                  # a few minutes on two cores
    python examples/train_plus4.py --rounds 20 --save net.npz
    python examples/train_plus4.py --device cuda    # the network on a GPU, with CuPy

A network of three layers in plain NumPy guides a tree search (``quatuor.search``) that plays many games at once against
itself. It learns to predict the search's moves and the results of the games. Every position of the elementary game is
solved, so the score is exact: the *loss* is how much of the result (a win 1, a draw 0, a loss -1) a move gives away on
average, in random positions where moves differ. 0 is perfect play.
"""

import argparse
import os
import time
from dataclasses import dataclass
from importlib import import_module

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: threads gain nothing with matrices this small

import numpy as np

import quatuor
from quatuor.engine.solve import solve

CELLS, ACTIONS = 16, 8
COLUMNS = np.arange(CELLS).reshape(4, 4)[:, ::-1].ravel()  # the mirrored board
MIRROR = np.concatenate([COLUMNS, COLUMNS + CELLS])
MIRRORED_ACTIONS = np.array([3, 2, 1, 0, 7, 6, 5, 4])
WORTH = {"win": 1.0, "draw": 0.0, "loss": -1.0}


@dataclass
class Settings:
    rounds: int = 150  # of self-play and learning
    games: int = 512  # at once
    simulations: int = 32  # for each move of self-play
    turns: int = 24  # of each game between two rounds of learning
    width: int = 192  # of the network
    steps: int = 96  # of gradient descent in a round
    batch: int = 1024  # positions in a step
    kept: int = 16  # rounds whose positions are learned from
    rate: float = 2e-3
    seed: int = 1
    device: str = "cpu"
    exam: int = 1000  # positions in which the loss is measured
    exam_simulations: int = 128


class Net:
    """Two hidden layers; a policy and a value. Learns by Adam."""

    def __init__(self, settings: Settings) -> None:
        self.xp = import_module("cupy" if settings.device == "cuda" else "numpy")
        dice, width = np.random.default_rng(settings.seed), settings.width
        shapes = [(2 * CELLS, width), (width, width), (width, ACTIONS + 1)]
        scales = [np.sqrt(2 / shape[0]) * (0.1 if shape[1] == ACTIONS + 1 else 1.0) for shape in shapes]
        weights = [dice.normal(0, scale, shape) for shape, scale in zip(shapes, scales, strict=True)]
        self.layers = [self.xp.asarray(part, np.float32) for w in weights for part in (w, np.zeros(w.shape[1]))]
        self.moments = [(self.xp.zeros_like(layer), self.xp.zeros_like(layer)) for layer in self.layers]
        self.learned = 0

    def __call__(self, planes, facts, mask):
        """What the search calls: logits, and the value for the seat that acts."""
        out = self.forward(self.xp.asarray(planes[:, :2].reshape(-1, 2 * CELLS), np.float32))[-1]
        return out[:, :ACTIONS], self.xp.tanh(out[:, ACTIONS])

    def forward(self, x):
        w1, b1, w2, b2, w3, b3 = self.layers
        h1 = self.xp.maximum(x @ w1 + b1, 0)
        h2 = self.xp.maximum(h1 @ w2 + b2, 0)
        return x, h1, h2, h2 @ w3 + b3

    def learn(self, boards, masks, policies, values, rate: float) -> None:
        """One step down the cross-entropy of the policy plus the squared error of the value."""
        xp = self.xp
        x, h1, h2, out = self.forward(xp.asarray(boards, np.float32))
        policies, values = xp.asarray(policies), xp.asarray(values)
        logits = xp.where(xp.asarray(masks) > 0, out[:, :ACTIONS], -1e9)
        logits -= logits.max(axis=1, keepdims=True)
        chances = xp.exp(logits) / xp.exp(logits).sum(axis=1, keepdims=True)
        told = xp.tanh(out[:, ACTIONS])
        error = xp.concatenate([chances - policies, (2 * (told - values) * (1 - told**2))[:, None]], axis=1) / len(x)
        gradients = []
        for layer, below in ((4, h2), (2, h1), (0, x)):
            gradients = [below.T @ error, error.sum(axis=0), *gradients]
            error = (error @ self.layers[layer].T) * (below > 0)
        self.learned += 1
        for layer, (mean, square), gradient in zip(self.layers, self.moments, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            corrected = mean / (1 - 0.9**self.learned), square / (1 - 0.999**self.learned)
            layer -= rate * (corrected[0] / (xp.sqrt(corrected[1]) + 1e-8) + 1e-4 * layer)


class SelfPlay:
    """Games of the network against itself."""

    def __init__(self, net: Net, settings: Settings) -> None:
        self.settings = settings
        self.games = quatuor.batch("plus4", settings.games, seed=settings.seed, cap=80, threads=1)
        self.search = quatuor.search(self.games, net, seed=settings.seed, noise=0.25)

    def play(self):
        """Some turns of all games: boards, masks, the search's policies, and results for the seat that moved."""
        games, search, turns = self.games, self.search, []
        search.restart()  # the network has learned
        for _ in range(self.settings.turns):
            search.run(self.settings.simulations)
            seen = games.planes[:, :2].reshape(-1, 2 * CELLS).copy(), games.mask.copy(), search.policy
            seat, value = games.seat.copy(), search.value
            search.step(search.sample(np.where(games.plies < 12, 1.0, 0.25)))
            turns.append((*seen, seat, value, games.ended | games.cut, games.rewards.copy()))
        search.run(1)
        rows = np.arange(games.n)
        result = np.zeros((games.n, 2))  # of games that are not over yet: what the network expects
        result[rows, games.seat], result[rows, 1 - games.seat] = search.value, -search.value
        results = []
        for *_, seat, value, over, rewards in reversed(turns):
            result = np.where(over[:, None], rewards, result)
            results.append((result[rows, seat] + value) / 2)  # less noise than the result alone
        boards, masks, policies = (np.concatenate([turn[part] for turn in turns]) for part in range(3))
        return boards, masks, policies.astype(np.float32), np.concatenate(results[::-1]).astype(np.float32)


class Exam:
    """Random positions in which moves differ, and the exact value of every move."""

    def __init__(self, count: int, seed: int = 7) -> None:
        self.games = quatuor.batch("plus4", 2 * count, seed=seed, threads=1)
        solution, dice = solve("plus4", "elementary"), np.random.default_rng(seed)
        turns = dice.integers(0, 16, 2 * count)
        for turn in range(16):
            self.games.step(self.games.sample(), rows=turns > turn)
        self.worth = np.full((2 * count, ACTIONS), -np.inf)
        for row in range(2 * count):
            game = self.games.to_game(row)
            moves = solution.moves(game)
            for move, action in zip(game.legal(), game.actions(), strict=True):
                self.worth[row, action] = WORTH[moves[move].outcome]
        worst = np.where(np.isinf(self.worth), np.inf, self.worth).min(axis=1)
        self.rows = np.flatnonzero(self.worth.max(axis=1) > worst)[:count]

    def loss(self, actions) -> float:
        """What these actions give away on average."""
        return float((self.worth.max(axis=1) - self.worth[np.arange(len(self.worth)), actions])[self.rows].mean())

    def losses(self, net: Net, simulations: int) -> tuple[float, float]:
        """Of the network's first choice, and of a search with it."""
        policy, _ = net(self.games.planes, self.games.facts, self.games.mask)
        policy = policy.get() if hasattr(policy, "get") else policy
        search = quatuor.search(self.games, net)
        search.run(simulations)
        return self.loss(np.where(self.games.mask > 0, policy, -np.inf).argmax(axis=1)), self.loss(search.best())


def train(settings: Settings) -> Net:
    """Learn, and print the curve: positions played, seconds, loss of the network alone and with search."""
    net, exam, dice = Net(settings), Exam(settings.exam), np.random.default_rng(settings.seed)
    play, memory, seconds = SelfPlay(net, settings), [], 0.0
    print(" positions  seconds  loss of the network  with search")
    for number in range(settings.rounds + 1):
        if number % max(settings.rounds // 15, 1) == 0 or number == settings.rounds:
            played, losses = number * settings.turns * settings.games, exam.losses(net, settings.exam_simulations)
            print("{:10,} {:8.0f} {:20.3f} {:12.3f}".format(played, seconds, *losses), flush=True)
        if number == settings.rounds:
            break
        began = time.perf_counter()
        memory = [*memory, play.play()][-settings.kept :]
        study(net, [np.concatenate(parts) for parts in zip(*memory, strict=True)], dice, settings, number)
        seconds += time.perf_counter() - began
    return net


def study(net: Net, memory: list, dice: np.random.Generator, settings: Settings, number: int) -> None:
    """Learn from positions drawn at random, half of them mirrored; more slowly towards the end."""
    boards, masks, policies, values = memory
    rate = settings.rate * (1.0 - 0.9 * number / settings.rounds)
    for _ in range(settings.steps):
        drawn = dice.integers(len(boards), size=settings.batch)
        flip = dice.random(settings.batch)[:, None] < 0.5
        board = np.where(flip, boards[drawn][:, MIRROR], boards[drawn])
        mask, policy = (np.where(flip, part[drawn][:, MIRRORED_ACTIONS], part[drawn]) for part in (masks, policies))
        net.learn(board, mask, policy, values[drawn], rate)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, default in vars(Settings()).items():
        options.add_argument(f"--{name}", type=type(default), default=default)
    options.add_argument("--save", help="write the network to this file")
    given = vars(options.parse_args())
    file = given.pop("save")
    net = train(Settings(**given))
    if file:
        np.savez(file, *[layer.get() if hasattr(layer, "get") else layer for layer in net.layers])
    game = quatuor.new("plus4")
    print("It opens with", quatuor.engine(evaluate=net, units=400).choose(game))


if __name__ == "__main__":
    main()
