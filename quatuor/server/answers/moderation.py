"""What moderators read."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from quatuor.server.answers.people import StoredSanction


class Person(Struct):
    id: str
    name: str


class ReportedMessage(Struct):
    id: int
    table_id: str
    number: int  # of the message
    said: str
    at: int
    closed: int | None


class Report(ReportedMessage):
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


class NamedLogEntry(LogEntry):
    moderator_name: str
    name: str | None  # of the person concerned


class Log(Struct):
    log: list[NamedLogEntry]


class StoredReport(ReportedMessage):
    author: str
    reporter: str


class History(Struct):
    reports: list[StoredReport]
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
