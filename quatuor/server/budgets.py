"""What a visitor may use, so that nobody can stop others from playing. docs/budgets.md explains every number.

A budget counts by network (an IPv4 address or an IPv6 /64) and, where the person is known, by person. *Places* are held
for a while and given back: an open socket, a table in memory. *Rates* are spent and refill: requests, stored bytes.
"""

import contextlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from quatuor.server.visitors import Visitor
from quatuor.table import Refused

MB = 1024 * 1024
REMEMBERED = 10_000  # networks and people whose spending is remembered at most, for each budget
RETRY_PLACE = 10  # seconds after which a refused visitor may ask for a place again
REPORTED_FROM = 0.1  # the part of a budget that must be used before other processes learn of it
REPORTED = 60  # rows of one report; together they fit into one message of PostgreSQL
STALE_AFTER = 10.0  # seconds after which the report of another process no longer counts


class Places(NamedTuple):
    """How many a network and a person may hold at the same time."""

    network: float
    person: float


class Rate(NamedTuple):
    """How much a network and a person may spend at once, and the seconds in which an empty budget refills."""

    network: float
    person: float
    refill: float


Limit = Places | Rate

LIMITS: Mapping[str, Limit] = {
    # held at the same time                   network   person
    "connections":          Places(network=      500, person=   500),  # TCP connections that are not yet websockets
    "sockets":              Places(network=      200, person=    50),  # open websockets
    "queued_bytes":         Places(network=  32 * MB, person= 8 * MB),  # waiting for sockets that read slowly
    "tables":               Places(network=      100, person=    40),  # in memory: the visitor opened or read them
    "listed":               Places(network=       20, person=     5),  # tables that wait for players in the lobby
    "analyses":             Places(network=        4, person=     1),  # of a whole game
    "puzzles":              Places(network=        4, person=     2),  # that are being made or solved to the end
    # spent, and refilled within these seconds
    "requests":             Rate(network=   300, person=   300, refill=  10),  # of any kind; COSTS weighs them
    "changes":              Rate(network=    60, person=    60, refill=  12),  # requests that change something
    "new_tables":           Rate(network=    60, person=    30, refill= 300),
    "events":               Rate(network=  1000, person=   400, refill=  60),  # moves, chat and the like
    "stored_bytes":         Rate(network=4 * MB, person=1 * MB, refill=1000),
    "reports":              Rate(network=    60, person=    20, refill=3600),  # of messages, to the moderators
    "mails":                Rate(network=    20, person=     5, refill=86_400),  # that ask to confirm an address
    "engine_seconds":       Rate(network=   600, person=   300, refill= 600),  # of a processor core
}  # fmt: skip

COSTS = {
    "file": 0.05,  # of the page: a class of pupils loads it all at once
    "socket": 5,
    "snapshot": 5,
    "record": 5,
    "picture": 10,
    "list": 3,
    "poll": 3,
    "watch": 10,
    "preview": 20,
    "profile": 20,
    "search": 10,
}  # in requests
EVENT_BYTES = 200  # of a stored event besides what the client sent: ids, time, hash, index
TABLE_EVENTS = 10_000  # events of one table; the longest games have about half


def adjusted(numbers: Mapping[str, float]) -> dict[str, Limit]:
    """The limits with other numbers for networks; a person's share grows and shrinks with the network's."""
    unknown = sorted(set(numbers) - set(LIMITS))
    if unknown:
        raise ValueError(f"no budget {unknown[0]!r}; choose from {', '.join(LIMITS)}")
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"budget {name}={number:g}: give a number above 0")
    return {name: _scaled(limit, numbers.get(name, limit.network)) for name, limit in LIMITS.items()}


def parse(text: str) -> dict[str, float]:
    """Numbers as QUATUOR_BUDGETS writes them: ``sockets=500 tables=200``."""
    found: dict[str, float] = {}
    for part in text.replace(",", " ").split():
        name, _, number = part.partition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise ValueError(f"{part!r}: write budgets as name=number, such as sockets=500") from None
    adjusted(found)
    return found


class Budgets:
    """Counts what visitors use in this process, and adds what other processes report."""

    def __init__(
        self, limits: Mapping[str, Limit] = LIMITS, shared: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits
        self._shared, self._clock = shared, clock
        self.count_refusal: Callable[[str, str], None] = lambda budget, of: None
        self._held: dict[tuple[str, str], float] = {}
        self._spent: dict[str, OrderedDict[str, tuple[float, float]]] = {name: OrderedDict() for name in limits}
        self._unreported: OrderedDict[tuple[str, str], float] = OrderedDict()  # spent since the last report
        self._elsewhere: dict[tuple[str, str], dict[str, tuple[float, float]]] = {}  # process -> held there, when

    # ---- places

    def take(self, budget: str, visitor: Visitor, amount: float = 1) -> None:
        """Hold a place until ``give_back``; Refused says which budget is full."""
        for of, key, most in self._keys(budget, visitor):
            if self._in_use(budget, key) + amount > most:
                raise self.refusal("over_budget", budget, of, most=most, retry_after=RETRY_PLACE)
        for _, key, _ in self._keys(budget, visitor):
            self._held[budget, key] = self._held.get((budget, key), 0) + amount

    def give_back(self, budget: str, visitor: Visitor, amount: float = 1) -> None:
        """A place is free again."""
        for _, key, _ in self._keys(budget, visitor):
            left = self._held.get((budget, key), 0) - amount
            if left > 0:
                self._held[budget, key] = left
            else:
                self._held.pop((budget, key), None)

    @contextlib.contextmanager
    def place(self, budget: str, visitor: Visitor) -> Iterator[None]:
        """A place for as long as the block runs."""
        self.take(budget, visitor)
        try:
            yield
        finally:
            self.give_back(budget, visitor)

    def held(self, budget: str, visitor: Visitor) -> float:
        """How much the visitor's network holds, here and at other processes."""
        return self._in_use(budget, _network(visitor))

    # ---- rates

    def spend(self, budget: str, visitor: Visitor, amount: float = 1) -> None:
        """Spend all of it or nothing: Refused says which budget is used up and when to try again."""
        keys, now = self._keys(budget, visitor), self._clock()
        left = [self._left(budget, key, most, now) for _, key, most in keys]
        for (of, _, most), rest in zip(keys, left, strict=True):
            missing = min(amount, most) - rest
            if missing > 0:
                seconds = max(1, math.ceil(missing * self._rate(budget).refill / most))
                raise self.refusal("rate_limited", budget, of, retry_after=seconds)
        for (_, key, _), rest in zip(keys, left, strict=True):
            self._count(budget, key, rest - amount, now, amount)

    def charge(self, budget: str, visitor: Visitor, amount: float) -> None:
        """Count what was used already; a budget may become negative, and ``spend`` then refuses."""
        now = self._clock()
        for _, key, most in self._keys(budget, visitor):
            self._count(budget, key, self._left(budget, key, most, now) - amount, now, amount)

    def left(self, budget: str, visitor: Visitor) -> float:
        """How much the visitor may spend now: by network or by person, whichever is less."""
        now = self._clock()
        return min(self._left(budget, key, most, now) for _, key, most in self._keys(budget, visitor))

    def refusal(self, code: str, budget: str, of: str, **detail: float) -> Refused:
        """The error to raise for a visitor whose budget is used up, by network, person or table; it is counted."""
        self.count_refusal(budget, of)
        return Refused(code, budget=budget, of=of, **detail)

    # ---- other processes

    def report(self) -> list[list[Any]]:
        """What the other processes have to know: rows of budget, key, held here, spent since the last report."""
        rows: list[tuple[float, list[Any]]] = []
        for (budget, key), held in self._held.items():
            rows.append((held / self._most(budget, key), [budget, key, held, 0]))
        for (budget, key), spent in self._unreported.items():
            rows.append((spent / self._most(budget, key), [budget, key, 0, spent]))
        rows.sort(key=lambda row: -row[0])
        chosen = [row for share, row in rows[:REPORTED] if share >= REPORTED_FROM]
        for budget, key, _, spent in chosen:
            if spent:
                del self._unreported[budget, key]
        return chosen

    def reported(self, process: str, rows: list[list[Any]]) -> None:
        """Another process's report."""
        now = self._clock()
        for budget, key, held, spent in rows:
            if budget not in self.limits:
                continue  # a process of another release
            if spent:
                self._count(budget, key, self._left(budget, key, self._most(budget, key), now) - spent, now)
            else:
                self._elsewhere.setdefault((budget, key), {})[process] = (held, now)
        for place, there in list(self._elsewhere.items()):
            for other in [other for other, report in there.items() if self._stale(report)]:
                del there[other]
            if not there:
                del self._elsewhere[place]

    # ---- inside

    def _keys(self, budget: str, visitor: Visitor) -> list[tuple[str, str, float]]:
        """Who is counted: the kind, the key, and the most that one may use."""
        limit = self.limits[budget]
        keys = [("network", _network(visitor), limit.network)]
        return keys + [("person", f"person {visitor.person}", limit.person)] * bool(visitor.person)

    def _most(self, budget: str, key: str) -> float:
        limit = self.limits[budget]
        return limit.network if key.startswith("network ") else limit.person

    def _rate(self, budget: str) -> Rate:
        limit = self.limits[budget]
        if not isinstance(limit, Rate):
            raise TypeError(f"{budget} is held, not spent: use take and give_back")
        return limit

    def _in_use(self, budget: str, key: str) -> float:
        there = self._elsewhere.get((budget, key), {}).values()
        return self._held.get((budget, key), 0) + sum(report[0] for report in there if not self._stale(report))

    def _stale(self, report: tuple[float, float]) -> bool:
        return self._clock() - report[1] > STALE_AFTER

    def _left(self, budget: str, key: str, most: float, now: float) -> float:
        known = self._spent[budget].get(key)
        if known is None:
            return most
        left, at = known
        return min(most, left + (now - at) * most / self._rate(budget).refill)

    def _count(self, budget: str, key: str, left: float, now: float, amount: float = 0) -> None:
        """Note what is left; ``amount`` was spent here, which other processes have to know."""
        if amount and self._shared:
            self._unreported[budget, key] = self._unreported.get((budget, key), 0) + amount
            self._unreported.move_to_end((budget, key))
            if len(self._unreported) > REMEMBERED:
                self._unreported.popitem(last=False)  # what is spent from now on has to be reported, too
        spent = self._spent[budget]
        before = len(spent)
        spent[key] = (left, now)
        if len(spent) > before:
            for _ in range(2):  # two for one that comes: in the end all are forgotten, and no visitor waits for many
                self._forget_oldest(budget, now)
        else:
            spent.move_to_end(key)

    def _forget_oldest(self, budget: str, now: float) -> None:
        """Forget the longest unused budget if it is full again, or if too many are remembered."""
        spent = self._spent[budget]
        key = next(iter(spent), None)
        if key is None:
            return
        most = self._most(budget, key)
        if len(spent) > REMEMBERED or self._left(budget, key, most, now) >= most:
            del spent[key]
            self._unreported.pop((budget, key), None)


def _network(visitor: Visitor) -> str:
    return f"network {visitor.network}"


def _scaled(limit: Limit, network: float) -> Limit:
    return limit._replace(network=network, person=max(1, limit.person * network / limit.network))
