"""OpenSpiel: ``import quatuor.interop.open_spiel`` registers every game as ``quatuor_<name>``. Needs ``open_spiel``.

>>> import pyspiel
>>> import quatuor.interop.open_spiel
>>> game = pyspiel.load_game("quatuor_plus4(variant=endless,target=3)")
>>> game.new_initial_state().legal_actions()
[0, 1, 2, 3, 4, 5, 6, 7]

Parameters are the variant and the options; a number that may be absent is 0 then. Utilities run from -1 (behind all
others) to 1 (ahead of all) and sum to zero. An observation is the planes and facts that the player's seat sees (see
``quatuor/engine/observation.py``), an information state the history. A game
without planes has observation strings only.
"""

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from quatuor.engine.observation import look, sizes
from quatuor.engine.seats import share
from quatuor.game import Game
from quatuor.games import names, rulebook
from quatuor.games.contract import Rulebook

LONGEST = 100_000  # turns; no rulebook gives a limit, and nothing is sized by this
PREFIX = "quatuor_"


class State(pyspiel.State):  # type: ignore[misc]
    """A position. All it holds is a game, whose copies are cheap."""

    def __init__(self, game: Any, position: Game) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        acting = self.position.to_move
        if not acting:
            return int(pyspiel.PlayerId.TERMINAL)
        return acting[0] if len(acting) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        return self.position.over

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.actions(player))

    def _apply_action(self, action: int) -> None:
        self.position.play_actions({self.position.to_move[0]: action})

    def _apply_actions(self, actions: list[int]) -> None:
        self.position.play_actions(dict(enumerate(actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.book.write(self.position.state, player, action)

    def returns(self) -> list[float]:
        """Nothing before the end."""
        seats = self.position.seats
        if not self.position.over:
            return [0.0] * seats
        places = np.array(self.position.ranking)
        return [2 * share(places, seats, seat) - 1 for seat in range(seats)]

    def to_dict(self) -> dict[str, Any]:
        """The position as plain data."""
        return self.position.view()

    def to_json(self) -> str:
        return json.dumps(self.to_dict())

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """What a player sees of a state (or, with perfect recall, knows of its history), in OpenSpiel's form."""

    def __init__(self, book: Rulebook, recall: bool) -> None:
        self._recall = recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if book.planes is not None:
            shape, facts = sizes(book)
            planes = int(np.prod(shape))
            self.tensor = np.zeros(planes + facts, np.float32)
            self.dict = {"planes": self.tensor[:planes].reshape(shape), "facts": self.tensor[planes:]}

    def set_from(self, state: State, player: int) -> None:
        if self.dict:
            self.dict["planes"][:], self.dict["facts"][:] = look(state.position.book, state.position.common, player)

    def string_from(self, state: State, player: int) -> str:
        if self._recall:
            return f"{player}: {state.history_str()}"
        position = state.position
        acting = ",".join(map(str, position.to_move))
        words = ",".join(map(str, position.common))  # the whole position, different for different ones
        return f"{position}\nto move: {acting}\nseat {player}\n{words}"


def _parameters(book: Rulebook) -> dict[str, str | int]:
    """Variant and options with their defaults: text, or a number, where 0 stands for none."""
    options = {option.name: 0 if option.default is None else option.default for option in book.options}
    return {"variant": book.variants[0].name} | options


def _game_type(book: Rulebook) -> Any:
    together = len(Game(book).to_move) > 1
    seats = [variant.seats for variant in book.variants]
    kind = pyspiel.GameType
    return kind(
        short_name=PREFIX + book.name,
        long_name=f"{book.title.en} (Quatuor)",
        dynamics=kind.Dynamics.SIMULTANEOUS if together else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=book.planes is not None,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(book),
    )


def _register(book: Rulebook) -> None:
    kind, defaults = _game_type(book), _parameters(book)

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: dict[str, str | int] | None = None) -> None:
            given = defaults | (params or {})
            chosen = {o.name: given[o.name] for o in book.options if given[o.name] != defaults[o.name]}
            allow_none = {o.name for o in book.options if getattr(o, "none", None)}
            options = {name: None if value == 0 and name in allow_none else value for name, value in chosen.items()}
            self._start = Game(book, str(given["variant"]), options)
            info = pyspiel.GameInfo(
                num_distinct_actions=book.actions,
                max_chance_outcomes=0,
                num_players=self._start.seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=LONGEST,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> State:
            return State(self, self._start.copy())

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(book, iig_obs_type is not None and iig_obs_type.perfect_recall)

    pyspiel.register_game(kind, SpielGame)


def register() -> None:
    """Make every game known to OpenSpiel that is not yet: also those of one's own, once they are registered here."""
    for name in names():
        if PREFIX + name not in pyspiel.registered_names():
            _register(rulebook(name))


register()
