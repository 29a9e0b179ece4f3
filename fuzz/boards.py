"""Fuzzes whatever takes a board: text that is wrong, contradictory, truncated, huge or hostile.

    python fuzz/boards.py --count 1000000
    python fuzz/boards.py --first 123456 --count 1      # that one again

A case is made from its number alone, so any can be had again. It goes through reading, analysis and deduction, and
must end with a value or a documented error: `NotationError` for what is no board, `ContradictionError` for what no layout
fits, `TooHardError` for what takes more than the cap. A value is looked at too: the chances of a mine must add up
to the mines, exactly; the steps must say what the analysis says; few covered cells are gone through one by one.
"""

import argparse
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator

from sapper.core.board import Board
from sapper.core.coordinates import cell_name
from sapper.core.notation import SYMBOLS, read_board
from sapper.core.rng import Rng
from sapper.errors import ContradictionError, NotationError, TooHardError
from sapper.solver.analysis import Analysis, analyse
from sapper.solver.deduce.explain import all_steps

CAP = 1_000
_FEW = 9
_STRANGE = "0123456789#F?*.X!-_x/ \t\n\r\0\x1b\ufeff\u2028é"


class WrongError(AssertionError):
    """An answer that cannot be right."""


def text_of(number: int) -> tuple[str, int | None]:
    """The text of a case, and the mines that are given beside it."""
    rng = Rng(number)
    width, height, mines, tiles = _board(rng)
    text = "".join(SYMBOLS[tile] for tile in tiles)
    rows = [text[begin : begin + width] for begin in range(0, len(text), width)]
    given: int | None = mines
    if rng.below(3):
        rows.insert(0, f"{width}x{height}/{mines}")
        given = None if rng.below(12) else mines + rng.below(3) - 1
    text = "\n".join(rows) + ("\n" if rng.below(4) else "")
    for _ in range((0, 0, 0, 0, 1, 3)[rng.below(6)]):
        text = _damaged(rng, text)
    return text, given


def _board(rng: Rng) -> tuple[int, int, int, bytearray]:
    """A board of one of several kinds: the middle of a game, a lattice, noise."""
    kind = rng.below(8)
    if not rng.below(40):
        width, height = (
            (1 + rng.below(120), 1 + rng.below(60)) if rng.below(2) else (1 + rng.below(3), 1 + rng.below(900))
        )
    else:
        most = 17 if kind == 1 else 9
        width, height = 1 + rng.below(most), 1 + rng.below(most)
    size = width * height
    mined = rng.sample(size, rng.below(1 + size // (1 + rng.below(8))))
    shown = 1 + rng.below(9)
    tiles = bytearray([9]) * size
    for cell in range(size):
        x, y = cell % width, cell // width
        if kind == 0:
            tiles[cell] = rng.below(len(SYMBOLS))
        elif (x % 2 and y % 2) if kind == 1 else rng.below(10) < shown:
            if cell not in mined:
                tiles[cell] = sum((y + dy) * width + x + dx in mined for dx, dy in _beside(x, y, width, height))
        elif not rng.below(6):
            tiles[cell] = (10, 10, 11, 12 if cell in mined else 14)[rng.below(4)]
    mines = len(mined)
    if kind == 2 and size:  # a clue, or the number of mines, is not right
        cell = rng.below(size)
        if tiles[cell] <= 8:
            tiles[cell] = rng.below(9)
        else:
            mines = rng.below(size + 1)
    return width, height, mines, tiles


def _beside(x: int, y: int, width: int, height: int) -> Iterator[tuple[int, int]]:
    for dx, dy in itertools.product((-1, 0, 1), repeat=2):
        if (dx or dy) and 0 <= x + dx < width and 0 <= y + dy < height:
            yield dx, dy


def _damaged(rng: Rng, text: str) -> str:
    """The text with something done to it."""
    at = rng.below(len(text) + 1)
    match rng.below(8):
        case 0:
            return text[:at]
        case 1:
            return text[at:]
        case 2:
            return text[:at] + text[at + 1 :]
        case 3:
            return text[:at] + _STRANGE[rng.below(len(_STRANGE))] + text[at:]
        case 4:
            return text[:at] + chr(rng.below(0xD800)) + text[at:]
        case 5:
            return text + text[:at]
        case 6:
            numbers = (0, 1, 3, 99, 255, 10**6, 10**8, 10**9, 10**12, 10**30)
            return f"{numbers[rng.below(10)]}x{numbers[rng.below(10)]}/{numbers[rng.below(10)]}\n" + text
        case _:
            return text.replace("\n", ("\r\n", "\n\n", " \n", "\r")[rng.below(4)])


def outcome(number: int) -> str:
    """What came of a case, in a word; `WrongError` if that cannot be, any other error if something broke."""
    text, mines = text_of(number)
    try:
        board = read_board(text, mine_count=mines)
    except NotationError as error:
        _expect(error.line >= 1 and error.column >= 1 and "\n" not in str(error), f"a bad place: {error}")
        return "no board"
    trust_flags = not number % 5
    try:
        analysis = analyse(board, trust_flags=trust_flags, cap=CAP)
    except ContradictionError as error:
        _expect(bool(error.clues) or error.mine_count, "a contradiction without a reason")
        _expect(
            all(cell_name(board.grid, clue) in str(error) for clue in error.clues[:10]), f"clues not named: {error}"
        )
        _expect(not _few(board, trust_flags) or not _count(board, trust_flags), "a contradiction that is none")
        return "contradictory"
    except TooHardError as error:
        _expect(error.cap == CAP, "another cap")
        all_steps(board, trust_flags=trust_flags, cap=CAP)
        return "too hard"
    _check(board, analysis, trust_flags)
    return "analysed"


def _check(board: Board, analysis: Analysis, trust_flags: bool) -> None:
    covered = analysis.risks()
    mines = sum(analysis.layouts_with_mine(cell) for cell in covered)
    shown = sum(tile in (12, 13) for tile in board.tiles)
    _expect(mines == (board.mine_count - shown) * analysis.census, "the chances do not add up to the mines")
    _expect(set(covered) == {cell for cell, tile in enumerate(board.tiles) if tile in (9, 10, 11)}, "not all cells")
    _expect(not _few(board, trust_flags) or analysis.census == _count(board, trust_flags), "a wrong census")
    if not board.status.ended and board.grid.size <= 600:
        safe: set[int] = set()
        mined = {cell for cell, tile in enumerate(board.tiles) if trust_flags and tile == 10}
        for step in all_steps(board, trust_flags=trust_flags, cap=CAP):
            _expect(bool(step.sentence), "a step without words")
            safe.update(step.safe)
            mined.update(step.mined)
        _expect((safe, mined) == (set(analysis.safe), set(analysis.mined)), "steps that say something else")


def _unknown(board: Board, trust_flags: bool) -> list[int]:
    return [c for c, tile in enumerate(board.tiles) if tile in (9, 11) or (tile == 10 and not trust_flags)]


def _few(board: Board, trust_flags: bool) -> bool:
    return len(_unknown(board, trust_flags)) <= _FEW


def _count(board: Board, trust_flags: bool) -> int:
    """The layouts, one by one."""
    unknown = _unknown(board, trust_flags)
    known = {c for c, tile in enumerate(board.tiles) if tile in (12, 13) or (trust_flags and tile == 10)}
    clues = [(tile, board.grid.neighbours(c)) for c, tile in enumerate(board.tiles) if tile <= 8]
    left = board.mine_count - len(known)
    return sum(
        all(clue == sum(near in known or near in chosen for near in cells) for clue, cells in clues)
        for chosen in (itertools.combinations(unknown, left) if left >= 0 else ())
    )


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise WrongError(otherwise)


def run(first: int, count: int, report: Callable[[str], object] = print) -> Counter[str]:
    """So many cases from a first one on; each that went wrong is reported, and counted as `WRONG`. Ctrl-C ends it early."""
    outcomes: Counter[str] = Counter()
    for number in range(first, first + count):
        try:
            outcomes[outcome(number)] += 1
        except KeyboardInterrupt:
            break
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
            outcomes["WRONG"] += 1
            report(f"case {number}: {type(error).__name__}: {error}")
    return outcomes


def main() -> int:
    """Run, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="how many cases")
    parser.add_argument("--first", type=int, default=0, help="the first one's number")
    words = parser.parse_args()
    began = time.process_time()
    outcomes = run(words.first, words.count)
    spent = time.process_time() - began
    print(
        f"{words.count:,} cases from {words.first:,} in {spent:.0f} s of processor time: {dict(outcomes.most_common())}"
    )
    return 1 if outcomes["WRONG"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
