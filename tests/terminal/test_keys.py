"""Keys are the seed's, in either case, and arrows come in the two ways terminals send them."""

import pytest
from hypothesis import given, strategies as st

from sapper.errors import ConfigError
from sapper.net.packets import PacketType
from sapper.terminal.keys import HELP, PACKETS, Key, KeyReader, bind, help_line
from tests.net.strategies import pieces_of

# As the requirements list them.
TABLE = {
    "w": PacketType.MOVE_UP,
    "a": PacketType.MOVE_LEFT,
    "s": PacketType.MOVE_DOWN,
    "d": PacketType.MOVE_RIGHT,
    " ": PacketType.TOGGLE_BOMB_MARK,
    "\r": PacketType.REVEAL,
    "#": PacketType.TOGGLE_DEBUG_MODE,
}


@pytest.mark.parametrize(("key", "packet"), TABLE.items())
def test_keys_send_packets_in_either_case(key: str, packet: PacketType) -> None:
    for letter in {key, key.upper()}:
        assert [PACKETS[one] for one in KeyReader().feed(letter.encode())] == [packet]


@pytest.mark.parametrize(
    ("data", "key"),
    [(b"\t", Key.NEW_GAME), (b"x", Key.QUIT), (b"X", Key.QUIT), (b"\n", Key.REVEAL), (b"\x0c", Key.REDRAW)],
)
def test_other_keys(data: bytes, key: Key) -> None:
    assert KeyReader().feed(data) == [key]


@pytest.mark.parametrize("lead", [b"\x1b[", b"\x1bO", b"\x1b[1;2"])
@pytest.mark.parametrize(("final", "key"), [(b"A", Key.UP), (b"B", Key.DOWN), (b"C", Key.RIGHT), (b"D", Key.LEFT)])
def test_arrows(lead: bytes, final: bytes, key: Key) -> None:
    reader = KeyReader()
    assert reader.feed(lead) == []
    assert reader.feed(final) == [key]


def test_what_means_nothing_is_passed_over() -> None:
    # F5, Home, Delete, a mouse report, ü, Alt-w, an escape alone before a key
    assert KeyReader().feed(b"\x1b[15~\x1b[H\x1b[3~\x1b[<0;3;4M\xc3\xbc\x1bw\x1bqz1") == [Key.UP]


def test_an_escape_does_not_swallow_the_next_key() -> None:
    reader = KeyReader()
    assert reader.feed(b"\x1b") == []
    assert reader.feed(b"d") == [Key.RIGHT]


def test_an_endless_sequence_is_given_up() -> None:
    reader = KeyReader()
    assert reader.feed(b"\x1b[" + b"0" * 100) == []
    assert reader.feed(b"w") == [Key.UP]


@given(st.lists(st.sampled_from([b"w", b"\x1b[A", b"\x1bOB", b" ", b"\x1b[1;5C", b"\x1b[3~", b"q"])), st.data())
def test_cut_anywhere_it_is_the_same(keys: list[bytes], data: st.DataObject) -> None:
    typed = b"".join(keys)
    reader = KeyReader()
    whole = KeyReader().feed(typed)
    assert [key for piece in data.draw(pieces_of(typed)) for key in reader.feed(piece)] == whole


# --- other keys ---------------------------------------------------------------------------------------

USUAL = {
    Key.LEFT: ("a",), Key.RIGHT: ("d",), Key.UP: ("w",), Key.DOWN: ("s",), Key.REVEAL: ("enter",),
    Key.MARK: ("space",), Key.NEW_GAME: ("tab",), Key.QUIT: ("x",), Key.DEBUG: ("#",),
}  # fmt: skip


def test_keys_can_be_others() -> None:
    reader = KeyReader(bind(USUAL | {Key.MARK: ("M", "space"), Key.LEFT: ("h",)}))
    assert reader.feed(b"mM hH") == [Key.MARK] * 3 + [Key.LEFT] * 2
    assert reader.feed(b"a") == []
    assert reader.feed(b"\x1b[D\r\x0c") == [Key.LEFT, Key.REVEAL, Key.REDRAW]


@pytest.mark.parametrize("name", ["", "ab", "é", "\x1b", "\n", "backspace"])
def test_what_is_no_key_is_said(name: str) -> None:
    with pytest.raises(ConfigError, match="a key is one character"):
        bind({Key.MARK: (name,)})


def test_a_key_cannot_mean_two_things() -> None:
    with pytest.raises(ConfigError, match="the key 'W' cannot mean both up and mark"):
        bind(USUAL | {Key.MARK: ("W",)})
    assert bind({Key.MARK: ("m", "M")}) == {b"m": Key.MARK, b"\x0c": Key.REDRAW}


def test_the_line_of_help_says_the_keys_there_are() -> None:
    assert help_line(USUAL) == HELP
    assert "M marks" in help_line(USUAL | {Key.MARK: ("m", "space")})
