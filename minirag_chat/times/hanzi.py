"""Calendar times in Chinese characters: "5月", "去年五月三日", "2024年上半年", "今年夏天"."""

from __future__ import annotations

import re
from datetime import datetime

from dateutil.relativedelta import relativedelta

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.spans import Prefer, Span, around, midnight, new_year, recurring, thirds

_DIGITS = "零一二三四五六七八九"
_YEARS = {"前": -2, "去": -1, "今": 0, "明": 1}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_MONTH_EDGES = {"初": "early", "中": "mid", "底": "late", "末": "late"}
_YEAR_EDGES = {"初": "start", "底": "end", "末": "end"}
_NUMBER = r"(?:\d\d?|[一二三四五六七八九十]{1,3})"
_YEAR = r"(?P<year>(?:19|20)\d\d|[前去今明])年"
_SHAPE = (
    rf"(?<![\d一二三四五六七八九十])(?:{_YEAR})?(?:"
    rf"(?P<month>{_NUMBER})\s?月(?![天饼])"  # not 五月天 (a band) and 月饼 (a cake)
    rf"(?:\s?(?P<day>{_NUMBER})\s?[日号]|份|(?P<edge>初(?!中)|中(?=旬)|底|末)旬?)?"
    r"|(?P<half>[上下])半年)"
)
_OF_YEAR = rf"(?<!\d){_YEAR}(?:的?(?P<season>[春夏秋冬])[天季]|年?(?P<turn>[初底末]))"
_READ = (lazy(_SHAPE), lazy(_OF_YEAR))
HANZI = re.sub(r"\?P<\w+>", "?:", f"{_SHAPE}|{_OF_YEAR}")


def number_of(text: str) -> int:
    """The number below 100 of "12" or "十二"; of "二三" (two or three) the last one."""
    if text.isdecimal():
        return int(text)
    tens, ten, units = text.replace("两", "二").rpartition("十")
    high = _DIGITS.find(tens[-1]) if tens else 1
    return 10 * high * bool(ten) + (_DIGITS.find(units[-1]) if units else 0)


def _in_year(parts: dict[str, str | None], year: int) -> Span | None:
    start = new_year(year)
    if month := parts.get("month"):
        day = parts["day"]
        try:
            named = datetime(year, number_of(month), number_of(day or "1"))
        except ValueError:
            return None
        span = around(named, "day" if day else "month")
        return thirds(span, _MONTH_EDGES[parts["edge"]]) if parts["edge"] else span
    if half := parts.get("half"):
        start += relativedelta(months=6 * (half == "下"))
        return start, start + relativedelta(months=6)
    if season := parts.get("season"):
        start = start.replace(month=_SEASONS[season])
        return start, start + relativedelta(months=3)
    return thirds(around(start, "year"), _YEAR_EDGES[parts["turn"] or "底"])


def read_hanzi(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    """Read a month, a day of one, or a half, season, beginning or end of a year."""
    found = next((read for shape in _READ if (read := shape.fullmatch(phrase))), None)
    if found is None:
        return None
    parts = found.groupdict()
    year = parts["year"]
    if year is None:
        return recurring(lambda any_year: _in_year(parts, any_year), midnight(now), prefer)
    return _in_year(parts, now.year + _YEARS[year] if year in _YEARS else int(year))
