"""``python -m bench.learners``: what learners wait for, in wall time on all cores.

``steps``: steps of many games at once, beside pgx and PettingZoo in the same run. A step is all that a learner needs:
an action played, finished games begun anew, the mask of legal actions and the observation of the seat that acts next.
All play legal actions at random. pgx chooses them inside its compiled step; we and PettingZoo choose them outside.

``network``: positions a second that a network evaluates inside the tree search, beside the bare network in calls of the
same size: the difference is what the search costs. The network is that of ``examples/train_plus4.py``, untrained, and a
larger one of the same form. Needs nothing but NumPy, and CuPy on a GPU.

Both by default; ``python -m bench.learners network`` measures one. ``--device cuda``: games and networks on a GPU; ten
steps are one CUDA graph of PyTorch's, as they are one compiled call of pgx. Peers that are not installed are left out
there. ``--kernels FOLDER``: with the machine code of ``bench.gpu.prepare``, where there is no Numba.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from examples.train_plus4 import Net, Settings  # first: it sets the number of NumPy's threads

# isort: split
import numpy as np
from rich.console import Console
from rich.table import Table

import quatuor
from bench.gpu.batch import prebuilt
from quatuor.engine.batch import Batch
from quatuor.games import NAMES

TURNS, SECONDS = 7, 1.0
GAMES = {"cpu": (1_024, 4_096, 16_384), "cuda": (1_024, 16_384, 262_144)}
WIDTHS = (192, 1024)  # of the networks' hidden layers
SEARCHED = (1, 64, 512)  # games at once; one tree has 8 positions in a call
SIMULATIONS = 64


Work = Callable[[], int]  # plays on for a while and returns the number of steps


def rates(*works: Work) -> list[float]:
    """Steps a second of wall time: the median of a few runs of each. They alternate, because hosts vary in speed."""
    for work in works:
        work()  # compile
    found: list[list[float]] = [[] for _ in works]
    for _ in range(TURNS):
        for work, turns in zip(works, found, strict=True):
            done, began = 0, time.perf_counter()
            while time.perf_counter() - began < SECONDS:
                done += work()
            turns.append(done / (time.perf_counter() - began))
    return [statistics.median(turns) for turns in found]


def ours(name: str, n: int) -> Work:
    games = Batch(name, n, seed=7)

    def work() -> int:
        for _ in range(10):
            games.step(games.sample())
        return 10 * n

    return work


def ours_on_gpu(name: str, n: int) -> Work:
    import torch

    games = Batch(name, n, device="cuda", seed=7, check=False)
    games.step(games.sample())
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(10):
            games.step(games.sample())

    def work() -> int:
        graph.replay()
        torch.cuda.synchronize()
        return 10 * n

    return work


def by_pgx(n: int) -> Work:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    play = auto_reset(env.step, env.init)

    @jax.jit
    def ten(state, key):
        def one(carry, key):
            state = carry
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            keys = jax.random.split(key, n)
            actions = jax.vmap(jax.random.categorical)(keys, logits)
            state = jax.vmap(play)(state, actions, keys)
            return state, state.observation.sum()

        state, seen = jax.lax.scan(one, state, jax.random.split(key, 10))
        return state, seen

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(7), n))
    keys = iter(jax.random.split(jax.random.PRNGKey(8), 100_000))

    def work() -> int:
        nonlocal state
        state, seen = ten(state, next(keys))
        seen.block_until_ready()
        return 10 * n

    return work


def by_pettingzoo() -> Work:
    from pettingzoo.classic import connect_four_v3

    env, dice = connect_four_v3.env(), np.random.default_rng(7)

    def work() -> int:
        env.reset(seed=int(dice.integers(1 << 30)))
        steps = 0
        while env.agents:
            seen, _, over, cut, _ = env.last()
            env.step(None if over or cut else int(dice.choice(np.flatnonzero(seen["action_mask"]))))
            steps += not (over or cut)
        return steps

    return work


class Counting:
    """A network that counts the positions it was given."""

    def __init__(self, width: int, device: str) -> None:
        self.net, self.positions, self.calls = Net(Settings(width=width, device=device)), 0, 0

    def __call__(self, planes, facts, mask):
        self.positions += len(mask)
        self.calls += 1
        return self.net(planes, facts, mask)


def searching(net: Counting, n: int) -> Work:
    """Self-play; the work is the positions that the network evaluates."""
    search = quatuor.search(quatuor.batch("plus4", n, seed=7, threads=1), net, noise=0.25)

    def work() -> int:
        before = net.positions
        search.run(SIMULATIONS)
        search.step(search.sample())
        return net.positions - before

    return work


def alone(net: Counting, size: int) -> Work:
    """The bare network, on the same positions again and again."""
    games = quatuor.batch("plus4", size, seed=7, threads=1)
    for _ in range(6):
        games.step(games.sample())

    def work() -> int:
        policy, value = net.net(games.planes, games.facts, games.mask)
        if net.net.xp is not np:  # the search needs them on the CPU, too
            policy.get(), value.get()
        return size

    return work


def network(device: str) -> None:
    table = Table(title=f"Positions a second through the network ({device})", title_justify="left")
    for column in ("width", "games at once", "positions a call", "network alone", "in the search", "share"):
        table.add_column(column, justify="right")
    for width in WIDTHS:
        for n in SEARCHED:
            net = Counting(width, device)
            work = searching(net, n)
            for _ in range(3):
                work()
            size = round(net.positions / net.calls)
            bare, searched = rates(alone(net, size), work)
            table.add_row(
                str(width), f"{n:,}", str(size), f"{bare:,.0f}", f"{searched:,.0f}", f"{100 * searched / bare:.0f} %"
            )
    Console().print(table)


def steps(device: str) -> None:
    mine, games = ours if device == "cpu" else ours_on_gpu, GAMES[device]
    table = Table(title=f"Steps a second ({device})", title_justify="left")
    for column in ("what", "games at once", "steps/s", "to pgx", "to PettingZoo"):
        table.add_column(column, justify="left" if column == "what" else "right")
    zoo = 0.0
    if device == "cpu" or find_spec("pettingzoo"):
        [zoo] = rates(by_pettingzoo())
        table.add_row("connect_four, PettingZoo", "1", f"{zoo:,.0f}", "", "1 ×")
    for n in games:
        peers = [by_pgx(n)] if device == "cpu" or find_spec("pgx") else []
        *peer, speed = rates(*peers, mine("plus4", n))
        for rate in peer:
            table.add_row("connect_four, pgx", f"{n:,}", f"{rate:,.0f}", "1 ×", times(rate, zoo))
        table.add_row("plus4", f"{n:,}", f"{speed:,.0f}", f"{speed / peer[0]:.1f} ×" if peer else "", times(speed, zoo))
    for name in NAMES:
        if name != "plus4":
            [speed] = rates(mine(name, games[0]))
            table.add_row(name, f"{games[0]:,}", f"{speed:,.0f}", "", "")
    Console().print(table)


def times(rate: float, zoo: float) -> str:
    return f"{rate / zoo:,.0f} ×" if zoo else ""


def main() -> None:
    parts = {"steps": steps, "network": network}
    parser = argparse.ArgumentParser(prog="python -m bench.learners", description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", help=f"{' or '.join(parts)}; both by default")
    parser.add_argument("--device", choices=GAMES, default="cpu")
    parser.add_argument("--kernels", type=Path, help="a folder that bench.gpu.prepare made, where there is no Numba")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(parts):
        parser.error(f"unknown: {', '.join(unknown)}; choose {', '.join(parts)}")
    if given.kernels:
        prebuilt(given.kernels)
    for name in given.parts or parts:
        parts[name](given.device)


if __name__ == "__main__":
    main()
