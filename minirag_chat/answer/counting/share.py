"""Which share of the messages somebody wrote, in percent."""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.answer.counting.counted import end_sources, first_and_last
from minirag_chat.answer.scope import where_and_when
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import joined


def share_of_messages(
    store: Store, filters: Filters, _plan: Metadata
) -> tuple[str, tuple[Source, ...]]:
    """The text, and the first and the last of these messages, of which there is at least one."""
    counts = store.message_counts
    of_all = counts.number(replace(filters, people=frozenset()))
    theirs = counts.number(filters)
    cited = end_sources(store, counts.first_and_last(filters) or ())
    names = store.people.shown_names(filters.people)
    where = where_and_when(store, filters)
    part = f"{100 * theirs / of_all:.0f}% of the messages{where}: {theirs:,} of {of_all:,}"
    return f"{joined(names) or 'Everybody'} wrote {part}, {first_and_last(cited, theirs)}.", cited
