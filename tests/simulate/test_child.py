"""What runs in a stranger's process: loading, and ending with its parent."""

import pickle
import subprocess
import sys

import pytest

from sapper.errors import StrategyError, UnknownNameError
from sapper.simulate.child import load
from sapper.solver.strategies.simple import SingleStrategy


def test_loading() -> None:
    assert load("single") is SingleStrategy
    assert load("sapper.solver.strategies.simple:SingleStrategy") is SingleStrategy
    assert load("collections:OrderedDict.fromkeys") is not None
    with pytest.raises(UnknownNameError):
        load("nobody")
    with pytest.raises(StrategyError, match="not callable"):
        load("sys:maxsize")
    with pytest.raises(ModuleNotFoundError):
        load("no_such_module:x")


@pytest.mark.parametrize("rest", [b"", b"\x80\x05half a pickle"], ids=["end", "half"])
def test_it_ends_with_its_parent(rest: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sapper.simulate.child"],
        input=pickle.dumps("nobody") + rest,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    # It may have ended before it answered.
    assert done.stdout in (b"", b'{"raised": "UnknownNameError: ' + done.stdout[30:])
