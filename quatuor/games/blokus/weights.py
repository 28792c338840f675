"""What strong players look for in Blokus, as numbers: priors.py says how they are used.

Every line has one weight for each stage of the game. Found by `python -m bench.blokus_priors`, which fits them to
recorded games; docs/measurements/blokus.md says to which.
"""

from typing import NamedTuple

# The stage by the number of pieces placed: the first piece, the way to the middle, the fight for it, the rest.
STAGE_OF = (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4)

# Rings of the board by the distance from its middle; the outermost has no weight.
RING_OF = (0, 0, 1, 1, 2, 2, 3, 3, 4, 5)

Stages = tuple[float, float, float, float, float]


class Weights(NamedTuple):
    """The weights of the variants that are played on one size of board."""

    under: dict[str, Stages]  # the cells that a piece covers
    corners: dict[str, Stages]  # free cells that it touches by a corner, attach points so far or not
    beside: dict[str, Stages]  # cells that it touches by an edge
    pieces: dict[str, Stages]  # the piece itself


# 20 by 20: fitted to `two`, used by all four variants on this board
LARGE = Weights(
    under={
        "their attach point": (0.00, 1.80, 1.39, 1.07, 0.79),
        "of two of them": (0.00, 1.51, -0.11, -0.04, -0.82),
        "in their reach, one step": (0.00, -0.01, 1.42, 1.47, 2.08),
        "two steps": (0.00, 0.19, 0.50, 0.66, 0.96),
        "three steps": (0.00, 0.16, 0.56, 0.75, 1.09),
        "attach point of the ally": (0.00, -1.04, -0.33, -0.24, -0.05),
        "own attach point": (-0.01, 2.50, 0.63, 0.58, 0.46),
        "beside them": (0.00, -0.55, -0.15, -0.20, -0.33),
        "around their last piece": (0.00, -0.39, 0.02, 0.24, 0.31),
        "ring 0": (0.00, 2.73, -0.63, -0.46, -0.07),
        "ring 1": (0.00, 0.22, -1.03, -0.77, -0.56),
        "ring 2": (0.00, -0.18, -0.92, -0.66, -0.49),
        "ring 3": (2.44, -0.82, -0.66, -0.51, -0.42),
        "ring 4": (1.25, -1.23, -0.29, -0.31, -0.26),
    },
    corners={
        "a new attach point": (-1.22, -0.10, -0.06, -0.06, 0.28),
        "out of their reach for ever": (0.00, -1.11, -0.70, 0.02, 0.49),
        "within one step of theirs": (0.00, 0.38, -0.56, -0.42, -0.03),
        "two or three steps": (0.00, 0.17, 0.07, 0.04, 0.20),
        "out of own reach so far": (1.30, 1.21, 0.63, 0.85, 0.72),
        "room on four sides": (1.10, 1.52, 0.76, 0.44, 0.20),
        "on three": (-1.42, 0.86, 0.59, 0.44, 0.38),
        "within one step of own": (0.00, -0.56, -0.36, -0.17, -0.13),
        "beside the ally": (0.00, 0.39, 0.25, -0.10, -0.12),
        "ring 0": (0.00, 0.29, -0.45, 0.05, 0.05),
        "ring 1": (0.00, 0.06, 0.25, 0.22, 0.14),
        "ring 2": (0.00, 0.34, 0.79, 0.39, 0.40),
        "ring 3": (1.52, 0.98, 0.66, 0.48, 0.54),
        "ring 4": (0.06, -0.75, 0.43, 0.37, 0.37),
    },
    beside={
        "own attach point": (0.00, -1.46, -0.98, -0.73, -0.52),
        "own reach": (0.65, -1.03, -0.31, -0.37, -0.34),
        "their attach point": (0.00, 1.26, 0.03, -0.08, 0.10),
        "in their reach, one step": (0.00, -0.31, 0.12, 0.31, 0.77),
        "attach point of the ally": (0.00, 0.36, 0.00, -0.01, -0.12),
        "not free": (0.00, 1.09, 1.25, 0.84, 0.76),
    },
    pieces={
        "1": (0.00, -0.59, 0.38, -0.26, -0.65),
        "2": (-0.12, -0.58, -0.97, -1.56, -1.44),
        "I3": (-0.34, -0.47, -1.98, -1.97, -1.25),
        "V3": (-0.50, -1.77, -2.04, -1.97, -1.75),
        "I4": (-0.21, -0.65, -1.44, -0.40, 0.41),
        "L4": (-1.31, -2.35, -2.59, -0.84, -0.16),
        "T4": (-0.89, -3.31, -2.58, -0.41, 0.32),
        "O4": (-0.79, -0.91, -0.75, 0.10, 1.08),
        "Z4": (-0.12, -3.09, -2.09, -0.12, 0.41),
        "F": (-0.95, -2.43, 0.81, 1.12, 0.35),
        "I5": (2.99, -0.29, 2.57, 1.40, 1.60),
        "L5": (-2.46, 1.25, 1.74, 1.04, 1.06),
        "N": (-0.97, 0.34, 1.32, 1.17, 1.10),
        "P": (-1.94, -1.16, 0.78, 0.73, 1.47),
        "T5": (-1.33, -0.63, 1.36, 1.56, 2.06),
        "U": (-1.79, -1.35, 1.29, 1.00, 1.48),
        "V5": (1.84, 4.20, 1.63, 1.15, 1.37),
        "W": (-0.79, 0.99, 1.67, 1.21, 0.30),
        "X": (0.00, -1.24, 1.86, 1.88, 2.39),
        "Y": (-1.45, -1.07, 1.04, 0.77, 0.73),
        "Z5": (2.31, 2.49, 1.19, 1.36, -0.06),
    },
)

# 14 by 14: `duo`, whose colours start near the middle and meet at once
SMALL = Weights(
    under={
        "their attach point": (0.00, 1.47, 1.01, 0.79, 0.98),
        "of two of them": (0.00, 0.00, 0.00, 0.00, 0.00),
        "in their reach, one step": (-0.26, 1.21, 1.08, 1.20, 1.69),
        "two steps": (-1.21, 0.37, 0.62, 0.53, 0.75),
        "three steps": (2.62, 0.28, 0.51, 0.71, 0.95),
        "attach point of the ally": (0.00, 0.00, 0.00, 0.00, 0.00),
        "own attach point": (-0.00, -0.03, 0.79, 0.68, 0.70),
        "beside them": (0.00, -0.04, 0.03, -0.06, -0.23),
        "around their last piece": (0.00, 0.22, 0.24, 0.25, 0.19),
        "ring 0": (-0.10, 0.41, 0.20, 0.33, 0.88),
        "ring 1": (0.42, 0.42, 0.30, 0.49, 0.84),
        "ring 2": (0.46, 0.68, 0.42, 0.59, 0.95),
        "ring 3": (-0.04, 0.64, 0.48, 0.48, 1.02),
        "ring 4": (-0.00, 0.34, 0.33, 0.50, 0.84),
    },
    corners={
        "a new attach point": (1.13, 0.22, -0.05, 0.02, 0.27),
        "out of their reach for ever": (-0.26, 0.38, 0.46, 0.17, 0.00),
        "within one step of theirs": (-2.22, -0.24, -0.29, -0.31, -0.62),
        "two or three steps": (-0.60, 0.09, 0.07, -0.03, -0.18),
        "out of own reach so far": (0.27, 0.43, 0.40, 0.40, 0.13),
        "room on four sides": (1.18, 0.47, 0.53, 0.40, 0.36),
        "on three": (-0.17, 0.40, 0.35, 0.35, 0.51),
        "within one step of own": (0.00, -0.78, -0.39, -0.14, -0.09),
        "beside the ally": (0.00, 0.00, 0.00, 0.00, 0.00),
        "ring 0": (1.21, 0.43, -0.08, -0.13, -0.34),
        "ring 1": (1.87, 0.44, 0.02, -0.29, -0.02),
        "ring 2": (0.29, 0.20, 0.12, 0.13, 0.28),
        "ring 3": (-1.34, -0.23, -0.02, 0.11, 0.38),
        "ring 4": (-0.07, -0.41, -0.17, -0.04, -0.00),
    },
    beside={
        "own attach point": (0.00, -0.99, -0.97, -0.90, -1.34),
        "own reach": (-1.34, -0.21, -0.55, -0.70, -0.92),
        "their attach point": (-0.41, 0.01, -0.09, -0.07, 0.17),
        "in their reach, one step": (1.17, 0.15, 0.04, 0.25, 0.58),
        "attach point of the ally": (0.00, 0.00, 0.00, 0.00, 0.00),
        "not free": (-0.00, 0.70, 0.25, 0.13, 0.17),
    },
    pieces={
        "1": (-0.00, -0.03, 1.06, 0.14, 0.21),
        "2": (-0.00, -0.11, 0.12, -0.34, -0.56),
        "I3": (-0.00, -0.29, -0.63, -0.48, -0.54),
        "V3": (-0.02, -0.62, -1.27, -0.84, -1.20),
        "I4": (-0.00, -0.50, -0.49, -0.38, -0.01),
        "L4": (-0.03, -1.63, -1.25, -0.70, -0.26),
        "T4": (-0.18, -1.19, -0.62, -0.44, -0.49),
        "O4": (0.00, -0.33, -0.70, -0.27, 0.01),
        "Z4": (-0.82, -1.01, -0.65, -0.22, -0.34),
        "F": (-0.30, 0.75, -0.06, -0.22, 0.00),
        "I5": (-0.00, 0.80, 0.67, 0.08, 0.60),
        "L5": (-0.15, 0.44, 0.27, 0.16, 0.90),
        "N": (1.06, 0.80, 0.32, 0.19, -0.86),
        "P": (-0.07, -0.45, -0.22, -0.20, 0.01),
        "T5": (-0.44, 0.27, 0.67, 0.47, 0.63),
        "U": (-0.01, 0.37, 0.34, 0.37, 0.83),
        "V5": (-0.01, 0.37, 0.66, 0.45, 1.07),
        "W": (-0.48, 1.01, 0.35, 0.74, -0.15),
        "X": (1.17, 0.89, 1.39, 0.88, -0.04),
        "Y": (-1.30, -0.01, -0.35, -0.42, -0.39),
        "Z5": (1.74, 0.78, 0.71, 0.89, 0.36),
    },
)

SETS = (LARGE, SMALL)
