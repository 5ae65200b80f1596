"""A follow-up that asks for the other end of the same: "Who wrote most in May?", "and the least?"."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import any_case, lazy

_ENDS = (
    ("most", "fewest", "least"),
    ("first", "last", "earliest", "latest", "oldest", "newest"),
    ("busiest", "quietest", "loudest", "chattiest"),
    ("fastest", "quickest", "slowest"),
    ("longest", "shortest"),
)
_ORDERED = frozenset({"most", "fewest", "least"})
_PLACE = r"(?:second|third|fourth|2nd|3rd|4th)"
_END = any_case(
    rf"\b(?:{_PLACE}[ -])?(?P<end>{'|'.join(word for words in _ENDS for word in words)})\b",
)
_PLACED = any_case(
    rf"(?:who (?:is|was|came) )?(?:on |in )?(?:the )?(?P<place>{_PLACE})(?: one| place| most)?\W*$",
)
_IN_PLACE = any_case(rf"\b(?:{_PLACE}[ -])?(?=(?:{'|'.join(_ORDERED)})\b)")
_SAME = frozenset({"the", "one", "ones", "of", "them", "all", "us", "message", "messages"})
_WORD = lazy(r"\w+")


def with_other_extreme(rest: str, before: str) -> str | None:
    """``before`` with the extreme of ``rest`` in place of its only one; None if ``rest`` asks for more.

    "And the second?" is "Who wrote second most?" after "Who wrote most?", and "and the least?" is "Who wrote
    least?" after both.
    """
    old = list(_END.finditer(before))
    if len(old) != 1:
        return None
    if (placed := _PLACED.match(rest)) and _low(old[0]) in _ORDERED:
        return _IN_PLACE.sub(f"{placed['place'].casefold()} ", before, count=1)
    new = list(_END.finditer(rest))
    if len(new) != 1 or not any({_low(old[0]), _low(new[0])} <= {*ends} for ends in _ENDS):
        return None
    known = _SAME | {word.casefold() for word in _WORD.findall(before)}
    left = rest[: new[0].start()] + rest[new[0].end() :]
    if (
        new[0][0].casefold() == old[0][0].casefold()
        or not {word.casefold() for word in _WORD.findall(left)} <= known
    ):
        return None
    return before[: old[0].start()] + new[0][0] + before[old[0].end() :]


def _low(found: re.Match[str]) -> str:
    return found["end"].casefold()
