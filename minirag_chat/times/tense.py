"""Whether a message looks back on a day that it names, or ahead: "we went on Friday", "see you on Friday"."""

from __future__ import annotations

import re
from typing import Literal

Looks = Literal["back", "ahead", "unclear"]
_IGNORED = re.IGNORECASE
_SENTENCE = re.compile(r"[.!?\u3002\uff01\uff1f\n]+(?=\s|$)|\n")
_CLAUSE = re.compile(
    r"[,;:()\u2026\u2013\u2014]|\b(?:and|but|so|or|then|because|since|when|while|that)\b", _IGNORED
)
_PARTICIPLE = re.compile(
    r"(\b(?:am|is|are|be|been|being|gets?|getting)\s+(?:\w+\s+)?|['\u2019](?:m|s|re)\s+(?:\w+\s+)?"
    r"|\b(?:the|an?|my|our|his|her|their|your|some)\s+)[a-z]+ed\b",
    _IGNORED,
)
# What is past by its form, and may speak of a day to come all the same; and names ("Ahmed").
_EITHER = r"got|said|told|thought|knew|meant|agreed|(?-i:[A-Z])[a-z]+ed"
_BACK = re.compile(
    r"\b(?:(?:was|were|did|had)(?:n['\u2019]t)?|been|went|came|saw|met|took|gave|made|ate|drank|bought"
    r"|brought|found|lost|won|slept|spent|felt|fell|flew|drove|rode|ran|sang|swam|wrote|sent|sat|stood"
    r"|began|broke|left|heard|held|kept|paid|sold|taught|wore|forgot"
    rf"|(?!hundred)(?-i:[a-z]{{3,}})(?<!e)ed|{_EITHER})\b",
    _IGNORED,
)
_AHEAD = re.compile(
    r"\b(?:am|is|are|will|won['\u2019]t|would|can|can['\u2019]t|could|should|shall|may|might|must|let['\u2019]s"
    r"|(?:it|he|she|there|that|who|what|where|how)['\u2019]s|going|gonna|coming|see (?:you|ya)|if"
    r"|(?:how|what) about|thinking|wondering|looking|suppos\w*|plan\w*|decid\w*|agre\w*|book\w*|order\w*"
    r"|reserv\w*|schedul\w*|want\w*|hop(?:e|ed|ing)|need\w*|mov(?:e|ed|ing)|postpon\w*|delay\w*|cancel\w*"
    r"|invit\w*|suggest\w*|propos\w*|confirm\w*|expect\w*|promis\w*|ask\w*|offer\w*|arrang\w*|remind\w*"
    rf"|mention\w*|announc\w*|{_EITHER})\b|['\u2019](?:ll|d|re|m)\b"
    r"|\bto\s+(?!(?:the|an?|my|our|his|her|their|your|this|that|it)\b)(?-i:[a-z])"
    r"|\b(?:for|by|to|till?|until|about|of)(?:\s+the)?\s*$",
    _IGNORED,
)


def looks(text: str, left: int, right: int) -> Looks:
    """Where the clause around ``text[left:right]``, a time, looks by the forms of its verbs.

    A past form is no proof beside words that plan ("we decided to meet on Friday"), nor in another
    clause of the sentence: these are unclear. Without any past form, a message looks ahead.
    """
    start, end = _around(_SENTENCE, text, left, right, 0, len(text))
    near, far = _around(_CLAUSE, text, left, right, start, end)
    back = _past(text[near:left]) or _past(text[right:far])
    ahead = _AHEAD.search(text[near:left]) or _AHEAD.search(text[right:far])
    if back:
        return "unclear" if ahead else "back"
    return "ahead" if ahead or not _past(text[start:end]) else "unclear"


def _past(text: str) -> bool:
    """Whether there is a past form; a participle ("is closed") is none."""
    return _BACK.search(_PARTICIPLE.sub(r"\1", text)) is not None


def _around(
    border: re.Pattern[str], text: str, left: int, right: int, start: int, end: int
) -> tuple[int, int]:
    """The stretch between the nearest borders around a time."""
    before = [found.end() for found in border.finditer(text, start, left)]
    after = border.search(text, right, end)
    return max(before, default=start), after.start() if after else end
