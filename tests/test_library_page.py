"""The reference of the library is what docstrings say, has all that is public, and its build fails where that is not so."""

import importlib
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from sphinx.application import Sphinx

import sapper

pytestmark = pytest.mark.filterwarnings(
    "ignore:The mapping interface for autodoc options"
)  # Sphinx's own napoleon asks so
EXTENSIONS = Path(__file__).parents[1] / "docs" / "_ext"
PAGE = """
Library
=======

.. currentmodule:: sapper

.. autofunction:: new_game
.. autofunction:: analyse
.. autoclass:: Rules
.. autoclass:: Action
.. autoclass:: Move
.. autoclass:: LayoutSource
.. autodata:: Cell
   :no-value:
.. autodata:: PLANE
   :no-value:
.. autodata:: PRESETS
   :no-value:
"""


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    yield importlib.import_module("library_page")
    sys.modules.pop("library_page", None)


def _built(folder: Path, text: str = PAGE) -> tuple[str, list[str]]:
    """The page as text, and what the build warns of: with -W it would fail."""
    source = folder / "source"
    source.mkdir(exist_ok=True)
    (source / "index.rst").write_text(text, encoding="utf-8")
    warnings = io.StringIO()
    options = {
        "extensions": ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "library_page"],
        "default_role": "code",
        "autodoc_class_signature": "mixed",
        "autoclass_content": "both",
        "autodoc_default_options": {"members": True, "undoc-members": True},
    }
    app = Sphinx(
        source, None, folder / "out", folder / "trees", "text", confoverrides=options, status=None, warning=warnings, freshenv=True,
    )  # fmt: skip
    app.build()
    text = (folder / "out" / "index.txt").read_text(encoding="utf-8")
    return " ".join(text.split()), warnings.getvalue().splitlines()


def test_docstrings_are_shown_as_they_are_written(page: Any, tmp_path: Path) -> None:
    text, warnings = _built(tmp_path)
    assert "Type:" not in text
    assert "How many neighbours a zero opens: 8, or the 4 that share an edge." in text
    assert "name: str" in text, "an attribute without a docstring has its place"
    assert "Alias for field" not in text
    assert "Create new instance" not in text
    assert "class sapper.Action A kind of move" in text
    assert "A cell's index:" in text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    assert "The usual board: eight neighbours" in text
    assert '"beginner": 9×9, 10 mines, rules "modern"' in text
    assert "Raises:" in text, "sections of functions stay sections"
    assert not any("which is no name of sapper" in line for line in warnings)


def test_a_page_without_something_public_and_an_error_that_is_not_are_found(
    page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sapper._HOMES, "InvalidValueError")
    _, warnings = _built(tmp_path)
    assert any("sapper.new_referee" in line or "sapper.Rng" in line for line in warnings)
    assert any("sapper.Board is public, and the reference does not have it" in line for line in warnings)
    assert not any("sapper.Rules." in line for line in warnings)
    _, warnings = _built(tmp_path, f"{PAGE}\n.. autofunction:: new_referee\n")
    assert any("sapper.new_referee names InvalidValueError, which is no name of sapper" in line for line in warnings)


def test_what_is_asked_for(page: Any) -> None:
    assert page.unknown_errors("`ValueError`, `InvalidValueError`, or `PacketError` of none") == {"PacketError"}
    everything = page.missing_names(set())
    assert {
        "sapper.Board",
        "sapper.Board.tiles",
        "sapper.Rules.name",
        "sapper.PLANE",
        "sapper.InvalidValueError",
    } <= set(everything)
    assert page.missing_names(set(everything)) == []
    assert set(page.public_members(sapper.Move)) >= {"action", "cell", "reveal"}
