"""Other programs: their protocols, files and environments."""
