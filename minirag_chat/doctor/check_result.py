"""The result of one check of ``doctor``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["ok", "could be better", "missing"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. ``missing``: no question can be answered without it.

    ``details`` has the figures in ``text`` for programs.
    """

    name: str
    state: State
    text: str
    remedy: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
