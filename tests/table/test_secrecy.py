"""Secret orders stay secret: nothing that leaves the table reveals them before the turn is complete."""

import hashlib
import itertools
import json
from dataclasses import asdict

import numpy as np
import pytest

from quatuor.table import (
    Event,
    Pace,
    Refused,
    Seat,
    Setup,
    Table,
    history,
    logged,
    public_event,
    snapshot,
    summarise,
    view_for,
)  # fmt: skip
from quatuor.table.commitments import Commitment
from tests.table.deciding import answer, move, say, undo

ADA, BOB, EVE = "ada", "bob", "eve"


def table(*guests: str | None, **setup) -> Table:
    seats = tuple(Seat("human", guest=guest) if guest else Seat("engine", level=1) for guest in guests)
    return Table(Setup("trois_six", "classic", {}, seats, ADA, "2026-11-15", **setup))


@pytest.fixture
def at() -> Table:
    return table(ADA, BOB)


def order(at: Table, guest: str, seat: int, number: int) -> tuple[str, Event]:
    text = [move for move in at.game.legal(seat) if move != "-"][number]
    event = move(at, guest, at.game.ply, seat, text)
    at.apply(event)
    return text, event


def all_that_leaves(at: Table, event: Event, viewer: str | None) -> str:
    """Everything that a viewer receives, and every file, as one text."""
    leaves = [
        public_event(at, event),
        view_for(at, viewer),
        snapshot(at, viewer),
        history(at).record(),
        history(at).svg(),
    ]
    return json.dumps([*leaves, logged(event), asdict(summarise(at))])


def test_others_get_the_same_text_for_any_order(monkeypatch):
    """The strictest test: others get the same text for two different orders, except for a hash of 128 bits."""
    monkeypatch.setattr(Commitment, "of", lambda *_given, **_named: Commitment("hash", "salt"))
    for viewer, setup in itertools.product((BOB, EVE, None), ({}, {"pace": Pace(60, 2), "takeback": True})):
        messages = []
        for number in (0, 3):
            at = table(ADA, BOB, **setup)
            messages.append(all_that_leaves(at, order(at, ADA, 0, number)[1], viewer))
        assert messages[0] == messages[1]


def test_a_commitment_hides_the_order_until_it_is_revealed(at):
    mine, event = order(at, ADA, 0, 2)
    published = view_for(at, None)["seals"]
    assert list(published) == ["0"]
    assert event.data["salt"] not in all_that_leaves(at, event, BOB) + all_that_leaves(at, event, ADA)
    order(at, BOB, 1, 0)
    assert view_for(at, None)["seals"] == {}
    seal = at.entries[0]["seals"]["0"]
    assert seal["hash"] == published["0"]
    assert hashlib.sha256(f"0 0 {mine} {seal['salt']}".encode()).hexdigest() == seal["hash"]


def test_the_same_order_is_sealed_differently_each_time():
    hashes = set()
    for _ in range(5):
        at = table(ADA, BOB)
        order(at, ADA, 0, 0)
        hashes.add(view_for(at, BOB)["seals"]["0"])
    assert len(hashes) == 5


def test_a_log_says_only_that_an_order_came(at):
    text, event = order(at, ADA, 0, 0)
    assert logged(event) == {"kind": "move", "seat": 0}
    assert not {text, ADA, event.data["salt"]} & set(map(str, logged(event).values()))


def test_other_events_reveal_no_order(at):
    """Chat, a new id of a player, a paused clock: each event comes with the current state, without the order."""
    mine, _ = order(at, ADA, 0, 3)
    for event in (
        say(at, BOB, None, "ready when you are", 0),
        Event("gathered", {}),
        Event("hold", {"start": 1, "end": 2}),
        Event("adopt", {"old": BOB, "new": "account"}),
        Event("stand_in", {"seat": 1}),
    ):
        at.apply(event)
        for viewer in ("account", BOB, EVE, None):
            assert mine not in all_that_leaves(at, event, viewer)
    assert view_for(at, ADA)["orders"] == {"0": mine}


def test_a_player_sees_only_their_own_order(at):
    mine, _ = order(at, ADA, 0, 3)
    assert view_for(at, ADA)["orders"] == {"0": mine}
    assert view_for(at, BOB)["orders"] == view_for(at, None)["orders"] == {}


def test_two_seats_on_one_screen_see_what_a_spectator_sees():
    at = table(ADA, ADA)
    order(at, ADA, 0, 0)
    assert view_for(at, ADA)["position"] == view_for(at, None)["position"]
    assert view_for(at, ADA)["orders"] == {}
    assert list(view_for(at, ADA)["legal"]) == ["1"]


def test_everyone_is_informed_that_an_order_is_in(at):
    _, event = order(at, ADA, 0, 0)
    assert public_event(at, event)["kind"] == "ready"
    assert view_for(at, None)["ready"] == [0]
    assert view_for(at, None)["to_move"] == [1]
    with pytest.raises(Refused, match="not_your_turn"):
        move(at, ADA, 0, 0, at.game.legal(1)[0])  # an order is final


def test_the_last_order_reveals_both(at):
    mine, _ = order(at, BOB, 1, 0)
    yours, event = order(at, ADA, 0, 1)
    assert public_event(at, event)["kind"] == "move"
    assert public_event(at, event)["entry"]["moves"] == {"0": yours, "1": mine}
    assert (at.ready, at.game.ply) == ((), 1)


def test_an_engine_thinks_without_knowing_the_order():
    at = table(ADA, None)
    before = at.study().state.copy()
    order(at, ADA, 0, 0)
    assert np.array_equal(at.study().state, before)
    at.apply(answer(at, at.turn, 1, "-"))
    assert at.game.ply == 1


def test_undoing_an_order_keeps_the_turns():
    at = table(ADA, None)
    order(at, ADA, 0, 0)
    at.apply(answer(at, at.turn, 1, "-"))
    order(at, ADA, 0, 0)
    turn = at.turn
    at.apply(undo(at, ADA, 1))
    assert (at.game.ply, at.ready, at.to_move) == (1, (), (0, 1))
    with pytest.raises(Refused, match="stale_ply"):
        answer(at, turn, 1, "-")
    at.apply(undo(at, ADA, 1))
    assert at.game.ply == 0


def test_undo_drops_an_engines_waiting_order():
    at = table(ADA, None)
    order(at, ADA, 0, 0)
    at.apply(answer(at, at.turn, 1, "-"))
    at.apply(answer(at, at.turn, 1, "-"))
    assert at.ready == (1,)
    at.apply(undo(at, ADA, 1))
    assert (at.game.ply, at.ready) == (0, ())
