"""OpenSpiel: ``import quatuor.interop.open_spiel`` registers every game as ``quatuor_<name>``. Needs ``open_spiel``.

>>> import pyspiel
>>> import quatuor.interop.open_spiel
>>> game = pyspiel.load_game("quatuor_plus4(variant=endless,target=3)")
>>> game.new_initial_state().legal_actions()
[0, 1, 2, 3, 4, 5, 6, 7]

Parameters are the variant and the options; a number that may be absent is 0 then. Utilities run from -1 (behind all
others) to 1 (ahead of all) and sum to zero. An observation is the planes and facts that the player's seat sees (see
``quatuor/engine/observation.py``), an information state the history. A game without planes has strings only.

OpenSpiel's structs, positions and actions as plain data, are ``Struct`` here, since its own cannot be made in Python:

>>> state = game.new_initial_state("plus4:endless,target=3 br2/4/4/4 b 0:0 - -")
>>> state.action_to_struct(2).to_json()
'{"moves": {"0": "c"}}'
>>> state.apply_action_struct({"moves": {"0": "c*"}}).ok()
True
>>> game.new_initial_state(state.to_struct()).to_struct() == state.to_struct()
True
"""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from quatuor.engine.observation import look, sizes
from quatuor.engine.seats import share
from quatuor.game import Game, new
from quatuor.games import names, rulebook
from quatuor.games.contract import IllegalMove, Rulebook

LONGEST = 100_000  # turns; no rulebook gives a limit, and nothing is sized by this
PREFIX = "quatuor_"


class Struct(SimpleNamespace):
    """Plain data with OpenSpiel's two methods."""

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))

    def to_json(self) -> str:
        return json.dumps(vars(self))


def _data(struct: Any) -> dict[str, Any]:
    """What a struct, a dictionary or a JSON text holds."""
    if isinstance(struct, str):
        struct = json.loads(struct)
    return struct if isinstance(struct, dict) else struct.to_dict()


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

    def to_struct(self) -> Struct:
        """The position: its text (if the game has one), the seats that act, and the board as plain data."""
        text = {"position": self.position.position} if self.position.book.position else {}
        return Struct(**text, to_move=list(self.position.to_move), view=self.to_dict())

    def to_observation_struct(self, player: int | None = None) -> Struct:
        """What a player sees: the board without the others' secret orders; planes and facts if the game has them."""
        seen: dict[str, Any] = {"view": self.position.view(player)}
        if self.position.book.planes is not None:
            planes, facts = look(self.position.book, self.position.common, player or 0)
            seen |= {"planes": planes.tolist(), "facts": facts.tolist()}
        return Struct(**seen)

    def action_to_struct(self, *who_and_what: int) -> Struct:
        """(player, action), or (action) of the player to move, as ``moves``: {player: move}."""
        player, action = who_and_what if len(who_and_what) == 2 else (self.current_player(), *who_and_what)
        return Struct(moves={str(player): self._action_to_string(player, action)})

    def struct_to_actions(self, struct: Any) -> list[int]:
        """The actions of ``moves``, in the order of the players. IllegalMove says why not."""
        moves = {int(player): move for player, move in _data(struct)["moves"].items()}
        if set(moves) != set(self.position.to_move):
            acting = ", ".join(map(str, self.position.to_move)) or "none"
            raise IllegalMove(f"moves of the players {sorted(moves)}; to move: {acting}")
        return [self.position._read(player, moves[player]) for player in sorted(moves)]

    def validate_action_struct(self, struct: Any) -> Any:
        """Whether the moves can be played, and why not."""
        try:
            self.struct_to_actions(struct)
        except (IllegalMove, KeyError, TypeError, AttributeError) as why:
            return pyspiel.Status(pyspiel.StatusValue.ERROR_STATUS, str(why))
        return pyspiel.Status(pyspiel.StatusValue.OK_STATUS, "")

    def apply_action_struct(self, struct: Any) -> Any:
        """Play the moves if they are legal; the status says whether they were."""
        status = self.validate_action_struct(struct)
        if status.ok():
            actions = self.struct_to_actions(struct)
            if len(actions) > 1:
                self.apply_actions(actions)
            else:
                self.apply_action(actions[0])
        return status

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

        def new_initial_state(self, start: Any = None) -> State:
            """The start of the game, or a position: its text, or a struct, dictionary or JSON text that has it."""
            if start is None:
                return State(self, self._start.copy())
            text = start if isinstance(start, str) and not start.lstrip().startswith("{") else _data(start)["position"]
            return State(self, new(book.name, self._start.variant.name, position=text, **self._start.options))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(book, iig_obs_type is not None and iig_obs_type.perfect_recall)

    pyspiel.register_game(kind, SpielGame)


def register() -> None:
    """Register with OpenSpiel every game that it does not know yet, your own too once they are registered here."""
    for name in names():
        if PREFIX + name not in pyspiel.registered_names():
            _register(rulebook(name))


register()
