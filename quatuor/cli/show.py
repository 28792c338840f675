"""``quatuor show``: look at a record."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.common import Json, board, heading, read_text, result

if TYPE_CHECKING:
    from quatuor.game import Game

SGF = ".blksgf"


def show(
    file: Annotated[Path, typer.Argument(help="A record, or a Blokus game as .blksgf.")],
    number: Annotated[
        int, typer.Option("--game", min=1, metavar="N", help="Which game, where a file has several.")
    ] = 1,
    ply: Annotated[int | None, typer.Option(min=0, help="Show the position after this many turns.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Write a picture of the position.")] = None,
    json: Json = False,
) -> None:
    """Show a recorded game: the position, the moves, the result."""
    texts = texts_in(file)
    if number > len(texts):
        raise ValueError(f"--game {number}: {file} has {len(texts)}")
    game = read(file, texts[number - 1])
    moves, ended = game.moves, _ended(game)
    if ply is not None:
        if ply > game.ply:
            raise ValueError(f"--ply {ply}: the game has {game.ply} turns")
        while game.ply > ply:
            game.undo()
    if svg:
        svg.write_text(game.svg(), encoding="utf-8")
    if json:
        import json as writer

        about = {**describe(game, moves), "number": number, "games": len(texts)}
        print(writer.dumps(about, indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    console.print(board(game))
    console.print(_moves(moves, game.ply))
    console.print(ended)
    if len(texts) > 1:
        console.print(f"[dim]Game {number} of {len(texts)} in this file; --game N shows another.[/]")
    if svg:
        console.print(f"[dim]Picture: {svg}[/]")


def texts_in(file: Path) -> list[str]:
    """The text of each game in a file, at least one. Errors name the file."""
    text = read_text(file)
    try:
        if file.suffix == SGF:
            from quatuor.interop.sgf import read_all

            trees = read_all(text)
            return [text] if len(trees) == 1 else [str(tree) for tree in trees]
        from quatuor.record import split

        return split(text) or [text]
    except ValueError as why:
        raise ValueError(f"{file}: {why}") from None


def read(file: Path, text: str) -> "Game":
    """The game in a text of a file, whose suffix says which format it is. Errors name the file."""
    try:
        return parse(text, file.suffix)
    except ValueError as why:
        raise ValueError(f"{file}: {why}") from None


def parse(text: str, suffix: str) -> "Game":
    """The game in a text."""
    if suffix == SGF:
        from quatuor.interop.sgf import read as read_sgf

        return read_sgf(text).game()
    from quatuor.record import load

    return load(text)


def names(game: "Game") -> tuple[str, ...]:
    """Who sat where, as far as the record says."""
    players = [game.headers.get(f"Seat{seat}", "?") for seat in range(game.seats)]
    return tuple(f"Player {seat + 1}" if name == "?" else name for seat, name in enumerate(players))


def describe(game: "Game", moves: list[dict[int, str]]) -> dict[str, Any]:
    """The game as plain data: where it stands, and every turn as {seat: move}."""
    return {
        "game": game.name,
        "variant": game.variant.name,
        "options": game.options,
        "seats": names(game),
        "headers": game.headers,
        "ply": game.ply,
        "moves": moves,
        "text": game.position if game.book.position else None,
        "position": game.view(),
        "to_move": game.to_move,
        "over": game.over,
        "scores": game.scores,
        "ranking": game.ranking if game.over else None,
        "reason": game.reason,
    }


def _ended(game: "Game") -> str:
    players = "   ".join(f"{seat + 1}. {name}" for seat, name in enumerate(names(game)))
    if game.over:
        end = result(game, names(game))
    elif "Termination" in game.headers:
        end = f"Ended: {game.headers['Termination']}, places {game.headers['Result']}."
    else:
        end = "The game goes on."
    return f"[dim]{heading(game)}[/]   {players}\n{end}"


def _moves(moves: list[dict[int, str]], ply: int) -> Any:
    from rich.columns import Columns
    from rich.text import Text

    shown = []
    for number, turn in enumerate(moves, 1):
        style = "bold green" if number == ply else "" if number < ply else "dim"
        shown.append(Text.assemble((f"{number}. ", "dim"), (" / ".join(turn.values()), style)))
    return Columns(shown, padding=(0, 2))
