"""Questions that the messages themselves suggest: at the start, and after an answer.

No model is used and nothing is invented; the messages answer each of them. People ask each other in
chats: a question that is clear without context ("Where is the spare key?") is suggested if a reply
answers it. What two people talk about gives the second kind ("What did Tom say about Harbour Street?");
the third is about the messages themselves, news of people who write much, and overviews of months.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import chain, islice
from zlib import crc32

from minirag_chat.answer.counting.chats_of_two import chats_of_two
from minirag_chat.lazy_patterns import lazy
from minirag_chat.question import answer_types
from minirag_chat.question.planned import coming_up
from minirag_chat.records import Answer, EntityType, Filters, Message, Question
from minirag_chat.store import Store
from minirag_chat.store.text import asks, terms
from minirag_chat.summaries.planned import planned_messages
from minirag_chat.times.number_words import TO_TWELVE

COMING_UP = "What is coming up?"
WRITES_MOST = "Who writes the most?"
NOT_ANSWERED = "Which messages have I not answered?"
NEWS = "What is new with {}?"
TYPES: tuple[EntityType, ...] = ("title", "place", "organisation", "topic")
SHORT_NAME, LONGEST_NAME = 3, 40
SHORTEST, LONGEST = 16, 80  # characters of a question
CONTENT_WORDS, WORDS = 3, 5
REPLIES = 3  # messages after a question in which its answer is looked for
SAID_WORDS = 6  # a shorter message does not say enough about a thing
THEMES_FROM = 20  # messages that a person or a month needs for a question about themes
LATELY = timedelta(days=90)  # before the newest message, in which somebody wrote who has news
FEW = 5  # the same, if nothing else suggests a question
MOST_SHOWN = 4  # messages of an answer whose things and people are asked about next
OTHERS = 12  # questions among which those are that have nothing to do with the answer
MOST_ASKED = 300  # questions of people that are examined, those with most content first
MOST_TOPICS = 300  # things talked about that are examined, in one conversation each
_QUESTION = lazy(
    r"(?:^|[.!?:\n])[^\S\n]*(?:\w+,\s+)?((?:who|what|when|where|why|which|whose|how)\b[^.!?\n]*\?)",
    re.IGNORECASE,
)
# Words that need context: they refer to the speakers, to earlier messages, to today.
_NEEDS_CONTEXT = lazy(
    r"\b(?:i|me|my|we|us|our|you|your|yours|yourself|yourselves|u|it|its|he|him|his|she|her|they|"
    r"them|this|that|these|those|there|here|one|ones|else|again|now|today|tonight|tomorrow|yesterday|still|so|too|then|next|"
    r"last|yet|everyone|everybody|anyone|anybody|someone|other|more|first|exactly|say|said|btw|y)\b"
    r"|n't\b|'(?:s|re|d|ll|ve)\b(?!\s+[A-Z])",
    re.IGNORECASE,
)
# Questions that propose, invite or greet, and do not ask for information.
_PROPOSES = lazy(
    r"(?:how|what) about\b|who(?:'s| is| wants| would| feels| can| could)\b(?! the\b)|why not\b|"
    r"how(?:'s| is| are| was)\b.*\b(?:going|doing|today|day|things)\b|what if\b|how come\b|"
    r"what (?:do|did) you (?:think|say|mean|reckon)\b",
    re.IGNORECASE,
)
_HAS_NUMBER = lazy(
    rf"\d|\b(?:{'|'.join(TO_TWELVE)}|twenty|dozen|half|hundred|thousand)\b", re.IGNORECASE
)
_YOU = lazy(
    r"\b(do|did|are|were|have|had|will|would|can|could|should) you\b(?! (?:guys|all|two|both)\b)",
    re.IGNORECASE,
)
_YOUR = lazy(r"\byour\b", re.IGNORECASE)
_CALLED = lazy(r", (?!or\b|and\b)\w+\?$")  # the person addressed, at the end
_SENTENCE = lazy(r"[^.!?\n]+[.!?]*")
_DAYS = frozenset(day.casefold() for day in calendar.day_name)
SOMEBODY = "\ufffc"  # placeholder for the person who is asked
_SALUTATION = lazy(r"^(?:dear|hi|hello|aunt|mr|mrs|ms)\b.{0,2}$|^dear\b", re.IGNORECASE)


def openers(store: Store, count: int = 4) -> tuple[str, ...]:
    """Up to ``count`` questions about different times and things; none when there is nothing."""
    return store.cache.get(f"{count} openers", partial(_openers, store, count))


def _openers(store: Store, count: int) -> tuple[str, ...]:
    clearest = sorted(islice(answered_questions(store), 3 * count))
    asked = iter(_spread([question for _message, question in clearest], count))
    talked, whole = topic_questions(store), _of_all(store, THEMES_FROM)
    turns = islice(
        chain.from_iterable(_round_robin(asked, talked, asked, talked, whole)), 5 * count
    )
    few = _of_all(store, FEW)  # a short chat has questions too
    return tuple(islice(dict.fromkeys(chain(turns, few)), count))


def follow_ups(
    store: Store, answer: Answer, count: int = 3, *, near: bool = False
) -> tuple[str, ...]:
    """Up to ``count`` questions near what the cited (or closest) messages say, then others.

    With ``near`` no others.
    """
    shown = [source.message for source in answer.shown[:MOST_SHOWN]]
    near_it = [message.id for message in shown]
    own = who_asks(store)
    found = list(islice(_about(store, near_it, own), 2))
    if not near:
        found += islice(_news_of(store, answer, near_it, own), 1)
    for message in shown[:2]:
        asked = sorted(
            store.messages.questions(message.chat_id), key=lambda row: abs(row[0] - message.id)
        )
        replied = islice(_with_replies(store, _self_contained(asked[:MOST_ASKED]), own), count)
        found += [question for _message, question in replied]
    if len(found) < count and not near:
        others = openers(store, OTHERS)
        begin = crc32(answer.question.encode(errors="replace")) % max(len(others), 1)
        found += [*others[begin:], *others[:begin]]  # not the same after each answer
    asked_now = answer.question.casefold()
    return tuple(q for q in dict.fromkeys(found) if q.casefold() != asked_now)[:count]


def who_asks(store: Store) -> frozenset[int]:
    """Who asks, by name or by what exports call them: they know what they said themselves."""
    me = store.me.id()
    return frozenset(one.person for one in store.me.called_owner()) | ({me} if me else set())


def _news_of(
    store: Store, answer: Answer, messages: Sequence[int], own: frozenset[int]
) -> Iterator[str]:
    """Questions for news of the people whom the question or these messages name, or who wrote them."""
    senders = [message.sender_id for message in store.messages.by_ids(messages).values()]
    named = [row[1] for row in store.index.named_in(messages) if row[3] == "person"]
    asked = store.people.index().find(answer.question)
    also = [owner for *_place, owners in asked for owner in owners if len(owners) == 1]
    people = {person.id: person for person in store.people.all() if person.messages >= FEW}
    for one in dict.fromkeys([*named, *senders, *also]):
        if one in people and one not in own:
            yield NEWS.format(people[one].shown_name)


def _round_robin(*streams: Iterator[str]) -> Iterator[list[str]]:
    """Round robin: one item of each stream, again and again, until all are empty."""
    while row := [question for stream in streams for question in islice(stream, 1)]:
        yield row


def _spread(questions: Sequence[str], count: int) -> list[str]:
    """First ``count`` questions, evenly spread over the order, then the others."""
    if len(questions) <= count:
        return list(questions)
    first = [questions[i * len(questions) // count] for i in range(count)]
    return first + [question for question in questions if question not in first]


# --- what people asked, and were answered ------------------------------------------------------------


def answered_questions(store: Store) -> Iterator[tuple[int, str]]:
    """The questions of people that are clear without context and have an answer, the clearest first."""
    self_contained = sorted(
        _self_contained(store.messages.questions()), key=lambda row: -len(terms(row[1]))
    )
    return _with_replies(store, self_contained[:MOST_ASKED], who_asks(store))


def _self_contained(questions: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """``(message, question)`` of the questions that are clear without context, each once.

    *You* is replaced by ``SOMEBODY``, the person who is asked.
    """
    seen = set()
    for message, text in questions:
        for match in _QUESTION.finditer(text):
            written = " ".join(match.group(1).replace(SOMEBODY, " ").split())
            question = _in_third_person(written)
            if (
                SHORTEST <= len(question) <= LONGEST
                and len(terms(question)) >= CONTENT_WORDS
                and len(question.split()) >= WORDS
                and not _needs_context(question)
                and not _PROPOSES.match(written)
                and question.casefold() not in seen
            ):
                seen.add(question.casefold())
                yield message, question[0].upper() + question[1:]


def _in_third_person(question: str) -> str:
    """The question with *you* as a third person: "do you like" becomes "does … like"."""
    third = {"do": "does", "are": "is", "were": "was", "have": "has"}
    asked = _YOU.sub(lambda m: f"{third.get(m[1].lower(), m[1])} {SOMEBODY}", question, count=1)
    if SOMEBODY not in asked:
        asked = _YOUR.sub(f"{SOMEBODY}'s", asked, count=1)
    return _CALLED.sub("?", _YOUR.sub("their", asked)) if SOMEBODY in asked else question


def _needs_context(question: str) -> bool:
    """Whether a question needs context; *their* does not if it refers to ``SOMEBODY``."""
    nobody = SOMEBODY not in question and re.search(r"\btheirs?\b", question, re.IGNORECASE)
    return bool(nobody or _NEEDS_CONTEXT.search(question))


def _with_replies(
    store: Store, self_contained: Iterable[tuple[int, str]], own: frozenset[int]
) -> Iterator[tuple[int, str]]:
    """The questions that replies answer; ``SOMEBODY`` becomes the person who replied first.

    Not what the one who asks now (``own``) was asked about themselves.
    """
    for identity, question in self_contained:
        message = store.messages.by_ids([identity])[identity]
        after = store.messages.around(message, REPLIES)
        replies = [
            one
            for one in after[after.index(message) + 1 :]
            if one.session_id == message.session_id and one.sender_id != message.sender_id
        ]
        if SOMEBODY in question:
            replies = [one for one in replies if one.sender_id == replies[0].sender_id]
            if replies and replies[0].sender_id in own:
                continue
        if _is_answered_by(store, question, replies):
            yield identity, question.replace(SOMEBODY, replies[0].shown_sender)


def _is_answered_by(store: Store, question: str, replies: Sequence[Message]) -> bool:
    """Whether one of the replies answers the question, as far as its words show."""
    statements = {one.id: _statements(one.text) for one in replies}
    expected_types = answer_types(question)
    if set(expected_types) & {"amount", "time"}:
        return any(_HAS_NUMBER.search(text) for text in statements.values())
    if expected_types:
        known = question.casefold()
        named = store.index.named_in([identity for identity, text in statements.items() if text])
        return any(row[3] in expected_types and row[2].casefold() not in known for row in named)
    about = set(terms(question.replace(SOMEBODY, "")))
    return any(
        len(text.split()) >= SAID_WORDS and (SOMEBODY in question or about & set(terms(text)))
        for text in statements.values()
    )


def _statements(text: str) -> str:
    """A message without the questions in it."""
    return " ".join(part for part in _SENTENCE.findall(text) if not asks(part))


# --- what the graph has ------------------------------------------------------------------------------


def topic_questions(store: Store) -> Iterator[str]:
    """Questions about what somebody said about a thing; each person and each thing once."""
    own = who_asks(store)
    seen: set[int | str] = {*own}
    writers = {person.id for person in store.people.all() if person.messages}
    # Most things are talked about more than once.
    statements_about = cache(partial(_statements_about, store))
    for entity, name, session in islice(store.index.talked_about(TYPES), MOST_TOPICS):
        if writers <= seen:
            return
        if name.casefold() in seen or not _nameable(name):
            continue
        for who in statements_about(entity):
            if who.session_id == session and who.sender_id not in seen:
                seen |= {name.casefold(), who.sender_id}
                yield _say_about(who.shown_sender, name)
                break


def _statements_about(store: Store, entity: int) -> list[Message]:
    """The messages that say something about a thing, the longest first."""
    messages = store.messages.by_ids(store.index.messages_naming(entity)).values()
    statements = [m for m in messages if len(_statements(m.text).split()) >= SAID_WORDS]
    return sorted(statements, key=lambda m: (-len(m.text), m.id))


def _about(store: Store, messages: Sequence[int], own: frozenset[int]) -> Iterator[str]:
    """Questions about what others said about the things that these messages name."""
    senders = own | {m.sender_id for m in store.messages.by_ids(messages).values()}
    for _message, entity, name, kind, _start, _end in store.index.named_in(messages):
        if kind in TYPES and _nameable(name):
            others = (
                who for who in _statements_about(store, entity) if who.sender_id not in senders
            )
            yield from (_say_about(who.shown_sender, name) for who in islice(others, 1))


def _of_all(store: Store, least: int) -> Iterator[str]:
    """Questions about the messages themselves and for overviews, in turn."""
    turns = _round_robin(overviews(store, least, about=NEWS), _counted(store))
    return chain.from_iterable(turns)


def _counted(store: Store) -> Iterator[str]:
    """Questions about the messages themselves."""
    if len(store.message_counts.by_sender(Filters())) > 2:  # noqa: PLR2004 - of two it is no question
        yield WRITES_MOST
    if store.me.id() and any(chats_of_two(store).values()):
        yield NOT_ANSWERED


def overviews(
    store: Store, least: int = THEMES_FROM, *, about: str = "What are the main themes with {}?"
) -> Iterator[str]:
    """What is coming up, if messages name days to come; then overviews of people and of months, in turn.

    Each person and month has at least ``least`` messages; ``about`` asks for the overview of a person.
    """
    own = who_asks(store) or {store.messages.owner()}
    newest = store.messages.extent()[1]
    lately = (
        Filters(since=newest - LATELY) if newest and newest - datetime.min > LATELY else Filters()
    )
    recent = {person for person, *_rest in store.message_counts.by_sender(lately)}
    people = (
        about.format(person.shown_name)
        for person in store.people.all()
        if person.messages >= least and person.id not in own and person.id in recent
    )
    months = (
        f"What did we talk about in {calendar.month_name[month]} {year}?"
        for year, month in store.messages.months(least)
    )
    return chain(_coming_up(store), chain.from_iterable(_round_robin(people, months)))


def _coming_up(store: Store) -> Iterator[str]:
    """The question for all plans, if at least two messages name days after the newest message."""
    newest = store.messages.extent()[1]
    ahead = () if newest is None else (coming_up(newest),)
    if len(planned_messages(store, Question(COMING_UP, times=ahead)).first) > 1:
        yield COMING_UP


def _nameable(name: str) -> bool:
    return (
        SHORT_NAME < len(name) <= LONGEST_NAME
        and name.isprintable()
        and not name.isupper()
        and name.removesuffix("s").casefold() not in _DAYS
        and not _SALUTATION.search(name)
    )


def _say_about(who: str, thing: str) -> str:
    thing = thing.removesuffix("'s")
    return f"What did {who} say about {thing}?"
