"""Work for a game on another thread, while its screen goes on."""

import asyncio
from collections.abc import Callable
from typing import Any

from sapper.errors import RequestError
from sapper.play.ports import InlineJobs, Job, JobDone


class LoopJobs:
    """`Jobs` of the event loop that runs; `on_failure` hears of a mistake in one."""

    def __init__(self, on_failure: Callable[[Exception], None]) -> None:
        self._on_failure = on_failure

    def start(self, job: Job, done: JobDone, /) -> None:
        """Do it on a thread, and have `done` called on the loop's."""

        def work() -> tuple[Any, RequestError | None]:
            answers: list[tuple[Any, RequestError | None]] = []
            InlineJobs().start(job, lambda *answer: answers.append(answer))
            return answers[0]

        def finish(future: "asyncio.Future[tuple[Any, RequestError | None]]") -> None:
            try:
                done(*future.result())
            except Exception as error:  # noqa: BLE001  # nobody waits for this callback who could be told
                self._on_failure(error)

        asyncio.get_running_loop().run_in_executor(None, work).add_done_callback(finish)
