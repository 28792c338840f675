"""Offers among people, calling a game off, and one link for every free seat."""

import pytest

from quatuor.table import Seat, commands, view_for
from tests.table.deciding import decided, join, resign
from tests.table.gathering import ADA, BOB, CAT, EVE, Gathering, duel, four, human, refused


def offer(at: Gathering, guest: str, kind: str):
    return decided(at.table, commands.Offer(kind), guest)


def answer(at: Gathering, guest: str, accept: bool):
    return decided(at.table, commands.Answer(accept), guest)


def abort(at: Gathering, guest: str):
    return decided(at.table, commands.Abort(), guest)


def test_a_draw_is_offered_seen_and_accepted():
    at = duel()
    at.do(offer(at, ADA, "draw"))
    assert view_for(at.table, BOB)["offer"] == {"kind": "draw", "seat": 0, "seats": [0], "ply": 0}
    assert offer(at, ADA, "draw") is None  # the offer is open
    assert answer(at, ADA, True) is None
    at.move(0)  # the offer is open until the other has moved
    at.do(answer(at, BOB, True))
    assert (at.table.ended_by, at.table.ranking, at.table.offer) == ("agreed", [1, 1], None)
    assert at.table.reason == {"code": "agreed"}
    assert view_for(at.replayed(), BOB) == view_for(at.table, BOB)


def test_a_draw_offer_is_declined_withdrawn_or_ignored_and_made_once_a_turn():
    at = duel()
    at.do(offer(at, ADA, "draw"))
    at.do(answer(at, BOB, False))
    assert at.table.offer is None
    refused("rate_limited", offer, at, ADA, "draw")
    refused("no_offer", answer, at, BOB, True)
    at.move(0)
    at.do(offer(at, ADA, "draw"))
    at.do(answer(at, ADA, False))  # withdrawn
    at.do(offer(at, BOB, "draw"))
    at.move(1)
    assert at.table.offer is not None
    at.move(0)  # a move declines the offer
    assert at.table.offer is None


def test_two_draw_offers_are_an_agreement():
    at = duel()
    at.do(offer(at, ADA, "draw"))
    at.do(offer(at, BOB, "draw"))
    assert at.table.ended_by == "agreed"


def test_undo_among_people_needs_everyone():
    at = four()
    refused("no_undo", offer, at, BOB, "undo")
    at.move(0)
    at.move(1)
    at.do(offer(at, ADA, "undo"))
    at.do(answer(at, BOB, True))
    assert at.table.offer == {"kind": "undo", "seat": 0, "seats": [0, 1], "ply": 0}
    at.do(answer(at, CAT, True))
    assert (at.table.game.ply, at.table.offer) == (0, None)
    assert at.table.to_move == (0,)
    refused("no_draw", offer, at, ADA, "draw")  # only between two


@pytest.mark.parametrize(("seats", "code"), [((human(ADA), Seat("engine", level=1)), "no_offer")])
def test_offers_need_other_people(seats, code):
    at = Gathering(*seats)
    at.move(0)
    refused(code, offer, at, ADA, "undo")
    refused("not_your_seat", offer, at, EVE, "draw")
    cup = duel(tournament="cup")
    cup.move(0)
    refused("no_draw", offer, cup, ADA, "draw")
    refused("no_undo", offer, cup, ADA, "undo")
    refused("no_abort", abort, cup, ADA)


def test_a_game_is_called_off_before_its_second_turn():
    at = duel()
    refused("not_your_seat", abort, at, EVE)
    assert view_for(at.table, BOB)["abort"]
    at.move(0)
    called_off = abort(at, BOB)
    at.move(1)
    refused("no_abort", abort, at, BOB)
    assert not view_for(at.table, BOB)["abort"]
    again = duel()
    again.move(0)
    again.do(called_off)
    assert (again.table.ended_by, again.table.ranking, again.table.to_move) == ("aborted", None, ())


def test_a_table_without_opponents_is_called_off_not_lost():
    at = Gathering(human(ADA), Seat("open", token="x"))
    at.do(resign(at.table, ADA, 0))
    assert (at.table.ended_by, at.table.ranking) == ("aborted", None)
    refused("game_over", join, at.table, BOB, "x")
    other = Gathering(human(ADA), Seat("open", token="x"))
    refused("not_owner", abort, other, BOB)
    other.do(abort(other, ADA))
    assert other.table.ended_by == "aborted"


def test_one_link_fills_every_free_seat():
    seats = (human(ADA), *(Seat("open", token=token) for token in "xyz"))
    at = Gathering(*seats, game="blokus", variant="classic")
    for guest, seat in ((BOB, 1), (CAT, 2), (EVE, 3)):
        event = join(at.table, guest, "x")
        assert event.data == {"seat": seat}
        at.do(event)
    assert join(at.table, CAT, "x") is None  # has a seat
    assert refused("seat_taken", join, at.table, "dan", "x") == {"seat": 1}
