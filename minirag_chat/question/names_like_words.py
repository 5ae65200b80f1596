"""People whose name is also a common word: "did april write?", "will's last message", in lower case.

With a capital such a word is a name already. In lower case it is one where somebody of the messages is called
so, and it stands where only a name can: "did will write" has a verb behind it, and "will she write" has not.
"""

from __future__ import annotations

from collections.abc import Iterator

from minirag_chat.common_words import NOT_NAMES
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.names import PersonIndex
from minirag_chat.times.quoted import unquoted

_WORD = lazy(r"(?<![\w'\u2019])[a-z]{2,20}(?!\w)")
_LEAD = 30  # characters before a word that are searched for what makes it a name
_AUX = lazy(r"\b(?:did|does|has|had|is|was)\s+$")
# "did april write", and not "did april have more messages", "is april over"
_ACTS = lazy(
    r"\s+(?!(?:(?:have|has|had|get|see|be|been)\s+)?(?:more|most|fewer|fewest|less|least|busier|quieter)\b"
    r"|(?:over|near|free|ok|okay|good|fine|better|worse|a|an|the|in|on|at|of|or|and|not|i|we|you|he|she|they|it)\b)"
    r"[a-z]"
)
_TO = (
    r"(?:talk|speak|text|reply|listen|spoke|spoken|talked|replied|listened|wr[io]te|written|sen[dt]|said)"
    r"(?:\s+\w+)?\s+to"
)
_AFTER_VERB = lazy(
    r"\b(?:with|by|than|text|texted|message|messaged|call|called|tell|told|ask|asked|meet|met|saw|seen"
    rf"|{_TO})\s+$"
)
_SENT_BY = lazy(
    r"\b(?:messages?|texts?|msgs?|photos?|pics?|pictures?|videos?|notes?|links?|files?|stickers?|gifs?|emojis?|news"
    r"|anything|something|heard?|thing)\s+from\s+$"
)
_FROM_TO = lazy(r"\s+(?:to|until|till|through|onwards?|\d)")
_WROTE = lazy(
    r"\s+(?:(?:last|first|ever|just|also|never)\s+)?"
    r"(?:sent|sends|said|says|wrote|writes|texted|replied|replies|told|tells|mentioned|mentions|asked|asks|posted|posts"
    r"|answered|answers)\b"
)
_OWNS = lazy(r"['\u2019]s\s")
_DETERMINER = lazy(
    r"\b(?:the|an?|this|that|these|those|my|our|your|his|her|its|their|no|in|on|at|during|since|last|next)\s+$"
)
_JOINED = lazy(r"\s*,\s+(?:(?:and|or)\s+)?|\s+(?:and|or|vs\.?|versus|than)\s+")
_AND_I = lazy(r"\s+and (?:i|me)\b")
_ALONE = lazy(r"\W*(?:(?:and|or|what about|how about)\s+)?(?:(?:with|from|by)\s+)?$")
WHO_IS = any_case(r"\W*who(?:['\u2019]?s| is| was)\s+")
_TIMES = frozenset("april august june march may friday monday sunday dawn summer".split())
"""Alone, as a follow-up, these are times; so are "messages from april" and "was april busy"."""
_TO_PERSON = lazy(
    r"\b(?:text|texted|message|messaged|call|called|tell|told|ask|asked|meet|met"
    rf"|(?:talk|chat|speak|spoke|spoken|talked|chatted)(?:\s+\w+)?\s+with|(?:between|from) me and|{_TO})\s+$"
)
_DID = lazy(r"\b(?:did|does)\s+$")
_LAST_FROM = lazy(
    r"\b(?:last|latest|newest|first|oldest)\s+(?:\w+\s+)?(?:message|text|msg|photo|pic|picture|video"
    r"|(?:voice )?note|thing|word)\s+from\s+$"
)

Place = tuple[int, int, tuple[int, ...]]


def names_like_words(text: str, index: PersonIndex, found: list[Place]) -> Iterator[Place]:
    """``(start, end, people)`` of each such name that is not among those that were ``found``."""
    places = list(found)
    for word in _WORD.finditer(unquoted(text)):
        start, end = word.span()
        if word[0] not in NOT_NAMES or any(
            left < end and start < right for left, right, _ in places
        ):
            continue
        owners = index.find(word[0].capitalize())
        if not owners or not _is_name(text, start, end, places):
            continue
        place = start, end, owners[0][2]
        places.append(place)
        yield place


def _is_name(text: str, start: int, end: int, places: list[Place]) -> bool:
    """Whether the word at this place stands where only a name can."""
    near = max(0, start - _LEAD)
    if _DETERMINER.search(text, near, start):
        return False
    if any(after.match(text, end) for after in (_OWNS, _WROTE, _AND_I)):
        return True
    times = text[start:end] in _TIMES
    if (_DID if times else _AUX).search(text, near, start) and _ACTS.match(text, end):
        return True
    before = (_TO_PERSON, _LAST_FROM) if times else (_AFTER_VERB, _SENT_BY)
    if any(form.search(text, near, start) for form in before):
        return _FROM_TO.match(text, end) is None
    lead = text[:start]
    if not text[end:].strip(" ?.!") and (
        WHO_IS.fullmatch(lead) or (_ALONE.match(lead) and not times)
    ):
        return True
    return any(
        _JOINED.fullmatch(text, right, start) or _JOINED.fullmatch(text, end, left)
        for left, right, _owners in places
    )
