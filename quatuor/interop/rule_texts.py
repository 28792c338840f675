"""The rulebooks as texts, and single clauses of them."""

import re
from pathlib import Path

_HERE = Path(__file__).resolve().parent
FOLDERS = (_HERE / "rulebooks", _HERE.parent.parent / "docs" / "rulebook")  # of a wheel, of a checkout
LANGUAGES = ("en", "fr", "de")
_HEADING = re.compile(r"^#{2,3} .*?(?:\{#([A-Z0-9]+-\d+)\})?\s*$", re.MULTILINE)


def games() -> list[str]:
    """The games that have a rulebook."""
    return sorted(path.stem for path in (_folder() / "en").glob("*.md"))


def rulebook(game: str, language: str = "en") -> str:
    """The rulebook of a game, in Markdown; ValueError lists the choices."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; choose one of {', '.join(LANGUAGES)}")
    if game not in games():
        raise ValueError(f"no rulebook of {game!r}; choose one of {', '.join(games())}")
    return (_folder() / language / f"{game}.md").read_text(encoding="utf-8")


def clause(name: str, language: str = "en") -> str:
    """One clause, with its heading.

    >>> print(clause("P4-6"))
    ### Pawns never run out {#P4-6}
    <BLANKLINE>
    !!! ruling "Our ruling"
        You always have another ordinary pawn to push.
    """
    for game in games():
        text = rulebook(game, language)
        headings = list(_HEADING.finditer(text))
        for number, heading in enumerate(headings):
            if heading[1] == name:
                end = headings[number + 1].start() if number + 1 < len(headings) else len(text)
                return text[heading.start() : end].strip()
    raise ValueError(f"no clause {name!r}; clauses are called P4-1, BK-1, PX-1, TS-1 and so on")


def _folder() -> Path:
    return next((folder for folder in FOLDERS if folder.is_dir()), FOLDERS[0])
