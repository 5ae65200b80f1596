"""Events for logs and metrics: that something happened, never what anybody wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

What = Literal["question", "import", "deletion", "restore", "sign-in"]


@dataclass(frozen=True, slots=True)
class MonitoringEvent:
    """A question that was answered, an import that ended, and so on.

    ``outcome`` is a word from a small set, such as ``answered``. ``reason`` is why an answer was withheld, or
    the class of an error. ``seconds`` is the total time, ``steps`` that of each step. ``counts`` are numbers,
    such as of messages. Must contain no message text, names or addresses.
    """

    what: What
    outcome: str
    reason: str = ""
    id: str = ""
    seconds: float = 0.0
    steps: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
