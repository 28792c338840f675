"""What people wish of a tournament: each changes it and says what has to be kept besides its new lines, or is refused.

Nothing here waits or writes: whoever calls keeps the lines, or forgets the tournament.
"""

import contextlib
from dataclasses import replace

from quatuor.match.standings import Round
from quatuor.match.tournament import Tournament, TournamentError
from quatuor.server import setups
from quatuor.server.store.tournaments import Change, Entrant, TournamentRow
from quatuor.table import Refused, Seat, Setup


def organised(kept: TournamentRow, guest: str | None) -> None:
    """Refuse whoever is not the organiser."""
    if guest is None or guest != kept.organiser:
        raise Refused("not_organiser")


def enter(cup: Tournament, kept: TournamentRow, entrant: Entrant) -> Change:
    """A guest, or an engine, joins or comes back; whoever is in stays in."""
    mine = [one for one in kept.entrants.values() if one.guest == entrant.guest and one.level == entrant.level]
    if any(one.barred for one in mine):
        raise Refused("barred")
    if any(one.player not in cup.withdrawn for one in mine):
        return Change()
    admit(cup, kept)
    if mine:
        cup.enter(mine[0].player)
        return Change()
    if entrant.player.casefold() in {player.casefold() for player in cup.players}:
        raise Refused("name_taken")
    cup.enter(entrant.player)
    return Change(entrants=[entrant])


def restore(cup: Tournament, kept: TournamentRow, player: str) -> Change:
    """The organiser lets somebody come back."""
    if player not in cup.withdrawn:
        return Change()
    admit(cup, kept)
    cup.enter(player)
    return Change(entrants=[replace(kept.entrants[player], barred=False)])


def admit(cup: Tournament, kept: TournamentRow) -> None:
    """Refuse if nobody may enter now."""
    if cup.over:
        raise Refused("tournament_over")
    if cup.rounds and (cup.format == "knockout" or not kept.setup["late"]):
        raise Refused("too_late")
    if len(cup.players) - len(cup.withdrawn) >= kept.setup["most"]:
        raise Refused("tournament_full", most=kept.setup["most"])


def withdraw(cup: Tournament, kept: TournamentRow, player: str, guest: str | None) -> Change:
    """Somebody leaves, or is taken off the list by the organiser and then cannot come back alone."""
    entrant = kept.entrants[player]
    own = entrant.guest is not None and entrant.guest == guest
    if not own:
        organised(kept, guest)
    if cup.over:
        raise Refused("tournament_over")
    if player in cup.withdrawn:
        return Change()
    cup.withdraw(player)
    return Change(entrants=[] if own else [replace(entrant, barred=True)])


def pair(cup: Tournament, kept: TournamentRow, name: str, after: int) -> Change:
    """The next round, with a live table for each of its tables; ``after`` so many, so that twice is once."""
    if len(cup.rounds) != after:
        raise Refused("stale_round", rounds=len(cup.rounds))
    _complete(cup)
    try:
        paired = cup.pair()
    except TournamentError:
        raise Refused("too_few_players", seats=cup.seats) from None
    return Change(opened=_opened(cup, kept, name, paired))


def close(cup: Tournament) -> Change:
    """No more rounds."""
    _complete(cup)
    if not cup.rounds:
        raise Refused("no_round")
    cup.close()
    return Change()


def count(cup: Tournament, kept: TournamentRow, name: str, place: tuple[int, int], record: str) -> Change:
    """A table's game is over: its result, once; where the organiser wished so, the next round follows by itself."""
    number, table = place
    if number != len(cup.rounds) or table - 1 not in cup.rounds[-1].missing:
        return Change()  # another process was quicker
    cup.report(table, record)
    change = Change(counted=place)
    if kept.setup["auto"]:
        with contextlib.suppress(Refused):  # not the last result of its round, or no more rounds
            change.opened = pair(cup, kept, name, number).opened
    return change


def _complete(cup: Tournament) -> None:
    if cup.rounds and (missing := cup.rounds[-1].missing):
        raise Refused("round_running", tables=[table + 1 for table in missing])
    if cup.over:
        raise Refused("tournament_over")


def _opened(cup: Tournament, kept: TournamentRow, name: str, paired: Round) -> dict[tuple[int, int], tuple[str, Setup]]:
    return {
        (len(cup.rounds), number): (
            setups.new_id(),
            setups.of_tournament(name, kept.organiser, cup.events[0], [_seat(kept, p) for p in players], kept.setup),
        )
        for number, players in enumerate(paired.tables, 1)
    }


def _seat(kept: TournamentRow, player: str) -> Seat:
    entrant = kept.entrants[player]
    return Seat("engine", level=entrant.level) if entrant.level else Seat("human", guest=entrant.guest)
