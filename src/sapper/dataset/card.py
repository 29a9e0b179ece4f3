"""The card of a folder of positions: what they are, how they were drawn, how they are read."""

from typing import Any

from sapper import __version__
from sapper.dataset.drawing import GAMES, DrawingOrder
from sapper.dataset.tables import COLUMNS, WIN_COLUMNS

_READ = {
    "parquet": {
        "NumPy (with pyarrow)": """\
import pyarrow.parquet as pq
table = pq.read_table("{folder}/data").combine_chunks()
chances = table["chances"].chunk(0).flatten().to_numpy().reshape(-1, {height}, {width})""",
        "datasets": """\
import datasets
positions = datasets.load_dataset("{folder}", split="train").with_format("numpy")
chances = positions["chances"][:].reshape(-1, {height}, {width})""",
    },
    "npz": {
        "NumPy": """\
import glob, numpy as np
files = [np.load(name) for name in sorted(glob.glob("{folder}/data/*.npz"))]
chances = np.concatenate([file["chances"] for file in files]).reshape(-1, {height}, {width})"""
    },
    "csv": {
        "NumPy": """\
import csv, glob, pathlib, numpy as np
rows = [row for name in sorted(glob.glob("{folder}/data/*.csv")) for row in csv.DictReader(pathlib.Path(name).read_text().splitlines())]
chances = np.array([row["chances"].split() for row in rows], float).reshape(-1, {height}, {width})"""
    },
    "jsonl": {
        "NumPy": """\
import glob, json, pathlib, numpy as np
rows = [json.loads(line) for name in sorted(glob.glob("{folder}/data/*.jsonl")) for line in pathlib.Path(name).read_text().splitlines()]
chances = np.array([row["chances"] for row in rows]).reshape(-1, {height}, {width})"""
    },
}


_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "n>1B")
"""The sizes that hubs know, by powers of ten from a thousand on."""


def readers(kind: str, *, folder: str, width: int, height: int) -> dict[str, str]:
    """How a format is read, by library: three lines of Python each."""
    return {name: code.format(folder=folder, width=width, height=height) for name, code in _READ[kind].items()}


def identity(order: DrawingOrder, *, positions: int, shards: int, kind: str) -> dict[str, Any]:
    """All that makes two folders hold the same, as `dataset.json` has it."""
    preset = order.preset
    return {
        "sapper": __version__,
        "preset": preset.name,
        "rules": preset.rules.name,
        "start": preset.rules.start.value,
        "width": preset.width,
        "height": preset.height,
        "mine_count": preset.mine_counts[0],
        "seed": order.seed,
        "positions": positions,
        "shards": shards,
        "format": kind,
        "random_guesses": order.random_guesses,
        "guesses_only": order.guesses_only,
        "win": order.with_win,
    }


def card(order: DrawingOrder, *, positions: int, shards: int, kind: str, command: str) -> str:
    preset = order.preset
    metadata = ""
    if kind == "parquet":
        metadata = "\nEach file says in its metadata what is said here: `pyarrow.parquet.read_schema(file).metadata` has `width`, `height`, `mines`, `rules`, `sapper` and more.\n"
    columns = COLUMNS | (WIN_COLUMNS if order.with_win else {})
    rows = "\n".join(f"| `{name}` | {kind_of} | {meaning} |" for name, (kind_of, meaning) in columns.items())
    kept = "where no cell is certainly safe" if order.guesses_only else "all of them"
    read = "\n\n".join(
        f"{name}:\n\n```python\n{code}\n```"
        for name, code in readers(kind, folder=".", width=preset.width, height=preset.height).items()
    )
    return f"""\
{_front_matter(positions, kind)}# {positions:,} Minesweeper positions with exact chances

{preset.width}×{preset.height} cells, {preset.mine_counts[0]} mines, rules `{preset.rules.name}`, start `{preset.rules.start.value}`; {shards} {kind} file{"" if shards == 1 else "s"}.
Made by sapper {__version__}:

    {command}

The same command makes the same positions on every machine.
The files are in `data`; `sha256sum -c SHA256SUMS` checks them. Another version of pyarrow or NumPy may write the same positions in other bytes.

## How they were drawn

- {GAMES} games are played side by side; each begins with the usual first reveal of its start rule, and gives way to the next of its run when it ends.
- A round analyses every board. Kept are {kept}, as long as positions are wanted. The covered board is never among them.
- Then each game is played on. Where cells are certainly safe, 1 to all of them (uniformly) are revealed in random order, so that the next position stands within or behind what is certain.
- Elsewhere one cell is guessed: with probability {order.random_guesses!r} any covered cell, uniformly, else the least likely mine.
- Games that are lost leave no position behind the loss, so late positions are those of games that went well.
- Positions of one game are alike: to split into training and test, split by `seed`.
- Files are drawn apart, from children of the seed; the last games of a file are broken off, so that early positions are somewhat more frequent than in whole games.

## Columns

A row is a position. Cells are in the order `y * width + x`.

| Column | Type | |
|---|---|---|
{rows}

`mines` is the truth, and `seed` gives it away: they are what to predict and what to split by, not what to learn from.
{metadata}
## Reading

pandas and polars read the files as tables (`read_parquet`, `read_csv`); others:

{read}
"""


def _front_matter(positions: int, kind: str) -> str:
    """What hubs and `datasets.load_dataset` read of a card."""
    size = _SIZES[min(max(0, len(str(positions)) - 3), len(_SIZES) - 1)]
    lines = ["license: cc0-1.0", "pretty_name: Minesweeper positions with exact chances", "tags:", "- minesweeper"]
    lines += ["size_categories:", f"- {size}"]
    if kind != "npz":  # which `datasets` does not read
        lines += ["configs:", "- config_name: default", "  data_files:", "  - split: train", f"    path: data/*.{kind}"]
    return "\n".join(["---", *lines, "---", "", ""])
