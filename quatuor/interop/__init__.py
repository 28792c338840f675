"""Doors to other programs: their protocols, their files, their environments."""
