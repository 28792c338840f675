"""Pictures of positions in pixels: PNG files and arrays. The packages that draw them are needed only for that."""

import io
from typing import Any

import numpy as np

from quatuor.game import Game

WIDTH = 640  # pixels


def png(game: Game, width: int = WIDTH) -> bytes:
    """The position as a PNG file."""
    from resvg_py import svg_to_bytes

    picture: bytes = svg_to_bytes(svg_string=game.svg(), width=width, background="#ffffff")
    return picture


def rgb(game: Game, width: int = WIDTH) -> Any:
    """The position as an array of bytes: (height, width, 3)."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png(game, width))).convert("RGB"))
