"""Logs: one line for each thing that happened, as text or as JSON, and nothing in them that is secret.

Of an exception the log tells its kind and where it was raised, not its message: messages quote what people sent.
"""

import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import msgspec

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")
PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Text(logging.Formatter):
    """For people: time, level, what, and its facts."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the frames of an exception below it."""
        line = super().format(record)
        first, _, rest = line.partition("\n")
        facts = "".join(f" {key}={value}" for key, value in _facts(record).items())
        return f"{first}{facts}\n{rest}" if rest else first + facts

    def formatException(self, ei: ExcInfo) -> str:
        """Where it was raised, not what it says."""
        return "\n".join(_frames(ei))


class Json(logging.Formatter):
    """For programs: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": when, "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        if record.exc_info and record.exc_info[0]:
            line["exception"] = "\n".join(_frames(record.exc_info))
        return msgspec.json.encode(line | _facts(record), enc_hook=str).decode()


def install(level: str = "warning", form: str = "text") -> None:
    """Send everything that is logged to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for talkative in ("uvicorn", "websockets", "asyncio", "numba"):
        logging.getLogger(talkative).setLevel(max(logging.INFO, root.level))  # their debug lines quote whole frames


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in vars(record).items() if key not in PLAIN}


def _frames(info: ExcInfo) -> list[str]:
    frames = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(info[2])]
    return [*frames, info[0].__qualname__ if info[0] else ""]
