"""``quatuor mcp``: tools for language models."""

from typing import Annotated

import typer


def mcp(
    http: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Serve by streamable HTTP at /mcp instead of standard input."),
    ] = None,
) -> None:
    """Let language models play: a Model Context Protocol server on standard input and output, or by HTTP."""
    try:
        from quatuor.interop.mcp_server import main
    except ModuleNotFoundError as error:
        raise ValueError(f"{error.name} is not installed. Try: pip install 'quatuor[mcp]'") from None
    if http is None:
        main()
        return
    host, colon, port = http.rpartition(":")
    if not colon or not host or not port.isdecimal():
        raise ValueError(f"--http {http!r}: write HOST:PORT, such as 127.0.0.1:8765")
    main(host, int(port))
