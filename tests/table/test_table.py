"""A table alone: commands, refusals, events."""

from dataclasses import replace

import pytest

from quatuor.game import new
from quatuor.record import load
from quatuor.table import (
    Pace,
    Presence,
    Refused,
    Seat,
    Setup,
    Table,
    commands,
    history,
    public_event,
    snapshot,
    view_for,
    who_is_here,
)
from quatuor.table.rematches import LASTS
from quatuor.table.seating import joined_seat
from quatuor.table.table import LONGEST_GAME
from quatuor.table.turns import engines, undo_to
from tests.table.deciding import agree, answer, join, move, resign, undo

ADA, BOB, EVE = "ada", "bob", "eve"
NAMED = Presence({ADA: "Ada", BOB: "Bob"})


def table(*seats: Seat, game="plus4", variant="elementary", creator=ADA, **options) -> Table:
    return Table(Setup(game, variant, options, seats, creator, "2026-11-15"))


def human(guest: str) -> Seat:
    return Seat("human", guest=guest)


def duel(**kwargs) -> Table:
    return table(human(ADA), human(BOB), **kwargs)


def play(at: Table, *moves: str) -> None:
    for text in moves:
        seat = at.to_move[0]
        at.apply(move(at, at.seats[seat].guest, at.game.ply, seat, text))


def refused(code: str, command, *args, **kwargs) -> dict:
    with pytest.raises(Refused) as caught:
        command(*args, **kwargs)
    assert caught.value.code == code
    return caught.value.detail


def test_a_setup_is_kept_without_defaults_and_read_without_what_a_later_release_has_added():
    plain = Setup("plus4", "elementary", {}, (human(ADA), Seat("open", token="x")), ADA).write()
    seats = [{"kind": "human", "guest": "ada"}, {"kind": "open", "token": "x"}]
    assert plain == {"game": "plus4", "variant": "elementary", "options": {}, "seats": seats, "creator": "ada"}
    later = {**plain, "pace": {"total": 60, "new": 1}, "new": 1, "seats": [{**seat, "new": 1} for seat in seats]}
    read = Setup.read(later)
    assert read == Setup("plus4", "elementary", {}, (human(ADA), Seat("open", token="x")), ADA, pace=Pace(60))
    assert Setup.read(read.write()) == read


def test_a_command_changes_nothing_until_its_event_is_applied():
    at = duel()
    event = move(at, ADA, 0, 0, "a")
    assert (at.game.ply, at.version) == (0, 0)
    at.apply(event)
    assert (at.game.ply, at.version, at.to_move) == (1, 1, (1,))


def test_moves_are_written_as_records_write_them():
    at = table(human(ADA), human(ADA), human(ADA), human(ADA), game="blokus", variant="classic")
    plain = next(move for move in at.game.legal() if "," in move)
    at.apply(move(at, ADA, 0, 0, ",".join(reversed(plain.split(",")))))
    assert at.entries[0]["moves"] == {"0": plain}


def test_refusals_say_what_would_be_right():
    at = duel()
    assert refused("not_your_seat", move, at, BOB, 0, 0, "a") == {"yours": [1]}
    assert refused("not_your_seat", move, at, EVE, 0, 0, "a") == {"yours": []}
    assert refused("not_your_seat", move, at, ADA, 0, 7, "a") == {"yours": [0]}
    assert refused("not_your_turn", move, at, BOB, 0, 1, "a") == {"to_move": [0]}
    assert refused("stale_ply", move, at, ADA, 1, 0, "a") == {"ply": 0}
    detail = refused("illegal_move", move, at, ADA, 0, 0, "z")
    assert detail["legal"] == ["a", "b", "c", "d"]
    assert "z" in detail["reason"]
    assert at.version == 0


def test_an_event_log_gives_the_same_table_again():
    at, log = duel(), []
    for guest, seat, text in ((ADA, 0, "a"), (BOB, 1, "b"), (ADA, 0, "a"), (BOB, 1, "c")):
        log.append(move(at, guest, at.game.ply, seat, text, ack=f"{at.game.ply}"))
        at.apply(log[-1])
    log.append(resign(at, BOB, 1))
    at.apply(log[-1])
    twin = duel()
    for event in log:
        twin.apply(event)
    assert snapshot(twin, ADA) == snapshot(at, ADA)
    assert twin.answers == at.answers == {(ADA, "0"): 1, (BOB, "1"): 2, (ADA, "2"): 3, (BOB, "3"): 4}


# ---- taking back


def test_undo_on_one_device_removes_one_ply():
    at = table(human(ADA), human(ADA))
    play(at, "a", "b", "c")
    at.apply(undo(at, ADA, 3))
    assert [entry["moves"] for entry in at.entries] == [{"0": "a"}, {"1": "b"}]
    assert at.to_move == (0,)


def test_undo_against_an_engine_returns_to_the_players_own_turn():
    at = table(human(ADA), Seat("engine", level=1))
    play(at, "a")
    at.apply(answer(at, at.turn, 1, "b"))
    play(at, "c")
    at.apply(answer(at, at.turn, 1, "d"))
    at.apply(undo(at, ADA, 4))
    assert (at.game.ply, at.to_move) == (2, (0,))
    at.apply(undo(at, ADA, 2))
    assert (at.game.ply, at.to_move) == (0, (0,))
    refused("no_undo", undo, at, ADA, 0)


def test_undo_when_the_engine_began_never_takes_back_its_first_move_alone():
    at = table(Seat("engine", level=1), human(ADA))
    at.apply(answer(at, at.turn, 0, "a"))
    assert undo_to(at, ADA) is None
    play(at, "b")
    at.apply(undo(at, ADA, 2))
    assert (at.game.ply, at.to_move) == (1, (1,))


def test_there_is_no_undo_against_people_without_their_consent():
    at = duel()
    play(at, "a")
    refused("no_undo", undo, at, ADA, 1)
    refused("not_your_seat", undo, at, EVE, 1)
    assert not view_for(at, ADA)["undo"]


def test_undo_of_a_lost_game_is_possible_of_a_resignation_not():
    at = table(human(ADA), human(ADA))
    while not at.ended_by:
        play(at, at.game.legal()[0])
    assert at.ended_by == "rules"
    refused("game_over", move, at, ADA, at.game.ply, 0, "a")
    at.apply(undo(at, ADA, at.game.ply))
    assert not at.ended_by
    at.apply(resign(at, ADA, 0))
    refused("no_undo", undo, at, ADA, at.game.ply)


def test_a_stale_engine_answer_is_refused_after_an_undo_to_the_same_ply():
    at = table(human(ADA), Seat("engine", level=1))
    play(at, "a")
    turn = at.turn
    at.apply(undo(at, ADA, 1))
    play(at, "b")  # the same ply, the same seat to move, another position
    refused("stale_ply", answer, at, turn, 1, "a")
    at.apply(answer(at, at.turn, 1, "a"))
    assert at.game.ply == 2


# ---- resigning


def test_resigning_loses():
    at = duel()
    play(at, "a")
    at.apply(resign(at, ADA, 0))
    assert (at.ended_by, at.ranking, at.to_move) == ("resign", [2, 1], ())
    assert at.reason == {"code": "resign", "seat": 0}
    refused("game_over", move, at, BOB, 1, 1, "a")
    refused("game_over", resign, at, BOB, 1)


def test_with_four_the_others_play_on_and_an_engine_stands_in():
    seats = [human(ADA), human(BOB), human(EVE), Seat("engine", level=2)]
    at = table(*seats, game="blokus", variant="classic")
    at.apply(resign(at, ADA, 0))
    assert at.ended_by is None
    assert engines(at) == {0: 3}
    assert view_for(at, ADA)["legal"] == {}
    refused("not_your_turn", move, at, ADA, 0, 0, at.game.legal()[0])
    at.apply(answer(at, at.turn, 0, at.game.legal()[0]))
    at.apply(resign(at, BOB, 1))
    assert at.ended_by is None
    at.apply(resign(at, EVE, 2))  # only engines are left
    assert at.ended_by == "resign"
    assert at.ranking == [4, 3, 2, 1]


# ---- seats


def test_an_open_seat_is_taken_once():
    at = table(human(ADA), Seat("open", token="sesame"))
    assert view_for(at, ADA)["invites"] == {"1": "sesame"}
    assert view_for(at, BOB)["invites"] == {}
    refused("bad_token", join, at, BOB, "wrong")
    sesame = commands.Join("sesame")
    assert join(at, ADA, "sesame") is None, "a player who opens their own invitation keeps the seat"
    assert joined_seat(at, sesame, ADA) == 0
    at.apply(join(at, BOB, "sesame"))
    assert join(at, BOB, "sesame") is None
    assert joined_seat(at, sesame, BOB) == 1
    assert refused("seat_taken", join, at, EVE, "sesame") == {"seat": 1}
    assert view_for(at, ADA)["invites"] == {}
    assert at.owned(BOB) == [1]


def test_rematch_is_for_players_after_the_end():
    at = duel()
    refused("not_over", agree, at, ADA, "t2", 0)
    at.apply(resign(at, ADA, 0))
    refused("not_your_seat", agree, at, EVE, "t2", 0)
    at.apply(agree(at, BOB, "t2", 0))
    assert (at.rematch, at.rematch_offer) == (None, [1])
    at.apply(agree(at, ADA, "t3", 0))
    assert (at.rematch, at.rematch_offer) == ("t3", [])
    assert agree(at, BOB, "t4", 0) is None


def test_an_old_rematch_offer_expires_where_clocks_run():
    at = Table(replace(duel().setup, pace=Pace(60)))
    at.apply(resign(at, ADA, 0))
    at.apply(replace(agree(at, BOB, "t2", 1000), at=1000))
    late = agree(at, ADA, "t3", 1000 + LASTS + 1)
    assert (late.kind, late.data["seats"]) == ("rematch_offer", [0])
    assert agree(at, ADA, "t3", 1000 + LASTS).kind == "rematch"


def test_the_next_table_rotates_the_seats():
    setup = duel().setup
    again = setup.rotated(setup.seats, BOB, "2026-11-16")
    assert [seat.guest for seat in again.seats] == [BOB, ADA]


def test_the_record_has_names_and_the_resignation():
    import quatuor

    at = table(human(ADA), Seat("engine", level=4))
    play(at, "a")
    at.apply(resign(at, ADA, 0))
    text = history(at, NAMED).record()
    assert '[Seat0 "Ada"]' in text
    assert '[Seat1 "engine, level 4"]' in text
    assert '[Result "2-1"]' in text
    assert quatuor.load(text).moves == [{0: "a"}]


def test_events_are_plain_and_hold_no_guest_ids():
    at = duel()
    event = move(at, ADA, 0, 0, "a")
    at.apply(event)
    presence = Presence({ADA: "Ada", BOB: "Bob"}, online={BOB})
    for message in (public_event(at, event), who_is_here(at, presence)):
        assert BOB not in str(message)
        assert ADA not in str(message)
    assert BOB not in str(snapshot(at, ADA, presence))


def test_wrong_number_of_seats():
    with pytest.raises(ValueError, match="1 seats given, plus4:elementary has 2"):
        table(human(ADA))


def test_study_is_an_independent_game():
    at = duel()
    at.study().play("a")
    assert at.game.ply == 0


def test_a_game_without_end_is_drawn_after_a_thousand_turns():
    seats = tuple(Seat("human", guest=guest) for guest in ("ada", "bob"))
    opening = ({"0": "-", "1": "-"},) * (LONGEST_GAME - 1)
    table = Table(
        Setup("trois_six", new("trois_six").variant.name, {"quiet_turns": None}, seats, "ada", opening=opening)
    )
    assert (table.ended_by, table.ranking) == (None, None)
    for seat, guest in enumerate(("ada", "bob")):
        table.apply(move(table, guest, LONGEST_GAME - 1, seat, "-"))
    assert (table.ended_by, table.ranking, table.to_move) == ("length", [1, 1], ())
    assert table.reason == {"code": "length", "turns": LONGEST_GAME}
    with pytest.raises(Refused, match="game_over"):
        move(table, "ada", LONGEST_GAME, 0, "-")
    again = load(history(table).record())
    assert (again.headers["Termination"], again.headers["Result"]) == ("length", "1-1")
