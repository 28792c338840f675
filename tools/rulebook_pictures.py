"""Draw the examples of the rulebooks: docs/rulebook/examples.toml -> docs/rulebook/pictures.

Each example becomes a picture for the guide (<clause>.svg) and a position with its last turn for the page (in
<game>.json), where the page's own board draws it.
"""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import quatuor
from quatuor import puzzles
from quatuor.games.blokus import picture, rules
from quatuor.games.blokus.tables import NAMES
from quatuor.games.blokus.view import view as blokus_view
from quatuor.games.contract import State

ROOT = Path(__file__).parents[1]
RULEBOOK = ROOT / "docs" / "rulebook"
PICTURES = RULEBOOK / "pictures"


Example = dict[str, Any]


def examples() -> dict[str, Example]:
    """All examples by clause."""
    return tomllib.loads((RULEBOOK / "examples.toml").read_text(encoding="utf-8"))


def reached(example: Example) -> quatuor.Game:
    """The game at the example's position; an impossible move or position is a ValueError."""
    if "position" in example:
        return quatuor.new(position=example["position"])
    game = quatuor.new(example["game"], example.get("variant"))
    for turn in example["moves"].split():
        game.play(dict(enumerate(turn.split("/"))) if "/" in turn else turn)
    return game


def files() -> dict[str, str]:
    """The contents of the folder of pictures, by file name."""
    made: dict[str, str] = {}
    by_game: dict[str, dict[str, Any]] = {}
    for clause, example in examples().items():
        svg, shown = drawn(example)
        made[f"{clause}.svg"] = svg + "\n"
        by_game.setdefault(example["game"], {})[clause] = shown
    for name, positions in by_game.items():
        made[f"{name}.json"] = json.dumps(positions, ensure_ascii=False, separators=(",", ":")) + "\n"
    return made


def drawn(example: Example) -> tuple[str, dict[str, Any]]:
    """The picture for the guide, and what the page draws it from."""
    if "puzzle" in example:
        solution = puzzles.new(example["puzzle"], seed=example["seed"], hard=example["hard"]).solution
        return puzzles.svg(solution), _still("", replace(solution, given=0).data())
    if "left" in example:
        state = at_the_end(example["left"])
        return picture.hands_svg(state), _still("classic", {"colours": blokus_view(state)["colours"]})
    game = reached(example)
    return game.svg(), _shown(game)


def at_the_end(left: list[str]) -> State:
    """A Blokus state in which each colour has these pieces left; ``-``: none, and the single square was placed last."""
    state = quatuor.new("blokus").state.copy()
    for colour, names in enumerate(left):
        pieces = [] if names == "-" else [NAMES.index(name) for name in names.split()]
        state[rules.HAND + colour] = sum(1 << piece for piece in pieces)
        state[rules.LAST_PIECE + colour] = rules.NONE if pieces else NAMES.index("1")
        state[rules.OUT] |= 1 << colour
    return state


def _still(variant: str, view: dict[str, Any]) -> dict[str, Any]:
    return {"variant": variant, "view": view, "entry": None}


def _shown(game: quatuor.Game) -> dict[str, Any]:
    """The position as the page gets it from a table, with the turn that led to it."""
    view = game.view()
    last = {str(seat): move for seat, move in game.last.items()}
    entry = {"ply": game.ply, "moves": last, "effects": game.effects(), "position": view} if last else None
    return {"variant": game.variant.name, "view": view, "entry": entry}


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.iterdir():
        old.unlink()
    for file, content in files().items():
        (PICTURES / file).write_text(content, encoding="utf-8")
    print(f"{len(examples())} examples in {PICTURES.relative_to(ROOT)}")
