"""What ``doctor`` says of one thing that it looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["ok", "could be better", "missing"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that was looked at. ``missing`` means: no question can be answered without it.

    ``details`` has the figures of ``text`` for programs.
    """

    name: str
    state: State
    text: str
    remedy: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
