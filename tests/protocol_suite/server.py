"""A model client that asks a server for everything that the protocol says, and tells what it does otherwise.

The layout of a game is learnt from the server itself, by its debug mode; from then on the model knows what every answer has to show. Where
the board is on the screen is found, not presumed.
"""

import contextlib
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final

from sapper.core.grid import Grid
from sapper.core.preset import percent_of_mines
from sapper.net.packets import FROM_SERVER, PacketType, ScreenContent, StartRequest, encode
from sapper.net.protocol import Receiver
from sapper.net.seat import LEVELS
from sapper.terminal.client import reach
from sapper.terminal.screen_buffer import ScreenBuffer
from tests.protocol_suite.points import Deviation, NotTested, Points

LEFT, RIGHT, UP, DOWN, REVEAL, MARK, QUIT, DEBUG = (bytes([number]) for number in (1, 2, 3, 4, 5, 6, 8, 10))
COVERED: Final = "?"
BLANK: Final = "."
BOMB: Final = "B"


def start(columns: int, rows: int, level: int) -> bytes:
    """START."""
    return encode(StartRequest(columns=columns, rows=rows, level=level))


class ModelClient:
    """A connection, and what its game shows."""

    def __init__(self, sock: socket.socket, another: Callable[[], AbstractContextManager["ModelClient"]]) -> None:
        self.sock = sock
        self.another = another
        """A second connection to the same server."""
        self._receiver = Receiver(accepts=FROM_SERVER)
        self.content = ""
        """The last answer."""
        self._place = (0, 0, 1)
        """Column and row of the board's first cell on the screen, and columns from one cell to the next."""
        self.grid = Grid(1, 1)

    def send(self, packets: bytes) -> None:
        """Send, and wait for nothing."""
        self.sock.sendall(packets)

    def answer(self) -> str:
        """The next screen."""
        while (packet := self._receiver.next_packet()) is None:
            data = self.sock.recv(65536)
            if not data:
                raise Deviation("the server closed the connection instead of answering")
            self._receiver.feed(data)
        assert isinstance(packet, ScreenContent)
        self.content = packet.content
        return self.content

    def ask(self, packet: bytes) -> str:
        """Send a packet and take its answer."""
        self.send(packet)
        return self.answer()

    def is_closed(self) -> bool:
        """Whether the server closes now, without another byte."""
        try:
            return not self._receiver.pending and self.sock.recv(65536) == b""
        except ConnectionError:
            return True

    def begin(self, columns: int = 8, rows: int = 6, level: int = 2) -> None:
        """A new game, and where its board is on the screen."""
        self.grid = Grid(columns, rows)
        self.ask(start(columns, rows, level))
        lines = self._lines()
        for step in (1, 2):
            wanted = " ".join(COVERED * columns) if step == 2 else COVERED * columns
            for y in range(len(lines) - rows + 1):
                x = lines[y].find(wanted)
                if x >= 0 and all(line[x : x + len(wanted)] == wanted for line in lines[y : y + rows]):
                    self._place = (x, y, step)
                    return
        raise Deviation(
            f"no {rows} rows of {columns} covered cells ({COVERED}) on the screen after START: {_shown(lines)}"
        )

    def _screen(self) -> ScreenBuffer:
        screen = ScreenBuffer()
        screen.feed(self.content)
        return screen

    def _lines(self) -> list[str]:
        screen = self._screen()
        return [screen.text(y) for y in range(screen.height)]

    def cells(self) -> str:
        """The characters of the board, row by row."""
        x, y, step = self._place
        lines = self._lines()
        width, height = self.grid.width, self.grid.height
        rows = [
            (lines[at] if at < len(lines) else "")[x : x + step * width : step].ljust(width)
            for at in range(y, y + height)
        ]
        return "".join(rows)

    def cursor(self) -> int:
        """The cell that the terminal's cursor is on."""
        left, top, step = self._place
        screen = self._screen()
        x, y = (screen.x - left) // step, screen.y - top
        if not (0 <= x < self.grid.width and 0 <= y < self.grid.height):
            raise Deviation(
                f"the terminal's cursor is not on the board, but in column {screen.x}, row {screen.y} of the screen"
            )
        return self.grid.cell(x, y)

    def go(self, at: int, to: int) -> int:
        """Move the game's cursor from one cell to another, and return that."""
        (x, y), (to_x, to_y) = self.grid.xy(at), self.grid.xy(to)
        for packet, count in ((RIGHT, to_x - x), (LEFT, x - to_x), (DOWN, to_y - y), (UP, y - to_y)):
            for _ in range(count):
                self.ask(packet)
        return to

    def mines(self) -> list[int]:
        """Where the mines of the new game are, as the debug mode shows them."""
        self.ask(DEBUG)
        found = [cell for cell, character in enumerate(self.cells()) if character == BOMB]
        self.ask(DEBUG)
        if not found:
            raise NotTested("the debug mode shows no mines (B), so nothing is known of them")
        return found

    def clue(self, mines: Sequence[int], cell: int) -> int:
        """How many of the cells beside it are mines."""
        return sum(near in mines for near in self.grid.neighbours(cell))


@contextlib.contextmanager
def connected(host: str, port: int, patience: float) -> Iterator[ModelClient]:
    """A connection for the length of a block; `UnavailableError` if there is none. An answer may take `patience` seconds."""
    with reach(host, port, patience) as sock:
        yield ModelClient(sock, lambda: connected(host, port, patience))


def _shown(lines: Sequence[str]) -> str:
    """The screen in a line of a message."""
    text = " / ".join(lines)
    return repr(text if len(text) < 160 else f"{text[:160]}…")


def _check(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise Deviation(otherwise)


# --- the points ---------------------------------------------------------------------------------------------------

POINTS: Final = Points[ModelClient]()


@POINTS.required
def answers(client: ModelClient) -> None:
    """Every packet but QUIT has exactly one answer, in order."""
    packets = [start(8, 6, 1), RIGHT, DOWN, LEFT, UP, MARK, MARK, DEBUG, DEBUG]
    client.send(b"".join(packets) + QUIT)
    for _ in packets:
        client.answer()
    _check(client.is_closed(), f"after {len(packets)} packets, their answers and QUIT there is more to read")


@POINTS.required
def pieces(client: ModelClient) -> None:
    """A packet may come in pieces."""
    client.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in start(8, 6, 1):
        client.send(bytes([byte]))
    client.answer()
    client.ask(RIGHT)


@POINTS.required
def sizes(client: ModelClient) -> None:
    """Boards have 1x1 to 255x255 cells, covered at first."""
    for columns, rows in ((1, 1), (255, 255), (1, 255), (255, 1), (20, 10)):
        client.begin(columns, rows, 1)


@POINTS.required
def levels(client: ModelClient) -> None:
    """The levels have 5, 25 and 45 % mines."""
    for level, (_, percent) in LEVELS.items():
        client.begin(20, 10, level)
        found, wanted = len(client.mines()), percent_of_mines(200, percent)
        _check(abs(found - wanted) <= 1, f"level {level} of 20x10 has {found} mines; {percent} % are {wanted}")


@POINTS.documented
def rounding(client: ModelClient) -> None:
    """They are rounded half up, and there is one mine at least."""
    for columns, rows, level in ((1, 1, 1), (3, 3, 1), (5, 2, 2), (5, 2, 3), (7, 3, 3)):
        client.begin(columns, rows, level)
        found, wanted = len(client.mines()), percent_of_mines(columns * rows, LEVELS[level][1])
        _check(found == wanted, f"{columns}x{rows} at level {level} has {found} mines, not {wanted}")


@POINTS.documented
def edges(client: ModelClient) -> None:
    """The cursor stops at the edges."""
    client.begin()
    before = client.content
    _check(client.ask(LEFT) == before, "MOVE_LEFT in the first column changes the screen")
    _check(client.ask(UP) == before, "MOVE_UP in the first row changes the screen")
    client.go(0, client.grid.size - 1)
    before = client.content
    _check(client.ask(RIGHT) == before, "MOVE_RIGHT in the last column changes the screen")
    _check(client.ask(DOWN) == before, "MOVE_DOWN in the last row changes the screen")


@POINTS.documented
def cursor(client: ModelClient) -> None:
    """The terminal's cursor is the game's."""
    client.begin()
    width = client.grid.width
    for packet, cell in ((b"", 0), (RIGHT, 1), (DOWN, 1 + width), (LEFT, width), (UP, 0)):
        if packet:
            client.ask(packet)
        found = client.cursor()
        _check(found == cell, f"the cursor is on {client.grid.xy(found)}, and was moved to {client.grid.xy(cell)}")


@POINTS.required
def mark(client: ModelClient) -> None:
    """A mark is set and taken away, and seen."""
    client.begin()
    client.go(0, 9)
    before = client.cells()
    client.ask(MARK)
    marked = client.cells()
    changed = [cell for cell in range(client.grid.size) if marked[cell] != before[cell]]
    _check(
        changed == [9], f"a mark changes the characters of the cells {changed}, not of the one under the cursor alone"
    )
    client.ask(MARK)
    _check(client.cells() == before, "marking it again does not take the mark away")


@POINTS.required
def debug(client: ModelClient) -> None:
    """The debug mode shows the mines and hides them."""
    client.begin()
    before = client.cells()
    mines = client.mines()
    _check(client.cells() == before, "the mines are still shown after the debug mode was switched off")
    client.ask(DEBUG)
    again = [cell for cell, character in enumerate(client.cells()) if character == BOMB]
    _check(again == mines, "the debug mode shows other mines the second time")


@POINTS.required
def clue(client: ModelClient) -> None:
    """A cell beside mines shows how many; revealed again it stays as it is."""
    client.begin()
    mines = client.mines()
    cell = next((c for c in range(client.grid.size) if c not in mines and client.clue(mines, c)), None)
    if cell is None:
        raise NotTested("no cell has a mine beside it")
    client.go(0, cell)
    before = client.cells()
    client.ask(REVEAL)
    wanted = before[:cell] + str(client.clue(mines, cell)) + before[cell + 1 :]
    _check(
        client.cells() == wanted,
        f"a cell with {client.clue(mines, cell)} mines beside it is revealed as {client.cells()!r}, not {wanted!r}",
    )
    revealed = client.content
    _check(client.ask(REVEAL) == revealed, "to reveal it again changes the screen")


@POINTS.documented
def mark_on_a_clue(client: ModelClient) -> None:
    """A revealed cell is not marked."""
    client.begin()
    mines = client.mines()
    cell = next((c for c in range(client.grid.size) if c not in mines), 0)
    client.go(0, cell)
    client.ask(REVEAL)
    before = client.cells()
    client.ask(MARK)
    _check(client.cells() == before, "a mark on a revealed cell changes the board")


@POINTS.required
def blank(client: ModelClient) -> None:
    """A cell without mines beside it is shown as a dot."""
    client.begin(20, 10, 1)
    mines = client.mines()
    cell = next((c for c in range(client.grid.size) if c not in mines and not client.clue(mines, c)), None)
    if cell is None:
        raise NotTested("every cell has a mine beside it")
    client.go(0, cell)
    client.ask(REVEAL)
    _check(
        client.cells()[cell] == BLANK,
        f"a cell with no mine beside it is shown as {client.cells()[cell]!r}, not {BLANK!r}",
    )


@POINTS.documented
def flood(client: ModelClient) -> None:
    """A blank opens what shares an edge with it, and goes on from blanks."""
    client.begin(20, 10, 1)
    mines, grid = client.mines(), client.grid
    blanks = {c for c in range(grid.size) if c not in mines and not client.clue(mines, c)}
    if not blanks:
        raise NotTested("every cell has a mine beside it")
    first = min(blanks)
    opened, waiting = {first}, [first]
    while waiting:
        x, y = grid.xy(waiting.pop())
        for near_x, near_y in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if 0 <= near_x < grid.width and 0 <= near_y < grid.height and grid.cell(near_x, near_y) not in opened:
                near = grid.cell(near_x, near_y)
                opened.add(near)
                waiting += [near] if near in blanks else []
    client.go(0, first)
    client.ask(REVEAL)
    found = {cell for cell, character in enumerate(client.cells()) if character != COVERED}
    _check(found == opened, f"a blank opens {len(found)} cells; over shared edges it opens {len(opened)}")


@POINTS.required
def loss(client: ModelClient) -> None:
    """A mine ends the game: all mines are shown, marks right and wrong, and only START goes on."""
    client.begin(8, 6, 3)
    mines = client.mines()
    if len(mines) < 3:
        raise NotTested("there are too few mines to tell marked ones and others apart")
    wrong = next(c for c in range(client.grid.size) if c not in mines)
    at = 0
    for cell in (mines[0], wrong):
        at = client.go(at, cell)
        client.ask(MARK)
    client.go(at, mines[1])
    client.ask(REVEAL)
    cells = client.cells()
    hidden = [client.grid.xy(cell) for cell in mines if cells[cell] in (COVERED, BLANK) or cells[cell].isdigit()]
    _check(not hidden, f"the game is lost, and the mines {hidden[:4]} are not shown")
    signs = {"a mine": cells[mines[2]], "a marked mine": cells[mines[0]], "a mark on no mine": cells[wrong]}
    _check(len(set(signs.values())) == 3, f"a lost board shows these alike: {signs}")
    ended = client.content
    for packet in (LEFT, RIGHT, UP, DOWN, REVEAL, MARK, DEBUG):
        _check(client.ask(packet) == ended, f"after the end packet {packet[0]} changes the screen")
    client.begin(8, 6, 1)


@POINTS.required
def win(client: ModelClient) -> None:
    """All mines marked and nothing else ends the game."""
    client.begin(8, 6, 2)
    mines, at = client.mines(), 0
    for cell in mines:
        at = client.go(at, cell)
        client.ask(MARK)
    ended = client.content
    for packet in (LEFT, REVEAL, MARK):
        _check(
            client.ask(packet) == ended,
            f"all mines are marked and nothing else; that is the end, and packet {packet[0]} changes the screen",
        )


@POINTS.required
def quitting(client: ModelClient) -> None:
    """QUIT closes the connection without an answer."""
    client.begin()
    client.send(QUIT)
    _check(client.is_closed(), "QUIT is answered, and is to close the connection at once")


@POINTS.required
def many(one: ModelClient) -> None:
    """Clients play side by side."""
    with one.another() as other:
        one.begin(8, 6, 1)
        other.begin(5, 4, 2)
        before = other.cells()
        one.ask(MARK)
        other.ask(RIGHT)
        _check(other.cells() == before, "the move of a client changes the board of another")


@POINTS.documented
def before(client: ModelClient) -> None:
    """Before START every packet is answered."""
    for packet in (LEFT, REVEAL, MARK, DEBUG):
        client.ask(packet)
    client.begin()


@POINTS.documented
def impossible(client: ModelClient) -> None:
    """An impossible START changes nothing."""
    client.begin()
    client.ask(MARK)
    before = client.cells()
    for columns, rows, level in ((0, 5, 1), (5, 0, 1), (5, 5, 0), (5, 5, 4)):
        client.ask(start(columns, rows, level))
        client.ask(UP)
        _check(
            client.cells() == before,
            f"START with {columns} columns, {rows} rows and level {level} changes the game that is played",
        )


@POINTS.documented
def nonsense(other: ModelClient) -> None:
    """An invalid packet ends that connection and no other."""
    other.begin()
    for sent in (
        b"\0",
        b"\x0b",
        bytes([PacketType.SCREEN_CONTENT]) + bytes(4),
        b"\x07\0\0\0\x04\1\1\1\1",
        b"\x07\xff\xff\xff\xff",
    ):
        with other.another() as client:
            client.begin()
            client.send(sent)
            _check(client.is_closed(), f"the bytes {sent.hex(' ')} are no packet, and do not end the connection")
    other.ask(RIGHT)
