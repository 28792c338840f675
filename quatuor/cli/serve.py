"""``quatuor serve`` and ``quatuor gtp``: for browsers and for other programs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Level(StrEnum):
    """How much is logged."""

    debug = "debug"
    info = "info"
    warning = "warning"
    error = "error"


def serve(
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 lets the home network in.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="By default 8000, or the next free one.")] = None,
    store: Annotated[
        str | None, typer.Option(envvar="QUATUOR_STORE", help="Where games are kept: a file, or a PostgreSQL URL.")
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(envvar="QUATUOR_SECRET", help="The file with the key that signs cookies."),
    ] = None,
    log: Annotated[Level, typer.Option(envvar="QUATUOR_LOG", help="How much is logged.")] = Level.warning,
    json_log: Annotated[bool, typer.Option("--json-log", envvar="QUATUOR_JSON_LOG", help="Log JSON lines.")] = False,
    metrics_for: Annotated[
        list[str],
        typer.Option(envvar="QUATUOR_METRICS_FOR", help="Who may read /metrics."),
    ] = ["127.0.0.1", "::1"],  # noqa: B006
    proxies: Annotated[
        list[str] | None,
        typer.Option(envvar="QUATUOR_PROXIES", help="Proxies to trust: addresses or networks; else the loopback."),
    ] = None,
    hosts: Annotated[
        list[str] | None,
        typer.Option(
            envvar="QUATUOR_HOSTS", help="Names under which the server is reached, such as games.example.org."
        ),
    ] = None,
    budgets: Annotated[
        str, typer.Option(envvar="QUATUOR_BUDGETS", help="What a network may use, such as 'sockets=500 tables=200'.")
    ] = "",
    smtp: Annotated[
        str | None,
        typer.Option(envvar="QUATUOR_SMTP", help="A mail server, such as smtp://user:password@host:587."),
    ] = None,
    mail_from: Annotated[str | None, typer.Option(envvar="QUATUOR_MAIL_FROM", help="The sender of mails.")] = None,
    site_url: Annotated[
        str | None, typer.Option(envvar="QUATUOR_SITE_URL", help="The page's address, for links in mails.")
    ] = None,
    engine_workers: Annotated[
        int | None,
        typer.Option(
            min=1, envvar="QUATUOR_ENGINE_WORKERS", help="Processes that search; by default one for each core."
        ),
    ] = None,
    processes: Annotated[
        int,
        typer.Option(min=1, envvar="QUATUOR_PROCESSES", help="Server processes behind the port; needs PostgreSQL."),
    ] = 1,
    process_ports: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            envvar="QUATUOR_PROCESS_PORTS",
            help="The first of one port on the loopback for each process, for its /metrics.",
        ),
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Run the server for browsers."""
    from quatuor.server import Settings, run
    from quatuor.server.budgets import parse
    from quatuor.server.proxies import PROXIES, check
    from quatuor.server.supervisor import check_processes

    try:
        numbers = parse(budgets)
        check(proxies or ())
        settings = Settings(
            store=store, secret=secret, metrics_for=tuple(metrics_for), proxies=tuple(proxies or PROXIES),
            hosts=tuple(hosts or ()), budgets=numbers, engine_workers=engine_workers,
            log_level=log.value, log_format="json" if json_log else "text",
            smtp=smtp, mail_from=mail_from, site_url=site_url.rstrip("/") if site_url else None,
        )  # fmt: skip
        check_processes(settings, processes)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    run(settings, host, port, open, processes, process_ports)


def gtp(
    game: Annotated[str, typer.Option(help="classic, classic_2, classic_3 or duo.")] = "classic",
    level: Annotated[int, typer.Option(min=1, max=8, help="How strong it plays.")] = 5,
    seconds: Annotated[float | None, typer.Option(min=0.001, help="At most this many seconds for a move.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Processor cores it may use.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Makes the engine repeat itself.")] = None,
) -> None:
    """Speak the Go Text Protocol about Blokus, on standard input and output."""
    import quatuor
    from quatuor.interop.gtp import main

    main(game, quatuor.engine(level=level, seconds=seconds, seed=seed, threads=threads))
