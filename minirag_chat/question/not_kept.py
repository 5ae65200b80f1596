"""Questions about what an app notes and an import leaves out: who joined or left a group, and calls."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import lazy

_NOTICES = lazy(
    r"\b(?:left|leave|joined|join|add(?:ed)?|removed?|kick(?:ed)?|invited?|created?|made|renamed?)\b[^?.!]{0,40}?"
    r"\b(?:the|this|our|that)\s+(?:\w+\s+)?(?:group|chat|channel)\b"
    r"|\bmiss(?:ed)?\s+(?:any\s+|a\s+)?calls?\b|^\W*who\s+(?:tried\s+to\s+)?call(?:ed)?\s+(?:me|us)\b",
    re.IGNORECASE,
)


def asks_for_notices(question: str) -> bool:
    """Whether a question asks who joined, left or called, which only a message may say."""
    return _NOTICES.search(question) is not None
