"""How a rate is measured: CPU time, so that other programs disturb little; several runs, of which the median counts."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """How many per second of one processor core."""

    name: str
    unit: str
    median: float
    low: float
    high: float


def rate(name: str, unit: str, work: Callable[[], float], runs: int = 7, seconds: float = 0.5) -> Rate:
    """The rate of ``work``, which does something and returns how much. A run repeats it for ``seconds``."""
    work()  # compile, load, warm the caches
    rates = []
    for _ in range(runs):
        done, began = 0.0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            done += work()
        rates.append(done / spent)
    return Rate(name, unit, statistics.median(rates), min(rates), max(rates))
