"""The chat that a question names by the other person in it: "in my chat with Ben"."""

from __future__ import annotations

import re
from dataclasses import replace

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.named_entities import people_in
from minirag_chat.question.words import words_of
from minirag_chat.records import Filters
from minirag_chat.store import Store

_CHAT_WITH = any_case(
    r"\b(?:in|from|on|inside|within) (?:the|our|my|(?P<whose>\w[^?!]{0,78}?)['\u2019]s?)"
    r" (?:(?:private|own|direct) )?(?:chat|conversation|thread) with ",
)
_GOES_ON = any_case(r"['\u2019]|\s*(?:,|&|/)\s*\w|\s+(?:and|or)\b")


def chat_with(text: str, asker: str) -> tuple[int, int] | None:
    """The place of "in the chat with ", before a name; ``asker`` is the name of who asks, if it is known."""
    found = _CHAT_WITH.search(text)
    whose = found["whose"] if found else None
    return None if found is None or (whose and whose != asker) else found.span()


def in_chat_with(text: str, store: Store, filters: Filters) -> tuple[str, Filters]:
    """``text`` without "in the chat with Ben", and the filters with the chats of two with this person.

    Both stay as they are if the name is of several people with such chats, or of a person without any.
    """
    asker = store.me.person()
    lead = chat_with(text, asker.shown_name if asker else "")
    names = people_in(text, store) if lead else []
    named = next((name for name in names if lead and name[0] == lead[1]), None)
    if lead is None or named is None or _GOES_ON.match(text, named[1]):
        return text, filters
    me = {store.me.id() or store.messages.owner()}
    chats = {
        person: frozenset(
            chat
            for chat, people in store.messages.participants().items()
            if people.keys() - me == {person} and chat in (filters.chats or {chat})
        )
        for person in named[2]
    }
    found = [ids for ids in chats.values() if ids]
    rest = " ".join(f"{text[: lead[0]]} {text[named[1] :]}".split())
    if len(found) != 1 or not {*words_of(rest)} - STOP_WORDS:
        return text, filters
    return re.sub(r"\s+(?=[?!.,;])", "", rest).lstrip(" ,"), replace(filters, chats=found[0])
