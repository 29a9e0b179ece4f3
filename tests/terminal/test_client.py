"""The client in a real terminal, against a real server: whole games, sizes, signals, servers that go."""

import re
import signal
import socket
import threading
from collections.abc import Iterator, Mapping

import pyte
import pytest

from sapper.errors import UnavailableError
from sapper.net.packets import StartRequest
from sapper.terminal.client import Client
from tests.network import ServerProcess, TerminalProcess, mines_of, playing, served

SEED = 4242
SIZE = ("-c", "8", "-r", "6", "-l", "2")


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    with served("--seed", str(SEED)) as process:
        yield process


def _go(player: TerminalProcess, cell: int, columns: int = 8) -> None:
    x, y = player.screen.cursor.x, player.screen.cursor.y
    to_y, to_x = divmod(cell, columns)
    player.type("a" * (x - to_x) + "D" * (to_x - x) + "w" * (y - to_y) + "\x1b[B" * (to_y - y))
    player.wait_for_cursor(to_x, to_y)


def _wait_for(player: TerminalProcess, text: str, cell: int = 0, columns: int = 8) -> None:
    """Wait for a text, and for the cursor's place, which is written last: then all of the screen is there."""
    player.wait_for(text)
    y, x = divmod(cell, columns)
    player.wait_for_cursor(x, y)


def _is_restored(player: TerminalProcess) -> bool:
    return player.modes_now() == player.modes and b"\x1b[?1049l" in player.written


def test_a_whole_game_to_victory_and_another(server: ServerProcess) -> None:
    with playing(server.port, *SIZE) as player:
        _wait_for(player, "Mines 12, marked 0.")
        assert [line[:8] for line in player.lines[:6]] == ["????????"] * 6
        for number, mine in enumerate(sorted(mines_of(SEED, 8, 6, 2))):
            _go(player, mine)
            player.type(" ")
            _wait_for(player, f"marked {number + 1}.", mine)
        player.wait_for("YOU WON")
        player.type("\t")
        _wait_for(player, "marked 0.")
        assert [line[:8] for line in player.lines[:6]] == ["????????"] * 6
        player.type("X")
        assert player.end() == 0
        assert _is_restored(player)
    server.wait_for("reason=quit")


def test_a_whole_game_to_loss(server: ServerProcess) -> None:
    mines = sorted(mines_of(SEED, 8, 6, 2))
    with playing(server.port, *SIZE) as player:
        _wait_for(player, "marked 0.")
        _go(player, mines[1])
        player.type(" ")
        _wait_for(player, "marked 1.", mines[1])
        _go(player, mines[0])
        player.type("\r")
        _wait_for(player, "YOU LOST", mines[0])
        shown = "".join(line[:8] for line in player.lines[:6])
        assert {cell: sign for cell, sign in enumerate(shown) if sign != "?"} == {
            **dict.fromkeys(mines, "B"), mines[0]: "X", mines[1]: "M",
        }  # fmt: skip
        player.type("x")
        assert player.end() == 0
        # The shell's screen is back, and how the game ended stays on it.
        assert _is_restored(player)
        left = player.written.rpartition(b"\x1b[?1049l")[2].decode()
        assert [line[:8] for line in re.sub(r"\x1b\[[0-9;]*m", "", left).split("\r\n")][:7] == [
            *(shown[8 * y : 8 * y + 8] for y in range(6)),
            "Mines 12",
        ]
        assert "YOU LOST: X mine you hit" in left


def test_debug_mode_and_colours(server: ServerProcess) -> None:
    with playing(server.port, *SIZE) as player:
        player.wait_for("marked 0.")
        player.type("#")
        _wait_for(player, "DEBUG MODE")
        first = min(cell for cell in mines_of(SEED, 8, 6, 2) if cell)
        assert player.screen.buffer[first // 8][first % 8].fg == "red"
        player.type("x")
        assert player.end() == 0


def test_without_colours_there_are_none(server: ServerProcess) -> None:
    with playing(server.port, *SIZE, environment={"NO_COLOR": "1"}) as player:
        player.wait_for("marked 0.")
        player.type("#")
        _wait_for(player, "DEBUG MODE")
        assert {cell.fg for row in player.screen.buffer.values() for cell in row.values()} == {"default"}
        assert player.screen.buffer[0][0].reverse
        player.type("x")
        assert player.end() == 0
        assert not re.search(rb"\x1b\[[0-9;]*\b[34][0-7]\b[0-9;]*m", player.written)


def test_what_was_not_given_is_asked_for(server: ServerProcess) -> None:
    with playing(server.port, "-l", "1") as player:
        player.wait_for("Columns (1-255) [20]:")
        player.type("256\r")
        player.wait_for("the number of columns is a number from 1 to 255, not '256'.")
        player.type("5\r")
        player.wait_for("Rows (1-255) [10]:")
        player.type("many\r")
        player.wait_for("not 'many'.")
        player.type("\r")
        player.wait_for("5 x 10, level 1 (easy).")
        player.type("x")
        assert player.end() == 0


def test_the_largest_board_scrolls_and_a_resize_shows_more(server: ServerProcess) -> None:
    with playing(server.port, "-c", "255", "-r", "255", "-l", "1") as player:
        player.wait_for("255 x 255")
        player.type("d" * 120 + "s" * 60)
        player.wait_until(
            lambda: any(re.match(r" 60 \S", line) for line in player.lines) and _reversed_row(player) == " 60"
        )
        assert player.lines[0].split()[-1] == "120"
        assert player.lines[-3].startswith("Mines 3251,")
        player.resize(120, 40)
        player.wait_until(lambda: player.lines[-3].startswith("Mines 3251,") and len(player.lines[5].strip()) > 100)
        player.type("a")
        player.wait_until(lambda: "119" in player.lines[0].split())
        player.type("x")
        assert player.end() == 0
        assert _is_restored(player)


def _reversed_row(player: TerminalProcess) -> str:
    """The mark of the row that the cursor is in."""
    buffer: Mapping[int, Mapping[int, pyte.screens.Char]] = player.screen.buffer
    for row in range(1, player.screen.lines):
        if buffer[row][1].reverse:
            return "".join(buffer[row][column].data for column in range(3))
    return ""


def test_a_server_that_ends_is_one_clear_line(server: ServerProcess) -> None:
    with playing(server.port, *SIZE) as player:
        player.wait_for("marked 0.")
        assert server.stop() == 0
        assert player.end() == 1
        assert _is_restored(player)
        player.wait_for("ended the connection (it said: Goodbye: server")
        assert b"Traceback" not in player.written


def test_a_server_that_is_killed_is_one_clear_line(server: ServerProcess) -> None:
    with playing(server.port, *SIZE) as player:
        player.wait_for("marked 0.")
        server.stop(signal.SIGKILL)
        assert player.end() == 1
        assert _is_restored(player)
        player.wait_for(f"sapper: 127.0.0.1:{server.port} ended the connection")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_game_in_order(server: ServerProcess, number: signal.Signals) -> None:
    with playing(server.port, *SIZE) as player:
        player.wait_for("marked 0.")
        player.process.send_signal(number)
        assert player.end() == 1
        assert _is_restored(player)
    server.wait_for("reason=quit")


def test_nobody_there_is_one_clear_line() -> None:
    # Nobody listens, and nobody else can have the port meanwhile.
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with playing(port, *SIZE) as player:
            assert player.end() == 1
            player.wait_for(f"sapper: cannot connect to 127.0.0.1:{port}: Connection refused")
            assert player.modes_now() == player.modes


def _answering(answer: bytes) -> int:
    """The port of a server that says this to the first client, whatever it sends, and stays."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with listener, listener.accept()[0] as client:
            client.recv(100)
            client.sendall(answer)
            while client.recv(100):
                pass

    threading.Thread(target=run, daemon=True).start()
    port: int = listener.getsockname()[1]
    return port


def test_a_server_that_speaks_something_else_is_one_clear_line() -> None:
    with playing(_answering(b"HTTP/1.1 400 Bad Request\r\n"), *SIZE) as player:
        assert player.end() == 1
        player.wait_for("does not keep to the protocol: packet type 72")
        assert _is_restored(player)


def test_a_server_that_takes_long_is_said_to_and_can_be_left() -> None:
    with playing(_answering(b""), *SIZE, columns=40) as player:
        player.wait_for("no answer for 2 s")
        player.wait_for("X quits")
        player.wait_for("no answer for 3 s")
        player.type("x")
        assert player.end() == 0
        assert _is_restored(player)


def test_a_bare_line_feed_begins_a_line_and_a_dumb_terminal_gets_no_colours() -> None:
    content = "\x1b[2J\x1b[H\x1b[31m?B?\x1b[m\n?1?\nmines 1\n\x1b[1;2H"
    packet = bytes([9]) + len(content).to_bytes(4) + content.encode()
    with playing(
        _answering(packet), "-c", "3", "-r", "2", "-l", "1", columns=40, environment={"TERM": "dumb"}
    ) as player:
        player.wait_for("X quits")
        assert [line.rstrip() for line in player.lines[:3]] == ["?B?", "?1?", "mines 1"]
        assert {cell.fg for row in player.screen.buffer.values() for cell in row.values()} == {"default"}
        player.type("X")
        assert player.end() == 0


def test_another_server_s_screens_are_shown_and_cannot_harm_the_terminal() -> None:
    content = "\x1b[2J\x1b[H\x1b]0;stolen title\x07Board:\r\n\x1b[31m?.?\x1b[m\x9b5n\x1b[6n"
    packet = bytes([9]) + len(content.encode()).to_bytes(4) + content.encode()
    with playing(_answering(packet), *SIZE) as player:
        player.wait_for("Board:")
        player.wait_until(lambda: player.lines[1].startswith("?.?\N{REPLACEMENT CHARACTER}5n"))
        assert b"stolen" not in player.written
        player.type("X")
        assert player.end() == 0


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "x" * 70])
def test_hosts_that_are_none(host: str) -> None:
    with pytest.raises(UnavailableError, match="cannot connect to "):
        Client(host, 9999, StartRequest(columns=1, rows=1, level=1))


def test_a_server_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(address: object, timeout: float) -> socket.socket:
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(UnavailableError, match=r"no answer from \[::1\]:9999 within 10 seconds"):
        Client("::1", 9999, StartRequest(columns=1, rows=1, level=1))
