"""Tournaments."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from quatuor.server.answers.common import Options
from quatuor.server.answers.tables import Pace


class TournamentSummary(Struct, kw_only=True):
    id: str
    title: str
    game: str
    variant: str
    format: Literal["round_robin", "swiss", "knockout"]
    pace: Pace
    status: Literal["open", "running", "over"]
    entered: int  # players who are in
    most: int
    round: int  # rounds so far
    planned: int | None  # rounds of a Swiss
    starts: int | None = None  # when the first round starts by itself, in milliseconds since 1970


class TournamentLists(Struct):
    mine: list[TournamentSummary]
    listed: list[TournamentSummary]


class TournamentId(Struct):
    id: str


class TournamentPlayer(Struct):
    name: str
    level: int | None  # of an engine
    by_name: bool  # entered by the organiser; plays over the board
    profile: str | None  # the name under which the profile is found; null: it shows nothing
    withdrawn: bool


class TournamentRow(Struct):
    place: int
    player: int  # players are identified by number, from 0
    points: float
    firsts: int
    buchholz: float
    games: int
    byes: int


class TournamentStatement(Struct):
    """What a player says about the result of a game over the board, by seat."""

    player: int
    ranking: list[int]
    scores: list[int]


class TournamentTable(Struct):
    id: str | None  # of the live table; null: played over the board
    players: list[int]  # by seat
    stated: list[TournamentStatement]
    ranking: list[int] | None  # null: it is still played
    points: list[float] | None
    note: str  # why the result was corrected


class TournamentRound(Struct):
    tables: list[TournamentTable]
    byes: list[int]


class Tournament(TournamentSummary, kw_only=True):
    options: Options
    late: bool  # people may enter once it has begun
    auto: bool  # the next round begins by itself
    listed: bool
    words: bool
    by: str  # the organiser's name
    by_profile: str | None  # the name under which the organiser's profile is found; null: it shows nothing
    seats: int  # players at a table
    scored: bool  # points are scores: a result needs them
    version: int
    players: list[TournamentPlayer]
    standings: list[TournamentRow]
    cross: list[dict[str, float]]  # of each player: opponent -> points
    rounds: list[TournamentRound]
    entry: str | None  # null: people may enter now; else the code of why not
    you: int | None  # the caller as a player
    organiser: bool  # the caller runs it
    by_link: bool | UnsetType = UNSET  # the caller is `you` by the link of a player entered by name
    links: dict[str, str] | UnsetType = UNSET  # for the organiser: the tokens of players entered by name
