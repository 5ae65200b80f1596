"""Corrections of the question before: "no, I meant the other David", "sorry, the summer one".

What is put in place of a part of that question stays, as a follow-up: "and the summer one". English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.names import spelling_key
from minirag_chat.question.otherwise_called import people_as_asked
from minirag_chat.store import Store

LONGEST = 120  # characters of a text that is looked at
_SAYS_NO = (
    r"(?:no+|nope|nah|sorry|apologies|oops|whoops|wait|hold on|ah+|oh+|hm+|well|actually|ok(?:ay)?)"
)
_MEANS = (
    r"(?:(?:i|we) (?:actually |really |just )?(?:meant?|was (?:asking|talking) about|was thinking of)"
    r"|i['\u2019]m (?:asking|talking) about)"
)
_SAYS_MEANT = any_case(_MEANS)
_LEAD = any_case(
    rf"\W*(?:{_SAYS_NO}[\s,.!\u2026-]+)*{_MEANS}(?!\s+to\b)\s*[,:]?\s+(?=\w)"  # no "I meant to ask"
    rf"|\W*(?:(?:{_SAYS_NO}\s+)*{_SAYS_NO}\s*[,.!\u2026-]+\s*)+(?=not\b|the other\b|[a-z])",
)
_INSTEAD = any_case(r"not (?!(?:only|just)\b)[^,;.]{1,40}[,;.]\s*(?:but\s+)?(?P<right>\w.*)")
_NOT = any_case(r"(?P<right>[^,?]{1,60}?),?\s+(?:and )?not\s+[^,?]{1,40}\W*$")
# What says something of its own is no part of a question: "no, it's fine", "ok. next question: where is it?"
_STATES = any_case(
    r"\b(?:i(?:['\u2019]?(?:m|ve|ll|d))?|(?:it|that|there)['\u2019]?s?|(?:he|she)(?:['\u2019](?:s|ll|d))?"
    r"|(?:they|we|you)(?:['\u2019](?:re|ve|ll|d))?|this)\b|[.!?:;]\s*\w"
)
MOST_WORDS = 6  # of a part of a question
_OTHER = any_case(
    r"\b(?P<lead>(?:and |with |from |about )?)(?:the )?other (?P<name>(?!one\b)[^\W\d_]\w*)"
)
_OTHER_ONE = any_case(
    r"(?P<lead>(?:(?:and|what about|with|from) )*)(?:the )?other (?P<name>one)\W*$"
)
_QUESTION = any_case(
    r"(?:who|whom|whose|what|when|where|why|how|which|did|does|do|is|are|was|were|has|have|had|can|could"
    r"|will(?=\s+\w+\s+\w)|would|should|show|list|find|tell|give|summari[sz]e)\b"
)
_JOINED = lazy(r"(?i:and|but|or)\b")


def without_correction(text: str) -> tuple[str, bool]:
    """A text without "no, I meant", and whether it corrects the question before.

    A whole question is as it stands, a part of one is a follow-up: "and Priya".
    """
    lead = _LEAD.match(text) if len(text) <= LONGEST else None
    rest = text[lead.end() :] if lead else text
    if lead and (_QUESTION.match(rest) or _JOINED.match(rest)):
        return rest, False
    found = _INSTEAD.fullmatch(rest) or (_NOT.fullmatch(rest) if lead else None)
    right = found["right"] if found else rest
    if len(text) > LONGEST or (found is None and lead is None) or not _is_part(lead, rest, right):
        return text, False
    asks = _QUESTION.match(right) or _JOINED.match(right)
    return (right if asks else f"and {right}"), True


def _is_part(lead: re.Match[str] | None, rest: str, right: str) -> bool:
    """Whether a rest is a part of a question: after "I meant", or if it says nothing of its own."""
    means = lead is not None and _SAYS_MEANT.search(lead[0]) is not None
    return means or (len(right.split()) <= MOST_WORDS and not _STATES.search(rest))


def with_other_namesake(text: str, before: Sequence[str], store: Store) -> str:
    """A text with the whole name of "the other David", if just one of that name is not the one before.

    ``before`` are the question and the answer before it: whom the first of them names in full, alone. "The
    other one" has the first name of whoever the question names.
    """
    found = _OTHER.search(text) or _OTHER_ONE.match(text)
    if found is None:
        return text
    people = people_as_asked(store)
    named = [
        {owners[0] for *_place, owners in people.find(said) if not owners[1:]} for said in before
    ]
    firsts = {found["name"]}
    if found["name"].casefold() == "one":
        firsts = {
            before[0][left:right].split()[0] for left, right, _owners in people.find(before[0])
        }
    for key in map(spelling_key, firsts):
        called = {
            one.id
            for one in store.people.all()
            if spelling_key(one.shown_name).split()[:1] == [key]
        }
        for spoken_of in named:
            others = called - spoken_of
            if len(others) == 1 and len(called) > 1:
                name = store.people.shown_by_id(others.pop())
                return f"{text[: found.start()]}{found['lead']}{name}{text[found.end() :]}"
    return text
