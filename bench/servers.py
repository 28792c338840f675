"""Servers in separate processes, for measurements: ours, and a bare websocket server for comparison."""

import asyncio
import contextlib
import os
import random
import re
import resource
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

SERVE = [sys.executable, "-c", "from quatuor.cli import main; main()", "serve"]
ECHO = [sys.executable, "-m", "bench.servers"]


class Server:
    """A started server: its address, its memory and its processor time."""

    def __init__(self, command: list[str]) -> None:
        more_files()
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        found = re.search(r"http://([\d.:]+)/", self._process.stdout.readline() if self._process.stdout else "")
        if not found:
            raise RuntimeError(f"{' '.join(command)} did not start")
        self.address = found[1]
        self._facts = Path(f"/proc/{self._process.pid}")

    @property
    def memory(self) -> int:
        """Bytes in use, by all its processes together."""
        pages = (int((facts / "statm").read_text().split()[1]) for facts in self._processes())
        return sum(pages) * resource.getpagesize()

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = [(facts / "stat").read_text().rpartition(")")[2].split() for facts in self._processes()]
        return sum(int(user) + int(system) for user, system in (one[11:13] for one in fields)) / os.sysconf(
            "SC_CLK_TCK"
        )

    def _processes(self) -> list[Path]:
        """The server and all processes that it has started, as folders of /proc."""
        found = [self._facts]
        for facts in found:
            children = (facts / "task" / facts.name / "children").read_text().split()
            found += [facts.parent / child for child in children]
        return found

    def kill(self) -> None:
        """Kill it at once: kill -9."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


def quatuor(store: str, secret: Path, port: int = 0, *options: str) -> Server:
    """``quatuor serve`` over a store."""
    return Server([*SERVE, "--port", str(port), "--store", store, "--secret", str(secret), *options])


def echo() -> Server:
    """Sends every message back to all clients at the same address, and does nothing else."""
    return Server(ECHO)


def free_ports(count: int) -> int:
    """The first of ``count`` consecutive ports that are free."""
    while True:
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            first = random.randrange(20_000, 30_000)
            for port in range(first, first + count):
                held.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


def more_files() -> None:
    """Allow thousands of open sockets."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def echoing(scope: Any, receive: Any, send: Any) -> None:
    """The bare server, as an ASGI app: what a table would cost without a game and without a store."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    room = ROOMS.setdefault(scope["path"], set())
    room.add(send)
    while (message := await receive())["type"] == "websocket.receive":
        await asyncio.gather(*(other({"type": "websocket.send", "text": message["text"]}) for other in room))
    room.discard(send)


ROOMS: dict[str, set[Any]] = {}

if __name__ == "__main__":
    import uvicorn

    from quatuor.server.serve import listen

    listening = listen("127.0.0.1", 0)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(echoing, log_level="error", lifespan="off", ws_per_message_deflate=False)
    uvicorn.Server(config).run(sockets=[listening])
