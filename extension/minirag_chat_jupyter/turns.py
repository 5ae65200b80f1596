"""Whose turn it is, and the threads that blocking work runs in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager

from minirag_chat.models.fair_queue import FairQueue
from minirag_chat.models.protocols import never

READERS = 8


class Turns:
    """The model's queue, and the threads.

    Answering has threads of its own, as many as questions are answered ``at_once``, so that an import or a
    slow listing never keeps it waiting.
    """

    def __init__(self, most_waiting: int, at_once: int = 1) -> None:
        self.answering = ThreadPoolExecutor(at_once, thread_name_prefix="minirag-answer")
        self.reading = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-read")
        self._queue = FairQueue(most_waiting, at_once)

    @property
    def ahead(self) -> int:
        """How many questions wait or are being answered."""
        return len(self._queue) + self._queue.answering

    def turn(
        self, user: str, cancelled: Callable[[], bool] = never
    ) -> AbstractAsyncContextManager[bool]:
        """Wait for this user's turn: see ``FairQueue``. Raises ``TooManyWaiting``."""
        return self._queue.turn(user, cancelled)
