"""A game as a small text file: headers in brackets, then one turn a line. It reads back to the same game.

    [Game "plus4"]
    [Variant "endless"]
    [Options "target=5, repetition=draw"]
    [Seat0 "Ada"]
    [Seat1 "engine, level 4"]
    [Date "2026-11-15"]
    [Result "1-2"]

    1. a ; a comment
    2. b*?
      (
      2. c! ; a variation
      )
    3. d

``Result`` is the place of every seat, ``*`` while the game goes on. ``Termination`` says how a game ended that its
rules did not end. In a simultaneous turn the orders of the seats stand side by side: ``1. 3>B4 / -``. ``Position`` is
the start where it is not the usual one. ``Out`` names the seats whose players went out while the others played on.
docs/records.md has the rest.
"""

from quatuor.record.places import behind, gone
from quatuor.record.reading import LONGEST, RecordError, load, load_all, split
from quatuor.record_text import name_seats, write

__all__ = ["LONGEST", "RecordError", "behind", "gone", "load", "load_all", "name_seats", "split", "write"]
