"""What a watched folder brought."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ArrivalState = Literal["imported", "failed", "other"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file, zip or folder that appeared or grew in a watched folder, and what came of it.

    ``at`` is wall-clock. ``state`` is ``imported``, ``failed``, where ``said`` is why, or ``other``
    where it is no chat export. ``name`` is empty once something was deleted, whose name it may have.
    """

    at: datetime
    state: ArrivalState
    name: str = ""
    said: str = ""
    messages_read: int = 0
    messages_added: int = 0
    messages_updated: int = 0
