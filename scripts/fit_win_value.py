"""Play games by sapper's own advice, and fit to them what a board is worth (`sapper.solver.win_value`).

    .venv/bin/python scripts/fit_win_value.py starts starts.jsonl --boards every --games 491 --seed 12
    .venv/bin/python scripts/fit_win_value.py play small.jsonl --boards small --games 10000 --seed 11
    .venv/bin/python scripts/fit_win_value.py early early.jsonl --games 2000 --seed 16
    .venv/bin/python scripts/fit_win_value.py fit starts.jsonl small.jsonl early.jsonl …

`starts` writes a line for each of so many fresh boards: how many of its games are won by the strategy `best-reply`, which plays
about as well and much faster. `play` writes a line a board on which too many layouts are left to search: what is read of it, the chance to win that is
known of its other regions, and whether the game was won; `early` does so of games that `best-reply` plays, after the
first reveal and once later. `fit` maximises the likelihood of these results, with a
small penalty on the weights, and writes `src/sapper/solver/win_weights.py`; it prints how the claims compare with the
results, by size, density and claim. Play again when strategies change; docs/winning.md says which games were played.

The commands do not reproduce the weights that are checked in to the digit: those were fitted to games of an earlier version of
this script and of the players (the samples differ in their draws, and parts of a board were counted a little otherwise). They
play a sample of the same kind. `fit` on the same files gives the same weights.
"""

import json
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from sapper._kernels import batch
from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.source import FixedLayout
from sapper.generator.uniform import UniformSource
from sapper.solver.analysis import Analysis, analyse
from sapper.solver.best_reply import candidates_of, replies_of
from sapper.solver.win import WinChance, win_chance_of
from sapper.solver.win_value import Reading, hazards_at_start, hazards_of, reading_of

WEIGHTS: Final = Path(__file__).parents[1] / "src" / "sapper" / "solver" / "win_weights.py"
NAMES: Final = {"rest": "AT_REST", "move": "ON_THE_MOVE", "start": "AT_START"}
PENALTY: Final = 1e-6
"""Of the squares of the weights, a board."""
PRESETS: Final = ((30, 16, 99),) * 2 + ((16, 16, 40),)
STANDARD: Final = ((30, 16, 99), (16, 16, 40), (9, 9, 10))
BOARDS: Final = {
    "small": ((4, 12), (0.06, 0.34)),
    "mid": ((4, 40), (0.07, 0.32)),
    "big": ((20, 100), (0.09, 0.26)),
    "dense": ((8, 100), (0.24, 0.34)),
    "easy": ((4, 100), (0.01, 0.10)),
}
"""The cells of a side and the share of mines, from and to; of `mid`, three games in ten are of a preset."""


def _uniform(rng: Rng) -> float:
    return rng.below(1 << 30) / (1 << 30)


def drawn_board(rng: Rng, kind: str) -> Board:
    """A fresh board: sides of every order of magnitude are as likely, save among the small ones."""
    rules = RULES["classic"].replace(start=Start.OPEN if rng.below(2) else Start.SAFE)
    choice = rng.below(10)
    if kind == "mid" and choice < len(PRESETS):
        width, height, mines = PRESETS[choice]
        return Board.new(Grid(width, height), rules, mines)
    (least, most), (low, high) = BOARDS[kind]
    if kind == "small":
        width, height = least + rng.below(most - least + 1), least + rng.below(most - least + 1)
    else:
        width, height = (round(least * (most / least) ** _uniform(rng)) for _ in range(2))
    density = low + (high - low) * _uniform(rng)
    return Board.new(Grid(width, height), rules, max(1, round(width * height * density)))


def play(rng: Rng, fresh: Board) -> tuple[list[dict[str, Any]], bool]:
    """One game by sapper's advice: what is read of its boards, and whether it was won."""
    source = UniformSource(fresh.grid, fresh.mine_count, rng.below(1 << 60), fresh.rules.start)
    game = Game(rules=fresh.rules, source=source)
    seen: list[dict[str, Any]] = []
    first = fresh.first_cell
    assert first is not None
    game.play(Move.reveal(first))
    share = min(1 / 4, 3 / math.sqrt(fresh.grid.size))
    while not game.board.status.ended:
        analysis = analyse(game.board)
        is_rest = not analysis.safe
        chance = None
        if is_rest or _uniform(rng) < share:
            chance = win_chance_of(analysis, most_layouts=1000, nodes=4000, safe_listed=False)
            seen += _read(analysis, chance)
        if is_rest:
            assert chance is not None
            assert chance.best is not None
            game.play(Move.reveal(chance.best.cell))
            continue
        for cell in analysis.safe:
            if game.board.is_legal(Move.reveal(cell)):
                game.play(Move.reveal(cell))
            if game.board.status.ended:
                break
    return seen, game.board.status is Status.WON


def _read(analysis: Analysis, chance: WinChance) -> Iterator[dict[str, Any]]:
    """What is read of the part of a board that is not searched, if there is one."""
    cells, score = chance.estimated, None
    if not cells:
        return
    if not analysis.safe:
        replies = replies_of(analysis, candidates_of(analysis, cells))
        score = max(reply.score for reply in replies)
    reading = reading_of(analysis, cells, score)
    yield {"kind": "move" if analysis.safe else "rest", "known": chance.known, "reading": list(reading)}


def write_games(options: Namespace) -> None:
    """Play, and write what was seen, game after game."""
    rng = Rng(options.seed)
    with Path(options.files[0]).open("w", encoding="utf-8") as file:
        number = 0
        while number < options.games:
            fresh = drawn_board(rng, options.boards)
            if fresh.mine_count >= fresh.grid.size - 9:
                continue
            number += 1
            seen, won = play(rng, fresh)
            grid, is_open = fresh.grid, fresh.rules.start is Start.OPEN
            about = {"game": number, "size": [grid.width, grid.height, fresh.mine_count], "open": is_open, "won": won}
            file.writelines(json.dumps(about | one) + "\n" for one in seen)
            file.flush()


def write_starts(options: Namespace) -> None:
    """Have `best-reply` play games of fresh boards, and write how many are won."""
    rng = Rng(options.seed)
    with Path(options.files[0]).open("w", encoding="utf-8") as file:
        number = 0
        if options.boards == "every":
            for width, height, mines in STANDARD:
                file.writelines(
                    _started(Grid(width, height), mines, start, 6_000, rng) for start in (Start.OPEN, Start.SAFE)
                )
        while number < options.games:
            start = Start.OPEN if rng.below(2) else Start.SAFE
            choice = rng.below(3) if options.boards == "every" else 1
            least = {"every": 4, "large": 30, "largest": 70}[options.boards]
            if choice == 0:
                width, height = 4 + rng.below(9), 4 + rng.below(9)
            else:
                width, height = (round(least * (100 / least) ** _uniform(rng)) for _ in range(2))
            density = 0.01 + 0.32 * _uniform(rng) if least == 4 else 0.06 + 0.2 * _uniform(rng)
            mines = max(1, round(width * height * density))
            if mines < width * height - 9:
                number += 1
                few = {4: 100, 30: 150, 70: 200}[least]
                games = 400 if width * height < {4: 2_500, 30: 1_500, 70: 0}[least] else few
                file.write(_started(Grid(width, height), mines, start, games, rng))


def _started(grid: Grid, mine_count: int, start: Start, games: int, rng: Rng) -> str:
    fresh = Board.new(grid, RULES["classic"].replace(start=start), mine_count)
    starts, cells = grid.table
    first = fresh.first_cell
    assert first is not None
    series = batch.Series(
        starts=starts,
        cells=cells,
        width=grid.width,
        mine_counts=(mine_count,),
        start={Start.SAFE: 1, Start.OPEN: 2}[start],
        first=int(first),
        seed=rng.below(1 << 60),
    )
    endings = [one.ending for one in batch.make_player("best-reply", series).play(0, games)]
    row = {"kind": "start", "known": 1.0, "size": [grid.width, grid.height, mine_count], "open": start is Start.OPEN}
    row |= {"won": endings.count(batch.WON), "games": games - endings.count(batch.UNSOLVED)}
    return json.dumps(row) + "\n"


def write_early(options: Namespace) -> None:
    """Have `best-reply` play games, and write what is read of their boards after the first reveal and at one later moment."""
    rng = Rng(options.seed)
    with Path(options.files[0]).open("w", encoding="utf-8") as file:
        number = 0
        while number < options.games:
            start = Start.OPEN if rng.below(2) else Start.SAFE
            choice = rng.below(10)
            if choice < 1:
                width, height, mines = STANDARD[0]
            elif choice < 2:
                width, height, mines = STANDARD[1] if rng.below(2) else STANDARD[2]
            elif choice < 4:
                width, height = 4 + rng.below(9), 4 + rng.below(9)
                mines = max(1, round(width * height * (0.06 + 0.25 * _uniform(rng))))
            else:
                least = 10 if choice < 7 else 25
                width, height = (round(least * (100 / least) ** _uniform(rng)) for _ in range(2))
                mines = max(1, round(width * height * (0.05 + 0.2 * _uniform(rng))))
            if mines >= width * height - 9:
                continue
            fresh = Board.new(Grid(width, height), RULES["classic"].replace(start=start), mines)
            seed = rng.below(1 << 60)
            for place in range(4):
                number += 1
                file.writelines(
                    json.dumps(row | {"game": number}) + "\n" for row in _seen_early(fresh, seed, place, rng)
                )


def _seen_early(fresh: Board, seed: int, place: int, rng: Rng) -> Iterator[dict[str, Any]]:
    """What is read of the game of that seed at that place."""
    grid, first, start = fresh.grid, fresh.first_cell, {Start.SAFE: 1, Start.OPEN: 2}[fresh.rules.start]
    assert first is not None
    starts, cells = grid.table
    series = batch.Series(starts, cells, grid.width, (fresh.mine_count,), start, int(first), seed)
    field = batch.Field(starts, cells, grid.width, grid.height)
    drawn = batch.draw_many(field, fresh.mine_count, start, int(first), seed, place, 1)
    ((ended, moves),) = batch.make_player("best-reply", series).play_moves(0, 1, maps=drawn, firsts=[int(first)])
    if ended.ending == batch.UNSOLVED:
        return
    layout = Layout(grid, CellSet.where(drawn))
    game = Game(rules=RULES["classic"].replace(start=Start.ANY), source=FixedLayout(layout))
    stops = {1, 1 + int(len(moves) * _uniform(rng) ** 2)} if len(moves) > 3 else {1}
    about = {"size": [grid.width, grid.height, fresh.mine_count], "open": start == 2, "won": ended.ending == batch.WON}
    for count, cell in enumerate(moves[: max(stops)], 1):
        if game.is_legal(Move.reveal(cell)):
            game.reveal(cell)
        if count not in stops or game.status.ended:
            continue
        analysis = analyse(game.board)
        chance = win_chance_of(analysis, most_layouts=1000, nodes=4000, safe_listed=False)
        yield from (about | row for row in _read(analysis, chance))


# --- fitting ----------------------------------------------------------------------------------------


def fit(options: Namespace) -> None:
    """Fit the weights of each kind, and write them."""
    rows = [
        json.loads(line) | {"file": name}
        for name in options.files
        for line in Path(name).read_text(encoding="utf-8").splitlines()
    ]
    lines = ['"""The weights of `win_value`. Made by scripts/fit_win_value.py; not written by hand."""', ""]
    lines += ["from typing import Final", ""]
    for kind, name in NAMES.items():
        some = [row for row in rows if row["kind"] == kind]
        read = [_hazards(row) for row in some]
        numbers = [np.array(hazard) for hazard in zip(*read, strict=True)]
        known = np.array([row["known"] for row in some])
        won = np.array([row["won"] for row in some], dtype=float)
        games = np.array([row.get("games", 1) for row in some], dtype=float)
        weights, chance = _fitted(numbers, known, games, won)
        share, claimed = won.sum() / games.sum(), (games * chance).sum() / games.sum()
        print(f"{kind}: {len(some)} boards, won {share:.4f}, claimed {claimed:.4f}")
        print("\n".join(_compared(some, chance)))
        lines.append(f"{name}: Final = (")
        lines += [f"    ({', '.join(repr(float(one)) for one in part)})," for part in weights]
        lines.append(")")
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _hazards(row: dict[str, Any]) -> Any:
    if row["kind"] != "start":
        return hazards_of(Reading(*row["reading"]))
    width, height, mines = row["size"]
    rules = RULES["classic"].replace(start=Start.OPEN if row["open"] else Start.SAFE)
    return hazards_at_start(Board.new(Grid(width, height), rules, mines))


def _fitted(parts: list[Any], known: Any, games: Any, won: Any) -> tuple[list[Any], Any]:
    """The most likely weights where a board is won with chance `known` times exp(−H), `won` of `games` times; the chances by them.

    Levenberg's and Marquardt's method with the expected second derivative, on numbers that are centred and scaled.
    """
    means, spreads, scaled = [], [], []
    for part in parts:
        mean, spread = part.mean(0), part.std(0)
        mean[0], spread[0] = 0.0, 1.0
        spread[spread < 1e-9] = 1.0
        means.append(mean)
        spreads.append(spread)
        scaled.append((part - mean) / spread)
    cuts = np.cumsum([part.shape[1] for part in parts])
    weights = np.zeros(cuts[-1])
    first = np.r_[0, cuts[:-1]]
    weights[first] = math.log(max(0.1, -math.log(won.sum() / games.sum())) / len(parts))
    ridge = np.full(len(weights), PENALTY * games.sum())
    ridge[first] = 0.0

    def judged(weights: Any) -> tuple[list[Any], Any, float]:
        """The slopes of the hazards' sums, the chances, what is to be least."""
        sums = [part @ piece for part, piece in zip(scaled, np.split(weights, cuts[:-1]), strict=True)]
        hazards = [np.exp(np.clip(some, -12.0, 6.0)) for some in sums]
        total = sum(hazards)
        chance = known * np.exp(-total)
        lost = np.log(np.maximum(1 - chance, 1e-9))
        loss = -(won * (np.log(known) - total) + (games - won) * lost).sum() + (ridge * weights**2).sum()
        slopes = [
            np.where((some > -12) & (some < 6), hazard, 0.0)[:, None] * part
            for some, hazard, part in zip(sums, hazards, scaled, strict=True)
        ]
        return slopes, chance, float(loss)

    damping = 1e-2
    slopes, chance, loss = judged(weights)
    for _ in range(1000):
        slope = np.hstack(slopes)
        odds = chance / np.maximum(1 - chance, 1e-9)
        gradient = slope.T @ ((games - won) * odds - won) - 2 * ridge * weights
        curve = (slope * (games * odds)[:, None]).T @ slope + np.diag(2 * ridge + 1e-6)
        while damping < 1e12:
            step = np.linalg.solve(curve + damping * np.diag(np.diag(curve)), gradient)
            tried = judged(weights + step)
            if tried[2] < loss:
                break
            damping *= 4
        else:
            break
        gained, weights, (slopes, chance, loss) = loss - tried[2], weights + step, tried
        damping /= 3
        if gained < 1e-3:
            break
    plain = []
    for piece, mean, spread in zip(np.split(weights, cuts[:-1]), means, spreads, strict=True):
        unscaled = piece / spread
        unscaled[0] -= (piece * mean / spread)[1:].sum()
        plain.append(unscaled)
    return plain, chance


def _compared(rows: list[dict[str, Any]], chance: Any) -> Iterator[str]:
    """A line for boards of a kind: the mean claim, the share won, the difference in standard errors of games, by claim."""
    kinds: dict[str, dict[int, dict[Any, list[tuple[float, bool]]]]] = {}
    for row, claim in zip(rows, chance, strict=True):
        width, height, mines = row["size"]
        size = next(most for most in (36, 100, 400, 1200, 4000, 10_000) if width * height <= most)
        density = next(most for most in (8, 14, 20, 26, 100) if 100 * mines <= most * width * height)
        fifths = kinds.setdefault(f"{size:>6} cells, {density:>2} %", {})
        fifth = fifths.setdefault(min(int(claim * 5), 4), {})
        for number in range(row.get("games", 1)):
            game = row["file"], row.get("game", (tuple(row["size"]), row["open"], number))
            fifth.setdefault(game, []).append((float(claim), number < int(row["won"])))
    for kind in sorted(kinds):
        told = []
        for _, games in sorted(kinds[kind].items()):
            claims = [claim for some in games.values() for claim, _ in some]
            won = sum(is_won for some in games.values() for _, is_won in some)
            means = [(len(some), sum(claim for claim, _ in some) / len(some)) for some in games.values()]
            error = math.sqrt(sum(count**2 * mean * (1 - mean) for count, mean in means))
            off = (won - sum(claims)) / max(error, 1e-9)
            told.append(f"{sum(claims) / len(claims):.3f} {won / len(claims):.3f} ({off:+.1f}; {len(games)})")
        yield f"  {kind}: {'  '.join(told)}"


def main() -> None:
    """Read the command line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("starts", "play", "early", "fit"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("--boards", choices=(*BOARDS, "every", "large", "largest"), default="mid")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    {"starts": write_starts, "play": write_games, "early": write_early, "fit": fit}[options.what](options)


if __name__ == "__main__":
    main()
