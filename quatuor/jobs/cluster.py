"""Workers on a Ray cluster.

Ray knows which machines there are, starts processes on them and carries arguments and results. What is done again when
a worker dies is decided in one place for processes and clusters, so Ray's own retries are off.
"""

import functools
import hashlib
import os
import platform
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from quatuor.jobs.base import Died, Workers

ANSWER = 5.0  # seconds to wait for the head of a cluster; chosen, not measured
LOOK = 1.0  # seconds between two counts of the cores; chosen, not measured
AHEAD = 2  # pieces for each core: the next one has arrived when the last one ends; chosen, not measured
LOOPBACK = ("127.0.0.1", "localhost", "::1")
PACKAGE = Path(__file__).resolve().parent.parent


class Cluster(Workers):
    """The machines of a Ray cluster; a piece takes ``cores`` of one of them."""

    def __init__(self, address: str, jobs: int | None = None, cores: int = 1) -> None:
        super().__init__()
        self._ray = ray = _join(address, jobs)
        self._jobs, self.cores = jobs, cores
        self._looked, self._room = -LOOK, 0
        self._under_way: dict[Future[Any], Any] = {}
        self._task = ray.remote(max_retries=0)(_piece)
        if not ray.cluster_resources().get("CPU"):
            self.close()
            raise ValueError(f"--ray {address}: the cluster has no cores to work with; add machines by `ray start`")

    @property
    def room(self) -> int:
        """Asked again and again, because machines come and go."""
        if self._jobs:
            return self._jobs
        if time.monotonic() > self._looked + LOOK:
            self._room = max(1, int(AHEAD * self._ray.cluster_resources().get("CPU", 0) / self.cores))
            self._looked = time.monotonic()
        return self._room

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        reference = self._task.options(num_cpus=self.cores).remote(sources(), function, *arguments)
        future: Future[Any] = reference.future()
        self._under_way[future] = reference
        return future

    def result(self, future: Future[Any]) -> Any:
        del self._under_way[future]
        errors = self._ray.exceptions
        deaths = errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError, errors.ObjectLostError
        try:
            return future.result()
        except deaths as error:
            raise Died(type(error).__name__) from None
        except errors.RayTaskError as error:
            raise error.cause from None

    def give_up(self) -> None:
        for reference in self._under_way.values():
            self._ray.cancel(reference, force=True)
        self._under_way.clear()

    def share(self, value: Any) -> Any:
        """Copy a large value to the cluster once; pieces that take the result as an argument get the value."""
        return self._ray.put(value)

    def smallest(self) -> int:
        """The number of cores of the smallest machine."""
        cores = [int(node["Resources"].get("CPU", 0)) for node in self._ray.nodes() if node["Alive"]]
        return min((count for count in cores if count), default=1)

    def close(self) -> None:
        self._ray.shutdown()


def _join(address: str, jobs: int | None) -> Any:
    """Ray, connected to a cluster that runs already, or to one started here that only this machine can reach."""
    host, _, port = address.rpartition(":")
    if address not in ("local", "auto") and not (host and port.isdigit()):
        raise ValueError(f"--ray {address}: write local, auto or HOST:PORT, such as 10.0.0.1:6379")
    ray = imported(loopback=address == "local" or host in LOOPBACK)
    quiet: dict[str, Any] = {"logging_level": "error", "log_to_driver": False}
    if address == "local":
        ray.init("local", num_cpus=jobs, include_dashboard=False, **quiet)
        return ray
    if address != "auto":
        try:
            socket.create_connection((host, int(port)), ANSWER).close()
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise ValueError(f"--ray {address}: nothing answers there ({why}); did `ray start --head` run?") from None
    try:
        ray.init(address, **quiet)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
        hint = "is this machine in the cluster (ray start --address HOST:PORT), and RAY_AUTH_MODE=token set if it asks?"
        raise ValueError(f"--ray {address}: {str(error).splitlines()[0]} ({hint})") from None
    return ray


def imported(loopback: bool) -> Any:
    """Import Ray, which reads settings at that moment: whether it reports usage, which network it listens on."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if loopback:
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # Ray's name for: do not leave this machine
    try:
        import ray
    except ModuleNotFoundError as error:
        raise ValueError(f"{error.name} is not installed, which --ray needs. Try: pip install 'quatuor[ray]'") from None
    return ray


def _piece(asked: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Compute a piece, on any machine of the cluster."""
    if asked != sources():
        text = "has another Quatuor, Python, NumPy or Numba than the machine that asks: install the same on all"
        raise ValueError(f"{socket.gethostname()} {text}")
    return function(*arguments)


@functools.cache
def sources() -> str:
    """A digest of all that results depend on: machines with the same digest compute the same."""
    versions = (platform.python_version(), version("numpy"), version("numba") if find_spec("numba") else "")
    digest = hashlib.sha256(repr(versions).encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(f"{path.relative_to(PACKAGE)}\0".encode() + path.read_bytes())
    return digest.hexdigest()
