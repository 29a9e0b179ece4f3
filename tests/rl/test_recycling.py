import numpy as np

from sapper.rl.recycling import RecycledCopies


def test_what_is_held_never_changes_and_what_is_let_go_is_used_again() -> None:
    source = np.zeros((3, 4), np.uint8)
    copies = RecycledCopies(source)
    rng = np.random.default_rng(1)
    held: list[tuple[object, bytes]] = []
    for number in range(1, 201):
        source[:] = number
        copy = copies.copy(source)
        assert not np.shares_memory(copy, source)
        copy[0, 0] = 255 - number  # the caller's own
        kinds: list[object] = [copy, copy[1], copy.reshape(-1)[5:], copy.data, copy.T[1:].view(np.int8)]
        held.append((kinds[number % len(kinds)], bytes(np.asarray(kinds[number % len(kinds)]))))
        del copy, kinds
        for value, was in held:
            assert bytes(np.asarray(value)) == was
        keep = int(rng.integers(0, 8))
        held = held[len(held) - keep :] if keep else []
        del value
    held.clear()
    # Of those that nobody holds, the first is taken again and again: `base` is the array whose memory a copy is in.
    assert len({id(copies.copy(source).base) for _ in range(50)}) == 1
