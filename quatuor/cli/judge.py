"""``quatuor judge``: what every move of recorded games gave away, as ``quatuor arena --judge`` reports it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from quatuor.cli.analyses import SUFFIXES
from quatuor.cli.common import counting, to_write, within
from quatuor.cli.show import names, parse, read, texts_in

if TYPE_CHECKING:
    from quatuor.game import Game
    from quatuor.match.judge import JudgedMove

KEPT = ".tries.jsonl"  # beside a record: times and illegal answers that a player noted
PATIENCE = 30.0  # seconds for an answer of a server


class Source(NamedTuple):
    """A game to judge: where it comes from, and what is known of its decisions besides the moves."""

    name: str
    game: "Game"
    kept: list[Any]


def judge(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Records, .blksgf files, folders of them, links to tables of a server."),
    ],
    units: Annotated[int, typer.Option(min=1, help="Effort of each search that judges a move.")] = 1000,
    out: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Append the JSON lines to this file.", callback=to_write)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each move.")] = False,
) -> None:
    """Judge every move of finished games, wherever they were played. Ctrl-C shows the result so far."""
    import json as writer

    from quatuor.jobs.jsonl import append
    from quatuor.match.judge import judge as judged

    games = [source for spec in files for source in _sources(spec)]
    if not games:
        raise ValueError(f"{', '.join(files)}: no records ({' or '.join(SUFFIXES)}) to judge")
    todo = [(number, source, one) for number, source in enumerate(games) for one in _decisions(source)]
    lines: list[JudgedMove] = []
    try:
        with counting() as progress:
            task = progress.add_task("Judging", total=len(todo))
            for number, source, one in todo:
                (line,) = judged(source.game, names(source.game), number, [one], units)
                lines.append({**line, "file": source.name})
                if out:
                    append(out, lines[-1])
                if json:
                    print(writer.dumps(lines[-1], ensure_ascii=False), flush=True)
                progress.advance(task)
    except KeyboardInterrupt:
        typer.echo(f"Stopped after {len(lines)} of {len(todo)} moves.", err=True)
    if not json:
        _print(lines)


def _sources(spec: str) -> Iterator[Source]:
    """The games of a file, of a folder, or of a table."""
    if spec.startswith(("http://", "https://")):
        yield _table(spec)
        return
    for file in within([Path(spec)], *SUFFIXES):
        for text in texts_in(file):
            yield _noted(file, read(file, text))


def _noted(file: Path, game: "Game") -> Source:
    from quatuor.jobs import jsonl

    return Source(str(file), game, list(jsonl.read(file.with_suffix(KEPT))))


def _table(link: str) -> Source:
    """A game at a table: the server has counted illegal moves and time."""
    import json
    from urllib.error import HTTPError
    from urllib.parse import urlsplit
    from urllib.request import urlopen

    found = urlsplit(link)
    table = f"{found.scheme}://{found.netloc}/api/tables/{found.path.rstrip('/').rpartition('/')[2]}"
    texts = []
    for part in ("record", "tries"):
        try:
            with urlopen(f"{table}/{part}", timeout=PATIENCE) as answer:
                texts.append(answer.read().decode())
        except HTTPError as error:
            codes = {404: "there is no such table", 409: "the game is not over"}
            raise ValueError(f"{link}: {codes.get(error.code, error)}") from None
        except OSError as error:
            raise ValueError(f"{link}: no answer: {error}") from None
    return Source(link, parse(texts[0], ""), [json.loads(line) for line in texts[1].split("\n") if line])


def _decisions(source: Source) -> Any:
    """All decisions of a game, with what is known about how they were made."""
    from quatuor.match.judge import decisions

    try:
        return decisions(source.game, source.kept)
    except (ValueError, KeyError, TypeError) as why:
        raise ValueError(f"{Path(source.name).with_suffix(KEPT)}: {why}") from None


def _print(lines: "list[JudgedMove]") -> None:
    from rich.console import Console

    from quatuor.cli.arena import judged_table
    from quatuor.match.judge import summary

    if not lines:
        print("No move was judged.")
        return
    players = dict.fromkeys(line["player"] for line in lines)
    found = {player: summary(player, lines) for player in players}
    Console().print(judged_table({player: row for player, row in found.items() if row}))
