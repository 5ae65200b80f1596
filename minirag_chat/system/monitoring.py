"""Sends events to listeners: the log and the metrics of whoever operates the program.

Without a listener nothing is kept. Events contain no message text: see ``MonitoringEvent``.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec, TypeVar

from minirag_chat.errors import ImportStopped
from minirag_chat.records import Answer
from minirag_chat.records.monitoring import MonitoringEvent, What

Given = ParamSpec("Given")
Result = TypeVar("Result")
Listener = Callable[[MonitoringEvent], None]

_LISTENERS: list[Listener] = []


def listen(listener: Listener) -> None:
    """Add a listener, which is called in the thread of the event."""
    _LISTENERS.append(listener)


def tell(event: MonitoringEvent) -> None:
    """Send an event to all listeners."""
    for listener in tuple(_LISTENERS):
        listener(event)


@dataclass(slots=True)
class MonitoredResult:
    """The result of a monitored block: the answer, or counts such as of messages."""

    answer: Answer | None = None
    counts: dict[str, int] = field(default_factory=dict)


@contextmanager
def monitored(what: What) -> Iterator[MonitoredResult]:
    """Send an event when the block ends: outcome, duration, and what is in ``MonitoredResult``."""
    result_record, started_at = MonitoredResult(), time.perf_counter()
    outcome, reason = "done", ""
    try:
        yield result_record
    except (GeneratorExit, KeyboardInterrupt, ImportStopped):
        outcome = "stopped"
        raise
    except BaseException as error:
        outcome, reason = "failed", type(error).__name__
        raise
    finally:
        steps: dict[str, float] = {}
        if result_record.answer is not None and outcome != "failed":
            outcome, reason, steps = _of_answer(result_record.answer)
        seconds = time.perf_counter() - started_at
        tell(
            MonitoringEvent(
                what, outcome, reason, uuid.uuid4().hex[:12], seconds, steps, result_record.counts
            )
        )


def _of_answer(answer: Answer) -> tuple[str, str, dict[str, float]]:
    """The outcome of a question, the reason, and the seconds of retrieval and of reading."""
    steps = {"retrieve": answer.timings["retrieve"]} if "retrieve" in answer.timings else {}
    if steps and "total" in answer.timings:
        steps["read"] = max(0.0, answer.timings["total"] - steps["retrieve"])
    if answer.stopped:
        return "stopped", "", steps
    return ("silent", answer.reason or "", steps) if answer.abstained else ("answered", "", steps)


def monitored_method(what: What) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Decorate a function so that each call sends an event with the number of messages in its result."""

    def decorated(function: Callable[Given, Result]) -> Callable[Given, Result]:
        @wraps(function)
        def call(*args: Given.args, **named: Given.kwargs) -> Result:
            with monitored(what) as result_record:
                result = function(*args, **named)
                for name in ("messages", "messages_added"):
                    if isinstance(count := getattr(result, name, None), int):
                        result_record.counts["messages"] = count
                return result

        return call

    return decorated
