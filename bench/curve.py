"""What guesses chosen by playouts gain over those of `best-reply`, against the number of playouts: `bench/playouts.py --curve`.

Games are played. At each guess the candidates of `best-reply` are played out on the same layouts, up to 3,200 of them; those
that are clearly worse (two standard errors) are given up after 100, 200, 400 … layouts. Each rule then says what it would choose
after K layouts. What that choice is worth beside the guess of `best-reply` is told by playouts on other layouts, so that it has no
bias, however the choice was made. The sum over the guesses of a game is what a game gains over `best-reply`, if the boards are those that
the rule itself comes to. They are those of PLAYED_BY, for which the sum is exact; for the other rules it is so as far as they choose
the same. (On the boards that `best-reply` comes to it would be too much: a better guess that `best-reply` puts off would count each time.)
Intervals are those of a bootstrap over games.

The outcome of every playout is kept: `FOLDER/decisions` has a file a board (an array of candidates by layouts: the chance to win
where the playout ended; the clue that the guess showed, 9 for a mine), and `FOLDER/CELL.jsonl` the boards of each game.
"""

import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from ctypes import c_double, c_int32, c_uint8, c_uint64
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sapper._kernels.native import deciding
from sapper.core.grid import Grid

Array = NDArray[np.float64]
CHECKS = (100, 200, 400, 800, 1_600, 3_200)
"""Layouts after which candidates are given up."""
LEAST = 400
"""From so many on, choices are made."""
CHOICES = tuple(check for check in CHECKS if check >= LEAST)
DROP = 2.0
FRESH_LAYOUTS = 2_000
"""Layouts that tell what the choices are worth; four times as many for the boards of the first cells, which come again and again."""
FRESH = 0x5DEECE66D1234567
CLUES = 10


_ARRAYS: dict[str, tuple[Any, int]] = {
    "cell": (c_int32, 1), "is_left": (c_uint8, 1), "score": (c_double, 1), "share": (c_double, CLUES),
    "mean": (c_double, CLUES), "value": (c_double, 0), "answer": (c_uint8, 0), "words": (c_uint64, 4),
}  # fmt: skip
"""Of a decision: type, and numbers a candidate (0: as many as layouts; of `words` in all)."""


class Desk:
    """The decision that a decider is at, as arrays that show what the library works on: a row a candidate."""

    def __init__(self, decider: deciding.Decider) -> None:
        self.decision = decider.decision

    def __getattr__(self, name: str) -> Any:
        kind, columns = _ARRAYS[name]
        rows = 1 if name == "words" else self.decision.candidates
        shape = (rows, columns or self.decision.most_layouts)
        found = np.ctypeslib.as_array((kind * math.prod(shape)).from_address(getattr(self.decision, name)))
        return found.reshape(shape if columns != 1 and name != "words" else -1)


class PlayedTable(Protocol):
    """What is needed of `bench/playouts.py`."""

    grid: Grid
    mine_count: int
    first: int
    decider: deciding.Decider

    def clues(self, number: int) -> list[int]:
        """The numbers of a layout, 9 at a mine."""
        ...

    def reveal(self, clues: list[int], tiles: bytearray, cell: int) -> None:
        """Reveal a safe cell, and what a zero opens."""


class Scores(NamedTuple):
    """The chance to win after each candidate, and what each playout differs from the mean of its answer."""

    score: Array
    rest: Array


def scores(value: Array, answer: NDArray[np.uint8], share: Array) -> Scores:
    """Of arrays with a row a candidate: the mean after each answer, weighted by the answer's exact chance."""
    rows = value.shape[0]
    score, rest = np.zeros(rows), value.copy()
    for row in range(rows):
        counts = np.bincount(answer[row], minlength=CLUES).astype(float)
        sums = np.bincount(answer[row], value[row], minlength=CLUES)
        safe = counts[: CLUES - 1].sum()
        usual = sums.sum() / safe if safe else 0.0
        mean = np.where(counts > 0, sums / np.maximum(counts, 1), usual)
        mean[CLUES - 1] = 0.0
        score[row] = share[row, : CLUES - 1] @ mean[: CLUES - 1]
        rest[row] -= mean[answer[row]]
    return Scores(score, rest)


def error(one: Array, other: Array) -> float:
    """The standard error of the difference between the scores of two candidates; as many numbers were fitted as there are answers."""
    return float(np.sqrt(((one - other) ** 2).sum())) / max(one.size - 8, 1)


class Recorder:
    """Plays games and keeps the playouts of their guesses."""

    def __init__(self, folder: Path, cell: str, table: PlayedTable) -> None:
        self._table, self._cell = table, cell
        self._decisions = folder / "decisions"
        self._decisions.mkdir(parents=True, exist_ok=True)
        self._games = folder / f"{cell}.jsonl"
        self.next = len(self._games.read_text().splitlines()) if self._games.exists() else 0

    def play(self) -> str:
        """Play the next game; a line that says what it took."""
        table, number = self._table, self.next
        clues, tiles, cell = table.clues(number), bytearray([9]) * table.grid.size, table.first
        keys: list[str] = []
        began = time.process_time()
        decision = table.decider.decision
        while clues[cell] != 9:
            table.reveal(clues, tiles, cell)
            if tiles.count(9) == table.mine_count:
                break
            cell = table.decider.begin(bytes(tiles), table.mine_count)
            if cell < 0:
                raise SystemExit(f"game {number} of {self._cell} is too hard for the kernel")
            if decision.left > 1:
                keys.append(hashlib.sha256(bytes(tiles) + self._cell.encode()).hexdigest()[:16])
                cell = self._decide(keys[-1], table.grid.size - tiles.count(9))
        with self._games.open("a") as file:
            file.write(json.dumps({"game": number, "decisions": keys, "won": clues[cell] != 9}) + "\n")
        self.next += 1
        return f"{self._cell} game {number}: {len(keys)} guesses, {time.process_time() - began:.1f} CPU seconds"

    def _play(self, layouts: int) -> tuple[Array, NDArray[np.uint8]]:
        """Play the candidates that are left on so many layouts more."""
        desk, decision = Desk(self._table.decider), self._table.decider.decision
        count, done = decision.candidates, 0
        values, answers = np.full((count, layouts), np.nan), np.zeros((count, layouts), np.uint8)
        left = desk.is_left == 1
        while done < layouts:
            decision.layouts = 0
            part = min(layouts - done, decision.most_layouts)
            if self._table.decider.play(part) != part:
                raise SystemExit("layouts cannot be drawn")
            values[left, done : done + part] = desk.value[left, :part]
            answers[left, done : done + part] = desk.answer[left, :part]
            done += part
        return values, answers

    def _decide(self, key: str, revealed: int) -> int:
        """Play out what has not been; the cell to reveal."""
        path = self._decisions / f"{key}.npz"
        if not path.exists():
            self._play_out(path, revealed)
        return read_decision(path).cell

    def _play_out(self, path: Path, revealed: int) -> None:
        desk, decision = Desk(self._table.decider), self._table.decider.decision
        count, usual = decision.candidates, decision.usual
        cells, share = desk.cell.astype(np.int64), desk.share.copy()
        words = desk.words.copy()
        values, answers = np.zeros((count, 0)), np.zeros((count, 0), np.uint8)
        chosen, left = {usual}, np.ones(count, bool)
        began = time.process_time()
        for check in CHECKS:
            if left.sum() == 1:
                break
            value, answer = self._play(check - values.shape[1])
            values, answers = np.hstack([values, value]), np.hstack([answers, answer])
            found = scores(values[left], answers[left], share[left])
            rows = np.flatnonzero(left)
            top = int(found.score.argmax())
            if check >= LEAST:
                chosen.add(int(rows[top]))
            for at, row in enumerate(rows):
                worse = found.score[top] - found.score[at] > DROP * error(found.rest[top], found.rest[at])
                left[row] = row == usual or not worse
            desk.is_left[:] = left
        took = time.process_time() - began
        fresh: tuple[Array, NDArray[np.uint8]] = np.zeros((count, 0)), np.zeros((count, 0), np.uint8)
        if len(chosen) > 1:
            desk.is_left[:] = [row in chosen for row in range(count)]
            desk.words[:] = words ^ np.uint64(FRESH)
            fresh = self._play(FRESH_LAYOUTS * (4 if revealed <= 3 else 1))
        part = path.with_suffix(".part.npz")
        np.savez_compressed(
            part, cells=cells, usual=usual, share=share, value=values.astype(np.float32), answer=answers,
            fresh_value=fresh[0].astype(np.float32), fresh_answer=fresh[1], seconds=took, revealed=revealed,
        )  # fmt: skip
        part.rename(path)


def record(folder: Path, tables: dict[str, PlayedTable], games: int, seconds: float) -> None:
    """Play games of each cell by turns, after those that the folder has already; begin none after so many seconds."""
    recorders = [Recorder(folder, cell, table) for cell, table in tables.items()]
    began = time.monotonic()
    while any(one.next < games for one in recorders):
        for one in recorders:
            if one.next < games:
                if time.monotonic() - began > seconds:
                    return
                print(one.play(), flush=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A decision after so many layouts: the best candidate there, and what fresh playouts say of it; differences to that of `best-reply`."""

    claimed: float
    error: float
    real: float
    real_error: float
    playouts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A guess, after each of `CHECKS` from `LEAST` on."""

    checks: list[Checked]
    step_gain: float
    """The greatest difference that the playouts of choosing show in the end: what the best candidate gains, at most, on average."""
    seconds: float
    cell: int
    """What PLAYED_BY reveals."""


def read_decision(path: Path) -> Decision:
    """All checks of a decision."""
    with np.load(path) as kept:
        data: dict[str, Any] = dict(kept)
    value, answer, share, usual = data["value"].astype(float), data["answer"], data["share"], int(data["usual"])
    checks: list[Checked] = []
    step_gain, top = 0.0, usual
    for choice in CHOICES:
        # Where only one is left sooner, there is nothing to play on.
        check = min(choice, value.shape[1])
        rows = np.flatnonzero(~np.isnan(value[:, check - 1]))
        found = scores(value[rows, :check], answer[rows, :check], share[rows])
        mine, best = int(np.flatnonzero(rows == usual)[0]), int(found.score.argmax())
        top = int(rows[best])
        claimed = float(found.score[best] - found.score[mine])
        step_gain = claimed
        real = real_error = 0.0
        if top != usual:
            pair = [top, usual]
            fresh = scores(data["fresh_value"][pair].astype(float), data["fresh_answer"][pair], share[pair])
            real, real_error = float(fresh.score[0] - fresh.score[1]), error(fresh.rest[0], fresh.rest[1])
        played = int((~np.isnan(value[:, :check])).sum())
        one = Checked(
            claimed=claimed, error=error(found.rest[best], found.rest[mine]), real=real, real_error=real_error,
            playouts=played,
        )  # fmt: skip
        checks.append(one)
    overruled = checks[-1].claimed and RULES[PLAYED_BY](checks[-1])
    cell = int(data["cells"][top if overruled else usual])
    return Decision(checks=checks, step_gain=step_gain, seconds=float(data["seconds"]), cell=cell)


Rule = Callable[[Checked], bool]


def beyond(errors: float) -> Rule:
    return lambda one: one.claimed > errors * one.error


def doubting(prior: float) -> Rule:
    return lambda one: one.claimed > max(one.error, prior * one.error**2)


RULES: dict[str, Rule] = {
    "greatest mean": beyond(0),
    "1 error": beyond(1),
    "2 errors": beyond(2),
    "3 errors": beyond(3),
    "50 e²": doubting(50),
    "100 e²": doubting(100),
    "200 e²": doubting(200),
}
"""Whether the guess of `best-reply` is overruled."""
PLAYED_BY = "100 e²"
"""With all layouts that are played."""


def gains(
    games: Sequence[Sequence[str]], known: Mapping[str, tuple[float, float]], rng: np.random.Generator
) -> tuple[float, float, float]:
    """Points a game and their 95 % interval: games are drawn again; boards of several games keep their error in each draw."""
    counts = Counter(key for game in games for key in game)
    shared = sorted(key for key, times in counts.items() if times > 1)
    plain = np.array([sum(known[key][0] for key in game) for game in games])
    times = np.array([[game.count(key) for key in shared] for game in games], float).reshape(len(games), len(shared))
    errors = np.array([known[key][1] for key in shared])
    draws = np.empty(4_000)
    for at in range(draws.size):
        which = rng.integers(len(games), size=len(games))
        noise = times[which].sum(axis=0) @ (errors * rng.standard_normal(errors.size)) / len(games)
        draws[at] = plain[which].mean() + noise
    low, high = np.quantile(draws, [0.025, 0.975])
    return 100 * float(plain.mean()), 100 * float(low), 100 * float(high)


def report(folder: Path, cells: Sequence[str]) -> None:
    """Print the curve of each cell, and of all together."""
    games: dict[str, list[list[str]]] = {}
    for cell in cells:
        path = folder / f"{cell}.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        games[cell] = [json.loads(line)["decisions"] for line in lines]
    known = {
        key: read_decision(folder / "decisions" / f"{key}.npz")
        for some in games.values()
        for game in some
        for key in game
    }
    for cell in cells:
        report_games(cell, games[cell], known)
    report_games("all", [game for some in games.values() for game in some], known)


def report_games(name: str, games: list[list[str]], known: dict[str, Decision]) -> None:
    """Print the curve of these games."""
    keys = [key for game in games for key in game]
    if not keys:
        return
    print(f"{name}: {len(games)} games, {len(keys)} guesses ({len(set(keys))} boards)")
    rng = np.random.default_rng(1)
    for at, check in enumerate(CHOICES):
        played = sum(known[key].checks[at].playouts for key in keys) / len(keys)
        print(f"  {check:5,} layouts, {played:8,.0f} playouts a guess")
        for rule_name, rule in RULES.items():
            over = {key: one for key in keys if (one := known[key].checks[at]).claimed and rule(one)}
            found = {key: (over[key].real, over[key].real_error) if key in over else (0.0, 0.0) for key in keys}
            mean, low, high = gains(games, found, rng)
            overruled = [over[key].claimed for key in keys if key in over]
            print(
                f"    {rule_name:14} {len(overruled) / len(keys):4.0%} overruled, "
                f"taken to gain {100 * sum(overruled) / len(games):+.2f} points a game, gains {mean:+.2f} ({low:+.2f} to {high:+.2f})"
            )
    mean, low, high = gains(games, {key: (known[key].step_gain, 0.0) for key in keys}, rng)
    print(f"  one other guess at a time gains at most {mean:+.2f} ({low:+.2f} to {high:+.2f}) points a game")
