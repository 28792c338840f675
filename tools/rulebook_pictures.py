"""Draw the examples of the rulebooks: docs/rulebook/examples.toml -> docs/rulebook/pictures.

Each example becomes a picture for the guide (<clause>.svg) and a position with its last turn for the page (in
<game>.json), where the page's own board draws it.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import quatuor

ROOT = Path(__file__).parents[1]
RULEBOOK = ROOT / "docs" / "rulebook"
PICTURES = RULEBOOK / "pictures"


def examples() -> dict[str, dict[str, str]]:
    """All examples by clause."""
    return tomllib.loads((RULEBOOK / "examples.toml").read_text(encoding="utf-8"))


def reached(example: dict[str, str]) -> quatuor.Game:
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
        game = reached(example)
        made[f"{clause}.svg"] = game.svg() + "\n"
        by_game.setdefault(game.name, {})[clause] = _shown(game)
    for name, positions in by_game.items():
        made[f"{name}.json"] = json.dumps(positions, ensure_ascii=False, separators=(",", ":")) + "\n"
    return made


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
