"""How often `sapper simulate --sprt` errs, and how many pairs of games it takes: simulated.

    python bench/sequential_test.py [--runs 1000] [--sprt 0,0.3] [--differ 0.11] [--true 0 0.15 0.3] [--seed 1]

Each run draws pairs of games of which a share `--differ` is won by one strategy only, with a true difference of win rates of so many
percentage points, until the test of `sapper.simulate.comparison` ends. A table: how often d = high was accepted, with its
95 % interval, and the mean and 95th percentile of the pairs.
"""

import argparse
import math
import random

from sapper.metrics.interval import wilson
from sapper.simulate.comparison import LOWER, UPPER, Accepted, SequentialTest


def pairs_of(test: SequentialTest, differ: float, difference: float, dice: random.Random, *, skip: bool = True) -> int:
    """Play one test to its end; how many pairs it took.

    With `skip` pairs that do not differ are added at once where they cannot decide: one changes the ratio by less than
    twice the distance of the hypotheses.
    """
    to_first = (differ + difference) / 2 / differ
    step = 2 * (test.high - test.low)
    while test.accepted is None:
        alike = int(math.log(1 - dice.random()) / math.log(1 - differ))
        if skip and alike and test.ratio - step * alike > LOWER and test.ratio + step * alike < UPPER:
            test.neither += alike
        else:
            for _ in range(alike):
                test.add(first=False, second=False)
        is_first = dice.random() < to_first
        test.add(first=is_first, second=not is_first)
    return test.pairs


def main() -> None:
    """Read the arguments and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--sprt", default="0,0.3")
    parser.add_argument("--differ", type=float, default=0.11)
    parser.add_argument("--true", type=float, nargs="+", default=[0, 0.15, 0.3])
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    low, high = (float(word) / 100 for word in chosen.sprt.split(","))
    print(
        f"{chosen.runs} runs each, bounds {chosen.sprt} points, {chosen.differ:.0%} of the pairs differ, seed {chosen.seed}"
    )
    for true in chosen.true:
        dice = random.Random(f"{chosen.seed} {true}")
        accepted, lengths = 0, []
        for _ in range(chosen.runs):
            test = SequentialTest(low=low, high=high)
            lengths.append(pairs_of(test, chosen.differ, true / 100, dice))
            accepted += test.accepted is Accepted.HIGH
        least, most = wilson(accepted, chosen.runs)
        lengths.sort()
        print(
            f"true {true:+.2f}: {100 * accepted / chosen.runs:.1f} % accepted (95 %: {100 * least:.1f} to {100 * most:.1f}), "
            f"{sum(lengths) / len(lengths):,.0f} pairs on average, {lengths[int(0.95 * len(lengths))]:,} at the 95th percentile",
            flush=True,
        )


if __name__ == "__main__":
    main()
