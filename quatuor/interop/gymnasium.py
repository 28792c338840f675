"""Gymnasium: one seat of a game, the others played by engines.

>>> import gymnasium
>>> import quatuor.interop.gymnasium
>>> env = gymnasium.make("quatuor/plus4-elementary-v0", opponent=1)
>>> seen, info = env.reset(seed=1)
>>> seen["action_mask"].tolist()
[1, 1, 1, 1, 0, 0, 0, 0]

``opponent``: ``random``, an engine's level, or a function of the game (a copy) and the seat that returns a move.
``seat``: the learner's seat, or None to draw one at random for every game.
The reward at the end runs from -1 (behind all others) to 1 (ahead of all). An illegal action loses at once; ``info``
says why it is illegal.
"""

from collections.abc import Callable
from typing import Any

import gymnasium

from quatuor.engine.player import Engine
from quatuor.game import Game
from quatuor.games import names, rulebook
from quatuor.games.contract import IllegalMove
from quatuor.interop.spaces import action_space, draw, observation_space, observed, refuse, rewards, whole

VERSION = "v0"
Opponent = Callable[[Game, int], str]


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat among engines."""

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}  # noqa: RUF012 (as in its base)

    def __init__(
        self,
        game: str,
        variant: str | None = None,
        seat: int | None = None,
        opponent: int | str | Opponent = "random",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._start = Game(rulebook(game), variant, options)
        if seat is not None and seat not in range(self._start.seats):
            raise ValueError(f"seat={seat!r}: choose 0 to {self._start.seats - 1}, or None for one by lot")
        check_opponent(opponent)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode={render_mode!r}: choose {', '.join(self.metadata['render_modes'])}, or None")
        self._seat, self._opponent, self.render_mode = seat, opponent, render_mode
        self.observation_space, self.action_space = observation_space(self._start), action_space(self._start)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.game = self._start.copy()
        self.seat = int(self.np_random.integers(self.game.seats)) if self._seat is None else self._seat
        self._engine = self._new_engine()
        self._others()
        return observed(self.game, self.seat), {"seat": self.seat}

    def step(self, action: Any) -> Any:
        chosen = whole(action)
        try:
            refuse(self.game, self.seat, chosen)
        except IllegalMove as why:
            return observed(self.game, self.seat), -1.0, True, False, {"seat": self.seat, "illegal": str(why)}
        self.game.play_actions({self.seat: chosen})
        self._others()
        over = self.game.over
        draw(self.game, "human" if self.render_mode == "human" else None)
        reward = rewards(self.game)[self.seat] if over else 0.0
        return observed(self.game, self.seat), reward, over, False, {"seat": self.seat}

    def render(self) -> Any:
        return draw(self.game, self.render_mode)

    def _new_engine(self) -> Engine | None:
        if self._opponent == "random" or callable(self._opponent):
            return None
        return Engine(level=int(self._opponent), seed=int(self.np_random.integers(1 << 31)), threads=1)

    def _others(self) -> None:
        """Have the other seats act until the game waits for the learner alone."""
        while others := [seat for seat in self.game.to_move if seat != self.seat]:
            self.game.play_actions({seat: self._choose(seat) for seat in others})

    def _choose(self, seat: int) -> int:
        if callable(self._opponent):
            return self.game.book.read(self.game.state, seat, self._opponent(self.game.copy(), seat))
        if self._engine is None:
            return int(self.np_random.choice(self.game.actions(seat)))
        return self.game.book.read(self.game.state, seat, self._engine.choose(self.game, seat))


def check_opponent(opponent: Any) -> None:
    """ValueError unless it is an opponent."""
    if opponent == "random" or callable(opponent):
        return
    try:
        Engine(level=int(opponent))
    except (ValueError, TypeError):
        raise ValueError(f"opponent={opponent!r}: choose random, a level from 1 to 8, or a function") from None


def register() -> None:
    """Register with Gymnasium every variant that it does not know yet, those of your own games too."""
    for name in names():
        for variant in rulebook(name).variants:
            title = f"quatuor/{name}-{variant.name}-{VERSION}"
            if title not in gymnasium.registry:
                chosen = {"game": name, "variant": variant.name}
                many = "quatuor.interop.gymnasium_vector:VectorSeatEnv"
                gymnasium.register(title, "quatuor.interop.gymnasium:SeatEnv", vector_entry_point=many, kwargs=chosen)


register()
