"""A table, its events, and lists of tables."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from quatuor.server.answers.common import Effects, EndedBy, Options, Reason, View


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
    until: int | None  # when the caller's flag falls
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
