"""The smallest face that there can be: it says in words what happened. docs/recipes.md starts from it."""

from datetime import UTC, datetime

from sapper.core.cells import Cell
from sapper.play.events import Changed, GameEnded, GameEvent, Refused
from sapper.play.game_parts import GameOptions, new_parts
from sapper.play.played_game import Ask, PlayedGame
from sapper.play.ports import GamePorts, InlineJobs, NoSink
from sapper.session.game_request import coded_game
from sapper.session.inputs import Verb


class WordFace:
    """One game, told in words. Nothing is kept, and what takes thought is done on the spot."""

    def __init__(self) -> None:
        ports = GamePorts(jobs=InlineJobs(), sink=NoSink(), now=lambda: datetime.now(UTC))
        parts, options = new_parts(coded_game("beginner", seed=7)), GameOptions(face="words", keeps_log=False)
        self.game = PlayedGame(parts, key="a game", player="ann", ports=ports, options=options)

    def do(self, ask: Ask, cell: int = 0) -> list[str]:
        """Do something, and say what happened."""
        happened = self.game.do(ask, Cell(cell))
        assert happened.receipt is None, "what it stands for would have to be durable before anyone is told"
        return [_words(event) for event in happened.events]


def _words(event: GameEvent) -> str:
    match event:
        case Changed(what=what, update=update):
            return f"{what.value}: {sum(len(tiles) for _, tiles in update.runs)} cells"
        case GameEnded(metrics=metrics) if metrics is not None:
            return f"3BV {metrics.bbbv}"
        case Refused(error=error):
            return str(error)
        case _:
            return type(event).__name__


def test_a_face_translates_and_nothing_else() -> None:
    face = WordFace()
    assert face.do(Verb.LEFT, 40) == ["moved: 54 cells"]
    assert face.do(Verb.HINT) == ["hinted: 0 cells", "HintFound"]
    assert face.do(Verb.TERMINATE) == ["moved: 0 cells", "3BV 13", "Judged"]
