"""A line an event, in a form that programs read, and never a wait."""

import io
import json
import logging
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest

from sapper.server.logging import LOGGER, JsonFormatter, LineWriter, LogfmtFormatter, log, log_failure, set_up

LINE_BREAKER = 'a"b\n\x1b[2J\u2028é ='


@contextmanager
def _logging(log_format: str, level: str = "info") -> Iterator[io.StringIO]:
    stream = io.StringIO()
    finish = set_up(stream, log_format=log_format, level=level)
    yield stream
    finish()


def test_json() -> None:
    with _logging("json") as stream:
        log(logging.INFO, "connection closed", peer="127.0.0.1:1", count=3, text=LINE_BREAKER)
    (line,) = stream.getvalue().splitlines()
    values = json.loads(line)
    assert datetime.fromisoformat(values.pop("time")).utcoffset() is not None
    assert values == {
        "level": "info", "event": "connection closed", "peer": "127.0.0.1:1", "count": 3, "text": LINE_BREAKER,
    }  # fmt: skip


def test_logfmt() -> None:
    with _logging("logfmt") as stream:
        log(logging.WARNING, "refused", peer="[::1]:1", count=3, debugged=True, nothing="", text=LINE_BREAKER)
    (line,) = stream.getvalue().splitlines()
    time, rest = line.split(" ", 1)
    assert time.startswith("time=2")
    assert rest == (
        'level=warning event=refused peer=[::1]:1 count=3 debugged=true nothing="" '
        'text="a\\"b\\n\\u001b[2J\\u2028\\u00e9 ="'
    )


@pytest.mark.parametrize("log_format", ["json", "logfmt"])
def test_a_failure_brings_its_traceback_in_one_line(log_format: str) -> None:
    with _logging(log_format) as stream:
        try:
            _ = 1 / int("0")
        except ZeroDivisionError:
            log_failure("bug", peer="x")
    (line,) = stream.getvalue().splitlines()
    assert "Traceback" in line
    assert "ZeroDivisionError" in line


@pytest.mark.parametrize("log_format", ["json", "logfmt"])
def test_what_libraries_say_is_a_line_of_the_same_form(log_format: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A program that reads the log reads all of it."""
    with warnings.catch_warnings(), _logging(log_format) as stream:
        warnings.simplefilter("always")
        logging.getLogger("psycopg").warning("error ignored terminating %r:\n%s", "x", "the connection is lost")
        logging.getLogger("psycopg").info("nothing that an operator needs")
        warnings.warn("resources might leak", stacklevel=1)
    said, warned = stream.getvalue().splitlines()
    if log_format == "json":
        values = json.loads(said)
        del values["time"]
        event = "error ignored terminating 'x':\nthe connection is lost"
        assert values == {"level": "warning", "event": event, "by": "psycopg"}
        assert json.loads(warned)["by"] == "py.warnings"
    assert all("warning" in line for line in (said, warned))
    assert "resources might leak" in warned
    assert capsys.readouterr().err == ""


def test_a_program_with_logging_of_its_own_hears_the_events(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "sapper.server"):
        log(logging.INFO, "serving", port=1)
    assert [(record.name, record.message) for record in caplog.records] == [("sapper.server", "serving")]


def test_what_is_below_the_level_is_not_logged() -> None:
    with _logging("json", "warning") as stream:
        log(logging.INFO, "nothing")
    assert stream.getvalue() == ""
    assert not any(isinstance(handler, LineWriter) for handler in LOGGER.handlers)


def test_a_stuck_reader_costs_lines_and_no_time() -> None:
    read, write = os.pipe()
    with os.fdopen(write, "w") as stream:
        writer = LineWriter(stream, capacity=50)
        writer.setFormatter(LogfmtFormatter())
        record = LOGGER.makeRecord("x", logging.INFO, "", 0, "y" * 10_000, (), None)
        for _ in range(200):  # far more than the pipe and the queue hold
            writer.emit(record)
        drained = threading.Thread(target=_drain, args=(read,))
        drained.start()
        # Room again: what comes now is written, and so is how much was lost.
        while "dropped" not in _LINES.get(read, ""):
            writer.emit(LOGGER.makeRecord("x", logging.INFO, "", 0, "again", (), None))
        writer.finish()
    drained.join()


_LINES: dict[int, str] = {}


def _drain(descriptor: int) -> None:
    with os.fdopen(descriptor) as stream:
        for line in stream:
            if "dropped" in line:
                _LINES[descriptor] = line


class _Gone(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_reader_that_has_gone_is_no_error() -> None:
    writer = LineWriter(_Gone(), capacity=2)
    writer.setFormatter(JsonFormatter())
    for _ in range(5):
        writer.emit(LOGGER.makeRecord("x", logging.INFO, "", 0, "y", (), None))
    writer.finish(timeout=0.01)
