"""What is to be counted: a plan, and the messages that pass its filters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from minirag_chat.answer.where_and_when import of_chats, where_and_when
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.store.message_counts import MessageCounts
from minirag_chat.ui_text import joined

Told = tuple[str, tuple[Source, ...]]
"""The text of an answer, and the messages that it cites."""


class NotRecordedError(Exception):
    """An export leaves out what would have to be counted; the message is the answer."""


@dataclass(frozen=True, slots=True)
class CountRequest:
    """A plan, and the ``filters`` that the messages pass of which it asks."""

    store: Store
    plan: Metadata
    filters: Filters

    @property
    def counts(self) -> MessageCounts:
        """Counts the messages of the store."""
        return self.store.message_counts

    @property
    def where(self) -> str:
        """As in " in “Cabin Crew” on Sundays"; empty if all chats and times count."""
        return where_and_when(self.store, self.filters)

    @property
    def inside(self) -> str:
        """As in " in “Cabin Crew”"; empty if all chats count."""
        return of_chats(self.store, self.filters)

    @property
    def senders(self) -> str:
        """The names of those whose messages the question asks for; empty if it is for those of all."""
        return self.names(self.plan.senders)

    @property
    def whose(self) -> str:
        """As in " from Ann"; empty if it asks for the messages of all."""
        return f" from {self.senders}" if self.plan.senders else ""

    def names(self, people: Iterable[int]) -> str:
        """The names of people in one list."""
        return joined(self.store.people.shown_names(people))

    def name(self, person: int) -> str:
        """The name of one person."""
        return self.store.people.shown_by_id(person)

    def within(self, **changes: Any) -> CountRequest:
        """The same of other messages: ``changes`` are those of the filters."""
        return replace(self, filters=replace(self.filters, **changes))

    def verdict(self, none: str) -> str:
        """A sentence that there is nothing, with "No" before it if yes or no is asked for."""
        return f"No: {none}" if self.plan.question.yes_no else none
