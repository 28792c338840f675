"""The package against the naive second implementation in tests/oracle: random games over all variants and options."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatuor.games import names, rulebook
from tests.oracle.compare import play_both, random_options

GAMES = {"plus4": 40, "blokus": 4, "plateau_x": 4, "trois_six": 30}  # how many random games for each variant
CASES = [(name, variant.name) for name in names() for variant in rulebook(name).variants]


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_agrees_with_the_oracle(name, variant):
    @settings(max_examples=GAMES[name], deadline=None)
    @given(choices=st.randoms(use_true_random=False), seed=st.integers(0, 2**32), plies=st.integers(1, 400))
    def one_game(choices, seed, plies):
        play_both(name, variant, random_options(name, variant, choices), random.Random(seed), plies)

    one_game()
