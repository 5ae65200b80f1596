"""Callbacks by which long work reports to its caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minirag_chat.records.imports import Progress
from minirag_chat.records.stored import Message

Report = Callable[[Progress], None]
"""Called with the progress of the work."""
OnContext = Callable[[Sequence[Message]], None]
"""Called with the messages that are about to be read, best first."""
Cancelled = Callable[[], bool]
"""Long work calls it again and again, and ends early once it returns True."""


def silent(_: Progress) -> None:
    """The ``Report`` of a caller that shows no progress."""


def ignore_context(_: Sequence[Message]) -> None:
    """The ``OnContext`` of a caller that does not show what is being read."""


def never() -> bool:
    """The ``Cancelled`` of a caller that does not cancel."""
    return False
