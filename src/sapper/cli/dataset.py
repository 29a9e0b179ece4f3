"""`sapper dataset FOLDER`: positions with exact chances, for who trains or studies."""

import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sapper.cli.exits import NO_ROOM, ExitCode
from sapper.cli.options import chosen_game, json_option, preset_option, rules_option, seed_or_random, shard_option
from sapper.cli.progress import Progress, say_without_native
from sapper.core.rng import Rng
from sapper.core.words import counted
from sapper.dataset.sums import write_whole
from sapper.errors import FullDiskError, LayoutError
from sapper.simulate.plan import Shard

_MOST_OF_A_FILE = 100_000
_FORMATS = ("parquet", "npz", "csv", "jsonl")
_CARD = "README.md"
_IDENTITY = "dataset.json"

_EXAMPLES = """\b
Examples:
  sapper dataset positions --preset expert --positions 1000000 --seed 1
  sapper dataset guesses --preset beginner --positions 5000 --seed 1 --guesses-only --win --format jsonl
  sapper dataset positions --preset expert --positions 1000000 --seed 1 --shard 2/10
"""


@click.command("dataset", epilog=_EXAMPLES)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@preset_option()
@rules_option
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Positions in all files together.",
)
@click.option(
    "--seed", type=int, help="0 to 2^64-1; the same seed is the same positions. A random one if none is given."
)
@click.option(
    "--format", "kind", type=click.Choice(_FORMATS), default="parquet", show_default=True, help="Format of the files."
)
@click.option(
    "--shards", type=click.IntRange(min=1), help=f"Number of files. [default: one for {_MOST_OF_A_FILE:,} positions]"
)
@shard_option("Write only file K of N, so that several machines can fill one folder.")
@click.option("--guesses-only", is_flag=True, help="Only positions where no cell is certainly safe.")
@click.option(
    "--win",
    "with_win",
    is_flag=True,
    help="Add the chance to win, exact or with proved bounds; about a hundred times slower.",
)
@json_option
def command(folder: Path, **options: Any) -> ExitCode:  # fmt: skip
    """Write positions of games into FOLDER, each with the exact chance of a mine at every cell, and the best move.

    The files are in FOLDER/data, their SHA-256 in SHA256SUMS; a card (README.md) says how they were drawn and how they are read. Files that
    are there whole are kept, so that the same command with the same --seed goes on where it was broken off; one that does not fit its SHA-256 is made anew. A
    folder of other positions is refused.
    """
    from sapper.dataset.card import card, identity
    from sapper.dataset.drawing import DrawingOrder

    shard: Shard | None = options["shard"]
    if shard is not None and (options["seed"] is None or options["shards"] is not None):
        raise click.UsageError("--shard K/N needs --seed, and says how many files there are")
    preset = chosen_game(options["preset"], options)
    seed, positions, kind = seed_or_random(options["seed"]), options["positions"], options["kind"]
    shards = shard.of if shard is not None else options["shards"] or -(-positions // _MOST_OF_A_FILE)
    if shards > positions:
        raise LayoutError(f"{counted(positions, 'position')} in {shards} files: each has one at least")
    order = DrawingOrder(preset=preset, seed=seed, guesses_only=options["guesses_only"], with_win=options["with_win"])
    about = identity(order, positions=positions, shards=shards, kind=kind)
    _claim(folder, about, seed=options["seed"])
    said = _command(folder, options | {"seed": seed, "shards": shards})
    write_whole(folder / _CARD, card(order, positions=positions, shards=shards, kind=kind, command=said))
    wanted = [shard] if shard is not None else [Shard(number, shards) for number in range(1, shards + 1)]
    written = _write(folder, order, wanted, about, options)
    if options["as_json"]:
        found = {"folder": str(folder), "seed": seed, "positions": positions, "files": written}
        click.echo(json.dumps(found))
    else:
        total = sum(len(one.games(positions)) for one in wanted)
        click.echo(
            f"{counted(total, 'position')} in {counted(len(written), 'file')} of {folder}, seed {seed}; {folder / _CARD} says more"
        )
    return ExitCode.DONE


def _write(
    folder: Path, order: Any, wanted: list[Shard], about: Mapping[str, Any], options: dict[str, Any]
) -> list[str]:
    """Write the files that are not there yet; the names of all that were asked for."""
    from dataclasses import replace

    from sapper.dataset.drawing import draw
    from sapper.dataset.sums import digest_of, note_sums, read_sums
    from sapper.dataset.tables import DATA, open_positions

    kind, positions = options["kind"], options["positions"]
    written: list[str] = []
    (folder / DATA).mkdir(exist_ok=True)
    say_without_native()
    with Progress(sum(len(one.games(positions)) for one in wanted), sys.stderr, "positions") as screen:
        for shard in wanted:
            name = f"{DATA}/positions-{shard.number:04}-of-{shard.of:04}.{kind}"
            path = folder / name
            count = len(shard.games(positions))
            if path.exists():
                digest = digest_of(path)
                if read_sums(folder).get(name, digest) == digest:
                    note_sums(folder, [(name, digest)])  # a file that came from another machine had none
                    screen.advance(count)
                    written.append(name)
                    continue
                click.echo(f"{path} is damaged: its SHA-256 is not that of SHA256SUMS; it is made anew", err=True)
            part = replace(order, seed=Rng(order.seed).split(shard.number - 1).seed)
            size = order.preset.grid.size
            try:
                with open_positions(folder, name, kind, size=size, with_win=order.with_win, about=about) as file:
                    for some in draw(part, count):
                        file.add(some)
                        screen.advance(len(some.seed))
            except OSError as error:
                if error.errno not in NO_ROOM:
                    raise
                whole = f"{len(written)} of {counted(len(wanted), 'file')} are whole"
                raise FullDiskError(
                    f"{path}: {error.strerror}; {whole}: free some space, then run the same command to continue"
                ) from error
            written.append(name)
    return written


def _claim(folder: Path, wanted: dict[str, Any], *, seed: int | None) -> None:
    """Make the folder, or see that it is of the same positions; `seed` is what was asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _IDENTITY
    if path.exists():
        there = _identity_in(path)
        for name, value in wanted.items():
            if there.get(name) != value:
                if name == "seed" and seed is None:
                    raise LayoutError(
                        f"{folder} contains positions already; to continue them, name their seed: --seed {there.get(name)}"
                    )
                raise LayoutError(
                    f"{folder} contains other positions: {name} {json.dumps(there.get(name))}, not {json.dumps(value)}"
                )
        return
    if any(not one.name.startswith(".") for one in folder.iterdir()):
        raise LayoutError(f"{folder} is not empty, and has no {_IDENTITY}: name an empty or new folder")
    write_whole(path, json.dumps(wanted, indent=1) + "\n")


def _identity_in(path: Path) -> dict[str, Any]:
    try:
        there = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        there = None
    if not isinstance(there, dict):
        raise LayoutError(f"{path} is damaged: it should say what the positions are; remove the folder to begin anew")
    return there


def _command(folder: Path, options: dict[str, Any]) -> str:
    name = os.fsencode(folder.name).decode(errors="replace")  # the card is UTF-8, which not every name is
    words = ["sapper", "dataset", name]
    for option in ("preset", "rules", "positions", "seed", "shards"):
        if options[option] is not None:
            words += [f"--{option}", str(options[option])]
    words += ["--format", options["kind"]]
    words += [f"--{flag}" for flag, key in (("guesses-only", "guesses_only"), ("win", "with_win")) if options[key]]
    return shlex.join(words)
