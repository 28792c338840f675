"""What the server answers and sends: one struct for each kind of object. docs/protocol.md explains them.

The OpenAPI description and the page's ``web/src/lib/types.ts`` are made from these structs. A field that may be missing
is ``UNSET`` by default; one that may be null says so.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Bits = dict[str, Any]
View = Annotated[Bits, Meta(extra={"ts": "View"})]
Effects = Annotated[Bits, Meta(extra={"ts": "Effects"})]
Reason = Annotated[Bits, Meta(extra={"ts": "Reason"})]
OptionValue = Annotated[str | int | None, Meta(extra={"ts": "OptionValue"})]
Options = Annotated[dict[str, str | int | None], Meta(extra={"ts": "Options"})]
EndedBy = Literal["rules", "resign", "time", "left", "length", "agreed", "aborted"]


class Text(Struct):
    """A short text in the three languages."""

    en: str
    fr: str
    de: str


class Ok(Struct):
    ok: bool


# ---- games


class Variant(Struct):
    name: str
    title: Text
    text: Text  # one line
    seats: int
    minutes: tuple[int, int]
    sides: list[int]  # the side of each seat, where seats are allies; empty: every seat plays for itself


class Option(Struct):
    name: str
    kind: Literal["choice", "number", "text"]
    title: Text
    text: Text  # one line
    default: OptionValue
    values: dict[str, Text] | None  # of a choice
    low: int | None
    high: int | None
    none: Text | None  # what leaving a number out means; null: it must be given
    variants: list[str]  # where it applies; empty: everywhere


class GameInfo(Struct):
    name: str
    title: Text
    text: Text
    variants: list[Variant]
    options: list[Option]
    clause_prefix: str | None  # of the clauses of its rulebook
    endings: dict[str, str]  # reason -> clause
    puzzles: bool


class Games(Struct):
    games: list[GameInfo]


# ---- tables


class Pace(Struct):
    """Seconds for the whole game and after each turn, or days for each turn; all 0: no clock."""

    total: int
    increment: int
    days: int


class Seat(Struct):
    seat: int
    kind: Literal["human", "engine", "open"]
    name: str | None
    level: int | None  # of an engine
    invited: bool  # it is open only for people with a link
    bot: bool
    account: bool  # the player has an account
    profile: str | None  # the name under which its profile is found; null: it shows nothing
    online: bool
    out: Literal["resign", "time", "left", "length"] | None  # why the seat has lost, if it has
    stand_in: bool  # an engine plays until its player is back
    left: int | None  # milliseconds on its clock when it last stopped; null: it has no clock
    until: int | None  # when its flag falls, by the server's clock; null: its clock does not run
    free: bool  # its first turn: until then the move has to be made, but its clock starts with it
    claim: int | None  # from when the others may act for it, by the server's clock


class Seal(Struct):
    hash: str
    salt: str


class Entry(Struct):
    ply: int
    moves: dict[str, str]  # seat -> move
    effects: Effects  # what the turn did
    position: View  # after the turn
    seals: dict[str, Seal] | UnsetType = UNSET  # of secret orders


class Message(Struct):
    number: int
    seat: int
    phrase: str | None  # a code; null: free words
    words: str | None
    at: int
    removed: bool | UnsetType = UNSET  # by a moderator


class SpectatorMessage(Struct):
    number: int
    name: str | None  # null: the person has no name any more
    profile: str | None  # the name under which their profile is found; null: it shows nothing
    phrase: str | None  # a code; null: free words
    words: str | None
    at: int
    removed: bool | UnsetType = UNSET  # by a moderator


class Offer(Struct):
    kind: Literal["draw", "undo"]
    seat: int  # that made it
    seats: list[int]  # that have agreed
    ply: int  # after a take-back


class Standing(Struct):
    """The state of play for one viewer: what every turn may change, besides the history."""

    you: list[int]  # the viewer's seats
    position: View
    to_move: list[int]
    ready: list[int]  # seats that have given their secret order
    orders: dict[str, str]  # seat -> the viewer's own secret order
    seals: dict[str, str]  # seat -> hash of its secret order
    legal: dict[str, list[str]]  # of the viewer's seats to move
    over: bool
    scores: list[int]
    ranking: list[int] | None
    reason: Reason
    ended_by: EndedBy | None
    offer: Offer | None  # that others have not answered yet
    undo: bool  # whether the viewer may take back now
    abort: bool  # whether the viewer may call the game off
    owner: bool  # whether the viewer opened the table
    seats: list[Seat]
    watching: int  # people without a seat
    invites: dict[str, str]  # seat -> token, for the owner while the seat is open


class Snapshot(Standing):
    id: str
    version: int
    game: str
    variant: str
    options: Options
    history: list[Entry]
    start: View
    rematch: str | None
    rematch_offer: list[int]  # seats that have agreed to a rematch
    pace: Pace
    takeback: bool  # among several people, too
    listed: bool  # in the lobby
    tournament: str | None  # where the result counts
    rated: bool  # the result counts for the players' ratings
    words: bool  # free chat is on
    host: str | None  # the name of the person who opened the table
    host_profile: str | None  # the name under which their profile is found; null: it shows nothing
    chat: list[Message]  # of the players
    spectator_chat: list[SpectatorMessage]  # empty for players while the game runs


class TreeTurn(Struct):
    parent: int  # the number of the turn before; -1 at the start
    moves: dict[str, str]  # seat -> move
    marks: dict[str, str]  # seat -> !, ?, …
    comment: str


class ReadGame(Snapshot):
    record: str
    tree: list[TreeTurn]  # the start first
    begins: str  # the position where it begins, if not the usual start
    position_text: str | None  # the last position
    playable: dict[str, list[str]]  # seat -> moves in the last position


class EventFacts(Struct):
    """What everybody may know about an event; which fields there are depends on its kind."""

    version: int
    kind: str
    entry: Entry | UnsetType = UNSET  # of a move
    ply: int | UnsetType = UNSET  # of an undo: how many turns are left
    seat: int | UnsetType = UNSET
    why: str | UnsetType = UNSET  # a seat is out
    message: Message | UnsetType = UNSET  # of a chat
    spectator_message: SpectatorMessage | UnsetType = UNSET  # of a spectator_chat, for those who may read it
    spectator_chat: list[SpectatorMessage] | UnsetType = UNSET  # for players, once the game is over
    number: int | UnsetType = UNSET  # of a message of a spectator, or of one that was removed
    words: bool | UnsetType = UNSET
    rematch: str | UnsetType | None = UNSET
    rematch_offer: list[int] | UnsetType = UNSET


class HintMove(Struct):
    move: str
    value: float  # from -1 to 1, for the seat to move
    score: float | None  # points expected at the end, where the game counts points
    outcome: Literal["win", "draw", "loss"] | None  # where proven
    distance: int | None  # plies to that end
    visits: int | None
    weight: float | None  # how likely the engine plays it, where several seats act at once
    regret: float | None
    line: list[str]  # the move and what may follow


class Hint(Struct):
    moves: list[HintMove]  # best first
    exact: bool


class Opened(Struct):
    id: str
    invites: dict[str, str]  # seat -> token


class Joined(Struct):
    seat: int


class Paired(Struct):
    id: str  # of the table
    seat: int
    opened: bool  # the table is new and waits for others


class Rematch(Struct):
    id: str | None  # the new table, once everybody has agreed
    offered: list[int]


class SummarySeat(Struct):
    kind: Literal["human", "engine", "open"]
    level: int | None
    name: str | None
    account: bool
    profile: str | None  # the name under which its profile is found; null: it shows nothing
    invited: bool  # it is open only for people with a link


class Summary(Struct):
    """A table in a list."""

    id: str
    game: str
    variant: str
    pace: Pace
    takeback: bool
    seats: list[SummarySeat]
    status: Literal["open", "running", "over"]
    ply: int
    touched: int
    you: list[int]
    your_turn: bool
    until: int | None
    ended_by: EndedBy | None
    ranking: list[int] | None
    scores: list[int] | None  # null: stored by an earlier release
    rated: bool


class Lobby(Struct):
    tables: list[Summary]


class WatchedTable(Struct):
    """A game for a page that shows several, as a spectator sees it."""

    id: str
    version: int
    game: str
    variant: str
    pace: Pace
    ply: int
    entry: Entry | None  # the last turn
    position: View
    to_move: list[int]
    over: bool
    ranking: list[int] | None
    ended_by: EndedBy | None
    seats: list[Seat]
    watching: int


class Watch(Struct):
    tables: list[WatchedTable]


class MyGames(Struct):
    games: list[Summary]
    more: bool


class Muted(Struct):
    seats: list[int]
    numbers: list[int] | UnsetType = UNSET  # messages of spectators whom the caller has muted, if there are any


# ---- people


class Me(Struct):
    name: str
    account: str | None  # the name with which the visitor is signed in
    recovery: list[str] | UnsetType = UNSET  # codes that set a new password; only after signing up
    left: int | UnsetType = UNSET  # codes that are left; only after using one


class RecoveryCodes(Struct):
    recovery: list[str]


class SignedIn(Struct):
    id: str
    created: int
    seen: int
    agent: str | None
    here: bool


class SignedInList(Struct):
    sessions: list[SignedIn]


class BlockedPerson(Struct):
    id: str
    name: str
    at: int


class Blocked(Struct):
    blocked: list[BlockedPerson]


class Sanction(Struct):
    kind: Literal["warn", "mute", "ban"]
    reason: str
    until: int | None
    at: int


class Sanctions(Struct):
    sanctions: list[Sanction]


class Bot(Struct):
    id: str
    name: str
    created: str


class NewBot(Bot):
    token: str


class Bots(Struct):
    bots: list[Bot]


class Revoked(Struct):
    id: str


class StoredSanction(Sanction):
    id: int
    guest: str | None
    network: str | None
    lifted: int | None


class MailAddress(Struct):
    available: bool  # the operator set up a mail server
    address: str | None
    confirmed: bool


class Counted(Struct):
    counted: bool | None  # null: the game is not rated, not over, or was called off


class Shows(Struct):
    """To whom each part of a profile is shown."""

    ratings: Literal["everybody", "me"]
    games: Literal["everybody", "me"]
    puzzles: Literal["everybody", "me"]


class EngineRating(Struct):
    level: int
    rating: int
    provisional: bool
    games: int


class PlayerRating(Struct):
    """A rating in one game and variant."""

    game: str
    variant: str
    rating: int
    provisional: bool  # too few games yet
    games: int
    engines: list[EngineRating]  # on the same scale


class Opponent(Struct):
    """Results against a person or an engine; without name and level: against people who do not want to be seen."""

    name: str | None
    level: int | None  # of an engine
    account: bool
    won: int
    drawn: int
    lost: int


class Streak(Struct):
    result: Literal["won", "drawn", "lost"]
    length: int


class Results(Struct):
    """Results of the last games against others."""

    counted: int
    won: int
    drawn: int
    lost: int
    streak: Streak | None
    best: int  # the most wins in a row
    opponents: list[Opponent]


class SolvedPuzzles(Struct):
    solved: int
    alone: int  # without a hint
    days: int  # in a row with a puzzle, up to today or yesterday


class Profile(Struct):
    """An account; null: a part that the caller may not see."""

    name: str
    you: bool
    ratings: list[PlayerRating] | None
    games: Results | None
    puzzles: SolvedPuzzles | None
    shows: Shows | UnsetType = UNSET  # only for its owner


class Export(Struct):
    """All data about a person."""

    id: str
    name: str
    account: str | None
    sessions: list[SignedIn]
    bots: list[Bot]
    games: list[Summary]
    sanctions: list[StoredSanction]
    blocked: list[BlockedPerson]
    messages: list[Bits]
    reports: list[Bits]
    tournaments: list[Bits]
    muted: list[Bits]
    networks: list[Bits]
    ratings: list[Bits]
    profile: list[Bits]
    puzzles: list[Bits]
    addresses: list[Bits]
    mails: list[Bits]


# ---- moderation


class Person(Struct):
    id: str
    name: str


class Report(Struct):
    id: int
    table_id: str
    number: int
    said: str
    at: int
    closed: int | None
    author: Person
    reporter: Person


class Reports(Struct):
    reports: list[Report]


class LogEntry(Struct):
    id: int
    at: int
    moderator: str
    action: str
    guest: str | None
    detail: Any


class Log(Struct):
    log: list[LogEntry]


class History(Struct):
    reports: list[Bits]
    sanctions: list[StoredSanction]
    log: list[LogEntry]


class NamedMessage(Struct):
    """A message as moderators read it."""

    number: int
    seat: int | None  # null: of a spectator
    phrase: str | None
    words: str | None
    at: int
    removed: bool | UnsetType = UNSET
    name: str | None = None


class ReportInContext(Report):
    chat: list[NamedMessage]
    history: History


class PersonHistory(History):
    id: str
    name: str


# ---- tournaments


class TournamentSummary(Struct, kw_only=True):
    id: str
    title: str
    game: str
    variant: str
    format: Literal["round_robin", "swiss", "knockout"]
    pace: Pace
    status: Literal["open", "running", "over"]
    entered: int
    most: int
    round: int
    planned: int | None
    starts: int | None = None  # lists: missing in tournaments of earlier releases


class TournamentLists(Struct):
    mine: list[TournamentSummary]
    listed: list[TournamentSummary]


class TournamentId(Struct):
    id: str


class TournamentPlayer(Struct):
    name: str
    level: int | None
    by_name: bool
    profile: str | None  # the name under which the profile is found; null: it shows nothing
    withdrawn: bool


class TournamentRow(Struct):
    place: int
    player: int
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
    id: str | None
    players: list[int]
    stated: list[TournamentStatement]
    ranking: list[int] | None
    points: list[float] | None
    note: str


class TournamentRound(Struct):
    tables: list[TournamentTable]
    byes: list[int]


class Tournament(TournamentSummary, kw_only=True):
    options: Options
    late: bool
    auto: bool
    listed: bool
    words: bool
    by: str
    by_profile: str | None  # the name under which the organiser's profile is found; null: it shows nothing
    seats: int
    scored: bool
    version: int
    players: list[TournamentPlayer]
    standings: list[TournamentRow]
    cross: list[dict[str, float]]
    rounds: list[TournamentRound]
    entry: str | None
    you: int | None
    organiser: bool
    by_link: bool | UnsetType = UNSET  # the caller is ``you`` by the link of a player entered by name
    links: dict[str, str] | UnsetType = UNSET  # for the organiser: the tokens of players entered by name


# ---- puzzles


class Board(Struct):
    rows: int
    columns: int


class PuzzleKind(Struct):
    name: str
    title: Text
    colours: list[str]
    sizes: list[int]
    boards: list[Board]
    fills: bool
    hard: bool
    open: dict[str, int]  # difficulty -> pieces left to place


class PuzzleKinds(Struct):
    puzzles: list[PuzzleKind]
    difficulties: list[str]


class Piece(Struct):
    colour: str
    cells: list[str]


class PuzzlePosition(Struct):
    puzzle: str
    hard: bool
    rows: int
    columns: int
    pieces: list[Piece]
    given: int | UnsetType = UNSET


class Puzzle(Struct):
    difficulty: str
    seed: int
    position: PuzzlePosition
    date: str | UnsetType = UNSET
    solution: PuzzlePosition | UnsetType = UNSET


class Fault(Struct):
    code: str
    rule: str
    pieces: list[int]
    cells: list[str]


class PuzzleCheck(Struct):
    legal: bool
    solved: bool
    faults: list[Fault]
    left: dict[str, list[str]]  # colour -> names of pieces


class PuzzleAnswer(Struct):
    answer: Literal["yes", "no", "unknown"]
    completion: PuzzlePosition | None
    faults: list[Fault]


class PuzzleHint(PuzzleAnswer):
    piece: Piece | None


# ---- lessons


class LessonInfo(Struct):
    name: str
    steps: int


class CourseInfo(Struct):
    game: str
    lessons: list[LessonInfo]


class Courses(Struct):
    courses: list[CourseInfo]


class Step(Struct):
    clauses: list[str]
    text: Text
    task: Text
    done: Text
    show: str  # a move that solves the step


class Lesson(Struct):
    name: str
    title: Text
    steps: list[Step]


class Course(Struct):
    game: str
    lessons: list[Lesson]


class Attempt(Struct):
    verdict: Literal["done", "wrong", "refused"]
    says: Text | None
    clause: str | None
    table: Snapshot | None


# ---- operation


class Health(Struct):
    ok: bool
    version: str
    store: str


# ---- messages of a table's socket


class StateMessage(Snapshot, tag_field="t", tag="state"):
    pass


class EventMessage(EventFacts, tag_field="t", tag="event"):
    """With the fields of Standing where the event changes the state of play."""


class PresenceMessage(Struct, tag_field="t", tag="presence"):
    seats: list[Seat]
    watching: int
    host: str | None  # the name of the player who opened the table
    host_profile: str | None
    spectator_chat: list[SpectatorMessage] | UnsetType = UNSET  # once one of its authors has another name


class AckMessage(Struct, tag_field="t", tag="ack"):
    ack: str
    version: int


class HintMessage(Hint, tag_field="t", tag="hint"):
    ack: str


class ErrorMessage(Struct, tag_field="t", tag="error"):
    ack: str | None
    code: str
    detail: Bits


class PongMessage(Struct, tag_field="t", tag="pong"):
    now: int


class ByeMessage(Struct, tag_field="t", tag="bye"):
    code: str


class Events(Struct):
    """What a client that has seen everything up to ``since`` has to know."""

    version: int  # the ``since`` of the next poll
    messages: list[StateMessage | EventMessage | PresenceMessage | ErrorMessage | ByeMessage]  # as on the socket


ServerMessage = (
    StateMessage | EventMessage | PresenceMessage | AckMessage | HintMessage | ErrorMessage | PongMessage | ByeMessage
)
