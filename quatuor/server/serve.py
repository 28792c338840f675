"""``quatuor serve``: the app on a port of this machine."""

import asyncio
import ipaddress
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

import uvicorn
from fastapi import FastAPI
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from quatuor.server import logs
from quatuor.server.app import create_app
from quatuor.server.guard import LOOPBACK
from quatuor.server.http import BoundedHttp
from quatuor.server.key import read_key
from quatuor.server.settings import Settings
from quatuor.server.store.database import upgrade
from quatuor.server.supervisor import READY, Supervisor, check_processes, unpack
from quatuor.server.websocket import DirectWebsocket

PORT = 8000
TRIES = 100
TRANSPORT_LIMIT = 64 * 1024  # a larger frame breaks the connection; one above 4 KiB is answered with too_large

SWITCH = 0.0005  # seconds that the thread which stores moves waits at most for its turn


class Server(uvicorn.Server):
    """Asks all clients to reconnect before it closes their sockets."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app
        self.when_ready: Callable[[], None] = lambda: None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call ``when_ready`` once requests are answered."""
        await super().startup(sockets)
        if self.started:
            self.when_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop. First no more connections are accepted: a client that reconnects must reach another process."""
        for server in self.servers:
            server.close()
        for listening in sockets or ():
            listening.close()
        if hasattr(self.app.state, "services"):
            self.app.state.services.hub.bye("shutdown")
            await asyncio.sleep(0.1)
        await super().shutdown(sockets)


def make_server(settings: Settings) -> Server:
    """A uvicorn server for the app, set up for many small messages."""
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,  # logs.install has said what is logged where
        access_log=False,  # Guard logs requests, without their queries
        ws_max_size=TRANSPORT_LIMIT,
        ws_per_message_deflate=False,  # costs more memory and time for each connection than it saves on small messages
        ws_ping_interval=40.0,  # often enough for routers, seldom enough for thousands of connections
        timeout_graceful_shutdown=5,
        server_header=False,
        proxy_headers=False,  # Proxied reads them, and believes only the proxies of the settings
        http=BoundedHttp,
        ws=DirectWebsocket,
    )
    return Server(config, app)


def run(
    settings: Settings,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: bool = False,
    processes: int = 1,
    process_ports: int | None = None,
) -> None:
    """Serve until interrupted. Without a port: 8000, or the next free one.

    Several ``processes`` need PostgreSQL. With ``process_ports``, each of them also listens on its own port of the
    loopback, counted from this one, and so has its own ``/metrics``.
    """
    check_processes(settings, processes)
    logs.install(settings.log_level, settings.log_format)
    prepare(settings)
    listening = listen(host, port)
    numbers = range(process_ports, process_ports + processes) if process_ports else ()
    own = [listen("127.0.0.1", number) for number in numbers]
    settings = replace(settings, hosts=settings.hosts or (LOOPBACK if _is_loopback(host) else ()))
    address = f"http://{host if ':' not in host else f'[{host}]'}:{listening.getsockname()[1]}/"
    print(f"Quatuor: {address}  (Ctrl+C stops)", flush=True)
    if open_browser:
        webbrowser.open(address)
    if processes > 1:
        asyncio.run(Supervisor(settings, listening, own, processes).run())
    else:
        if sys.platform != "win32":  # SIGHUP stops the process as SIGTERM does; systemd then starts it again
            signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        serve(settings, [listening, *own])


def serve(settings: Settings, sockets: list[socket.socket], when_ready: Callable[[], None] = lambda: None) -> None:
    """Serve on these sockets in this process until it receives a signal."""
    _allow_many_lines()
    sys.setswitchinterval(SWITCH)
    server = make_server(settings)
    server.when_ready = when_ready
    server.run(sockets=sockets)


def serve_inherited(fds: list[int]) -> None:
    """One process of several: the supervisor passes the settings on standard input, and sockets by their numbers."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which only the supervisor handles
    orders, reports = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    settings = unpack(orders)
    logs.install(settings.log_level, settings.log_format)
    prepare(settings)

    def wait_for_end() -> None:
        orders.read()  # ends when the supervisor does
        os.kill(os.getpid(), signal.SIGTERM)

    def ready() -> None:
        reports.write(READY)
        reports.close()

    threading.Thread(target=wait_for_end, daemon=True).start()
    sockets = [socket.socket(fileno=fd) for fd in fds]
    for listening in sockets:
        listening.set_inheritable(False)
    serve(settings, sockets, ready)


def prepare(settings: Settings) -> None:
    """Upgrade the store and read the key before anything else; ValueError says what is wrong with them.

    Once the server runs, errors are logged without their messages.
    """
    read_key(settings.secret_file)
    try:
        upgrade(make_url(settings.url))
    except DBAPIError as error:
        raise ValueError(f"the store cannot be opened: {str(error.orig).splitlines()[0]}") from None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _allow_many_lines() -> None:
    """Allow as many open sockets as the system grants; its default is often a thousand."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on the port that was asked for, or on the first free one from 8000."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [port] if port is not None else range(PORT, PORT + TRIES):
        try:
            listening = socket.create_server((host, number), family=family)
        except OSError as error:
            busy = error
        else:
            # Inherited by every connection; else an ack waits 40 ms behind the event that goes before it.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return listening
    raise OSError(f"cannot listen on {host}:{port or PORT}: {busy.strerror}")
