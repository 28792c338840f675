"""``quatuor games``: what can be played, and how."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.common import Json, complete_game

if TYPE_CHECKING:
    from quatuor.games.contract import Option, Rulebook


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Only this game.", autocompletion=complete_game)
    ] = None,
    json: Json = False,
) -> None:
    """List the games, their variants and the options of their rules."""
    from quatuor.games import rulebook, rulebooks

    books = [rulebook(name)] if name else rulebooks()
    if json:
        import json as writer

        from quatuor.games.catalogue import games as catalogue

        wanted = [game for game in catalogue() if name in (None, game["name"])]
        print(writer.dumps(wanted, indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    for book in books:
        _print(console, book)


def values(option: "Option") -> list[str]:
    """The values of an option: their names, or a range."""
    from quatuor.games.contract import Choice, Number

    if isinstance(option, Choice):
        return list(option.values)
    if isinstance(option, Number):
        return [f"{option.low} to {option.high}"] + (["none"] if option.none else [])
    return [option.default, "…"]


def _print(console: Any, book: "Rulebook") -> None:
    from rich.markup import escape
    from rich.padding import Padding
    from rich.table import Table

    console.rule(f"[bold]{book.title.en}[/]  [dim]{book.name}[/]", align="left")
    console.print(Padding(book.text.en, (0, 0, 1, 2)))
    variants = Table("variant", "players", "minutes", "what it is", box=None, padding=(0, 2), header_style="dim")
    for v in book.variants:
        lasts = "–".join(map(str, dict.fromkeys(v.minutes)))
        variants.add_row(f"[cyan]{book.name}:{v.name}[/]", str(v.seats), lasts, f"{v.title.en}. {v.text.en}")
    console.print(variants)
    if book.options:
        options = Table("option", "default", "choices", "what it is", box=None, padding=(0, 2), header_style="dim")
        for o in book.options:
            default = "none" if o.default is None else str(o.default)
            where = f" [dim]({', '.join(o.variants)})[/]" if o.variants else ""
            options.add_row(f"[green]{o.name}[/]", escape(default), escape(", ".join(values(o))), o.text.en + where)
        console.print()
        console.print(options)
    console.print()
