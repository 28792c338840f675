"""What strong players look for in Blokus, as numbers: priors.py says how they are used.

Every line has one weight for each stage of the game. Found by `python -m bench.blokus_priors`, which fits them to
recorded games; docs/engines.md says to which.
"""

# The stage after so many pieces of the colour: the first piece, the way to the middle, the fight for it, the rest.
STAGE_OF = (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4)

# Rings of the board by the distance from its middle; the outermost has no weight.
RING_OF = (0, 0, 1, 1, 2, 2, 3, 3, 4, 5)

Stages = tuple[float, float, float, float, float]

# the cells that a piece covers
UNDER: dict[str, Stages] = {
    "their attach point": (0.00, 1.61, 1.17, 0.99, 0.84),
    "of two of them": (0.00, 1.06, -0.38, -0.26, -0.19),
    "in their reach, one step": (0.00, 0.26, 0.94, 1.14, 1.45),
    "two steps": (0.00, 0.37, 0.10, 0.30, 0.52),
    "three steps": (0.00, 0.33, 0.21, 0.52, 0.86),
    "attach point of the ally": (0.00, -1.06, -0.58, -0.34, -0.17),
    "own attach point": (0.00, 1.23, 0.29, 0.40, 0.18),
    "beside them": (0.00, -0.99, -0.23, -0.21, -0.19),
    "around their last piece": (0.00, 0.19, 0.04, 0.25, 0.21),
    "ring 0": (0.00, 2.68, -0.68, -0.27, 0.06),
    "ring 1": (0.00, 0.52, -0.75, -0.67, -0.39),
    "ring 2": (0.00, 0.14, -0.69, -0.59, -0.36),
    "ring 3": (2.78, -0.38, -0.50, -0.47, -0.32),
    "ring 4": (0.91, -0.78, -0.28, -0.34, -0.14),
}
# free cells that it touches by a corner, attach points so far or not
CORNERS: dict[str, Stages] = {
    "a new attach point": (-0.01, 0.30, 0.37, 0.23, 0.24),
    "out of their reach for ever": (0.00, 0.50, -0.06, 0.13, 0.26),
    "within one step of theirs": (0.00, 0.68, -0.27, -0.19, 0.01),
    "two or three steps": (0.00, 0.28, 0.07, 0.06, 0.18),
    "out of own reach so far": (0.98, 0.77, 0.34, 0.51, 0.49),
    "room on four sides": (1.01, 0.92, 0.76, 0.37, -0.03),
    "on three": (-1.18, 0.37, 0.33, 0.22, 0.22),
    "within one step of own": (0.00, -0.15, -0.25, -0.04, -0.01),
    "beside the ally": (0.00, -0.03, 0.13, -0.16, 0.02),
    "ring 0": (0.00, 0.07, -0.27, -0.17, -0.07),
    "ring 1": (0.00, -0.07, 0.11, 0.18, 0.17),
    "ring 2": (0.00, 0.05, 0.25, 0.25, 0.28),
    "ring 3": (0.93, 0.71, 0.17, 0.23, 0.37),
    "ring 4": (0.17, 0.20, 0.12, 0.21, 0.27),
}
# cells that it touches by an edge
BESIDE: dict[str, Stages] = {
    "own attach point": (0.00, -1.47, -1.29, -0.97, -0.65),
    "own reach": (0.98, -0.72, -0.24, -0.29, -0.23),
    "their attach point": (0.00, 0.34, -0.02, -0.13, 0.08),
    "in their reach, one step": (0.00, -0.24, -0.08, 0.14, 0.47),
    "attach point of the ally": (0.00, 0.32, 0.01, 0.03, -0.06),
    "not free": (0.00, 0.90, 1.11, 0.85, 0.64),
}
# the piece itself
PIECES: dict[str, Stages] = {
    "1": (0.00, -0.13, -0.40, -0.76, -0.59),
    "2": (0.00, -0.13, -1.16, -1.50, -1.36),
    "I3": (-0.02, -0.09, -1.24, -1.78, -1.35),
    "V3": (-0.04, -1.17, -1.70, -1.78, -1.76),
    "I4": (-0.01, -0.68, -0.73, -0.77, -0.08),
    "L4": (-0.24, -1.59, -1.71, -0.94, -0.50),
    "T4": (-0.25, -1.80, -1.65, -0.69, -0.44),
    "O4": (-0.05, -0.06, 0.01, 0.02, 0.33),
    "Z4": (-0.01, -1.72, -1.73, -0.60, -0.27),
    "F": (-0.37, -1.66, 0.43, 0.72, -0.45),
    "I5": (-0.01, 0.24, 1.80, 0.93, 0.94),
    "L5": (-1.02, 1.53, 1.03, 0.73, 0.12),
    "N": (-0.37, 0.61, 0.84, 0.82, 0.48),
    "P": (-0.64, 0.00, 0.84, 0.58, 0.72),
    "T5": (-0.52, -0.30, 0.77, 1.09, 1.08),
    "U": (-0.32, -0.71, 1.04, 0.83, 0.71),
    "V5": (1.62, 3.11, 0.63, 0.58, 1.26),
    "W": (-0.67, 0.96, 0.82, 0.93, 0.29),
    "X": (0.00, -0.98, 1.22, 1.32, 1.24),
    "Y": (-0.46, -0.52, 0.70, 0.26, -0.48),
    "Z5": (2.31, 2.15, 0.76, 1.04, 0.28),
}
