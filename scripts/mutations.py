#!/usr/bin/env python3
"""Shows that the tests which docs/requirements.md names for a requirement fail when the requirement is broken.

    .venv/bin/python scripts/mutations.py              all rows: some ten minutes
    .venv/bin/python scripts/mutations.py "Key w" mines   some rows

Beside each row stands a small mutation of the source. It is made in a copy of the project, the row's tests are run there, and
one of them must fail. Exit code 1 if all of them pass under a mutation, or a row has none. This is not part of CI.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("src", "tests", "docs", "scripts", "bench", "README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "requirements.lock", "requirements-run.lock",
          "run.sh", "test.sh", "run_server.sh", "run_client.sh")  # fmt: skip
LONGEST = 600
"""Seconds for the tests of one row: a mutation may make a test wait forever, which is a failure too."""


class Mutation(NamedTuple):
    """A text of a source file that occurs in it once, and what it becomes."""

    rows: tuple[str, ...]
    path: str
    old: str
    new: str


def _m(rows: str, path: str, old: str, new: str) -> Mutation:
    return Mutation(tuple(rows.split("|")), path, old, new)


BOARD, REFEREE, GAME, CLICKS = "core/board.py", "game/referee.py", "game/game.py", "core/board.py"
LAYOUT, PACKETS, SEAT, KEYS = "game/layout.py", "net/packets.py", "net/seat.py", "terminal/keys.py"
FORMAL, MINESWEEPER, CASCADE = "formal/minesweeper.py", "formal/minesweeper.py", "_kernels/reference/cascade.py"
SCREEN, PRESET, CONNECT = "render/screen.py", "core/preset.py", "cli/connect.py"

_GO_ON = ("                self._status = Status.LOST\n                runs.append((cell, cell + 1))\n                break",
          "                self._status = Status.LOST\n                runs.append((cell, cell + 1))\n                continue")  # fmt: skip

MUTATIONS: tuple[Mutation, ...] = (
    # --- the Grid ---
    _m("53b0466c|174c1320|544f0ab3", LAYOUT, "return self.clues[self.grid.check(cell)] == _kernels.MINE_CLUE", "return self.clues[self.grid.check(cell)] == 1"),
    _m("e93d531d|34c19906", "core/grid.py", '(("width", width), ("height", height), ("size", width * height))', '(("width", height), ("height", width), ("size", width * height))'),
    _m("bab9887f", "core/notation.py", "told = int(header[3])", "told = int(header[3]) + 1"),
    _m("3452bee5", REFEREE, "                mine_count=self.mine_count,\n                tiles=bytes(self._tiles),", "                mine_count=max(0, self.mine_count - 1),\n                tiles=bytes(self._tiles),"),
    _m("22f16924|128fe573", BOARD, "return self.tiles.translate(_IS_REVEALED).count(1)", "return self.tiles.translate(_IS_REVEALED).count(1) + 1"),
    _m("ede4812f|361bd967", BOARD, "return self.tiles.translate(_IS_FLAGGED).count(1)", "return self.tiles.translate(_IS_FLAGGED).count(0)"),
    _m("cb6545f1|e789ed4e", REFEREE, "        if not self._status.ended:\n            raise AccessError", "        if self._status.ended and self._layout is None:\n            raise AccessError"),
    _m("b196dd53", BOARD, "if code > Tile.EIGHT:\n            x, y", "if code > Tile.COVERED:\n            x, y"),
    _m("7161862a|39ca2c9a", CLICKS, "return move if board.is_legal(move) else None\n\n\ndef right", "return move if board.is_legal(move) and board.revealed_count else None\n\n\ndef right"),
    _m("b9dd5682|85c38ac5", REFEREE, "self._status = Status.LOST", "self._status = Status.PLAYING"),
    _m("78c5c6b6", BOARD, "if code == _FLAGGED and not rules.click_reveals_flagged:", "if code == _FLAGGED and rules.click_reveals_flagged:"),
    _m("707ea419|961c88b1|5484072c", BOARD, "if flags != tiles[cell]:", "if flags == tiles[cell]:"),
    _m("7c0354cf|46675b82", BOARD, "    if status.ended:\n        return IllegalMoveError", "    if status is Status.WON:\n        return IllegalMoveError"),
    _m("2ab18af2|340c33a7", CLICKS, "else Move.unflag(cell)", "else Move.reveal(cell)"),
    _m("077c330a", CLICKS, "        move = Move.flag(cell)", "        move = Move.unflag(cell)"),
    _m("f003796c", BOARD, "    if code not in (_COVERED, _FLAGGED, _QUESTION):\n", "    if code not in (_COVERED, _FLAGGED, _QUESTION) and action is not Action.FLAG:\n"),
    _m("7293c5bc|b9c080c6", REFEREE, "                runs += self._cascade(layout, cell)", "                tiles[cell] = clue\n                self._revealed += 1\n                runs.append((cell, cell + 1))"),
    _m("de17fa41", REFEREE, "        clears = rules.cascade_clears_flags\n", "        clears = not rules.cascade_clears_flags\n"),
    # --- the other components ---
    _m("Component: Generator", "generator/uniform.py", "        marks[mine] = 1", "        marks[mine if mine else room - 1] = 1"),
    _m("Component: View", "core/notation.py", 'SYMBOLS = ".12345678#F?*X!"', 'SYMBOLS = ".12345678#F?X*!"'),
    _m("Component: Algorithm", "solver/strategies/registry.py", '{point.name: point for point in entry_points(group="sapper.strategies")}', '{point.name: point for point in entry_points(group="sapper.strategy")}'),
    _m("Component: Statistics", "store/statistics.py", "is_won = numbered.c.result == _WON", "is_won = numbered.c.result != _WON"),
    _m("Component: Configuration Manager", "config/configuration.py", "for layer in reversed(self.layers) if", "for layer in self.layers if"),
    _m("Component: Solver", "_kernels/reference/combine.py", "census = sum(map(mul, every, rest))", "census = sum(map(mul, every, rest)) + 1"),
    # --- the kata: its document is run as a whole ---
    _m("Scenario 1|Scenario 2|Scenario 3|Scenario 4|Scenario 5|Scenario 6|UAT 1.1|UAT 1.2|UAT 2.1|UAT 3.1|UAT 3.2|UAT 4.1|UAT 4.2|UAT 4.3|UAT 4.4|UAT 5.1|UAT 5.2|UAT 5.3", REFEREE, "self._status = Status.LOST", "self._status = Status.PLAYING"),
    _m("UAT 6.1|UAT 6.2|UAT 6.3|UAT 6.4|UAT 6.5|UAT 6.6|UAT 6.7|UAT 7.1|UAT 7.2|UAT 7.3|UAT 8.1|UAT 8.2|UAT 8.3|UAT 8.4|UAT 8.5|UAT 9.1|Example 1|Example 2|Example 3|Example 4|Example 5|Example 6|Example 7|Example 8|Example 9|Example 10|Example 11|Example 12", REFEREE, "Status.WON if self._is_won() else Status.PLAYING", "Status.PLAYING"),
    # --- client and server ---
    *(
        _m(f"Packet {name}", PACKETS, f"    {name} = {number}\n", f"    {name} = {number + 20}\n")
        for number, name in enumerate(("MOVE_LEFT", "MOVE_RIGHT", "MOVE_UP", "MOVE_DOWN", "REVEAL", "TOGGLE_BOMB_MARK", "START", "QUIT", "SCREEN_CONTENT", "TOGGLE_DEBUG_MODE"), 1)
    ),
    *(_m(f"Key {key}", KEYS, f'b"{key}": Key.', f'b"{other}": Key.') for key, other in (("w", "W"), ("a", "A"), ("s", "S"), ("d", "D"), ("#", "~"))),
    _m("Key X", KEYS, 'b"x": Key.QUIT', 'b"X": Key.REDRAW'),
    _m("Key TAB", KEYS, 'b"\\t": Key.NEW_GAME', 'b"\\t": Key.QUIT'),
    _m("Key SPACE", KEYS, 'b" ": Key.MARK', 'b" ": Key.REVEAL'),
    _m("Key RETURN", KEYS, 'b"\\r": Key.REVEAL', 'b"\\r": Key.MARK'),
    _m("General Requirements", PACKETS, "HEADER.pack(PacketType.SCREEN_CONTENT, len(content)) + content", "HEADER.pack(PacketType.SCREEN_CONTENT, len(content) + 1) + content"),
    _m("Client Requirements", KEYS, "Key.RIGHT: PacketType.MOVE_RIGHT", "Key.RIGHT: PacketType.MOVE_LEFT"),
    _m("Server Requirements", SEAT, "LONGEST_SIDE: Final = 255", "LONGEST_SIDE: Final = 100"),
    _m("Option --rows", CONNECT, 'ROWS = Number("the number of rows", LONGEST_SIDE)', 'ROWS = Number("the number of rows", 9 * LONGEST_SIDE)'),
    _m("Option --columns", CONNECT, 'COLUMNS = Number("the number of columns", LONGEST_SIDE)', 'COLUMNS = Number("the number of columns", 9 * LONGEST_SIDE)'),
    _m("Option --level", CONNECT, 'LEVEL = Number("the level", len(LEVELS))', 'LEVEL = Number("the level", 9 * len(LEVELS))'),
    _m("Option --help", CONNECT, "RETURN           reveal the cell", "RETURN           do something"),
    _m("Symbol B", SCREEN, 'MINE: Final[Look] = ("B",', 'MINE: Final[Look] = ("M",'),
    _m("Symbol ?", SCREEN, 'Tile.COVERED: ("?", ())', 'Tile.COVERED: ("#", ())'),
    _m("Symbol .", SCREEN, 'Tile.ZERO: (".", ())', 'Tile.ZERO: (" ", ())'),
    _m("Symbol <digit>", SCREEN, 'Tile.ONE: ("1",', 'Tile.ONE: ("I",'),
    _m("Level EASY|Level MEDIUM|Level HARD", PRESET, "(cells * percent + 50) // 100", "(cells * percent) // 100"),
    _m("Gameplay 1", REFEREE, "self._status = Status.LOST", "self._status = Status.PLAYING"),
    _m("Gameplay 2", REFEREE, "                tiles[cell] = clue\n", "                tiles[cell] = clue % 8 + 1\n"),
    _m("Gameplay 3", REFEREE, "grid.width, grid.height, rules.spread, clears", "grid.width, grid.height, 12 - rules.spread, clears"),
    _m("Gameplay revealed before", BOARD, "    if code not in (_COVERED, _FLAGGED, _QUESTION):\n", "    if code not in (_COVERED, _FLAGGED, _QUESTION) and action is not Action.REVEAL:\n"),
    _m("Gameplay win", REFEREE, "return CellSet.where(self._tiles.translate(_IS_FLAGGED)) == self._layout.mines", "return True"),
    _m("Gameplay end", BOARD, "    if status.ended:\n        return IllegalMoveError", "    if status is Status.LOST:\n        return IllegalMoveError"),
    # --- the formal specification ---
    _m("V.Game.at_most_one_uncovered_mine", REFEREE, *_GO_ON),
    _m("V.Game.loss_condition", REFEREE, "self._status = Status.LOST", "self._status = Status.PLAYING"),
    _m("V.Game.victory_condition", REFEREE, "return win is not Win.REVEALED and", "return win is Win.FLAGGED and"),
    _m("V.Game.only_one_uncompleted_game|start_game", MINESWEEPER, "if self._preset.rules.one_game and", "if not self._preset.rules.one_game and"),
    _m("V.Empty.revealed_empty_tile_reveals_adjacents", REFEREE, "        clears = rules.cascade_clears_flags\n", "        clears = False\n"),
    _m("mines", FORMAL, "return self._game.mine_count\n", "return self._game.mine_count * 10\n"),
    _m("flags", FORMAL, "return self._game.board.flag_count\n", "return -self._game.board.flag_count\n"),
    _m("is_adjacent", FORMAL, "return tile.game is self.game and ", "return "),
    _m("adjacent_mines", FORMAL, "return self.game.board.clue(self.cell)", "return self.game.board.tiles[self.cell]"),
    _m("terminate_game", MINESWEEPER, "        game.play(Move.terminate())\n", ""),
    _m("reveal", MINESWEEPER, "tile.game.play(Move.reveal(tile.cell))", "tile.game.play(Move.flag(tile.cell))"),
    _m("flag", MINESWEEPER, "tile.game.play(Move.flag(tile.cell))", "tile.game.play(Move.reveal(tile.cell))"),
    _m("remove_flag", MINESWEEPER, "tile.game.play(Move.unflag(tile.cell))", "tile.game.play(Move.reveal(tile.cell))"),
    _m("games_played", MINESWEEPER, "return self._counts.played\n", "return self._counts.played + 1\n"),
    _m("Wireframe", REFEREE, "Status.WON if self._is_won() else Status.PLAYING", "Status.PLAYING"),
    _m("games_won", MINESWEEPER, "return self._counts.won\n", "return self._counts.played\n"),
)  # fmt: skip


def rows_of_table() -> dict[str, tuple[str, ...]]:
    """The requirements of docs/requirements.md, each with its tests."""
    rows = {}
    for line in (ROOT / "docs/requirements.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            names, _, tests = line.strip("| ").split(" | ")
            for name in re.findall(r"`([^`]+)`", names):
                rows[name] = tuple(re.findall(r"`([^`]+)`", tests))
    return rows


def survives(copy: Path, mutation: Mutation, tests: tuple[str, ...]) -> bool:
    """Whether all the tests pass under a mutation."""
    path = copy / "src/sapper" / mutation.path
    text = path.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1 or mutation.old == mutation.new:
        raise SystemExit(f"{mutation.path}: not there once, or not changed: {mutation.old!r} (rows {mutation.rows})")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}
    # python of this checkout: its packages, and the copy's source before them
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    try:
        ended = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        path.write_text(text, encoding="utf-8")
    if ended.returncode not in (0, 1, 2) or (ended.returncode and not re.search(r"\d+ (failed|error)", ended.stdout)):
        raise SystemExit(f"pytest could not run {tests}:\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    return ended.returncode == 0


def main(wanted: list[str]) -> int:
    """Run the rows that are wanted, or all; the exit code."""
    table = rows_of_table()
    unknown = [name for one in MUTATIONS for name in one.rows if name not in table]
    bare = sorted(table.keys() - {name for one in MUTATIONS for name in one.rows})
    if unknown:
        raise SystemExit(f"no such rows: {unknown}")
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy2(source, copy / name)
        for mutation in MUTATIONS:
            by_tests: dict[tuple[str, ...], list[str]] = {}
            for name in mutation.rows:
                if not wanted or name in wanted:
                    by_tests.setdefault(table[name], []).append(name)
            for tests, names in by_tests.items():
                begin = time.monotonic()
                lives = survives(copy, mutation, tests)
                survivors += names if lives else []
                print(
                    f"{'SURVIVED' if lives else 'killed':8}  {time.monotonic() - begin:5.1f} s  {', '.join(names)}",
                    flush=True,
                )
    if bare and not wanted:
        print(f"without a mutation: {', '.join(bare)}")
    print(f"{len(survivors)} rows survived: {', '.join(survivors)}" if survivors else "every mutation was killed")
    return 1 if survivors or (bare and not wanted) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
