"""Detects chats and people that do not exist.

A question about such a one is refused, and not answered about everybody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from rapidfuzz import fuzz

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.names import without_accents
from minirag_chat.question.about_messages.metadata import LONGEST
from minirag_chat.question.chats import (
    ONE_CHAT,
    chat_with,
    is_club,
    members_of,
    named_chats,
    sum_up_named_chat,
    unknown_place,
    with_part_of_title,
)
from minirag_chat.question.mapping import with_person
from minirag_chat.question.plan import make_plan
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.question.words import name_parts
from minirag_chat.records import Entity, Metadata, Overview, PersonSpan, Question

NOBODY = -1  # the id of a person whom no message has
_WORD = lazy(r"[^\W\d_]{3,}")
_RELATIVE = any_case(
    r"(?:\b(?P<my>my|our)|['\u2019]s?) (?P<who>(?:(?:big|little|older|younger|grand|step) ?)?(?:mother|father"
    r"|mum|mom|dad|parents|sister|brother|son|daughter|child|kids|wife|husband|partner|girlfriend|boyfriend|ma|pa"
    r"|gran|nan|grandma|grandpa|aunt|uncle|cousin|niece|nephew)(?:-in-law)?|boss|landlord|landlady|flatmate|neighbour)\b"
    r"(?!['\u2019]s)",
)
_ALL = lazy(r".+", re.DOTALL)
_OF_MESSAGES = any_case(  # words of one of which each question about a person's messages has
    r"\b(?:messages?|texts?|wr[io]tes?|written|post(?:ed)?|s[ea]nds?|sent|sa(?:y|id)|t(?:ell|old)|talk\w*|new|news|"
    r"latest|up|messaged|chat\w*|spoken?|speak|discuss\w*|nachrichten?|ge(?:schrieben|sagt|redet|sprochen)|neues)\b",
)
_BEFORE_NOUN = any_case(
    r"(?:\b(?:the|an?|this|that|these|those|each|every|one|some|any|no|our|your|his|her|its|their)"
    r"|['\u2019]s?)\s+$",
)
_BEFORE_NAME = any_case(
    r"\b(?:d(?:id|oes|o)|ha(?:s|ve|d)|from|by|with|to|between|and|or|hat|haben|von|mit|und|oder)\s+$",
)
_PRONOUNS = frozenset(
    "all both each either neither everyone everybody anyone anybody someone somebody nobody none noone "
    "people others whoever one ones us mine yours everything anything something nothing".split()
)
_AMOUNTS = frozenset("more most less least fewer fewest many much often never ever".split())
ALIKE = 80
"""A word in lower case, where no name need stand, is a misspelt name if it is so like one, of 100."""
ALIKE_SURNAME = 70
"""The same of a word behind the first name of several people."""
_LEADS = frozenset({"between", "during", "since", "until", "till", "before", "after", "within"})
_IN_ANY = "in everyone"  # in place of a chat, as overviews read it
_IN_CHAT = any_case(r"\b(?:chat|channel)$")


@dataclass(frozen=True, slots=True)
class UnknownChat:
    """A name that no chat has, and what the question asks.

    ``inside``: only what is in this chat; ``summary``: one of this chat or of a topic; ``more``: it also asks
    for something else, so the answer only gets a note.
    """

    name: str
    asks: Literal["inside", "summary", "more"]


def unknown_chat(question: Question, context: PlanContext) -> UnknownChat | None:
    """The chat that a question which has no plan of its own is about, if no chat is called so."""
    chats = context.titles
    if question.filters.chats or len(chats) <= 1 or len(question.text) > LONGEST:
        return None
    general, called, name = sum_up_named_chat(question.text, chats)
    if name is not None and not called:
        of_all = replace(question, text=general, spans=())
        if isinstance(make_plan(of_all, context), Overview):
            return UnknownChat(name, "summary")
    place = unknown_place(question.text, chats)
    if place is None:
        return None
    text, (start, end) = question.text, place.span()
    outside = tuple(span for span in question.spans if not span.overlaps(start, end))
    within = f"{text[:start]}{'everyone':{end - start}}{text[end:]}"
    plan = make_plan(replace(question, text=within, spans=outside), context)
    members = _asks_for_members(question, start, end)
    is_chat = any(form.search(place["name"] + place["noun"]) for form in (_IN_CHAT, ONE_CHAT))
    if is_club(place["noun"]):  # which messages may be about
        counts = isinstance(plan, Metadata) and plan.asks.what != "members"
        asks: Literal["inside", "more"] = "inside" if counts else "more"
        return UnknownChat(place["name"] + place["noun"], asks) if counts or members else None
    if isinstance(plan, Metadata) or (is_chat and (members or isinstance(plan, Overview))):
        return UnknownChat(place["name"].strip(), "inside")
    return UnknownChat(place["name"].strip(), "more") if is_chat else None


def possible_chats(question: Question, context: PlanContext) -> list[str]:
    """The titles that a question without a plan may mean, if it names a chat by a part of its title."""
    chats = context.titles
    if question.filters.chats or len(question.text) > LONGEST:
        return []
    for start, end, several in named_chats(question.text, chats):
        named = list(dict.fromkeys(chats[chat] for chat in sorted(several)))
        if named[1:] and _is_of_messages(question, start, end, context):
            return named
    known = {part for person in question.people for part in name_parts(person.name)}
    text, called = with_part_of_title(question.text, chats, known, context.newest)
    titles = list(dict.fromkeys(chats[chat] for chat in sorted(called)))
    of_all = replace(question, text=text, spans=())
    asks = bool(titles[1:]) and isinstance(make_plan(of_all, context), Metadata | Overview)
    return titles if asks else []


def possible_people(question: Question, context: PlanContext) -> list[frozenset[int]]:
    """The people that each name may mean, if the question would have a plan with one person for each name."""
    several = [frozenset(span.people) for span in question.spans if span.people[1:]]
    if not several or len(question.text) > LONGEST:
        return []
    asker = next((person.shown_name for person in question.people if person.id == context.me), "")
    lead = chat_with(question.text, asker)
    for span in question.spans:
        if lead and span.start == lead[1] and span.people[1:]:
            asks = _is_of_messages(question, lead[0], span.end, context)
            return [frozenset(span.people)] if asks else []
    spans = tuple(replace(span, people=span.people[:1]) for span in question.spans)
    plan = make_plan(replace(question, spans=spans), context)
    return several if isinstance(plan, Metadata) else []


def _is_of_messages(
    question: Question,
    start: int,
    end: int,
    context: PlanContext,
) -> bool:
    """Whether a question is about messages of a chat or sums them up, if a chat is named at this place."""
    text, more = question.text, len(_IN_ANY) - (end - start)
    spans = tuple(
        span if span.end <= start else replace(span, start=span.start + more, end=span.end + more)
        for span in question.spans
        if not span.overlaps(start, end)
    )
    within = replace(question, text=f"{text[:start]}{_IN_ANY}{text[end:]}", spans=spans)
    members = _asks_for_members(question, start, end)
    return members or isinstance(make_plan(within, context), Metadata | Overview)


def _asks_for_members(question: Question, start: int, end: int) -> bool:
    """Whether a question asks who is in the chat that is named at this place."""
    text = f"{question.text[:start]}in the chat{question.text[end:]}"
    return members_of(text, {0: ""}, question.filters) is not None


def _with_nobody(question: Question, start: int, end: int, name: str) -> Question:
    """The question with a person whom no message has, named at this place."""
    others = (span for span in question.spans if not span.overlaps(start, end))
    spans = (*others, PersonSpan(start, end, (NOBODY,)))
    named = with_person(question, Entity(NOBODY, name, "person"))
    return replace(named, spans=tuple(sorted(spans, key=lambda span: span.start)))


def _may_be_name(text: str, word: re.Match[str]) -> bool:
    """Whether a word stands where a name does; in lower case not a plural, nor what somebody sent.

    The first word of a question has a capital anyway.
    """
    first = not text[: word.start()].strip()
    if not (word[0][0].islower() or first):
        return True
    if word[0].endswith("s"):
        return False
    owns = re.match(r"['\u2019]s?\s", text[word.end() : word.end() + 3]) is not None
    return owns or _BEFORE_NAME.search(text, 0, word.start()) is not None


def _is_misspelt(word: str, names: Iterable[str], alike: int) -> bool:
    """Whether a word is spelled much like a name, or like a word of one."""
    plain = without_accents(word)
    parts = {part for name in names for part in without_accents(name).split()}
    return any(fuzz.ratio(plain, part) >= alike for part in parts)


def unknown_relative(question: Question, context: PlanContext) -> str:
    """Who of the asker's family a question about somebody's messages is about ("my sister"), else "".

    Somebody who has this as a nickname is a person of the question already.
    """
    if len(question.text) > LONGEST:
        return ""
    for found in _RELATIVE.finditer(question.text):
        start = found.start()
        if not found["my"]:
            mine = [s for s in question.spans if s.end == start and s.people == (context.me,)]
            start = mine[0].start if mine else -1
        if start < 0:
            continue
        named = _with_nobody(question, start, found.end(), found["who"])
        if isinstance(make_plan(named, context), Metadata):
            return found["who"]
    return ""


def _with_first_name(question: Question, word: re.Match[str]) -> re.Match[str]:
    """The word with the name of several people right before it: "Peter" of "Peter Vaughn"."""
    for span in question.spans:
        if span.people[1:] and question.text[span.end : word.start()].isspace():
            return _ALL.match(question.text, span.start, word.end()) or word
    return word


def unknown_person(
    question: Question,
    context: PlanContext,
    names: Callable[[], Iterable[str]],
    said: Callable[[str], bool],
) -> re.Match[str] | None:
    """The first word that may be the name of a person who does not exist, whose messages are asked about.

    ``names`` gives all names. A word that messages have (``said``) need not be a name, unless the question
    asks what it sent.
    """
    if len(question.text) > LONGEST or not _OF_MESSAGES.search(question.text):
        return None
    for word in _WORD.finditer(question.text):
        taken = any(span.overlaps(*word.span()) for span in question.spans)
        noun = _BEFORE_NOUN.search(question.text, 0, word.start())  # "in the evening"
        if taken or noun or word[0].casefold() in STOP_WORDS | _LEADS | _PRONOUNS | _AMOUNTS:
            continue
        whole = _with_first_name(question, word)
        alike = ALIKE if whole is word else ALIKE_SURNAME
        if not (_may_be_name(question.text, word) or _is_misspelt(word[0], names(), alike)):
            continue
        word = whole  # noqa: PLW2901 - with the first name
        named = _with_nobody(question, *word.span(), word[0])
        plan = make_plan(named, replace(context, me=None))
        sends = isinstance(plan, Metadata) and NOBODY in plan.senders and not plan.understood_as
        if sends or (isinstance(plan, Metadata | Overview) and not said(word[0])):
            return word
    return None
