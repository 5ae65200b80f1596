"""What the plan of a question depends on, besides the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from minirag_chat.store import Store


@dataclass(frozen=True, slots=True)
class PlanContext:
    """The time of the newest message, the titles of the chats by id, and the person who asks."""

    newest: datetime
    titles: Mapping[int, str] = field(default_factory=dict)
    me: int | None = None
    in_other_words: bool = False
    """A classifier may say what the question means (``paraphrase.py``)."""

    @classmethod
    def of(cls, store: Store, newest: datetime) -> PlanContext:
        """That of questions to this store."""
        return cls(newest, store.messages.titles(), store.me.id())
