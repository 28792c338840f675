"""The pace of a table and its clocks. Times are milliseconds; the caller measures them."""

from collections.abc import Iterable
from dataclasses import dataclass

SECOND, DAY = 1000, 86_400_000
LAG_LIMIT = 500  # milliseconds of a message's travel time that a turn gives back at most
# A quota limits it too, since a slow connection looks the same as a player who waits before answering. As on lichess,
# each turn adds to the quota a fixed part and a part of the estimated length of the game; the quota starts at a
# multiple of that, and is limited to another multiple.
QUOTA_FIXED, QUOTA_SHARE, QUOTA_LONGEST = 150, 0.004, 1000
QUOTA_START, QUOTA_MOST = 3, 7
WAITS = ((180, 30), (480, 60), (1500, 120))  # (a game of at most these seconds, how many seconds a player may be away)
LONGEST_WAIT = 300
USUAL_TURNS = 40  # to estimate how long a game with an increment takes


@dataclass(frozen=True)
class Pace:
    """A total of seconds for the whole game and an increment after each turn, or days for each turn, or no clock."""

    total: int = 0
    increment: int = 0
    days: int = 0

    @property
    def budget(self) -> int:
        """What a clock shows at first; 0: there is none."""
        return self.days * DAY or self.total * SECOND

    @property
    def estimate(self) -> int:
        """How many seconds a player takes for a usual game."""
        return self.total + USUAL_TURNS * self.increment

    @property
    def lag_quota(self) -> float:
        """How much travel time of messages each turn may give back, in the long run."""
        if self.days:
            return QUOTA_LONGEST
        return min(QUOTA_LONGEST, QUOTA_FIXED + QUOTA_SHARE * self.estimate * SECOND)

    @property
    def wait(self) -> int | None:
        """How long a player to move may be away before the others may act; None: until the flag falls."""
        if self.days:
            return None
        fitting = [wait for longest, wait in WAITS if 0 < self.estimate <= longest]
        return int((fitting[0] if fitting else LONGEST_WAIT) * SECOND)


NO_CLOCK = Pace()


class Clocks:
    """One clock for each seat. The first turn of a game is free: a clock shows its total until its seat has moved.

    While the players are ``gathering``, no clock runs.
    """

    def __init__(self, pace: Pace, seats: int, gathering: bool = False) -> None:
        self.pace, self.gathering = pace, gathering
        self.left = [pace.budget] * seats  # what was left when the clock last stopped
        self.since: dict[int, int] = {}  # seats whose clock runs, and from when
        self.quota = [QUOTA_START * pace.lag_quota] * seats  # how much travel time may still be given back
        self._begun: set[int] = set()  # seats that have moved
        self._before = [list(self.left)]  # what was left before each ply, to take back

    def until(self, seat: int) -> int | None:
        """When the flag falls; None: the clock does not run."""
        return self.since[seat] + self.left[seat] if seat in self.since else None

    def free(self, seat: int) -> bool:
        """Whether this turn costs the seat no time: it is the seat's first."""
        return bool(self.pace.total) and seat not in self._begun

    def allowance(self, seat: int) -> int:
        """How much of the time a message took is given back this turn at most."""
        return int(min(LAG_LIMIT, self.quota[seat]))

    def fallen(self, seat: int, now: int, lag: int = LAG_LIMIT) -> bool:
        """Whether the time is up, even allowing for a message on its way."""
        until = self.until(seat)
        return until is not None and now - min(lag, self.allowance(seat)) > until

    @property
    def next_fall(self) -> int | None:
        """When the next flag falls if nobody moves."""
        falls = [since + self.left[seat] + self.allowance(seat) for seat, since in self.since.items()]
        return min(falls) + 1 if falls else None

    def run(self, acting: Iterable[int], at: int) -> None:
        """From now on these clocks run, and no others."""
        if not self.pace.budget:
            return
        acting = set() if self.gathering else set(acting)
        for seat in [seat for seat in self.since if seat not in acting]:
            self._stop(seat, at)
        for seat in acting:
            self.since.setdefault(seat, at)

    def press(self, seat: int, at: int, lag: int) -> None:
        """A seat has moved: its clock stops, and gets what a turn brings."""
        if self.gathering:
            self._begun.add(seat)
        elif seat in self.since:
            used = min(lag, max(0, at - self.since[seat])) if seat in self._begun else 0
            gain = self.pace.lag_quota
            self.quota[seat] = min(QUOTA_MOST * gain, max(0, self.quota[seat] - used) + gain)
            self._stop(seat, at - lag)
            self.left[seat] = self.pace.budget if self.pace.days else self.left[seat] + self._increment(seat)
            self._begun.add(seat)

    def turned(self, ply: int) -> None:
        """A ply is complete: remember what each clock shows."""
        if not self.pace.budget:
            return
        del self._before[ply:]
        self._before.append(list(self.left))

    def rewind(self, ply: int) -> None:
        """Back to a ply: no clock shows more than it did then; time spent on moves taken back is not returned."""
        if not self.pace.budget:
            return
        self.since = {}
        self.left = [min(now, then) for now, then in zip(self.left, self._before[ply], strict=True)]
        del self._before[ply + 1 :]

    def hold(self, start: int, end: int) -> None:
        """No clock ran between those moments."""
        self.since = {seat: since + max(0, end - max(start, since)) for seat, since in self.since.items()}

    def _increment(self, seat: int) -> int:
        return self.pace.increment * SECOND if seat in self._begun else 0

    def _stop(self, seat: int, at: int) -> None:
        since = self.since.pop(seat)
        if seat in self._begun and not self.pace.days:
            self.left[seat] = max(0, self.left[seat] - max(0, at - since))
