"""Run in a separate mount namespace: writes to a store on a disk that is full for a while.

``python -m tests.server.full_disk FOLDER`` mounts a small disk there, and prints what was acknowledged and stored.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
from pathlib import Path

from quatuor.server.store import Store
from quatuor.server.store.doctor import Damage, examine
from quatuor.server.store.store import StoreFailed
from quatuor.table import Event, Seat, Setup

SETUP = Setup("plus4", "elementary", {}, (Seat("human", "ada"), Seat("human", "bob")), "ada", "2026-11-15")


async def write(store: Store, acknowledged: list[int], count: int) -> None:
    for _ in range(count):
        version = len(acknowledged) + 1
        await store.append("t", version, Event("chat", {"seat": 0, "words": "x" * 200}, "ada", str(version), 1))
        acknowledged.append(version)


async def main(folder: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", folder], check=True)
    store = Store(f"sqlite:///{folder / 'games.sqlite'}")
    await store.open("t", SETUP)
    ballast, acknowledged, failed = folder / "ballast", [], 0
    with contextlib.suppress(OSError):  # until there is no room left
        ballast.write_bytes(b"x" * 3_000_000)
    for _ in range(3):
        try:
            await write(store, acknowledged, 10_000)
        except StoreFailed:
            failed += 1
    full = len(acknowledged)
    ballast.unlink()
    await write(store, acknowledged, 50)
    kept = [int(event.ack) for event in store.read("t").events]
    damaged = [found.what for found in examine(store.engine) if isinstance(found, Damage)]
    store.close()
    facts = {"failed": failed, "full": full, "acknowledged": acknowledged, "kept": kept, "damaged": damaged}
    print(json.dumps(facts))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
