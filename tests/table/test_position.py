"""The position of a table: legal moves and how they are read."""

import json
from dataclasses import replace

import pytest

from quatuor.game import new
from quatuor.games.contract import IllegalMove
from quatuor.table.position import Position


def played(name: str, plies: int):
    game = new(name)
    for _ in range(plies):
        game.play({seat: game.legal(seat)[-1] for seat in game.to_move})
    return game


def refuse(state, seat, text):
    raise IllegalMove("read anew")


@pytest.mark.parametrize("name", ["plus4", "blokus", "trois_six", "plateau_x"])
def test_a_move_as_it_was_sent_is_not_read_anew(name):
    game = played(name, 4)
    seat = game.to_move[0]
    actions = dict(zip(game.legal(seat), game.actions(seat), strict=True))
    position = Position(game)
    assert json.loads(position.legal_json(seat)) == position.legal(seat) == list(actions)
    game.book = replace(game.book, read=refuse)
    assert {text: position.action(seat, text) for text in actions} == actions
    for text in ("", ",", '","', '"', '","'.join(list(actions)[:2]), "\\", "nothing"):
        with pytest.raises(IllegalMove):
            position.action(seat, text)


def test_a_move_that_was_not_sent_is_read():
    game = played("blokus", 4)
    seat = game.to_move[0]
    text = next(text for text in game.legal(seat) if "," in text)
    backwards = ",".join(text.split(",")[::-1])
    for position in (Position(game), Position(game)):
        assert position.move(seat, backwards) == text
        position.legal_json(seat)
        assert position.move(seat, backwards) == text
