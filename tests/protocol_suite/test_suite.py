"""The conformance check: ours keep the protocol, and each fault of another is found at its point."""

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sapper.core.rng import Rng
from sapper.errors import PacketError
from sapper.net.packets import FROM_CLIENT, Packet, PacketType, ScreenContent, StartRequest, encode_screen
from sapper.net.protocol import Receiver
from sapper.net.seat import Seat, seat_ports
from sapper.play.ports import NoSink
from tests.documents import blocks
from tests.network import served
from tests.protocol_suite import client, server
from tests.protocol_suite.__main__ import main
from tests.protocol_suite.points import PointVerdict

Change = Callable[[Packet, bytes], bytes]
"""What a faulty server sends instead of an answer."""


def test_our_server_and_our_client_keep_it(capsys: pytest.CaptureFixture[str]) -> None:
    with served() as process:
        assert main(["server", "--port", str(process.port)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(server.POINTS)} ok"
    size = ("-c", "20", "-r", "10", "-l", "1")
    command = [sys.executable, "-m", "sapper", "connect", "{host}", "--port", "{port}", *size]
    assert main(["client", "--patience", "60", "--", *command]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(client.POINTS)} ok"


@contextmanager
def _faulty(change: Change, taken: Callable[[Packet], Packet]) -> Iterator[int]:
    """The port of a server that keeps the protocol but for its answers, which `change` makes of the right ones."""
    rng = Rng(3)

    def serve(sock: socket.socket) -> None:
        seat = Seat(new_seed=rng.next, new_key=lambda: "game", ports=seat_ports(NoSink()))
        receiver = Receiver(accepts=FROM_CLIENT)
        with sock:
            try:
                while data := sock.recv(65536):
                    receiver.feed(data)
                    for packet in receiver.packets():
                        asked = taken(packet)
                        assert not isinstance(asked, ScreenContent)
                        content = seat.answer(asked)
                        sock.sendall(change(packet, b"" if content is None else encode_screen(content)))
                        if packet.type is PacketType.QUIT:
                            return
            except (OSError, PacketError):
                return

    def accept() -> None:
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(sock,), daemon=True).start()

    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


def _verdicts(port: int, names: set[str]) -> dict[str, tuple[PointVerdict, str]]:
    return {
        one.name: one.verdict(server.connected("127.0.0.1", port, 60.0)) for one in server.POINTS if one.name in names
    }


def _board_changed(change: Callable[[bytes], bytes]) -> Change:
    """The text of the answers changed, where that leaves its length."""
    return lambda _, answer: answer[:5] + change(answer[5:])


def _hardest(packet: Packet) -> Packet:
    possible = isinstance(packet, StartRequest) and packet.level in (1, 2)
    return (
        StartRequest(columns=packet.columns, rows=packet.rows, level=3)
        if possible and isinstance(packet, StartRequest)
        else packet
    )


def _as_sent(packet: Packet) -> Packet:
    return packet


@pytest.mark.parametrize(
    ("change", "taken", "wrong"),
    [
        (lambda packet, answer: answer * (2 if packet.type is PacketType.TOGGLE_BOMB_MARK else 1), _as_sent, {"answers"}),
        (lambda packet, answer: answer or encode_screen(b"bye"), _as_sent, {"answers", "quitting"}),
        (lambda _, answer: answer[:1] + answer[1:5][::-1] + answer[5:], _as_sent, {"answers", "pieces", "sizes", "debug"}),
        (_board_changed(lambda text: text.replace(b"M", b"B")), _as_sent, {"loss"}),
        (_board_changed(lambda text: text.replace(b".", b" ")), _as_sent, {"blank"}),
        (_board_changed(lambda text: text.replace(b"F", b"?")), _as_sent, {"mark"}),
        (lambda _, answer: answer, _hardest, {"levels"}),
    ],
)  # fmt: skip
def test_a_fault_of_a_server_is_found(change: Change, taken: Callable[[Packet], Packet], wrong: set[str]) -> None:
    with _faulty(change, taken) as port:
        found = _verdicts(port, wrong | {"many"})
    assert {name for name in wrong if found[name][0] is PointVerdict.BROKEN} == wrong
    assert all(found[name][1] for name in wrong)


def test_nobody_there_and_no_mines_to_see(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        why = f"cannot connect to 127.0.0.1:{port}: Connection refused"
        assert _verdicts(port, {"answers"}) == {"answers": (PointVerdict.NOT_TESTED, why)}
        # The command says so once, and judges nothing.
        assert main(["server", "--port", str(port)]) == 1
        assert capsys.readouterr() == ("", f"sapper: {why}\n")
    with _faulty(_board_changed(lambda text: text.replace(b"B", b"?")), _as_sent) as port:
        assert _verdicts(port, {"clue"})["clue"][0] is PointVerdict.NOT_TESTED


def test_a_client_that_reads_lines_is_found_out(tmp_path: Path) -> None:
    document = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")
    (code,) = [block.text for block in blocks(document) if block.language == "python"]
    (tmp_path / "client.py").write_text(f"{code}\nimport sys\nplay(sys.argv[1], int(sys.argv[2]))\n", encoding="utf-8")
    command = (sys.executable, str(tmp_path / "client.py"), "{host}", "{port}")
    start = StartRequest(columns=20, rows=10, level=1)
    points = {one.name: one for one in client.POINTS}
    assert points["start"].verdict(client.running(command, start, 60.0)) == (PointVerdict.KEPT, "")
    raw = points["raw"].verdict(client.running(command, start, 60.0))
    assert raw == (PointVerdict.BROKEN, "a line is waited for, and not a key")
    # Without RETURN it sends nothing, however long it is waited for.
    assert points["keys"].verdict(client.running(command, start, 1.0))[0] is PointVerdict.BROKEN


def test_without_a_side_the_help_is_shown_and_a_wrong_one_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2  # nothing was tested
    out, err = capsys.readouterr()
    assert "server" in out
    assert "client" in out
    assert not err
    with pytest.raises(SystemExit, match="2"):
        main(["sever"])
    err = capsys.readouterr().err
    assert err.startswith("sapper: argument side: invalid choice: 'sever'")
    assert err.count("\n") == 1
