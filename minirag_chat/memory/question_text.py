"""Rewrites a question for lookup, and restores the person's own wording in the answer.

"I" becomes the asker's name, dates in digits get their month as a word. A question that cannot be asked
is refused with a remedy.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz

from minirag_chat.errors import BadQuestion, EmptyMemory
from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.context import MemoryContext
from minirag_chat.memory.filters import name_forms, nearest_names, no_chat, nobody
from minirag_chat.names import PersonIndex, compact_key, without_accents
from minirag_chat.question import (
    ALIKE_SURNAME,
    PlanContext,
    UnknownChat,
    about,
    asks_about_program,
    asks_for_notices,
    in_own_words,
    is_first_person,
    make_plan,
    map_question,
    names_the_group,
    people_as_asked,
    people_in,
    possible_chats,
    possible_people,
    relatives_note,
    unknown_chat,
    unknown_person,
    unknown_relative,
    when_it_is,
    with_my_contacts,
    with_name_of_several,
    with_partner,
    with_person,
    with_right_spelling,
    with_title_of_group,
    without_marks,
    without_politeness,
)
from minirag_chat.records import (
    Answer,
    Computed,
    Entity,
    Filters,
    Lookup,
    Metadata,
    Overview,
    PersonSpan,
    Question,
    QuestionPlan,
    TimeSpan,
)
from minirag_chat.store import Store
from minirag_chat.store.text import terms
from minirag_chat.times import NumericOrder, doubt, no_such_day, spelled_out
from minirag_chat.times.reference import reference_time
from minirag_chat.ui_text import CALLED_SO, NO_MESSAGES, WHO_IS_I, day, joined

WHICH_CHAT = "More than one chat has this in its title, {titles}: ask with the whole title of one."
WHICH_GROUP = "There is more than one group, {titles}: ask with the title of one."
WHICH_PERSON = "More than one person is called so, {names}: ask with the whole name of one."
ALSO_LOOKED_FOR = "Also looked for \u201c{translation}\u201d, in the language of the messages."
UNDERSTOOD_AS = "Understood as \u201c{question}\u201d."
NOTICES = (
    "Who joined or left a group, who has read a message, and calls are not kept from an export: only "
    "messages are."
)
CHAT_READ_AS = "No chat is called {word!r}: read as {name!r}."
ALIKE_ALONE = 75  # percent: "jonh" is John, "painho" is not Mainha
GUESSED = 0.8
"""Confidence, at most, of an answer about a name or a chat that is only like the one of the question."""
FEWEST_ABOUT_IT, MOST_ABOUT_IT, LEAST_ABOUT_IT = 3, 0.6, 0.04
"""Messages with the words that describe a group: how many, and which shares of all groups' and of its own."""
LEAST_OF_TITLE = 4  # letters of the beginning of a word of a title
READ_AS = "Nobody is called {word!r}: read as {name!r}."
_IDEOGRAM = lazy(r"[\u3040-\u30ff\u3400-\u9fff]")
_W = lazy(r"(?<![\w'\u2019])w(?:/\s*|\s+)$", re.IGNORECASE)
_FEWEST_LETTERS = 2  # letters or digits of a question without Chinese or Japanese characters

EITHER_DAY = (
    "{either}: write the month as a word, or say once how you write dates: "
    "MINIRAG_CHAT_DATE_ORDER=dmy, or mdy."
)


class KnownNames(NamedTuple):
    """A plan, a note on a chat or person that there is not, and whether messages of nobody are asked for.

    ``confidence``: how sure it is that the plan is of whom or what the question means.
    """

    plan: QuestionPlan
    note: str = ""
    of_nobody: bool = False
    confidence: float = 1.0


def checked_question(context: MemoryContext, question: str) -> str:
    """The question in one line. Inside ``reading()``. Raises ``BadQuestion`` or ``EmptyMemory``."""
    settings = context.settings
    if not isinstance(question, str):
        raise BadQuestion(f"The question is no text but {type(question).__name__}: ask in words.")
    text = _one_line(question)
    if not text:
        raise BadQuestion('The question is empty: ask something, e.g. "Who is moving in June?"')
    if sum(map(str.isalnum, text)) < _FEWEST_LETTERS and not _IDEOGRAM.search(text):
        raise BadQuestion('The question has no word: ask something, e.g. "Who is moving in June?"')
    must_be_short(text, settings.max_question_chars)
    if not context.store.messages.count():
        if asks_about_program(text):
            return text
        raise EmptyMemory(NO_MESSAGES)
    now = reference_time(context.store.messages.extent()[1])
    if not _date_order(context) and (either := doubt(text, now)):
        raise BadQuestion(EITHER_DAY.format(either=either))
    if missing := no_such_day(text):
        raise BadQuestion(f"No calendar has a {missing!r}: check the date.")
    return text


def _date_order(context: MemoryContext) -> NumericOrder | None:
    """How 3/4/2026 is read: as the user set it, else as the exports write dates; None if they do not tell."""
    return context.settings.date_order or context.store.date_order()


def must_be_short(question: str, most: int) -> None:
    """Raise ``BadQuestion`` if the question has more than ``most`` characters, in one line."""
    length = len(_one_line(question))
    if length > most:
        raise BadQuestion(
            f"The question has {length:,} characters, more than {most:,}: "
            "ask for one thing in a sentence or two."
        )


def _one_line(question: str) -> str:
    text = question.encode("utf-8", "replace").decode()  # no half characters
    return " ".join(without_marks(text).split())


def lookup_text(context: MemoryContext, question: str) -> str:
    """The question with the asker's name in place of "I" and "my", and with its dates as messages have them.

    The ranker and the reader compare words: "20260616" has none in common with "16 June 2026". Call it
    inside ``reading()``.
    """
    store = context.store
    now = reference_time(store.messages.extent()[1])
    question = with_right_spelling(store, without_politeness(without_marks(question)))
    question = when_it_is(spelled_out(question, now, _date_order(context)))
    question = _with_only_group(store, question)
    people = people_as_asked(store)
    question = with_my_contacts(_with_spelled_out(question, people), people)
    question = with_partner(store, question, people)
    question = with_name_of_several(question, people)
    me = store.me.person()
    if me is None:
        return question
    named = [place[:2] for place in people.find(question)]
    return about(question, me.shown_name, named)


def read_as_relative(store: Store, question: str) -> str:
    """Whom a question means by "mum", if the messages call her Mama; else empty. Inside ``reading()``."""
    text = with_my_contacts(question, people_as_asked(store))
    return relatives_note(store, text, people_in(text, store))


def _with_spelled_out(question: str, people: PersonIndex) -> str:
    """The question with "with" for "w" or "w/" before a name."""
    for start, *_rest in sorted(people.find(question), reverse=True):
        lead = _W.search(question[:start])
        if lead:
            question = f"{question[: lead.start()]}with {question[start:]}"
    return question


def _with_only_group(store: Store, question: str) -> str:
    """The question with the title of the only group in place of "the group"."""
    if not names_the_group(question):
        return question
    titles, groups = store.messages.titles(), store.messages.groups()
    if len(groups) != 1:
        return question
    (title,) = (titles[chat] for chat in groups)
    alike = [one for one in titles.values() if compact_key(one) == compact_key(title)]
    named = bool(terms(title)) and len(alike) == 1  # else it would not be found by its title
    return with_title_of_group(question, title) if named else question


def with_known_names(store: Store, plan: QuestionPlan, context: PlanContext) -> KnownNames:
    """The plan of a question, and a note that it names a chat or a person that there is not.

    If just one person has a name like the misspelt one, the plan is that of a question about this person.
    Raises ``BadQuestion`` if it is about no more than this chat, unless the name is a topic of messages.
    """
    if isinstance(plan, Overview | Metadata):
        _must_name_group(store, plan.question)
        return KnownNames(plan)
    question = plan.question
    chat = unknown_chat(question, context)
    if chat is not None:
        return _of_unknown_chat(store, plan, chat, context)
    if meant := possible_chats(question, context):
        raise BadQuestion(WHICH_CHAT.format(titles=joined([repr(title) for title in meant])))
    for people in possible_people(question, context):
        shown = {person: store.people.shown_by_id(person) for person in sorted(people)}
        if len({*shown.values()}) > 1:
            raise BadQuestion(WHICH_PERSON.format(names=joined([repr(n) for n in shown.values()])))
    if (of_role := _of_role(store, question, context)) is not None:
        return of_role
    word = unknown_person(question, context, partial(_names, store), partial(_said, store))
    if word is None:
        relative = unknown_relative(question, context)
        note = f"Nobody is called {relative!r}. {CALLED_SO}" if relative else ""
        return KnownNames(plan, note, of_nobody=bool(relative))
    said = [_said(store, one) for one in terms(word[0])]
    near = _spelled_alike(word[0], _names(store))
    called = len(near) == 1 and without_accents(word[0]) in name_forms(near[0])
    if len(near) == 1 and (called or not all(said)):  # what messages say is no misspelt name
        other = _plan_with(store, question, word.span(), near[0], context)
        if isinstance(other, Overview | Metadata):
            return KnownNames(other, READ_AS.format(word=word[0], name=near[0]), confidence=GUESSED)
    return KnownNames(plan, f"{nobody(word[0], store)} {CALLED_SO}", of_nobody=not any(said))


def _plan_with(
    store: Store, question: Question, place: tuple[int, int], name: str, context: PlanContext
) -> QuestionPlan:
    """The plan of the question with this name in place of a part of its text."""
    text = f"{question.text[: place[0]]}{name}{question.text[place[1] :]}"
    asked = map_question(text, store, context.newest, question.filters)
    return make_plan(with_me(store, asked), context)


def _of_role(store: Store, question: Question, context: PlanContext) -> KnownNames | None:
    """The plan for the only contact with "Plumber" in the name, if it is asked what "the plumber" wrote."""
    me, names = store.me.person(), _names(store)
    whose = rf"|{re.escape(me.shown_name)}['\u2019]s" if me else ""
    role = rf"\b(?:(?P<the>the){whose})\s+(?P<word>[^\W\d_]{{3,}})"
    for found in re.finditer(role, question.text, re.IGNORECASE):
        word = without_accents(found["word"])
        called = [one for one in names if word in name_forms(one)[1:]]
        if len(called) != 1 or not called[0].split()[1:]:
            continue
        plan = _plan_with(store, question, found.span(), called[0], context)
        if isinstance(plan, Metadata):
            said = f"{'the' if found['the'] else 'my'} {found['word']}"
            return KnownNames(plan, READ_AS.format(word=said, name=called[0]), confidence=GUESSED)
    return None


def _of_unknown_chat(
    store: Store, plan: Lookup | Computed, chat: UnknownChat, context: PlanContext
) -> KnownNames:
    """The plan of a question about a chat that there is not.

    Raises ``BadQuestion`` if it is about no more than this chat, unless the name is a topic of messages.
    """
    for read in (_of_begun_title, _of_what_a_group_writes_about):
        meant = read(store, plan.question, chat.name, context)
        if meant is not None:
            return meant
    topic = chat.asks == "summary" and all(_said(store, word) for word in terms(chat.name))
    none = no_chat(chat.name, context.titles, store.messages.groups())
    if chat.asks != "more" and not topic:
        raise BadQuestion(none)
    return KnownNames(plan, none)


def _of_begun_title(
    store: Store, question: Question, name: str, context: PlanContext
) -> KnownNames | None:
    """The plan for the only chat that has a word in its title which begins with ``name``, if it has one."""
    titles, wanted = {*context.titles.values()}, without_accents(name)
    begun = [one for one in titles if any(form.startswith(wanted) for form in name_forms(one))]
    if len(begun) != 1 or len(name) < LEAST_OF_TITLE:
        return None
    return _of_chat(store, question, name, begun[0], context)


def _of_what_a_group_writes_about(
    store: Store, question: Question, name: str, context: PlanContext
) -> KnownNames | None:
    """The plan for the only group that ``name`` may describe: "the running group" writes about running.

    Of all groups' messages with all words of the name most are its own, and they are some of many.
    """
    with_words = np.array(store.words.having_all(name), np.int64)
    found = {
        group: (int(np.isin(with_words, ids).sum()), len(ids))
        for group in store.messages.groups()
        if (ids := store.columns.allowed(Filters(chats=frozenset({group})))) is not None
    }
    if len(found) <= 1:
        return None
    group, (most, size) = max(found.items(), key=lambda one: one[1][0])
    of_all = sum(number for number, _size in found.values())
    if most < max(FEWEST_ABOUT_IT, MOST_ABOUT_IT * of_all, LEAST_ABOUT_IT * size):
        return None
    title = context.titles[group]
    return _of_chat(store, question, name, title, context)


def _of_chat(
    store: Store, question: Question, name: str, title: str, context: PlanContext
) -> KnownNames | None:
    """The plan for the chat of this title, which the question calls ``name``, if it has one."""
    place = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question.text)
    plan = _plan_with(store, question, place.span(), title, context) if place else None
    if not isinstance(plan, Overview | Metadata):
        return None
    return KnownNames(plan, CHAT_READ_AS.format(word=name, name=title), confidence=GUESSED)


def _spelled_alike(name: str, names: list[str]) -> list[str]:
    """The names like a misspelt one, in which each word of it begins one of theirs or has one like it."""
    words = without_accents(name).split()
    least = ALIKE_SURNAME if words[1:] else ALIKE_ALONE
    return [
        one
        for one in nearest_names(name, names)
        if all(
            any(
                part.startswith(word) or fuzz.ratio(word, part) >= least for part in name_forms(one)
            )
            for word in words
        )
    ]


def _must_name_group(store: Store, question: Question) -> None:
    """Raise ``BadQuestion`` if a question about all messages of "the group" could mean several."""
    if question.filters.chats or not names_the_group(question.text):
        return
    titles = store.messages.titles()
    groups = sorted({titles[chat] for chat in store.messages.groups()})
    if len(groups) > 1:
        raise BadQuestion(WHICH_GROUP.format(titles=joined([repr(title) for title in groups])))


def day_of_words(store: Store, question: Question) -> tuple[TimeSpan, str] | None:
    """The one day of which a question asks what people said, and what to say if no message shown is of it.

    It may also be the day that their messages are about: then what is said is true as well.
    """
    speakers = question.quoted_speakers
    if not speakers or len(question.times) != 1 or question.follow_up:
        return None
    span = question.times[0]
    if span.end - span.start > timedelta(days=1):
        return None
    people = frozenset(person.id for person in speakers)
    then = replace(question.filters, people=people, since=span.start, until=span.end)
    named = joined([person.shown_name for person in speakers])
    if store.message_counts.first_and_last(then) is None:
        return (
            span,
            f"{named} wrote nothing on {day(span.start)}: these messages are from other days.",
        )
    return span, f"None of these messages is from {day(span.start)}."


def _names(store: Store) -> list[str]:
    return [person.name for person in store.people.all()]


def _said(store: Store, word: str) -> bool:
    """Whether any message has this word."""
    return bool(store.words.bm25("messages", word).rows.size)


def with_me(store: Store, question: Question) -> Question:
    """Add the asker to a mapped question, if their whole name is one that cannot be found in a text."""
    me = store.me.person()
    if me is None:
        return question
    name = me.shown_name
    found = any(place[:2] == (0, len(name)) for place in store.people.index().find(name))
    there = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question.text)
    places = () if found else tuple(PersonSpan(*place.span(), (me.id,)) for place in there)
    if not places:
        return question
    others = [s for s in question.spans if not any(s.overlaps(p.start, p.end) for p in places)]
    spans = tuple(sorted((*others, *places), key=lambda span: span.start))
    own = question.unnamed or in_own_words(question.text, spans, me.id, question.quoted_speakers)
    asker = Entity(me.id, me.name, "person", me.joined_name)
    return replace(with_person(question, asker), spans=spans, unnamed=own)


def with_original_question(answer: Answer, question: str, now: datetime) -> Answer:
    """The answer with the question as it was asked; its tooltip keeps what was looked up.

    ``now`` is the reference time.
    """
    path = answer.path
    dated = doubt(question, now) or spelled_out(question, now) != question
    if is_first_person(question) or dated:
        nodes = (replace(n, name=question) if n.type == "question" else n for n in path.nodes)
        path = replace(path, nodes=tuple(nodes))
    return replace(answer, question=question, path=path)


def answer_note(
    context: MemoryContext, plan: QuestionPlan, question: str, translation: str = ""
) -> str:
    """The answer's note: how the question is understood, that the index is incomplete, who "I" may be.

    Who that is makes no difference to what is counted over all messages ("How many messages do I have?").
    """
    late = context.index_note()
    me = context.store.me
    matters = is_first_person(question) and not isinstance(plan, Metadata)
    unknown = matters and me.person() is None and not me.is_decided()
    also = ALSO_LOOKED_FOR.format(translation=translation) if translation else ""
    if isinstance(plan, Metadata) and plan.understood_as:
        also = UNDERSTOOD_AS.format(question=plan.understood_as)
    looked_up = not isinstance(plan, Metadata | Overview)
    kept = NOTICES if looked_up and asks_for_notices(question) else ""
    return " ".join(part for part in (also, kept, late, WHO_IS_I if unknown else "") if part)
