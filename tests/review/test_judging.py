"""What is known of a game beyond its clues belongs to the judgement: no guesses, Kaboom, a first cell that is known to be safe."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from sapper import _kernels
from sapper.cli.review import review_lines
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.notation import read_board
from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Promise, Start
from sapper.core.status import Status
from sapper.core.tile import UNMARKED, Tile
from sapper.core.update import Update
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.new_game import new_game
from sapper.generator.uniform import place_mines
from sapper.replay.replaying import replay
from sapper.review.judging import review_game
from sapper.review.values import GameReview, MoveVerdict
from sapper.session.storing import guesses_in
from sapper.solver.advice import advice_of
from sapper.solver.analysis import analyse
from sapper.solver.strategies.registry import find_strategy
from sapper.solver.win import win_chance
from tests.recordings import some_game
from tests.small_boards import known_wins


def _no_guess(start: Start, *, seed: int = 5) -> CodedGame:
    grid, first = Grid(16, 16), Cell(34)
    rules = RULES["modern"].replace(start=start)
    spec = LayoutSpec(grid=grid, mine_count=40, start=start, first=first, no_guess=True)
    return game_of_code(CodedGame(rules=rules, grid=grid, mine_count=40, first=first, seed=seed, spec=spec).code)


def _kaboom(seed: int) -> CodedGame:
    return CodedGame(rules=RULES["modern"], grid=Grid(9, 9), mine_count=18, seed=seed, kaboom=True)


class _Play:
    """A game of a code, and the record of it."""

    def __init__(self, game: CodedGame) -> None:
        self._game = game
        self._referee = game.referee()
        self._played: list[TimedMove] = []

    @property
    def board(self) -> Board:
        return self._referee.board

    def reveal(self, cell: int) -> None:
        move = Move.reveal(cell)
        self._played.append(TimedMove(len(self._played), move, self._referee.play(move)))

    def all_that_is_safe(self) -> Iterator[Board]:
        """The boards on which nothing is safe any more, or that have ended."""
        while not self.board.status.ended:
            safe = analyse(self.board).safe
            if not safe:
                yield self.board
            for cell in safe:
                if self.board.is_legal(Move.reveal(cell)):
                    self.reveal(cell)

    def record(self) -> Record:
        mines = self._referee.layout_at_the_end.mines if self.board.status.ended else None
        game = self._game
        return Record(
            rules=game.rules, grid=game.grid, mine_count=game.mine_count, code=game.code, mines=mines, played=tuple(self._played)
        )  # fmt: skip


@pytest.mark.parametrize("start", [Start.OPEN, Start.ANY])
def test_a_board_that_needs_no_guess_is_won_for_certain_and_without_luck(start: Start) -> None:
    play = _Play(_no_guess(start))
    first = win_chance(play.board)
    assert first.win == first.exact == 1
    assert first.best is not None
    assert (first.best.cell, first.best.risk) == (34, 0.0)
    play.reveal(34)
    assert win_chance(play.board).exact == 1
    assert list(play.all_that_is_safe()) == []
    assert play.board.status is Status.WON
    review = review_game(play.record())
    assert (review.win_first, review.win_last, review.cost, review.luck, review.accuracy) == (1.0, 1.0, 0.0, 0.0, 1.0)
    assert review.turning_point is None
    assert review.moves[0].verdict is MoveVerdict.FIRST
    assert all(one.exact for one in review.moves)


def test_a_guess_on_such_a_board_costs_its_risk() -> None:
    play = _Play(_no_guess(Start.OPEN))
    play.reveal(34)
    analysis = analyse(play.board)
    layout = _no_guess(Start.OPEN).generate()
    assert layout is not None
    cell = next(cell for cell, risk in analysis.risks().items() if 0 < risk < 1 and not layout.is_mine(cell))
    play.reveal(cell)
    assert win_chance(play.board).exact == 1  # whoever survives goes on without a guess
    guess = review_game(play.record()).moves[-1]
    assert guess.verdict is MoveVerdict.NEEDLESS_GUESS
    assert (guess.win_before, guess.win_after) == (1.0, 1.0)
    assert guess.cost == pytest.approx(guess.risk)
    assert guess.luck == pytest.approx(guess.risk)


def test_a_game_that_is_begun_elsewhere_is_promised_nothing() -> None:
    play = _Play(_no_guess(Start.ANY))
    layout = _no_guess(Start.ANY).generate()
    assert layout is not None
    assert play.board.promise is Promise.NO_GUESS
    play.reveal(next(cell for cell in range(256) if layout.clues[cell] == 1))
    begun = play.board
    assert begun.promise is None
    assert (win_chance(begun).win or 0.0) < 1
    review = review_game(play.record())
    assert review.moves[0].verdict is MoveVerdict.NEEDLESS_GUESS  # the first cell was known
    assert (review.moves[0].win_after or 0.0) < 1


def test_what_the_first_cell_opened_is_no_turning_point() -> None:
    play = _Play(CodedGame(rules=RULES["modern"], grid=Grid(9, 9), mine_count=10, seed=3))
    play.reveal(40)
    review = review_game(play.record())
    first = review.moves[0]
    assert first.verdict is MoveVerdict.FIRST
    assert first.win_before != first.win_after
    assert review.turning_point is None


def test_forced_guesses_of_kaboom_are_safe_and_no_luck() -> None:
    play = _Play(_kaboom(9))
    assert win_chance(play.board).exact == 1
    play.reveal(20)
    forced = 0
    for board in play.all_that_is_safe():
        forced += 1
        chance = win_chance(board)
        assert chance.exact == 1
        assert chance.best is not None
        assert chance.best.risk == 0
        assert sum(share for _, share in chance.best.clues) == pytest.approx(1)
        assert "Kaboom" in (advice_of(chance) or "")
        play.reveal(chance.best.cell)
    assert forced
    assert play.board.status is Status.WON
    review = review_game(play.record())
    assert (review.win_first, review.luck, review.cost, review.survival) == (1.0, 0.0, 0.0, 1.0)
    assert review.count(MoveVerdict.RIGHT_GUESS) == forced
    assert guesses_in(play.record()) == []  # nor is it luck over time


def test_a_needless_guess_of_kaboom_is_a_mine_and_no_luck() -> None:
    play = _Play(_kaboom(2))
    play.reveal(40)
    analysis = analyse(play.board)
    assert analysis.safe
    play.reveal(next(cell for cell, risk in analysis.risks().items() if 0 < risk < 1))
    assert play.board.status is Status.LOST
    guess = review_game(play.record()).moves[-1]
    assert (guess.verdict, guess.risk) == (MoveVerdict.NEEDLESS_GUESS, 1.0)
    assert [(one.risk, one.exploded) for one in guesses_in(play.record())] == [(1.0, True)]
    assert (guess.win_before, guess.win_by_move, guess.win_after, guess.luck) == (1.0, 0.0, 0.0, 0.0)


def _two_reveals(seed: int) -> Record:
    """The opening of an Expert game, and a reveal far from it, if that goes well."""
    game = new_game("expert", seed=seed)
    moves = [Move.reveal(game.grid.cell(*place)) for place in ((3, 3), (25, 12))]
    played = tuple(TimedMove(0, move, game.play(move)) for move in moves)
    return Record(rules=game.board.rules, grid=game.grid, mine_count=99, played=played)


def test_guesses_without_exact_chances_are_compared_on_the_same_layouts() -> None:
    record = _two_reveals(1)
    plain, again, deep = (review_game(record, deep=deep).moves[1] for deep in (False, False, True))
    assert plain == again
    for one in (plain, deep):
        assert one.verdict is V.NEEDLESS_GUESS
        assert not one.exact
        assert one.cost is not None
        assert one.cost_error is not None
        # What is certain to be safe wins more than what is not.
        assert one.cost > 2 * one.cost_error > 0
    assert plain.cost_error is not None
    assert deep.cost_error is not None
    assert deep.cost_error < plain.cost_error / 1.5


def test_what_safe_answers_bring_shows_at_the_next_guess() -> None:
    """Between guesses the chance stays as it is; boards that wait for a guess have the one that hints have."""
    guesses = 0
    for seed in range(3):
        record = _careless(seed)
        review = review_game(record)
        _adds_up(review)
        boards = list(record.boards())
        for one, later in zip(review.moves, [*review.moves[1:], None], strict=True):
            if one.verdict is V.SAFE and later is not None and later.verdict is V.SAFE and not one.exact:
                assert one.luck == 0 or review.moves[one.number].exact
            if one.verdict in (V.RIGHT_GUESS, V.WRONG_GUESS):
                guesses += 1
                plain = boards[one.number - 1].tiles.translate(UNMARKED)
                assert one.win_before == win_chance(replace(boards[one.number - 1], tiles=plain)).win
            if one.verdict is V.WRONG_GUESS and not one.exact:
                assert one.cost is not None
                assert one.cost > 2 * (one.cost_error or 0.0)
            if one.verdict is V.RIGHT_GUESS:
                assert one.cost == 0
    assert guesses


V = MoveVerdict


def _played(layout: Layout, moves: list[Move], *, rules: str = "classic", start: Start = Start.ANY) -> Record:
    referee = Referee(rules=RULES[rules].replace(start=start), source=FixedLayout(layout))
    played = tuple(TimedMove(100 * at, move, referee.play(move)) for at, move in enumerate(moves))
    ended = referee.status.ended
    return Record(
        rules=referee.board.rules, grid=layout.grid, mine_count=layout.mine_count,
        mines=layout.mines if ended else None, played=played,
    )  # fmt: skip


def _layout(rows: str) -> Layout:
    lines = rows.split()
    mines = [number for number, sign in enumerate("".join(lines)) if sign == "*"]
    return Layout(Grid(len(lines[0]), len(lines)), CellSet.of(mines))


def _adds_up(review: GameReview) -> None:
    assert review.win_first is not None
    assert review.cost is not None
    assert review.luck is not None
    assert review.win_last == pytest.approx(review.win_first - review.cost + review.luck)
    for one, later in zip(review.moves, review.moves[1:], strict=False):
        if one.win_after is not None and later.win_before is not None:
            assert one.win_after == later.win_before


@pytest.mark.parametrize(("cell", "words"), [(0, "right guess, bad luck"), (2, "right guess, survived")])
def test_a_forced_50_50_is_a_right_guess_whichever_way_it_goes(cell: int, words: str) -> None:
    review = review_game(_played(_layout("*00"), [Move.reveal(1), Move.reveal(cell)]))
    last = review.moves[-1]
    assert last.words == words
    assert (last.risk, last.least_risk, last.win_before, last.win_by_move, last.exact) == (0.5, 0.5, 0.5, 0.5, True)
    assert last.win_after == float(cell == 2)
    assert last.cost == 0
    assert last.luck == (0.5 if cell == 2 else -0.5)
    assert last.why is not None
    assert "50/50" in last.why
    assert review.survived == (cell == 2) + 1
    _adds_up(review)


def test_a_needless_guess_names_what_was_safe_and_why() -> None:
    # 1-2-1: the cell under the 2 is safe.
    layout = _layout("000 *0* 00*")
    review = review_game(
        _played(layout, [Move.reveal(0), Move.reveal(1), Move.reveal(2), Move.reveal(6), Move.reveal(4)])
    )
    words = [one.words for one in review.moves]
    assert words[3] == "needless guess, good luck"
    missed = review.moves[3]
    assert missed.safe == (4,)
    assert missed.best == 4
    assert missed.least_risk == 0
    assert missed.why is not None
    assert missed.why.startswith("a1, b1 and c1 are a 1-2-1 in a line")
    assert missed.why.endswith(
        f"; the move that was made has a risk of {100 * (missed.risk or 0):.1f} %, and wins {100 * (missed.win_by_move or 0):.1f} % instead of {100 * (missed.win_before or 0):.1f} %"
    )
    assert missed.exact
    assert words[4] == "safe"
    assert review.count(V.NEEDLESS_GUESS) == 1
    _adds_up(review)


def test_a_certain_mine_costs_everything() -> None:
    review = review_game(
        _played(_layout("000 *0* 000"), [Move.reveal(0), Move.reveal(1), Move.reveal(2), Move.reveal(3)])
    )
    last = review.moves[-1]
    assert last.words == "certain mine, lost"
    assert (last.risk, last.win_by_move, last.win_after) == (1.0, 0.0, 0.0)
    assert last.cost == last.win_before
    assert last.luck == 0
    assert review.accuracy == 0
    assert review.turning_point is not None
    assert review.win_last == 0


def test_the_reason_speaks_of_the_move() -> None:
    """b1 and i1 say as easily what is beside them, and j1 is safe; a certain mine is explained by what made it one."""
    layout = Layout(Grid(11, 1), CellSet.of([0, 9]))
    for cell, clue in ((0, "b1"), (9, "i1")):
        last = review_game(_played(layout, [Move.reveal(4), Move.reveal(cell)])).moves[-1]
        assert last.verdict is V.CERTAIN_MINE
        assert last.technique is not None
        assert last.why is not None
        assert last.why.startswith(f"{clue} says 1 and ")
        assert last.why.endswith(" is a mine; what was revealed was certain to be a mine")


@pytest.mark.parametrize("seed", range(3))
def test_the_gamble_of_a_chord_is_named(seed: int) -> None:
    """Of a player who flags at random until a clue has its number, and chords: the reason names each cell that was not certain, and is short."""
    rng = Rng(seed)
    named = 0
    for _ in range(20):
        layout = place_mines(Grid(9, 9), 12, rng)
        referee = Referee(rules=RULES["classic"].replace(start=Start.ANY), source=FixedLayout(layout))
        safe = [cell for cell in range(81) if not layout.is_mine(cell)]
        played = []
        for cell in (rng.choice(safe), rng.choice(safe)):
            if referee.board.is_legal(Move.reveal(cell)):
                played.append(Move.reveal(cell))
                referee.play(played[-1])
        board = referee.board
        if board.status.ended:
            continue
        clues = [cell for cell in range(81) if 1 <= board.tiles[cell] <= 3]
        covered = {
            clue: [one for one in board.grid.neighbours(clue) if board.tiles[one] == Tile.COVERED] for clue in clues
        }
        clues = [clue for clue in clues if len(covered[clue]) > board.tiles[clue]]
        if not clues:
            continue
        clue = rng.choice(clues)
        flags = covered[clue][: board.tiles[clue]]
        review = review_game(_played(layout, [*played, *map(Move.flag, flags), Move.chord(clue)]))
        chord = review.moves[-1]
        if chord.verdict not in (V.NEEDLESS_GUESS, V.CERTAIN_MINE):
            continue
        analysis = analyse(board)
        gambles = [one for one in covered[clue][board.tiles[clue] :] if one not in analysis.safe]
        if chord.verdict is V.CERTAIN_MINE:
            gambles = [one for one in gambles if one in analysis.mined]
        assert chord.why is not None
        assert all(cell_name(layout.grid, one) in chord.why for one in gambles)
        assert chord.why.count(". ") < 7
        named += 1
    assert named


def test_flags_and_chords() -> None:
    layout = _layout("*00 000 000")
    moves = [Move.reveal(4), Move.flag(1), Move.chord(4)]
    review = review_game(_played(layout, moves))
    assert review.moves[1].verdict is V.MARK, "nothing is known of b1 yet"
    chord = review.moves[2]
    assert chord.verdict is V.RIGHT_GUESS or chord.verdict is V.WRONG_GUESS
    assert not chord.survived
    assert chord.risk == pytest.approx(7 / 8)
    safe = review_game(
        _played(_layout("000 *0* 000"), [Move.reveal(n) for n in (0, 1, 2)] + [Move.flag(4), Move.flag(3)])
    )
    assert [one.verdict for one in safe.moves][3:] == [V.WRONG_FLAG, V.MARK]
    assert safe.moves[3].best == 4


def _record_at(board: Board, move: Move, update: Update) -> Record:
    """A game of two moves: one that led to the board as it is, and this one."""
    whole = Update(((board.grid.check(0), board.tiles),), board.status)
    return Record(
        rules=board.rules, grid=board.grid, mine_count=board.mine_count,
        played=(TimedMove(0, Move.flag(0), whole), TimedMove(0, move, update)),
    )  # fmt: skip


def test_guesses_on_small_boards_against_exact_best_play() -> None:
    """Every move whose exact value is known: right exactly where none is better, with its exact chance."""
    seen = {V.RIGHT_GUESS: 0, V.WRONG_GUESS: 0}
    for known in known_wins():
        board = Board(
            grid=Grid(known.width, known.height), rules=RULES["classic"].replace(start=Start.ANY), mine_count=known.mines,
            tiles=known.tiles, status=Status.PLAYING,
        )  # fmt: skip
        chance = win_chance(board)
        if not board.revealed_count or chance.analysis.safe or chance.exact is None:
            continue
        for cell, win in list(known.moves.items())[:4]:
            lost = Update(((board.grid.check(cell), bytes([Tile.EXPLODED])),), Status.LOST)
            one = review_game(_record_at(board, Move.reveal(cell), lost)).moves[1]
            if one.verdict is V.CERTAIN_MINE:
                assert win == 0
                continue
            if not one.exact:  # what follows the move has too many layouts to be searched
                continue
            assert one.win_before == pytest.approx(float(known.best))
            assert one.verdict is (V.RIGHT_GUESS if win == known.best else V.WRONG_GUESS), (known.name, cell)
            assert one.win_by_move == pytest.approx(float(win), abs=1e-12), (known.name, cell)
            if one.verdict is V.WRONG_GUESS:
                assert one.best is not None
                assert known.moves.get(one.best, Fraction(known.best)) == known.best
            seen[one.verdict] += 1
    assert min(seen.values()) > 10, seen


def test_best_play_of_whole_games_has_no_mistakes_and_adds_up() -> None:
    for seed in range(12):
        layout = place_mines(Grid(4, 4), 4, Rng(seed))
        referee = Referee(rules=RULES["classic"].replace(start=Start.ANY), source=FixedLayout(layout))
        moves = []
        while not referee.status.ended:
            best = win_chance(referee.board).best
            assert best is not None
            moves.append(Move.reveal(best.cell))
            referee.play(moves[-1])
        review = review_game(_played(layout, moves))
        assert review.mistakes == (), [one.why for one in review.mistakes]
        assert review.accuracy == pytest.approx(1)
        _adds_up(review)


def test_a_recording_begins_with_a_protected_reveal() -> None:
    record = replay(some_game()).record
    review = review_game(record)
    assert review.moves[0].verdict is V.FIRST
    assert review.moves[-1].verdict.is_guess or review.moves[-1].verdict is V.CERTAIN_MINE
    _adds_up(review)


def test_rules_that_flags_win_have_no_chance_to_win_and_all_else() -> None:
    layout = _layout("*00 000 000")
    review = review_game(_played(layout, [Move.reveal(4), Move.reveal(0)], rules="jminesweeper"))
    assert [one.win_before for one in review.moves] == [None, None]
    assert review.moves[1].words == "right guess, bad luck"
    assert (review.cost, review.luck, review.accuracy, review.turning_point) == (None, None, None, None)
    assert review.survival == pytest.approx(8 / 9 * 7 / 8)


def test_what_is_too_hard_is_said() -> None:
    layout = place_mines(Grid(16, 16), 40, Rng(3))
    cells = [cell for cell in range(layout.grid.size) if layout.clues[cell] in range(1, 9)]
    review = review_game(_played(layout, [Move.reveal(cell) for cell in cells[:60:3]]), cap=1)
    assert review.count(V.UNKNOWN) > 0
    assert all(one.win_before is None for one in review.moves if one.verdict is V.UNKNOWN)


@pytest.mark.full
def test_a_deep_review_has_more_exact_chances() -> None:
    board = read_board("5x5/4\n#####\n#####\n#####\n#####\n1####")
    best = win_chance(board, most_layouts=10**4, nodes=10**6).best
    assert best is not None
    lost = Update(((best.cell, bytes([Tile.EXPLODED])),), Status.LOST)
    record = _record_at(board, Move.reveal(best.cell), lost)
    quick, deep = review_game(record).moves[1], review_game(record, deep=True).moves[1]
    assert (quick.exact, deep.exact) == (False, True)
    assert deep.win_by_move == pytest.approx(best.win)


def _careless(seed: int) -> Record:
    """An Expert game of a player who takes what is safe, reveals something else now and then, and sets flags."""
    game, strategy, rng = new_game("expert", seed=seed), find_strategy("least-risk")(Rng(seed)), Rng(seed)
    played: list[TimedMove] = []
    while not game.board.status.ended:
        move = strategy.choose(game.board).move
        covered = list(game.board.covered)
        if played and rng.below(6) == 0:
            kind = Move.flag if rng.below(2) else Move.reveal
            move = kind(covered[rng.below(len(covered))])
        if game.board.is_legal(move):
            played.append(TimedMove(0, move, game.play(move)))
    return Record(rules=game.board.rules, grid=game.grid, mine_count=99, mines=game.layout.mines, played=tuple(played))


def test_verdicts_are_those_of_a_recomputation_by_the_reference() -> None:
    """Every risk as a fraction, every certain cell, from the reference's kernel for any grid, move by move."""
    seen: Counter[MoveVerdict] = Counter()
    for seed in range(4):
        record = _careless(seed)
        starts, cells = record.grid.table
        for one, before in zip(review_game(record).moves, record.boards(), strict=False):
            seen[one.verdict] += 1
            if before.protected or one.verdict is V.NOTHING:
                assert one.verdict in (V.FIRST, V.MARK, V.NOTHING)
                continue
            tiles = before.tiles.replace(bytes([Tile.FLAGGED]), bytes([Tile.COVERED]))
            found = _kernels.analyse_table(tiles, starts, cells, 99)
            cell = one.move.cell
            if one.move.action is Action.FLAG:
                assert one.verdict is (V.WRONG_FLAG if cell in found.safe else V.MARK)
                continue
            if one.move.action is Action.UNFLAG:
                assert one.verdict is V.MARK
                continue
            numerators = {at: group.numerator for group in found.groups for at in group.cells}
            certain = 0 if cell in found.safe else found.census
            risk = Fraction(numerators.get(cell, certain), found.census)
            assert one.risk == pytest.approx(float(risk), rel=1e-12)
            if risk == 0:
                assert one.verdict is V.SAFE
            elif risk == 1:
                assert one.verdict is V.CERTAIN_MINE
            elif found.safe:
                assert one.verdict is V.NEEDLESS_GUESS
            else:
                assert one.verdict in (V.RIGHT_GUESS, V.WRONG_GUESS)
            assert one.safe == (() if one.verdict in (V.SAFE, V.RIGHT_GUESS, V.WRONG_GUESS) else found.safe)
    assert all(seen[verdict] for verdict in (V.SAFE, V.NEEDLESS_GUESS, V.WRONG_FLAG, V.MARK, V.FIRST)), seen
    assert seen[V.RIGHT_GUESS] + seen[V.WRONG_GUESS]


def test_the_last_move_of_a_shortened_record_has_no_verdict() -> None:
    # 1-2-1: the cell under the 2 is safe, once all three are seen.
    layout = _layout("000 *0* 00*")
    whole = _played(layout, [Move.reveal(0), Move.reveal(1), Move.reveal(2), Move.reveal(4)])
    assert review_game(whole).moves[-1].verdict is V.SAFE
    short = whole.shortened(2)
    first, last = review_game(short).moves
    assert first == review_game(whole).moves[0]
    assert (last.verdict, last.survived, last.risk, last.win_before, last.win_after) == (
        V.UNKNOWN,
        True,
        None,
        None,
        None,
    )
    assert last.why == "the record leaves out 2 moves before it"
    assert [one.number for one in review_game(short).guesses] == [1]
    assert (review_game(short).count(V.UNKNOWN), review_game(short).too_hard) == (1, 0)
    lines = review_lines(review_game(short), everything=False)
    assert lines[-1] == "the last move is not judged: the record leaves out 2 moves before it"
    (only,) = review_game(whole.shortened(1)).moves  # not the first reveal, though the record begins with it
    assert only.verdict is V.UNKNOWN
    given_up = _played(layout, [Move.reveal(0), Move.reveal(1), Move.terminate()]).shortened(2)
    assert review_game(given_up).moves[-1].verdict is V.NOTHING


def test_guesses_without_a_known_risk_are_in_no_number_that_is_compared() -> None:
    game, cell = new_game("beginner", seed=0), 20
    played: list[TimedMove] = []
    while not game.status.ended:
        if game.board.tiles[cell] == Tile.COVERED:
            move = Move.reveal(cell)
            played.append(TimedMove(len(played), move, game.play(move)))
        cell = (cell + 5) % game.grid.size
    record = Record(rules=game.rules, grid=game.grid, mine_count=10, played=tuple(played))
    review = review_game(record, cap=5)
    assert [one.words for one in review.guesses] == ["needless guess, good luck"] * 2 + ["needless guess, lost"]
    assert [one.risk for one in review.guesses] == [None] * 3
    assert (review.without_risk, review.survived, review.expected_survived, review.survival) == (3, 0, None, None)
    (counts,) = [line for line in review_lines(review, everything=False) if line.startswith("3 needless")]
    assert counts == "3 needless guesses; 3 of unknown risk, not counted in what was survived"
    one = replace(review.moves[-1], number=9, risk=0.25, survived=True)
    mixed = replace(review, moves=(*review.moves, one))
    assert (mixed.without_risk, mixed.survived, mixed.expected_survived, mixed.survival) == (3, 1, 0.75, 0.75)
    none = replace(review, moves=review.moves[:1])
    assert (none.without_risk, none.survived, none.expected_survived, none.survival) == (0, 0, 0, 1)
