"""A game from a text, and as the page shows it: what the server and the page without one answer alike."""

import re
from typing import Any

from quatuor.game import Game
from quatuor.interop import sgf
from quatuor.match.standings import ranking_of
from quatuor.record import gone, load
from quatuor.record.endings import reason
from quatuor.table import Event, Presence, Refused, Seat, Setup, Table, snapshot
from quatuor.table.table import DRAWN, LONGEST_GAME

_ENGINE = re.compile(r"engine, level ([1-8])")


def read(text: str) -> Game:
    """The game in a text: a record, a position, or Blokus as SGF. Raises Refused with the line and the reason."""
    try:
        game = sgf.read(text).game() if text.lstrip().startswith("(") else load(text)
        game.record()  # a start that was set up can be written down
    except ValueError as error:
        raise Refused("bad_record", message=str(error)) from None
    if game.ply > LONGEST_GAME:
        raise Refused("bad_record", message=f"{game.ply} turns; at most {LONGEST_GAME} are analysed")
    return game


def shown(game: Game) -> dict[str, Any]:
    """The game as a spectator of its table would see it, with its tree, and what can be played in the last position."""
    start = game.tree.game()
    usual = Game(game.book, game.variant.name, game.options)
    position = "" if start == usual else start.position
    names = {f"seat {n}": game.headers.get(f"Seat{n}", "?") for n in range(game.seats)}
    seats = tuple(_seat(who, name) for who, name in names.items())
    opening = tuple({str(seat): move for seat, move in turn.items()} for turn in game.moves)
    about = (game.name, game.variant.name, game.options, seats, "", game.headers.get("Date", ""), opening)
    table = Table(Setup(*about, position=position))
    for event in _ending(game):
        if not table.ended_by or table.ended_by == "rules":
            table.apply(event)
    presence = Presence({who: name for who, name in names.items() if name != "?"})
    shown = {"id": "", **snapshot(table, None, presence)}
    legal = {str(seat): game.legal(seat) for seat in game.to_move}
    now = game.position if game.book.position else None
    added = {"record": game.record(), "begins": position, "position_text": now, "tree": _tree(game)}
    return {**shown, **added, "playable": legal}


def _tree(game: Game) -> list[dict[str, Any]]:
    """The turns of a game and of its variations: each with the number of the one before it, the start first."""
    names = ("parent", "moves", "marks", "comment")
    return [dict(zip(names, row, strict=True)) for row in game.tree._flat()]


def _seat(who: str, name: str) -> Seat:
    engine = _ENGINE.fullmatch(name)
    return Seat("engine", level=int(engine[1])) if engine else Seat("human", guest=who)


def _ending(game: Game) -> list[Event]:
    """A draw, or the seats that went out, in order: while others played on, or by the end of the game."""
    if game.over or "Termination" not in game.headers:
        return [Event("out", {"seat": seat, "why": "left"}) for seat in gone(game)]
    why = reason(game.headers["Termination"])
    places = ranking_of(game)
    lost = [seat for seat, place in enumerate(places) if place > 1]
    if not lost and why in DRAWN:
        return [Event("draw", {"why": why})]
    return [Event("out", {"seat": seat, "why": why}) for seat in sorted(lost, key=lambda seat: -places[seat])]
