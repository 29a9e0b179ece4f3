"""The pictures of the documentation are what its commands draw."""

import os
from pathlib import Path

import pytest

from tests.documents import run_console

DOCS = Path(__file__).parents[1] / "docs"
IMAGES = DOCS / "images"
BY_BENCH = {"learning.svg": "rl.md", "masked-ppo.svg": "rl.md"}
"""What a bench of that name draws in some minutes, and the page that shows it with its command."""
NAMES = sorted(path.name for path in IMAGES.glob("*.svg") if path.name not in BY_BENCH)

PAGES = ("pictures.md", "exact-count.md")

WRITE = bool(os.environ.get("SAPPER_WRITE_PICTURES"))
"""Set to take over what is drawn now; look at it before it is committed."""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    for name in PAGES:
        document = (DOCS / name).read_text(encoding="utf-8")
        run_console(name, document.partition("## Plots")[0], folder)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_its_command_draws(name: str, drawn: Path) -> None:
    if WRITE:
        (IMAGES / name).write_bytes((drawn / name).read_bytes())
    assert (IMAGES / name).read_bytes() == (drawn / name).read_bytes(), "to take it over: SAPPER_WRITE_PICTURES=1"


def test_every_picture_that_is_shown_is_there_and_small() -> None:
    document = "".join((DOCS / name).read_text(encoding="utf-8") for name in PAGES)
    assert len(NAMES) == 5
    assert all(f"](images/{name})" in document for name in NAMES)
    for name, page in BY_BENCH.items():
        shown = (DOCS / page).read_text(encoding="utf-8")
        assert f"images/{name}" in shown
        assert f"bench/{name.removesuffix('.svg').replace('-', '_')}.py" in shown
        assert (IMAGES / name).stat().st_size < 60_000
    assert sum((IMAGES / name).stat().st_size for name in NAMES) < 60_000
