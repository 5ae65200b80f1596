"""The longest and the shortest message, and who writes the longest and the shortest ones."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from minirag_chat.answer.counting.cited import said_when, sources
from minirag_chat.answer.counting.ranking import SHOWN, Tally, last_sources, listed_names, ranking
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.where_and_when import quoted
from minirag_chat.lazy_patterns import lazy_regex
from minirag_chat.ui_text import count, joined

FEWEST = 5
"""Messages of a person without which no mean is given."""
NOTHING_TYPED = "No message has text{where}."
_UNSPACED = lazy_regex(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_WORD = lazy_regex(rf"{_UNSPACED.pattern}|[^\s\p{{Han}}\p{{Hiragana}}\p{{Katakana}}]+")
_POSITIVE = {"longest": "long", "shortest": "short"}


@dataclass(frozen=True, slots=True)
class _Writer:
    """Who writes: how many messages, their mean number of words, and the longest or shortest of them."""

    messages: int
    mean: float
    message: int


def words_in(text: str) -> int:
    """What is between blanks; of Chinese and Japanese, which have none, the characters."""
    unspaced = not text.isascii() and _UNSPACED.search(text)
    return len(_WORD.findall(text)) if unspaced else len(text.split())


def extreme_message(request: CountRequest) -> Told:
    """The longest or the shortest message: by whom, when and where, and its length."""
    which = request.plan.asks.end or "longest"
    first = max if which == "longest" else min
    where = request.where
    lengths = {
        message: (words_in(text), len(text.strip()))
        for message, _person, text in request.counts.typed(request.filters)
        if text.strip()
    }
    if not lengths:
        return NOTHING_TYPED.format(where=where), ()
    length = first(lengths.values())
    same = [message for message, its in lengths.items() if its == length]
    (cited,) = sources(request.store, same[:1])
    chat = "" if request.filters.chats else f", in {quoted(cited.message.chat)}"
    size = f"{count(length[0], 'word')}, {count(length[1], 'character')}"
    text = f"The {which} message{where} is from {said_when(cited)}{chat} ({size})"
    more = len(same) - 1
    also = f" {more:,} more {'is' if more == 1 else 'are'} as {_POSITIVE[which]}." if more else ""
    return f"{text}: \u201c{cited.quote}\u201d [1].{also}", (cited,)


def words_written(request: CountRequest) -> Told:
    """How many words were typed, and by whom, or by whom most; forwarded messages are of others."""
    where = request.where
    tally = Tally[int]()
    for message, person, text in request.counts.typed(request.filters, forwarded=False):
        tally.add(person, message, words_in(text))
    writers = [one for one in tally.most_first(request.name) if one.number]
    if not writers:
        return NOTHING_TYPED.format(where=where), ()
    cited, total = last_sources(request, writers), tally.numbers.total()
    if len(writers) == 1:
        return f"{writers[0].name} wrote {count(total, 'word')}{where}, the last in [1].", cited
    if request.plan.asks.end == "most":
        return ranking(writers, total, f"wrote the most words{where}", kind="word"), cited
    listed = listed_names(writers[:SHOWN], len(writers), cite_from=1)
    return f"{count(total, 'word')}{where}: {listed}.", cited


def mean_lengths(request: CountRequest) -> Told:
    """Who writes the longest or the shortest messages, with the mean number of words; or that of one."""
    longest = request.plan.asks.end == "longest"
    which, extreme = ("longest", max) if longest else ("shortest", min)
    where = request.where
    typed: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for message, person, text in request.counts.typed(request.filters, forwarded=False):
        typed[person].append((words_in(text), message))
    writers = [
        _Writer(len(own), sum(words for words, _message in own) / len(own), extreme(own)[1])
        for own in typed.values()
        if len(own) >= FEWEST
    ]
    if not writers:
        people = request.store.people.shown_names(request.filters.people)
        who = f"{joined(people)} {'have' if people[1:] else 'has'} not" if people else "Nobody has"
        return f"{who} typed {FEWEST} messages{where}, too few to say how long they are.", ()
    writers.sort(key=lambda one: -one.mean if longest else one.mean)
    cited = sources(request.store, [one.message for one in writers[:SHOWN]])
    names = [one.message.shown_sender for one in cited]
    size = f"{writers[0].mean:.1f} words on average in {count(writers[0].messages, 'message')}"
    if len(request.plan.senders) == 1:
        return f"{names[0]} writes {size}{where}; the {which} of them is [1].", cited
    rest = [
        f"{name} ({one.mean:.1f} in {one.messages:,}) [{one_source.number}]"
        for name, one, one_source in zip(names, writers, cited, strict=False)
    ][1:]
    then = f" Then {joined(rest, of=len(writers) - 1)}." if rest else ""
    few = len(typed) - len(writers)
    left = f" {count(few, 'person has', 'people have')} typed fewer than {FEWEST}." if few else ""
    return f"{names[0]} [1] writes the {which} messages{where}: {size}.{then}{left}", cited
