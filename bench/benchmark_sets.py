"""The stored results of `sapper simulate benchmark`: sapper's own strategies on the fixed board sets.

    python bench/benchmark_sets.py --hashes
    python bench/benchmark_sets.py [--strategies random,single,subset,least-risk,best-reply]

`--hashes` draws the sets and compares their SHA-256 with those in the source. Without it each strategy plays all sets, and
`src/sapper/simulate/benchmark_results.json` is written: to be done where a strategy's moves change. Results of strategies that are not
named stay as they are.
"""

import argparse
import json
import sys
import time

import sapper
from sapper.simulate.benchmark_sets import RESULTS_FILE, SETS, packed
from sapper.simulate.results import GameOutcome
from sapper.simulate.runner import simulate


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hashes", action="store_true")
    parser.add_argument("--strategies", default="random,single,subset,least-risk,best-reply")
    options = parser.parse_args()
    if options.hashes:
        wrong = 0
        for one in SETS.values():
            digest = one.digest()
            wrong += digest != one.sha256
            print(one.name, digest, "as it is" if digest == one.sha256 else "NOT as in the source")
        sys.exit(wrong > 0)
    there = json.loads(RESULTS_FILE.read_text(encoding="utf-8")) if RESULTS_FILE.exists() else {"sets": {}}
    sets: dict[str, dict[str, str]] = there["sets"]
    for strategy in options.strategies.split(","):
        for name, one in SETS.items():
            won: list[bool] = []
            began = time.process_time()
            simulate(
                one.plan(), strategy, on_played=lambda played, won=won: won.append(played.result is GameOutcome.WON)
            )  # type: ignore[misc]
            spent = time.process_time() - began
            sets.setdefault(name, {})[strategy] = packed(won)
            print(f"{name:18} {strategy:8} {sum(won):6,} won, {len(won) / spent:8,.0f} games a CPU second", flush=True)
            text = json.dumps({"sapper": sapper.__version__, "sets": sets}, indent=1)
            RESULTS_FILE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
