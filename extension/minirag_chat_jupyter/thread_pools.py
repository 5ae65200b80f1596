"""The threads in which blocking work runs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

READERS = 8


class ThreadPools:
    """Pools of threads, so that an import or a slow listing never keeps questions waiting.

    Answering has ``at_once`` threads of its own. So have what opens databases and what changes them: reads
    of a database that is being changed wait, and may take all threads that read.
    """

    def __init__(self, at_once: int = 1) -> None:
        self.answering = ThreadPoolExecutor(at_once, thread_name_prefix="minirag-answer")
        self.reading = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-read")
        self.opening = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-open")
        self.changing = ThreadPoolExecutor(READERS, thread_name_prefix="minirag-change")
