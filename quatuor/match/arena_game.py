"""One game between engines, from the first move to the line of JSON that is kept of it."""

import json
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict

from quatuor.game import Game, new
from quatuor.match.callables import CallablePlayer
from quatuor.match.judge import JudgedMove, Tried, judge
from quatuor.match.players import Player, make_player
from quatuor.match.process import Failed

CAP = 2000  # turns; a game that lasts longer counts as it stands


class Meeting(NamedTuple):
    """One game to be played."""

    game: str
    variant: str
    options: tuple[tuple[str, Any], ...]
    seats: tuple[str, ...]  # which engine sits where
    number: int  # of the game between these two
    seed: int

    @property
    def name(self) -> str:
        """A text that is the same for equal meetings, and only for them."""
        return json.dumps(self, sort_keys=True)


class Outcome(TypedDict):
    """One played game, as it is kept: a line of JSON."""

    game: str
    variant: str
    options: dict[str, Any]
    seats: list[str]
    number: int
    seed: int
    scores: list[int]
    ranking: list[int]
    turns: int
    moves: list[int]  # chosen by each seat
    seconds: list[float]  # taken by each seat
    slowest: list[float]  # the longest that each seat took for a move
    cpu: dict[str, float]  # processor seconds of each engine
    end: str  # "over", "cap" (the game counts as it stood), or "fault"
    fault: str | None  # how an engine lost by a fault
    record: str | None
    judged: NotRequired[list[JudgedMove]]  # every decision, if the conduct asks for it


class Conduct(NamedTuple):
    """How games are played, besides who plays what."""

    keep: bool = False  # the record
    tries: int = 1  # this many illegal answers for one move lose the game
    judge: int = 0  # units of the searches that judge a move; 0: no move is judged


def play(meeting: Meeting, keep: bool = False, conduct: Conduct | None = None) -> Outcome:
    """Play one game to its end. A player that answers wrongly or not at all loses it."""
    if not isinstance(meeting, Meeting):
        raise TypeError(f"meeting={meeting!r}: give a Meeting, such as one of an Arena's meetings")
    if conduct is not None and not isinstance(conduct, Conduct):
        raise TypeError(f"conduct={conduct!r}: give a Conduct, such as Conduct(judge=1000)")
    conduct = conduct or Conduct(keep)
    game = new(meeting.game, meeting.variant, **dict(meeting.options))
    players = {spec: make_player(spec, meeting.seed * 1000 + i) for i, spec in enumerate(sorted(set(meeting.seats)))}
    clock = _Clock(game.seats)
    fault: tuple[int, str] | None = None
    try:
        while not game.over and game.ply < CAP and fault is None:
            fault = _turn(game, meeting.seats, players, clock, conduct.tries)
        cpu = {spec: round(player.cpu, 4) for spec, player in players.items()}
    finally:
        for player in players.values():
            player.close()
    ranking = list(game.ranking) if fault is None else _without(game, meeting.seats, meeting.seats[fault[0]])
    outcome: Outcome = {
        "game": meeting.game,
        "variant": meeting.variant,
        "options": dict(meeting.options),
        "seats": list(meeting.seats),
        "number": meeting.number,
        "seed": meeting.seed,
        "scores": list(game.scores),
        "ranking": ranking,
        "turns": game.ply,
        "moves": clock.moves,
        "seconds": [round(seconds, 4) for seconds in clock.seconds],
        "slowest": [round(seconds, 4) for seconds in clock.slowest],
        "cpu": cpu,
        "end": "fault" if fault else "over" if game.over else "cap",
        "fault": f"{meeting.seats[fault[0]]}: {fault[1]}" if fault else None,
        "record": game.record(meeting.seats) if conduct.keep else None,
    }
    if conduct.judge:
        outcome["judged"] = judge(game, meeting.seats, meeting.number, clock.tried, conduct.judge)
    return outcome


class _Clock:
    def __init__(self, seats: int) -> None:
        self.moves, self.seconds, self.slowest = [0] * seats, [0.0] * seats, [0.0] * seats
        self.tried: list[Tried] = []

    def add(self, tried: Tried, seconds: float) -> None:
        seat = tried.seat
        self.tried.append(tried)
        self.moves[seat] += 1
        self.seconds[seat] += seconds
        self.slowest[seat] = max(self.slowest[seat], seconds)


def _turn(
    game: Game, seats: Sequence[str], players: dict[str, Player], clock: _Clock, tries: int
) -> tuple[int, str] | None:
    """One turn of all seats that act; or which seat failed, and how."""
    orders = {}
    for seat in game.to_move:
        began = time.perf_counter()
        try:
            move, illegal = _answer(players[seats[seat]], game, seat, tries)
        except Failed as error:
            return seat, str(error)
        seconds = time.perf_counter() - began
        clock.add(Tried(game.ply, seat, move, seconds, tuple(illegal)), seconds)
        if move is None:
            return seat, f"{illegal[-1]!r} is not legal"
        orders[seat] = move
    game.play(orders)
    return None


def _answer(player: Player, game: Game, seat: int, tries: int) -> tuple[str | None, list[str]]:
    """A player's move, or None after too many illegal ones; and the illegal ones."""
    illegal: list[str] = []
    legal = set(game.legal(seat))
    while len(illegal) < tries:
        if isinstance(player, CallablePlayer):
            move = player.choose(game, seat, tuple(illegal))
        else:
            move = player.choose(game, seat)
        if move in legal:
            return move, illegal
        illegal.append(move)
    return None, illegal


def _without(game: Game, seats: Sequence[str], failed: str) -> list[int]:
    """The ranking with every seat of one engine put last."""
    behind = [spec == failed for spec in seats]
    keys = list(zip(behind, [0 if b else place for b, place in zip(behind, game.ranking, strict=True)], strict=True))
    return [1 + sum(other < own for other in keys) for own in keys]
