"""Profiles: ratings, results by opponent, streaks and solved puzzles of an account, as far as the owner shows them."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.responses import Response

from quatuor.games.blokus.puzzles import answers as puzzles
from quatuor.server import answers
from quatuor.server.budgets import EVENT_BYTES
from quatuor.server.clock import now
from quatuor.server.dependencies import CHANGES, At, Known, Sender, SignedIn, content, costs, operation
from quatuor.server.names import looks, name_key
from quatuor.server.puzzles import Asked, answer_to
from quatuor.server.services import Services
from quatuor.server.store.profile_rows import EVERYBODY, PARTS
from quatuor.server.store.rating_rows import sides_of
from quatuor.server.wire import encode, respond
from quatuor.table import Refused
from quatuor.table.seats import ACCOUNT

api = APIRouter(prefix="/api")

OPPONENTS = 50  # shown, those with the most games
Audience = Literal["everybody", "me"]


class Shows(Struct, forbid_unknown_fields=True):
    """To whom each part of the profile is shown."""

    ratings: Audience
    games: Audience
    puzzles: Audience


class Solved(Struct, forbid_unknown_fields=True):
    position: dict[str, Any]
    seconds: Annotated[int, Meta(ge=0, le=10_000_000)]
    helped: bool = False


@api.get(
    "/people/{name}",
    summary="The profile of an account, as far as the caller may see it",
    dependencies=[costs("profile")],
    **operation(answers.Profile),
)
async def profile(name: str, at: At, who: Known) -> Response:
    guest = await _account(at, name)
    mine = who is not None and who.guest == guest
    shows = await at.profiles.shows(guest)
    await at.table_index.flush(lambda table: guest in table.people)  # which counts the games that are just over
    seen = {part for part in PARTS if mine or shows[part] == EVERYBODY}
    return respond(
        {
            "name": await at.guests.name(guest),
            "you": mine,
            **({"shows": shows} if mine else {}),
            "ratings": await _ratings(at, guest) if "ratings" in seen else None,
            "games": await _games(at, guest, mine) if "games" in seen else None,
            "puzzles": await _puzzles(at, guest) if "puzzles" in seen else None,
        }
    )


@api.get(
    "/tables/{table}/rated",
    summary="Whether a rated game that is over counted for the ratings",
    dependencies=[costs("profile")],
    **operation(answers.Counted),
)
async def rated(table: str, at: At, sender: Sender) -> Response:
    live = await at.hub.get(table, sender)
    await at.table_index.flush(lambda one: one is live.table)  # which counts the game if it is just over
    return respond({"counted": await at.profiles.has_counted(table)})


@api.put(
    "/account/profile",
    summary="Choose to whom the parts of my profile are shown",
    dependencies=[CHANGES],
    **operation(answers.Shows, body=Shows),
)
async def show(at: At, who: SignedIn, command: Annotated[Shows, content(Shows)]) -> Response:
    parts = {part: getattr(command, part) for part in PARTS}
    await at.profiles.show(who.guest, **parts)
    at.hub.show_profile(who.guest, EVERYBODY in parts.values())
    await at.store.note({"renamed": who.guest})  # the others read again the name, and who shows a profile
    return respond(parts)


@api.post(
    "/me/puzzles",
    summary="Keep a puzzle that I have solved",
    dependencies=[CHANGES],
    **operation(answers.Ok, 201, body=Solved),
)
async def solved(
    at: At, who: SignedIn, sender: Sender, asked: Asked, command: Annotated[Solved, content(Solved)]
) -> Response:
    report = await answer_to(asked, puzzles.check, command.position)
    if not report["solved"]:
        raise Refused("not_solved")
    at.budgets.spend("stored_bytes", sender, EVENT_BYTES)
    facts = {"helped": command.helped, "seconds": command.seconds, "at": now()}
    kind = {"task": _task(command.position), "puzzle": command.position["puzzle"]}
    await at.profiles.add_solved({"guest": who.guest, **kind, **facts})
    return respond({"ok": True}, 201)


# ---- the parts


async def _account(at: Services, name: str) -> str:
    """The account with this name, or with a name that looks the same."""
    account = await at.people.account(name_key(name)) if name.isprintable() else None
    if account:
        return account.guest
    owners = await at.account_names.owners(looks(name) if name.isprintable() and len(name) < 100 else ())
    if not owners:
        raise Refused("not_found")
    return next(iter(owners.values()))


async def _ratings(at: Services, guest: str) -> list[dict[str, Any]]:
    """By game and variant, with the engines on the same scale."""
    found, engines = await at.profiles.ratings(guest), await at.profiles.engines()
    return [
        {
            "game": kind[0],
            "variant": kind[1],
            "rating": skill.rating,
            "provisional": skill.provisional,
            "games": skill.games,
            "engines": [
                {"level": level, "rating": other.rating, "provisional": other.provisional, "games": other.games}
                for level, other in sorted(engines.get(kind, {}).items())
            ],
        }
        for kind, skill in sorted(found.items(), key=lambda item: (-item[1].games, item[0]))
    ]


async def _games(at: Services, guest: str, mine: bool) -> dict[str, Any]:
    record = Record()
    for row in await at.profiles.finished(guest):
        record.add(row.game, row.facts, row.seats)
    people = {other for other in record.opponents if isinstance(other, str)}
    shown = people if mine else await at.profiles.showing_games(people)
    names = await at.guests.names(shown)
    return {
        "counted": sum(record.results.values()),
        **record.results,
        "streak": record.streak(),
        "best": record.best(),
        "opponents": _opponents(record.opponents, names),
    }


def _opponents(found: "dict[str | int, dict[str, int]]", names: dict[str, str]) -> list[dict[str, Any]]:
    """Engines and people by name, those with the most games first; people who do not want to be seen, in one row."""
    shown = {other: one for other, one in found.items() if isinstance(other, int) or other in names}
    rows: list[dict[str, Any]] = [
        {
            "name": names[other] if isinstance(other, str) else None,
            "level": other if isinstance(other, int) else None,
            "account": isinstance(other, str) and other.startswith(ACCOUNT),
            **one,
        }
        for other, one in shown.items()
    ]
    rows.sort(key=lambda row: (-row["won"] - row["drawn"] - row["lost"], row["name"] or "", row["level"] or 0))
    rest = _sum(one for other, one in found.items() if other not in shown)
    hidden = [{"name": None, "level": None, "account": False, **rest}] if any(rest.values()) else []
    return rows[:OPPONENTS] + hidden


async def _puzzles(at: Services, guest: str) -> dict[str, Any]:
    found = await at.profiles.solved(guest)
    days = {datetime.fromtimestamp(row.at / 1000, UTC).date() for row in found}
    day = datetime.now(UTC).date()
    if day not in days:
        day -= timedelta(days=1)  # today is not over yet
    run = 0
    while day - timedelta(days=run) in days:
        run += 1
    return {"solved": len(found), "alone": sum(not row.helped for row in found), "days": run}


@dataclass
class Record:
    """Results of one player, from the latest game to the earliest."""

    results: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("won", "drawn", "lost"), 0))
    opponents: dict[str | int, dict[str, int]] = field(default_factory=dict)  # a guest, or an engine's level
    order: list[str] = field(default_factory=list)

    def add(self, game: str, facts: dict[str, Any], bits: int) -> None:
        """Add a game that is over; one that was called off or played alone does not count."""
        places, seats = facts["ranking"], facts["seats"]
        mine = [seat for seat in range(len(seats)) if bits >> seat & 1]
        sides = sides_of(game, facts["variant"]) or tuple(range(len(seats)))
        own = {sides[seat] for seat in mine}
        others = [seat for seat in range(len(seats)) if sides[seat] not in own and seat not in mine]
        if not places or not others:
            return
        best = min(places[seat] for seat in mine)
        result = "drawn" if set(places) == {1} else "won" if best == 1 else "lost"
        self.results[result] += 1
        self.order.append(result)
        for seat in others:
            who = seats[seat]["level"] if seats[seat]["kind"] == "engine" else seats[seat]["guest"]
            against = "won" if best < places[seat] else "lost" if best > places[seat] else "drawn"
            self.opponents.setdefault(who, {"won": 0, "drawn": 0, "lost": 0})[against] += 1

    def streak(self) -> dict[str, Any] | None:
        """How often the last result came in a row."""
        if not self.order:
            return None
        length = next((n for n, result in enumerate(self.order) if result != self.order[0]), len(self.order))
        return {"result": self.order[0], "length": length}

    def best(self) -> int:
        """The most wins in a row."""
        return max(map(len, "".join("w" if result == "won" else " " for result in self.order).split()), default=0)


def _sum(rows: Iterable[dict[str, int]]) -> dict[str, int]:
    total = {"won": 0, "drawn": 0, "lost": 0}
    for row in rows:
        total = {key: total[key] + row[key] for key in total}
    return total


def _task(position: dict[str, Any]) -> str:
    """A hash of the puzzle as it was set: without the pieces that the player has placed."""
    given = position["pieces"][: position.get("given", 0)]
    start = {**{key: position.get(key) for key in ("puzzle", "hard", "rows", "columns")}, "pieces": given}
    return hashlib.sha256(encode(sorted(start.items()))).hexdigest()
