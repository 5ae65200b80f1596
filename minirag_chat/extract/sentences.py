"""Splits text into sentences; the dots in "3.5 km", addresses, "St. Mary's" and "e.g." end none."""

from __future__ import annotations

from minirag_chat.lazy_patterns import lazy

_ABBREVIATED = ("Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Nr", "vs", "ca", "bzw")
_NO_END = "|".join((
    r"[.!?](?=\w)",  # 1.250, an address, the first dot of "e.g."
    r"(?<=\b\d)\.", r"(?<=\b\d\d)\.",  # 1. Mai
    r"(?<=\.\w)\.(?=[^\S\n]+\S)",  # the last dot of "e.g." and "z.B.", where more follows
    *(rf"(?<=\b{word})\.(?=[^\S\n]+\S)" for word in _ABBREVIATED),
))  # fmt: skip
SENTENCE = lazy(rf"(?:[^.!?\n\u3002\uff01\uff1f]|{_NO_END})+[.!?\u3002\uff01\uff1f]*")
"""A sentence with its final punctuation; a line break also ends it."""
