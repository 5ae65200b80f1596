"""What the processes that share a work say of themselves, and how fast they are together."""

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
from minirag_chat.wording import count

LOOK_EVERY = 1.0  # seconds between two looks at the other workers
MINUTE = 60  # seconds


@contextmanager
def telling(store: Store, work: Work) -> Iterator[Callable[[int], None]]:
    """Inside, others see how much this process did, which is what is called with its number."""
    begun = time.monotonic()

    def tell(done: int) -> None:
        with store.lock:
            store.connection.tell(work, done, done / max(time.monotonic() - begun, 1e-3))

    try:
        yield tell
    finally:
        with contextlib.suppress(StoreError), store.lock:
            store.connection.tell(None)


@dataclass(frozen=True, slots=True)
class Together:
    """How many processes share a work now, and how much they do in a minute."""

    workers: int
    a_minute: float

    def __str__(self) -> str:
        return f"{count(self.workers, 'worker')}, {self.a_minute:,.1f} a minute"


def at_work(store: Store, work: Work) -> Together | None:
    """Who shares a work now; None where nobody says so."""
    with store.lock:
        paces = [a_second for what, _, a_second in store.connection.told() if what == work]
    return Together(len(paces), MINUTE * sum(paces)) if paces else None


def with_the_others(store: Store, work: Work, progress: Report) -> Report:
    """Report progress together with who shares the work."""
    looked, said = 0.0, ""

    def report(done: Progress) -> None:
        nonlocal looked, said
        if time.monotonic() - looked >= LOOK_EVERY:
            looked, said = time.monotonic(), str(at_work(store, work) or "")
        progress(replace(done, note=said))

    return report
