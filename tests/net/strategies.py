"""Hypothesis strategies of the network's tests."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from sapper.net.packets import SIGNALS, ScreenContent, Signal, StartRequest


def client_packets() -> SearchStrategy[StartRequest | Signal]:
    """What a client may send, sensible or not."""
    byte = st.integers(0, 255)
    return st.sampled_from(list(SIGNALS.values())) | st.builds(StartRequest, columns=byte, rows=byte, level=byte)


def screen_contents() -> SearchStrategy[ScreenContent]:
    """What a server may send."""
    return st.builds(ScreenContent, content=st.text())


@composite
def pieces_of(draw: DrawFn, data: bytes) -> list[bytes]:
    """The same bytes, cut into pieces at any places."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=20)))
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def terminal_texts() -> SearchStrategy[str]:
    """Screens as servers might write them: text, colours, places, clearing, and stray bytes of sequences."""
    number = st.integers(0, 12).map(str)
    place = st.builds("\x1b[{};{}H".format, number, number)
    step = st.builds("\x1b[{}{}".format, st.integers(1, 5).map(str), st.sampled_from("ABCD"))
    clear = st.builds("\x1b[{}{}".format, st.sampled_from(["", "0", "1", "2"]), st.sampled_from("JK"))
    style = st.builds(
        "\x1b[{}m".format, st.sampled_from(["", "0", "1", "7", "31", "42", "1;36", "0;33;44", "39", "27"])
    )
    text = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)
    newline = st.sampled_from(["\r\n", "\r", "\n", "\b"])
    return st.lists(place | step | clear | style | text | newline, max_size=16).map("".join)
