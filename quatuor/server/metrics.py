"""What can be counted and timed, in Prometheus' format; one set for each app."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds


class Metrics:
    """Counters to be raised where something happens, and gauges that are computed when they are read."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.events = Counter("quatuor_events", "Events stored", ["kind"], registry=self._registry)
        self.refusals = Counter("quatuor_refusals", "Commands refused", ["code"], registry=self._registry)
        self.requests = Counter("quatuor_requests", "HTTP requests", ["method", "status"], registry=self._registry)
        self.engine_refusals = Counter(
            "quatuor_engine_refusals", "Engine work refused", ["priority", "code"], registry=self._registry
        )
        self.worker_restarts = Counter(
            "quatuor_worker_restarts", "Worker processes that ended", ["cause"], registry=self._registry
        )
        self.budget_refusals = Counter(
            "quatuor_budget_refusals", "Budgets found used up", ["budget", "of"], registry=self._registry
        )
        self._events_by_kind: dict[str, Counter] = {}
        self._gauges: dict[str, Gauge] = {}
        self.kept = Histogram(
            "quatuor_kept_seconds",
            "Until an event is on disk",
            buckets=QUICK,
            registry=self._registry,
        )

        self.loop_lag = Histogram(
            "quatuor_loop_lag_seconds",
            "How much later than due the event loop runs something",
            buckets=QUICK,
            registry=self._registry,
        )
        self.gc_pauses = Histogram(
            "quatuor_gc_pause_seconds",
            "How long the garbage collector stopped everything",
            ["generation"],
            buckets=QUICK,
            registry=self._registry,
        )

    def stored(self, kind: str, seconds: float) -> None:
        """An event was stored, within this time."""
        if kind not in self._events_by_kind:
            self._events_by_kind[kind] = self.events.labels(kind)
        self._events_by_kind[kind].inc()
        self.kept.observe(seconds)

    def watch(self, name: str, text: str, look: Callable[[], float], **labels: str) -> None:
        """A gauge whose value is what ``look`` gives; one for each value of its labels."""
        if name not in self._gauges:
            self._gauges[name] = Gauge(f"quatuor_{name}", text, list(labels), registry=self._registry)
        gauge = self._gauges[name]
        (gauge.labels(**labels) if labels else gauge).set_function(look)

    def text(self) -> tuple[bytes, str]:
        """All of them, and the type of that text."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4
