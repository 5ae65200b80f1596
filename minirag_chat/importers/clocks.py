"""Clock times as chat exports write them: digits of any script, marks of morning and afternoon."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, time, timedelta
from functools import cache, lru_cache

from minirag_chat.importers.base import ANY_GAP, ANY_MARKS, MARKS, Clock
from minirag_chat.importers.cldr_day_periods import day_halves

# One or more words: `PM`, `p. m.`, `e pasdites`, `בערב`; the tables below say which mean morning.
_WORDS = r"[^\W\d_][^\d\[\]:/\-–—\n]{0,22}?"  # noqa: RUF001 - exports have these dashes
CLOCK = (
    rf"(?:(?P<pre>{_WORDS}){ANY_GAP})?"
    rf"(?P<hour>\d{{1,2}}){ANY_GAP}[:.h]{ANY_GAP}(?P<minute>\d{{2}})"
    rf"(?:(?:[:.]|{ANY_GAP}min){ANY_GAP}(?P<second>\d{{2}})(?:{ANY_GAP}s\b)?)?"
    rf"(?:\.\d{{1,6}})?"
    rf"(?:{ANY_MARKS}{ANY_GAP}(?P<post>{_WORDS}))?"
)

# As phones write them, in lower case, without dots, quotes and spaces: those that CLDR does not have (now).
_MORNING = """
am ص rano 凌晨 早上 清晨 vorm मपू délelőtt damanhã da проб sf safiya bn wd ਪੂਦੁ ቅቀ goöň לפנהצ בבוקר
предиобед предпладне претподне prepodne dopoledne преподне முற்பகல் ಪೂರ್ವಾಹ್ನ পূর্বাহ্ণ পূর্বাহ্ন
ព្រឹក asubuhi предиобяд
"""
_AFTERNOON = """
pm م 中午 晚上 傍晚 nachm मउ délután datarde danoite слоб ym yamma pn wb ਬਾਦੁ ድቀ gosoň popołudniu אחהצ
בערב בצהריים بعدالظهر مساء следобед пополудне поподне odpoledne poslijepodne பிற்பகல் ಅಪರಾಹ್ನ
অপরাহ্ণ অপরাহ্ন ល្ងាច jioni следобяд
"""
# These words mark a time, but neither morning nor afternoon.
_NEITHER = "um at às as à klo kl saat lúc o в ч час น นาฬิกา uhr h hrs hs uur"
_HALVES = {
    unicodedata.normalize("NFC", word): half
    for words, half in ((_MORNING, "am"), (_AFTERNOON, "pm"), (_NEITHER, ""))
    for word in words.split()
}
_IGNORED = frozenset(".'\"’״׳" + MARKS)  # noqa: RUF001 - these very marks
_HOURS = 24
_NOON = 12


def to_time(match: re.Match[str], clock: Clock | None = None) -> time | None:
    """Return the time of a match of ``CLOCK``, or None if it is not a valid time.

    With ``clock`` ``24`` a mark such as PM is ignored.
    """
    pre, hour, minute, second, post = match.group("pre", "hour", "minute", "second", "post")
    return clock_time(hour, minute, second, None if clock == "24" else pre or post)


@lru_cache(maxsize=65536)
def clock_time(hour: str, minute: str, second: str | None, mark: str | None) -> time | None:
    """Return the time of day from the parts of a written one, or None if it is not valid."""
    half = half_of(mark)
    if half is None:
        return None
    hours, minutes, seconds = int(hour), int(minute), int(second or 0)
    if half and hours <= _NOON:
        hours = hours % _NOON + (_NOON if half == "pm" else 0)
    if hours >= _HOURS or max(minutes, seconds) > 59:  # noqa: PLR2004 - minutes and seconds
        return None
    return time(hours, minutes, seconds)


class HalfDays:
    """Tells morning from afternoon in a file with a 12-hour clock but without marks such as AM and PM.

    The afternoon begins where the hours run backwards. Without ``clock`` ``12`` times stay as they are.
    """

    def __init__(self, clock: Clock | None) -> None:
        self._asked = clock == "12"
        self._last: datetime | None = None

    def to_24_hours(self, when: datetime) -> datetime:
        """Return the time, twelve hours later in the afternoon."""
        if not self._asked or when.hour > _NOON:
            return when
        written = when.replace(hour=when.hour % _NOON)
        last = self._last
        same_day = last is not None and last.date() == written.date()
        if same_day and last is not None and written < last:
            written += timedelta(hours=_NOON)
        self._last = written
        return written


def half_of(mark: str | None) -> str | None:
    """Return "am", "pm", "" where there is no mark, or None for a mark that is neither."""
    if mark is None:
        return ""
    word = _plain(mark)
    known = _HALVES.get(word)
    return _cldr_halves().get(word) if known is None else known


def _plain(mark: str) -> str:
    """A mark in small letters, without dots, quotes and spaces."""
    small = unicodedata.normalize("NFC", mark.casefold())
    return "".join(c for c in small if not c.isspace() and c not in _IGNORED)


@cache
def _cldr_halves() -> dict[str, str]:
    """The halves of the day by the words of all languages; loaded where the tables above do not have one."""
    return {_plain(word): half for word, half in day_halves().items()}
