"""Clocks, with a time that the test sets."""

import pytest

from quatuor.table import Event, Seat, history, snapshot, view_for
from quatuor.table.clocks import DAY, LAG_LIMIT, Clocks
from quatuor.table.turns import engines
from tests.table.deciding import answer, flag, join, move, resign, undo
from tests.table.gathering import ADA, BOB, NOON, Gathering, Pace, duel, four, human, refused

FIVE_PLUS_TWO = Pace(total=300, increment=2)


def left(at: Gathering) -> list[int]:
    return at.table.clocks.left


def test_the_first_turn_is_free_and_the_others_cost_their_time_less_the_increment():
    at = duel(pace=FIVE_PLUS_TWO)
    at.move(0, after=100)
    at.move(1, after=50)
    assert left(at) == [300_000, 300_000]
    at.move(0, after=10)
    at.move(1, after=1.5)
    assert left(at) == [292_000, 300_500]


def test_events_hold_deadlines_and_only_the_clock_of_the_seat_to_move_runs():
    at = duel(pace=FIVE_PLUS_TWO)
    assert [seat["until"] for seat in view_for(at.table, BOB)["seats"]] == [NOON + 300_000, None]
    at.move(0, after=10)
    assert [seat["until"] for seat in view_for(at.table, None)["seats"]] == [None, NOON + 310_000]
    assert [seat["left"] for seat in view_for(at.table, None)["seats"]] == [300_000, 300_000]


def test_a_flag_ends_a_game_of_two():
    at = duel(pace=Pace(total=60))
    at.move(0)
    at.move(1)
    at.move(0, after=5)
    at.now += 60_000 + LAG_LIMIT
    assert flag(at.table, at.now) is None, "a message may still be on its way"
    at.now += 1
    assert at.now == at.table.clocks.next_fall
    refused("time_up", move, at.table, BOB, 3, 1, "a", now=at.now, lag=LAG_LIMIT)
    at.do(flag(at.table, at.now))
    assert (at.table.ended_by, at.table.ranking, at.table.to_move) == ("time", [1, 2], ())
    assert at.table.reason == {"code": "time", "seat": 1}
    assert (left(at)[1], at.table.clocks.since) == (0, {})
    assert '[Termination "time"]' in history(at.table).record()
    refused("game_over", move, at.table, BOB, 3, 1, "a", now=at.now)


@pytest.mark.parametrize("pace", [Pace(total=60), Pace(days=1)])
@pytest.mark.parametrize("turns", [0, 1])
def test_a_game_whose_first_moves_are_not_made_in_time_is_called_off(turns, pace):
    at = duel(pace=pace)
    for seat in range(turns):
        at.move(seat, after=50)
    assert flag(at.table, at.now + pace.budget) is None
    at.now += pace.budget + LAG_LIMIT + 1
    at.do(flag(at.table, at.now))
    assert (at.table.ended_by, at.table.ranking, at.table.out) == ("aborted", None, {})
    assert flag(at.table, at.now + 1) is None


def test_in_a_tournament_a_player_who_does_not_come_loses():
    at = duel(pace=Pace(total=60), tournament="cup")
    at.now += 61_000
    at.do(flag(at.table, at.now))
    assert (at.table.ended_by, at.table.ranking) == ("time", [2, 1])


def test_in_a_game_of_four_an_engine_stands_in_and_the_seat_is_ranked_last():
    at = four(pace=Pace(total=60))
    for seat in (0, 1, 2):
        at.move(seat)
    at.do(answer(at.table, at.table.turn, 3, at.table.game.legal()[0]))
    at.now += 61_000
    at.do(flag(at.table, at.now))
    assert (at.table.ended_by, at.table.out) == (None, {0: "time"})
    assert engines(at.table) == {0: 3}
    assert at.table.clocks.since == {}, "engines have no clock"
    at.do(answer(at.table, at.table.turn, 0, at.table.game.legal()[0]))
    assert list(at.table.clocks.since) == [1]
    at.do(resign(at.table, BOB, 1))
    at.do(resign(at.table, "cat", 2))
    assert at.table.ranking == [4, 3, 2, 1]


def test_in_simultaneous_turns_each_clock_runs_until_its_order_is_in():
    at = duel(game="trois_six", variant="classic", pace=Pace(total=60))
    at.move(0, "-")
    at.move(1, "-")
    at.move(1, "-", after=4)
    assert (left(at), list(at.table.clocks.since)) == ([60_000, 56_000], [0])
    at.move(0, "-", after=6)
    assert left(at) == [50_000, 56_000]
    assert at.table.clocks.since == {0: at.now, 1: at.now}
    at.now += 50_600
    at.do(flag(at.table, at.now))
    assert at.table.ended_by == "time"
    assert (at.table.ranking, flag(at.table, at.now + 9_000)) == ([2, 1], None), "the first flag decides"


def turn(clocks: Clocks, seat: int, at: int, took: int, lag: int = 0) -> int:
    """A seat's turn; when it ended."""
    clocks.run([seat], at)
    clocks.press(seat, at + took, min(lag, clocks.allowance(seat)))
    return at + took


def test_a_client_that_fakes_lag_gains_little():
    clocks, at, turns = Clocks(Pace(total=5), 2), NOON, 20
    for _ in range(turns):
        at = turn(clocks, 0, at, 200, LAG_LIMIT)  # 0.2 seconds of thought, and a faked lag of half a second
        at = turn(clocks, 1, at, 200)
    gain = 150 + 0.004 * 5_000  # what a turn adds to the quota
    assert 0 < clocks.left[0] - clocks.left[1] <= (3 + turns) * gain
    assert clocks.allowance(0) < 200


def test_a_client_without_lag_quota_gets_no_allowance():
    clocks, at = Clocks(Pace(total=5), 2), NOON
    for _ in range(6):
        at = turn(clocks, 0, at, 500, LAG_LIMIT)
        at = turn(clocks, 1, at, 100)
    clocks.run([0], at)
    allowance, until = clocks.allowance(0), clocks.until(0)
    assert 0 < allowance < LAG_LIMIT
    assert not clocks.fallen(0, until + allowance)
    assert clocks.next_fall == until + allowance + 1
    assert clocks.fallen(0, until + allowance + 1, lag=LAG_LIMIT)


def test_the_quota_recovers_and_is_never_large():
    clocks = Clocks(Pace(total=60), 2)
    for turn in range(50):
        clocks.run([0], turn * 1000)
        clocks.press(0, turn * 1000 + 500, 0)
    assert clocks.quota[0] == 7 * (150 + 0.004 * 60_000)


def test_lag_is_given_back_up_to_a_limit():
    at = duel(pace=Pace(total=60))
    at.move(0)
    at.move(1)
    at.move(0, after=1, lag=300)
    assert left(at)[0] == 59_300
    at.move(1, after=10, lag=60_000)
    assert left(at)[1] == 50_000 + LAG_LIMIT
    at.move(0, after=0.1, lag=400)
    assert left(at)[0] == 59_300, "no player gains time"


def test_a_move_that_was_under_way_when_the_time_ran_out_counts():
    at = duel(pace=Pace(total=60))
    at.move(0)
    at.move(1)
    at.now += 60_200
    refused("time_up", move, at.table, ADA, 2, 0, "a", now=at.now, lag=100)
    at.move(0, lag=200)
    assert left(at)[0] == 0


def test_paces_of_days_for_each_move():
    at = duel(pace=Pace(days=3))
    at.move(0, after=86_400)
    assert left(at) == [3 * DAY, 3 * DAY]
    assert at.table.clocks.until(1) == at.now + 3 * DAY
    at.move(1, after=2 * 86_400)
    at.now += 3 * DAY + LAG_LIMIT + 1
    at.do(flag(at.table, at.now))
    assert at.table.ranking == [2, 1]


def test_no_clock_runs_while_a_player_is_awaited():
    at = Gathering(human(ADA), Seat("open", token="t"), pace=Pace(total=60))
    assert at.table.clocks.since == {}
    at.move(0, after=1000)
    at.now += 1_000_000
    at.do(join(at.table, BOB, "t"))
    assert at.table.clocks.since == {1: at.now}


def test_without_a_pace_there_are_no_clocks():
    at = duel()
    at.move(0, after=10_000)
    assert at.table.clocks.next_fall is None
    assert {(seat["left"], seat["until"]) for seat in view_for(at.table, ADA)["seats"]} == {(None, None)}


def test_undo_gives_no_time_back():
    at = duel(pace=FIVE_PLUS_TWO, takeback=True)
    for seat in (0, 1):
        at.move(seat)
    at.move(0, after=1)
    at.now += 8000  # bob's time for a move that is undone is not charged
    at.do(undo(at.table, ADA, 3))
    assert (left(at), at.table.clocks.since) == ([300_000, 300_000], {0: at.now})
    at.move(0, after=50)
    at.do(undo(at.table, ADA, 3))
    assert left(at)[0] == 252_000


def test_while_the_server_was_down_no_clock_ran():
    at = duel(pace=Pace(total=60))
    at.move(0)
    at.move(1)
    at.now += 10_000
    down = at.now
    at.now += 3_600_000
    at.do(Event("hold", {"start": down, "end": at.now}))
    at.move(0, after=5)
    assert left(at)[0] == 45_000


def test_an_open_ended_hold_before_the_turn_changes_nothing():
    at = duel(pace=Pace(total=60))
    at.move(0)
    at.move(1)
    at.do(Event("hold", {"start": NOON - 5000, "end": NOON - 1000}))
    at.move(0, after=5)
    assert left(at)[0] == 55_000


@pytest.mark.parametrize("pace", [FIVE_PLUS_TWO, Pace(days=1)])
def test_replaying_a_log_gives_the_same_clocks(pace):
    at = duel(pace=pace, takeback=True)
    for turn in range(6):
        at.move(turn % 2, after=1.5 + turn, lag=40 * turn)
    at.do(undo(at.table, BOB, 6))
    at.do(Event("hold", {"start": at.now, "end": at.now + 700}))
    twin = at.replayed()
    assert (twin.clocks.left, twin.clocks.since) == (left(at), at.table.clocks.since)
    assert snapshot(twin, ADA) == snapshot(at.table, ADA)
