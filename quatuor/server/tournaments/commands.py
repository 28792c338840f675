"""Commands to a tournament. Each changes it and returns what to write besides its new lines, or raises Refused.

Nothing here waits or writes: the caller writes the new lines, or drops the tournament from memory.
"""

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from quatuor.match.standings import Round
from quatuor.match.tournament import Tournament, TournamentError
from quatuor.server import setups
from quatuor.server.names import proper_name
from quatuor.server.store.tournaments import Change, Entrant, TournamentRow
from quatuor.server.wire import TournamentResult
from quatuor.table import Refused, Seat, Setup


def organised(kept: TournamentRow, guest: str | None) -> None:
    """Refuse everybody but the organiser."""
    if guest is None or guest != kept.organiser:
        raise Refused("not_organiser")


def player(tournament: Tournament, number: int) -> str:
    """The name of a player, by number."""
    if number >= len(tournament.players):
        raise Refused("not_found")
    return tournament.players[number]


def enter(tournament: Tournament, kept: TournamentRow, entrant: Entrant) -> Change:
    """A guest, or an engine, joins or comes back; entering twice is the same as once."""
    mine = [one for one in kept.entrants.values() if one.guest == entrant.guest and one.level == entrant.level]
    if any(one.barred for one in mine):
        raise Refused("barred")
    if any(one.player not in tournament.withdrawn for one in mine):
        return Change()
    admit(tournament, kept)
    if mine:
        tournament.enter(mine[0].player)
        return Change()
    if entrant.player.casefold() in {player.casefold() for player in tournament.players}:
        raise Refused("name_taken")
    tournament.enter(entrant.player)
    return Change(entrants=[entrant])


def enter_names(tournament: Tournament, kept: TournamentRow, names: list[str]) -> Change:
    """The organiser enters people who have no account and play over the board: all of them, or none."""
    entrants = [Entrant(_proper(name)) for name in names]
    for one in entrants:
        admit(tournament, kept)
        if one.player.casefold() in {player.casefold() for player in tournament.players}:
            raise Refused("name_taken", name=one.player)
        tournament.enter(one.player)
    return Change(entrants=entrants)


def _proper(name: str) -> str:
    """One name of a list: a refusal says which it is."""
    try:
        return proper_name(name)
    except Refused as refused:
        raise Refused(refused.code, **refused.detail, name=name) from None


def restore(tournament: Tournament, kept: TournamentRow, player: str) -> Change:
    """The organiser lets a player come back."""
    if player not in tournament.withdrawn:
        return Change()
    admit(tournament, kept)
    tournament.enter(player)
    return Change(entrants=[replace(kept.entrants[player], barred=False)])


def admit(tournament: Tournament, kept: TournamentRow) -> None:
    """Refuse if nobody may enter now."""
    if tournament.over:
        raise Refused("tournament_over")
    if tournament.rounds and (tournament.format == "knockout" or not kept.setup["late"]):
        raise Refused("too_late")
    if len(tournament.players) - len(tournament.withdrawn) >= kept.setup["most"]:
        raise Refused("tournament_full", most=kept.setup["most"])


def may_withdraw(kept: TournamentRow, player: str, guest: str | None) -> bool:
    """Refuse everybody but the player and the organiser; whether it is the player."""
    own = guest is not None and kept.entrants[player].guest == guest
    if not own:
        organised(kept, guest)
    return own


def withdraw(tournament: Tournament, kept: TournamentRow, player: str, guest: str | None) -> Change:
    """A player leaves. One whom the organiser withdraws comes back only if the organiser lets them."""
    entrant = kept.entrants[player]
    own = may_withdraw(kept, player, guest)
    if tournament.over:
        raise Refused("tournament_over")
    if player in tournament.withdrawn:
        return Change()
    tournament.withdraw(player)
    return Change(entrants=[] if own else [replace(entrant, barred=True)])


def pair(tournament: Tournament, kept: TournamentRow, name: str, after: int) -> Change:
    """Pair the next round and open its live tables. Refused unless ``after`` is the number of rounds so far."""
    if len(tournament.rounds) != after:
        raise Refused("stale_round", rounds=len(tournament.rounds))
    _complete(tournament)
    try:
        paired = tournament.pair()
    except TournamentError:
        raise Refused("too_few_players", seats=tournament.seats) from None
    return Change(opened=_opened(tournament, kept, name, paired))


def schedule(tournament: Tournament, starts: int | None) -> Change:
    """Set when the first round starts by itself, in milliseconds since 1970; None: the organiser starts it."""
    if tournament.rounds:
        raise Refused("stale_round", rounds=len(tournament.rounds))
    tournament.schedule(None if starts is None else datetime.fromtimestamp(starts / 1000, UTC))
    return Change()


def start(tournament: Tournament, kept: TournamentRow, name: str, at: int) -> Change:
    """Pair the first round if its time has come; with too few players, leave it to the organiser."""
    if tournament.starts is None or tournament.starts.timestamp() * 1000 > at:
        return Change()  # another process was quicker, or the organiser chose another time
    try:
        return pair(tournament, kept, name, 0)
    except Refused:
        tournament.schedule(None)
        return Change()


def close(tournament: Tournament) -> Change:
    """No more rounds."""
    _complete(tournament)
    if not tournament.rounds:
        raise Refused("no_round")
    tournament.close()
    return Change()


def count(tournament: Tournament, kept: TournamentRow, name: str, place: tuple[int, int], record: str) -> Change:
    """Count the game of a table once; where the organiser chose so, the next round follows by itself."""
    number, table = place
    if number != len(tournament.rounds) or table - 1 not in tournament.rounds[-1].missing:
        return Change()  # another process was quicker
    tournament.report(table, record)
    return _counted(tournament, kept, name, place)


def forfeit(tournament: Tournament, kept: TournamentRow, name: str, place: tuple[int, int], player: str) -> Change:
    """Decide a game over the board, or one that is over and cannot be counted: this player has lost it."""
    number, table = place
    if number != len(tournament.rounds) or table - 1 not in tournament.rounds[-1].missing:
        raise Refused("game_over")
    tournament.forfeit(table, player)
    return _counted(tournament, kept, name, place)


def by_name(kept: TournamentRow, players: tuple[str, ...]) -> bool:
    """Whether these can only play over the board: at least one was entered by name."""
    return any(kept.entrants[player].by_name for player in players)


def over_the_board(tournament: Tournament, kept: TournamentRow, place: tuple[int, int]) -> bool:
    """Whether a game is played without a live table, from the start or since the organiser said so."""
    played, table = tournament.rounds[place[0] - 1], place[1] - 1
    return table in played.on_board or by_name(kept, played.tables[table])


def state(
    tournament: Tournament, kept: TournamentRow, name: str, number: int | None, command: TournamentResult
) -> Change:
    """A player says how their own game over the board ended; once all people at the table say the same, it counts."""
    place = command.round, command.table
    _check_place(tournament, place)
    players = tournament.rounds[place[0] - 1].tables[place[1] - 1]
    who = None if number is None else player(tournament, number)
    if who not in players:
        raise Refused("not_organiser")
    if command.round != len(tournament.rounds) or place[1] - 1 not in tournament.rounds[-1].missing:
        raise Refused("game_over")
    if not over_the_board(tournament, kept, place):
        raise Refused("not_over")
    try:
        tournament.state(place[1], who, command.ranking, command.scores)
    except TournamentError as error:
        raise Refused("bad_result", message=str(error)) from None
    said = tournament.rounds[-1].stated[place[1] - 1]
    people = [one for one in players if not kept.entrants[one].level]
    if {said.get(one) for one in people} != {said[who]}:
        return Change()
    tournament.decide(place[1], *said[who])
    return _counted(tournament, kept, name, place)


def move_to_board(tournament: Tournament, kept: TournamentRow, place: tuple[int, int], note: str) -> Change:
    """A game that was to be played online is played over the board. Its live table has been called off."""
    if not over_the_board(tournament, kept, place):
        try:
            tournament.move_to_board(place[1], note)
        except TournamentError:
            raise Refused("note_missing") from None
    return Change(counted=place)  # nothing is counted from the live table


def check_move_to_board(tournament: Tournament, place: tuple[int, int], note: str) -> None:
    """Refuse unless the game is of this round, without a result, and there is a note."""
    _check_place(tournament, place)
    if place[0] != len(tournament.rounds) or place[1] - 1 not in tournament.rounds[-1].missing:
        raise Refused("game_over")
    if not note.strip():
        raise Refused("note_missing")


def _check_place(tournament: Tournament, place: tuple[int, int]) -> None:
    number, table = place
    if not 1 <= number <= len(tournament.rounds) or not 1 <= table <= len(tournament.rounds[number - 1].tables):
        raise Refused("no_game")


def result(
    tournament: Tournament, kept: TournamentRow, name: str, guest: str | None, command: TournamentResult
) -> Change:
    """The organiser records a game over the board, or corrects any result with a note."""
    organised(kept, guest)
    number, table = command.round, command.table
    _check_place(tournament, (number, table))
    players = tournament.rounds[number - 1].tables[table - 1]
    on_board = over_the_board(tournament, kept, (number, table))
    counted = table - 1 in tournament.rounds[number - 1].results
    if not counted and not on_board:
        raise Refused("not_over")
    if counted and not on_board and any(kept.entrants[player].guest == guest for player in players):
        raise Refused("own_game", at=None)
    if counted and not command.note.strip():
        raise Refused("note_missing")
    try:
        if counted:
            tournament.correct(number, table, command.note, command.ranking, command.scores)
        elif command.record:
            tournament.report(table, command.record)
        else:
            tournament.decide(table, command.ranking, command.scores)
    except TournamentError as error:
        raise Refused("bad_result", message=str(error)) from None
    return Change() if counted else _counted(tournament, kept, name, (number, table))


def forget(tournament: Tournament, kept: TournamentRow, guest: str, name: str) -> Change:
    """An account is deleted: its player has no name any more, and plays no more."""
    change = Change()
    for old in [one.player for one in kept.entrants.values() if one.guest == guest and one.player != name]:
        taken = {player.casefold() for player in tournament.players if player != old}
        new = next(free for free in _numbered(name) if free.casefold() not in taken)
        if new == old:
            continue
        tournament.rename(old, new)
        change.renamed[old] = new
        if not tournament.over and new not in tournament.withdrawn:
            tournament.withdraw(new)
    return change


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name} ({number})" for number in itertools.count(2))


def _counted(tournament: Tournament, kept: TournamentRow, name: str, place: tuple[int, int]) -> Change:
    change = Change(counted=place)
    if kept.setup["auto"]:
        with contextlib.suppress(Refused):  # it was not the last result of its round, or there are no more rounds
            change.opened = pair(tournament, kept, name, place[0]).opened
    return change


def _complete(tournament: Tournament) -> None:
    if tournament.rounds and (missing := tournament.rounds[-1].missing):
        raise Refused("round_running", tables=[table + 1 for table in missing])
    if tournament.over:
        raise Refused("tournament_over")


def _opened(
    tournament: Tournament, kept: TournamentRow, name: str, paired: Round
) -> dict[tuple[int, int], tuple[str, Setup]]:
    def setup(players: tuple[str, ...]) -> Setup:
        seats = [_seat(kept, player) for player in players]
        return setups.of_tournament(name, kept.organiser, tournament.events[0], seats, kept.setup)

    number = len(tournament.rounds)
    return {
        (number, table): (setups.new_id(), setup(players))
        for table, players in enumerate(paired.tables, 1)
        if not by_name(kept, players)
    }


def _seat(kept: TournamentRow, player: str) -> Seat:
    entrant = kept.entrants[player]
    return Seat("engine", level=entrant.level) if entrant.level else Seat("human", guest=entrant.guest)
