"""What `sapper simulate plot` reads: results of simulations, and layouts or their measures."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from sapper.cli.file_text import decoded
from sapper.cli.progress import Progress
from sapper.errors import NotationError

_AT_ONCE: Final = 500
"""Layouts measured between two looks at the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotInput:
    """What was in the files, in their order."""

    runs: list[dict[str, Any]] = field(default_factory=list)
    """Runs of `sapper simulate --json`."""
    bbbv: dict[str, list[int]] = field(default_factory=dict)
    """The 3BV of each layout, by the name of the file."""

    def add(self, data: bytes, source: str) -> None:
        """Take over what is in a file; `NotationError` where that is nothing known."""
        if data.lstrip()[:1] not in (b"{", b"["):
            self._measure(data, source)
            return
        for document in _runs_apart(_documents(data, source)):
            if _is_run(document):
                if document["games"]:
                    self.runs.append(document)
                continue
            values = _bbbv_of(document)
            if values is None:
                raise NotationError(
                    "this JSON is not from sapper simulate, sapper metrics or sapper generate", source=source
                )
            self.bbbv.setdefault(source, []).extend(values)

    def _measure(self, data: bytes, source: str) -> None:
        from sapper.generator.board_file import read_layouts
        from sapper.metrics.layout import measure_many

        try:
            layouts = [game.layout for game in read_layouts(data, source=source)]
        except NotationError as error:
            raise NotationError(
                f"neither a result of sapper simulate --json nor a layout: {error.message}",
                source=source, line=error.line, column=error.column, offset=error.offset,
            ) from None  # fmt: skip
        values: list[int] = []
        with Progress(len(layouts), sys.stderr, "layouts") as screen:
            for begin in range(0, len(layouts), _AT_ONCE):
                some = layouts[begin : begin + _AT_ONCE]
                values += [one.bbbv for one in measure_many(some)]
                screen.advance(len(some))
        self.bbbv.setdefault(source, []).extend(values)

    def labels(self) -> list[str]:
        """What each run is called: by its strategy, and by what else tells the runs apart."""
        told = [[str(run["strategy"])] for run in self.runs]
        for name in ("preset", "rules", "start", "width", "height", "mine_count", "boards"):
            values = [run.get(name) for run in self.runs]
            if len({str(value) for value in values}) > 1:
                for words, value in zip(told, values, strict=True):
                    if value is not None:
                        words.append(
                            f"{name.replace('mine_count', 'mines')} {value}"
                            if name in ("width", "height", "mine_count", "start")
                            else str(value)
                        )
        return [", ".join(words) for words in told]


def _documents(data: bytes, source: str) -> Iterator[Any]:
    text = decoded(data, source)
    decoder = json.JSONDecoder()
    at = 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        try:
            document, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise NotationError(error.msg, source=source, line=error.lineno, column=error.colno) from None
        except RecursionError:
            raise NotationError("this JSON is nested too deeply", source=source) from None
        yield document


def _runs_apart(documents: Iterator[Any]) -> Iterator[Any]:
    for document in documents:
        several = document.get("strategies") if isinstance(document, dict) else None
        yield from several if isinstance(several, list) and all(map(_is_run, several)) else [document]


def _is_run(document: Any) -> bool:
    if not isinstance(document, dict) or not isinstance(document.get("strategy"), str):
        return False
    games, won = document.get("games"), document.get("won")
    if type(games) is not int or type(won) is not int:
        return False
    return games == 0 or all(isinstance(document.get(name), int | float) for name in ("rate", "low", "high"))


def _bbbv_of(document: Any) -> list[int] | None:
    """The 3BV of the layouts in a document of `metrics` or `generate`; None for any other."""
    if isinstance(document, dict):
        rows, name = document.get("boards"), "3bv"
    else:
        rows, name = document, "bbbv"
    if not isinstance(rows, list):
        return None
    values = [row.get(name) if isinstance(row, dict) else None for row in rows]
    numbers = [value for value in values if type(value) is int and value >= 0]
    return numbers if len(numbers) == len(values) else None
