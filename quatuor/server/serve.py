"""``quatuor serve``: the app on a port of this machine."""

import asyncio
import ipaddress
import socket
import sys
import webbrowser
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

PORT = 8000
TRIES = 100
TRANSPORT_LIMIT = 64 * 1024  # a larger frame breaks the connection; one above 4 KiB is answered with too_large

SWITCH = 0.0005  # seconds that the thread which writes moves down waits at most until it may go on


class Server(uvicorn.Server):
    """Says goodbye to everybody before the sockets are closed."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, politely."""
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
        ws_per_message_deflate=False,  # costs more memory and time for each line than it saves on small messages
        ws_ping_interval=40.0,  # often enough for routers, seldom enough for thousands of lines
        timeout_graceful_shutdown=5,
        server_header=False,
        proxy_headers=False,  # Proxied reads them, and believes only the proxies of the settings
        http=BoundedHttp,
    )
    return Server(config, app)


def run(settings: Settings, host: str = "127.0.0.1", port: int | None = None, open_browser: bool = False) -> None:
    """Serve until interrupted. Without a port: 8000, or the next free one."""
    logs.install(settings.log_level, settings.log_format)
    prepare(settings)
    listening = listen(host, port)
    _allow_many_lines()
    sys.setswitchinterval(SWITCH)
    server = make_server(replace(settings, hosts=settings.hosts or (LOOPBACK if _is_loopback(host) else ())))
    address = f"http://{host if ':' not in host else f'[{host}]'}:{listening.getsockname()[1]}/"
    print(f"Quatuor: {address}  (Ctrl+C stops)", flush=True)
    if open_browser:
        webbrowser.open(address)
    server.run(sockets=[listening])


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
    """As many open sockets as the system grants; its first offer is often a thousand."""
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
