"""What solvers need of a cluster of machines. ``quatuor.jobs`` has one; the engine does not depend on it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol


class Cluster(Protocol):
    """Machines that compute pieces of work at the same time."""

    cores: int  # for each piece

    def smallest(self) -> int:
        """The number of cores of the smallest machine."""

    def share(self, value: Any) -> Any:
        """Copy a large value to the cluster once; pieces that take the result as an argument get the value."""

    def map(self, function: Callable[..., Any], pieces: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
        """Call a function with the arguments of each piece; yield name and result as they are computed."""
