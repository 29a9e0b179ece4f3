"""Plots as documents."""

from itertools import combinations
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from sapper.plots.figure import COLOURS, FORMATS, new_figure, styled, written
from tests.colour_vision import VISIONS, distance

BEGINS = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_plot_is_the_same_bytes(form: str) -> None:
    documents = []
    for _ in range(2):
        with styled():
            figure, axes = new_figure(3, 2, "a title with $x^")
            axes.plot([1, 2, 3])
        documents.append(written(figure, form))
    assert documents[0] == documents[1]
    assert documents[0].startswith(BEGINS[form])


def test_an_svg_is_xml_without_fonts() -> None:
    with styled():
        figure, _ = new_figure(3, 2, "words")
    root = ET.fromstring(written(figure, "svg"))
    assert not list(root.iter("{http://www.w3.org/2000/svg}text"))


def test_nobody_elses_settings_change() -> None:
    before = dict(mpl.rcParams)
    with styled():
        figure, _ = new_figure(3, 2, "words")
    written(figure, "svg")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_are_told_apart(vision: str) -> None:
    assert min(distance(one, other, vision) for one, other in combinations(COLOURS[:4], 2)) > 15
