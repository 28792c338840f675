"""What the server remembers for a while: of too many entries, and of old ones, the longest unused are forgotten."""

from quatuor.server.remembered import Remembered


def test_of_too_many_the_longest_unused_are_forgotten():
    kept = Remembered[str, int](3, lambda _: False)
    for number, key in enumerate("abca"):
        assert kept.remember(key, number) == number
    kept.remember("d", 4)
    assert dict(kept) == {"c": 2, "a": 3, "d": 4}


def test_old_ones_are_forgotten_from_the_oldest_on():
    kept = Remembered[str, int](10, lambda at: at < 5)
    kept.update(a=1, b=2, c=7, d=3)
    kept.remember("e", 6)
    assert dict(kept) == {"c": 7, "d": 3, "e": 6}, "d is newer than c, which is not old"
    kept.remember("c", 4)
    assert list(kept) == ["e", "c"]


def test_even_the_newest_may_be_forgotten_at_once():
    kept = Remembered[str, int](10, lambda _: True)
    assert kept.remember("a", 1) == 1
    assert not kept
