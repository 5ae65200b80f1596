"""“My mum” is the contact called Mum, where there is one."""

from __future__ import annotations

import re

from minirag_chat.common_words import NOT_NAMES
from minirag_chat.lazy_patterns import any_case
from minirag_chat.names import PersonIndex
from minirag_chat.question.about_messages.forms.vocabulary import WRITE, WRITES
from minirag_chat.times.quoted import QUOTED

_MY = any_case(
    r"\b(?:my|our|mein(?:e[rnms]?)?|unser(?:e[rnms]?)?)\s+(?P<name>[^\W\d_]{2,20})(?!\w)",
)


_WHICH = any_case(rf"\bwhich (?P<name>[^\W\d_]{{2,20}})(?= (?:has |have )?(?:{WRITES}|{WRITE})\b)")


def with_name_of_several(question: str, index: PersonIndex) -> str:
    """``question`` with "which Peter writes" for "which peter writes", if several people are called so."""

    def named(found: re.Match[str]) -> str:
        called = f"which {found['name'].capitalize()}"
        several = any(people[1:] for *_place, people in index.find(called))
        return called if several and found["name"].casefold() not in NOT_NAMES else found[0]

    return _WHICH.sub(named, question)


def with_my_contacts(question: str, index: PersonIndex) -> str:
    """``question`` with "mum" for "my mum", if that is all that somebody is called, emoji aside.

    "My mums birthday" is that of mum. What is in quotation marks stays as it is.
    """
    quoted = [place.span() for place in QUOTED.finditer(question)]

    def named(found: re.Match[str]) -> str:
        if any(start <= found.start() and found.end() <= end for start, end in quoted):
            return found[0]
        for name, rest in ((found["name"], ""), (found["name"][:-1], "'s")):
            whole = not rest or found["name"].endswith("s")
            if whole and name.casefold() not in NOT_NAMES and index.called(name):
                return name + rest
        return found[0]

    return _MY.sub(named, question)
