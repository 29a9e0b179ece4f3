"""Recordings of others, read and replayed by sapper and by ms-toollib: the same numbers?

    python bench/recordings.py FOLDER…

Looks at every AVF, RMV, EVF and MVF in the folders (RAWVF is nothing that ms-toollib reads: of those it is said how many are read, and
agree with what they state). Compared are the player, the mines, time, 3BV and how much of it is solved, clicks by kind, effective
clicks and the path. Prints each file that differs, then a line a format. Only a small recording comes with sapper.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from sapper.errors import SapperError
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.reading import READERS, read_recording
from sapper.replay.replaying import replay

_AT_ONCE: Final = 200
_THEIRS: Final = """
import json, sys
import ms_toollib

kinds = {"avf": ms_toollib.AvfVideo, "evf": ms_toollib.EvfVideo, "rmv": ms_toollib.RmvVideo, "mvf": ms_toollib.MvfVideo}
for name in sys.argv[1:]:
    ending = name.rpartition(".")[2].lower()
    with open(name, "rb") as file:
        video = kinds[ending]("x." + ending, file.read())
    try:
        video.parse()
        video.analyse()
        video.current_time = 1e9
        found = {
            "name": video.player_identifier, "seconds": video.rtime_ms / 1000, "bbbv": video.bbbv,
            "solved_bbbv": video.bbbv_solved, "left_clicks": video.left, "right_clicks": video.right,
            "double_clicks": video.double, "effective_clicks": video.ce, "path": round(video.path, 1),
            "mine_cells": [y * video.column + x for y, row in enumerate(video.board) for x, cell in enumerate(row) if cell == -1],
        }
    except Exception as error:
        found = {"error": str(error)}
    print(json.dumps([name, found]), flush=True)
"""


def theirs(files: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What ms-toollib makes of each file; an `error` where it raises one, or ends its process."""
    found: dict[str, dict[str, Any]] = {}
    left = list(files)
    while left:
        some = left[:_AT_ONCE]
        words = [sys.executable, "-c", _THEIRS, *(str(Path(name).resolve()) for name in some)]
        with tempfile.TemporaryDirectory() as folder:  # where it writes a crash.log
            done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
        answers = [json.loads(line)[1] for line in done.stdout.splitlines() if line.startswith('["')]
        found |= dict(zip(some, answers, strict=False))
        left = left[len(answers) :]
        if len(answers) < len(some):
            found[left.pop(0)] = {"error": "it ended the interpreter"}
    return found


def main(folders: Sequence[str]) -> int:
    """Compare and print."""
    paths = [path for folder in folders for path in Path(folder).rglob("*") if path.suffix.lower()[1:] in READERS]
    files = sorted(str(path) for path in paths)
    others = theirs([name for name in files if not name.lower().endswith(".rawvf")])
    counts: dict[str, Counter[str]] = {}
    for name in files:
        count = counts.setdefault(name.rpartition(".")[2].lower(), Counter())
        other = others.get(name)
        try:
            game = replay(read_recording(Path(name).read_bytes(), name=name))
        except SapperError as error:
            count["neither reads" if other is None or "error" in other else "only ms-toollib reads"] += 1
            print(f"{name}: {error}; {'' if other is None else 'ms-toollib: ' + other.get('error', 'reads it')}")
            continue
        if game.differences:
            count["differs from what it states"] += 1
            print(f"{name}: {game.told_differences}")
        if other is None:
            count["read"] += 1
            continue
        if "error" in other:
            count["only sapper reads"] += 1
            continue
        ours = numbers_of([RecordedGame(source=name, record=game.record, replayed=game)])[0]
        ours["path"] = round(ours["path"], 1)
        differing = {
            key: (ours[key], value)
            for key, value in other.items()
            if ours[key] != value and not (key == "path" and abs(ours[key] - value) < 0.2)
        }
        count["different" if differing else "the same"] += 1
        if differing:
            print(f"{name}: {', '.join(f'{key} {one}, ms-toollib {two}' for key, (one, two) in differing.items())}")
    for ending, count in sorted(counts.items()):
        print(f"{ending}: {', '.join(f'{number:,} {what}' for what, number in count.most_common())}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
