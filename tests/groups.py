"""Two groups of tests, side by side: those that compute, one worker a core, and those that wait for others, with more workers than cores.

A test waits when it sleeps through most of its time: for a browser, a server, a terminal, a limit that must pass. A worker of one group
collects nothing of the other, so that more workers cost little, and browsers and servers are started by those that wait alone.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

COMPUTES, WAITS = "computes", "waits"


WAITING = (
    "tests/cli/test_connect.py",
    "tests/cli/test_serve.py",
    "tests/cli/test_serve_recording.py",
    "tests/cli/test_web.py",
    "tests/cluster/",
    "tests/net/test_connection.py",
    "tests/net/test_documented_client.py",
    "tests/net/test_serving.py",
    "tests/server/test_metrics_endpoint.py",
    "tests/server/test_signals.py",
    "tests/server/test_worker_pool.py",
    "tests/simulate/test_external.py",
    "tests/terminal/test_client.py",
    "tests/terminal/test_conformance.py",
    "tests/terminal/test_playback.py",
    "tests/terminal/test_tty.py",
    "tests/tui/test_app.py",
    "tests/web/browser/",
    "tests/web/http/test_transport.py",
    "tests/web/test_serving.py",
)
"""Files and folders of tests that wait."""


def waits(path: str) -> bool:
    """Whether a file, or a test by its id, is in the group that waits."""
    return path.startswith(WAITING)


def is_left_out(path: Path, root: Path, group: str) -> bool:
    """Whether a worker of that group need not look into a file or folder at all."""
    if path == root or not path.is_relative_to(root):
        return False
    name = path.relative_to(root).as_posix()
    if group == COMPUTES:
        return waits(name) or waits(f"{name}/")
    return not waits(name) and not any(one.startswith(f"{name}/") for one in WAITING)


def with_waiting(cores: int) -> int:
    """How many workers there are for so many cores: as many more for the tests that wait."""
    return 2 * cores


def sizes(workers: int) -> tuple[int, int]:
    """How many of the workers compute, and how many wait."""
    waiting = max(1, workers // 2)
    return workers - waiting, waiting


def set_up(config: pytest.Config) -> None:
    """For `pytest_configure`: have groups wherever several workers steal work from each other."""
    if hasattr(config, "workerinput"):
        if group := config.workerinput.get("group"):
            config.pluginmanager.register(_OneGroup(group, config.rootpath, config.workerinput["everything"]), "groups")
    elif config.getoption("dist", "no") == "worksteal" and len(config.getoption("tx")) > 1:
        config.pluginmanager.register(_Groups(config), "groups")


class _OneGroup:
    """In a worker: it has the tests of its group."""

    def __init__(self, group: str, root: Path, everything: bool) -> None:
        self._group = group
        self._root = root
        self._everything = everything

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out files of the other group, but none that is named on the command line: that would be an error."""
        return True if self._everything and is_left_out(collection_path, self._root, self._group) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out tests of the other group in files that were read all the same."""
        items[:] = [item for item in items if waits(item.nodeid) == (self._group == WAITS)]


class _Groups:
    """In the process that has the workers: which of them is in which group. The hooks are xdist's."""

    def __init__(self, config: pytest.Config) -> None:
        computing, waiting = sizes(len(config.getoption("tx")))
        self._sizes = {COMPUTES: computing, WAITS: waiting}
        self._free = [COMPUTES] * computing + [WAITS] * waiting
        self._everything = config.args_source is not pytest.Config.ArgsSource.ARGS
        self._session: pytest.Session | None = None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Keep the session, which is to know how many tests there are."""
        self._session = session

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A worker will start."""
        node.workerinput |= {"group": self._free.pop(0), "everything": self._everything}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker has ended; if it has crashed, another takes its place."""
        self._free.append(node.workerinput["group"])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: object) -> "GroupScheduling":
        """What gives tests to workers."""
        assert self._session is not None
        return GroupScheduling(config, log, self._session, self._sizes)


class GroupScheduling:
    """Work stealing within each group: what xdist asks of a scheduler, passed on to one of its own for each group."""

    def __init__(self, config: pytest.Config, log: object, session: pytest.Session, counts: dict[str, int]) -> None:
        """For so many workers of each group."""
        from xdist.scheduler import WorkStealingScheduling

        self._session = session
        self._groups: dict[str, Any] = {group: WorkStealingScheduling(config, log) for group in counts}
        for group, count in counts.items():
            self._groups[group].numnodes = count

    def _of(self, node: Any) -> Any:
        return self._groups[node.workerinput["group"]]

    @property
    def nodes(self) -> list[Any]:
        """All workers."""
        return [node for group in self._groups.values() for node in group.nodes]

    @property
    def collection_is_completed(self) -> bool:
        """Whether each worker has said which tests it has found."""
        return all(group.collection_is_completed for group in self._groups.values())

    @property
    def tests_finished(self) -> bool:
        """Whether no group has more for its workers than what they have."""
        return all(group.tests_finished for group in self._groups.values())

    @property
    def has_pending(self) -> bool:
        """Whether any test has still to end."""
        return any(group.has_pending for group in self._groups.values())

    def add_node(self, node: Any) -> None:
        """A worker is there."""
        self._of(node).add_node(node)

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        """A worker has found these tests."""
        self._of(node).add_node_collection(node, collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """A worker has done one."""
        self._of(node).mark_test_complete(node, item_index, duration)

    def mark_test_pending(self, item: str) -> None:
        """A test is to run again."""
        self._groups[WAITS if waits(item) else COMPUTES].mark_test_pending(item)

    def remove_pending_tests_from_node(self, node: Any, indices: Sequence[int]) -> None:
        """A worker gave some back, for another."""
        self._of(node).remove_pending_tests_from_node(node, indices)

    def remove_node(self, node: Any) -> str | None:
        """A worker has gone; the test that it was at, if there was one."""
        crashed: str | None = self._of(node).remove_node(node)
        return crashed

    def schedule(self) -> None:
        """Give tests to workers that have none."""
        for group in self._groups.values():
            group.schedule()
        # xdist takes the number from the worker that was last; with none at all the exit code is another.
        self._session.testscollected = sum(len(group.collection or ()) for group in self._groups.values())
