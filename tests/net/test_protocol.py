"""Bytes become the same packets however they are cut, and a peer's fault is always the same kind of error."""

import pytest
from hypothesis import given, strategies as st

from sapper.errors import PacketError
from sapper.net.packets import (
    FROM_CLIENT,
    FROM_SERVER,
    SIGNALS,
    Packet,
    PacketType,
    ScreenContent,
    Signal,
    StartRequest,
    encode,
)
from sapper.net.protocol import Receiver
from tests.net.strategies import client_packets, pieces_of, screen_contents


def _receive(pieces: list[bytes], accepts: frozenset[PacketType] = FROM_CLIENT) -> tuple[list[Packet], str | None]:
    """The packets that come out, and what was wrong at the end."""
    receiver = Receiver(accepts=accepts)
    packets: list[Packet] = []
    for piece in pieces:
        receiver.feed(piece)
        try:
            packets += receiver.packets()
        except PacketError as error:
            return packets, str(error)
    return packets, None


@given(st.lists(client_packets()), st.data())
def test_whole_byte_by_byte_and_in_pieces_are_the_same(
    packets: list[StartRequest | Signal], data: st.DataObject
) -> None:
    wire = b"".join(map(encode, packets))
    assert _receive([wire]) == (packets, None)
    assert _receive([wire[index : index + 1] for index in range(len(wire))]) == (packets, None)
    assert _receive(data.draw(pieces_of(wire))) == (packets, None)


@given(st.lists(screen_contents(), max_size=5), st.data())
def test_the_same_for_what_a_client_receives(packets: list[ScreenContent], data: st.DataObject) -> None:
    wire = b"".join(map(encode, packets))
    assert _receive([wire], FROM_SERVER) == (packets, None)
    assert _receive(data.draw(pieces_of(wire)), FROM_SERVER) == (packets, None)


@given(st.binary(max_size=200), st.data(), st.sampled_from([FROM_CLIENT, FROM_SERVER]))
def test_any_bytes_are_packets_or_one_fault_however_they_are_cut(
    wire: bytes, data: st.DataObject, accepts: frozenset[PacketType]
) -> None:
    packets, fault = _receive([wire], accepts)
    assert _receive([wire[index : index + 1] for index in range(len(wire))], accepts) == (packets, fault)
    assert _receive(data.draw(pieces_of(wire)), accepts) == (packets, fault)


@pytest.mark.parametrize("code", [0, 9, 11, 255])
def test_a_type_that_is_none_of_a_client_s(code: int) -> None:
    name = f"{code} (SCREEN_CONTENT)" if code == 9 else f"{code}"
    assert _receive([bytes([1, code])]) == (
        [SIGNALS[1]],
        f"packet type {name} is not accepted here; accepted are 1, 2, 3, 4, 5, 6, 7, 8, 10",
    )


@pytest.mark.parametrize("code", [*range(9), 10])
def test_a_client_accepts_screens_only(code: int) -> None:
    packets, fault = _receive([bytes([code])], FROM_SERVER)
    assert packets == []
    assert fault is not None
    assert fault.endswith("is not accepted here; accepted are 9")


@pytest.mark.parametrize("length", [0, 2, 4, 2**32 - 1])
def test_an_impossible_length_is_a_fault_before_its_payload_comes(length: int) -> None:
    wire = bytes([7]) + length.to_bytes(4)
    assert _receive([wire]) == ([], f"START has 3 bytes of payload, not {length}")


def test_a_screen_that_is_too_long_is_not_waited_for() -> None:
    receiver = Receiver(accepts=FROM_SERVER, max_payload=10)
    receiver.feed(bytes([9, 0, 0, 0, 10]) + b"0123456789" + bytes([9, 0, 0, 0, 11]))
    assert receiver.next_packet() == ScreenContent(content="0123456789")
    with pytest.raises(PacketError, match="SCREEN_CONTENT of 11 bytes: at most 10 are accepted"):
        receiver.next_packet()


def test_after_a_fault_there_is_only_the_fault() -> None:
    receiver = Receiver(accepts=FROM_CLIENT)
    receiver.feed(b"\xff\x01\x01")
    for _ in range(2):
        with pytest.raises(PacketError, match="packet type 255"):
            receiver.next_packet()
    receiver.feed(b"\x01")
    with pytest.raises(PacketError, match="packet type 255"):
        receiver.next_packet()


def test_what_is_pending_is_known() -> None:
    receiver = Receiver(accepts=FROM_CLIENT)
    receiver.feed(bytes([1, 7, 0, 0]))
    assert receiver.pending == 4
    assert receiver.next_packet() == SIGNALS[1]
    assert receiver.next_packet() is None
    assert receiver.pending == 3
