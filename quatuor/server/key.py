"""The key that signs cookies: made once, for the server's user only."""

import contextlib
import logging
import os
import secrets
import stat
from pathlib import Path

log = logging.getLogger("quatuor.server")

LENGTH = 32
SHORTEST = 16  # bytes


def read_key(path: Path) -> bytes:
    """The key in a file, which is made if it is missing; ValueError if others could have chosen or changed it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _make(path)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & stat.S_IWOTH:
        raise ValueError(
            f"{path}: every user of this machine may change this key and so sign in as anybody. "
            "Delete it (a new one is made; everybody has to sign in again), or make it 0600 if you trust it"
        )
    if mode & stat.S_IROTH:
        log.warning("%s was readable by every user of this machine; now only by its owner. Consider a new key", path)
        with contextlib.suppress(OSError):  # a mounted secret of a container cannot be changed
            path.chmod(mode & stat.S_IRWXU)
    key = path.read_bytes()
    if len(key) < SHORTEST:
        raise ValueError(
            f"{path} has {len(key)} bytes, and a key needs at least {SHORTEST}. Delete it, and a new one is made; "
            "everybody has to sign in again"
        )
    return key


def _make(path: Path) -> None:
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(secrets.token_bytes(LENGTH))
        out.flush()
        os.fsync(out.fileno())
    with contextlib.suppress(FileExistsError):  # another process was quicker: its key counts, and is complete
        os.link(fresh, path)
    fresh.unlink()
