"""Which passwords are good enough, and the codes that replace a forgotten one."""

import functools
import gzip
import hashlib
import secrets
from importlib import resources

from quatuor.server.names import name_key
from quatuor.table import Refused

SHORTEST = 8
CODES = 10
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters and digits that look alike
LETTERS = 16  # of a code, some 79 bits: a plain hash of it cannot be reversed


def check_password(password: str, name: str) -> None:
    """Refuse a password that is too short, among the most common ones, or the name itself."""
    if len(password) < SHORTEST:
        raise Refused("bad_password", shortest=SHORTEST)
    plain = name_key(password)
    if plain in _common() or password in _common():
        raise Refused("bad_password", reason="common")
    if plain == name_key(name) or len(set(plain)) < 3:
        raise Refused("bad_password", reason="guessable")


def new_codes() -> list[str]:
    """Ten codes to write down, in groups of four letters."""
    drawn = ("".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(CODES))
    return ["-".join(code[first : first + 4] for first in range(0, LETTERS, 4)) for code in drawn]


def code_hash(guest: str, code: str) -> str:
    """What is kept of a code; blanks, dashes and capitals make no difference."""
    plain = "".join(letter for letter in code.casefold() if letter.isalnum())
    return hashlib.sha256(f"{guest} {plain}".encode()).hexdigest()


@functools.cache
def _common() -> frozenset[str]:
    """The most common passwords of at least eight characters, in small letters: see data/README.md."""
    packed = resources.files("quatuor.server").joinpath("data/common-passwords.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split("\n"))
