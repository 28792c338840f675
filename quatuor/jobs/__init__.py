"""Many independent pieces of work, on the processes of this machine or on a Ray cluster, with the same results.

A piece is a function and its arguments. Its result depends on nothing else, so a piece whose worker dies is simply
computed again. Every result is returned once, in the order in which they are found.

>>> from quatuor.jobs import workers
>>> with workers(jobs=2) as pool:
...     sorted(pool.map(pow, {"a": (2, 10), "b": (3, 4)}))
[('a', 1024), ('b', 81)]
"""

from quatuor.jobs.base import MAX_DEATHS, Died, Workers
from quatuor.jobs.cluster import Cluster
from quatuor.jobs.processes import Processes

__all__ = ["MAX_DEATHS", "Cluster", "Died", "Processes", "Workers", "workers"]


def workers(jobs: int | None = None, ray: str | None = None) -> Workers:
    """Processes of this machine; or a Ray cluster: ``local`` (started here), ``auto`` (this machine's), HOST:PORT.

    ``jobs``: how many pieces to compute at a time; by default as many as there are cores.
    """
    return Processes(jobs) if ray is None else Cluster(ray, jobs)
