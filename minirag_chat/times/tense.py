"""Whether a message names a day as past or as future: "we went on Friday", "see you on Friday".

The same for questions: "What did we do in May?", "What do we do in May?".
"""

from __future__ import annotations

import re
from typing import Literal

from minirag_chat.lazy_patterns import lazy

Looks = Literal["back", "ahead", "unclear"]
_IGNORED = re.IGNORECASE
SENTENCE = lazy(r"[.!?\u3002\uff01\uff1f\n]+(?=\s|$)|\n")
CLAUSE = lazy(
    r"[,;:()\u2026\u2013\u2014]|\b(?:and|but|so|or|then|because|since|when|while|that)\b", _IGNORED
)
_OWNER = r"(?:the|an?|my|our|his|her|their|your|some)"
_PARTICIPLE = lazy(
    rf"(\b(?:am|is|are|be|been|being|gets?|getting)\s+(?:(?:{_OWNER}\s+)?\w+\s+)?"
    rf"|['\u2019](?:m|s|re)\s+(?:\w+\s+)?|\b{_OWNER}\s+)"
    r"(?:[a-z]+ed|left|held|made|paid|sold|sent|kept|found|taught)\b",
    _IGNORED,
)
# "Pool closed Friday" leaves out "is", "was" or "will be", unless the clause has a subject of its own.
_LONE = lazy(
    r"\b(?!(?:arriv|happen|start|end|di|rain|snow|land|return|call|phon|text|email|visit|stay|liv|travell?)ed\b)"
    r"(?:[a-z]{2,}ed|paid|sold|sent|taught|found)"
    r"(?:\s+(?:on|from|at|over|this|all|day|the|whole|again|early|late|only))*\s*\Z",
    _IGNORED,
)
_SUBJECT = lazy(
    rf"\b(?:{_OWNER}|I|we|you|he|she|it|they|who|which|this|that|every\w+|some\w+|nobody|people)\b",
    _IGNORED,
)
# Past forms that may still be about a future day ("he said Friday"); and names ("Ahmed").
_EITHER = r"got|said|told|thought|knew|meant|agreed|left|kept|made|held|(?-i:[A-Z])[a-z]+ed"
_BACK = lazy(
    r"\b(?:(?:was|were|did|had)(?:n['\u2019]t)?|been|went|came|saw|met|took|gave|ate|drank|bought"
    r"|brought|found|lost|won(?!['\u2019]t)|slept|died|spent|felt|fell|flew|drove|rode|ran|sang|swam|wrote|sent|stood"
    r"|(?<!\bany )(?<!\bevery )(?<!\bthis )(?<!\bnext )(?<!\bon )sat(?!\.?,?\s+(?:night|nite|morning"
    r"|afternoon|evening|eve|week|mtg|(?:and|or|n|&)\s+sun)\b|\.?,?\s+\d|\s+(?:and|or|n|&)\s+\Z)"
    r"|began|broke|heard|paid|sold|taught|wore|forgot"
    r"|spoke|chose|grew|threw|became|caught|woke|drew|stole|shook|understood"
    rf"|(?!hundred)(?-i:[a-z]{{3,}})(?<!e)ed|{_EITHER})\b",
    _IGNORED,
)
# Verbs with the same form in past and present: "I put it there on Sunday".
_SAME = lazy(
    r"\b(?:put|set|cut|let|hit|hurt|cost|quit|read|shut|spread|split|beat|bet|burst|lay)\b",
    _IGNORED,
)
# What is said both before and after a day: "Thanks for the lift on Friday".
_OF_EITHER = lazy(
    r"\b(?:thanks?|thx|sorry|(?:great|good|nice|lovely)\s+(?:to\s+)?(?:see|meet)\w*)\b", _IGNORED
)
_AHEAD = lazy(
    r"\b(?:am|is|are|will|won['\u2019]t|would|can|can['\u2019]t|could|should|shall|may|might|must|let['\u2019]s"
    r"|(?:it|he|she|there|that|who|what|where|how)['\u2019]s|its\s+(?:on|in|at)"
    r"|going|gonna|coming|see (?:you|ya)|if"
    r"|(?:how|what) about|thinking|wondering|looking|suppos\w*|plan\w*|decid\w*|agre\w*|book\w*|order\w*"
    r"|reserv\w*|(?:re)?schedul\w*|push(?:ed|ing)|put\s+(?:back|off)|brought\s+forward|want\w*|hop(?:e|ed|ing)|need\w*|mov(?:e|ed|ing)|postpon\w*|delay\w*|cancel\w*"
    r"|invit\w*|suggest\w*|propos\w*|confirm\w*|expect\w*|promis\w*|ask\w*|offer\w*|arrang\w*|remind\w*|im|youll|theyll|itll"
    r"|ill\s+(?!(?:on|in|at|for|since|again|and|but|so|all|from|with|the|last|today|or|as)\b)[a-z]+"
    rf"|mention\w*|announc\w*|{_EITHER})\b|['\u2019](?:ll|d|re|m)\b"
    r"|\bto\s+(?!(?:the|an?|my|our|his|her|their|your|this|that|it)\b)(?-i:[a-z])"
    r"|\b(?:for|by|to|till?|until|about|of)(?:\s+the)?\s*$",
    _IGNORED,
)
# "We moved to Leeds" puts off no plan.
_RELOCATED = lazy(
    r"\bmoved(?=\s+(?:in|out|here|there|house|home|away|into|(?:to|from)\s+(?-i:[A-Z]\w*))\b)",
    _IGNORED,
)
# Words of questions about the future; they count only if there is no past form.
_COMING = lazy(
    r"\b(?:going|gonna|plan(?:s|ned|ning)?|scheduled|booked|coming|upcoming|(?:next|due)(?!\s+to\b)|wo?n['\u2019]t|shall"
    r"|am|is|are|isn['\u2019]t|aren['\u2019]t|do|does|don['\u2019]t|doesn['\u2019]t|should|must"
    r"|can(?!\s+(?:you|i)\b)|happens|comes|starts|begins|takes|(?-i:will))\b|^\s*will\b|['\u2019](?:ll|re|m)\b"
    r"|\b(?:it|he|she|there|that|who|what|which|where|when|how)['\u2019]s\b"
    r"|打算|计划|准备|即将|将[要会]|(?<![聚机议晚宴舞])会[去来做有]|要[去来做]",
    _IGNORED,
)
_RECORDED = lazy(
    r"\b(?:happened|remember|recall|messages?|chats?|conversations?|photos?|posts?|says?|writes?|talks?"
    r"|discuss(?:es)?|mentions?|tells?|asks?)\b|[了过]",
    _IGNORED,
)
_PLANNED = lazy(r"\b(?:planned|scheduled|booked|arranged)\b", _IGNORED)
_BE_DO = lazy(r"\b(?:am|is|are|do|does|any\w*)\b|\bwhat['\u2019]s\b", _IGNORED)
_NAME = lazy(r"(?<=\s)[A-Z][a-z]+ed\b")
# What is done to plans tells nothing of a day in another clause: "from the 3rd to the 5th, moved AGAIN".
_PLANS = lazy(
    r"\b(?:moved|changed|postponed|rescheduled|pushed|cancell?ed|booked|delayed|confirmed)\b",
    _IGNORED,
)
NEARBY = 300  # characters before and after a time that are looked at


def looks_ahead(question: str) -> bool:
    """Whether a question is about the future: "Where is Nora going?", "What is planned?".

    It is about the past if it has a past form, a word for what was written, or no verb.
    """
    if not _COMING.search(question) or _RECORDED.search(question):
        return False
    plain = _NAME.sub("", question)
    return not has_past_form(_PLANNED.sub("", plain) if _BE_DO.search(plain) else plain)


def looks(text: str, left: int, right: int) -> Looks:
    """Whether the time ``text[left:right]`` is past or future, by the verb forms in its clause.

    It is unclear if a past form comes with words for plans ("we decided to meet on Friday"), may leave out
    its verb ("pool closed Friday"), or is in another clause of the sentence. Without any past form, the
    time is in the future.
    """
    start, end = max(0, left - NEARBY), min(len(text), right + NEARBY)
    start, end = part_around(SENTENCE, text, left, right, start, end)
    if _OF_EITHER.search(text[start:left]):
        return "unclear"
    near, far = part_around(CLAUSE, text, left, right, start, end)
    before, after = _RELOCATED.sub("went", text[near:left]), text[right:far]
    back = has_past_form(before) or has_past_form(after)
    ahead = _AHEAD.search(before) or _AHEAD.search(after)
    if back:
        return "unclear" if ahead or _is_lone(before) else "back"
    if not ahead and _SAME.search(text[near:far]):
        return "unclear"
    around = _PLANS.sub("", f"{text[start:left]}\n{text[right:end]}")
    elsewhere = has_past_form(around)
    return "ahead" if ahead or not elsewhere else "unclear"


def _is_lone(before: str) -> bool:
    """Whether what stands before a time ends with a participle that has no subject and no object."""
    lone = _LONE.search(before)
    if lone is None:
        return False
    led = before[: lone.start()]
    return not _SUBJECT.search(led) and not has_past_form(led)


def has_past_form(text: str) -> bool:
    """Whether there is a past form; a participle ("is closed") does not count."""
    return _BACK.search(_PARTICIPLE.sub(r"\1", text)) is not None


def part_around(
    border: re.Pattern[str], text: str, left: int, right: int, start: int, end: int
) -> tuple[int, int]:
    """The start and end of the part of the text between the nearest borders around a time."""
    before = [found.end() for found in border.finditer(text, start, left)]
    after = border.search(text, right, end)
    return max(before, default=start), after.start() if after else end
