"""The command line. One file a command; games and the compiler are imported when a command runs, not before."""

import functools
import os
import sys
from typing import Annotated, Any

import typer

from quatuor import __version__
from quatuor.cli.admin import admin
from quatuor.cli.analyse import analyse
from quatuor.cli.arena import arena
from quatuor.cli.check import check
from quatuor.cli.doctor import doctor
from quatuor.cli.engine import engine
from quatuor.cli.games import games
from quatuor.cli.judge import judge
from quatuor.cli.mcp import mcp
from quatuor.cli.perft import perft
from quatuor.cli.play import play
from quatuor.cli.precompile import precompile
from quatuor.cli.puzzle import puzzle
from quatuor.cli.reports import reports
from quatuor.cli.serve import gtp, serve
from quatuor.cli.show import show
from quatuor.cli.solve import solve
from quatuor.cli.store import backup, export, import_, prune
from quatuor.cli.tournament import ratings, tournament

app = typer.Typer(
    name="quatuor",
    help="Four board games from their paper rulebooks: play, study, measure.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    epilog="For example: [b]quatuor play plus4[/b], [b]quatuor games blokus[/b], [b]quatuor solve plus4[/b]",
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    games, check, play, show, analyse, judge, arena, perft, solve, serve, export, backup, doctor, prune, reports, gtp,
    engine, mcp, precompile, ratings,
)  # fmt: skip
for command in COMMANDS:
    app.command()(command)
app.command(name="import")(import_)
app.command(name="warmup", hidden=True)(precompile)  # its former name
app.add_typer(admin)
app.add_typer(puzzle)
app.add_typer(tournament)


def _version(asked: bool) -> None:
    if asked:
        print(f"quatuor {__version__}")
        raise typer.Exit


@app.callback()
def _quatuor(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which release this is.")
    ] = False,
) -> None:
    pass


@functools.cache
def program() -> Any:
    """All commands as one function of the arguments. Made once: making it takes longer than many commands run."""
    return typer.main.get_command(app)


def main() -> None:
    """Run a command. A mistake of the user's is one red line and exit code 2, never a traceback."""
    try:
        code = program()(prog_name="quatuor", standalone_mode=False)
    except typer.TyperException as error:
        message = getattr(error, "format_message", error.__str__)()
        code = _fail(f"{message} Try: quatuor --help") if message else 2
    except BrokenPipeError:  # the reader has seen enough, as in `quatuor games | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except ModuleNotFoundError as error:  # an extra that was not installed, such as the server's
        code = _fail(f"{error.name} is not installed. Try: pip install 'quatuor[server]'")
    except OSError as error:
        code = _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except ValueError as error:
        code = _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        code = 130
    sys.exit(code)


def _fail(message: str) -> int:
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(("quatuor: ", "bold red"), (" ".join(message.split()), "red"))
    Console(stderr=True).print(line, soft_wrap=True)
    return 2
