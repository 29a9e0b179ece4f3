"""A program of somebody who uses sapper as a library: it uses each public name, and passes strict type checkers.

`tests/test_init.py` runs it and compares what it uses with what there is; mypy checks it with the tests, basedpyright in `.ci/run`.
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace

import sapper


class Cautious:
    """A strategy of the consumer's own."""

    def __init__(self, rng: sapper.Rng) -> None:
        self.rng = rng

    def choose(self, board: sapper.Board) -> sapper.Choice:
        """The least risk."""
        found: sapper.Hint = sapper.hint(board, advisor=sapper.Advisor())
        move = found.move if found.move is not None else sapper.Move.reveal(next(iter(board.covered)))
        return sapper.Choice(move, "the hint says so", found.risk)


def play() -> sapper.Game:
    """A game by an own strategy, and what is seen of it on the way."""
    preset: sapper.Preset = sapper.find_preset("beginner")
    game: sapper.Game = sapper.new_game(preset, seed=7)
    strategy: sapper.Strategy = Cautious(sapper.Rng(1))
    played: list[sapper.TimedMove] = []
    while game.status in (sapper.Status.READY, sapper.Status.PLAYING):
        choice: sapper.Choice = strategy.choose(game.board)
        update: sapper.Update = game.play(choice.move)
        played.append(sapper.TimedMove(len(played), choice.move, update))
    record = sapper.Record(
        rules=game.rules, grid=game.grid, mine_count=game.mine_count, mines=game.layout.mines, played=tuple(played)
    )
    assert sapper.Record.from_json(record.to_json()) == record
    assert sapper.unpack_record(sapper.pack_record(record)) == record
    return game


def go_on() -> sapper.Session:
    """A game that is taken back, saved and loaded."""
    game: sapper.Session = sapper.new_game("9x9/10")
    game.reveal(40)
    game.undo()
    again = sapper.load_game(sapper.save_game(game))
    assert (again.board, again.record()) == (game.board, game.record())
    with contextlib.suppress(sapper.RecordError):
        sapper.load_game("{}")
    return again


def certify() -> None:
    """A layout without guesses, its proof, and a code."""
    spec = sapper.LayoutSpec(
        grid=sapper.Grid(9, 9), mine_count=10, start=sapper.Start.OPEN, first=sapper.Cell(20), no_guess=True
    )
    found = sapper.generate_layout(spec, 7, budget=sapper.Budget(tries=1000))
    assert found.certificate is not None
    proof: sapper.Certificate = sapper.read_certificate(sapper.certificate_data(found.certificate))
    assert sapper.verify_certificate(found.layout, found.first, proof)
    assert list(sapper.explain_certificate(found.layout, proof))
    coded: sapper.CodedGame = sapper.game_of_code("modern#30x16x99.4711.f3-3.g1.w7zs")
    assert coded.mine_count == 99
    assert sapper.wilson(50, 100)[0] < 0.5


def reason() -> None:
    """What can be known of a board."""
    board: sapper.Board = sapper.read_board("3x2/2\n###\n121")
    assert sapper.read_board(sapper.write_board(board)) == board
    assert sapper.read_cell(board.grid, "b1") == 1
    assert sapper.cell_name(board.grid, 1) == "b1"
    analysis: sapper.Analysis = sapper.analyse(board)
    chance: sapper.WinChance = sapper.win_chance(board)
    best: sapper.Candidate | None = chance.best
    assert chance.win is not None
    assert best is None or best.win is None or best.win <= 1 - best.risk + 1e-9
    whole: sapper.ExactValue = sapper.exact_value(4, 4, 3, sapper.Start.SAFE)
    assert whole.win.denominator <= whole.layouts
    steps: tuple[sapper.Step, ...] = sapper.next_safe(board)
    assert sapper.next_step(board) == steps
    assert steps[-1].technique is sapper.Technique.PATTERN
    step = sapper.ShownStep(clues=steps[-1].clues, safe=steps[-1].safe)
    picture: str = sapper.svg(board, safe=analysis.safe, overlays={sapper.Cell(3): sapper.Overlay.READ}, steps=[step])
    assert picture.startswith("<svg")
    assert board.tile(0) is sapper.Tile.COVERED


def lay_out() -> None:
    """Layouts by spec, drawn, given."""
    grid = sapper.Grid(9, 9, sapper.PLANE)
    topology: sapper.Topology = sapper.TORUS
    assert sapper.Grid(5, 5, topology).neighbours(0)
    spec = sapper.LayoutSpec(
        grid=grid,
        mine_count=10,
        start=sapper.Start.OPEN,
        first=grid.cell(2, 2),
        bbbv=sapper.Range(10, 80),
        no_guess=True,
        method=sapper.Method.REJECTION,
    )
    found: sapper.GeneratedLayout = sapper.generate_layout(spec, 1)
    numbers: sapper.LayoutMetrics = sapper.measure(found.layout)
    assert numbers.bbbv >= 10
    drawn: sapper.Layout = sapper.place_mines(sapper.Grid(5, 5), 4, sapper.Rng(3))
    (listed,) = sapper.read_board_list([sapper.write_game(drawn, 0)])
    source: sapper.LayoutSource = sapper.FixedLayout(listed.layout)
    rules: sapper.Rules = sapper.find_rules("classic")
    referee: sapper.Referee = sapper.Referee(rules=rules, source=source)
    assert referee.grid is drawn.grid
    assert sapper.new_referee("kata", seed=1).rules is sapper.RULES["kata"]
    other = sapper.Rules(win=sapper.Win.EITHER)
    game = sapper.Game(rules=other, source=sapper.UniformSource(grid, 10, 3, sapper.Start.ANY))
    assert game.play(sapper.Move(sapper.Action.FLAG, sapper.Cell(0))).runs
    assert sapper.CellSet.of([0]) == game.board.flagged


def err() -> list[type[sapper.SapperError]]:
    """Every error that is named, raised."""
    met: list[type[sapper.SapperError]] = []
    try:
        sapper.read_board("###")
    except sapper.NotationError as error:
        met.append(type(error))
    try:
        sapper.new_game("beginner", seed=7).unflag(0)
    except sapper.IllegalMoveError as error:
        met.append(type(error))
    try:
        print(sapper.new_game("beginner", seed=7).layout)
    except sapper.AccessError as error:
        met.append(type(error))
    try:
        sapper.Grid(2, 2).cell(5, 5)
    except sapper.CellError as error:
        met.append(type(error))
    try:
        sapper.analyse(sapper.read_board("2x1/0\n#1"))
    except sapper.ContradictionError as error:
        met.append(type(error))
    try:
        sapper.analyse(sapper.read_board("4x1/1\n##1#"), cap=1)
    except sapper.TooHardError as error:
        met.append(type(error))
    try:
        sapper.run_games(sapper.PRESETS["beginner"], "nobody", games=1, seed=1)
    except sapper.UnknownNameError as error:
        met.append(type(error))
    with contextlib.suppress(sapper.LayoutNotFoundError, sapper.StrategyError):
        sapper.find_preset("beginner")
    return met + kinds_of_err()


def kinds_of_err() -> list[type[sapper.SapperError]]:
    """The errors that docstrings name beside those, each raised where it is named."""
    met: list[type[sapper.SapperError]] = []
    board = sapper.read_board("2x1/1\n##")
    calls: list[tuple[type[sapper.SapperError], Callable[[], object]]] = [
        (sapper.AccessError, lambda: board.clue(0)),
        (sapper.InvalidValueError, lambda: sapper.Grid(0, 9)),
        (sapper.AccessError, lambda: sapper.new_game("beginner", seed=7).layout),
        (sapper.LayoutError, lambda: sapper.place_mines(board.grid, 3, sapper.Rng(1))),
        (sapper.InvalidValueError, lambda: sapper.svg(board, cell_size=0)),
        (sapper.RecordError, lambda: sapper.Record.from_json("{}")),
        (sapper.InvalidValueError, lambda: sapper.Rules(spread=5)),
        (sapper.InvalidValueError, lambda: sapper.Rng(-1)),
        (
            sapper.InvalidValueError,
            lambda: board.apply(sapper.Update(((sapper.Cell(9), b"\x00"),), sapper.Status.PLAYING)),
        ),
    ]
    for kind, call in calls:
        try:
            call()
        except kind as error:
            met.append(type(error))
    with contextlib.suppress(
        sapper.ArgumentError, sapper.NoSuchLayoutError, sapper.LayoutError, sapper.StrategyLoadError
    ):
        sapper.find_preset("beginner")
    return met


def judge(game: sapper.Game) -> list[sapper.MoveReview]:
    """A game of one guess, reviewed."""
    record = sapper.Record(rules=game.board.rules, grid=game.grid, mine_count=game.board.mine_count)
    move = sapper.Move.reveal(0)
    played = (sapper.TimedMove(0, move, game.play(move)),)
    ended = game.board.status.ended
    mines = game.layout.mines if ended else None
    review: sapper.GameReview = sapper.review_game(replace(record, played=played, mines=mines))
    return [one for one in review.moves if one.verdict is not sapper.MoveVerdict.NOTHING]


def main() -> None:
    """All of it, and many games."""
    print([one.words for one in judge(sapper.new_game("beginner", seed=1))])
    game = play()
    print(game)
    print(game.board)
    go_on()
    certify()
    reason()
    lay_out()
    print(len(err()))
    seen: list[sapper.SimulatedGame] = []
    summary: sapper.RunSummary = sapper.run_games(
        "beginner", Cautious, games=3, seed=1, native=False, on_played=seen.append
    )
    assert len(seen) == summary.games
    print(summary)


if __name__ == "__main__":
    main()
