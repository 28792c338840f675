"""Import this first: arrays made from then on refuse negative indices. Libraries do not count them from the end."""

import functools

import numpy as np


class Strict(np.ndarray):
    """An array without negative indices."""

    def __getitem__(self, place):
        if place < 0 if type(place) is int else _negative(place):
            raise _refusal(place)
        return _get(self, place)

    def __setitem__(self, place, value):
        if place < 0 if type(place) is int else _negative(place):
            raise _refusal(place)
        _set(self, place, value)


_get, _set = np.ndarray.__getitem__, np.ndarray.__setitem__


def _negative(place):
    for index in place if type(place) is tuple else (place,):
        if isinstance(index, (int, np.integer)) and index < 0:
            return True
    return False


def _refusal(place):
    return IndexError(f"an index is {place}: libraries do not count it from the end")


def _strict(make):
    @functools.wraps(make)
    def made(*arguments, **options):
        found = make(*arguments, **options)
        return found.view(Strict) if type(found) is np.ndarray and found.ndim else found

    return made


for name in ("array", "empty", "zeros", "ones", "full", "arange", "stack", "concatenate"):
    setattr(np, name, _strict(getattr(np, name)))
