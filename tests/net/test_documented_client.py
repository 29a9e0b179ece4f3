"""docs/protocol.md is true: its bytes are what is sent, its Python plays, and a client written from it alone can too."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper.net.packets import FORMS, FROM_CLIENT, PacketType, encode
from sapper.net.protocol import Receiver
from tests.documents import blocks
from tests.network import ServerProcess, Wire, served

DOCUMENT = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")
SEED = re.search(r"sapper serve --seed (\d+)", DOCUMENT)
assert SEED is not None


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    assert SEED is not None
    with served("--seed", SEED[1]) as process:
        yield process


def _examples() -> list[list[tuple[str, bytes]]]:
    """Each block of hexadecimal digits: who speaks, and what they say."""
    found = []
    for block in blocks(DOCUMENT):
        if block.language == "hex":
            said: list[tuple[str, bytes]] = []
            for line in block.text.splitlines():
                sign, digits = line[0], line[2:]
                if sign in "<>":
                    said.append((sign, bytes.fromhex(digits)))
                elif sign == " ":
                    said[-1] = (said[-1][0], said[-1][1] + bytes.fromhex(digits))
            found.append(said)
    return found


def test_the_table_is_the_program_s() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \| (\w+) \| (.*?) \|", DOCUMENT, re.MULTILINE)
    assert [(int(number), name) for number, name, _, _ in rows] == [(int(kind), kind.name) for kind in PacketType]
    for number, _, sender, payload in rows:
        form = FORMS[PacketType(int(number))]
        assert form.by_client == (sender == "client")
        assert (form.length == 0) == (payload == "none")


def test_each_packet_s_bytes_are_that_packet() -> None:
    packets, _ = _examples()
    assert {data[0] for _, data in packets} == {kind for kind, form in FORMS.items() if form.length != 0}
    for sign, data in packets:
        receiver = Receiver(accepts=FROM_CLIENT if sign == ">" else frozenset(FORMS) - FROM_CLIENT)
        receiver.feed(data)
        packet = receiver.next_packet()
        assert packet is not None
        assert encode(packet) == data
        assert receiver.pending == 0


def test_the_game_goes_byte_for_byte_as_shown() -> None:
    assert SEED is not None
    _, talk = _examples()
    assert len(talk) == 5
    with served("--seed", SEED[1]) as server, Wire(server.port) as wire:
        for sign, data in talk:
            if sign == ">":
                wire.sock.sendall(data)
            else:
                assert wire.take(len(data)) == data
        assert wire.is_closed()


def test_the_python_of_the_document_plays(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = [block.text for block in blocks(DOCUMENT) if block.language == "python"]
    names: dict[str, object] = {}
    exec(code, names)
    keys = iter(["m", "d", "nonsense", "m", "x"])
    monkeypatch.setattr("builtins.input", lambda _: next(keys))
    play = names["play"]
    assert callable(play)
    play("127.0.0.1", server.port, 4, 3, 3)
    screens = capsys.readouterr().out.split("\x1b[2J\x1b[H")[1:]
    assert len(screens) == 4
    assert "marked 2." in screens[-1]


class Author:
    """The seed's author's own way: the whole answer with as few reads as it has parts, and no loop."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=60)

    def send(self, packet: bytes) -> str:
        self.sock.sendall(packet)
        assert self.sock.recv(1) == b"\x09"
        length = int.from_bytes(self.sock.recv(4), "big")
        content = self.sock.recv(length)
        assert len(content) == length
        return content.decode("utf-8")

    def new_game(self) -> socket.socket:
        """Another connection; the first is forgotten, not closed."""
        forgotten = self.sock
        self.sock = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return forgotten


def test_a_client_that_reads_each_answer_once_can_play(server: ServerProcess) -> None:
    author = Author(server.port)
    start = bytes([7, 0, 0, 0, 3, 20, 10, 1])
    forgotten = []
    for _ in range(3):
        assert "?" * 19 in author.send(start)
        for packet in [2, 2, 4, 6, 1, 3, 10, 10, 5] * 20:
            assert author.send(bytes([packet])).startswith("\x1b[2J\x1b[H")
        forgotten.append(author.new_game())
    assert "No game yet" in author.send(b"\x01")
    author.sock.sendall(b"\x08")
    assert author.sock.recv(1) == b""
    for sock in (*forgotten, author.sock):
        sock.close()
