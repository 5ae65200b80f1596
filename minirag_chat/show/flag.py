"""How sure an answer is, in the same words wherever it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from minirag_chat.records import UNREAD, Answer
from minirag_chat.ui_text import SILENCES

Level = Literal["sure", "likely", "weak", "none"]
SURE, LIKELY = 0.7, 0.5  # of P(the answer is right), which is calibrated
_ANSWERED: Mapping[Level, str] = {
    "sure": "\u2713 answered",
    "likely": "\u2713 answered",
    "weak": "~ unsure",
}


def has_measure(answer: Answer) -> bool:
    """Whether ``confidence`` estimates anything: not where nothing could be read."""
    return answer.reason not in UNREAD


def measure_of(answer: Answer) -> str:
    """What the number ``confidence`` of an answer estimates."""
    if not answer.abstained:
        return "confidence"
    if answer.withheld:
        return "confidence in what was read"
    return "probability that the messages state it"


def flag_of(answer: Answer) -> tuple[Level, str]:
    """The flag's level (its colour) and its words, with a sign that means the same as the colour."""
    if answer.stopped and not answer.text.strip():
        return "none", "stopped before there was an answer"
    stopped = " \u00b7 stopped" if answer.stopped else ""
    if answer.abstained:
        return "none", f"? {SILENCES[answer.reason or 'not_stated'].flag}{stopped}"
    level: Level = "sure" if answer.confidence >= SURE else "likely"
    level = level if answer.confidence >= LIKELY else "weak"
    return level, f"{_ANSWERED[level]} \u00b7 confidence {answer.confidence:.2f}{stopped}"
