"""``quatuor engine``: the engine for other people's programs."""

from typing import Annotated

import typer


def engine(
    level: Annotated[int, typer.Option(min=1, max=8, help="How strong it plays; the host may change it.")] = 8,
) -> None:
    """Speak the engine protocol, for every game, on standard input and output."""
    from quatuor.interop.engine_protocol import main

    main(level)
