"""Gymnasium's vector environments: one seat of many games, in compiled code.

>>> import gymnasium, numpy as np
>>> import quatuor.interop.gymnasium
>>> envs = gymnasium.make_vec("quatuor/plus4-elementary-v0", num_envs=3)
>>> seen, info = envs.reset(seed=1)
>>> seen["action_mask"].shape, info["seat"].shape
((3, 8), (3,))
>>> first = seen["action_mask"].argmax(axis=1)
>>> seen, rewards, ended, cut, info = envs.step(first)

``opponent``: ``random``; a function of many positions at once, which takes ``{"observation", "action_mask"}``, a row
for each position, seen by the seat that acts, and returns an action for each; or, far slower, what the environment of
one game takes: an engine's level, or a function of a game and a seat. ``seat`` and rewards are as in that one. An
action outside the mask loses at once; ``info["illegal"]`` marks it.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from quatuor.engine.batch import CAP, Batch
from quatuor.engine.player import Engine
from quatuor.interop.gymnasium import Opponent, check_opponent
from quatuor.interop.pictures import rgb
from quatuor.interop.spaces import action_space, observation_space

Bools = npt.NDArray[np.bool_]
Seen = dict[str, npt.NDArray[np.int8]]
VectorOpponent = Callable[[Seen], Any]
GAME_AND_SEAT = 2  # arguments of an opponent that takes one game at a time


class VectorSeatEnv(VectorEnv[Any, Any, Any]):
    """One seat of many games. ``autoreset_mode`` is one of Gymnasium's three modes, ``NextStep`` by default."""

    def __init__(
        self,
        game: str,
        variant: str | None = None,
        num_envs: int = 1,
        *,
        seat: int | None = None,
        opponent: int | str | Opponent | VectorOpponent = "random",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        cap: int = CAP,
        **options: Any,
    ) -> None:
        how: dict[str, Any] = {"auto_reset": False, "final": True, "check": False, **options}
        self._games = Batch(game, num_envs, variant, cap=cap, **how)
        start = self._games.game
        if seat is not None and seat not in range(start.seats):
            raise ValueError(f"seat={seat!r}: choose 0 to {start.seats - 1}, or None for one by lot")
        check_opponent(opponent)
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode={render_mode!r}: choose rgb_array, or leave it out")
        self.num_envs, self.render_mode, self._seat, self._opponent = num_envs, render_mode, seat, opponent
        self._many = callable(opponent) and not _takes_game_and_seat(opponent)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "autoreset_mode": self._mode}
        self.single_observation_space, self.single_action_space = observation_space(start), action_space(start)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seats = np.zeros(num_envs, np.int64)
        self._lots = np.zeros(num_envs, np.uint64)  # generators that decide the seats
        self._rewards = np.zeros(num_envs)
        flags = (np.zeros(num_envs, np.bool_) for _ in range(4))
        self._ended, self._cut, self._illegal, self._over = flags  # over: waits for a reset

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> Any:
        """Start new games; ``options={"reset_mask": …}``, n booleans, starts these alone.

        ``seed`` is one number, of which game i gets ``seed + i``, or a list with one for each game; where it is None, a
        game goes on with the random numbers it has. The seed of a game decides its seats and random opponents, whatever
        the other games do. An engine as the opponent plays by the first seed.
        """
        given = list(seed) if isinstance(seed, list) else [seed] * self.num_envs
        if isinstance(seed, int):
            given = [seed + row for row in range(self.num_envs)]
        if len(given) != self.num_envs:
            raise ValueError(f"{len(given)} seeds: give one number, or one for each of the {self.num_envs} games")
        super().reset(seed=next((one for one in given if one is not None), None))
        if not self._lots.any():  # the first time
            lots = np.random.default_rng().integers(1 << 62, size=self.num_envs).tolist()
            given = [lot if one is None else one for one, lot in zip(given, lots, strict=True)]
        if self._opponent != "random" and not callable(self._opponent):
            draw = int(self.np_random.integers(1 << 31))
            self._engine = Engine(level=int(self._opponent), seed=draw, threads=1)
        begun = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs)), np.bool_)
        seeded = begun & np.array([one is not None for one in given])
        if seeded.any():
            self._games.reset(seeded, seed=[one or 0 for one in given])
            self._lots[seeded] = self._games.save(seeded).generators[:, 0]
        self._begin(begun)
        return self._seen(), {"seat": self._seats.copy()}

    def step(self, actions: Any) -> Any:
        """Play an action in each game, and those of the others until the learner is to move again."""
        actions, begun = np.asarray(actions, np.int64), self._over.copy()
        if begun.any():
            if self._mode == AutoresetMode.DISABLED:
                raise ValueError(f"game {begun.argmax()} is over: reset(options={{'reset_mask': …}}) starts a new one")
            self._begin(begun)
        self._rewards[:], self._ended[:], self._cut[:] = 0.0, False, False
        self._illegal = ~begun & ~_allowed(self._mask(), actions)
        self._rewards[self._illegal], self._ended[self._illegal] = -1.0, True
        self._play(~begun & ~self._illegal, actions)
        self._over = self._ended | self._cut
        results = self._rewards.copy(), self._ended.copy(), self._cut.copy()
        seen, info = self._seen(), {"seat": self._seats.copy(), "illegal": self._illegal.copy()}
        if self._mode == AutoresetMode.SAME_STEP and self._over.any():
            info |= self._final(seen)
            self._begin(self._over.copy())
            seen = self._seen()
        return seen, *results, info

    def render(self) -> Any:
        """A picture of each game: a tuple of arrays."""
        if self.render_mode is None:
            return None
        return tuple(rgb(self._games.to_game(row)) for row in range(self.num_envs))

    # ---- inside

    def _begin(self, rows: Bools) -> None:
        """Start new games in some rows, until the learner is to move."""
        self._games.reset(rows)
        self._seats[rows] = self._draw_seats(rows) if self._seat is None else self._seat
        self._over[rows] = self._illegal[rows] = False
        self._others(rows)

    def _draw_seats(self, rows: Bools) -> npt.NDArray[np.uint64]:
        """Draw a random seat in some rows, by SplitMix64."""
        self._lots[rows] += np.uint64(0x9E3779B97F4A7C15)
        lots = self._lots[rows]
        lots = (lots ^ lots >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        lots = (lots ^ lots >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return (lots ^ lots >> np.uint64(31)) % np.uint64(self._games.game.seats)

    def _play(self, rows: Bools, actions: npt.NDArray[np.int64]) -> None:
        """Play the learner's actions in some rows, then those of the others."""
        if self._games.simultaneous:
            orders = self._choices()
            orders[np.arange(self.num_envs), self._seats] = actions
            self._turn(rows, orders)
        else:
            self._turn(rows, actions)
            self._others(rows)

    def _others(self, rows: Bools) -> None:
        """Have the other seats act in some rows until the learner is to move or the game is over."""
        if self._games.simultaneous:
            return
        while (waiting := rows & (self._games.seat >= 0) & (self._games.seat != self._seats)).any():
            self._turn(waiting, self._choices(waiting))

    def _turn(self, rows: Bools, actions: npt.NDArray[np.int64]) -> None:
        """Play a turn in some rows, and note what it brought."""
        self._games.step(actions, rows)
        self._rewards += self._games.rewards[np.arange(self.num_envs), self._seats]
        self._ended |= self._games.ended
        self._cut |= self._games.cut

    def _choices(self, rows: Bools | None = None) -> npt.NDArray[np.int64]:
        """What the opponents play, in all rows or in some."""
        if self._opponent == "random":
            return self._games.sample(rows)
        mask = self._games.mask.copy()
        chosen = np.zeros(mask.shape[:-1], np.int64)
        at: Any = mask.any(axis=-1) if rows is None else rows  # None: all seats of the games that are not over
        if self._many:
            seen = {"observation": _stacked(self._games.planes[at], self._games.facts[at]), "action_mask": mask[at]}
            opponent: Any = self._opponent
            chosen[at] = np.asarray(opponent(seen))
        else:
            chosen[at] = [self._choose(row, *seat) for row, *seat in np.argwhere(at).tolist()]
        if not _allowed(mask[at], chosen[at]).all():
            raise ValueError(f"the opponent chose actions that are not legal: {chosen[at].tolist()[:10]}")
        return chosen

    def _choose(self, row: int, seat: int | None = None) -> int:
        """What an opponent that takes one game at a time plays; ``seat``: of those that act at once."""
        game = self._games.to_game(row)
        mover = int(self._games.seat[row]) if seat is None else seat
        choose: Any = self._opponent if callable(self._opponent) else self._engine.choose
        return game.book.read(game.state, mover, choose(game, mover))

    def _mask(self) -> npt.NDArray[np.int8]:
        """The learner's mask."""
        mask = self._games.mask
        return mask[np.arange(self.num_envs), self._seats] if self._games.simultaneous else mask

    def _seen(self) -> Seen:
        """What the learner sees; in a game that is over, its end."""
        rows = np.arange(self.num_envs)
        at = (rows, self._seats) if self._games.simultaneous else (rows,)
        seen = _stacked(self._games.planes[at], self._games.facts[at])
        mask = self._mask().copy()
        over = self._over & ~self._illegal
        final = self._games.final_planes[rows, self._seats], self._games.final_facts[rows, self._seats]
        seen[over], mask[over] = _stacked(*final)[over], 0
        return {"observation": seen, "action_mask": mask}

    def _final(self, seen: Seen) -> dict[str, Any]:
        """The ends of games that are reset in the same step, as Gymnasium wants them."""
        ends = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(self._over):
            ends[row] = {name: array[row].copy() for name, array in seen.items()}
        over = self._over.copy()
        last = {"seat": self._seats.copy(), "illegal": self._illegal.copy(), "_seat": over, "_illegal": over}
        return {"final_obs": ends, "_final_obs": over, "final_info": last, "_final_info": over}


def _takes_game_and_seat(opponent: Callable[..., Any]) -> bool:
    """Whether a function takes one game at a time: it needs two arguments."""
    needed = [one for one in inspect.signature(opponent).parameters.values() if one.default is one.empty]
    return sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in needed) == GAME_AND_SEAT


def _allowed(mask: npt.NDArray[np.int8], actions: npt.NDArray[np.int64]) -> Bools:
    """Which actions are legal, by the mask in the same row."""
    inside = (actions >= 0) & (actions < mask.shape[1])
    allowed: Bools = inside & (mask[np.arange(len(mask)), np.where(inside, actions, 0)] > 0)
    return allowed


def _stacked(planes: npt.NDArray[np.int8], facts: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Planes and facts in one array: every fact becomes a plane of its own."""
    spread = np.broadcast_to(facts[:, :, None, None], (*facts.shape, *planes.shape[2:]))
    return np.concatenate([planes, spread], axis=1)
