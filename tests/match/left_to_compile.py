"""``python -m tests.match.left_to_compile``: what a level without advice has compiled before a game and in it.

It needs QUATUOR_KERNELS=jit. Prints how many versions of a kernel there are before the game, and whether they are all.
"""

from quatuor.engine.tree import graft
from quatuor.match.arena import Arena, precompile
from quatuor.match.arena_game import play

if __name__ == "__main__":
    (meeting, *_) = Arena(["level=1"], "blokus", "duo", games=1).meetings
    precompile(meeting.seats, meeting)
    before = list(graft.signatures)
    play(meeting)
    print(len(before), graft.signatures == before)
