"""What is in an SVG picture of a board."""

from pathlib import Path
from xml.etree import ElementTree as ET

NS = "{http://www.w3.org/2000/svg}"


def parsed_of(text: str) -> ET.Element:
    """The document."""
    return ET.fromstring(text)


def uses_of(text: str) -> dict[tuple[int, int], list[str]]:
    """The names of the shapes in each cell, from below to above."""
    found: dict[tuple[int, int], list[str]] = {}
    for use in parsed_of(text).iter(f"{NS}use"):
        x, y = int(use.attrib["x"]), int(use.attrib["y"])
        if x >= 0 and y >= 0:
            found.setdefault((x, y), []).append(use.attrib["href"][1:])
    return found


def labels_of(text: str) -> dict[tuple[int, int], str]:
    """The numbers beside the board, above it in row -1, left of it in column -1."""
    uses = {
        (int(use.attrib["x"]), int(use.attrib["y"])): use.attrib["href"] for use in parsed_of(text).iter(f"{NS}use")
    }
    return {place: name.removeprefix("#l") for place, name in uses.items() if min(place) < 0}


def tips_of(text: str) -> dict[tuple[int, int], str]:
    """What a browser shows when the pointer is over a cell."""
    return {
        (int(use.attrib["x"]), int(use.attrib["y"])): str(title.text)
        for use in parsed_of(text).iter(f"{NS}use")
        if (title := use.find(f"{NS}title")) is not None
    }


def drawn_in(path: Path) -> dict[tuple[int, int], set[str]]:
    """The shapes in each cell of an SVG file."""
    return {place: set(names) for place, names in uses_of(path.read_text(encoding="utf-8")).items()}
