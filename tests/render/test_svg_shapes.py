"""The shapes of a picture: one for each kind of cell, defined once."""

import re
from itertools import product
from xml.etree import ElementTree as ET

import pytest

from sapper.core.notation import read_board
from sapper.core.tile import Tile
from sapper.render.picture_palette import PICTURE_PALETTES, PicturePalette
from sapper.render.svg import svg
from tests.pictures import NS, parsed_of

EVERY_TILE = read_board("9x3/9\n12345678.\n.#F?*X!##\n#########\n")
HINT = read_board("3x2/2\n121\n###\n")


def test_every_kind_of_tile_has_a_shape_of_its_own() -> None:
    for palette in PICTURE_PALETTES.values():
        shapes = [
            ET.tostring(group)
            for group in parsed_of(svg(EVERY_TILE, palette=palette, coordinates=False)).findall(f"{NS}defs/{NS}g")
        ]
        assert len(shapes) == len(set(shapes)) == len(Tile) - 1


@pytest.mark.parametrize(
    ("palette", "header", "coordinates"), list(product(PICTURE_PALETTES.values(), (True, False), (True, False)))
)
def test_it_is_a_document_of_its_own(palette: PicturePalette, header: bool, coordinates: bool) -> None:
    text = svg(EVERY_TILE, palette=palette, header=header, coordinates=coordinates, last_move=0)
    root = parsed_of(text)
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z_][\w-]*", name) for name in ids)
    assert {use.attrib["href"] for use in root.iter(f"{NS}use")} == {f"#{name}" for name in ids}
    # No font, no style, no script, nothing from elsewhere.
    assert {element.tag for element in root.iter()} <= {
        NS + tag for tag in ("svg", "title", "desc", "defs", "g", "path", "circle", "use")
    }
    assert text.count("http") == 1


def test_ids_have_a_prefix_where_a_page_has_several_pictures() -> None:
    root = parsed_of(svg(EVERY_TILE, prefix="a-"))
    assert all(group.attrib["id"].startswith("a-") for group in root.iter(f"{NS}g") if "id" in group.attrib)
    assert all(use.attrib["href"].startswith("#a-") for use in root.iter(f"{NS}use"))
