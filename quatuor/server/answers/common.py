"""What several answers contain."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

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


class Health(Struct):
    ok: bool
    version: str
    store: str
