"""Loading kernels before they are needed, and saying so."""

import subprocess
import sys

import pytest

from sapper._kernels._jit.warming import warm_up

# In a process of its own, where nothing is loaded yet.
_SCRIPT = """
from sapper._kernels._jit.warming import warm_up
told = []
warm_up(lambda name, done, count: told.append((name, done, count)))
assert told[0][1] == 0 and {count for _, _, count in told} == {told[0][2]}, told
counts = [done for _, done, _ in told]
assert counts == sorted(counts) and set(counts) == set(range(counts[-1] + 1)) and counts[-1] < told[0][2], told
assert "analyse_board" in [name for name, _, _ in told]
warm_up(lambda *news: told.append("again"))
assert "again" not in told
"""


def test_every_kernel_is_announced() -> None:
    subprocess.run([sys.executable, "-c", _SCRIPT], check=True)


def test_an_unknown_module_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError):
        warm_up(modules=["nothing"])
