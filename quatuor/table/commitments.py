"""Sealed orders: a hash is published when a secret order comes in, its salt when the turn is revealed.

A client that kept the hash can check that nobody, the server included, changed the order after others had decided.
"""

import hashlib
import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Commitment:
    """All may see ``hash`` at once, and ``salt`` when they may see the order."""

    hash: str
    salt: str

    @classmethod
    def of(cls, ply: int, seat: int, move: str, salt: str) -> "Commitment":
        """The commitment to a seat's order after ``ply`` plies: SHA-256 of ``"ply seat move salt"``, in hexadecimal."""
        return cls(hashlib.sha256(f"{ply} {seat} {move} {salt}".encode()).hexdigest(), salt)


def new_salt() -> str:
    """128 random bits, so that nobody finds the order by trying every move."""
    return secrets.token_hex(16)
