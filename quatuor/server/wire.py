"""The structs of requests and messages, and JSON in both directions. Anything else is refused."""

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from quatuor.position import LONGEST as LONGEST_POSITION
from quatuor.table import Refused, commands
from quatuor.table.commands import Command
from quatuor.table.seats import LEVELS
from quatuor.table.table import LONGEST_GAME

T = TypeVar("T")

BODY_LIMIT = 16 * 1024
FRAME_LIMIT = 4 * 1024

# No control characters: PostgreSQL cannot store NUL, and terminals obey the others. The end excludes a final newline.
LINE = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$(?!\n)"
Ack = Annotated[str, Meta(min_length=1, max_length=64, pattern=LINE)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Moment = Annotated[int, Meta(ge=0, le=4_102_444_800_000)]  # milliseconds since 1970, until 2100
Short = Annotated[str, Meta(max_length=200, pattern=LINE)]
Name = Annotated[str, Meta(max_length=400)]  # checked later: of a person, a bot or a tournament
Line = Annotated[str, Meta(max_length=400, pattern=LINE)]
Password = Annotated[str, Meta(max_length=200)]
Level = Annotated[int, Meta(ge=LEVELS[0], le=LEVELS[-1])]


# ---- requests


class SeatChoice(Struct, forbid_unknown_fields=True):
    kind: Annotated[str, Meta(pattern="^(me|open|engine)$")]
    level: Level | None = None
    name: Name | None = None  # of a person who plays a seat of mine on this device
    invited: bool = False  # open: only for people with a link, also at a listed table


class PaceChoice(Struct, forbid_unknown_fields=True):
    total: Annotated[int, Meta(ge=5, le=10_800)] | None = None  # seconds for the whole game
    increment: Annotated[int, Meta(ge=0, le=180)] = 0  # seconds after each turn
    days: Annotated[int, Meta(ge=1, le=14)] | None = None  # for each turn


class NewTable(Struct, forbid_unknown_fields=True):
    game: Short
    seats: Annotated[list[SeatChoice], Meta(max_length=8)]
    variant: Short | None = None
    options: dict[Short, Short | int | None] = {}
    opening: Annotated[list[dict[Short, Short]], Meta(max_length=LONGEST_GAME)] = []  # turns played already
    position: Annotated[str, Meta(max_length=LONGEST_POSITION)] = ""  # where it begins, if not at the usual start
    pace: PaceChoice | None = None
    takeback: bool = False
    listed: bool = False
    words: bool = True
    rated: bool = False  # only accounts and engines play, by the usual rules


class Pair(Struct, forbid_unknown_fields=True):
    """Quick pairing: what the sender wants to play."""

    game: Short
    variant: Short | None = None
    pace: PaceChoice | None = None


class NewTournament(Struct, forbid_unknown_fields=True):
    title: Name
    game: Short
    variant: Short | None = None
    options: dict[Short, Short | int | None] = {}
    format: Annotated[str, Meta(pattern="^(round_robin|swiss|knockout)$")] = "swiss"
    rounds: Annotated[int, Meta(ge=1, le=20)] | None = None  # of a Swiss; null: as many as find one winner
    pace: PaceChoice | None = None
    most: Annotated[int, Meta(ge=2, le=64)] = 16  # players
    listed: bool = False
    late: bool = True  # people may enter once it has begun
    auto: bool = False  # the next round begins when the last game is over
    words: bool = True
    starts: Moment | None = None  # when the first round starts by itself


class Enter(Struct, forbid_unknown_fields=True):
    """Who enters: the sender, an engine of a ``level``, a ``player`` who had left, or people by their ``names``."""

    level: Level | None = None
    player: Count | None = None
    names: Annotated[list[Name], Meta(min_length=1, max_length=64)] | None = None


class Schedule(Struct, forbid_unknown_fields=True):
    starts: Moment | None


class TournamentResult(Struct, forbid_unknown_fields=True):
    """The result of a table, one number for each seat: places or scores; or the record of a game over the board.

    A player states the result of their own game over the board; people entered by name show their ``link``.
    """

    round: Count
    table: Count
    ranking: Annotated[list[Count], Meta(max_length=8)] = []
    scores: Annotated[list[Annotated[int, Meta(ge=-1000, le=1000)]], Meta(max_length=8)] = []
    record: Annotated[str, Meta(max_length=12_000)] = ""
    note: Short = ""  # why a result is corrected
    link: Short = ""


class OnBoard(Struct, forbid_unknown_fields=True):
    """A game of this round that was to be played online is played over the board."""

    round: Count
    table: Count
    note: Short


class NextRound(Struct, forbid_unknown_fields=True):
    after: Count  # rounds so far


class Forfeit(Struct, forbid_unknown_fields=True):
    player: Count


class Join(Struct, forbid_unknown_fields=True):
    token: Short | None = None
    seat: Count | None = None


class Me(Struct, forbid_unknown_fields=True):
    name: Name


class SignUp(Struct, forbid_unknown_fields=True):
    name: Name
    password: Password


class SignIn(Struct, forbid_unknown_fields=True):
    name: Line
    password: Password
    keep: bool = False  # the games of this browser


class NewPassword(Struct, forbid_unknown_fields=True):
    old: Password
    new: Password


class DeleteAccount(Struct, forbid_unknown_fields=True):
    password: Password


class Mute(Struct, forbid_unknown_fields=True):
    """A player by ``seat``, or a spectator by the ``number`` of a message."""

    seat: Count | None = None
    number: Count | None = None
    on: bool = True


class Report(Struct, forbid_unknown_fields=True):
    number: Count


# ---- websocket messages


class Move(Struct, tag_field="t", tag="move"):
    ack: Ack
    ply: Count
    seat: Count
    move: Short

    def command(self) -> Command:
        return commands.Move(self.ply, self.seat, self.move, ack=self.ack)


class Undo(Struct, tag_field="t", tag="undo"):
    ack: Ack
    ply: Count

    def command(self) -> Command:
        return commands.Undo(self.ply, ack=self.ack)


class Resign(Struct, tag_field="t", tag="resign"):
    ack: Ack
    seat: Count

    def command(self) -> Command:
        return commands.Resign(self.seat, ack=self.ack)


class Claim(Struct, tag_field="t", tag="claim"):
    ack: Ack
    seat: Count
    win: bool  # or else an engine plays on

    def command(self) -> Command:
        return commands.Claim(self.seat, self.win, ack=self.ack)


class Fill(Struct, tag_field="t", tag="fill"):
    ack: Ack
    seat: Count
    level: Level

    def command(self) -> Command:
        return commands.Fill(self.seat, self.level, ack=self.ack)


class Offer(Struct, tag_field="t", tag="offer"):
    ack: Ack
    kind: Literal["draw", "undo"]

    def command(self) -> Command:
        return commands.Offer(self.kind, ack=self.ack)


class Answer(Struct, tag_field="t", tag="answer"):
    ack: Ack
    accept: bool

    def command(self) -> Command:
        return commands.Answer(self.accept, ack=self.ack)


class Abort(Struct, tag_field="t", tag="abort"):
    ack: Ack

    def command(self) -> Command:
        return commands.Abort(ack=self.ack)


class Say(Struct, tag_field="t", tag="say"):
    ack: Ack
    phrase: Short | None = None
    words: Annotated[str, Meta(max_length=1000, pattern=LINE)] | None = None
    seat: Count | None = None  # of several seats of the sender, the one whose player writes

    def command(self) -> Command:
        return commands.Say(self.phrase, self.words, self.seat, ack=self.ack)


class Words(Struct, tag_field="t", tag="words"):
    ack: Ack
    on: bool

    def command(self) -> Command:
        return commands.AllowWords(self.on, ack=self.ack)


class Hint(Struct, tag_field="t", tag="hint"):
    ack: Ack
    ply: Count


class Ping(Struct, tag_field="t", tag="ping"):
    pass


class Heard(Struct, tag_field="t", tag="heard"):
    now: int  # of the pong, sent back at once, so that the server knows how long the way is


Message = Move | Undo | Resign | Claim | Fill | Offer | Answer | Abort | Say | Words | Hint | Ping | Heard
_message: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
encode = msgspec.json.Encoder().encode


def message(text: str) -> Message:
    """A websocket frame as a message; Refused says what is wrong with it."""
    try:
        if len(text.encode()) > FRAME_LIMIT:
            raise Refused("too_large", limit=FRAME_LIMIT)
        return _message.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused("bad_message", reason=_reason(error)) from None


def ack_of(text: str) -> str | None:
    """The ack id of a message that is wrong otherwise, so that the answer finds its question."""
    try:
        return msgspec.convert(msgspec.json.decode(text[:FRAME_LIMIT]).get("ack"), Ack)
    except (msgspec.DecodeError, msgspec.ValidationError, AttributeError, UnicodeError, RecursionError):
        return None


def _reason(error: Exception) -> str:
    """What is wrong, in words instead of a regular expression."""
    _, pattern, where = str(error).partition(repr(LINE))
    return f"control characters are not allowed{where}" if pattern else str(error)


async def body(request: Request, kind: type[T], limit: int = BODY_LIMIT) -> T:
    """A request's body; Refused says what is wrong with it."""
    taken = b""
    async for chunk in request.stream():
        taken += chunk
        if len(taken) > limit:
            raise Refused("too_large", limit=limit)
    try:
        return msgspec.json.decode(taken, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused("bad_request", reason=_reason(error)) from None


def respond(content: Any, status: int = 200) -> Response:
    """An answer in JSON, which must not be cached."""
    return json_response(encode(content), status)


def json_response(content: bytes, status: int = 200) -> Response:
    """The same for content that is encoded already."""
    return Response(content, status, {"cache-control": "no-store"}, "application/json")


async def send_json(websocket: WebSocket, message: Any) -> None:
    """Send one message as text."""
    await websocket.send({"type": "websocket.send", "text": encode(message).decode()})
