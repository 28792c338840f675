"""Compact turns: they read back unchanged and need little memory."""

import json
import random
import tracemalloc

import pytest

from quatuor.game import new
from quatuor.games import names
from quatuor.table import Event, Seat, Setup, Table, snapshot
from quatuor.table.chat import LONGEST
from quatuor.table.entries import Entries
from quatuor.table.presence import Presence
from quatuor.table.visibility import snapshot_json
from tests.table.deciding import move


def played(name: str, plies: int) -> Table:
    """A table where people play at random."""
    game, dice = new(name), random.Random(1)
    table = Table(Setup(name, game.variant.name, game.options, (Seat("human", guest="ada"),) * game.seats, "ada"))
    while table.game.ply < plies and not table.ended_by:
        for seat in table.to_move:
            table.apply(move(table, "ada", table.game.ply, seat, dice.choice(table.position.legal(seat))))
    return table


def plain(table: Table) -> list:
    """The turns as the game itself shows them."""
    found, game = [], table.study()
    while game.ply:
        moves = {str(seat): text for seat, text in game.last.items()}
        position = game.view(None)
        found.append({"ply": game.ply, "moves": moves, "effects": game.effects(), "position": position})
        game.undo()
    return json.loads(json.dumps(found[::-1]))


@pytest.mark.parametrize("name", names())
def test_every_turn_is_what_the_game_shows(name):
    table = played(name, 30)
    kept = [{key: value for key, value in entry.items() if key != "seals"} for entry in table.entries]
    assert kept == plain(table)
    assert snapshot(table, None)["history"] == list(table.entries) == json.loads(table.entries.json())


def test_turns_are_found_by_number_and_truncated():
    entries = Entries()
    given = [{"ply": number, "text": "é" * number} for number in range(1, 50)]
    for entry in given:
        entries.append(entry)
    assert (entries[0], entries[20], entries[-1], entries[40:]) == (given[0], given[20], given[-1], given[40:])
    with pytest.raises(IndexError):
        entries[49]
    entries.cut(10)
    entries.append({"ply": 11})
    assert list(entries) == [*given[:10], {"ply": 11}]
    entries.cut(0)
    assert (list(entries), entries.json()) == ([], b"[]")
    entries.append(given[0])
    assert list(entries) == given[:1]


@pytest.mark.parametrize("name", names())
def test_a_long_game_needs_little_memory(name):
    played(name, 40)  # compile, and create what all tables share
    tracemalloc.start()
    try:
        tables = [played(name, 40) for _ in range(4)]
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used / len(tables) < 100_000
    assert all(len(table.entries) > 10 for table in tables)


@pytest.mark.parametrize(
    ("name", "variant", "options"),
    [("trois_six", "classic", {"quiet_turns": None}), ("plus4", "rounds", {"rounds": 99, "repetition": "none"})],
)
def test_the_longest_game_with_all_its_chat_is_sent_as_less_than_two_mebibytes(name, variant, options):
    game, dice = new(name, variant, **options), random.Random(1)
    table = Table(Setup(name, variant, game.options, (Seat("human", guest="ada"),) * game.seats, "ada"))
    while not table.ended_by:
        for seat in table.to_move:
            legal = table.position.legal(seat)
            text = "-" if "-" in legal else dice.choice(legal)  # quiet turns, which never end a game
            table.apply(move(table, "ada", table.game.ply, seat, text))
    for kind in ("chat", "spectator_chat"):
        for _ in range(200):
            said = {"words": "\U0001f600" * LONGEST} | ({"seat": 0} if kind == "chat" else {})
            table.apply(Event(kind, said, "eve"))
    assert table.ended_by == "length"
    assert len(snapshot_json(table, "ada", Presence())) < 2 * 1024 * 1024
