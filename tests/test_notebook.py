"""The example notebook runs, and what is in it draws itself."""

from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

from sapper.simulate.results import RunSummary

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs/notebooks/research.ipynb"


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")  # of Jupyter's own
def test_the_example_notebook_runs_and_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code"), "committed without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(tmp_path))
    game, analysis, summary, plot, played = (cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    for shown in (game[-1], analysis[-1]):
        assert shown.data["image/svg+xml"].startswith("<svg")
    assert "rect" in summary[-1].data["text/html"]
    assert "won 9" in summary[-1].data["text/html"]  # some 970 of 1,000
    assert any("image/png" in one.get("data", {}) for one in plot)
    won, games = (int(word) for word in played[-1].text.split() if word.isdigit())
    assert 0.85 < won / games <= 1


def test_a_summary_of_nothing_shows_words() -> None:
    shown = RunSummary(requested=5, backend="native", interrupted=True)._repr_html_()
    assert shown == "<div><p>no game was played</p></div>"
