"""What there is to play, as the page asks for it."""

import logging
from dataclasses import asdict
from typing import Any

from quatuor.games import names, rulebook
from quatuor.games.contract import Choice, Number, Rulebook

log = logging.getLogger("quatuor.games")


def games() -> list[dict[str, Any]]:
    """Every game with its variants and options; one that cannot be loaded does not keep the others off the shelf."""
    found = []
    for name in names():
        try:
            found.append(_game(rulebook(name)))
        except Exception:
            log.exception("the game %s cannot be loaded", name)
    return found


def _game(book: Rulebook) -> dict[str, Any]:
    return {
        "name": book.name,
        "title": asdict(book.title),
        "text": asdict(book.text),
        "variants": [asdict(variant) for variant in book.variants],
        "options": [_option(option) for option in book.options],
    }


def _option(option: Any) -> dict[str, Any]:
    kind = "choice" if isinstance(option, Choice) else "number" if isinstance(option, Number) else "text"
    values = {value: asdict(text) for value, text in option.values.items()} if kind == "choice" else None
    none = getattr(option, "none", None)
    return {
        "name": option.name,
        "kind": kind,
        "title": asdict(option.title),
        "text": asdict(option.text),
        "default": option.default,
        "values": values,
        "low": getattr(option, "low", None),
        "high": getattr(option, "high", None),
        "none": asdict(none) if none else None,
        "variants": list(option.variants),
    }
