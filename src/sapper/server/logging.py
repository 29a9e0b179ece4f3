"""Structured logs: one line an event, as logfmt or as JSON, that never make the server wait.

A log that is piped to something slow must not stop anyone's game, so lines go through a bounded queue to
a thread that writes them. When the queue is full lines are dropped, and how many is said later.
"""

import json
import logging
import queue
import re
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Final, TextIO

FORMATS: Final = ("logfmt", "json")
LEVELS: Final = ("debug", "info", "warning", "error")

LOGGER: Final = logging.getLogger("sapper.server")
"""Where the events of both servers go, and those of what they work with. Programs that have logging of their own attach their handlers here."""

_BARE: Final = re.compile(r"[^\s\"=\x00-\x1f\x7f-\x9f]+")


def log(level: int, event: str, /, **fields: object) -> None:
    """Log an event with its fields, which are not called `time`, `level`, `event` or `error`."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, event, extra={"fields": fields})


def log_failure(event: str, /, **fields: object) -> None:
    LOGGER.error(event, exc_info=sys.exc_info(), extra={"fields": fields})


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    fields: Mapping[str, Any] = getattr(record, "fields", {})
    values = {"time": moment, "level": record.levelname.lower(), "event": record.getMessage().strip(), **fields}
    if record.name != LOGGER.name:
        values["by"] = record.name
    if record.exc_info and record.exc_info[1] is not None:
        values["error"] = logging.Formatter().formatException(record.exc_info)
    return values


class LogfmtFormatter(logging.Formatter):
    """`time=… level=info event="connection closed" peer=127.0.0.1`."""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(f"{key}={_quoted(value)}" for key, value in _fields(record).items())


class JsonFormatter(logging.Formatter):
    """A JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_fields(record), default=str)


def _quoted(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    # JSON's quoting leaves one line, and escapes whatever a peer managed to put into it.
    return text if _BARE.fullmatch(text) else json.dumps(text)


class LineWriter(logging.Handler):
    """Hands lines to a thread that writes them to a stream; drops them, and says so, when it is behind."""

    def __init__(self, stream: TextIO, *, capacity: int = 10_000) -> None:
        super().__init__()
        self._stream = stream
        self._queue: queue.Queue[str | None] = queue.Queue(capacity)
        self._dropped = 0
        # A daemon: a reader of the log that is stuck must not keep the server from ending.
        self._thread = threading.Thread(target=self._run, name="sapper-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._queue.put_nowait(self.format(record))
        except queue.Full:
            self._dropped += 1

    def finish(self, timeout: float = 2.0) -> None:
        """Write what is queued, for at most `timeout` seconds."""
        try:
            self._queue.put(None, timeout=timeout)
        except queue.Full:
            return
        self._thread.join(timeout)

    def _run(self) -> None:
        while (line := self._queue.get()) is not None:
            if not self._write(line):
                return
            dropped, self._dropped = self._dropped, 0
            if dropped:
                fields = {"fields": {"lines": dropped}}
                self._write(self.format(LOGGER.makeRecord(LOGGER.name, logging.WARNING, "", 0, "log lines dropped", (), None, extra=fields)))  # fmt: skip

    def _write(self, line: str) -> bool:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):  # whoever read the log has gone
            return False
        return True


def set_up(stream: TextIO, *, log_format: str, level: str) -> Callable[[], None]:
    """Write events to a stream from now on, and warnings and errors of libraries as such lines too; what is returned ends that, with all lines written."""
    writer = LineWriter(stream)
    writer.setFormatter(JsonFormatter() if log_format == "json" else LogfmtFormatter())
    writer.setLevel(level.upper())
    LOGGER.addHandler(writer)
    LOGGER.setLevel(level.upper())
    LOGGER.propagate = False
    # Without a handler Python prints what libraries log, and their warnings, as text of its own.
    others = logging.getLogger()
    others.addHandler(writer)
    logging.captureWarnings(True)

    def finish() -> None:
        logging.captureWarnings(False)
        others.removeHandler(writer)
        LOGGER.removeHandler(writer)
        LOGGER.propagate = True
        writer.finish()

    return finish


class OutageLog:
    """One line an outage, however many notice it. Any thread may."""

    def __init__(self, begins: str, ends: str) -> None:
        self._begins = begins
        self._ends = ends
        self._lock = threading.Lock()
        self._since: float | None = None
        self._noticed = 0

    def begin(self, error: Exception, waiting: int | None = None) -> None:
        with self._lock:
            self._noticed += 1
            if self._since is not None:
                return
            self._since = monotonic()
        fields = {} if waiting is None else {"waiting": waiting}
        log(logging.WARNING, self._begins, reason=str(error), **fields)

    def end(self) -> None:
        with self._lock:
            since, self._since = self._since, None
            noticed, self._noticed = self._noticed, 0
        if since is not None:
            log(logging.WARNING, self._ends, seconds=round(monotonic() - since, 1), noticed=noticed)

    @property
    def is_on(self) -> bool:
        return self._since is not None


def say_what_is_lost(lost: int) -> None:
    """When a server stops: log how many changes were not stored."""
    if lost:
        log(logging.ERROR, "not kept: these are lost", changes=lost)
