"""``python -m bench.learners``: steps of many games at once, beside pgx and PettingZoo in the same run.

A step is what a learner needs of it: an action played, finished games begun anew, the mask of legal actions and the
observation of the seat that acts next. All play legal actions at random. pgx chooses them inside its compiled step,
where we and PettingZoo choose them outside; it is given wall time on all cores, as we are.
"""

import statistics
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pettingzoo.classic import connect_four_v3
from pgx.experimental import auto_reset
from rich.console import Console
from rich.table import Table

from quatuor.engine.batch import Batch
from quatuor.games import NAMES

TURNS, SECONDS = 7, 1.0
GAMES = (1_024, 4_096, 16_384)


Work = Callable[[], int]  # plays on for a while and says how many steps that were


def rates(*works: Work) -> list[float]:
    """Steps a second of wall time: the median of a few turns of each. They take turns, as hosts have their moods."""
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


def by_pgx(n: int) -> Work:
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


def main() -> None:
    table = Table(title="Steps a second, all cores", title_justify="left")
    for column in ("what", "games at once", "steps/s", "to pgx", "to PettingZoo"):
        table.add_column(column, justify="left" if column == "what" else "right")
    [zoo] = rates(by_pettingzoo())
    table.add_row("connect_four, PettingZoo", "1", f"{zoo:,.0f}", "", "1 ×")
    for n in GAMES:
        peer, speed = rates(by_pgx(n), ours("plus4", n))
        table.add_row("connect_four, pgx", f"{n:,}", f"{peer:,.0f}", "1 ×", f"{peer / zoo:,.0f} ×")
        table.add_row("plus4", f"{n:,}", f"{speed:,.0f}", f"{speed / peer:.1f} ×", f"{speed / zoo:,.0f} ×")
    for name in NAMES:
        if name != "plus4":
            [speed] = rates(ours(name, GAMES[0]))
            table.add_row(name, f"{GAMES[0]:,}", f"{speed:,.0f}", "", "")
    Console().print(table)


if __name__ == "__main__":
    main()
