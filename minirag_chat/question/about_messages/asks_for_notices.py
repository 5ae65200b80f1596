"""Questions about what an app notes and an import leaves out: who joined, left, read or called."""

from __future__ import annotations

from minirag_chat.lazy_patterns import any_case

_GROUP = r"(?:the|this|our|that)\s+(?:\w+\s+){0,4}(?:group(?:\s+chat)?|chat|channel)"
_NOTICES = any_case(
    rf"\b(?:left|leave|joined|join)\s+{_GROUP}\b|^\W*who\s+(?:made|created|started|renamed|opened)\s+{_GROUP}\W*$"
    rf"|\bwhen\s+(?:was|is)\s+{_GROUP}\s+(?:made|created|started|renamed|opened)\b"
    rf"|^\W*who\s+(?:was\s+|got\s+)?(?:added|removed|kicked|invited)\b[^?.!]{{0,30}}?\s+(?:to|from|out\s+of)\s+{_GROUP}"
    r"|\b(?:see|seen|saw|read|open(?:ed)?)\s+(?:my|our|\S+['\u2019]s?)\s+(?:(?:last|latest)\s+)?(?:messages?|texts?|msgs?)\b"
    r"|^\W*(?:who|how\s+many\s+(?:people|members|of\s+us)|which\s+(?:people|members))\s+(?:has\s+|have\s+)?(?:left|joined)\W*$"
    r"|\bunread\s+(?:messages?|texts?|msgs?|chats?)\b"
    r"|\bmiss(?:ed)?\s+(?:any\s+|a\s+)?calls?\b"
    r"|^\W*who\s+(?:tried\s+to\s+)?call(?:ed)?\s+(?:me|us)(?:\s+(?:today|yesterday|(?:last|this)\s+\w+))?\W*$",
)


def asks_for_notices(question: str) -> bool:
    """Whether a question asks who joined, left, read a message or called, which only a message may say."""
    return _NOTICES.search(question) is not None
