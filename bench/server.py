"""The game server under load, beside a bare asyncio echo server that sends answers of the same sizes.

    .venv/bin/python bench/server.py                     # all of it: some minutes
    .venv/bin/python bench/server.py --connections 500 --packets 20000 --million 100000
    .venv/bin/python bench/server.py --only starts      # a player beside connections that send nothing but START

Each client waits for its answer before it sends its next packet, so with N clients N packets are in flight. Rounds
with the game and with the echo alternate; ratios are medians over rounds of one run, with the least and the greatest. Only figures of one run compare.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import re
import resource
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from spread import spread

START = bytes([7, 0, 0, 0, 3])
SMALL = START + bytes([20, 10, 1])
MOVES = bytes([1, 2, 3, 4, 2, 4, 2, 4, 5, 6])
"""What players send between one START and the next: mostly steps, a reveal and a mark among ten."""
GAME_LENGTH = 25


class Player:
    """One client: a socket, its packets, and the answer it waits for."""

    __slots__ = ("got", "random", "sent_at", "sock", "turn", "want")

    def __init__(self, sock: socket.socket, seed: int) -> None:
        self.sock = sock
        self.random = random.Random(seed)
        self.turn = 0
        self.got = 0
        self.want = 0
        self.sent_at = 0.0

    def send(self) -> None:
        """Send the next packet."""
        packet = SMALL if self.turn % GAME_LENGTH == 0 else bytes([self.random.choice(MOVES)])
        self.turn += 1
        self.got = self.want = 0
        self.sent_at = time.perf_counter()
        self.sock.send(packet)

    def receive(self) -> int:
        """The size of the answer once it is whole, else 0."""
        data = self.sock.recv(65536)
        if not data:
            raise ConnectionError("a connection was dropped")
        if not self.got:
            self.want = 5 + int.from_bytes(data[1:5])
        self.got += len(data)
        return self.got if self.got >= self.want else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What one round of load measured."""

    rate: float
    """Packets a second."""
    p50: float
    p99: float
    cpu: float
    """Seconds of the server's CPU a packet."""
    sizes: Sequence[int]


def connect(port: int, count: int) -> list[Player]:
    players = []
    for number in range(count):
        sock = socket.create_connection(("127.0.0.1", port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        players.append(Player(sock, number))
    return players


def play(players: Sequence[Player], packets: int, pid: int) -> Round:
    """All players at once until so many packets are answered."""
    selector = selectors.DefaultSelector()
    for player in players:
        selector.register(player.sock, selectors.EVENT_READ, player)
    times: list[float] = []
    sizes: list[int] = []
    cpu, began = cpu_of(pid), time.perf_counter()
    for player in players:
        player.send()
    flying = len(players)
    while flying:
        for key, _ in selector.select():
            player = key.data
            size = player.receive()
            if size:
                times.append(time.perf_counter() - player.sent_at)
                sizes.append(size)
                if len(times) + flying <= packets:
                    player.send()
                else:
                    flying -= 1
    seconds = time.perf_counter() - began
    selector.close()
    times.sort()
    return Round(
        rate=len(times) / seconds,
        p50=times[len(times) // 2],
        p99=times[len(times) * 99 // 100],
        cpu=(cpu_of(pid) - cpu) / len(times),
        sizes=sizes,
    )


# --- the two servers --------------------------------------------------------------------------------


class Echo(asyncio.Protocol):
    """The least that asyncio can do: for each packet an answer of a given size."""

    answers: Iterator[bytes]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer."""
        self.transport.write(next(self.answers))


async def echo(sizes: Sequence[int]) -> None:
    def forever() -> Iterator[bytes]:
        made = [bytes([9]) + (size - 5).to_bytes(4) + bytes(size - 5) for size in sizes]
        while True:
            yield from made

    Echo.answers = forever()
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def echo_server(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Port and process id."""
    command = [sys.executable, __file__, "--echo"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(sizes) + "\n")
        process.stdin.flush()
        yield int(process.stdout.readline()), process.pid
        process.kill()


@contextmanager
def game_server() -> Iterator[tuple[int, int]]:
    """Port and process id."""
    command = [sys.executable, "-m", "sapper", "serve", "--port", "0", "--no-record"]
    environment = os.environ | {"SAPPER_SERVER_MAX_PER_ADDRESS": "0", "SAPPER_LOG_LEVEL": "warning"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        found = re.match(r"Serving on \S+:(\d+)\.", process.stdout.readline())
        assert found is not None
        yield int(found[1]), process.pid
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=10)


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


# --- what is measured ---------------------------------------------------------------------------------


def measure_load(connections: int, packets: int, rounds: int) -> dict[str, object]:
    with game_server() as (port, pid):
        before = memory_of(pid)
        players = connect(port, connections)
        first = play(players, max(packets // 4, 2 * connections), pid)
        per_connection = (memory_of(pid) - before) / connections
        with echo_server(first.sizes[-5000:]) as (echo_port, echo_pid):
            echoed = connect(echo_port, connections)
            play(echoed, 2 * connections, echo_pid)
            games, echoes = [], []
            for _ in range(rounds):
                games.append(play(players, packets, pid))
                echoes.append(play(echoed, packets, echo_pid))
        for player in (*players, *echoed):
            player.sock.close()
    pairs = list(zip(games, echoes, strict=True))
    return {
        "connections": connections,
        "answer bytes, mean": round(statistics.mean(games[-1].sizes)),
        "memory a connection, KB": round(per_connection / 1000, 1),
        "packets/s": round(statistics.median(one.rate for one in games)),
        "echo: packets/s": round(statistics.median(one.rate for one in echoes)),
        "of the echo's packets/s, by the clock": spread([game.rate / echo.rate for game, echo in pairs], 2),
        "times the echo's CPU a packet (less is better)": spread([game.cpu / echo.cpu for game, echo in pairs], 2),
        "server CPU a packet, µs": round(statistics.median(one.cpu for one in games) * 1e6, 1),
        "echo: CPU a packet, µs": round(statistics.median(one.cpu for one in echoes) * 1e6, 1),
        "p50, ms": round(statistics.median(one.p50 for one in games) * 1e3, 1),
        "echo: p50, ms": round(statistics.median(one.p50 for one in echoes) * 1e3, 1),
        "p99, ms": round(statistics.median(one.p99 for one in games) * 1e3, 1),
        "echo: p99, ms": round(statistics.median(one.p99 for one in echoes) * 1e3, 1),
    }


def measure_large() -> dict[str, object]:
    """Answer times of 255×255 boards, milliseconds."""
    found: dict[str, object] = {}

    def ask(sock: socket.socket, packet: bytes) -> float:
        began = time.perf_counter()
        sock.sendall(packet)
        data = sock.recv(5, socket.MSG_WAITALL)
        sock.recv(int.from_bytes(data[1:]), socket.MSG_WAITALL)
        return (time.perf_counter() - began) * 1e3

    with game_server() as (port, _), socket.create_connection(("127.0.0.1", port)) as sock:
        for level in (1, 2, 3):
            start = START + bytes([255, 255, level])
            pairs = [(ask(sock, start), ask(sock, b"\x02")) for _ in range(9)]
            starts, seconds = (sorted(times) for times in zip(*pairs, strict=True))
            moves = sorted(ask(sock, bytes([random.Random(turn).choice(MOVES)])) for turn in range(200))
            ask(sock, start)
            debugs = sorted(ask(sock, bytes([10])) for _ in range(11))
            found[f"255x255 level {level}, ms"] = ", ".join(
                f"{name} {value:.1f}"
                for name, value in (
                    ("START", starts[4]), ("a packet right behind it", seconds[4]), ("moves", moves[100]),
                    ("p99", moves[197]), ("all mines shown", debugs[5]),
                )
            )  # fmt: skip
    return found


def measure_seat() -> dict[str, object]:
    """The longest that one packet keeps the server on 255×255 boards: milliseconds of this process's CPU, without a socket."""
    from sapper._kernels import loading
    from sapper.net.packets import SIGNALS, PacketType, StartRequest, encode_screen
    from sapper.net.seat import Seat, seat_ports
    from sapper.play.ports import NoSink

    found: dict[str, object] = {}
    dice = random.Random(1)
    for half in ("native", "reference"):
        if half == "reference":
            loading.native = lambda _: None  # type: ignore[assignment]
        seat = Seat(new_seed=lambda: dice.getrandbits(64), new_key=str, ports=seat_ports(NoSink()))
        for level in (1, 2, 3):
            packets = {
                "START": StartRequest(columns=255, rows=255, level=level),
                "the first reveal": SIGNALS[PacketType.REVEAL],
            }
            most = dict.fromkeys(packets, 0.0)
            for turn in range(50):
                for name, packet in packets.items():
                    began = time.process_time()
                    content = seat.answer(packet)
                    assert content is not None
                    encode_screen(content)
                    if turn >= 10:  # modules are loaded by then
                        most[name] = max(most[name], (time.process_time() - began) * 1e3)
            found[f"255x255 level {level}, {half}, ms of CPU at most"] = ", ".join(
                f"{name} {value:.1f}" for name, value in most.items()
            )
    return found


def flood(port: int, count: int, start: bytes) -> None:
    """So many connections that send START after START, until somebody kills this process."""
    ahead = 16  # STARTs of each connection on their way at a time
    selector = selectors.DefaultSelector()
    for _ in range(count):
        sock = socket.create_connection(("127.0.0.1", port))
        sock.sendall(start * ahead)
        selector.register(sock, selectors.EVENT_READ, bytearray())
    print("flooding", flush=True)
    while True:
        for key, _ in selector.select():
            sock, waiting = key.fileobj, key.data
            assert isinstance(sock, socket.socket)
            waiting += sock.recv(1 << 20)
            answered = 0
            while len(waiting) >= 5 and len(waiting) >= (size := 5 + int.from_bytes(waiting[1:5])):
                del waiting[:size]
                answered += 1
            sock.sendall(start * answered)


FLOODS = {"20x10 level 1": (20, 10, 1), "49x50 level 3": (49, 50, 3), "255x255 level 3": (255, 255, 3)}
"""Boards that a flood asks for: the usual one, one of a middle size, the largest."""


def measure_starts(seconds: float) -> dict[str, object]:
    """Answer times of one player, who sends a packet every 10 ms, a START among 25, beside floods of START."""
    found: dict[str, object] = {}
    for name, size in FLOODS.items():
        for count in (0, 20, 100) if not found else (20, 100):
            with game_server() as (port, _):
                times, starts = _beside_flood(port, count, START + bytes(size), seconds)
            figures = ", ".join(
                f"{label} {times[min(len(times) - 1, int(len(times) * part))] * 1e3:.1f}"
                for label, part in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
            )
            own = f"own STARTs {statistics.median(starts) * 1e3:.1f}, at most {max(starts) * 1e3:.1f}"
            found[f"a player beside {count} connections that send START {name}, ms"] = f"{figures} ({own})"
    return found


def _beside_flood(port: int, count: int, start: bytes, seconds: float) -> tuple[list[float], list[float]]:
    """Answer times: of all packets, sorted; of the player's own STARTs."""
    command = [sys.executable, __file__, "--flood", str(port), str(count), start.hex()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "flooding\n"
        (player,) = connect(port, 1)
        times, starts = [], []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            player.send()
            while not player.receive():
                pass
            times.append(time.perf_counter() - player.sent_at)
            if player.turn % GAME_LENGTH == 1:
                starts.append(times[-1])
            time.sleep(0.01)
        player.sock.close()
        process.kill()
    return sorted(times), starts


def measure_growth(packets: int) -> dict[str, object]:
    """The server's memory after each tenth of the packets."""
    found = []
    with game_server() as (port, pid):
        players = connect(port, 50)
        for _ in range(10):
            play(players, packets // 10, pid)
            found.append(memory_of(pid) // 1000)
    return {"packets": packets, "memory after each tenth, KB": " ".join(map(str, found))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--packets", type=int, default=100_000, help="a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--million", type=int, default=1_000_000, help="packets of the memory test")
    parser.add_argument("--only", choices=("seat", "load", "large", "starts", "growth"))
    parser.add_argument("--seconds", type=float, default=10.0, help="of each flood of START")
    parser.add_argument("--flood", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--echo", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * options.connections + 200)), hard))
    if options.flood:
        flood(int(options.flood[0]), int(options.flood[1]), bytes.fromhex(options.flood[2]))
        return
    if options.echo:
        asyncio.run(echo(json.loads(sys.stdin.readline())))
        return
    print(f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}")
    if options.only in (None, "seat"):
        show(measure_seat())
    if options.only in (None, "load"):
        show(measure_load(options.connections, options.packets, options.rounds))
    if options.only in (None, "large"):
        show(measure_large())
    if options.only in (None, "starts"):
        show(measure_starts(options.seconds))
    if options.only in (None, "growth"):
        show(measure_growth(options.million))


def show(figures: dict[str, object]) -> None:
    for name, value in figures.items():
        print(f"{name}: {value}", flush=True)
    print()


if __name__ == "__main__":
    main()
