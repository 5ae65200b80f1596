"""How long ago a day was, or how long it is until then, for a question that asks for that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from minirag_chat.answer.durations import from_day_to_day
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.records import Source
from minirag_chat.store import Store
from minirag_chat.times import find_times, message_times
from minirag_chat.times.in_messages import is_ruled_out
from minirag_chat.ui_text import MAY_HAVE_CHANGED, count, one_line

_ASKS = any_case(
    r"\W*(?:(?:so|and|but)\s+)?how\s+(?:long|many\s+(?:days|weeks|months|years))\s+"
    r"(?:ago\b|(?:(?:is|was)\s+it\s+|has\s+it\s+been\s+|it\s+is\s+)?since\b"
    r"|ha(?:ve|s)\s+(?:\w+\s+){1,3}(?:been|known)\b)"
    r"|\W*(?:vor\s+wie\s+(?:langer\s+zeit|vielen\s+(?:tagen|wochen|monaten|jahren))\b"
    r"|wie\s+lange\s+ist\b.*\bher\b)",
)
_SAID = any_case(r"\b(?:ago|since|for)\b")
_LEFT = any_case(r"\b(?:in \d+ (?:days?|weeks?|months?)|from now)\b")
_YEAR = lazy(r"\b(?:19|20)\d\d\b")
_A_DAY = timedelta(days=1)


def with_elapsed(question: str, answer: str, now: datetime) -> str:
    """``answer`` with how long ago its day was: "Saturday 17 October 2026 (6 weeks ago)".

    Only if the question asks for that, and the answer is about one past day and has no such words.
    """
    if not asks_elapsed(question) or _SAID.search(answer):
        return answer
    days = {
        time.start.date()
        for time in find_times(answer, now)
        if time.end - time.start <= _A_DAY and _YEAR.search(time.phrase)
    }
    if len(days) != 1 or (day := days.pop()) >= now.date():
        return answer
    return f"{answer.rstrip('. ')} ({elapsed(day, now.date())})"


def with_time_left(answer: str, sources: Sequence[Source], now: datetime) -> str:
    """``answer`` with how long it is until its day: "Saturday 16 January 2027 (in 48 days)".

    Only if it names just one day that is still to come, or one time that begins with it, and no later
    message seems to move that. If it quotes its sources, that is the day of the first one.
    """
    if _LEFT.search(answer) or MAY_HAVE_CHANGED in answer:
        return answer
    quoted = next((one for one in sources if f"\u201c{one_line(one.quote)}\u201d" in answer), None)
    days = _days_quoted(quoted) if quoted else _days_told(answer, now)
    ahead = sorted(day for day in days if day > now.date())
    if len(ahead) != 1:
        return answer
    end = answer.find("\n", answer.index(one_line(quoted.quote))) if quoted else -1
    told, rest = (answer, "") if end < 0 else (answer[:end], answer[end:])
    return f"{told.rstrip('. ')} ({time_left(ahead[0], now.date())}){rest}"


def _days_quoted(source: Source) -> set[date]:
    """The days on which the times begin that a quoted message names."""
    times = message_times(source.quote, source.sent_at, order=source.message.date_order)
    return {one.start.date() for one in times if not is_ruled_out(source.quote, one.left)}


def _days_told(answer: str, now: datetime) -> set[date]:
    """The days on which the times of an answer in other words begin."""
    return {time.start.date() for time in find_times(answer, now, prefer="future")}


def time_left(day: date, today: date) -> str:
    """How long it is from today until a day to come: "in 25 days"."""
    return f"in {count((day - today).days, 'day')}"


def asks_elapsed(question: str) -> bool:
    """Whether a question is for how long ago something was: "how many days since Ann wrote?"."""
    return _ASKS.match(question) is not None


def elapsed(day: date, until: date) -> str:
    """How long before today, which is ``until``, a day was: "6 weeks ago"."""
    return f"{from_day_to_day(day, until)} ago" if day < until else "today"


def today(store: Store) -> datetime:
    """Now, or the time of the newest message, if that is later. Inside ``reading()``."""
    return max(store.messages.extent()[1] or datetime.min, datetime.now())
