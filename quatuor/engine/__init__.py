"""Play well at any game, through the contract alone."""
