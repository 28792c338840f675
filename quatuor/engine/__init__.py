"""Play well at any game, through the contract alone. ``quatuor.engine(level=8)`` makes a player (see player.py)."""
