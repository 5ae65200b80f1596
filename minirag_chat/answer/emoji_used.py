"""Which emoji were used most, by some people or by all; one in several colours is one emoji."""

from __future__ import annotations

from collections import Counter

from minirag_chat.answer.counted import SHOWN, Counted, in_place, ranking, sources
from minirag_chat.answer.files import emoji_of
from minirag_chat.answer.scope import in_times, of_chats
from minirag_chat.answer.words_said import without_colours
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import joined


def emoji_used(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text, and for each emoji that it names the last message with it."""
    numbers: Counter[str] = Counter()
    last: dict[str, int] = {}
    shown: dict[str, str] = {}  # as it was first written
    for message, _person, text in store.message_counts.typed(filters):
        for emoji in emoji_of(text):
            name = shown.setdefault(without_colours(emoji), emoji)
            numbers[name] += 1
            last[name] = message
    where = f"{of_chats(store, filters)}{in_times(filters)}"
    names = [store.people.shown_by_id(person) for person in sorted(plan.senders)]
    who = joined(names) if names else ""
    if not numbers:
        return f"{f'{who} sent no' if who else 'There are no'} emojis{where}.", ()
    ranked = [Counted(name, number) for name, number in numbers.most_common()]
    ordered, nth = in_place(ranked, plan.place)
    several = len(ordered) > 1 and ordered[0].messages == ordered[1].messages
    head = f"{'were' if several else 'was'} used {nth}most{f' by {who}' if who else ''}{where}"
    cited = sources(store, [last[one.name] for one in ordered[:SHOWN]])
    return ranking(ordered, numbers.total(), head, kind="emoji"), cited
