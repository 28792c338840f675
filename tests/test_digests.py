"""The same seeds give the same games, searches, batches and puzzles, bit for bit, as in earlier versions."""

import json

import pytest

from tests.digests import EXPECTED, digests

DIGESTS = dict(digests())


@pytest.mark.parametrize("name", DIGESTS)
def test_the_same_seed_gives_the_same_as_before(name):
    expected = json.loads(EXPECTED.read_text())
    assert DIGESTS[name]() == expected.get(name), "if this is intended: python -m tests.digests --write"


def test_every_expected_digest_is_computed():
    assert set(json.loads(EXPECTED.read_text())) == set(DIGESTS)
