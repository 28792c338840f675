"""The package against the naive second implementation in tests/oracle: random games over all variants and options."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quatuor
from quatuor.games import NAMES, rulebook
from tests.oracle import oracle_of
from tests.oracle.compare import play_both, random_options, replay_both
from tests.oracle.trois_six import CELLS, Naive

CASES = [(name, variant.name) for name in NAMES for variant in rulebook(name).variants]


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_agrees_with_the_oracle(name, variant):
    @settings(max_examples=oracle_of(name).RANDOM_GAMES, deadline=None)
    @given(choices=st.randoms(use_true_random=False), seed=st.integers(0, 2**32), plies=st.integers(1, 400))
    def one_game(choices, seed, plies):
        play_both(name, variant, random_options(name, variant, choices), random.Random(seed), plies)

    one_game()


@pytest.mark.parametrize(("name", "score"), [("square_last", 20), ("square_earlier", 15)])
def test_BK_7_agrees_when_all_pieces_are_placed(name, score):
    """Random games never get there, so these two were searched for."""
    record = Path(__file__).parent / "oracle" / "games" / f"blokus_all_placed_{name}.txt"
    assert replay_both(record.read_text()).scores[0] == score


@settings(max_examples=60, deadline=None)
@given(st.permutations(CELLS))
def test_TS_2_agrees_which_layouts_are_won_already(cells):
    """Twelve cells are a layout unless three of a colour stand in line."""
    layout = f"{' '.join(cells[:6])} / {' '.join(cells[6:12])}"
    won = any(map(Naive("classic", {"layout": layout}).has_line, (0, 1)))
    if won:
        with pytest.raises(ValueError, match="three in line already"):
            quatuor.new("trois_six", layout=layout)
    else:
        assert quatuor.new("trois_six", layout=layout).to_move == (0, 1)
