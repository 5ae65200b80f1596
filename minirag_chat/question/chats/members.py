"""Whether a question asks who is in a chat: "Who is in the Cabin Crew chat?"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.chats.in_chat import LONGEST_NAME, NOUN, THE
from minirag_chat.question.chats.titles import PEOPLE_OF_GROUPS, Titles, content_of, have_one_title
from minirag_chat.question.words import plain_words_of
from minirag_chat.records import Filters

_MEMBERS = any_case(
    r"(?:who (?:all )?(?:is|are|was|were)(?: all)?(?: (?:a )?(?:members?|part))?"
    r"|who (?:all )?(?:(?:has |have )?written|writes?|wrote)"
    r"|how many (?:people|members|participants) (?:are|were)(?: there)?"
    r"|(?P<members>(?:(?:list|show|name|what are|who are) )?(?:all )?(?:the )?(?:members|participants))"
    rf")(?P<where> (?:in|of|on) {THE}(?P<name>.{{0,{LONGEST_NAME}}}?)"
    rf"\s*(?:\b(?P<noun>(?:group\s+)?{NOUN}))?)?[\s?!.\uff1f]*",
)
_IN_GERMAN = any_case(
    r"(?:(?P<who>wer (?:ist|war|sind)(?: (?:alles|alle|noch))?)"
    r"|wie ?viele (?:leute|personen|menschen|mitglieder|teilnehmer) (?:sind|hat)(?: es)?)(?: denn)?"
    r" (?:in|im)(?: (?:der|dem|unserer|unserem|meiner))?"
    rf"(?: (?P<noun>(?:gruppe|chat)\b)(?P<behind>.{{0,{LONGEST_NAME}}}?)"
    rf"| (?P<name>.{{1,{LONGEST_NAME}}}?)(?:[ -](?P<noun_after>gruppe|chat))?)[\s?!.]*",
)
_WHO_IS = any_case(r"\bwho['\u2019]?s\b")


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
    known = Titles.of(titles)
    if not found["where"]:
        chats = filters.chats
    elif found["noun"] and not content_of(found["name"]):
        chats = filters.chats or frozenset(titles)
    elif found["noun"]:
        chats = known.called(found["name"], found["noun"])
    else:
        words = plain_words_of(found["name"])
        clear = words[1:] or found["members"] or PEOPLE_OF_GROUPS.issuperset(words)
        chats = known.with_title(words) if clear else frozenset()
        chats = chats or known.with_long_part(words) or known.of_club(words)
    chats &= filters.chats or chats
    return chats if have_one_title(chats, titles) else None


def _in_english(found: re.Match[str]) -> str:
    """A German question for those in a chat, in the words of ``_MEMBERS``."""
    asks = "who is" if found["who"] else "how many people are"
    name = " ".join((found["name"] or found["behind"] or "").split())
    noun = "group" if found["noun"] or found["noun_after"] else ""
    return " ".join(f"{asks} in the {name} {noun}".split())
