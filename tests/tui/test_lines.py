"""The line mode, through a pipe as a script has it, and command by command."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name, column_of
from sapper.core.notation import read_board, read_tiles, write_tiles
from sapper.core.rng import Rng
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.play import jobs
from sapper.session.events import Assistance
from sapper.solver.advisor import Advisor
from sapper.solver.strategies.registry import find_strategy
from sapper.store.models import Category
from sapper.store.repository import open_store
from sapper.tui.keeper import GameArchive
from sapper.tui.lines import (
    COMMANDS,
    LinePlayer,
    help_lines,
    said_around,
    said_changes,
    said_row,
    said_rows,
    said_state,
    tile_words,
)
from sapper.tui.local_play import LocalPlay, game_request
from sapper.tui.remote_play import RemoteSession
from tests.network import PATIENCE, PATIENT_SAPPER

PLAY = [*PATIENT_SAPPER, "play", "--lines"]


class Script:
    """A program that plays through the pipe."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*PLAY, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.greeting = self.answer()

    def answer(self) -> list[str]:
        assert self.process.stdout is not None
        lines: list[str] = []
        while line := self.process.stdout.readline().rstrip("\n"):
            lines.append(line)
        return lines

    def ask(self, line: str) -> list[str]:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.answer()

    def end(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return code


def test_a_script_wins_expert_with_the_solver(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    script = Script("--preset", "expert", "--no-guess", "--player", "ann", "--database", str(database))
    assert script.greeting[0] == "Expert, no guess: 30 columns, a to ad, 16 rows, 99 mines."
    answer = script.ask("reveal e5")
    moves = 1
    strategy = find_strategy("least-risk")(Rng(1))
    while not answer[-1].startswith("board shows the mines"):
        board = read_board("\n".join(script.ask("text")))
        move = strategy.choose(board).move
        answer = script.ask(f"{move.action.name.lower()} {cell_name(board.grid, move.cell)}")
        assert not answer[0].startswith("no command")
        moves += 1
        assert moves < 480
    assert answer[-4].startswith("You have won, after ")
    assert script.end() == 0
    with open_store(database) as store:
        (game,) = store.games()
        assert store.sessions() == []
    assert (game.result.value, game.face, game.player, game.kind.preset, game.kind.no_guess) == (
        "won", "tui", "ann", "expert", True,
    )  # fmt: skip
    assert game.category == 0
    assert game.clicks == moves


def test_a_game_is_gone_on_with_by_the_next(tmp_path: Path) -> None:
    options = ("--seed", "1", "--database", str(tmp_path / "games.db"))
    first = Script(*options)
    changed = first.ask("reveal e5")
    assert changed[0] == "43 cells changed."
    text = first.ask("text")
    assert first.end() == 0
    second = Script(*options)
    assert second.greeting[-1] == "There is 1 unfinished game: games lists them, resume goes on."
    assert second.ask("resume")[0] == "Beginner: 9 columns, a to i, 9 rows, 10 mines."
    assert second.ask("text") == text
    assert second.ask("undo")[0] == "43 cells changed."
    assert second.end() == 0


def test_a_game_whose_move_was_taken_back_is_given_up_in_the_store_too(tmp_path: Path) -> None:
    options = ("--database", str(tmp_path / "games.db"))
    first = Script(*options)
    for line in ("new beginner", "reveal c3", "undo"):
        first.ask(line)
    assert first.ask("save") == ["kept."]
    assert first.end() == 0
    second = Script(*options)
    assert second.ask("resume 1")[1].startswith("not begun; ")
    assert second.ask("giveup")[0].startswith("The game is given up")
    assert second.end() == 0
    with open_store(tmp_path / "games.db") as store:
        assert [(game.result.value, game.category) for game in store.games()] == [("terminated", Category.ASSISTED)]


def test_a_number_means_the_game_that_was_listed(tmp_path: Path) -> None:
    script = Script("--database", str(tmp_path / "games.db"))
    for line in ("reveal e5", "new intermediate", "reveal e5", "new expert", "reveal e5", "new beginner safe"):
        script.ask(line)
    listed = script.ask("games")
    assert [line[:4] for line in listed] == ["1: E", "2: I", "3: B"]
    # Each game that is gone on with becomes the one that was played last.
    assert script.ask("resume 3")[0].startswith("Beginner: ")
    assert script.ask("resume 3") == ["game 3 is the one that is played."]
    assert script.ask("resume 2")[0].startswith("Intermediate: ")
    assert script.ask("resume 1")[0].startswith("Expert: ")
    assert script.ask("resume 4") == ["say which game, from 1 to 3: games lists them."]
    assert script.end() == 2


def test_a_hint_counts_from_when_it_was_given(tmp_path: Path) -> None:
    script = Script("--database", str(tmp_path / "games.db"), "--player", "ann")
    script.ask("reveal e5")
    script.ask("hint")
    assert script.end() == 0
    with open_store(tmp_path / "games.db") as store:
        (game,) = store.games()
    assert (game.result.value, game.hints, game.category) == ("playing", 1, Category.ASSISTED)


def test_a_script_that_says_nonsense_is_told_by_the_exit_code(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PLAY, "--no-store"], input="jump c4\nC4\nreveal z99\nreveal\nrow 10\nundo\n# a comment\n", capture_output=True, text=True, check=False
    )  # fmt: skip
    answers = done.stdout.split("\n\n")[1:]
    assert done.returncode == 2
    assert [answer.splitlines()[0] for answer in answers if answer] == [
        "no command 'jump': help lists those there are.",
        "say what to do with c4: reveal c4, flag c4, chord c4, look c4.",
        "z99 is off the board: cells are a1 to i9.",
        "say which cell, as c4.",
        "say which row, from 1 to 9.",
        "no move to undo.",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--preset", "30x20"], "unknown preset '30x20'"),
        (["--preset", "9x9/81"], "has 1 to 72 mines by this start rule, not 81"),
        (
            ["--preset", "3x3/2", "--rules", "modern+start=open"],
            "a board of 3x3 has exactly 1 mine by this start rule, not 2",
        ),
        (["--code", "nonsense"], "not a code; a code looks like modern#9x9x10."),
        (["--code", "x", "--seed", "1"], "give no other option about it"),
        (["--preset", "exprt"], "unknown preset 'exprt'"),
    ],
)
def test_a_game_that_cannot_be(options: list[str], message: str) -> None:
    done = subprocess.run([*PLAY, "--no-store", *options], input="", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


# --- command by command --------------------------------------------------------------------------------------


class Listener:
    """What was said to each line."""

    def __init__(self, play: LocalPlay) -> None:
        self.said: list[str] = []
        self.player = LinePlayer(play, self.said.append)

    def __call__(self, line: str) -> list[str]:
        self.said.clear()
        self.player.do(line)
        assert not self.said or self.said.pop() == ""
        return list(self.said)


@pytest.fixture
def listener() -> Iterator[Listener]:
    archive = GameArchive(None, player="ann")
    play = LocalPlay(archive, new_seed=lambda: 1)
    play.new(game_request(seed=1))
    yield Listener(play)
    archive.close()


def test_a_hint_asks_who_advises(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Advisor] = []

    def noted(board: Board, advisor: Advisor) -> jobs.FoundHint:
        asked.append(advisor)
        return jobs.FoundHint((), False)

    monkeypatch.setattr(jobs, "hint", noted)
    listener.player.play.advisor = Advisor(strategy="playouts")
    assert listener("hint") == ["there is nothing that can be said"]
    assert asked == [Advisor(strategy="playouts")]


def test_moves_and_help(listener: Listener) -> None:
    assert listener("flag a1") == ["a1 has a flag."]
    assert listener("f a1 0,1") == ["a1 is covered.", "a2 has a flag."]
    assert listener("f a2") == ["a2 is covered."]
    listener("r e5")
    assert listener("look e5")[0] == "e5 is blank."
    assert listener("r e5") == ["e5 is revealed already."]
    assert listener("hint") == [
        "b3 says 1 and has only 1 covered neighbour left: c2 is a mine.",
        "c3 says 1 and its mine is c2: d2 is safe.",
    ]
    assert listener("guess") == ["No need to guess: a cell is safe."]
    assert listener("chances d2") == ["d2: 0.0 %."]
    assert listener("chances e5") == ["e5 is revealed."]
    chances = listener("chances")
    assert chances[0].startswith("chance to win ")
    assert chances[1].startswith("safe: c1, d2, ")
    assert chances[2].startswith("mines: ")
    assert "c2" in chances[2]
    assert chances[3].startswith("the least risk of the rest: ")
    assert listener("chances e4") == ["e4 is revealed."]
    assert listener.player.game.session.assistance.hints == 2
    assert listener.player.game.session.assistance.overlay
    assert listener("pause") == ["paused; the board is hidden."]
    for command in ("board", "row 5", "look e5", "text"):
        assert listener(command) == ["paused; the board is hidden: pause goes on."]
    (status,) = listener("status")
    assert re.fullmatch(r"paused; the board is hidden; 10 mines; \d+ seconds?\.", status)
    assert listener("hint") == ["the game is paused: go on first."]
    assert listener("pause") == ["going on."]
    assert listener("undo")[0] == "43 cells changed."
    assert listener("redo")[0] == "43 cells changed."
    assert listener.player.misunderstood == 0


def test_chances_of_a_board_that_is_too_large(listener: Listener) -> None:
    listener("new 101x100 1500")
    for command in ("chances", "chances a1"):
        assert listener(command) == ["chances are shown on boards of at most 10,000 cells; sapper analyse says them."]
    assert not listener.player.game.session.assistance.is_assisted


def test_kaboom_is_not_played(listener: Listener, capsys: pytest.CaptureFixture[str]) -> None:
    code = "modern#9x9x10.1.k.g1.559y"
    assert listener(f"new code {code}") == ["Kaboom is not played here."]
    assert main(["play", "--lines", "--no-store", "--code", code]) == ExitCode.USAGE
    assert "Kaboom is not played here" in capsys.readouterr().err


def test_a_loss_is_told_judged_and_undone(listener: Listener) -> None:
    listener("r e5")
    said = listener("r c2")
    assert said[0] == "c2 has an exploded mine."
    assert said[1].startswith("You have lost, after ")
    assert said[2].startswith("The last move, c2, was certain to meet a mine, and it was needless: ")
    assert said[3].startswith("Its code: modern#9x9x10.1")
    assert "exploded mine" in listener("row 2")[0]
    assert sum(line.count("mine") for line in listener("board")) >= 5
    assert listener("r d2") == ["the game is over: it was lost."]
    assert listener("undo") == ["c2 is covered."]
    assert listener("status")[0].startswith("playing; 10 mines, 0 flags")


def test_cells_that_a_loss_leaves_are_named_and_a_wrong_name_stops_all(listener: Listener) -> None:
    listener("r e5")
    assert listener("r c2 z9") == ["z9 is off the board: cells are a1 to i9."]
    assert listener.player.play.status is Status.PLAYING
    assert listener("r c2 d2 e2")[-1] == "not done: d2 e2."
    listener("undo")
    assert listener("f c2 a1 e5 b1")[1:] == ["a1 has a flag.", "e5 is revealed already.", "not done: b1."]


def test_a_new_game_is_taken_back_and_nothing_is_lost_unasked(listener: Listener) -> None:
    listener("r e5")
    assert listener("new expert")[0].startswith("this game would be lost")
    assert listener("new expert safe force") == ["Expert: 30 columns, a to ad, 16 rows, 99 mines."]
    assert listener("undo")[0].startswith("back to the game before: playing; 10 mines")
    assert listener("new 30x20 force")[0] == "say how many mines a board of 30x20 is to have."
    assert listener("new 12x7 20 any force") == ["12×7, 20 mines: 12 columns, a to l, 7 rows, 20 mines."]
    assert listener("new 7x12/20 force") == ["7×12, 20 mines: 7 columns, a to g, 12 rows, 20 mines."]
    assert listener("new 7x12/ force")[0].startswith("unknown preset '7x12/'; known are: ")
    assert listener("new nothing")[0].startswith("'nothing' is no word for a game")
    code = "modern#9x9x10.1.f4-4.g1"
    assert listener(f"new code {code}")[0].startswith("the check")
    assert listener("save") == ["there is nothing to keep: the game has not begun."]
    listener("r e5")
    assert listener("save") == ["not kept: there is no store."]
    assert listener("games") == ["no unfinished game."]
    assert listener("stats") == ["nothing is known."]


def test_every_command_is_in_the_help_and_every_name_is_one() -> None:
    names = [name for command in COMMANDS for name in command.names]
    assert len(set(names)) == len(names)
    archive = GameArchive(None, player="ann")
    text = list(help_lines(LocalPlay(archive)))
    archive.close()
    assert text[-2].endswith("leave; nothing is kept.")
    assert len(text) == len(COMMANDS) + 2
    assert all(any(line.startswith(command.names[0]) for line in text) for command in COMMANDS)


TEXT = "6x3/4\n.1#F?#\n112X!*\n######\n"


def _heard(line: str) -> dict[tuple[int, int], str]:
    """A row as a listener would write it down."""
    head, _, rest = line.removesuffix(".").partition(": ")
    y = int(head.removeprefix("row ")) - 1
    cells = {}
    for part in rest.split(", "):
        match = re.fullmatch(r"([a-z]+)(?: (?:to|and) ([a-z]+))? (.+)", part)
        assert match is not None
        for x in range(column_of(match[1]), column_of(match[2] or match[1]) + 1):
            cells[x, y] = match[3]
    return cells


def test_rows_say_every_cell() -> None:
    board = read_board(TEXT)
    heard = {cell: words for line in said_rows(board) for cell, words in _heard(line).items()}
    assert heard == {board.grid.xy(cell): tile_words(tile) for cell, tile in enumerate(board.tiles)}
    assert said_row(board, 0) == "row 1: a blank, b 1, c covered, d flag, e question mark, f covered."
    assert said_row(board, 2) == "row 3: a to f covered."


def test_every_tile_has_words_of_its_own() -> None:
    tiles = read_tiles(".12345678#F?*X!")
    assert len({tile_words(tile) for tile in tiles}) == len(write_tiles(tiles))


def test_few_changes_are_said_one_by_one_and_many_by_row() -> None:
    board = read_board(TEXT)
    few = Update(((Cell(1), board.tiles[1:4]),), Status.PLAYING)
    assert list(said_changes(board, few)) == ["b1 is 1.", "c1 is covered.", "d1 has a flag."]
    many = Update(((Cell(4), board.tiles[4:9]),), Status.PLAYING)
    assert list(said_changes(board, many)) == [
        "5 cells changed.", "row 1: e question mark, f covered.", "row 2: a and b 1, c 2.",
    ]  # fmt: skip


def test_the_neighbourhood_stays_on_the_board() -> None:
    board = read_board(TEXT)
    assert list(said_around(board, 0)) == ["a1 is blank.", "row 1: a blank, b 1.", "row 2: a and b 1."]
    assert list(said_around(board, 17))[1:] == ["row 2: e wrong flag, f mine.", "row 3: e and f covered."]


def test_the_state_counts_what_is_left() -> None:
    board = read_board("3x2/1\nFF#\n11#\n")
    session = RemoteSession(
        board=board, shown=board, assistance=Assistance(), is_paused=False, shows_chances=False, is_running=False, told=0
    )  # fmt: skip
    assert said_state(session, 61) == "playing; 1 mine, 2 flags, 1 flag too many; 3 safe cells to reveal; 61 seconds."
