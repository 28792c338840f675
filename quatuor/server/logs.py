"""Logs: one line for each thing that happened, as text or as JSON, without anything secret.

Of an exception the log has its kind, its cause as a code and where it was raised, not its message: messages quote
what people sent. Control characters are written as escapes, so that nobody can forge a line or command a terminal.
"""

import errno
import logging
import re
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import msgspec

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")
PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# What databases and the system say when they fail; only these codes are logged and sent.
ERRNO = {
    errno.ENOSPC: "disk_full", errno.EDQUOT: "disk_full", errno.EROFS: "read_only", errno.EACCES: "not_permitted",
    errno.EIO: "io_error", errno.ECONNREFUSED: "connection_refused", errno.EMFILE: "too_many_files",
}  # fmt: skip
SQLSTATE = {
    "53100": "disk_full", "25006": "read_only", "53300": "too_many_connections", "57014": "timeout",
    "55P03": "locked", "40P01": "locked", "57P01": "shutting_down", "57P02": "shutting_down", "57P03": "starting_up",
    "28P01": "not_permitted", "28000": "not_permitted", "42501": "not_permitted", "3D000": "no_database",
}  # fmt: skip
PHRASES = {
    "is full": "disk_full",
    "no space left": "disk_full",
    "readonly": "read_only",
    "read-only": "read_only",
    "is locked": "locked",
    "disk i/o error": "io_error",
    "malformed": "damaged",
    "not a database": "damaged",
    "unable to open": "not_permitted",
    "connection refused": "connection_refused",
    "timeout": "timeout",
    "timed out": "timeout",
    "too many clients": "too_many_connections",
    "starting up": "starting_up",
    "shutting down": "shutting_down",
    "resolve": "unknown_host",
    "closed": "connection_lost",
    "connection": "connection_lost",
}

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def cause_of(error: BaseException) -> str:
    """A code that says why a database or the system failed; for anything else the kind of the exception."""
    for one in _chain(error):
        found = SQLSTATE.get(getattr(one, "sqlstate", None) or "") or ERRNO.get(getattr(one, "errno", None) or 0)
        if found:
            return found
        if one.__class__.__module__.split(".")[0] in ("sqlite3", "psycopg"):
            text = str(one).lower()
            if found := next((code for phrase, code in PHRASES.items() if phrase in text), None):
                return found
        if isinstance(one, TimeoutError):
            return "timeout"
    return error.__class__.__name__


class Text(logging.Formatter):
    """For people: time, level, what, and its facts."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the frames of an exception below it."""
        facts = "".join(f" {key}={escaped(str(value))}" for key, value in _facts(record).items())
        line = f"{self.formatTime(record)} {record.levelname} {escaped(record.getMessage())}{facts}"
        return "\n".join([line, *_frames(record.exc_info)])


class Json(logging.Formatter):
    """For programs: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        what = escaped(record.getMessage())
        line = {"time": when, "level": record.levelname.lower(), "logger": record.name, "message": what}
        if frames := _frames(record.exc_info):
            line["exception"] = "\n".join(frames)
        facts = {key: escaped(value) if isinstance(value, str) else value for key, value in _facts(record).items()}
        return msgspec.json.encode(line | facts, enc_hook=str).decode()


def install(level: str = "warning", form: str = "text") -> None:
    """Send everything that is logged to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Their lines quote whole frames, name visitors by their addresses, and list what Alembic has set up
    for talkative in ("alembic", "asyncio", "numba", "uvicorn", "websockets"):
        logging.getLogger(talkative).setLevel(max(logging.WARNING, root.level))


def escaped(text: str) -> str:
    """The text with its control characters as escapes."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in vars(record).items() if key not in PLAIN}


def _frames(info: ExcInfo | None) -> list[str]:
    """Where it was raised, its kind, and its cause if that is a known one; not what it says."""
    if info is None or info[0] is None or info[1] is None:
        return []
    kind, cause = info[0].__qualname__, cause_of(info[1])
    frames = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(info[2])]
    return [*frames, kind if cause == kind else f"{kind} ({cause})"]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what caused it, the innermost last."""
    while error is not None:
        yield error
        original = getattr(error, "orig", None)  # SQLAlchemy wraps what the driver raised
        error = original if isinstance(original, BaseException) else error.__cause__
