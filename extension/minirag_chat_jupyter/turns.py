"""The queue of questions, and the threads in which blocking work runs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager

from minirag_chat.models.fair_queue import FairQueue
from minirag_chat.models.protocols import never

READERS = 8


class Turns:
    """The model's queue, and the threads.

    Answering has its own threads, ``at_once`` of them, so that an import or a slow listing never keeps
    questions waiting. So have what opens databases and what changes them: reads of a database that is
    being changed wait, and may take all threads that read.
    """

    def __init__(self, most_waiting: int, at_once: int = 1) -> None:
        self.answering = ThreadPoolExecutor(at_once, thread_name_prefix="minirag-answer")
        self.reading = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-read")
        self.opening = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-open")
        self.changing = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-change")
        self._queue = FairQueue(most_waiting, at_once)

    @property
    def ahead(self) -> int:
        """How many questions are waiting or being answered."""
        return len(self._queue) + self._queue.answering

    def turn(
        self, user: str, cancelled: Callable[[], bool] = never
    ) -> AbstractAsyncContextManager[bool]:
        """Wait for this user's turn: see ``FairQueue``. Raises ``TooManyWaiting``."""
        return self._queue.turn(user, cancelled)
