"""What the title of a scenario or example claims, compared with the boards that it shows.

A title is not executed: it is prose, and the document itself has titles that are wrong. A claim that the boards contradict is a
warning, or red where the reader asks for it.
"""

import re
from collections import Counter
from collections.abc import Iterator

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.errors import CellError
from sapper.kata.document import Item, ItemKind
from sapper.kata.messages import CLEARED, CREATED, EXPLODED
from sapper.kata.verdict import Warned
from sapper.render import kata as view

_SQUARE = r"(\d+;\d+)"
_BOMB = re.compile(rf"\bbombs? (?:on|in|at) (?:square )?{_SQUARE}", re.IGNORECASE)
_STEP = re.compile(rf"\b(?:step(?:ping)?|click(?:ing|ed)?) on (?:square )?{_SQUARE}", re.IGNORECASE)
_CLEAN = re.compile(rf"\bclean(?:ed|ing)? (?:square )?{_SQUARE}", re.IGNORECASE)
_MARK = re.compile(r"\bmark(?:ed|ing)?\b(?P<words>[^\[]*)\[(?P<squares>[^\]]*)\]", re.IGNORECASE)
_COUNT = re.compile(r"\b(\d+) squares?\b")
_CLEAR = re.compile(r"\bcleared\b[^\[]*\[(?P<squares>[^\]]*)\]", re.IGNORECASE)
_NAMED = re.compile(rf"\b{_SQUARE}\b")

_ENDS = (
    (re.compile(r"\bgame over\b", re.IGNORECASE), EXPLODED, "the game is over"),
    (re.compile(r"\bvictory\b", re.IGNORECASE), CLEARED, "the game is won"),
    (re.compile(r"\bcreat(?:ion|ing)\b", re.IGNORECASE), CREATED, "a game is created"),
)


def contradictions(item: Item) -> Iterator[Warned]:
    """What the item's title says and its last board or message does not show, in the order of the title's claims."""
    if item.kind not in (ItemKind.SCENARIO, ItemKind.EXAMPLE) or not item.shown:
        return
    for reason in _claims(item):
        yield Warned(line=item.line, reason=f"the title says {reason}")


def _claims(item: Item) -> Iterator[str]:
    last = item.shown[-1]
    tiles = last.drawing.tiles()
    grid = item.grid
    for pattern, message, words in _ENDS:
        if pattern.search(item.title) and not last.message.endswith(message):
            yield f"that {words}, and the last message is {last.message!r}"
    for text in _BOMB.findall(item.title):
        yield from _unlike(grid, tiles, text, (Tile.EXPLODED,), "a bomb")
    for text in (*_STEP.findall(item.title), *_CLEAN.findall(item.title)):
        yield from _unlike(grid, tiles, text, tuple(Tile)[: Tile.EIGHT + 1], "stepped on")
    if found := _MARK.search(item.title):
        yield from _marked(grid, tiles, found)
    if found := _CLEAR.search(item.title):
        yield from _twice(found["squares"])
        for text in dict.fromkeys(_NAMED.findall(found["squares"])):
            yield from _unlike(grid, tiles, text, tuple(Tile)[: Tile.EIGHT + 1], "cleared")


def _marked(grid: Grid, tiles: bytes, found: "re.Match[str]") -> Iterator[str]:
    yield from _twice(found["squares"])
    names = _NAMED.findall(found["squares"])
    count = _COUNT.search(found["words"])
    if count is not None and int(count[1]) != tiles.count(Tile.FLAGGED):
        yield f"that {count[1]} squares are marked, and the board shows {tiles.count(Tile.FLAGGED)}"
    for text in dict.fromkeys(names):
        yield from _unlike(grid, tiles, text, (Tile.FLAGGED,), "marked")


def _twice(squares: str) -> Iterator[str]:
    for text, times in Counter(_NAMED.findall(squares)).items():
        if times > 1:
            yield f"{text} {times} times"


def _unlike(grid: Grid, tiles: bytes, text: str, fitting: tuple[Tile, ...], claim: str) -> Iterator[str]:
    """The contradiction, if the square does not show one of the tiles that fit the claim."""
    cell = _cell(grid, text)
    if cell is None:
        yield f"that {text} is {claim}, and the board has no such square"
    elif tiles[cell] not in fitting:
        yield f"that {text} is {claim}, and the board shows {view.BARE_SYMBOLS[tiles[cell]]} there"


def _cell(grid: Grid, text: str) -> Cell | None:
    try:
        return view.cell_of(grid, text)
    except CellError:
        return None
