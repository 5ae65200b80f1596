"""Words and phrases of several forms of German questions about the messages, as regular expressions."""

from __future__ import annotations

import re

HAS = r"(?:habe|hat|haben|habt)"
LEFT = r"(?: (?:im|in|am|an|zu|um|von|seit|bis|schon|jemals|(?<!haben )alle|everyone)){0,3}"
"""What is left of a time or a chat, or asks for nothing more; in "haben alle" the "alle" is the subject."""
SHOW = r"(?:zeige?|liste|lies|such|finde?|gib)(?: (?:mir|uns))?(?: bitte)?(?: mal)?"
FIRST_OR_LAST = r"(?P<end>letzt|neue?st|erst)"
FIRST_OR_LAST_TIME = r"(?P<end>zuerst|zum ersten mal|zuletzt|zum letzten mal)"
MUCH = {"meisten": "most", "wenigsten": "fewest", "mehr": "more", "weniger": "fewer"}


def first_or_last(found: re.Match[str]) -> str:
    """Whether the first or the last one is asked for, in English."""
    return "first" if "erst" in found["end"].lower() else "last"
