"""What a game shows: pictures, data, texts, and no secrets."""

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from quatuor.engine.conformance.samples import Sample
from quatuor.games.contract import Choice, Number, Text

SVG = "{http://www.w3.org/2000/svg}svg"
LANGUAGES = {"en": "English", "fr": "French", "de": "German"}


def secrecy(sample: Sample) -> Iterator[str]:
    start = sample.start()
    if len(start.to_move) == 1:
        if start.view() != start.view(start.to_move[0]):
            yield "a spectator sees another start position than the seat to move, although nothing is secret"
        return
    first, *others = start.to_move
    seen = []
    for order in (start.legal(first)[0], start.legal(first)[-1]):
        game = start.copy()
        game.play({first: order})
        seen.append([game.view(), *((game.view(other), game.legal(other)) for other in others)])
    if seen[0] != seen[1]:
        yield f"what others see depends on the order that seat {first} has given: hide it in conceal"


def plain_data(sample: Sample) -> Iterator[str]:
    game = sample.game
    shown = {f"view of turn {p.ply + 1}": p.view(s) for p in sample.positions() for s in (None, *range(game.seats))}
    shown |= {f"effects of turn {ply + 1}": game.effects(ply) for ply in range(game.ply)} | {"reason": game.reason}
    for what, data in shown.items():
        try:
            json.dumps(data, allow_nan=False)
        except (TypeError, ValueError) as error:
            yield f"the {what} is not plain data: {error}"
            continue
        for key in _keys(data):
            if not isinstance(key, str | int) or isinstance(key, bool):
                yield f"the {what} has the key {key!r}: keys must be text, or numbers of seats"
    if game.over and not isinstance(game.reason.get("code"), str):
        yield f"the reason of a finished game is {game.reason!r}: it needs a code"


def _keys(data: Any) -> Iterator[Any]:
    """All keys of nested dictionaries."""
    if isinstance(data, dict):
        yield from data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ():
        yield from _keys(value)


def pictures(sample: Sample) -> Iterator[str]:
    for position in sample.positions(20):
        try:
            tag = ElementTree.fromstring(position.svg()).tag
        except ElementTree.ParseError as error:
            yield f"turn {position.ply + 1}: svg is not well-formed: {error}"
            continue
        if tag != SVG:
            yield f"turn {position.ply + 1}: svg begins with {tag}, not with <svg xmlns=…>"
        if not str(position).strip():
            yield f"turn {position.ply + 1}: text_board is empty"


def languages(sample: Sample) -> Iterator[str]:
    offered = sample.book.title.languages
    for what, text in _texts(sample):
        for language in offered:
            if language not in text.languages:
                yield f"{what} is not in {LANGUAGES[language]}, in which the title is written"


def _texts(sample: Sample) -> Iterator[tuple[str, Text]]:
    book, variant = sample.book, sample.variant
    yield "the text of the game", book.text
    yield f"the title of variant {variant.name!r}", variant.title
    yield f"the text of variant {variant.name!r}", variant.text
    for option in book.options:
        yield f"the title of option {option.name!r}", option.title
        yield f"the text of option {option.name!r}", option.text
        if isinstance(option, Choice):
            for value, text in option.values.items():
                yield f"the value {value!r} of option {option.name!r}", text
        if isinstance(option, Number) and option.none is not None:
            yield f"the value none of option {option.name!r}", option.none


def endings(sample: Sample) -> Iterator[str]:
    book, game = sample.book, sample.game
    code = game.reason.get("code")
    if book.endings and game.over and book.ending_clause(sample.variant.name, str(code)) is None:
        yield f"a game ends by {code!r}, for which endings names no clause"
