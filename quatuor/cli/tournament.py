"""``quatuor tournament``: run a club's tournament from the terminal. ``quatuor ratings``: how strong players are."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.common import GameName, Json, Options, pairs, print_json, read_text, within, working

if TYPE_CHECKING:
    from rich.table import Table

    from quatuor.match.ratings import Played
    from quatuor.match.standings import Round
    from quatuor.match.tournament import Tournament

tournament = typer.Typer(
    name="tournament", no_args_is_help=True, help="Run a tournament; all that happens is kept in one file."
)
File = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament's file.", show_default=False)]
Player = Annotated[str, typer.Argument(metavar="PLAYER", show_default=False)]
Places = Annotated[str, typer.Option(help="The place of each seat: 1,2 or 1,1,3.", show_default=False)]
Scores = Annotated[str, typer.Option(help="The score of each seat: 5,-3,0.", show_default=False)]


@tournament.command()
def create(
    file: File,
    game: GameName,
    players: Annotated[list[str], typer.Argument(metavar="[PLAYER]...", help="More may enter later.")] = [],  # noqa: B006
    option: Options = [],  # noqa: B006
    format: Annotated[str, typer.Option(help="round_robin, swiss or knockout.")] = "swiss",
    rounds: Annotated[int | None, typer.Option(min=1, help="Of a Swiss; else as many as find one winner.")] = None,
    title: Annotated[str, typer.Option(help="What it is called.")] = "",
    json: Json = False,
) -> None:
    """Begin a tournament."""
    from quatuor.match.tournament import Tournament

    name, _, variant = game.partition(":")
    options: dict[str, Any] = dict(pairs(option))
    current = Tournament.create(
        name, variant or None, options, format=format, rounds=rounds, players=players, title=title, path=file
    )
    text = f"{file}: {current.format}, {len(current.players)} players. Next: quatuor tournament pair {file}"
    _report(file, current, text, json)


@tournament.command()
def enter(file: File, player: Player, json: Json = False) -> None:
    """Add a player, also late or one who left."""
    current = _open(file)
    current.enter(player)
    _report(file, current, "", json)


@tournament.command()
def withdraw(file: File, player: Player, json: Json = False) -> None:
    """Take a player out; results stand."""
    current = _open(file)
    current.withdraw(player)
    _report(file, current, "", json)


@tournament.command()
def pair(file: File, json: Json = False) -> None:
    """Draw up the next round."""
    current = _open(file)
    _show(current.pair(), len(current.rounds), json)


@tournament.command()
def report(
    file: File,
    table: Annotated[
        int, typer.Argument(metavar="TABLE", help="Its number in this round, from 1.", show_default=False)
    ],
    record: Annotated[Path | None, typer.Argument(metavar="[RECORD]", help="The game's record.")] = None,
    forfeit: Annotated[str | None, typer.Option(metavar="PLAYER", help="Who did not come, instead.")] = None,
    places: Places = "",
    scores: Scores = "",
    json: Json = False,
) -> None:
    """Count a game: its record, or the result alone."""
    current = _open(file)
    if sum(map(bool, (record, forfeit, places or scores))) != 1:
        raise ValueError("report: give the game's record, --places, --scores or --forfeit PLAYER")
    if forfeit is not None:
        current.forfeit(table, forfeit)
    elif record is None:
        current.decide(table, _numbers(places), _numbers(scores))
    else:
        text = read_text(Path(str(record)))
        try:
            current.report(table, text)
        except ValueError as why:
            raise ValueError(f"{record}: {why}") from None
    missing = current.rounds[-1].missing
    left = ", ".join(str(number + 1) for number in missing)
    text = f"Round {len(current.rounds)}: " + (f"tables {left} are still to come" if missing else "complete")
    _report(file, current, text, json)


@tournament.command()
def correct(
    file: File,
    round: Annotated[int, typer.Argument(metavar="ROUND", help="From 1.", show_default=False)],
    table: Annotated[int, typer.Argument(metavar="TABLE", help="Its number in that round.", show_default=False)],
    note: Annotated[str, typer.Option(help="Why; it is kept in the file.")],
    places: Places = "",
    scores: Scores = "",
    json: Json = False,
) -> None:
    """Replace a result that was counted."""
    current = _open(file)
    current.correct(round, table, note, _numbers(places), _numbers(scores))
    _report(file, current, "", json)


@tournament.command()
def close(file: File, json: Json = False) -> None:
    """End it before all rounds were played."""
    current = _open(file)
    current.close()
    _report(file, current, "", json)


@tournament.command()
def standings(file: File, json: Json = False) -> None:
    """Who leads, and who met whom."""
    from dataclasses import asdict

    current = _open(file)
    rows = current.standings()
    if json:
        print_json({
            "over": current.over, "rounds": len(current.rounds),
            "standings": [asdict(row) | {"points": float(row.points), "buchholz": float(row.buchholz)} for row in rows],
            "cross_table": {a: {b: float(x) for b, x in row.items()} for a, row in current.cross_table().items()},
        })  # fmt: skip
        return
    from rich.console import Console

    order = [row.player for row in rows]
    table = _table(
        current.title or str(file),
        "",
        "player",
        "points",
        "firsts",
        "Buchholz",
        "games",
        *map(str, range(1, len(order) + 1)),
    )
    cells = current.cross_table()
    for row in rows:
        met = [_number(cells[row.player][o]) if o in cells[row.player] else "·" for o in order]
        name = f"[dim]{row.player} (left)[/]" if row.withdrawn else row.player
        table.add_row(
            str(row.place), name, _number(row.points), str(row.firsts), _number(row.buchholz), str(row.games), *met
        )
    Console().print(table)


@tournament.command()
def export(
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where records go.", show_default=False)],
    json: Json = False,
) -> None:
    """Write every game's record into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for number, table, text in _open(file).records():
        (folder / f"round-{number:02}-table-{table:02}.txt").write_text(text, encoding="utf-8")
        count += 1
    if json:
        return print_json({"folder": str(folder), "records": count})
    return typer.echo(f"{count} records in {folder}")


def _report(file: Path, current: "Tournament", text: str, json: bool) -> None:
    """What a command has done: one line, or for programs where the tournament stands."""
    if not json:
        if text:
            typer.echo(text)
        return
    missing = [number + 1 for number in current.rounds[-1].missing] if current.rounds else []
    print_json({
        "file": str(file), "format": current.format, "players": list(current.players), "round": len(current.rounds),
        "missing": missing, "over": current.over,
    })  # fmt: skip


def ratings(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Tournaments, records, folders of records.", show_default=False),
    ],
    skip: Annotated[bool, typer.Option("--skip-broken", help="Leave out what cannot be read, and say so.")] = False,
    json: Json = False,
) -> None:
    """Rate all players, from tournaments and records."""
    from dataclasses import asdict

    from quatuor.match.ratings import rate

    with working("Rating"):
        chosen = within(files, ".txt")
        if not chosen:
            raise ValueError(f"{', '.join(map(str, files))}: no records (.txt) to rate")
        games, left_out = _read_all(chosen, skip)
        if left_out:
            typer.echo(f"{left_out} of {left_out + len(games)} games left out", err=True)
        found = rate(games)
    if json:
        print_json({kind: [asdict(row) for row in rows] for kind, rows in found.items()})
        return
    from rich.console import Console

    for kind, rows in found.items():
        table = _table(kind, "", "player", "rating", "games")
        for place, row in enumerate(rows, 1):
            table.add_row(str(place), row.player, f"{row.rating}{'?' if row.provisional else ''}", str(row.games))
        Console().print(table)
    if not found:
        typer.echo("No game to rate yet.")
    elif any(row.provisional for rows in found.values() for row in rows):
        typer.echo("? provisional: too few games yet")


def _read_all(files: list[Path], skip: bool) -> "tuple[list[Played], int]":
    """All games of some files, and how many were left out."""
    games: list[Played] = []
    left_out = 0
    for file in files:
        for played in _played(file):
            if not isinstance(played, ValueError):
                games.append(played)
            elif not skip:
                raise ValueError(f"{played}; --skip-broken leaves it out")
            else:
                left_out += 1
                typer.echo(f"left out {played}", err=True)
    return games, left_out


def _played(file: Path) -> "Iterator[Played | ValueError]":
    """The games of a tournament, or of a file of records; for each that cannot be rated, where it is and why."""
    from quatuor.match.tournament import Tournament
    from quatuor.record import RecordError, split

    try:
        text = read_text(file)
        if not text.startswith("{"):
            yield from (_rateable(str(file), one) for one in split(text) or [text])
            return
        tournament = Tournament.open(file)
    except RecordError as why:
        yield ValueError(f"{file}: {why}")
    except ValueError as why:
        yield why  # names the file
    except OSError as why:
        yield ValueError(f"{file}: {why.strerror}")
    else:
        yield from _of_tournament(file, tournament)


def _of_tournament(file: Path, tournament: "Tournament") -> "Iterator[Played | ValueError]":
    """Its games by the results that count, which may have been corrected; those without a record last."""
    from dataclasses import replace

    from quatuor.match.ratings import Played

    results = {(r, t + 1): one for r, rnd in enumerate(tournament.rounds, 1) for t, one in rnd.results.items()}
    for number, table, record in tournament.records():
        played = _rateable(f"{file}, round {number}, table {table}", record)
        if isinstance(played, Played):
            played = replace(played, ranking=results[number, table].ranking)
        yield played
    about = tournament.events[0]
    for event in tournament.events:
        if event["kind"] == "decided":
            result = results[event["round"], event["table"]]
            yield Played(f"{about['game']}:{about['variant']}", result.players, result.ranking)


def _rateable(where: str, record: str) -> "Played | ValueError":
    from quatuor.match.ratings import Played
    from quatuor.match.standings import ranking_of
    from quatuor.record import load

    try:
        game = load(record)
    except ValueError as why:
        return ValueError(f"{where}: {why}")
    players = tuple(game.headers.get(f"Seat{seat}", "?") for seat in range(game.seats))
    if "?" in players:
        return ValueError(f"{where}: the record does not name its players")
    if len(set(players)) < len(players):
        return ValueError(f"{where}: {', '.join(players)}: nobody can be rated against oneself")
    if not game.over and "Termination" not in game.headers:
        return ValueError(f"{where}: the game is not over")
    return Played(f"{game.name}:{game.variant.name}", players, ranking_of(game))


def _open(file: Path) -> "Tournament":
    from quatuor.match.tournament import Tournament

    if not file.exists():
        raise ValueError(f"{file} does not exist; quatuor tournament create makes one")
    return Tournament.open(file)


def _show(paired: "Round", number: int, json: bool) -> None:
    if json:
        print_json({"round": number, "tables": paired.tables, "byes": paired.byes})
        return
    from rich.console import Console

    table = _table(f"Round {number}", "table", *(f"seat {seat}" for seat in range(len(paired.tables[0]))))
    for i, players in enumerate(paired.tables, 1):
        table.add_row(str(i), *players)
    Console().print(table)
    if paired.byes:
        typer.echo(f"Sits out: {', '.join(paired.byes)}")


def _table(title: str, *columns: str) -> "Table":
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, justify="left" if column in ("player", "") or column.startswith("seat") else "right")
    return table


def _number(value: Any) -> str:
    return f"{float(value):g}"


def _numbers(text: str) -> list[int]:
    """Whole numbers with commas between them."""
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ValueError(f"{text!r}: give whole numbers with commas between them, such as 1,2") from None
