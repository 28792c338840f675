"""What people may be called: readable names that look like no account's, no engine's and no other guest's."""

import functools
import re
import unicodedata
import zlib

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data

from quatuor.table import Refused

NAME_LIMIT = 24
MARKS = 3  # combining marks in a row: more would cover other lines
SCRIPTS = tuple(
    frozenset(scripts)
    for scripts in (
        ("LATIN", "HAN", "HIRAGANA", "KATAKANA"),
        ("LATIN", "HAN", "BOPOMOFO"),
        ("LATIN", "HAN", "HANGUL"),
    )
)  # which may stand in one name, besides one alone: Unicode's "highly restrictive" level
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0")  # printable, but invisible
SAME = str.maketrans({"0": "o", "1": "l", "i": "l"})  # alike in many fonts; a name is compared without capitals
ENGINE_WORDS = ("engine", "computer", "machine", "moteur", "ordinateur", "maschine", "quatuor")
LEVEL_WORDS = ("level", "stufe", "niveau", "lvl")
STAFF_WORDS = ("admin", "administrator", "moderator", "moderateur", "modérateur", "operator", "system", "server")
GUEST_WORDS = ("guest", "gast", "invite", "invité")


def nameless(guest: str) -> str:
    """What a guest without a name is called."""
    return f"Guest {1000 + zlib.crc32(guest.encode()) % 9000}"


def proper_name(name: str, guest: str = "") -> str:
    """A name as it is stored: NFKC, single blanks. Refused says why it cannot be one."""
    plain = unicodedata.normalize("NFKC", re.sub("[\ufe00-\ufe0f]", "", name))  # variation selectors of emoji
    plain = " ".join(plain.split())
    if not 1 <= len(plain) <= NAME_LIMIT:
        raise Refused("bad_name", longest=NAME_LIMIT)
    if any(unicodedata.category(letter) == "Cf" or letter in BLANK for letter in plain):
        raise Refused("bad_name", reason="invisible_characters")
    if not plain.isprintable():
        raise Refused("bad_name", reason="control_characters")
    if re.search(f"[^\\W\\d_]?(?:{_MARK}){{{MARKS + 1}}}", plain):
        raise Refused("bad_name", reason="too_many_marks")
    scripts = unique_aliases(plain) - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in SCRIPTS):
        raise Refused("bad_name", reason="mixed_scripts")
    if plain != nameless(guest) and any(RESERVED.fullmatch(look) for look in looks(plain)):
        raise Refused("bad_name", reason="reserved")
    return plain


def name_key(name: str) -> str:
    """What an account is found by: its name in small letters with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[:120]


@functools.lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """How a name looks, as it is written and in small letters: two names with a look in common can be confused."""
    plain = unicodedata.normalize("NFKC", name)
    return frozenset(_look(text) for text in (plain, plain.casefold()))


def _look(text: str) -> str:
    seen = "".join(_seen(letter) for letter in text).translate(SAME)
    letters = "".join(letter for letter in seen if unicodedata.category(letter)[0] in "LNM")
    return (letters or seen).replace("rn", "m").replace("vv", "w")[:120]


def _seen(letter: str) -> str:
    """A letter as ASCII if it looks like ASCII, in small letters."""
    if not letter.isascii():
        for other in confusables_data.get(letter, ()):
            found = str(other["c"]).strip("\u200e")
            if found.isascii() and found.isalnum():
                return found.casefold()
    return "l" if letter == "|" else letter.casefold()


def _any(words: tuple[str, ...]) -> str:
    return "|".join(sorted({_look(word) for word in words}))


_MARK = "|".join(("[\u0300-\u036f]", "[\u0483-\u0489]", "[\u1ab0-\u1aff]", "[\u1dc0-\u1dff]", "[\u20d0-\u20ff]"))
NUMBER = "[0-9ol]"  # as digits look
RESERVED = re.compile(
    f"(?:{_any(ENGINE_WORDS)})(?:{_any(LEVEL_WORDS)})?{NUMBER}*|(?:{_any(STAFF_WORDS)}){NUMBER}*"
    f"|(?:{_any(GUEST_WORDS)}){NUMBER}+"
)
