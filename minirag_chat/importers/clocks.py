"""Clock times as chat exports write them: digits of any script, marks of morning and afternoon."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, time, timedelta
from functools import lru_cache

from minirag_chat.importers.base import ANY_GAP, ANY_MARKS, Clock

# One or more words: `PM`, `p. m.`, `e pasdites`, `בערב`; the tables below say which mean morning.
_WORDS = r"[^\W\d_][^\d\[\]:/\-–—\n]{0,22}?"  # noqa: RUF001 - exports have these dashes
CLOCK = (
    rf"(?:(?P<pre>{_WORDS}){ANY_GAP})?"
    rf"(?P<hour>\d{{1,2}}){ANY_GAP}[:.h]{ANY_GAP}(?P<minute>\d{{2}})"
    rf"(?:(?:[:.]|{ANY_GAP}min){ANY_GAP}(?P<second>\d{{2}})(?:{ANY_GAP}s\b)?)?"
    rf"(?:\.\d{{1,6}})?"
    rf"(?:{ANY_MARKS}{ANY_GAP}(?P<post>{_WORDS}))?"
)

# As phones write them, in lower case, without dots, quotes and spaces. They are known without Unicode's CLDR
# (`day_periods.py`), which takes time to load, and lacks words of its earlier versions and of some phones.
_MORNING = """
am πμ ص rano 上午 午前 오전 凌晨 早上 清晨 öö fm vorm पूर्वाह्न मपू sa pg ap dop délelőtt de damanhã da
vm ጥዋት проб prijepodne yb قظ قبلازظهر rn sf safiya fh bn тң таңкы ກ່ອນທ່ຽງ priešpiet
priekšp priekšpusdienā претпл үө နံနက် wd ਪੂਦੁ غم පෙව gh pd eparadites ก่อนเที่ยง ቅቀ goöň дп to
לפנהצ בבוקר предиобед предпладне претподне prepodne dopoledne
преподне முற்பகல் ಪೂರ್ವಾಹ್ನ পূর্বাহ্ণ পূর্বাহ্ন పూర్వాహ్నం పూర్వాహ్న ព្រឹក ពេលព្រឹក asubuhi قبلدوپہر પૂર્વમધ્યાહ્ન ପୂର୍ବାହ୍ନ
կա կեսօրիցառաջ დილის түскедейін ekuseni രാവിലെ ਸਵੇਰੇ
"""
_AFTERNOON = """
pm μμ م 下午 午後 오후 中午 晚上 傍晚 ös em nachm अपराह्न मउ ch ptg ip odp délután du datarde danoite
nm ከሰዓት слоб popodne yh بظ بعدازظهر in ym yamma eh pn тк түштөнкийинки ຫຼັງທ່ຽງ popiet
pēcp pēcpusdienā попл үх ညနေ wb ਬਾਦੁ غو පව gd md epasdites หลังเที่ยง ድቀ gosoň пп tk
popołudniu אחהצ בערב בצהריים بعدالظهر مساء следобед пополудне поподне odpoledne popoldne poslijepodne
pop பிற்பகல் ಅಪರಾಹ್ನ অপরাহ্ণ অপরাহ্ন అపరాహ్నం అపరాహ్న ល្ងាច ពេលល្ងាច alasiri بعددوپہر ઉત્તરમધ્યાહ્ન ଅପରାହ୍ନ
կհ կեսօրիցհետո საღამოს түстенкейін ntambama വൈകുന്നേരം ਸ਼ਾਮ
"""  # noqa: RUF001 - Mongolian is written so
# These words mark a time, but neither morning nor afternoon.
_NEITHER = "um at às as à klo kl saat lúc o в ч час น นาฬิกา uhr h hrs hs uur बजे वाजता"
_HALVES = {
    unicodedata.normalize("NFC", word): half
    for words, half in ((_MORNING, "am"), (_AFTERNOON, "pm"), (_NEITHER, ""))
    for word in words.split()
}
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
    # Not at the top of the file: CLDR's months, which it imports, need this function.
    from minirag_chat.importers.day_periods import half_in_any_language, without_dots

    word = without_dots(mark)
    half = _HALVES.get(word)
    return half_in_any_language(word) if half is None else half
