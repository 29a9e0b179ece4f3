"""A board as an array of colours: the SVG's picture."""

from io import BytesIO

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from sapper.core.board import Board
from sapper.render.svg import svg


def rgb_array(board: Board) -> NDArray[np.uint8]:
    """The picture of a board (`sapper.svg`), height × width × 3, 16 pixels a cell."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg(board, cell_size=16), skip_system_fonts=True)
    with Image.open(BytesIO(bytes(drawn))) as image:
        return np.array(image.convert("RGB"), np.uint8)
