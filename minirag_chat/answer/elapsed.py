"""How long ago a day was, for a question that asks for that and is answered with the day."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from minirag_chat.times import find_times
from minirag_chat.ui_text import count, joined

_ASKS = re.compile(
    r"\W*(?:(?:so|and|but)\s+)?how\s+long\s+(?:ago\b|(?:is\s+it|has\s+it\s+been)\s+since\b)",
    re.IGNORECASE,
)
_SAID = re.compile(r"\b(?:ago|since|for)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_A_DAY = timedelta(days=1)
_DAYS, _WEEKS = 14, 60  # below these numbers of days an amount is given in days, or in weeks


def with_elapsed(question: str, answer: str, now: datetime) -> str:
    """``answer`` with how long ago its day was: "Saturday 17 October 2026 (6 weeks ago)".

    Only if the question asks for that, and the answer is about one past day and has no such words.
    """
    if not _ASKS.match(question) or _SAID.search(answer):
        return answer
    days = {
        time.start.date()
        for time in find_times(answer, now)
        if time.end - time.start <= _A_DAY and _YEAR.search(time.phrase)
    }
    if len(days) != 1 or (day := days.pop()) >= now.date():
        return answer
    return f"{answer.rstrip('. ')} ({_elapsed(day, now.date())} ago)"


def _elapsed(day: date, today: date) -> str:
    days = (today - day).days
    if days < _DAYS:
        return count(days, "day")
    if days < _WEEKS:
        return count(round(days / 7), "week")
    between = relativedelta(today, day)
    parts = {"year": between.years, "month": between.months}
    return joined([count(number, unit) for unit, number in parts.items() if number])
