"""A fuzzer for the network: bytes and packets that nobody would send, at the parsers and at a running server.

    .venv/bin/python fuzz/network.py                 # a minute
    .venv/bin/python fuzz/network.py --seconds 3600 --seed 7

What must hold, always: the parsers give packets or `PacketError`, the same however the bytes are cut; the seat answers
every packet; the client's screen in memory takes any text and lets nothing through; and the server, whatever some
clients send it, goes on answering another one, which knows by heart what it has to answer. The first thing that does
not hold ends it with a traceback and the seed that brings it back.
"""

import argparse
import random
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sapper.errors import PacketError
from sapper.net.packets import FROM_CLIENT, FROM_SERVER, SIGNALS, PacketType, StartRequest, encode_screen
from sapper.net.protocol import Receiver
from sapper.net.seat import Seat, seat_ports
from sapper.play.played_game import PlayedGame
from sapper.play.ports import NoSink
from sapper.terminal.keys import KeyReader
from sapper.terminal.screen_buffer import ScreenBuffer
from sapper.terminal.viewport import Viewport
from tests.network import ServerProcess, Wire, served, start


def some_bytes(dice: random.Random) -> bytes:
    """What a client might send that does not keep to the protocol, but nearly."""
    pieces = []
    for _ in range(dice.randrange(1, 12)):
        kind = dice.randrange(6)
        if kind == 0:
            pieces.append(dice.randbytes(dice.randrange(1, 20)))
        elif kind == 1:
            pieces.append(bytes([7]) + dice.choice([0, 1, 2, 3, 3, 4, 255, 2**31, 2**32 - 1]).to_bytes(4))
        elif kind == 2:
            pieces.append(
                bytes([7, 0, 0, 0, 3, dice.choice([0, 1, 5, 30]), dice.choice([0, 1, 5, 30]), dice.randrange(6)])
            )
        else:
            pieces.append(bytes(dice.choices([1, 2, 3, 4, 5, 6, 10], k=dice.randrange(1, 30))))
    data = bytearray(b"".join(pieces))
    if dice.random() < 0.3:
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(data)


def cut(dice: random.Random, data: bytes) -> list[bytes]:
    """The same bytes in pieces."""
    cuts = sorted(dice.choices(range(len(data) + 1), k=dice.randrange(6)))
    return [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def received(pieces: list[bytes], accepts: frozenset[PacketType]) -> tuple[list[object], str | None]:
    """Packets, and the fault if there is one."""
    receiver = Receiver(accepts=accepts, max_payload=10_000)
    packets: list[object] = []
    try:
        for piece in pieces:
            receiver.feed(piece)
            packets += receiver.packets()
    except PacketError as error:
        return packets, str(error)
    return packets, None


def try_parsers(dice: random.Random) -> None:
    """Cut anywhere, the same packets and the same fault."""
    data = some_bytes(dice)
    if dice.random() < 0.3:
        data = encode_screen(dice.randbytes(dice.randrange(40))) + data
    accepts = dice.choice([FROM_CLIENT, FROM_SERVER])
    whole = received([data], accepts)
    assert received(cut(dice, data), accepts) == whole
    assert received([data[index : index + 1] for index in range(len(data))], accepts) == whole


def try_seat(dice: random.Random) -> None:
    """Every packet gets a screen that fits one packet, QUIT none."""
    ended: list[PlayedGame] = []
    seat = Seat(
        new_seed=lambda: dice.getrandbits(64), new_key=lambda: str(dice.getrandbits(64)), ports=seat_ports(NoSink()),
        on_end=ended.append,
    )  # fmt: skip
    for _ in range(60):
        if dice.random() < 0.1:
            packet: object = StartRequest(
                columns=dice.choice([0, 1, 7, 40]), rows=dice.choice([0, 1, 9, 30]), level=dice.randrange(5)
            )
        else:
            packet = SIGNALS[dice.choice([1, 2, 3, 4, 5, 6, 8, 10])]
        content = seat.answer(packet)  # type: ignore[arg-type]
        assert (content is None) == (packet == SIGNALS[8])
        if content is not None:
            screen = ScreenBuffer()
            screen.feed(content.decode())
            assert 3 <= screen.height <= 257
    assert len({one.key for one in ended}) == len(ended)
    assert all(one.referee.status.ended for one in ended)


def try_client(dice: random.Random) -> None:
    """Any text from a server, any key, any size of the terminal."""
    text = "".join(
        dice.choice(
            [
                "\x1b[",
                "\x1b]",
                "\x1b",
                ";",
                "H",
                "m",
                "J",
                "K",
                "\r\n",
                "\x9b",
                "38;5;",
                "A",
                "7",
                "99999999",
                "?",
                "ä",
                "漢",
            ]
        )
        for _ in range(dice.randrange(60))
    )
    screen = ScreenBuffer()
    for piece in cut(dice, text.encode()):
        screen.feed(piece.decode(errors="replace"))
    width, height = dice.randrange(1, 100), dice.randrange(1, 40)
    view = Viewport(
        columns=dice.randrange(1, 256), rows=dice.randrange(1, 256), help_line="help", colours=dice.random() < 0.5
    )
    frame = view.show(screen, width=width, height=height)
    assert len(frame.lines) <= height
    assert 0 <= frame.x < width
    assert 0 <= frame.y < height
    for line in frame.lines:
        bare = line.replace("\x1b[", "")
        assert all(character.isprintable() for character in bare), line
    keys = dice.randbytes(30)
    reader = KeyReader()
    assert [key for piece in cut(dice, keys) for key in reader.feed(piece)] == KeyReader().feed(keys)


class Witness:
    """A client that keeps to the protocol, and knows what it must get."""

    def __init__(self, port: int) -> None:
        self.wire = Wire(port)
        first = self.wire.ask(start(6, 4))
        self.pair = (self.wire.ask(2), first)
        self.turn = 0

    def check(self) -> None:
        """Step there and back."""
        assert self.wire.ask(1 + self.turn % 2) == self.pair[1 - self.turn % 2]
        self.turn += 1


def try_server(dice: random.Random, server: ServerProcess, witness: Witness) -> None:
    """A few clients that misbehave, each in its way; the witness notices nothing."""
    bad = [socket.create_connection(("127.0.0.1", server.port), timeout=30) for _ in range(dice.randrange(1, 6))]
    for sock in bad:
        try:
            for piece in cut(dice, some_bytes(dice)):
                sock.sendall(piece)
                if dice.random() < 0.2:
                    sock.settimeout(0.01)
                    sock.recv(dice.choice([1, 5, 1000]))
            if dice.random() < 0.3:
                sock.shutdown(socket.SHUT_WR)
        except (OSError, TimeoutError):
            continue  # the server has ended it, as it may
        witness.check()
    for sock in bad:
        if dice.random() < 0.5:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # an abortive close
        sock.close()
    witness.check()
    assert server.process.poll() is None


@contextmanager
def reproducible(seed: int, round_number: int) -> Iterator[random.Random]:
    """Dice for a round, and on a failure how to throw them again."""
    try:
        yield random.Random(f"{seed} {round_number}")
    except BaseException:
        print(f"round {round_number} of seed {seed} (--seed {seed} --first {round_number})", file=sys.stderr)
        raise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--first", type=int, default=0, help="the round to begin with")
    options = parser.parse_args()
    alone: tuple[Callable[[random.Random], None], ...] = (try_parsers, try_seat, try_client)
    ends = time.monotonic() + options.seconds
    number = options.first
    with served("--seed", "1") as server:
        witness = Witness(server.port)
        while time.monotonic() < ends:
            with reproducible(options.seed, number) as dice:
                for one in alone:
                    one(dice)
                try_server(dice, server, witness)
            number += 1
        witness.wire.sock.close()
        code = server.stop()
        bugs = [line for line in server.log if "error while answering" in line or "Traceback" in line]
    assert code == 0
    assert bugs == [], bugs[0]
    print(f"{number - options.first} rounds, seed {options.seed}: nothing found")


if __name__ == "__main__":
    main()
