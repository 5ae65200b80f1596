"""Overview questions: the themes in scope, each by the message that says most, in order of time.

The themes are the conversations in scope that say most, or for all messages and for a large scope the
communities' reports, restricted to the period, people and chats that the question names. No message
represents two themes. The first five are shown, each by its keywords and its most informative message.
Messages are quoted, since a small model's summaries are wrong about who said what too often, and no model
chooses the themes, since it chose worse ones. A few messages are all shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from heapq import nlargest
from itertools import groupby, islice
from math import ceil
from operator import or_

import numpy as np
from dateutil.relativedelta import relativedelta

from minirag_chat.graph.keywords import (
    SHOWN_CHARACTERS,
    counted,
    keywords,
    shown_informativeness,
    word_counts,
)
from minirag_chat.question.overview import read_at
from minirag_chat.question.stop_words import foreign_stop_words
from minirag_chat.records import (
    Answer,
    Cancelled,
    Filters,
    Message,
    PathEdge,
    PathNode,
    Question,
    ReasoningPath,
    Source,
    never,
)
from minirag_chat.store import Store
from minirag_chat.store.arrays import Ids, places
from minirag_chat.store.columns import is_among
from minirag_chat.store.text import stem, terms, words
from minirag_chat.ui_text import cut, one_line, said_at

SHOWN = 5  # themes
TITLE_WORDS = 3
TITLE_LEAST = 3  # messages of the theme with a word of its title
TITLE_SHARE = 0.2  # of all messages with this word
MOST_WEIGHED = 2000  # passages of a scope whose conversations are weighed by what they say
WEIGHED = 3  # messages of a conversation that are weighed
REPEATED = 0.8  # weight of another conversation of the same part of the time
KEPT = 6  # messages of a theme, of which the first that leads no other one is shown
OVERLAP = 0.5  # reports that share more of their chunks with a larger one are left out
MOST_GROUPS = 64  # of people whom a question with names that several have may mean
FEW = 20  # messages in scope that are all shown
FEW_WITH_FILES = 2 * FEW  # and those among them that are nothing but a file
UNSURE = 0.5
Group = tuple[str | None, dict[int, float]]
"""The title of a report, or none, and its chunks with their weights."""
NOTHING = (
    "There is nothing to sum up: no messages of that time or with these people fit the question."
)


@dataclass(frozen=True, slots=True)
class Theme:
    """A topic of conversation: its title, and its messages, the best first."""

    title: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation: when it begins, how much it says, and its chunks."""

    begun: datetime
    weight: float
    group: Group


def overview(
    question: Question, found: Sequence[Theme], cancelled: Cancelled = never
) -> Iterator[str | Answer]:
    """Yield a line for each theme, in order of time, then the ``Answer``."""
    begun = time.perf_counter()
    lines: list[str] = []
    sources: list[Source] = []
    led = _led(found)
    in_chat = len({first.chat for _theme, first in led}) > 1
    for theme, first in led:
        if cancelled():
            break
        source = Source(len(sources) + 1, first, _short(first.text))
        sources.append(source)
        lines.append(f"- {_quoted(theme, source, in_chat=in_chat)} [{source.number}]")
        yield lines[-1] + "\n"
    stopped = cancelled()
    nothing = not lines and not stopped
    yield Answer(
        question=question.text,
        text=NOTHING if nothing else "\n".join(lines),
        abstained=nothing,
        confidence=UNSURE if lines else 0.0,
        reason="no_messages" if nothing and not found else "nothing_found" if nothing else None,
        sources=tuple(sources),
        closest=(),
        path=_path(question, found, sources),
        timings={"total": time.perf_counter() - begun},
        model="extractive",
        stopped=stopped,
    )


def _led(best: Sequence[Theme]) -> list[tuple[Theme, Message]]:
    """Each theme with the message that leads it, in order of time; no message leads two if it need not."""
    led: dict[int, tuple[Theme, Message]] = {}
    shared = []
    for theme in best:
        first = next((m for m in theme.messages if m.id not in led), None)
        if first is None:
            shared.append((theme, theme.messages[0]))
        else:
            led[first.id] = theme, first
    return sorted([*led.values(), *shared], key=lambda one: (one[1].sent_at, one[1].id))


def few_messages(store: Store, question: Question) -> list[Message]:
    """The messages in scope, in order of time, if the question names one and those with words are few.

    Those that were deleted or are only emoji are left out, unless there are no others.
    """
    scope = _last_scope(store, question)
    if scope is None or len(scope) > FEW_WITH_FILES:
        return []
    everything = store.messages.by_ids(scope.tolist()).values()
    said = [message for message in everything if not message.says_nothing] or everything
    few = sum(not message.wordless for message in said) <= FEW
    return sorted(said, key=lambda m: (m.sent_at, m.id)) if few else []


def all_quoted(question: Question, messages: Sequence[Message]) -> Iterator[str | Answer]:
    """Yield a line for each message, then the ``Answer``. Files that follow each other share a line."""
    begun = time.perf_counter()
    sources = sources_of(messages)
    in_chat = len({message.chat for message in messages}) > 1
    lines = [
        f"- {said_at(first.message, one_line(first.quote), in_chat=in_chat)} "
        + "".join(f"[{one.number}]" for one in (first, *others))
        for _key, (first, *others) in groupby(sources, key=_of_one_line)
    ]
    yield from (line + "\n" for line in lines)
    yield listed(question, "\n".join(lines), sources, begun)


def _of_one_line(source: Source) -> tuple[object, ...]:
    """A key that is equal for files that one person sends right after each other, as their marks are."""
    message = source.message
    own = message.id if not message.wordless else None
    return own, message.chat_id, message.sender_id, message.text, message.sent_at.date()


def sources_of(messages: Sequence[Message]) -> tuple[Source, ...]:
    """The messages, numbered, with what is shown of them."""
    return tuple(Source(n, m, _short(m.text)) for n, m in enumerate(messages, start=1))


def listed(
    question: Question, text: str, sources: Sequence[Source], begun: float, confidence: float = 1.0
) -> Answer:
    """The answer that lists these messages; its path leads to them through their chats."""
    by_chat: dict[str, list[Message]] = {}
    for source in sources:
        by_chat.setdefault(source.message.chat, []).append(source.message)
    chats = [Theme(chat, tuple(said)) for chat, said in by_chat.items()]
    return Answer(
        question=question.text,
        text=text,
        abstained=False,
        confidence=confidence,
        reason=None,
        sources=tuple(sources),
        closest=(),
        path=_path(question, chats, sources),
        timings={"total": time.perf_counter() - begun},
        model="extractive",
    )


def needs_reports(store: Store, question: Question) -> bool:
    """Whether the themes may be reports, which have to be there then."""
    return not _is_weighed(*_in_scope(store, question))


def _in_scope(store: Store, question: Question) -> tuple[Ids | None, Ids]:
    """The messages in scope, or None for all, and the chunks of their conversations."""
    scope = _last_scope(store, question)
    rows = store.index.rows()
    return scope, store.columns.own_chunks(rows.chunk_ids, rows.session_ids, scope)


def _is_weighed(scope: Ids | None, inside: Ids) -> bool:
    """Whether the conversations in scope are weighed by what they say."""
    return scope is not None and len(inside) <= MOST_WEIGHED


def themes(store: Store, question: Question) -> list[Theme]:
    """The conversations in scope that say most, or of a large scope and of all messages the largest reports.

    Each of several whose own messages are asked for has themes of their own.
    """
    scope, inside = _in_scope(store, question)
    counts, total = counted(store, foreign_stop_words)

    says = shown_informativeness(store, foreign_stop_words)
    weighed = _is_weighed(scope, inside)
    groups = _informative(store, inside, scope, says) if weighed else _groups(store, inside)
    found: list[Theme] = []
    led: set[tuple[int, str]] = set()
    for reported, chunks in groups:
        if len(found) >= SHOWN:
            break
        own = _own(store, list(chunks), scope)
        said = {m.id: m for c in chunks for m in own[c] if _same(m) not in led and not m.wordless}
        for part in _of_each(list(said.values()), question):
            often = word_counts(m.text for m in part)
            words = keywords(often, counts, total)
            order = sorted(part, key=lambda m: (-says(m), m.id))
            # The report's own title is about all its chunks, not only those in scope or in a part of it.
            titles = (w for w in words if often[w] >= max(TITLE_LEAST, TITLE_SHARE * counts[w]))
            title = ", ".join(islice(titles, TITLE_WORDS))
            if scope is None and reported is not None:
                title = reported
            led.add(_same(order[0]))
            found.append(Theme(title, tuple(_spread(order)[:KEPT])))
    return found[:SHOWN]


def _of_each(said: Sequence[Message], question: Question) -> list[list[Message]]:
    """The messages of each sender, if those of several people are asked for; else all, if there are any."""
    if not question.quoted_speakers[1:]:
        return [list(said)] if said else []
    by_sender: dict[int, list[Message]] = {}
    for message in said:
        by_sender.setdefault(message.sender_id, []).append(message)
    return list(by_sender.values())


def _own(store: Store, chunks: Sequence[int], scope: Ids | None) -> dict[int, list[Message]]:
    """The messages of each chunk that belong to its session and are in scope."""
    rows = store.index.rows()
    place, _there = places(np.array(chunks), rows.chunk_ids)
    session = dict(zip(chunks, rows.session_ids[place].tolist(), strict=True))
    members = store.index.members(chunks)
    ids = np.array(sorted({m for within in members.values() for m in within}), dtype=np.int64)
    messages = store.messages.by_ids((ids if scope is None else ids[is_among(ids, scope)]).tolist())
    return {
        chunk: [
            messages[m]
            for m in within
            if m in messages and messages[m].session_id == session[chunk]
        ]
        for chunk, within in members.items()
    }


# --- scope -----------------------------------------------------------------------------------------


def _last_scope(store: Store, question: Question) -> Ids | None:
    """The scope; if it is empty, that of the latest year in which it is not.

    This only applies to times whose year was guessed.
    """
    scope = scope_of(store, question)
    first, last = store.messages.extent()
    if scope is None or first is None or last is None:
        return scope
    tried = question
    moments = [last - relativedelta(years=years) for years in range(1, last.year - first.year + 1)]
    if speakers := frozenset(person.id for person in question.quoted_speakers):
        theirs = replace(question.filters, people=speakers)  # news of a person end with their last
        ends = store.message_counts.first_and_last(theirs)
        moments[:0] = [m.sent_at for m in store.messages.by_ids(ends[1:] if ends else ()).values()]
    for moment in moments:
        if scope is None or len(scope):
            break
        earlier = read_at(question, moment)
        if earlier.times != tried.times:
            scope, tried = scope_of(store, earlier), earlier
    return scope


def scope_of(store: Store, question: Question) -> Ids | None:
    """The ids of the messages that the question is about, sorted; None for all."""
    columns = store.columns
    parts = [columns.allowed(question.filters)]
    if question.quoted_speakers:
        parts.append(columns.written_by(person.id for person in question.quoted_speakers))
    if question.times:
        timed = [
            columns.allowed(Filters(since=span.start, until=span.end)) for span in question.times
        ]
        parts.append(np.unique(np.concatenate([ids for ids in timed if ids is not None])))
    kept = [ids for ids in parts if ids is not None]
    if not question.people:
        return reduce(np.intersect1d, kept) if kept else None
    # Each of those who speak, with all who listen.
    named = {person.id for person in question.people}
    meant = _meant(question, named)
    spoken = [
        people | {person.id}
        for people in meant
        for person in question.quoted_speakers
        if person.id in people or person.id not in named
    ] or meant
    for shared in (_together, _in_one_chat):
        between = reduce(np.union1d, [shared(store, group) for group in spoken])
        found = reduce(np.intersect1d, [*kept, between])
        if len(found):
            break
    return found


def _meant(question: Question, named: set[int]) -> list[set[int]]:
    """The people whom a question names; of a first name that several have one at a time."""
    groups = [named]
    for shared in (set(span.people) for span in question.spans if span.people[1:]):
        groups = [
            group - shared | {one}
            for group in groups
            for one in sorted(shared if shared <= group else shared & group)
        ][:MOST_GROUPS] or groups
    return groups


def _together(store: Store, people: set[int]) -> Ids:
    """The ids of the messages of conversations in which all of these people wrote, sorted.

    All messages of a chat that has nobody else are among them: the owner need not have answered.
    """
    columns = store.columns
    sessions, count = columns.sessions_with(people)
    found = columns.in_sessions(sessions[count == len(people)])
    others = people - {store.me.id() or store.messages.owner()}
    members = store.messages.participants()
    alone = frozenset(c for c, writing in members.items() if others <= writing.keys() <= people)
    if not alone or not others or others == people:
        return found
    between = columns.allowed(Filters(chats=alone))
    return found if between is None else np.union1d(found, between)


def _in_one_chat(store: Store, people: set[int]) -> Ids:
    """The ids of the messages of these people in chats in which all of them ever wrote, sorted."""
    members = store.messages.participants()
    chats = frozenset(chat for chat, writing in members.items() if people <= writing.keys())
    written = store.columns.allowed(Filters(people=frozenset(people), chats=chats))
    return written if chats and written is not None else np.zeros(0, dtype=np.int64)


def _same(message: Message) -> tuple[int, str]:
    """A key of messages that look the same: the sender and the text."""
    return message.sender_id, one_line(message.text)


def _informative(
    store: Store, inside: Ids, scope: Ids | None, says: Callable[[Message], float]
) -> list[Group]:
    """The conversations in scope, first those whose ``WEIGHED`` most informative messages say most.

    Of each of ``SHOWN`` parts of the time the second best weighs a fifth less, the third again, and so on, so
    that what is shown is of all the time.
    """
    own = _own(store, inside.tolist(), scope)
    talks: list[_Talk] = []
    for title, chunks in _conversations(store, inside, len(inside)):
        said = {m.id: m for chunk in chunks for m in own[chunk] if not m.wordless}
        if said:
            weight = sum(nlargest(WEIGHED, map(says, said.values())))
            weights = dict.fromkeys(chunks, weight / len(chunks))
            talks.append(_Talk(min(m.sent_at for m in said.values()), weight, (title, weights)))
    talks.sort(key=lambda talk: talk.begun)
    size = max(ceil(len(talks) / SHOWN), 1)
    ranked = [
        (talk.weight * REPEATED**rank, talk.group)
        for first in range(0, len(talks), size)
        for rank, talk in enumerate(
            sorted(talks[first : first + size], key=lambda talk: -talk.weight)
        )
    ]
    return [group for _weight, group in sorted(ranked, key=lambda one: -one[0])]


def _groups(store: Store, inside: Ids) -> list[Group]:
    """Conversations if they are few; else reports and what is in none, or parts of these."""
    talks = _conversations(store, inside, SHOWN + 1)
    if len(talks) <= SHOWN:
        return talks
    chunks = set(inside.tolist())
    reports = store.summaries.all("report")
    groups = _apart(
        [(r.title, {c: w for c, w in r.chunks.items() if c in chunks}) for r in reports]
    )
    if len(groups) >= SHOWN:
        return groups
    free = chunks - {chunk for _title, within in groups for chunk in within}
    return _in_parts(store, [*groups, (None, dict.fromkeys(free, 1.0))] if free else groups)


def _in_parts(store: Store, groups: Sequence[Group]) -> list[Group]:
    """The groups, of which that with most conversations is halved in time until there are ``SHOWN``.

    One report, or none, may hold all that is asked for, such as a whole chat.
    """
    rows = store.index.rows()
    session = dict(zip(rows.chunk_ids.tolist(), rows.session_ids.tolist(), strict=True))
    parts = [(title, _by_session(chunks, session)) for title, chunks in groups]
    while len(parts) < SHOWN:
        place = max(range(len(parts)), key=lambda n: len(parts[n][1]))
        talks = parts[place][1]
        if len(talks) == 1:
            break
        half = len(talks) // 2
        parts[place : place + 1] = [(None, talks[:half]), (None, talks[half:])]
    return [(title, reduce(or_, talks)) for title, talks in parts]


def _by_session(chunks: Mapping[int, float], session: Mapping[int, int]) -> list[dict[int, float]]:
    """The chunks of each conversation, in the order of the chunks."""
    found: dict[int, dict[int, float]] = {}
    for chunk in sorted(chunks):
        found.setdefault(session[chunk], {})[chunk] = chunks[chunk]
    return list(found.values())


def _apart(groups: Sequence[Group]) -> list[Group]:
    """The groups, largest first, without those mostly contained in larger ones."""
    found: list[Group] = []
    taken: set[int] = set()
    for title, chunks in sorted(groups, key=lambda group: -sum(group[1].values())):
        if len(chunks) > 1 and len(taken & set(chunks)) <= OVERLAP * len(chunks):
            found.append((title, chunks))
            taken |= set(chunks)
    return found


def _conversations(store: Store, chunks: Ids, most: int) -> list[Group]:
    """The conversations with most of the (sorted) chunks; of equal ones the earlier first."""
    rows = store.index.rows()
    sessions = rows.session_ids[places(chunks, rows.chunk_ids)[0]]
    found, first, counts = np.unique(sessions, return_index=True, return_counts=True)
    best = found[np.lexsort((first, -counts))][:most]
    return [("", dict.fromkeys(chunks[sessions == session].tolist(), 1.0)) for session in best]


def _spread(order: Sequence[Message]) -> list[Message]:
    """The best message of each conversation first, then the others."""
    best: dict[int, Message] = {}
    for message in order:
        best.setdefault(message.session_id, message)
    kept = {m.id for m in best.values()}
    return [*best.values(), *(m for m in order if m.id not in kept)]


# --- what is shown --------------------------------------------------------------------------------


def _quoted(theme: Theme, source: Source, *, in_chat: bool) -> str:
    """One of the theme's messages, after the theme's title if it has a word of it."""
    fits = {*map(stem, terms(theme.title))} & {*map(stem, words(source.message.text))}
    said = said_at(source.message, one_line(source.quote), in_chat=in_chat)
    return f"{theme.title}: {said}" if fits else said


def _short(text: str) -> str:
    return cut(one_line(text), SHOWN_CHARACTERS)


def _path(question: Question, found: Sequence[Theme], sources: Sequence[Source]) -> ReasoningPath:
    nodes = [PathNode("question", "question", question.text, question.text)]
    edges = []
    for number, theme in enumerate(found, start=1):
        name = f"theme:{number}"
        title = theme.title or theme.messages[0].chat
        nodes.append(PathNode(name, "topic", title, title))
        edges.append(PathEdge("question", name, "is about"))
        for source in sources:
            if source.message in theme.messages:
                message = f"message:{source.message_id}"
                shown = PathNode(message, "message", f"[{source.number}]", source.quote,
                                 source.message_id)  # fmt: skip
                if all(node.id != message for node in nodes):
                    nodes.append(shown)
                edges.append(PathEdge(name, message, "said in"))
    return ReasoningPath(tuple(nodes), tuple(edges))
