"""Which emoji were used most, by some people or by all; one in several colours is one emoji."""

from __future__ import annotations

from minirag_chat.answer.counting.counted import ranking
from minirag_chat.answer.counting.files import emoji_of
from minirag_chat.answer.counting.used_most import used_most
from minirag_chat.answer.counting.words_said import without_colours
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store


def emoji_used(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text, and for each emoji that it names the last message with it."""
    typed = store.message_counts.typed(filters)
    shown: dict[str, str] = {}  # as it was first written
    found = (
        (message, shown.setdefault(without_colours(emoji), emoji))
        for message, _person, text in typed
        for emoji in emoji_of(text)
    )
    used = used_most(store, filters, plan, found)
    if not used.ordered:
        none = f"{used.who} sent no" if used.who else "There are no"
        return f"{none} emojis{used.where}.", ()
    return ranking(used.ordered, used.total, used.head, kind="emoji"), used.cited
