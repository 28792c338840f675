"""What time it is, in milliseconds since 1970; it never goes back while the server runs."""

import time

_START = time.time_ns() - time.monotonic_ns()


def now() -> int:
    """This moment."""
    return (_START + time.monotonic_ns()) // 1_000_000
