"""Files that appeared in a watched folder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ArrivalState = Literal["imported", "failed", "other"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file, zip or folder that appeared or grew in a watched folder, and the result.

    ``at`` is wall-clock. ``state`` is ``imported``, ``failed`` (``said`` is why), or ``other`` if it is not a
    chat export. ``name`` is emptied by every deletion, since it may contain a deleted name.
    """

    at: datetime
    state: ArrivalState
    name: str = ""
    said: str = ""
    messages_read: int = 0
    messages_added: int = 0
    messages_updated: int = 0
