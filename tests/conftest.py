"""What all tests share: how hard Hypothesis tries, and what is run without coverage.

`quick` is the same every time, so that a change is never red by chance; `--full` tries harder, and elsewhere each time.
Another: pytest --hypothesis-profile=NAME.
"""

import asyncio
import atexit
import inspect
import os
import shutil
import signal
import tempfile
from collections.abc import Generator

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from tests import halves, sizes

# A busy machine is no reason for a red test: speed is measured in bench/.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("quick", _UNTIMED, max_examples=30, derandomize=True, database=None)
settings.register_profile("full", _UNTIMED, max_examples=100)
settings.register_profile("thorough", _UNTIMED, max_examples=2000)
settings.load_profile("quick")

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


LONGEST_WAIT = 180.0
"""Seconds until a test that is `async def` is cancelled: its error then says where it waited."""

collect_ignore = ["other_system"]
"""It makes another system of the process that imports it, and looking for examples in docstrings would."""


@pytest.fixture(params=["native", "reference"])
def half(request: pytest.FixtureRequest) -> Generator[str]:
    """Each half of the kernels in turn: with the library, and as where there is none."""
    with halves.by(request.param):
        yield request.param


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """`-n auto`: two workers a core, since a third of the tests sleep most of their time, for a browser, a server, a limit."""
    return 2 * (yield)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--full`."""
    parser.addoption(
        "--full", action="store_true", help="run tests in their full size, and those that are left out otherwise"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before tests are read: say how large they are (`tests.sizes`)."""
    if config.getoption("full"):
        os.environ[sizes.VARIABLE] = "1"
    if os.environ.get(sizes.VARIABLE) and not config.getoption("hypothesis_profile", None):
        settings.load_profile("full")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no examples in docstrings: looking for them takes each worker a second."""
    return [found for found in (yield) if not isinstance(found, DoctestModule)]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is `async def` runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), LONGEST_WAIT))
    return True


UNTRACED = (
    "tests/_kernels/native/",  # what they test is no Python, and `reference` has tests of its own
    "tests/_kernels/reference/test_endgame.py::test_whole_games_up_to_two_thousand_layouts",
    "tests/_kernels/test_batch_measuring.py::test_both_halves_measure_the_same_on_wide_and_tall_boards[100-100-2000]",
    "tests/cli/test_metrics.py::test_the_json_is_one_document",
    "tests/kata/test_random_games.py",
    "tests/cluster/",
    "tests/fuzz/",
    "tests/replay/test_reading.py::test_every_cut_and_many_changed_bytes_are_an_error_or_a_recording",
    "tests/review/test_judging.py::test_best_play_of_whole_games_has_no_mistakes_and_adds_up",
    "tests/review/test_judging.py::test_verdicts_are_those_of_a_recomputation_by_the_reference",
    "tests/review/test_judging.py::test_guesses_without_exact_chances_are_played_on",
    "tests/review/test_judging.py::test_guesses_on_small_boards_against_exact_best_play",
    "tests/bench/test_calibration_rates.py::test_claims_come_true_in_every_tenth",
    "tests/solver/deduce/test_check.py::test_it_is_brute_force",
    "tests/solver/deduce/test_explain.py::test_census_boards",
    "tests/solver/strategies/test_base.py::test_one_seed_plays_one_game[playouts]",
    "tests/test_conformance.py",
    "tests/test_other_system.py",
    "tests/test_two_worlds.py",
    "tests/tui/test_app.py",
    "tests/web/browser/",
)
"""Tests that run without coverage: they repeat, thousands of times or in a browser, what other tests run line by line.

Tracing makes Python three times as slow, and would tell nothing more of them.
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what runs with `--full` alone, sort, and mark what runs without coverage, for pytest-cov."""
    left_out = [] if os.environ.get(sizes.VARIABLE) else [item for item in items if item.get_closest_marker("full")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    # The dearest first, so that what workers take over from one another at the end is cheap, and all of them end together.
    items.sort(key=lambda item: not item.nodeid.startswith("tests/web/"))
    for item in items:
        if item.nodeid.startswith(UNTRACED):
            item.add_marker("no_cover")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Nor are the processes measured that such a test starts; it is this variable that has them measured."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("no_cover"):
            patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        return (yield)
