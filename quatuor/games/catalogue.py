"""What there is to play, as plain data for the page."""

import logging
from dataclasses import asdict
from typing import Any

from quatuor.games import names, rulebook
from quatuor.games.contract import Choice, Number, Option, Rulebook

log = logging.getLogger("quatuor.games")


def games() -> list[dict[str, Any]]:
    """Every game with its variants and options. A game that cannot be loaded is logged and left out."""
    found = []
    for name in names():
        try:
            found.append(rulebook(name))
        except Exception:
            log.exception("the game %s cannot be loaded", name)
    return [_game(book) for book in sorted(found, key=lambda book: (book.order, book.name))]


def in_one(game: str, variant: str) -> str:
    """The titles of a game and its variant, which may begin with the game's: Blokus · Duo, but Blokus for four."""
    return variant if variant.startswith(f"{game} ") else f"{game} · {variant}"


def _game(book: Rulebook) -> dict[str, Any]:
    return {
        "name": book.name,
        "title": asdict(book.title),
        "text": asdict(book.text),
        "variants": [asdict(variant) for variant in book.variants],
        "options": [_option(option) for option in book.options],
        "clause_prefix": book.clause_prefix,
        "endings": dict(book.endings),
        "puzzles": book.puzzles,
    }


def _option(option: Option) -> dict[str, Any]:
    number = option if isinstance(option, Number) else None
    choice = option if isinstance(option, Choice) else None
    return {
        "name": option.name,
        "kind": "choice" if choice else "number" if number else "text",
        "title": asdict(option.title),
        "text": asdict(option.text),
        "default": option.default,
        "values": {value: asdict(text) for value, text in choice.values.items()} if choice else None,
        "low": number.low if number else None,
        "high": number.high if number else None,
        "none": asdict(number.none) if number and number.none else None,
        "variants": list(option.variants),
    }
