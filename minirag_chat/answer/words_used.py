"""Which words were used most, by some people or by all; closed-class words such as "the" do not count."""

from __future__ import annotations

from collections import Counter

import regex

from minirag_chat.answer.counted import SHOWN, Counted, in_place, ranking, sources
from minirag_chat.answer.scope import in_times, of_chats
from minirag_chat.common_words import STOP_WORDS
from minirag_chat.extract.structure import LINK
from minirag_chat.lazy_patterns import lazy_regex
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import joined

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_LETTER = rf"[\p{{L}}\p{{M}}--[{_UNSPACED}]]"
_WORD = lazy_regex(rf"(?<![\w'\u2019]){_LETTER}++(?:['\u2019]{_LETTER}++)*+(?!\w)", regex.V1)
_NOT_COUNTED = STOP_WORDS.union(
    (who + short for who in "i you he she it we they that there what who".split()
     for short in "m re ve ll d s".split()),
    (f"{verb}nt" for verb in "do ca wo did is was does could would should have has had are were ai".split()),
)  # fmt: skip
"""Closed-class words, also those that people write without an apostrophe: "im", "dont"."""
NOT_COUNTED = "Words such as \u201cthe\u201d and \u201cyou\u201d are not counted."


def words_used(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text, and for each word that it names the last message with it.

    A script without spaces between its words has none that could be counted.
    """
    numbers: Counter[str] = Counter()
    last: dict[str, int] = {}
    for message, _person, text in store.message_counts.typed(filters):
        for word in _words(text):
            numbers[word] += 1
            last[word] = message
    where = f"{of_chats(store, filters)}{in_times(filters)}"
    names = [store.people.shown_by_id(person) for person in sorted(plan.senders)]
    who = joined(names) if names else ""
    if not numbers:
        return f"{f'{who} wrote no' if who else 'There are no'} words to count{where}.", ()
    every = [Counted(f"\u201c{word}\u201d", number) for word, number in numbers.most_common()]
    ordered, nth = in_place(every, plan.place)
    several = len(ordered) > 1 and ordered[0].messages == ordered[1].messages
    head = f"{'were' if several else 'was'} used {nth}most{f' by {who}' if who else ''}{where}"
    cited = sources(store, [last[one.name[1:-1]] for one in ordered[:SHOWN]])
    text = ranking(ordered[:SHOWN], numbers.total(), head, kind="word")
    return f"{text} {NOT_COUNTED}", cited


def _words(text: str) -> list[str]:
    """The words of a text that say something, in lower case, without those of links."""
    bare = LINK.sub(" ", text) if "://" in text or "www." in text else text
    words = (word.replace("\u2019", "'").casefold() for word in _WORD.findall(bare))
    return [word for word in words if len(word) > 1 and word.split("'")[0] not in _NOT_COUNTED]
