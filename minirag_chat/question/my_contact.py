"""“My mum” is the contact called Mum, where there is one."""

from __future__ import annotations

import re

from minirag_chat.common_words import NOT_NAMES
from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import PersonIndex

_MY = lazy(r"\b(?:my|mein(?:e[rnms]?)?)\s+(?P<name>[^\W\d_]{2,20})(?!\w)", re.IGNORECASE)


def with_my_contacts(question: str, index: PersonIndex) -> str:
    """``question`` with "mum" for "my mum", if that is all that somebody is called, emoji aside.

    "My mums birthday" is that of mum.
    """

    def named(found: re.Match[str]) -> str:
        for name, rest in ((found["name"], ""), (found["name"][:-1], "'s")):
            whole = not rest or found["name"].endswith("s")
            if whole and name.casefold() not in NOT_NAMES and index.called(name):
                return name + rest
        return found[0]

    return _MY.sub(named, question)
