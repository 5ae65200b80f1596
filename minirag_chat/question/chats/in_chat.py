"""The chat that a question names with the word beside it: "in the Cabin Crew chat"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.names import with_plain_letters
from minirag_chat.question.chats.titles import CLUB, Titles, content_of, have_one_title, in_a_row
from minirag_chat.question.words import plain_words_of, words_of
from minirag_chat.records import Filters
from minirag_chat.store.chat_titles import are_with_one

LONGEST, LONGEST_NAME = 600, 80  # characters of a question that names a chat, and of the name

NOUN = r"(?:chat|group|conversation|channel|thread)"
THE = r"(?:(?:the|our|my|this|that)\s+)?"
_CHAT = any_case(rf"\b(?:group\s+)?{NOUN}\b")
_OF_CHAT = any_case(rf"\s+(?:group\s+)?{NOUN}\b")
INSIDE = any_case(rf"\b(?:in|from|on|inside|within)\s+{THE}")
_SUMMED_UP = any_case(
    r"\b(?P<asks>summari[sz]e|sum up|(?:recap|summary|overview) of|recap|tell me about)\s+"
    rf"{THE}(?P<name>[^.?!]{{1,{LONGEST_NAME}}}?)\s+(?P<noun>(?:group\s+)?{NOUN})\b",
)
_NAME_PLACED = (
    r"\b(?:in|from|on|inside|within|of)\s+(?:the|our|my)\s+"
    r"(?P<name>(?:(?!(?:in|from|on|of|at|to|with|about|and|or|the|an?|our|my)\b)[\w'\u2019&-]+\s+){1,4}?)"
)
_PLACED = any_case(rf"{_NAME_PLACED}(?P<noun>(?:group\s+)?{NOUN})\b(?!\s+(?:with|about|between)\b)")
_PLACED_CLUB = any_case(rf"{_NAME_PLACED}(?P<noun>{CLUB})\b(?!\s+\w)")
_THE_GROUP = any_case(  # not "the group trip", or "the group of friends"
    r"\b(?P<lead>in|from|on|to|inside|within|of)\s+(?:the|our|my)\s+group(?:\s?chat)?"
    r"(?=\s*(?:[?.!,;]|$)|\s+(?:in|on|since|during|before|after|last|this|yesterday|today|between|from|until|at|by|who"
    r"|what|when|did|do|does|has|have|is|was|are|were|and|or)\b)",
)
_WORD = lazy(r"\w+")
MOST_WORDS = 4  # of a part of a title that names its chat without a word such as "chat"
_SPACED_MARK = lazy(r"\s+([?!.,;\uff1f])")


def in_named_chat(text: str, titles: Mapping[int, str], filters: Filters) -> tuple[str, Filters]:
    """``text`` without "in the X chat", and the filters with this chat.

    X is the title of exactly one chat, or a part of only its title; or of several that have the same title,
    as those of a contact with two numbers. Both stay as they are if there is no such chat, if the filters
    leave it out, or if the rest of the text asks for nothing.
    """
    for start, end, chats in named_chats(text, titles, filters.chats):
        if not have_one_title(chats, titles):
            continue
        rest = _SPACED_MARK.sub(r"\1", f"{text[:start]} {text[end:]}")
        rest = " ".join(rest.split()).lstrip(" ,")
        if {*words_of(rest)} - STOP_WORDS:
            return rest, replace(filters, chats=chats)
    return text, filters


def named_chats(
    text: str, titles: Mapping[int, str], among: frozenset[int] = frozenset()
) -> Iterator[tuple[int, int, frozenset[int]]]:
    """Each "in the X chat" in ``text``: its start and end, and the chats of this title, if any of ``among``.

    The longest of the names that begin at one place is the first. Without a chat of this title, it is those
    that have it as a part of theirs.
    """
    if len(text) > LONGEST or not _CHAT.search(text):
        return
    known = Titles.of(titles)
    for lead in INSIDE.finditer(text):
        nouns = list(_CHAT.finditer(text, lead.end(), lead.end() + LONGEST_NAME))
        for noun in reversed(nouns):
            name = text[lead.end() : noun.start()]
            chats = known.called(name, noun[0])
            chats |= _with_the_same(chats, known.with_part(plain_words_of(name)), titles)
            chats &= among or chats
            if chats:
                yield lead.start(), noun.end(), chats


def _with_the_same(
    chats: frozenset[int], parts: frozenset[int], titles: Mapping[int, str]
) -> frozenset[int]:
    """Of the chats with the name as a part of their titles, those with the same person as ``chats``."""
    return frozenset(
        chat for chat in parts - chats if chats and are_with_one({*chats, chat}, titles)
    )


def chat_place(
    text: str, titles: Mapping[int, str], names: Sequence[tuple[int, int, object]]
) -> tuple[int, int] | None:
    """The place of the chat that ``text`` names, with its preposition.

    A whole title, or two words of one, need no noun, unless one of the ``names`` of people is in it: "on
    Ben's bike".
    """
    for start, end, chats in named_chats(text, titles):
        if have_one_title(chats, titles):
            return start, end
    found = _SUMMED_UP.search(text)
    known = Titles.of(titles)
    if found and known.called(found["name"], found["noun"]):
        return found.end("asks") + 1, found.end()
    return _bare_place(with_plain_letters(text), titles, known, names)


def _bare_place(
    text: str,
    titles: Mapping[int, str],
    known: Titles,
    names: Sequence[tuple[int, int, object]],
) -> tuple[int, int] | None:
    """The place of a whole title, or of two words or more of one, without a word for a chat."""
    for title in dict.fromkeys(map(tuple, filter(None, known.plain.values()))):
        bare = re.search(rf"{INSIDE.pattern}{in_a_row(title)}\b", text, re.IGNORECASE)
        if bare and all(end <= bare.start() or bare.end() <= start for start, end, _ in names):
            return bare.span()
    for lead in INSIDE.finditer(text):
        ends = [word.end() for word in _WORD.finditer(text, lead.end(), lead.end() + LONGEST_NAME)]
        for to in reversed(ends[1:MOST_WORDS]):
            named = any(lead.end() < end and start < to for start, end, _ in names)
            if not named and is_part_of_one_title(text[lead.end() : to], titles):
                return lead.start(), to
    return None


def names_the_group(text: str) -> bool:
    """Whether a text says "in the group", which names it if there is just one."""
    return _THE_GROUP.search(text) is not None


def with_title_of_group(text: str, title: str) -> str:
    """The text with the group's title in "in the group"."""
    return _THE_GROUP.sub(lambda found: f"{found['lead']} the {title} chat", text)


def is_part_of_one_title(name: str, titles: Mapping[int, str]) -> bool:
    """Whether two words or more are a part of just one title: they need no word for a chat."""
    return have_one_title(Titles.of(titles).with_long_part(plain_words_of(name)), titles)


def names_chat(text: str, at: int) -> bool:
    """Whether a word for a chat follows at ``at``: "Ben" in "the Ben chat" is no person."""
    return _OF_CHAT.match(text, at) is not None


def sum_up_named_chat(
    text: str, titles: Mapping[int, str]
) -> tuple[str, frozenset[int], str | None]:
    """``text`` with "the chats" for the chat that it asks to sum up, the chats with this name, and the name.

    The name is None if none is given. Several chats may have it as part of their titles; or none.
    """
    found = _SUMMED_UP.search(text)
    if found is None or not content_of(found["name"]):
        return text, frozenset(), None
    general = f"{text[: found.start()]}{found['asks']} the chats{text[found.end() :]}"
    return general, Titles.of(titles).called(found["name"], found["noun"]), found["name"]


def unknown_place(text: str, titles: Mapping[int, str]) -> re.Match[str] | None:
    """The first "in the X chat" of which no chat has the name, with the groups name and noun.

    X may be a club, which messages may be about too.
    """
    known = Titles.of(titles)
    for placed in (_PLACED, _PLACED_CLUB):
        for found in placed.finditer(text[:LONGEST]):
            if content_of(found["name"]) and not known.called(found["name"], found["noun"]):
                return found
    return None
