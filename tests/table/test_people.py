"""People at the table: absence, chat, seats from the lobby, another id, taking back where the table allows it."""

import json

import pytest

from quatuor.table import Event, Seat, commands, public_event, snapshot, view_for
from quatuor.table.chat import PHRASES, RATE, SPECTATORS_MOST, SPECTATORS_RATE
from quatuor.table.presence import Presence
from quatuor.table.seating import joined_seat
from quatuor.table.turns import engines
from tests.table.deciding import allow_words, answer, come_back, decided, fill, join, move, resign, say, undo
from tests.table.gathering import ADA, BOB, CAT, EVE, NOON, Gathering, Pace, duel, four, human, refused

# ---- absence


def claim(at: Gathering, guest: str, seat: int, win: bool, now: int) -> Event | None:
    return decided(at.table, commands.Claim(seat, win), guest, now, presence=at.presence)


@pytest.mark.parametrize(
    ("pace", "seconds"),
    [
        (Pace(total=60), 30),
        (Pace(total=300), 60),
        (Pace(total=300, increment=10), 120),
        (Pace(total=1800), 300),
        (Pace(), 300),
    ],
)
def test_the_wait_depends_on_the_pace(pace, seconds):
    at = duel(pace=pace)
    at.presence.away = {ADA: NOON + 5000}
    refused("no_claim", claim, at, BOB, 0, True, NOON * 2)  # before the second turn
    at.move(0)
    at.move(1)
    start = NOON + 5000 + seconds * 1000
    assert [seat["claim"] for seat in view_for(at.table, BOB, at.presence)["seats"]] == [start, None]
    assert refused("too_early", claim, at, BOB, 0, True, start - 1) == {"at": start}
    at.do(claim(at, BOB, 0, True, start))
    assert (at.table.ended_by, at.table.ranking) == ("left", [2, 1])
    assert at.table.reason == {"code": "left", "seat": 0}


def test_no_claim_against_a_player_who_is_present_or_not_to_move_or_plays_by_the_day():
    at = duel()
    for guest, seat in ((BOB, 0), (ADA, 1), (BOB, 7)):
        refused("no_claim", claim, at, guest, seat, True, NOON * 2)
    at.presence.away = {BOB: NOON}
    refused("no_claim", claim, at, ADA, 1, True, NOON * 2)
    refused("not_your_seat", claim, at, EVE, 1, True, NOON * 2)
    refused("not_your_seat", claim, at, BOB, 1, True, NOON * 2)
    by_day = duel(pace=Pace(days=1))
    by_day.presence.away = {ADA: NOON}
    refused("no_claim", claim, by_day, BOB, 0, False, NOON * 2)


def test_the_wait_begins_with_the_turn():
    at = duel()
    at.presence.away = {BOB: NOON}
    at.move(0)
    at.move(1)
    at.move(0, after=1000)
    refused("too_early", claim, at, ADA, 1, True, at.now + 299_999)
    claim(at, ADA, 1, True, at.now + 300_000)


def test_an_engine_stands_in_until_the_player_is_back():
    at = four(pace=Pace(total=60))
    at.presence.away = {ADA: NOON}
    refused("no_claim", claim, at, BOB, 0, True, NOON * 2)  # with more than two players a claim wins nothing
    at.now += 40_000
    at.do(claim(at, BOB, 0, False, at.now))
    assert view_for(at.table, ADA)["seats"][0]["stand_in"]
    assert engines(at.table) == {0: 3}
    refused("not_your_turn", move, at.table, ADA, 0, 0, at.table.game.legal()[0], now=at.now)
    thinking = at.table.turn
    assert come_back(at.table, BOB) is None
    at.do(come_back(at.table, ADA))
    refused("stale_ply", answer, at.table, thinking, 0, at.table.game.legal()[0])
    assert at.table.clocks.since == {0: at.now}
    at.move(0)
    assert at.table.ended_by is None
    assert at.replayed().stand_ins == at.table.stand_ins == set()


def test_in_a_game_of_two_the_engine_may_play_on_too():
    at = duel()
    at.presence.away = {ADA: NOON}
    at.do(claim(at, BOB, 0, False, NOON + 300_000))
    at.do(answer(at.table, at.table.turn, 0, "a"))
    at.move(1)
    assert (at.table.ended_by, engines(at.table)) == (None, {0: 3})


def test_a_player_who_plays_alone_has_no_claims():
    at = Gathering(human(ADA), Seat("engine", level=1))
    at.presence.away = {ADA: NOON}
    assert view_for(at.table, None, at.presence)["seats"][0]["claim"] is None


def test_the_owner_gives_a_free_seat_to_an_engine():
    at = Gathering(human(ADA), Seat("open", token="t"))
    refused("not_owner", fill, at.table, BOB, 1, 2)
    refused("not_owner", fill, at.table, None, 1, 2)
    refused("seat_taken", fill, at.table, ADA, 0, 2)
    refused("seat_taken", fill, at.table, ADA, 9, 2)
    at.do(fill(at.table, ADA, 1, 2))
    assert at.table.seats[1] == Seat("engine", level=2)
    refused("bad_token", join, at.table, BOB, "t")


# ---- chat


def test_phrases_and_free_chat():
    at = duel()
    at.do(say(at.table, BOB, "hello", None, at.now))
    assert public_event(at.table, at.log[-1])["message"] == {
        "number": 0, "seat": 1, "phrase": "hello", "words": None, "at": NOON,
    }  # fmt: skip
    at.do(say(at.table, ADA, None, "  <b>hi</b>\t there ", at.now))
    assert [message["words"] for message in snapshot(at.table, EVE)["chat"]] == [None, "<b>hi</b> there"]
    assert not any(guest in json.dumps(snapshot(at.table, EVE)) for guest in (ADA, BOB))


@pytest.mark.parametrize("words", ["", "   ", "x" * 201, "a\u202eb", "nul\x00", "\x1b[31m"])
def test_invalid_chat_messages_are_refused(words):
    assert refused("bad_words", say, duel().table, ADA, None, words, NOON) == {"longest": 200}


def test_who_may_chat_and_how_often():
    at = duel()
    refused("not_your_seat", say, at.table, "bot-eve", "hello", None, NOON)
    refused("not_your_seat", say, at.table, None, "hello", None, NOON)
    assert refused("bad_words", say, at.table, ADA, "curse", None, NOON)["phrases"] == list(PHRASES)
    for _ in range(RATE):
        at.do(say(at.table, ADA, "hello", None, at.now))
    refused("rate_limited", say, at.table, ADA, "hello", None, at.now + 9_999)
    say(at.table, BOB, "hello", None, at.now)
    say(at.table, ADA, "hello", None, at.now + 10_000)


def test_players_read_what_spectators_write_only_after_the_game():
    at = duel()
    at.do(say(at.table, EVE, None, "blue will win", at.now))
    assert public_event(at.table, at.log[-1]) == {"version": 1, "kind": "spectator_chat", "number": 0}
    at.do(say(at.table, ADA, "hello", None, at.now))
    assert [message["number"] for message in snapshot(at.table, ADA)["chat"]] == [1]
    for player in (ADA, BOB):
        assert "blue will win" not in json.dumps(snapshot(at.table, player))
        assert "blue will win" not in json.dumps(view_for(at.table, player))
    names = Presence(names={EVE: "Eve"})
    for spectator in (EVE, "another", None):
        (message,) = snapshot(at.table, spectator, names)["spectator_chat"]
        expected = {"number": 0, "phrase": None, "words": "blue will win", "at": NOON}
        assert message == {**expected, "name": "Eve", "profile": None}
    at.do(resign(at.table, ADA, 0))
    for reader in (ADA, BOB, EVE):
        assert [message["words"] for message in snapshot(at.table, reader)["spectator_chat"]] == ["blue will win"]
        assert f'"{EVE}"' not in json.dumps(snapshot(at.table, reader))
    assert [message["words"] for message in view_for(at.table, ADA)["spectator_chat"]] == ["blue will win"]


def test_spectators_cannot_keep_a_game_from_going_on():
    at = duel()
    for n in range(SPECTATORS_RATE):
        at.do(say(at.table, f"spectator {n}", "hello", None, at.now))
    refused("rate_limited", say, at.table, EVE, "hello", None, at.now)
    at.table.spectator_messages = SPECTATORS_MOST
    detail = refused("over_budget", say, at.table, EVE, "hello", None, at.now + 10_000)
    assert detail == {"budget": "spectator_chat", "of": "table", "most": SPECTATORS_MOST}
    say(at.table, ADA, "hello", None, at.now)
    assert at.table.touched == duel().table.touched, "an open table does not stay in the lobby because spectators chat"


def test_the_owner_turns_free_chat_off_and_on():
    at = duel()
    refused("not_owner", allow_words, at.table, BOB, False)
    refused("not_owner", allow_words, at.table, None, False)
    at.do(allow_words(at.table, ADA, False))
    assert public_event(at.table, at.log[-1])["words"] is False
    refused("no_words", say, at.table, ADA, None, "hello", NOON)
    at.do(say(at.table, BOB, "hello", None, NOON))
    at.do(allow_words(at.table, ADA, True))
    say(at.table, BOB, None, "hello", NOON)
    assert duel(words=False).table.words is False


# ---- seats


def test_open_seats_need_a_token_except_in_the_lobby():
    seats = (human(ADA), Seat("open", token="t"), Seat("open", token="u"), Seat("open", token="v"))
    closed = Gathering(*seats, game="blokus", variant="classic")
    refused("bad_token", join, closed.table, BOB, None)
    at = Gathering(*seats, game="blokus", variant="classic", listed=True)
    assert join(at.table, ADA, None) is None
    assert joined_seat(at.table, commands.Join(), ADA) == 0
    at.do(join(at.table, BOB, None, 2))
    refused("seat_taken", join, at.table, EVE, None, 2)
    at.do(join(at.table, CAT, None))
    assert [seat.guest for seat in at.table.seats] == [ADA, CAT, BOB, None]
    at.do(join(at.table, EVE, "v"))
    refused("seat_taken", join, at.table, "late", None)


def test_another_id_keeps_seats_ownership_and_what_was_carried_out():
    at = Gathering(human(ADA), Seat("open", token="t"))
    at.do(move(at.table, ADA, 0, 0, "a", ack="once"))
    adopted = Event("adopt", {"old": ADA, "new": "account"})
    at.do(adopted)
    assert (at.table.owned("account"), at.table.owned(ADA), at.table.owner) == ([0], [], "account")
    assert at.table.answers["account", "once"] == 1
    assert view_for(at.table, "account")["invites"] == {"1": "t"}
    assert view_for(at.table, ADA)["invites"] == {}
    assert set(public_event(at.table, adopted)) == {"version", "kind"}
    assert snapshot(at.replayed(), "account") == snapshot(at.table, "account")


# ---- taking back among several people


def test_where_the_table_allows_it_the_last_player_undoes_without_asking():
    at = duel(takeback=True)
    at.move(0, "a")
    assert view_for(at.table, ADA)["undo"]
    assert not view_for(at.table, BOB)["undo"]
    refused("no_undo", undo, at.table, BOB, 1)
    at.do(undo(at.table, ADA, 1))
    assert (at.table.game.ply, at.table.to_move) == (0, (0,))
    at.move(0, "b")
    at.move(1, "c")
    refused("no_undo", undo, at.table, ADA, 2)  # bob has answered


def test_a_secret_order_can_be_undone_until_the_turn_is_complete():
    at = duel(game="trois_six", variant="classic", takeback=True)
    at.move(0, "-")
    refused("no_undo", undo, at.table, BOB, 0)
    at.do(undo(at.table, ADA, 0))
    assert at.table.ready == ()
    at.move(0, "-")
    at.move(1, "-")
    refused("no_undo", undo, at.table, ADA, 1)


def test_without_the_option_nothing_is_undone():
    at = duel()
    at.move(0, "a")
    refused("no_undo", undo, at.table, ADA, 1)
