"""PettingZoo: every game as an AEC environment, those in which seats act at once as a parallel one too.

>>> import pettingzoo
>>> import quatuor.interop.pettingzoo
>>> env = pettingzoo.make("aec", "quatuor/plus4-endless-v0", target=3)
>>> env.reset(seed=1)
>>> env.agent_selection, env.last()[0]["action_mask"].tolist()
('player_0', [1, 1, 1, 1, 1, 1, 1, 1])

An agent sees planes and facts of the board from its own seat. Nothing is random, so a seed only seeds the samples of
the spaces. An illegal action raises ``IllegalMove`` and changes nothing; in a parallel environment it ends
the game, costs its agent 1, and ``info`` says why.
"""

from typing import Any

import pettingzoo

from quatuor.game import Game
from quatuor.games import names, rulebook
from quatuor.games.contract import IllegalMove
from quatuor.interop.spaces import action_space, draw, observation_space, observed, refuse, rewards, whole

VERSION = "v0"
MODES = ["ansi", "human", "rgb_array"]


class _Agents:
    """What both kinds of environment have: an agent for each seat, with the spaces of the game."""

    metadata: dict[str, Any]

    def _set_up(self, start: Game, render_mode: str | None) -> None:
        self._start = start
        self.metadata = {**self.metadata, "name": f"quatuor_{start.name}_{VERSION}"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(start.seats)]
        self.observation_spaces = {agent: observation_space(start) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(start) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]


class raw_env(_Agents, pettingzoo.AECEnv):  # type: ignore[misc]
    """Seats act one after the other; where the rules have them act at once, nobody sees the others' orders."""

    metadata: dict[str, Any] = {"render_modes": MODES, "is_parallelizable": False}  # noqa: RUF012 (as in its base)

    def __init__(self, game: str, variant: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self._set_up(Game(rulebook(game), variant, options), render_mode)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.game = self._start.copy()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        return observed(self.game, self._seats[agent])

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        chosen = whole(action)
        refuse(self.game, self._seats[agent], chosen)
        self._cumulative_rewards[agent] = 0.0
        self.game.play_actions({self._seats[agent]: chosen})
        if self.game.over:
            self.rewards = dict(zip(self.agents, rewards(self.game), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()
        draw(self.game, "human" if self.render_mode == "human" else None)

    def _select(self) -> None:
        if not self.game.over:
            self.agent_selection = self.possible_agents[self.game.to_move[0]]
        elif self.agent_selection not in self.agents:
            self.agent_selection = self.agents[0]

    def render(self) -> Any:
        return draw(self.game, self.render_mode)

    def close(self) -> None:
        pass


class parallel_env(_Agents, pettingzoo.ParallelEnv):  # type: ignore[misc]
    """All seats act at once."""

    metadata: dict[str, Any] = {"render_modes": MODES}  # noqa: RUF012

    def __init__(self, game: str, variant: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        start = Game(rulebook(game), variant, options)
        if len(start.to_move) < start.seats:
            raise ValueError(f"{game}: its seats act one after the other; make an aec environment")
        self._set_up(start, render_mode)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.game = self._start.copy()
        self.agents = list(self.possible_agents)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> Any:
        if not isinstance(actions, dict) or set(actions) != set(self.possible_agents):
            raise ValueError(f"actions={actions!r}: give one of each agent: {', '.join(self.possible_agents)}")
        orders = {seat: whole(actions[agent]) for seat, agent in enumerate(self.possible_agents)}
        illegal = {}
        for seat, action in orders.items():
            try:
                refuse(self.game, seat, action)
            except IllegalMove as why:
                illegal[seat] = str(why)
        if not illegal:
            self.game.play_actions(orders)
        return self._result(illegal)

    def _result(self, illegal: dict[int, str]) -> Any:
        agents, over = self.agents, self.game.over or bool(illegal)
        points = (
            rewards(self.game) if self.game.over else [-1.0 if seat in illegal else 0.0 for seat in range(len(agents))]
        )
        infos = {agent: {"illegal": illegal[seat]} if seat in illegal else {} for seat, agent in enumerate(agents)}
        seen = self._observed()
        self.agents = [] if over else agents
        draw(self.game, "human" if self.render_mode == "human" else None)
        ends, cuts = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return seen, dict(zip(agents, points, strict=True)), ends, cuts, infos

    def _observed(self) -> dict[str, Any]:
        return {agent: observed(self.game, seat) for seat, agent in enumerate(self.possible_agents)}

    def render(self) -> Any:
        return draw(self.game, self.render_mode)

    def close(self) -> None:
        pass


def env(game: str, variant: str | None = None, **how: Any) -> Any:
    """An AEC environment that also checks the order of calls."""
    return pettingzoo.utils.wrappers.OrderEnforcingWrapper(raw_env(game, variant, **how))


def register() -> None:
    """Register with PettingZoo every variant that it does not know yet, those of your own games too."""
    for name in names():
        for variant in rulebook(name).variants:
            title, chosen = f"quatuor/{name}-{variant.name}-{VERSION}", {"game": name, "variant": variant.name}
            if title in _registered:
                continue
            _registered.add(title)
            pettingzoo.register("aec", title, env, kwargs=chosen)
            if len(Game(rulebook(name), variant.name).to_move) == variant.seats:
                pettingzoo.register("parallel", title, parallel_env, kwargs=chosen)


_registered: set[str] = set()
register()
