"""Two worlds on the wire: while nobody could tell two layouts apart, every byte that a game's sockets are sent is the same."""

from typing import Any

from hypothesis import assume, given, settings, strategies as st

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.rng import Rng
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.play.game_parts import GameParts
from sapper.play.prepared_source import PreparedSource
from sapper.session.session import Session
from sapper.solver.advisor import ADVISORS
from sapper.web.games.messages import REQUESTS, CellRequest, HintRequest, ServerMessage, write_json
from tests.live_games import HandServices, new_live_game
from tests.registries import wanted
from tests.sessions import HandClock
from tests.worlds import other_worlds

GAME = wanted(width=6, height=5, mine_count=7, no_guess=True).game(3)
VERBS = sorted(REQUESTS)


class Wire:
    """Everything that a socket is sent."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def send(self, message: ServerMessage, /) -> None:
        self.texts.append(write_json(message).decode())


class World:
    """A live with a socket, and a layout."""

    def __init__(self, layout: Layout) -> None:
        source = PreparedSource(GAME, layout)
        self.referee = Referee(rules=GAME.rules, source=source)
        session = Session(self.referee, clock=lambda: 0, code=GAME.code, seed=GAME.seed)
        self.services, self.wire = HandServices(), Wire()
        parts = GameParts(source, session, self.referee)
        self.live = new_live_game(self.services, HandClock(), parts=parts)
        self.live.join(self.wire)

    @property
    def board(self) -> Board:
        return self.referee.board

    def do(self, verb: str, cell: int, number: int) -> None:
        kind, fields = REQUESTS[verb], dict[str, Any](id=number)
        if issubclass(kind, CellRequest):
            fields["cell"] = GAME.grid.xy(Cell(cell))
        if issubclass(kind, HintRequest):
            fields["strategy"] = ADVISORS[cell % len(ADVISORS)]
        fields |= {name: bool(cell % 2) for name in kind.__struct_fields__ if name not in {"id", "cell", *fields}}
        self.live.do(kind(**fields), self.wire)
        self.wire.send(self.live.state())


requests = st.tuples(st.sampled_from(VERBS + ["reveal", "left", "right"] * 8), st.integers(0, GAME.grid.size - 1))


@settings(max_examples=60)
@given(
    st.sets(st.integers(0, GAME.grid.size - 1), min_size=7, max_size=7),
    st.lists(requests, max_size=25),
    st.integers(0, 99),
)
def test_every_byte_is_the_same_while_no_player_could_tell(
    mines: set[int], script: list[tuple[str, int]], seed: int
) -> None:
    truth = _layout(mines)
    one = World(truth)
    boards = []
    for number, (verb, cell) in enumerate(script):
        one.do(verb, cell, number)
        if one.board.status.ended:
            break
        boards.append(one.board)
    assume(boards)
    other = next(other_worlds(boards[-1], truth, Rng(seed)), None)
    assume(other is not None)
    assert other is not None
    # What undo took back was seen all the same.
    assume(all(other.agrees_with(board) for board in boards))
    first, second = World(truth), World(other)
    for number, (verb, cell) in enumerate(script[: len(boards)]):
        first.do(verb, cell, number)
        second.do(verb, cell, number)
        assert first.wire.texts == second.wire.texts
        assert [job for job, _ in first.services.waiting] == [job for job, _ in second.services.waiting]


def _layout(mines: set[int]) -> Layout:
    return Layout(GAME.grid, CellSet.of(mines))


def test_the_test_can_fail() -> None:
    one, two = World(_layout({22, *range(6)})), World(_layout({22, *range(1, 7)}))
    for world in (one, two):
        world.do("reveal", 29, 1)
    assert one.wire.texts == two.wire.texts
    for world in (one, two):
        world.do("reveal", 0, 2)
    assert one.wire.texts != two.wire.texts


def test_after_the_end_everything_may_be_known() -> None:
    world = World(_layout({22, *range(6)}))
    world.do("reveal", 29, 1)
    world.do("reveal", 0, 2)
    assert any('"type":"end"' in text and '[1,"*****"]' in text for text in world.wire.texts)
