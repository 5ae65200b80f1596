"""Whose turn it is: one question is answered at a time, first come, first served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

READERS = 8


class Turns:
    """The model's queue, and the threads that blocking work runs in.

    Answering has a thread of its own, so that an import or a slow listing never keeps it waiting.
    """

    def __init__(self) -> None:
        self.answering = ThreadPoolExecutor(1, thread_name_prefix="minirag-answer")
        self.reading = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-read")
        self._lock = asyncio.Lock()  # wakes its waiters in the order in which they came
        self._waiting: list[object] = []

    def ahead(self, ticket: object) -> int:
        """How many questions come before this one, with the one being answered."""
        return self._waiting.index(ticket) if ticket in self._waiting else 0

    @asynccontextmanager
    async def turn(self, ticket: object) -> AsyncIterator[None]:
        """Wait for the questions that came before."""
        self._waiting.append(ticket)
        try:
            async with self._lock:
                yield
        finally:
            self._waiting.remove(ticket)
