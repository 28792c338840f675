"""``quatuor play``: a game in the terminal, against the engine, at random, or together at one keyboard."""

from typing import TYPE_CHECKING, Annotated

import typer

from quatuor.cli.common import GameName, Json, Options, board, result, start

if TYPE_CHECKING:
    from quatuor.cli.terminal_players import Player
    from quatuor.game import Game


def play(
    name: GameName,
    option: Options = [],  # noqa: B006
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            "-s",
            metavar="WHO",
            help="Who sits where, in order: [b]human[/b], [b]engine[/b], [b]engine:LEVEL[/b] (1 to 8) or "
            "[b]random[/b]. By default you play the first seat, engines the others.",
        ),
    ] = [],  # noqa: B006
    seed: Annotated[int | None, typer.Option(help="Makes random and engine players repeat themselves.")] = None,
    position: Annotated[str | None, typer.Option(help="Begin with this position instead of the usual start.")] = None,
    json: Json = False,
) -> None:
    """Play in the terminal. With --json, the finished game is printed; no person can play then."""
    game = start(name, option, position)
    from rich.console import Console

    from quatuor.cli.terminal_players import HELP, Left, players

    console = Console(stderr=json)
    seated = players(seat, game.seats, console, seed)
    if json:
        _play_quietly(game, seated)
        return
    if any(player.kind == "human" for player in seated):
        console.print(HELP)
    try:
        while not game.over:
            console.print(board(game))
            console.print(turn(game, seated))
    except (Left, EOFError):
        console.print("[dim]Good bye.[/]")
        return
    console.print(board(game))
    console.print(result(game, tuple(player.name for player in seated)))


def _play_quietly(game: "Game", seated: "list[Player]") -> None:
    """Play to the end and print the game for programs."""
    import json as writer

    from quatuor.cli.show import describe

    if any(player.kind == "human" for player in seated):
        raise ValueError("--json plays without people: name the players, such as --seat engine:3 --seat random")
    while not game.over:
        turn(game, seated)
    game.headers |= {f"Seat{seat}": player.name for seat, player in enumerate(seated)}
    print(writer.dumps(describe(game, game.moves), indent=2, ensure_ascii=False))


def turn(game: "Game", seated: "list[Player]") -> str:
    """Every seat that acts now chooses a move, then all moves are played at once. Return them in words."""
    from rich.markup import escape

    from quatuor.cli.terminal_players import TakenBack

    acting = game.to_move
    secret = sum(seated[seat].kind == "human" for seat in acting) > 1
    try:
        game.play({seat: seated[seat].choose(game, seat, secret) for seat in acting})
    except TakenBack:
        take_back(game, seated)
        return "[dim]Taken back.[/]"
    moves = game.moves[-1].items()
    return "   ".join(f"[dim]{seated[seat].name}:[/] [bold]{escape(move)}[/]" for seat, move in moves)


def take_back(game: "Game", seated: "list[Player]") -> None:
    """Back to the last turn in which a person chose."""
    while game.ply:
        game.undo()
        if any(seated[seat].kind == "human" for seat in game.to_move):
            return
