"""What several commands share: naming a game, drawing it, finding files."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.panel import Panel
    from rich.progress import Progress

    from quatuor.game import Game
    from quatuor.jobs import Workers

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME[:VARIANT]",
        help="Such as [b]plus4[/b] or [b]plus4:endless[/b]; see `games`.",
        autocompletion=lambda incomplete: complete_game(incomplete),
    ),
]
Options = Annotated[
    list[str], typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule to choose; may be given often.")
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Games at the same time; else what the cores can do.")]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Work on a Ray cluster: HOST:PORT of its head, [b]auto[/b] or [b]local[/b]."),
]
Json = Annotated[bool, typer.Option("--json", help="For programs: plain JSON.")]


def counting() -> "Progress":
    """A progress bar, if the output is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def report_redone(pool: "Workers") -> None:
    """Print how many jobs ran again because a worker died."""
    if pool.redone:
        typer.echo(f"Done again, since a worker died: {pool.redone}", err=True)


def start(name: str, options: list[str], position: str | None = None) -> "Game":
    """The game that GAME[:VARIANT] and the options name, at its start or at a position."""
    from quatuor.game import new

    game, _, variant = name.partition(":")
    return new(game, variant or None, position=position, **pairs(options))


def complete_game(typed: str) -> list[str]:
    """The bundled games that begin like that, for the shell; without loading any of them."""
    folder = Path(__file__).parent.parent / "games"
    return [path.parent.name for path in sorted(folder.glob("*/__init__.py")) if path.parent.name.startswith(typed)]


def print_json(facts: Any) -> None:
    """For programs."""
    import json

    print(json.dumps(facts, indent=2, ensure_ascii=False))


def working(what: str) -> Any:
    """Show that work goes on, if the output is a terminal."""
    from rich.console import Console

    return Console(stderr=True).status(what)


def pairs(options: list[str]) -> dict[str, str]:
    """``["target=5"]`` as a dictionary."""
    found = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise ValueError(f"--option {option!r}: write NAME=VALUE, such as target=5")
        found[key.strip()] = value.strip()
    return found


def board(game: "Game", title: str = "") -> "Panel":
    """The position in a frame."""
    from rich.panel import Panel
    from rich.text import Text

    return Panel(
        Text.from_markup(game.book.text_board(game.state)),
        title=title or heading(game),
        title_align="left",
        subtitle=f"turn {game.ply}",
        subtitle_align="right",
        border_style="dim",
        padding=(1, 1),
        expand=False,
    )


def heading(game: "Game") -> str:
    """The game's title with its variant's, where there is a choice."""
    title = game.book.title.en
    return f"{title}: {game.variant.title.en}" if len(game.book.variants) > 1 else title


def result(game: "Game", names: tuple[str, ...]) -> str:
    """How a finished game ended, in one line of rich markup."""
    places = game.ranking
    first = [names[seat] for seat in range(game.seats) if places[seat] == 1]
    if len(first) == game.seats:
        end = "[bold]A draw[/]"
    elif len(first) == 1:
        end = f"[bold green]{first[0]}[/] wins"
    else:
        end = f"[bold green]{' and '.join(first)}[/] share the first place"
    details = [str(game.reason.get("code", "")).replace("_", " ")] if game.reason.get("code") else []
    if any(game.scores):
        details.append("points " + " : ".join(map(str, game.scores)))
    return end + (f" ({'; '.join(details)})" if details else "") + "."


def to_write(path: Path | None) -> Path | None:
    """Check an option that names a file to write, before the work whose result it is to hold."""
    if path:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return path


def read_text(file: Path) -> str:
    """The text of a file. Errors name it."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: this is not UTF-8 text (byte {error.start + 1})") from None


def within(paths: Iterable[Path], *suffixes: str) -> list[Path]:
    """The files, each once; of a folder, those in it and below whose names end like that."""
    found = (sorted(f for f in p.rglob("*") if f.suffix in suffixes) if p.is_dir() else [p] for p in paths)
    return list(dict.fromkeys(file for files in found for file in files))
