"""Who is at a table now, and what they are called. Not part of the game: never stored, and changed without an event."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Presence:
    """Guests are named by their ids. ``watching`` counts people without a seat."""

    names: dict[str, str] = field(default_factory=dict)
    profiles: set[str] = field(default_factory=set)  # guests whose profile shows something to everybody
    online: set[str] = field(default_factory=set)
    away: dict[str, int] = field(default_factory=dict)  # seated guests who are not here -> since when
    watching: int = 0

    def profile(self, guest: str | None) -> str | None:
        """The name under which a guest's profile is found; None: there is nothing to see."""
        return self.names.get(guest or "") if guest in self.profiles else None

    def update_away(self, seated: Iterable[str], now: int) -> None:
        """Note since when each seated guest has been away."""
        self.away = {guest: self.away.get(guest, now) for guest in seated if guest not in self.online}


NOBODY = Presence()  # where presence plays no part; never changed
