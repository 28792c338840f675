"""Pictures of positions in pixels: PNG files and arrays. The packages that draw them are needed only for that."""

import io
import re
from typing import Any

import numpy as np

from quatuor.game import Game

WIDTH = 640  # pixels
FONTS = "DejaVu Sans, Liberation Sans, Noto Sans, Arial, Helvetica, sans-serif"  # resvg knows no system-ui


def png(game: Game, width: int = WIDTH) -> bytes:
    """The position as a PNG file."""
    return png_of(game.svg(), width)


def png_of(svg: str, width: int) -> bytes:
    """A drawing as a PNG file."""
    from resvg_py import svg_to_bytes

    named = re.sub(r'font-family="[^"]*"', f'font-family="{FONTS}"', svg)
    picture: bytes = svg_to_bytes(svg_string=named, width=width, background="#ffffff")
    return picture


def rgb(game: Game, width: int = WIDTH) -> Any:
    """The position as an array of bytes: (height, width, 3)."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png(game, width))).convert("RGB"))
