"""The counts in docs/perft.md are those of the kernels, and the first ones those of the oracle."""

import re
from copy import deepcopy
from itertools import product
from pathlib import Path

import pytest

import quatuor
from quatuor.engine.perft import perft
from quatuor.games import names, rulebook
from tests.oracle import oracle

ROW = re.compile(r"\| (\w+):(\w+) \| ([^|]*)\| ([\d, ]+) \|")
TEXT = (Path(__file__).parent.parent / "docs" / "perft.md").read_text()
ROWS = [
    (m[1], m[2], dict(o.split("=") for o in m[3].replace(",", " ").split()), m[4].split()) for m in ROW.finditer(TEXT)
]
MOST = 50_000_000  # sequences counted in a test
MOST_NAIVELY = 3_500


@pytest.mark.parametrize(("name", "variant", "options", "counts"), ROWS)
def test_counts_of_the_guide(name, variant, options, counts):
    game = quatuor.new(name, variant, **options)
    expected = [n for text in counts if (n := int(text.replace(",", ""))) <= MOST]
    assert [perft(game, depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.parametrize(("name", "variant", "options", "counts"), ROWS)
def test_the_oracle_counts_the_same(name, variant, options, counts):
    start = oracle(name, variant, quatuor.new(name, variant, **options).options)
    expected = [n for text in counts if (n := int(text.replace(",", ""))) <= MOST_NAIVELY]
    assert [count(start, depth) for depth in range(1, len(expected) + 1)] == expected


def count(position, depth):
    turns = list(product(*(position.legal(seat) for seat in position.to_move)))
    if not position.to_move:
        return 0
    if depth == 1:
        return len(turns)
    total = 0
    for moves in turns:
        after = deepcopy(position)
        after.play(dict(zip(position.to_move, moves, strict=True)))
        total += count(after, depth - 1)
    return total


def test_every_variant_has_its_counts():
    assert {(row[0], row[1]) for row in ROWS} == {(n, v.name) for n in names() for v in rulebook(n).variants}
