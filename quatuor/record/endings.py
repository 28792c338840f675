"""How games end other than by their rules: the one list that tables, records, tournaments and analysis share."""

ENDINGS = {
    "resign": "resigned",
    "time": "time",
    "left": "abandoned",
    "agreed": "agreed",
    "length": "length",  # after the most turns that a table plays
}  # of a table -> of its record
TERMINATIONS = tuple(ENDINGS.values())  # what a record's Termination header may say
FORMER = {"time forfeit": "time"}  # what earlier releases wrote


def current(termination: str) -> str:
    """The current word for a Termination that an earlier release wrote."""
    return FORMER.get(termination, termination)


def reason(termination: str) -> str:
    """How the table of a record with this Termination ended."""
    return next(why for why, word in ENDINGS.items() if word == current(termination))
