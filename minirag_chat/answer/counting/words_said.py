"""How often a word or phrase was written, and by whom: as it stands, in any case, not other forms of it.

But what messages mention, "Gordon", is also in "gordons mum".

An emoji is counted in any colour, unless the question gives one, and not as a part of another emoji.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import regex

from minirag_chat.answer.counting.cited import end_sources, first_and_last, lines, sources
from minirag_chat.answer.counting.ranking import (
    SHOWN,
    Counted,
    Tally,
    last_sources,
    listed_names,
    ranked,
    ranking,
)
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.counting.verdict import with_verdict
from minirag_chat.answer.where_and_when import in_times, quoted
from minirag_chat.extract.structure import LINK
from minirag_chat.lazy_patterns import lazy_regex
from minirag_chat.question.about_messages.said_word import SaidWord, is_emoji
from minirag_chat.records import MOST_LISTED
from minirag_chat.store.text import in_other_number
from minirag_chat.ui_text import count, day

_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_VARIED = lazy_regex(r"[\uFE0E\uFE0F]")  # the same sign as text, or in colours
_COLOUR = lazy_regex(r"\p{EMod}")
_VARIED_OR_COLOURED = lazy_regex(rf"{_VARIED.pattern}|{_COLOUR.pattern}")
_SIGN = lazy_regex(r"\X")
_ADDRESS = lazy_regex(r"\w[.:/]+\w|://|^(?:https?|www)$", regex.IGNORECASE)
_EDGE = lazy_regex(rf"(?!{_UNSPACED})\w")


@dataclass(frozen=True, slots=True)
class _Written:
    """A word, who wrote it (the most first), how often, and in which messages, with their senders."""

    word: str
    writers: Sequence[Counted]
    times: int
    senders: Mapping[int, int]


def words_said(request: CountRequest) -> Told:
    """The text, and the first and the last message with the word, one of them, or the last of each sender."""
    plan, found = request.plan, _written(request)
    if not found.senders:
        who = request.names(plan.senders or request.filters.people)
        none = f"{who} did not write" if who else "Nobody wrote"
        return request.verdict(f"{none} {found.word}{request.where}."), ()
    if plan.asks.what == "writers":
        return _most(request, found)
    if plan.number:
        return _listed(request, found)
    if plan.asks.of != "people":
        return _chats(request, found)
    return (_end if plan.asks.what == "message" else _total)(request, found)


def _written(request: CountRequest) -> _Written:
    """Who wrote the word, and where."""
    plan, tally = request.plan, Tally[int]()
    senders: dict[int, int] = {}
    typed = request.counts.typed(request.filters)
    words = [plan.word, *(_other_forms(plan.word, typed) if plan.inflected else ())]
    times_in = _counter(words)
    for message, person, text in typed:
        if number := times_in(text):
            tally.add(person, message, number)
            senders[message] = person
    called = " or ".join(f"\u201c{word}\u201d" for word in words)
    return _Written(called, tally.most_first(request.name), tally.numbers.total(), senders)


def _other_forms(word: str, typed: Iterable[tuple[int, int, str]]) -> list[str]:
    """The plural or singular of a word, if one of the texts has it."""
    texts = [text for _message, _person, text in typed]
    return [one for one in in_other_number(word) if any(map(_form([one]).search, texts))]


def _most(request: CountRequest, found: _Written) -> Told:
    """Who wrote it most or least often."""
    ordered, nth = ranked(found.writers, request.plan)
    extreme = "most" if request.plan.asks.end == "most" else "least"
    cited = last_sources(request, ordered)
    if len(found.writers) == 1:
        total = count(found.times, "time")
        return f"Only {ordered[0].name} wrote {found.word}{request.where}: {total} [1].", cited
    head = f"wrote {found.word} {nth}{extreme} often{request.where}"
    return ranking(ordered, found.times, head, kind="time"), cited


def _chats(request: CountRequest, found: _Written) -> Told:
    """In which chats it was written, in how many messages of each, or in which groups."""
    store, tally = request.store, Tally[int]()
    inside = store.messages.groups() if request.plan.asks.of == "groups" else None
    for message in store.messages.by_ids([*found.senders]).values():
        if inside is None or message.chat_id in inside:
            tally.add(message.chat_id, message.id)
    if not tally.numbers:
        return request.verdict(f"No group has {found.word}{request.where}."), ()
    titles = store.messages.titles()
    chats = tally.most_first(lambda chat: quoted(titles[chat]))
    when = in_times(request.filters)
    said = f"in {count(chats[0].number, 'message')} of {chats[0].name}{when} [1]"
    if len(chats) > 1:
        listed = listed_names(chats[:SHOWN], len(chats), cite_from=1)
        said = f"in messages of {count(len(chats), 'chat')}{when}: {listed}"
    yes = "Yes: " if request.plan.question.yes_no else ""
    return f"{yes}{found.word} is {said}.", last_sources(request, chats)


def _listed(request: CountRequest, found: _Written) -> Told:
    """The messages with it, in order of time: the last ones if they are many."""
    every, filters = list(found.senders), request.filters
    cited = sources(request.store, every[-min(request.plan.number, MOST_LISTED) :])
    whose = f" from {request.names(filters.people)}" if filters.people else ""
    of_all = f" (the last {len(cited)})" if len(every) > len(cited) else ""
    head = f"{count(len(every), 'message')} with {found.word}{whose}{request.where}{of_all}:"
    return f"{head}\n\n{lines(cited, filters)}", cited


def _end(request: CountRequest, found: _Written) -> Told:
    """When it was first or last written, and by whom."""
    plan, where, end = request.plan, request.where, request.plan.asks.end
    cited = sources(request.store, [[*found.senders][-1 if end == "last" else 0]])
    who = request.name(found.senders[cited[0].message.id])
    on = f"on {day(cited[0].message.sent_at)} [1]"
    if plan.senders:
        return f"{who} {end} wrote {found.word}{where} {on}.", cited
    if SaidWord(plan.word, 0, 0).is_sign:
        return f"{found.word} was {end} written{where} by {who} {on}.", cited
    word = found.word if " " in plan.word else f"the word {found.word}"
    return f"The {end} message with {word}{where} is from {who}, {on}.", cited


def _total(request: CountRequest, found: _Written) -> Told:
    """How often it was written, by whom, and when."""
    total, messages = count(found.times, "time"), list(found.senders)
    if found.times > len(messages):
        total += f" in {count(len(messages), 'message')}"
    writers, where = found.writers, request.where
    head = f"{writers[0].name} wrote {found.word} {total}{where}, "
    if len(writers) > 1:
        listed = listed_names(writers[:SHOWN], len(writers))
        head = f"{found.word} was written {total}{where}: {listed}; "
    cited = end_sources(request.store, (messages[0], messages[-1]))
    text = f"{head}{first_and_last(cited, found.times, where)}."
    none = f"did not write {found.word}{where}"
    return with_verdict(request, {*found.senders.values()}, text, none), cited


def _counter(words: Sequence[str]) -> Callable[[str], int]:
    """Counts a word, also in its other forms, in a text; in its links only a word that is one, or a part."""
    word = words[0]
    if is_emoji(word):
        return lambda text: _times_of_emoji(word, text)
    form = _form([_VARIED.sub("", one) for one in words])
    linked = _ADDRESS.search(word) is not None

    def times_in(text: str) -> int:
        bare = LINK.sub(" ", text) if not linked and form.search(text) else text
        return sum(1 for _ in form.finditer(bare))

    return times_in


def _times_of_emoji(word: str, text: str) -> int:
    """How often emoji are in a text one after the other: each is one, of however many characters."""
    if word[0] not in text:
        return 0
    left_out = _VARIED if _COLOUR.search(word) else _VARIED_OR_COLOURED
    sought, signs = _signs(word, left_out), _signs(text, left_out)
    number, at = 0, 0
    while at <= len(signs) - len(sought):
        same = signs[at : at + len(sought)] == sought
        number += same
        at += len(sought) if same else 1
    return number


def without_colours(emoji: str) -> str:
    """An emoji of any colour, as text or as a picture, in one form."""
    return _VARIED_OR_COLOURED.sub("", emoji)


def _signs(text: str, left_out: regex.Pattern[str]) -> list[str]:
    return [left_out.sub("", sign) for sign in _SIGN.findall(text)]


def _form(words: Sequence[str]) -> regex.Pattern[str]:
    """Finds a word or phrase, or another form of it, that is not part of a longer word.

    In a script without spaces it may be anywhere.
    """
    first, last = words[0][0], words[0][-1]
    forms = (r"\s+".join(map(regex.escape, word.split())) for word in words)
    inner = "|".join(one.replace("\u2019", "'").replace("'", "['\u2019]") for one in forms)
    before = r"(?<!\w)" if _EDGE.match(first) else ""
    after = r"(?!\w)" if _EDGE.match(last) else ""
    return regex.compile(f"{before}(?:{inner}){after}", regex.IGNORECASE)
