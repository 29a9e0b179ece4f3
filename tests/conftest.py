"""What all tests share: how hard Hypothesis tries.

`dev` is quick and looks elsewhere each time; `ci` (chosen where CI is set) tries harder and is the
same every time, so that a change is never red by chance. Another: pytest --hypothesis-profile=NAME.
"""

import atexit
import os
import shutil
import signal
import tempfile

from hypothesis import HealthCheck, settings

# A busy machine is no reason for a red test: speed is measured in bench/.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("dev", _UNTIMED, max_examples=30)
settings.register_profile("ci", _UNTIMED, max_examples=100, derandomize=True, database=None, print_blob=True)
settings.register_profile("thorough", _UNTIMED, max_examples=2000)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# Whatever a test starts records its games here, not among those of whoever runs the tests.
_STORE = tempfile.mkdtemp(prefix="sapper-tests-")
os.environ["SAPPER_DATABASE"] = os.path.join(_STORE, "sapper.db")  # noqa: PTH118  # text for other programs
atexit.register(shutil.rmtree, _STORE, ignore_errors=True)

# Nor may the settings of whoever runs the tests be one.
os.environ["SAPPER_CONFIG"] = os.devnull

# A shell's background job ignores Ctrl-C, and so would every program that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Under nohup all of them would ignore a terminal that closes.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
