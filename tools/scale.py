"""The page docs/scale.md: what ``bench.scale`` measured, and what a million players take by arithmetic."""

from typing import Any

PEOPLE = 1_000_000
PACES = (2, 10, 30)  # seconds between two moves at a table
LOADED = 0.6  # how busy a core may be so that moves do not wait
WITH_ENGINE = 0.25  # of the tables: one of their seats is an engine's
LEVEL = 3  # of that engine
TOGETHER = 20  # rows of a transaction, see bench.scale

MEASURED = """\
`python -m bench.load` plays half Plus 4 (two seats), half Blokus (four seats), with a websocket for each seat,
by random moves from positions all over a game, one move in {pace:g} seconds at each table. Server, PostgreSQL
and client share {cores} cores ({machine}); {seconds:g} seconds for each row, one run. The processor time is
that of the server's processes, without PostgreSQL. The latency is the time from sending a move until the last
seat has received it; the move is on disk by then. *By table*: all that concerns a table goes to one process, as
with a proxy that chooses by the table's id. *Any process*: the players of a table are at different processes,
each of which keeps the table."""

MILLION = """\
A million people are {tables:,.0f} tables of this mix, {seats:.0f} people each. A move takes {ms:.2f} ms of
processor (two processes over PostgreSQL, by table), and {kilobytes:.1f} kB are sent to all seats together.
Cores are {loaded:.0%} busy. An engine of level {level} plays one seat of {with_engine:.0%} of the tables; a
move of it takes {engine:,.0f} ms of processor."""

SHARED = """\
All tables and sockets need {memory:,.0f} GB of memory.

**PostgreSQL.** pgbench measures {single:,} commits a second on this machine with one row of 200 bytes each, and
{batch:,} with {together} rows each: {rows:,} rows a second (8 clients, flushed to disk). A process commits the
events of a few milliseconds together, so the second figure counts. At a move every {pace} seconds, that many
rows are the moves of {people:,} people. This is an upper limit: the server also writes heads and summaries.

**What breaks first** is what the processes share, the one PostgreSQL. Every event is announced to every process
by NOTIFY: the work of listening grows with the number of processes times the number of moves, and PostgreSQL
takes one lock for all commits that notify.

**What to do then**, in this order:

1. Let the proxy choose the process by the table's id, so that each table is in one process.
2. Give PostgreSQL a separate machine with fast disks, and measure it with pgbench as `bench.scale` does.
3. Run engines on separate machines. They need no store, but the server starts them only on its own machine.
4. Split by table: groups of processes, each with its own PostgreSQL. Tables do not know each other, but
   accounts, lobby and tournaments would have to be shared among the groups, which the server cannot do yet."""


def page(data: dict[str, Any]) -> str:
    """The whole page, as Markdown."""
    parts = [
        "# How far it scales",
        "What one machine reaches by measurement, and what a million people playing at once take, by arithmetic from\n"
        "these figures. [Running a server](deploy.md) says how to start several processes.",
        "## Measured",
        MEASURED.format(**data["machine"], pace=data["pace"], seconds=data["seconds"]),
        "```sh\npython -m bench.scale --json docs/measurements/scale.json\npython tools/measurements.py\n```",
        *([f"**{data['note']}**"] if data["note"] else []),
        _measured(data["rows"]),
        "## A million people at once",
        *_million(data),
    ]
    return "\n\n".join(parts) + "\n"


def _measured(rows: list[dict[str, Any]]) -> str:
    titles = "server|processes|tables|moves a second|median|99th percentile|processor a move|memory a table"
    lines = [f"| {titles.replace('|', ' | ')} |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        by_table = ", by table" if row["processes"] > 1 and "any process" not in row["what"] else ""
        cells = [
            row["what"] + by_table,
            f"{row['processes']}",
            f"{row['tables']:,}",
            f"{row['moves_a_second']:,.0f}",
            f"{row['p50']:,.1f} ms",
            f"{row['p99']:,.0f} ms",
            f"{row['ms_a_move']:.2f} ms",
            f"{row['kilobytes_a_table']:.0f} kB",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _million(data: dict[str, Any]) -> list[str]:
    pairs = [row for row in data["rows"] if row["processes"] == 2 and "any process" not in row["what"]]
    row = max(pairs, key=lambda row: int(row["tables"]))
    tables, seats = PEOPLE * row["tables"] / row["lines"], row["lines"] / row["tables"]
    costs = [seconds for _, _, level, seconds in data["engines"] if level == LEVEL]
    engine = sum(costs) / len(costs)
    single, batch = data["commits"]["1"], data["commits"][str(TOGETHER)]
    text = MILLION.format(
        tables=tables, seats=seats, ms=row["ms_a_move"], kilobytes=row["kilobytes_a_move"], loaded=LOADED,
        level=LEVEL, with_engine=WITH_ENGINE, engine=1000 * engine,
    )  # fmt: skip
    titles = "a move every|moves and rows a second|web processes, one a core|sent|cores for engines"
    lines = [f"| {titles.replace('|', ' | ')} |", "|---:|---:|---:|---:|---:|"]
    for pace in PACES:
        moves = tables / pace
        processes = moves * row["ms_a_move"] / 1000 / LOADED
        sent = moves * row["kilobytes_a_move"] * 8 / 1e6
        engines = moves * WITH_ENGINE / seats * engine
        lines.append(f"| {pace} s | {moves:,.0f} | {processes:,.0f} | {sent:,.1f} Gbit/s | {engines:,.0f} |")
    shared = SHARED.format(
        memory=tables * row["kilobytes_a_table"] / 1e6, single=single, batch=batch, together=TOGETHER,
        rows=TOGETHER * batch, pace=PACES[1], people=round(TOGETHER * batch * PACES[1] * seats),
    )  # fmt: skip
    return [text, "\n".join(lines), shared]
