"""Metrics for Prometheus: numbers with labels from small fixed sets, and nothing else.

The client library is optional; if it is missing and metrics are requested, the error says how to install it.
"""

from __future__ import annotations

from collections.abc import Callable

from minirag_chat.errors import BadSetting, MiniRagChatError
from minirag_chat.records.monitoring import MonitoringEvent
from minirag_chat.system.installing import need

SECONDS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Bounds of the latency histogram's buckets."""


class Metrics:
    """The metrics of one process. A listener for ``monitoring``; thread-safe.

    ``waiting`` and ``left`` are called at every scrape: how many questions wait, and how many chunks have no
    vector yet. Raises ``BadSetting`` if the client library is missing.
    """

    def __init__(self, left: Callable[[], int], waiting: Callable[[], int] | None = None) -> None:
        need("prometheus_client", "server", "Metrics need")
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
        from prometheus_client.process_collector import ProcessCollector

        self.registry = here = CollectorRegistry()
        ProcessCollector(registry=here)
        self._questions = Counter(
            "minirag_chat_questions", "Questions, by how they ended.", ["outcome", "reason"],
            registry=here,
        )  # fmt: skip
        self._steps = Histogram(
            "minirag_chat_question_seconds", "Seconds that a step of a question took.", ["step"],
            buckets=SECONDS, registry=here,
        )  # fmt: skip
        self._changes = Counter(
            "minirag_chat_changes", "Imports, deletions and sign-ins.", ["what", "outcome"],
            registry=here,
        )  # fmt: skip
        self._imported = Counter(
            "minirag_chat_imported_messages", "Messages that came in.", registry=here
        )
        to_embed = Gauge(
            "minirag_chat_index_left", "Chunks that have no vector yet.", registry=here
        )
        to_embed.set_function(lambda: _known(left))
        if waiting is not None:
            in_line = Gauge(
                "minirag_chat_waiting", "Questions that wait for their turn.", registry=here
            )
            in_line.set_function(waiting)

    def __call__(self, happened: MonitoringEvent) -> None:
        """Count the event."""
        if happened.what != "question":
            self._changes.labels(happened.what, happened.outcome).inc()
            if happened.what == "import":
                self._imported.inc(happened.counts.get("messages", 0))
            return
        self._questions.labels(happened.outcome, happened.reason).inc()
        if happened.steps:
            for step, seconds in {**happened.steps, "whole": happened.seconds}.items():
                self._steps.labels(step).observe(seconds)

    def text(self) -> tuple[bytes, str]:
        """All metrics in Prometheus' text format, and its content type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self.registry), CONTENT_TYPE_LATEST

    def serve(self, host: str, port: int) -> None:
        """Serve them over HTTP from a thread, for a process that serves nothing else."""
        from prometheus_client import start_http_server

        try:
            start_http_server(port, host, self.registry)
        except OSError as error:
            raise BadSetting(
                f"The metrics cannot be served on {host}, port {port} ({error}): choose another port."
            ) from error


def _known(count: Callable[[], int]) -> float:
    """A count from the database; NaN while that cannot be reached, so that other metrics still work."""
    try:
        return count()
    except MiniRagChatError:
        return float("nan")
