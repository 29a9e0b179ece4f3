"""Fuzzes the process in which ms-toollib reads what no reader of ours knows.

    python fuzz/toollib.py --count 2000
    python fuzz/toollib.py --first 123 --count 1      # that one again

The files are those of `fuzz/recordings.py` of binary formats. Whatever becomes of ms-toollib (it ends the interpreter on some of
them), each must end here as a recording or as `RecordError` in one line.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.recordings import file_of
from sapper.errors import RecordError
from sapper.replay.replaying import replay
from sapper.replay.toollib import FORMATS, read_by_toollib


def check(number: int) -> str | None:
    """What became of a case: the format that it was read as, or `error`; None for one of a text format."""
    name, data = file_of(number)
    ending = name.rpartition(".")[2]
    kind = ending if ending in FORMATS else sorted(FORMATS)[number % len(FORMATS)] if ending == "bin" else None
    if kind is None:
        return None
    try:
        recording = read_by_toollib(data, kind)
    except RecordError as error:
        if "\n" in str(error):
            raise AssertionError(f"case {number}: an error of several lines") from error
        return "error"
    assert replay(recording).milliseconds >= 0, f"case {number}: a negative time"
    return kind


def main() -> None:
    """Read the command line, go through the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000, help="files that are asked about")
    options = parser.parse_args()
    begin, ends, number = time.monotonic(), Counter[str](), options.first
    while ends.total() < options.count:
        try:
            end = check(number)
        except BaseException:
            print(f"case {number} did not end as it should", file=sys.stderr)
            raise
        number += 1
        if end is not None:
            ends[end] += 1
    told = ", ".join(f"{name} {count:,}" for name, count in ends.most_common())
    print(f"{ends.total():,} files in {time.monotonic() - begin:.0f} s: {told}")


if __name__ == "__main__":
    main()
