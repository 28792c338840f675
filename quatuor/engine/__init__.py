"""Play well at any game, through the contract alone.

``quatuor.engine`` is this package and, called, makes a player:

>>> import quatuor
>>> game = quatuor.new("plus4")
>>> quatuor.engine(level=8, seed=1).choose(game) in game.legal()
True

A package is a module and modules cannot be called, so this one is given a class of its own that can.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quatuor.engine.player import Engine


class _CallablePackage(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> "Engine":
        from quatuor.engine.player import Engine

        return Engine(*args, **kwargs)


sys.modules[__name__].__class__ = _CallablePackage
