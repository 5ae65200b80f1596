"""What happens, told to those who listen: the log and the metrics of whoever runs the program.

Where nobody listens, nothing is kept. Nothing that is told here has what anybody wrote: see ``Happened``.
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
from minirag_chat.records.happened import Happened, What

Given = ParamSpec("Given")
Result = TypeVar("Result")
Listener = Callable[[Happened], None]

_LISTENERS: list[Listener] = []


def listen(listener: Listener) -> None:
    """Tell a listener from now on, in whatever thread something happens."""
    _LISTENERS.append(listener)


def unlisten(listener: Listener) -> None:
    """Tell it no more."""
    _LISTENERS.remove(listener)


def tell(happened: Happened) -> None:
    """Tell all who listen."""
    for listener in tuple(_LISTENERS):
        listener(happened)


@dataclass(slots=True)
class Seen:
    """What is known of something when it ends: the answer, or how many messages there were."""

    answer: Answer | None = None
    counts: dict[str, int] = field(default_factory=dict)


@contextmanager
def watched(what: What) -> Iterator[Seen]:
    """Tell how the block ended, and how long it took; what it says in ``Seen`` is told with it."""
    seen, begun = Seen(), time.perf_counter()
    outcome, reason = "done", ""
    try:
        yield seen
    except (GeneratorExit, KeyboardInterrupt, ImportStopped):
        outcome = "stopped"
        raise
    except BaseException as error:
        outcome, reason = "failed", type(error).__name__
        raise
    finally:
        steps: dict[str, float] = {}
        if seen.answer is not None and outcome != "failed":
            outcome, reason, steps = _of_answer(seen.answer)
        seconds = time.perf_counter() - begun
        tell(Happened(what, outcome, reason, uuid.uuid4().hex[:12], seconds, steps, seen.counts))


def _of_answer(answer: Answer) -> tuple[str, str, dict[str, float]]:
    """How a question ended, why, and how long it took to find the messages and to read them."""
    steps = {"retrieve": answer.timings["retrieve"]} if "retrieve" in answer.timings else {}
    if steps and "total" in answer.timings:
        steps["read"] = max(0.0, answer.timings["total"] - steps["retrieve"])
    if answer.stopped:
        return "stopped", "", steps
    return ("silent", answer.reason or "", steps) if answer.abstained else ("answered", "", steps)


def tells(what: What) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Decorate a function whose calls are told, with the number of messages that its result names."""

    def decorated(function: Callable[Given, Result]) -> Callable[Given, Result]:
        @wraps(function)
        def call(*args: Given.args, **named: Given.kwargs) -> Result:
            with watched(what) as seen:
                result = function(*args, **named)
                for name in ("messages", "messages_added"):
                    if isinstance(count := getattr(result, name, None), int):
                        seen.counts["messages"] = count
                return result

        return call

    return decorated
