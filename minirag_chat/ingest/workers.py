"""Processes that share a job publish their progress, so that each can show the total speed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from minirag_chat.errors import StoreError
from minirag_chat.records import Progress, Report
from minirag_chat.store import Store
from minirag_chat.store.sql import Work
from minirag_chat.ui_text import count

LOOK_EVERY = 1.0  # seconds between two queries of the other workers' progress
MINUTE = 60  # seconds


@contextmanager
def publishing_progress(store: Store, work: Work) -> Iterator[Callable[[int], None]]:
    """Publish the progress of this process; the context gives a function to call with the number done."""
    begun = time.monotonic()

    def publish(done: int) -> None:
        with store.lock:
            store.connection.publish_progress(
                work, done, done / max(time.monotonic() - begun, 1e-3)
            )

    try:
        yield publish
    finally:
        with contextlib.suppress(StoreError), store.lock:
            store.connection.publish_progress(None)


@dataclass(frozen=True, slots=True)
class Together:
    """How many processes share a job now, and how much they do in a minute."""

    workers: int
    a_minute: float

    def __str__(self) -> str:
        return f"{count(self.workers, 'worker')}, {self.a_minute:,.1f} a minute"


def at_work(store: Store, work: Work) -> Together | None:
    """The processes that share a job now; None if there are none."""
    with store.lock:
        paces = [
            a_second for what, _, a_second in store.connection.worker_progress() if what == work
        ]
    return Together(len(paces), MINUTE * sum(paces)) if paces else None


def with_the_others(store: Store, work: Work, progress: Report) -> Report:
    """A ``Report`` that adds the number and speed of all workers to the progress."""
    looked, said = 0.0, ""

    def report(done: Progress) -> None:
        nonlocal looked, said
        if time.monotonic() - looked >= LOOK_EVERY:
            looked, said = time.monotonic(), str(at_work(store, work) or "")
        progress(replace(done, note=said))

    return report
