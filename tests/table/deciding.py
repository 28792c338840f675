"""One function for each command: returns its event, or None if there is nothing to do; raises Refused."""

from quatuor.table import Accepted, Context, Event, Presence, Refused, Table, commands, decide

NOBODY = Presence()


def decided(
    table: Table, command: commands.Command, guest: str | None = None, now: int = 0, lag: int = 0, presence=NOBODY
) -> Event | None:
    decision = decide(table, command, Context(guest, now, lag, presence))
    if isinstance(decision, Refused):
        raise decision
    return decision.event if isinstance(decision, Accepted) else None


def move(table, guest, ply, seat, text, ack=None, now=0, lag=0):
    return decided(table, commands.Move(ply, seat, text, ack=ack), guest, now, lag)


def answer(table, turn, seat, text):
    return decided(table, commands.EngineMove(turn, seat, text))


def undo(table, guest, ply):
    return decided(table, commands.Undo(ply), guest)


def resign(table, guest, seat):
    return decided(table, commands.Resign(seat), guest)


def join(table, guest, token, wanted=None):
    return decided(table, commands.Join(token, wanted), guest)


def fill(table, guest, seat, level):
    return decided(table, commands.Fill(seat, level), guest)


def say(table, guest, phrase, words, now):
    return decided(table, commands.Say(phrase, words), guest, now)


def allow_words(table, guest, on):
    return decided(table, commands.AllowWords(on), guest)


def agree(table, guest, new_table, now):
    return decided(table, commands.OfferRematch(new_table), guest, now)


def come_back(table, guest):
    return decided(table, commands.ComeBack(), guest)


def flag(table, now):
    return decided(table, commands.CallFlag(), now=now)
