"""What runs in a stranger's process: it ends with its parent."""

import pickle
import subprocess
import sys

import pytest


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
    assert done.stdout == b"" or done.stdout.startswith(b'{"fault": "raised", "why": "UnknownNameError: ')
