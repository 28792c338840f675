"""A game turn by turn: moves, their text, their history."""

from collections.abc import Iterator
from typing import Any

import quatuor
from quatuor.engine.conformance.samples import Sample
from quatuor.engine.playout import random_games
from quatuor.game import Game
from quatuor.games.contract import IllegalMove

GARBAGE = ("", " ", "?", "zz", "a0", "--", "1>", "+", "@", "a,,b", "\0", "é", "٣>B4", "end of it", "9" * 5000)
SHORTEST = 10  # letters of a refusal
CAP = 200  # turns of the games that the kernel plays


def acting(sample: Sample) -> Iterator[str]:
    for position in sample.positions(1):
        for seat in range(position.seats):
            acts = seat in position.to_move
            if bool(position.actions(seat)) != acts:
                count = len(position.actions(seat))
                yield f"turn {position.ply + 1}: seat {seat} {'acts' if acts else 'does not act'} and has {count} moves"
        if bool(position.reason) != position.over:
            state = "over" if position.over else "not over"
            yield f"turn {position.ply + 1}: the game is {state}, and its reason is {position.reason!r}"


def actions(sample: Sample) -> Iterator[str]:
    book = sample.book
    for position in sample.positions(3):
        for seat in position.to_move:
            found = position.actions(seat)
            if len(set(found)) < len(found):
                yield f"turn {position.ply + 1}: legal lists an action twice for seat {seat}"
            if not all(0 <= action < book.actions for action in found):
                yield f"turn {position.ply + 1}: actions={book.actions}, but {min(found)} to {max(found)} are legal"
                continue
            for action in found[:: 1 + len(found) // 20]:
                yield from _played(position, seat, action)


def _played(position: Game, seat: int, action: int) -> Iterator[str]:
    after = position.copy()
    after._advance({seat: action})
    if after.state.tobytes() == position.state.tobytes():
        yield f"turn {position.ply + 1}: the legal action {action} of seat {seat} changes nothing"
    if seat in after.to_move and len(position.to_move) > 1:
        yield f"turn {position.ply + 1}: seat {seat} still acts after its order"


def text(sample: Sample) -> Iterator[str]:
    book = sample.book
    for position in sample.positions(3):
        for seat in position.to_move:
            actions, texts = position.actions(seat), position.legal(seat)
            if len(set(texts)) < len(texts):
                twin = next(text for text in texts if texts.count(text) > 1)
                yield f"turn {position.ply + 1}: two actions of seat {seat} are both written {twin!r}"
            for action, text in zip(actions, texts, strict=True):
                back = book.read(position.state, seat, text)
                if back != action:
                    yield f"turn {position.ply + 1}: action {action} is written {text!r}, which is read as {back}"
                if text != text.strip() or " / " in text or ";" in text or not text:
                    yield f"turn {position.ply + 1}: {text!r} cannot stand in a record: avoid ;, ' / ', outer spaces"


def refusals(sample: Sample) -> Iterator[str]:
    positions = sample.positions()
    known = sorted({text for position in positions for seat in position.to_move for text in position.legal(seat)})
    for position in positions:
        before = snapshot(position)
        for seat in position.to_move:
            legal = set(position.legal(seat))
            for text in (*GARBAGE, *known[:: 1 + len(known) // 100]):
                if text not in legal:
                    yield from _refused(position, seat, text)
            if snapshot(position) != before:
                yield f"turn {position.ply + 1}: reading text changes the position"
        yield from _only_acting_seats(position)


def _refused(position: Game, seat: int, text: str) -> Iterator[str]:
    where = f"turn {position.ply + 1}: seat {seat}, {text[:40]!r}"
    try:
        action = position.book.read(position.state, seat, text)
    except IllegalMove as refusal:
        if len(str(refusal)) < SHORTEST:
            yield f"{where}: the refusal {str(refusal)!r} does not say why"
        return
    except Exception as error:
        yield f"{where}: read raises {type(error).__name__}, not IllegalMove"
        return
    if not position.book.void_orders:
        yield f"{where}: read returns the action {action}, which is not legal; raise IllegalMove"
    elif not 0 <= action < position.book.actions or position.book.write(position.state, seat, action) != text:
        yield f"{where}: read returns the action {action}, which is not written that way"


def _only_acting_seats(position: Game) -> Iterator[str]:
    move = position.legal(position.to_move[0])[0] if position.to_move else "a"
    for seat in {*range(position.seats), -1, 9} - set(position.to_move):
        try:
            position.copy().play({seat: move})
        except IllegalMove:
            continue
        yield f"turn {position.ply + 1}: seat {seat} does not act, but may play {move!r}"


def undo(sample: Sample) -> Iterator[str]:
    game = sample.game.copy()
    moves, states = game.moves, [game.state.tobytes()]
    while game.ply:
        game.undo()
        states.append(game.state.tobytes())
    for move in moves:
        if game.state.tobytes() != states.pop():
            yield f"turn {game.ply + 1}: played again, the game comes to another state"
            return
        game.play(move)
    if game.state.tobytes() != sample.game.state.tobytes() or game.moves != moves:
        yield "played again, the game ends in another state"
    position = sample.middle()
    if position.to_move:
        before = snapshot(position)
        seat = position.to_move[0]
        twin = position.copy()
        twin.play({seat: twin.legal(seat)[-1]})
        if snapshot(position) != before:
            yield f"turn {position.ply + 1}: a move in a copy of the game changes the original"
        position.play({seat: position.legal(seat)[-1]})
        position.undo()
        if snapshot(position) != before:
            yield f"turn {position.ply + 1}: undo does not take back the order of seat {seat}"


def determinism(sample: Sample) -> Iterator[str]:
    twin = sample.play()
    if twin.state.tobytes() != sample.game.state.tobytes():
        yield "the same seed gives another game when it is played again"
    many = random_games(sample.book.name, sample.variant.name, sample.seed, 1, CAP, **sample.options)
    game = sample.play(CAP)
    here = (game.ply, game.scores, game.ranking)
    there = (int(many.plies[0]), tuple(map(int, many.scores[0])), tuple(map(int, many.places[0])))
    if here != there:
        yield f"turns, scores and places of a seed: {here} through Game, {there} in the kernel"


def records(sample: Sample) -> Iterator[str]:
    for position in sample.positions(20):
        text = position.record(date="2026-11-15")
        loaded = quatuor.load(text)
        if snapshot(loaded) != snapshot(position) or loaded.options != position.options:
            yield f"turn {position.ply + 1}: the record reads back to another position"
        elif loaded.record() != text:
            yield f"turn {position.ply + 1}: written again, the record is another text"


def position_text(sample: Sample) -> Iterator[str]:
    for position in sample.positions(20) if sample.book.position else ():
        text = position.position
        again = quatuor.new(position=text)
        if again.state.tobytes() != position.common.tobytes():
            yield f"turn {position.ply + 1}: the position {text!r} reads back to another state"
        elif again.position != text:
            yield f"turn {position.ply + 1}: written again, the position {text!r} is {again.position!r}"


def places(sample: Sample) -> Iterator[str]:
    for position in sample.positions():
        for place in position.ranking:
            if place != 1 + sum(other < place for other in position.ranking):
                yield f"turn {position.ply + 1}: places {position.ranking}: count from 1, ties share the better one"
                break


def snapshot(game: Game) -> Any:
    """All that playing changes."""
    return game.state.tobytes(), game.ply, game.to_move, game.moves
