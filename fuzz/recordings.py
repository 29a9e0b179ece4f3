"""Fuzzes the readers of recordings: files that are cut, changed, joined or hostile.

    python fuzz/recordings.py --count 500000
    python fuzz/recordings.py --first 123456 --count 1      # that one again

A case is made from its number alone, so any can be had again. Each file must end as a recording or as `RecordError` in one
line; of those that are read, every fiftieth is played through the engine too. At the end the memory that the
process took at most is printed.
"""

import argparse
import resource
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sapper.core.rng import Rng
from sapper.errors import RecordError
from sapper.replay.rawvf import write_rawvf
from sapper.replay.reading import read_recording
from sapper.replay.replaying import replay
from tests.recordings import some_game, write_avf, write_evf, write_mvf, write_rmv

_GAME = some_game()
SEEDS: dict[str, bytes] = {
    "avf": write_avf(_GAME),
    **{f"evf {version}": write_evf(_GAME, version) for version in range(5)},
    **{f"rmv {version}": write_rmv(_GAME, version) for version in (1, 2)},
    **{f"mvf {kind}": write_mvf(_GAME, kind) for kind in ("old", "0.97", "2007")},
    "rawvf": write_rawvf(_GAME).encode(),
}
_NAMES = tuple(SEEDS)
_EDGES = (0, 1, 0x7F, 0x80, 0xFF, 0x0D, 0x0A, 0x2A, 0x30)


def file_of(number: int) -> tuple[str, bytes]:
    """The name and the bytes of a case."""
    rng = Rng(number)
    kind = _NAMES[rng.below(len(_NAMES))]
    data = bytearray(SEEDS[kind])
    for _ in range(1 + rng.below(6)):
        data = _damaged(rng, data)
    ending = kind.partition(" ")[0] if rng.below(5) else "bin"
    return f"x.{ending}", bytes(data)


def _damaged(rng: Rng, data: bytearray) -> bytearray:
    if not data:
        return bytearray([rng.below(256)])
    at = rng.below(len(data))
    # Headers are short and say most: half of what is changed is in them.
    at = min(at, 120) if rng.below(2) else at
    match rng.below(8):
        case 0:
            return data[:at]
        case 1:
            data[at] = rng.below(256)
        case 2:
            data[at] ^= 1 << rng.below(8)
        case 3:
            data[at] = _EDGES[rng.below(len(_EDGES))]
        case 4:
            del data[at : at + 1 + rng.below(8)]
        case 5:
            data[at:at] = bytes(rng.below(256) for _ in range(1 + rng.below(8)))
        case 6:
            data[at:at] = data[at : at + rng.below(60)]
        case _:
            data[at : at + 4] = b"\xff\xff\xff\xff"
    return data


def check(number: int) -> str:
    """What became of a case: the format that it was read as, or `error`."""
    name, data = file_of(number)
    try:
        recording = read_recording(data, name=name)
    except RecordError as error:
        if "\n" in str(error):
            raise AssertionError(f"case {number}: an error of several lines") from error
        return "error"
    if number % 50 == 0:
        game = replay(recording)
        assert game.milliseconds >= 0, f"case {number}: a negative time"
        assert all(one.at >= 0 for one in game.record.played), f"case {number}: a negative time"
    return recording.format


def main() -> None:
    """Read the command line, go through the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500_000)
    options = parser.parse_args()
    begin, ends = time.monotonic(), Counter[str]()
    for number in range(options.first, options.first + options.count):
        try:
            ends[check(number)] += 1
        except BaseException:
            print(f"case {number} did not end as it should", file=sys.stderr)
            raise
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = ", ".join(f"{name} {count:,}" for name, count in ends.most_common())
    print(f"{options.count:,} files in {time.monotonic() - begin:.0f} s, at most {memory:.0f} MiB: {told}")


if __name__ == "__main__":
    main()
