"""The chance to win: exact where few layouts are left, else played out, between bounds that are proved.

A board falls into regions that tell nothing of each other (`_kernels.reference.layouts`), whose chances multiply. Regions
with few layouts are searched to the end. If that does not settle the board, it is played out (`playouts`): `win` is the mean of
some hundred layouts, and `win_error` its standard error. `win_low` and `win_high` hold whatever the layout, for best play: nobody
can do better than `win_high`, and there is play that reaches `win_low`. Without the native library nothing is played out, and
`win` is None.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, reduce
from math import ceil, log, prod
from typing import NamedTuple

from sapper._kernels import batch
from sapper.core.arguments import check_number
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.rules import Promise, Start, Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.solver.analysis import DEFAULT_CAP, TIE, Analysis, analyse
from sapper.solver.best_reply import GuessReply, candidates_of, replies_of, without_reply, work_of
from sapper.solver.playouts import MOST_CELLS, PlayedOut, PlayedWin, can_play_out, play_first, play_out

MOST_LAYOUTS = 2_000
"""Layouts of a region that are searched to the end unless told otherwise."""
NODES = 10_000
"""Positions that the searches of a board may take unless told otherwise: a second or two."""
MOST_LISTED = 12
"""Candidates of a board at most."""

_FLOATS_LOG10 = 300
"""Decimal logarithms of numbers that are floats."""

_REPLY_WORK = 1_000_000
_ANSWERS = 5
"""Microseconds, about, that the replies of one board may take in all; answers of a reveal that are looked at, about."""
_NOT_KNOWN = "the chance to win is not known: too many layouts are left to search them"
_NOT_PLAYED = f"{_NOT_KNOWN}, and only the native library plays boards out"
_TOO_LARGE = f"{_NOT_KNOWN}, and the board is too large to play out enough of them"
_BEGUN = 12
"""Times as many playouts as a guess has."""
_ORDER = (Start.ANY, Start.SAFE, Start.OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A cell that may be worth revealing next."""

    cell: Cell
    risk: float
    """The chance that it is a mine."""
    win: float | None
    """The chance to win when it is revealed and best play follows; of playouts, unless `exact` is given; None where it is not known."""
    win_error: float | None
    """The standard error of `win`; None where that is exact or not known."""
    win_low: float
    win_high: float
    """Bounds of that chance, which are proved; equal to it where it is exact."""
    exact: Fraction | None
    clues: tuple[tuple[int, float], ...]
    """The numbers that it can show, each with the chance that it does; they and the risk add up to 1."""
    can_wait: bool
    """True if a clue may still tell something about it; else waiting does not help."""
    decides: tuple[Cell, ...] = ()
    """The cells that are not certain now, and are if it is safe, whatever clue it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcedGuess:
    """Cells that nothing elsewhere will ever tell about: they have to be guessed, and the guess succeeds with `chance` at best."""

    cells: tuple[Cell, ...]
    chance: Fraction

    @property
    def is_even(self) -> bool:
        """True if it is a 50/50."""
        return self.chance == Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinChance:
    """What is known of winning a board; `win_chance` makes it."""

    analysis: Analysis = field(repr=False)
    win: float | None
    """The chance to win by best play; of playouts, unless `exact` is given; None where it is not defined or not known, and `reason` says why."""
    win_error: float | None
    """The standard error of `win`; None where that is exact or not known."""
    win_low: float | None
    win_high: float | None
    """Bounds that are proved; None where the chance is not defined."""
    exact: Fraction | None
    """The chance as a fraction, where it is known exactly."""
    candidates: tuple[Candidate, ...] = ()
    """The cells worth a thought, the best first, of equals the lowest."""
    level: tuple[Cell, ...] = field(default=(), repr=False)
    """All cells that are as good as the best candidate; of those that were played out, the ones that are not told apart from it."""
    forced: tuple[ForcedGuess, ...] = ()
    """The guesses that cannot be avoided."""
    reason: str | None = None

    @property
    def board(self) -> Board:
        return self.analysis.board

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None

    def of(self, cell: int) -> Candidate | None:
        return next((one for one in self.candidates if one.cell == cell), None)


def win_chance(
    board: Board,
    *,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    most_layouts: int = MOST_LAYOUTS,
    nodes: int = NODES,
) -> WinChance:
    """The chance to win a board by best play, and that of each sensible move.

    `most_layouts` and `nodes` bound the exact part; more of them make more boards exact. Other boards are played out, where there
    is the native library. Defined where a game is won by revealing every safe cell.

    Raises:
        ContradictionError: no layout fits the board.
        TooHardError: it takes more than `cap` states to analyse.

    """
    check_number("most_layouts", most_layouts, least=1)
    check_number("nodes", nodes, least=1)
    analysis = analyse(board, trust_flags=trust_flags, cap=cap)
    return win_chance_of(analysis, most_layouts=most_layouts, nodes=nodes)


def win_chance_of(
    analysis: Analysis,
    *,
    most_layouts: int = MOST_LAYOUTS,
    nodes: int = NODES,
    safe_listed: bool = True,
    parts: batch.GuessParts | None = batch.SECOND_OPINION,
) -> WinChance:
    """The same of a board that has been analysed.

    Where cells are safe, their replies are most of the work; without `safe_listed` there are no candidates then.
    `parts` are those of the strategy whose guess comes first where the board is not exact; with None nothing is played out.
    """
    board = analysis.board
    reason = why_undefined(board)
    if reason is not None:
        return WinChance(
            analysis=analysis, win=None, win_error=None, win_low=None, win_high=None, exact=None, reason=reason
        )
    if board.status.ended or analysis.least_risk in (None, 1.0):
        won = Fraction(0 if board.status in (Status.LOST, Status.TERMINATED) else 1)
        return WinChance(
            analysis=analysis, win=float(won), win_error=None, win_low=float(won), win_high=float(won), exact=won
        )
    grid = board.grid
    if _is_promised(analysis):
        nothing_left = batch.Endgame(1, 1, 1, (), 0)
        return _Judge(analysis, nothing_left).judged(None, safe_listed=safe_listed)
    if grid.size > MOST_CELLS or _is_wide(analysis, most_layouts):
        endgame = _all_wide(analysis)
    else:
        endgame = batch.endgame_of(
            analysis.exact,
            board.tiles,
            grid.width,
            grid.height,
            grid.table,
            plane=grid.is_plane,
            start=_start_of(board),
            most_layouts=most_layouts,
            nodes=nodes,
        )
    judge = _Judge(analysis, endgame)
    if judge.is_exact or parts is None or grid.size > MOST_CELLS:
        played = None
    elif board.protected:
        played = _begun(board, most_layouts, nodes, parts)
    else:
        played = play_out(analysis, parts) or _chosen(analysis, parts)
    return judge.judged(played, safe_listed=safe_listed)


@lru_cache(maxsize=64)
def _begun(board: Board, most_layouts: int, nodes: int, parts: batch.GuessParts) -> PlayedOut | None:
    """What a board wins when it is begun at the usual cell: on more layouts, since each game of a kind is told the same."""
    parts = parts._replace(playouts=max(parts.playouts, _BEGUN * batch.SECOND_OPINION.playouts))
    first = board.first_cell
    if first is None:
        return None
    if not _opens(board, first):
        won = play_first(board, first, parts)
    else:
        tiles = bytearray(board.tiles)
        tiles[first] = Tile.ZERO
        opened = replace(board, tiles=bytes(tiles), status=Status.PLAYING, safe_first=None)
        found = win_chance_of(analyse(opened), most_layouts=most_layouts, nodes=nodes, safe_listed=False, parts=parts)
        won = None if found.win is None else PlayedWin(found.win, found.win_error or 0.0)
    return PlayedOut(first, {} if won is None else {first: won}, (first,))


def _chosen(analysis: Analysis, parts: batch.GuessParts) -> PlayedOut | None:
    """The guess of the strategy without the native library, of which no more is known."""
    if analysis.safe:
        return None
    # It puts chances in words, as what is built on this module does.
    from sapper.core.rng import Rng  # noqa: PLC0415
    from sapper.solver.strategies.best_reply import SecondOpinionStrategy  # noqa: PLC0415

    best = SecondOpinionStrategy(Rng(0), parts).best(analysis)
    return None if best is None else PlayedOut(best.cell, {}, (best.cell,))


def _opens(board: Board, cell: Cell) -> bool:
    """True if the start rule makes a zero of the cell that is revealed first: the mines fit elsewhere."""
    room = board.grid.size - 1 - len(board.grid.neighbours(cell))
    return board.rules.start is Start.OPEN and bool(board.protected) and board.mine_count <= room


def _start_of(board: Board) -> int:
    """The rule that the next reveal is made under, by its place; a cell that is protected whatever the rule says is at least safe."""
    if not board.protected:
        return 0
    return max(_ORDER.index(board.rules.start), _ORDER.index(Start.SAFE))


def _all_wide(analysis: Analysis) -> batch.Endgame:
    """A board as one region that is not searched."""
    log10 = analysis.census_log10
    census = round(10**log10) if log10 < _FLOATS_LOG10 else 10 ** ceil(log10)  # exactly takes long, and nobody asks
    cells = list(analysis.uncertain)
    region = batch.EndgameRegion(tuple(cells), census, False, 1, census, ())
    return batch.Endgame(census, 1, census, (region,) if cells else (), 0)


def _is_wide(analysis: Analysis, most_layouts: int) -> bool:
    """True if every region of a board is known to have more layouts than may be searched."""
    board, grid = analysis.board, analysis.board.grid
    given = batch.GivenBoard(
        board.tiles, board.mine_count, grid.width, grid.height, grid.table, analysis.trust_flags, analysis.cap
    )
    smallest = batch.smallest_region(given, plane=grid.is_plane)
    return smallest is not None and smallest > log(most_layouts + 1)


def _is_promised(analysis: Analysis) -> bool:
    """True if it is known beyond the clues that the board is won by best play."""
    promise = analysis.board.promise
    return promise is Promise.KABOOM or (promise is Promise.NO_GUESS and bool(analysis.safe))


def why_undefined(board: Board) -> str | None:
    """Why a board has no chance to win that is counted here; None where it has one."""
    if board.rules.win is Win.REVEALED:
        return None
    how = "flagging the mines" if board.rules.win is Win.FLAGGED else "flagging the mines or by revealing the rest"
    return f"the chance to win is worked out where a game is won by revealing alone; rules {board.rules.name!r} are won by {how}"


class _Odds(NamedTuple):
    """What is proved of a chance to win: its bounds, and the fraction if it is exact."""

    low: float
    high: float
    exact: Fraction | None

    @property
    def known(self) -> float:
        """What moves are compared by where nothing else is known: the chance if it is exact, else what the best line found wins."""
        return self.low if self.exact is None else float(self.exact)

    def times(self, other: "_Odds") -> "_Odds":
        """Both of two that tell nothing of each other."""
        exact = None if self.exact is None or other.exact is None else self.exact * other.exact
        return _Odds(self.low * other.low, self.high * other.high, exact)


_SURE = _Odds(1.0, 1.0, Fraction(1))


def _odds_of(low: int, high: int, layouts: int) -> _Odds:
    """Where a search ended early, no more than the bounds is known."""
    return _Odds(low / layouts, high / layouts, Fraction(low, layouts) if low == high else None)


class _Judge:
    """Puts together what is exact, what is proved and what was played out of one board."""

    def __init__(self, analysis: Analysis, endgame: batch.Endgame) -> None:
        self._analysis = analysis
        self._is_first = bool(analysis.board.protected)
        self._searched = [region for region in endgame.regions if region.is_searched]
        self._odds = [_odds_of(region.low, region.high, region.layouts) for region in self._searched]
        wide = [region for region in endgame.regions if not region.is_searched]
        self._wide = sorted(cell for region in wide for cell in region.cells)
        self._wide_layouts = prod(region.layouts for region in wide)
        self._replies: dict[Cell, GuessReply] = {}
        self._work = _REPLY_WORK

    @property
    def is_exact(self) -> bool:
        return not self._wide and all(odds.exact is not None for odds in self._odds)

    def judged(self, played: PlayedOut | None, *, safe_listed: bool) -> WinChance:
        """All of it; safe cells as candidates only if they are to be listed."""
        wide, moves = self._judge_wide() if self._wide else (_SURE, {})
        whole = reduce(_Odds.times, self._odds, wide)
        wins = {} if played is None else {cell: self._within(whole, won) for cell, won in played.wins.items()}
        win = wins.get(played.best) if played is not None else None
        best: Cell | None = None
        if self._analysis.safe and not self._is_first:
            cells = list(self._analysis.safe)[:MOST_LISTED] if safe_listed else []
            odds = dict.fromkeys(cells, whole)
            wins = {} if win is None else dict.fromkeys(cells, win)
        elif _is_promised(self._analysis):
            first = self._analysis.board.first_cell
            cells = candidates_of(self._analysis) if first is None or not self._is_first else [first]
            odds = dict.fromkeys(cells, whole)
        else:
            odds = self._odds_of_moves(wide, moves)
            if self._is_first and self.is_exact and odds:
                # The search had any cell protected; perhaps only the one is that the game is to begin with.
                whole = max(odds.values(), key=lambda one: one.low)
            if played is not None:
                best = played.best
                wins = self._wins_of_moves(odds, played.best, wins)
        candidates = tuple(self._candidates(odds, best, wins))
        return WinChance(
            analysis=self._analysis,
            win=float(whole.exact) if whole.exact is not None else None if win is None else win.win,
            win_error=None if whole.exact is not None or win is None else win.error,
            win_low=whole.low,
            win_high=whole.high,
            exact=whole.exact,
            candidates=candidates,
            level=_level(candidates, odds, played if best is not None else None),
            forced=tuple(self._forced()),
            reason=None if whole.exact is not None or win is not None else _why_not_known(),
        )

    @staticmethod
    def _within(odds: _Odds, won: PlayedWin) -> PlayedWin:
        return PlayedWin(min(max(won.win, odds.low), odds.high), won.error)

    def _wins_of_moves(self, odds: dict[Cell, _Odds], best: Cell, wins: dict[Cell, PlayedWin]) -> dict[Cell, PlayedWin]:
        """What moves win by playouts, none of them more than the one that was chosen; adds those to `odds` that are not among them.

        A move in a region that was searched to its end is in proportion to it.
        """
        self._reply_to([cell for cell in {best, *wins} if cell not in odds and cell not in self._replies])
        for cell in {best, *wins}:
            if cell not in odds:
                odds[cell] = _Odds(0.0, self._replies[cell].most, None)
        most = wins.get(best)
        if most is None:
            return {}
        found = {cell: won._replace(win=min(won.win, most.win)) for cell, won in wins.items()}
        for region, whole in zip(self._searched, self._odds, strict=True):
            for move in region.moves:
                cell, one = Cell(move.cell), _odds_of(move.low, move.high, move.layouts) if move.safe else None
                if cell in odds and cell not in found and one is not None and one.exact is not None and whole.exact:
                    share = float(one.exact / whole.exact)
                    found[cell] = PlayedWin(most.win * share, most.error * share)
        return {cell: self._within(odds[cell], won) for cell, won in found.items()}

    def _odds_of_moves(self, wide: _Odds, moves: dict[Cell, _Odds]) -> dict[Cell, _Odds]:
        """The odds of the board after each uncertain cell: those of its region after it, times those of all others."""
        found = {}
        every = [wide, *self._odds]
        for number, region in enumerate(self._searched, 1):
            others = reduce(_Odds.times, every[:number] + every[number + 1 :], _SURE)
            for move in region.moves:
                if move.safe and (not self._is_first or move.cell in self._analysis.board.protected):
                    found[Cell(move.cell)] = _odds_of(move.low, move.high, move.layouts).times(others)
        searched = reduce(_Odds.times, self._odds, _SURE)
        return found | {cell: odds.times(searched) for cell, odds in moves.items()}

    def _candidates(
        self, odds: dict[Cell, _Odds], first: Cell | None, wins: dict[Cell, PlayedWin]
    ) -> Iterator[Candidate]:
        """The best of these cells, the best first; `first`, those that were played out and the least risky one are always among them."""

        def worth(cell: Cell) -> float:
            return wins[cell].win if cell in wins else odds[cell].known

        best = max(map(worth, odds), default=0.0)

        def place(cell: Cell) -> tuple[bool, int, int, Cell]:
            """What is equal within 1e-9 counts as equal: then the least risk comes first where it is not exact, then the lowest cell."""
            risk = 0 if odds[cell].exact is not None else round(self._analysis.risk(cell) / TIE)
            return cell != first, round((best - worth(cell)) / TIE), risk, cell

        order = sorted(odds, key=place)
        least = self._analysis.least_risky
        kept = [cell for rank, cell in enumerate(order) if rank < MOST_LISTED or cell == least or cell in wins]
        self._reply_to([cell for cell in kept if cell not in self._replies])
        is_kept_safe = self._analysis.board.promise is Promise.KABOOM
        blind = {cell for region in self._searched if region.high == 1 for cell in region.cells}
        for cell in kept:
            one, reply, won = odds[cell], self._replies[cell], wins.get(cell)
            if is_kept_safe and reply.risk < 1:
                clues = tuple((clue, share / (1 - reply.risk)) for clue, share in reply.clues)
                reply = replace(reply, risk=0.0, clues=clues)
            yield Candidate(
                cell=cell,
                risk=reply.risk,
                win=float(one.exact) if one.exact is not None else None if won is None else won.win,
                win_error=None if one.exact is not None or won is None else won.error,
                win_low=one.low,
                win_high=one.high,
                exact=one.exact,
                clues=((0, 1.0),) if _opens(self._analysis.board, cell) else reply.clues,
                can_wait=cell not in blind,
                decides=reply.decides,
            )

    def _forced(self) -> Iterator[ForcedGuess]:
        """The regions that no play wins for certain; before the first reveal nothing is forced yet."""
        for region, odds in zip(self._searched, self._odds, strict=True):
            if odds.exact is not None and odds.exact < 1 and not self._is_first:
                yield ForcedGuess(cells=tuple(map(Cell, region.cells)), chance=odds.exact)

    def _reply_to(self, cells: Sequence[Cell]) -> list[GuessReply]:
        """Look at the replies to some reveals, as long as that is not too much work; beyond that, only at their risk."""
        cost = _ANSWERS * work_of(self._analysis)
        affordable = min(len(cells), self._work // cost)
        self._work -= affordable * cost
        found = replies_of(self._analysis, cells[:affordable])
        found += [without_reply(self._analysis, cell) for cell in cells[affordable:]]
        self._replies |= {reply.cell: reply for reply in found}
        return found

    # --- what has too many layouts to be searched -------------------------------------------------------

    def _judge_wide(self) -> tuple[_Odds, dict[Cell, _Odds]]:
        """What is proved of all that has too many layouts; and after each guess there that is worth a thought.

        It is little: something is won by any move that can be survived, and no more than the replies allow.
        """
        analysis = self._analysis
        low = 1 / self._wide_layouts
        whole = _Odds(low, 1.0, None)
        if self._is_first:
            first = analysis.board.first_cell
            return whole, {} if first is None else {first: whole}
        if analysis.safe:
            return whole, {}
        cells = candidates_of(analysis, self._wide)
        replies = self._reply_to(cells)
        # A cell that is no candidate wins at most when it survives; they are taken in order of their safety.
        risks, looked_at = analysis.risks(), set(cells)
        beyond = max((1 - risks[Cell(cell)] for cell in self._wide if cell not in looked_at), default=0.0)
        high = max(beyond, *(reply.most for reply in replies))
        return _Odds(low, high, None), {reply.cell: _Odds(low, reply.most, None) for reply in replies}


def _why_not_known() -> str:
    return _TOO_LARGE if can_play_out() else _NOT_PLAYED


def _level(candidates: Sequence[Candidate], odds: dict[Cell, _Odds], played: PlayedOut | None) -> tuple[Cell, ...]:
    """The cells that are as good as the best candidate."""
    if not candidates:
        return ()
    if played is None:
        best = max(one.known for one in odds.values())
        return tuple(cell for cell in sorted(odds) if odds[cell].known >= best - TIE)
    first = candidates[0]
    equals = [
        one.cell for one in candidates if one.cell not in played.wins and one.win is not None and one.win == first.win
    ]
    return tuple(sorted({*played.level, *equals}))
