"""``quatuor mcp``: tools for language models."""

from typing import Annotated

import typer


def mcp(
    http: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Serve by streamable HTTP at /mcp instead of standard input."),
    ] = None,
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Tools for the tables of this server, too; needs a token.")
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="QUATUOR_TOKEN", help="The token of the bot that plays there (POST /api/bots).")
    ] = "",
) -> None:
    """Let language models play: a Model Context Protocol server on standard input and output, or by HTTP."""
    try:
        from quatuor.interop.mcp_server import main
        from quatuor.interop.mcp_tables import ServerTables
    except ModuleNotFoundError as error:
        raise ValueError(f"{error.name} is not installed. Try: pip install 'quatuor[mcp]'") from None
    if server and not (server.startswith(("http://", "https://")) and token):
        raise ValueError(
            f"--server {server!r}: write its address, such as http://localhost:8000, and give a bot's --token"
        )
    tables = ServerTables(server, token) if server else None
    if http is None:
        main(tables=tables)
        return
    host, port = _free(http)
    typer.echo(f"http://{http}/mcp  (Ctrl+C stops)", err=True)
    main(host, port, tables)


def _free(http: str) -> tuple[str, int]:
    """Host and port of HOST:PORT. ValueError if nothing can listen there."""
    import socket

    host, _, port = http.rpartition(":")
    host = host.strip("[]")  # around an address with colons
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"--http {http!r}: write HOST:PORT, such as 127.0.0.1:8765")
    try:
        socket.create_server((host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        raise ValueError(f"--http {http}: {str(error.strerror).partition(' (')[0]}") from None
    return host, int(port)
