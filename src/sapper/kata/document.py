"""The kata's document: its scenarios, examples and acceptance tests (UATs), read as data.

Fences and comment marks are ignored, for items in a comment count too. An item that cannot be read is kept,
with the error: it must show up red, not be lost.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, unique

from sapper.core.grid import Grid
from sapper.errors import NotationError, SapperError
from sapper.kata.drawing import Drawing, is_row, read_drawing

_EXAMPLE = re.compile(r"#+\s*Example\s+(?P<number>\d+)\W*(?P<title>.*)")
_UAT = re.compile(r"(?:#+\s*)?(?P<mark>[^\w\s#]+)?\s*UAT\s+(?P<number>\d+\.\d+)\W*(?P<title>.*)")
_SCENARIO = re.compile(r"(?P<number>\d+)\s+[\N{EN DASH}\N{EM DASH}-]\s+(?P<title>\S.*)")
_HEADING = re.compile(r"#{1,6}\s")
_SENTENCE = re.compile(r"(?P<word>Given|When|Then|And)\s+(?P<sentence>.+)")
_BOARD_FOLLOWS = re.compile(r"with bombs? \(b\) here|Board state:", re.IGNORECASE)
_SIZE = re.compile(r"\[Sandbox (\d{1,4})x(\d{1,4})\]")
_STRAY = re.compile(r"^\[Sandbox |^Given\b(?s:.*)^When\b(?s:.*)^Then\b", re.MULTILINE)

_LABELS = ("Bombs:", "Game:")

Line = tuple[int, str]


@unique
class ItemKind(Enum):
    """What an item is."""

    SCENARIO = "Scenario"
    EXAMPLE = "Example"
    UAT = "UAT"
    STRAY = "Stray"
    """Something to run that belongs to no item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A board and its message, as printed after a move."""

    drawing: Drawing
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A sentence of an acceptance test, and the board and message that follow it."""

    word: str
    """`Given`, `When` or `Then`; `And` is the one before it."""
    sentence: str
    line: int
    drawing: Drawing | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A scenario, an example or a UAT."""

    kind: ItemKind
    number: str
    title: str
    line: int
    mark: str = ""
    """What the document says of its state: done, in progress or to do."""
    bombs: Drawing | None = None
    shown: tuple[Shown, ...] = ()
    clauses: tuple[Clause, ...] = ()
    fault: NotationError | None = None
    """Why it cannot be read."""

    @property
    def name(self) -> str:
        """Kind and number: `Example 5`, `UAT 6.1`."""
        return f"{self.kind.value} {self.number}"

    @property
    def drawings(self) -> Iterator[Drawing]:
        if self.bombs is not None:
            yield self.bombs
        yield from (shown.drawing for shown in self.shown)
        yield from (clause.drawing for clause in self.clauses if clause.drawing is not None)

    @property
    def grid(self) -> Grid:
        """The size of its boards; without any that of its messages; else the kata's 3x3."""
        for drawing in self.drawings:
            return drawing.grid
        for clause in self.clauses:
            if named := _SIZE.search(clause.sentence):
                return Grid(int(named[1]), int(named[2]))
        return Grid(3, 3)


def read_document(text: str, *, source: str = "<text>") -> tuple[Item, ...]:
    """All items of a document in its order; `NotationError` if there is none."""
    items = []
    for item, lines in _blocks(text):
        try:
            read = _check(_read_uat(item, lines) if item.kind is ItemKind.UAT else _read_play(item, lines))
        except NotationError as error:
            read = replace(item, title=item.title or _guess_title(lines), fault=error)
        items.append(read)
    if not any(item.kind is not ItemKind.STRAY for item in items):
        raise NotationError("no scenario, example or UAT of the kata found", source=source)
    return tuple(items)


def _blocks(text: str) -> Iterator[tuple[Item, list[Line]]]:
    """Each item, its first line read, and the other lines up to the next item or heading."""
    item = Item(kind=ItemKind.STRAY, number="", title="", line=1)
    lines: list[Line] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.replace("<!--", "").replace("-->", "").strip()
        if line.startswith("```"):
            line = ""
        begun = _begin(number, line)
        if begun is None and _HEADING.match(line):
            begun = Item(kind=ItemKind.STRAY, number="", title="", line=number)
        if begun is None:
            lines.append((number, line))
        else:
            yield from _close(item, lines)
            item, lines = begun, []
    yield from _close(item, lines)


def _close(item: Item, lines: list[Line]) -> Iterator[tuple[Item, list[Line]]]:
    if item.kind is not ItemKind.STRAY:
        yield item, lines
    elif _STRAY.search("\n".join(line for _, line in lines)):
        first = next(number for number, line in lines if _STRAY.match(line) or line.startswith("Given"))
        yield replace(item, number=f"at line {first}", line=first), lines


def _guess_title(lines: list[Line]) -> str:
    """What an item that cannot be read is about: what is done in it, or its first words."""
    texts = [line for _, line in lines if line and not is_row(line) and line not in _LABELS]
    return next((text.removeprefix("When ") for text in texts if text.startswith("When ")), "".join(texts[:1]))


def _begin(number: int, line: str) -> Item | None:
    for kind, pattern in ((ItemKind.EXAMPLE, _EXAMPLE), (ItemKind.UAT, _UAT), (ItemKind.SCENARIO, _SCENARIO)):
        if match := pattern.fullmatch(line):
            found = match.groupdict()
            title, mark = found["title"].strip(), found.get("mark") or ""
            return Item(kind=kind, number=found["number"], title=title, line=number, mark=mark)
    return None


# --- scenarios and examples --------------------------------------------------------------------------


def _read_play(item: Item, lines: list[Line]) -> Item:
    if item.kind is ItemKind.STRAY:
        raise NotationError("this belongs to no scenario, example or UAT: its heading is missing", line=item.line)
    reader = _PlayReader(item)
    for number, line in [*lines, (lines[-1][0] if lines else item.line, "")]:
        reader.read(number, line)
    return reader.finish()


class _PlayReader:
    """Reads boards and messages, a line at a time."""

    def __init__(self, item: Item) -> None:
        self._item = item
        self._title = [item.title] if item.title else []
        self._bombs: Drawing | None = None
        self._shown: list[Shown] = []
        self._rows: list[str] = []
        self._rows_at = 0
        self._pending: Drawing | None = None
        self._bombs_follow = False
        self._is_over = False

    def read(self, number: int, line: str) -> None:
        if is_row(line) and not self._is_over:
            if self._pending is not None:
                raise NotationError("the board before this one has no message", line=number)
            self._rows_at = self._rows_at if self._rows else number
            self._rows.append(line)
            return
        if self._rows:
            self._close_board()
            if line and not line.startswith("[") and line not in _LABELS:
                raise NotationError(f"{line!r} is neither a row of the board nor its message", line=number)
        if line.startswith("["):
            self._read_message(number, line)
        elif line in _LABELS:
            self._bombs_follow = line == "Bombs:"
        elif line:
            self._read_text(number, line)

    def _close_board(self) -> None:
        drawing = read_drawing(self._rows_at, self._rows)
        self._rows = []
        if not self._bombs_follow:
            self._pending = drawing
        elif self._bombs is None:
            self._bombs, self._bombs_follow = drawing, False
        else:
            raise NotationError("the bombs are given twice", line=drawing.line)

    def _read_message(self, number: int, line: str) -> None:
        if self._pending is None:
            raise NotationError("a message with no board before it", line=number)
        self._shown.append(Shown(drawing=self._pending, message=line))
        self._pending = None

    def _read_text(self, number: int, line: str) -> None:
        if self._pending is not None:
            raise NotationError(f"the board has no message: {line!r}", line=number)
        if not (self._shown or self._bombs):
            self._title.append(line)
        elif self._item.kind is ItemKind.SCENARIO:
            self._is_over = True  # what the document says after its last scenario
        else:
            raise NotationError(f"{line!r} is neither a board nor a message", line=number)

    def finish(self) -> Item:
        if self._pending is not None:
            raise NotationError("the last board has no message", line=self._pending.line)
        if not self._shown:
            raise NotationError("no board with a message is shown", line=self._item.line)
        return replace(self._item, title=" ".join(self._title), bombs=self._bombs, shown=tuple(self._shown))


# --- acceptance tests --------------------------------------------------------------------------------


def _read_uat(item: Item, lines: list[Line]) -> Item:
    clauses: list[Clause] = []
    rows: list[str] = []
    for number, line in [*lines, (lines[-1][0] + 1 if lines else item.line, "")]:
        if is_row(line):
            if not clauses or clauses[-1].drawing is not None:
                raise NotationError("no sentence says what this board is", line=number)
            rows.append(line)
            continue
        if rows:
            clauses[-1] = replace(clauses[-1], drawing=read_drawing(number - len(rows), rows))
            rows = []
        if line:
            _read_line(clauses, number, line)
    words = {clause.word for clause in clauses}
    for word in ("Given", "When", "Then"):
        if word not in words:
            raise NotationError(f"no sentence says {word!r}", line=item.line)
    if not item.title:
        done, expected = (next(one.sentence for one in clauses if one.word == word) for word in ("When", "Then"))
        item = replace(item, title=f"{done}: {expected}")
    return replace(item, clauses=tuple(clauses))


def _read_line(clauses: list[Clause], number: int, line: str) -> None:
    before = clauses[-1].word if clauses else ""
    if match := _SENTENCE.fullmatch(line):
        word = before if match["word"] == "And" else match["word"]
        if not word:
            raise NotationError("'And' needs a sentence before it", line=number)
        clauses.append(Clause(word=word, sentence=match["sentence"].rstrip(), line=number))
    elif _BOARD_FOLLOWS.fullmatch(line):
        word = "Then" if line.endswith(":") else before or "Given"
        clauses.append(Clause(word=word, sentence=line.rstrip(":"), line=number))
    elif line.startswith("[") and clauses and clauses[-1].drawing is not None:
        clauses[-1] = replace(clauses[-1], message=line)
    else:
        raise NotationError(f"{line!r} is neither a sentence of a UAT nor a board nor a message", line=number)


def _check(item: Item) -> Item:
    sizes = {drawing.grid: drawing.line for drawing in item.drawings}
    if len(sizes) > 1:
        (first, _), (other, line), *_ = sizes.items()
        raise NotationError(
            f"this board is {other.width}x{other.height}, others here are {first.width}x{first.height}", line=line
        )
    return item


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why an item is red."""

    line: int
    reason: str
    expected: str | None = None
    got: str | None = None


class NotMetError(SapperError, ValueError):
    """What an item says is not so."""

    def __init__(self, reason: str, *, line: int, expected: str | None = None, got: str | None = None) -> None:
        self.fault = Fault(line=line, reason=reason, expected=expected, got=got)
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An item and what came of it."""

    item: Item
    runs: int = 0
    """On how many layouts, or in how many games, it was run."""
    told: tuple[str, ...] = ()
    """What was played, a text of one or more lines each: of the first run, if there were several."""
    fault: Fault | None = None

    @property
    def is_green(self) -> bool:
        return self.fault is None
