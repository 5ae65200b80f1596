"""The chat that a question names with the word beside it: "in the Cabin Crew chat"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import with_plain_letters
from minirag_chat.question.scope import words_of
from minirag_chat.question.title_stems import CLUB, called_alike, of_club
from minirag_chat.records import Filters

GENERIC = (
    "whole", "entire", "group", "recent", "latest", "last", "past", "previous", "own", "private",
    "other", "different", "various", "many", "all", "these", "those", "our", "my", "the",
)  # fmt: skip
"""Words beside "chat" that name no chat."""
_FAMILY = frozenset(("family", "familie", "familien", "familia", "famille", "famiglia", "família"))
"""The word by which a title and a question may call the same chat in different languages."""
_GROUPS = _FAMILY | {"gang", "crew", "team", "friends"}
"""Words of people, so that who is in it asks for those of the chat, and not for those in a place."""
LONGEST, LONGEST_NAME = 600, 80  # characters of a question that names a chat, and of the name

_NOUN = r"(?:chat|group|conversation|channel|thread)"
_THE = r"(?:(?:the|our|my|this|that)\s+)?"
_CHAT = lazy(rf"\b(?:group\s+)?{_NOUN}\b", re.IGNORECASE)
_OF_CHAT = lazy(rf"\s+(?:group\s+)?{_NOUN}\b", re.IGNORECASE)
INSIDE = lazy(rf"\b(?:in|from|on|inside|within)\s+{_THE}", re.IGNORECASE)
_SUMMED_UP = lazy(
    r"\b(?P<asks>summari[sz]e|sum up|(?:recap|summary|overview) of|recap|tell me about)\s+"
    rf"{_THE}(?P<name>[^.?!]{{1,{LONGEST_NAME}}}?)\s+(?P<noun>(?:group\s+)?{_NOUN})\b",
    re.IGNORECASE,
)
_MEMBERS = lazy(
    r"(?:who (?:all )?(?:is|are|was|were)(?: all)?(?: (?:a )?(?:members?|part))?"
    r"|who (?:all )?(?:(?:has |have )?written|writes?|wrote)"
    r"|how many (?:people|members|participants) (?:are|were)(?: there)?"
    r"|(?P<members>(?:(?:list|show|name|what are|who are) )?(?:all )?(?:the )?(?:members|participants))"
    rf")(?P<where> (?:in|of|on) {_THE}(?P<name>.{{0,{LONGEST_NAME}}}?)"
    rf"\s*(?:\b(?P<noun>(?:group\s+)?{_NOUN}))?)?[\s?!.\uff1f]*",
    re.IGNORECASE,
)
_IN_GERMAN = lazy(
    r"(?:(?P<who>wer (?:ist|war|sind)(?: (?:alles|alle|noch))?)"
    r"|wie ?viele (?:leute|personen|menschen|mitglieder|teilnehmer) (?:sind|hat)(?: es)?)(?: denn)?"
    r" (?:in|im)(?: (?:der|dem|unserer|unserem|meiner))?"
    rf"(?: (?P<noun>(?:gruppe|chat)\b)(?P<behind>.{{0,{LONGEST_NAME}}}?)"
    rf"| (?P<name>.{{1,{LONGEST_NAME}}}?)(?:[ -](?P<noun_after>gruppe|chat))?)[\s?!.]*",
    re.IGNORECASE,
)
_NAME_PLACED = (
    r"\b(?:in|from|on|inside|within|of)\s+(?:the|our|my)\s+"
    r"(?P<name>(?:(?!(?:in|from|on|of|at|to|with|about|and|or|the|an?|our|my)\b)[\w'\u2019&-]+\s+){1,4}?)"
)
_PLACED = lazy(
    rf"{_NAME_PLACED}(?P<noun>(?:group\s+)?{_NOUN})\b(?!\s+(?:with|about|between)\b)", re.IGNORECASE
)
_PLACED_CLUB = lazy(rf"{_NAME_PLACED}(?P<noun>{CLUB})\b(?!\s+\w)", re.IGNORECASE)
_THE_GROUP = lazy(  # not "the group trip", or "the group of friends"
    r"\b(?P<lead>in|from|on|to|inside|within|of)\s+(?:the|our|my)\s+group(?:\s?chat)?"
    r"(?=\s*(?:[?.!,;]|$)|\s+(?:in|on|since|during|before|after|last|this|yesterday|today|between|from|until|at|by|who"
    r"|what|when|did|do|does|has|have|is|was|are|were|and|or)\b)",
    re.IGNORECASE,
)
_WORD = lazy(r"\w+")
MOST_WORDS = 4  # of a part of a title that names its chat without a word such as "chat"
_WHO_IS = lazy(r"\bwho['\u2019]?s\b", re.IGNORECASE)
_SPACED_MARK = lazy(r"\s+([?!.,;\uff1f])")
_Titles = Mapping[int, Sequence[str]]


def in_named_chat(text: str, titles: Mapping[int, str], filters: Filters) -> tuple[str, Filters]:
    """``text`` without "in the X chat", and the filters with this chat.

    X is the title of exactly one chat, or a part of only its title; or of several that have the same title,
    as those of a contact with two numbers. Both stay as they are if there is no such chat, if the filters
    leave it out, or if the rest of the text asks for nothing.
    """
    for start, end, chats in named_chats(text, titles, filters.chats):
        if len({titles[chat] for chat in chats}) != 1:
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
    known = _titles(titles)
    for lead in INSIDE.finditer(text):
        nouns = list(_CHAT.finditer(text, lead.end(), lead.end() + LONGEST_NAME))
        for noun in reversed(nouns):
            chats = _called(text[lead.end() : noun.start()], noun[0], known)
            chats &= among or chats
            if chats:
                yield lead.start(), noun.end(), chats


def chat_place(
    text: str, titles: Mapping[int, str], names: Sequence[tuple[int, int, object]]
) -> tuple[int, int] | None:
    """The place of the chat that ``text`` names, with its preposition.

    A whole title, or two words of one, need no noun, unless one of the ``names`` of people is in it: "on
    Ben's bike".
    """
    for start, end, chats in named_chats(text, titles):
        if len({titles[chat] for chat in chats}) == 1:
            return start, end
    found = _SUMMED_UP.search(text)
    if found and _called(found["name"], found["noun"], _titles(titles)):
        return found.end("asks") + 1, found.end()
    plain = with_plain_letters(text)
    for title in {*map(tuple, _plain(_titles(titles)).values())} - {()}:
        name = r"\W+".join(map(re.escape, title))
        bare = re.search(rf"{INSIDE.pattern}{name}\b", plain, re.IGNORECASE)
        if bare and all(end <= bare.start() or bare.end() <= start for start, end, _ in names):
            return bare.span()
    for lead in INSIDE.finditer(plain):
        ends = [word.end() for word in _WORD.finditer(plain, lead.end(), lead.end() + LONGEST_NAME)]
        for to in reversed(ends[1:MOST_WORDS]):
            named = any(lead.end() < end and start < to for start, end, _ in names)
            if not named and is_part_of_one_title(plain[lead.end() : to], titles):
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
    words = words_of(with_plain_letters(name))
    return len({titles[chat] for chat in _with_part(words, _plain(_titles(titles)))}) == 1


def _with_part(words: Sequence[str], known: _Titles) -> frozenset[int]:
    """The chats that have two words or more as a part of their titles; none for one or stop words."""
    enough = len(words) > 1 and not {*words} <= STOP_WORDS
    return frozenset(chat for chat, title in known.items() if enough and _is_part(words, title))


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
    if found is None or not _content(found["name"]):
        return text, frozenset(), None
    general = f"{text[: found.start()]}{found['asks']} the chats{text[found.end() :]}"
    return general, _called(found["name"], found["noun"], _titles(titles)), found["name"]


def unknown_place(text: str, titles: Mapping[int, str]) -> re.Match[str] | None:
    """The first "in the X chat" of which no chat has the name, with the groups name and noun.

    X may be a club, which messages may be about too.
    """
    known = _titles(titles)
    for placed in (_PLACED, _PLACED_CLUB):
        for found in placed.finditer(text[:LONGEST]):
            if _content(found["name"]) and not _called(found["name"], found["noun"], known):
                return found
    return None


def members_of(text: str, titles: Mapping[int, str], filters: Filters) -> frozenset[int] | None:
    """The chat of which the text asks who is in it; None if it asks for anything else.

    Without the word "chat" or "group" two words of the title must be given; its only one is enough if it is a
    word for people or the members are asked for. If none is named, or just "the group", it is the
    chat of the filters, or the only one. Chats of one title count as one.
    """
    asked = _WHO_IS.sub("who is", " ".join(text.split()))
    german = _IN_GERMAN.fullmatch(asked)
    asked = _in_english(german) if german else asked
    found = _MEMBERS.fullmatch(asked)
    if found is None or not (found["where"] or filters.chats):
        return None
    if not found["where"]:
        chats = filters.chats
    elif found["noun"] and not _content(found["name"]):
        chats = filters.chats or frozenset(titles)
    elif found["noun"]:
        chats = _called(found["name"], found["noun"], _titles(titles))
    else:
        words = words_of(with_plain_letters(found["name"]))
        known = _plain(_titles(titles))
        clear = words[1:] or found["members"] or _GROUPS.issuperset(words)
        chats = frozenset(c for c, title in known.items() if title == words and clear)
        chats = chats or _with_part(words, known) or of_club(words, known)
    chats &= filters.chats or chats
    return chats if len({titles[chat] for chat in chats}) == 1 else None


def _called(name: str, noun: str, known: _Titles) -> frozenset[int]:
    """The chats with this title, with or without the noun; else those whose title has it as a part.

    Where none has its accents, these do not count, and then another form of its words does; "family" may be
    "familie" in a title.
    """
    content = _content(name)
    if not content:
        return frozenset()
    plain = with_plain_letters(name)
    for called, titled in ((name, known), (plain, _plain(known))):
        forms = (words_of(f"{called} {noun}"), words_of(called))
        for matches in (_is_title, _is_part):
            for words in forms:
                chats = frozenset(chat for chat, title in titled.items() if matches(words, title))
                if chats:
                    return chats
    if alike := called_alike(words_of(plain), _plain(known)):
        return alike
    of_family = content if len(content) == 1 and content <= _FAMILY else ()
    return frozenset(chat for chat, title in known.items() if of_family and _FAMILY & {*title})


def _is_title(words: Sequence[str], title: Sequence[str]) -> bool:
    return words == title


def _is_part(words: Sequence[str], title: Sequence[str]) -> bool:
    size = len(words)
    return any(title[at : at + size] == words for at in range(len(title) - size + 1))


def _content(name: str) -> set[str]:
    """The words that can name a chat."""
    return {*words_of(name)} - STOP_WORDS - {*GENERIC}


def _plain(known: _Titles) -> _Titles:
    """The words of titles without accents."""
    return {chat: [with_plain_letters(word) for word in title] for chat, title in known.items()}


def _in_english(found: re.Match[str]) -> str:
    """A German question for those in a chat, in the words of ``_MEMBERS``."""
    asks = "who is" if found["who"] else "how many people are"
    name = " ".join((found["name"] or found["behind"] or "").split())
    noun = "group" if found["noun"] or found["noun_after"] else ""
    return " ".join(f"{asks} in the {name} {noun}".split())


def _titles(titles: Mapping[int, str]) -> _Titles:
    return {chat: words_of(title) for chat, title in titles.items()}
