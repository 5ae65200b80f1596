"""How often a word or phrase was written, and by whom: as it stands, in any case, not other forms of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import regex

from minirag_chat.answer.counted import (
    PLACES,
    SHOWN,
    Counted,
    in_place,
    listed_names,
    ranking,
    source,
)
from minirag_chat.answer.scope import in_times, of_chats
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, day, joined

_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_EDGE = regex.compile(rf"(?!{_UNSPACED})\w")


def words_said(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text, and the first and the last message with the word, or the last of each sender."""
    numbers: Counter[int] = Counter()
    senders: dict[int, int] = {}  # of the messages with the word, in order of time
    form = _form(plan.word)
    for message, person, text in store.message_counts.typed(filters):
        if number := sum(1 for _ in form.finditer(text)):
            numbers[person] += number
            senders[message] = person
    names = {person: store.people.shown_by_id(person) for person in numbers.keys() | plan.senders}
    where = f"{of_chats(store, filters)}{in_times(filters)}"
    word = f"\u201c{plan.word}\u201d"
    if not senders:
        who = [names[person] for person in sorted(plan.senders)]
        return f"{f'{joined(who)} did not write' if who else 'Nobody wrote'} {word}{where}.", ()
    ranked = [Counted(names[person], number) for person, number in numbers.most_common()]
    if plan.asks in {"most", "fewest"}:
        every = ranked if plan.asks == "most" else ranked[::-1]
        ordered = in_place(every, plan.place)
        nth = PLACES[plan.place] if ordered != every else ""
        head = f"wrote {word} {nth}{'most' if plan.asks == 'most' else 'least'} often{where}"
        last = {names[person]: message for message, person in senders.items()}
        cited = _sources(store, [last[one.name] for one in ordered[:SHOWN]])
        return ranking(ordered, numbers.total(), head, kind="time"), cited
    total = count(numbers.total(), "time")
    if numbers.total() > len(senders):
        total += f" in {count(len(senders), 'message')}"
    head = f"{ranked[0].name} wrote {word} {total}{where}, "
    if len(ranked) > 1:
        head = f"{word} was written {total}{where}: {listed_names(ranked[:SHOWN], len(ranked))}; "
    messages = list(senders)
    cited = _sources(store, list(dict.fromkeys((messages[0], messages[-1]))))
    return f"{head}{_when(cited)}.", cited


def _when(cited: Sequence[Source]) -> str:
    """The days of the first and the last message."""
    days = [f"{day(one.message.sent_at)} [{one.number}]" for one in cited]
    return f"the first on {days[0]}, the last on {days[1]}" if days[1:] else f"on {days[0]}"


def _form(word: str) -> regex.Pattern[str]:
    """Finds a word or phrase that is not part of a longer word; in a script without spaces anywhere."""
    inner = r"\s+".join(map(regex.escape, word.split()))
    inner = inner.replace("\u2019", "'").replace("'", "['\u2019]")
    before = r"(?<!\w)" if _EDGE.match(word[0]) else ""
    after = r"(?!\w)" if _EDGE.match(word[-1]) else ""
    return regex.compile(f"{before}{inner}{after}", regex.IGNORECASE)


def _sources(store: Store, chosen: Sequence[int]) -> tuple[Source, ...]:
    messages = store.messages.by_ids(list(chosen))
    return tuple(source(number, messages[one]) for number, one in enumerate(chosen, start=1))
