"""Reads one time phrase as the span that it names: one reader for each kind of ``patterns.KINDS``.

A reader gets the phrase in lower case and the reference time; it returns None if the phrase is not a
time after all ("31 April", "every Tuesday").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from dateutil.relativedelta import relativedelta
from dateutil.rrule import DAILY, MONTHLY, rrule

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import TimeSpan
from minirag_chat.times.clocks import PARTS, part_of_day, read_clock, read_clocks, read_daypart
from minirag_chat.times.dayed import read_dayed, weekday_abroad
from minirag_chat.times.foreign import with_year
from minirag_chat.times.hanzi import read_hanzi
from minirag_chat.times.holidays import feast_span
from minirag_chat.times.names_of_days import MONTHS, WEEKDAYS
from minirag_chat.times.number_words import NUMBERS, TO_THIRTY_FIRST
from minirag_chat.times.numeric import is_ambiguous
from minirag_chat.times.patterns import (
    DAY_OF_MONTH,
    JOIN,
    NEAR,
    NTH_IN_WORDS,
    SHORT,
    SHORT_DAYS,
    SHORT_YEAR,
    SOME,
    TOMORROW,
    TONIGHT,
    YEAR,
    YESTERDAY,
    month_of,
    times_in,
    weekday_of,
)
from minirag_chat.times.spans import (
    DAY,
    Mode,
    Prefer,
    Span,
    around,
    first_moment,
    full_year,
    midnight,
    new_year,
    nth_part,
    recurring,
    stretch,
    thirds,
)

if TYPE_CHECKING:
    from dateparser.date import DateData

Reader = Callable[[str, datetime, Prefer], Span | None]

_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_SMALLER = {
    "years": (12, "months"), "months": (30, "days"), "fortnights": (2, "weeks"), "weeks": (7, "days"),
    "hours": (60, "minutes"),
}  # fmt: skip
_DAYS_FROM_TODAY = {
    "day before yesterday": -2, "yesterday": -1, "today": 0, "now": 0, "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip
_IN_FULL = (
    (lazy(rf"\b{TOMORROW}\b"), "tomorrow"),
    (lazy(rf"\b{YESTERDAY}\b"), "yesterday"),
    (lazy(rf"\b{TONIGHT}\b"), "tonight"),
    (lazy(r"\bnite\b"), "night"),
    (lazy(r"\bwk(?=s?\b)"), "week"),
    (lazy(r"\bmth(?=s?\b)"), "month"),
    (lazy(r"\byr(?=s?\b)"), "year"),
    (lazy(r"\bhr(?=s?\b)"), "hour"),
    (lazy(r"\bmin(?=s?\b)"), "minute"),
)
"""What people write for short: "2 wks ago", "see you tmrw"."""
_NTH_WORD = lazy(rf"\b{NTH_IN_WORDS}\b")
_MOST = "7"  # "the last few days" are at most so many
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_YEAR = lazy(rf"\b{YEAR}")
_WEEKDAY = lazy(rf"^(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))})\.?,?\s+(?:the\s+)?")
_MODE = lazy(rf"^{NEAR}")
_MONTH_IN_STAMP = lazy(r"\d{4}[-/](\d\d?)")  # dateparser takes 2026-13-01 for 13 January
DECEMBER = 12
_SLASHED = lazy(r"(\d\d?)/(\d\d?)")
_SHORT_YEAR = lazy(r"(?<=\d[/.-])\d\d$")
_APOSTROPHE_YEAR = lazy(rf"\s*{SHORT_YEAR}")
HAS_YEAR = lazy(rf"{YEAR}|{SHORT_YEAR}")
_LISTED = lazy(r"\b(?:and|or)\b|/")
_EITHER = lazy(r"\bor\b")
_PART_NAMES = {"months": "%B", "year": "%Y", "date": "%d %B", "holiday": "%d %B"}  # of lists
_PARTS_OF = frozenset({"weekend", "week", "half", "quarter", *WEEKDAYS})
_NEIGHBOURS = 5  # months: "November and February" are one winter, "May and March" are in one year
_BEFORE, _AFTER_NEXT, _OF_THE_MONTH = " before ", " after next", " of the month"
_NUMBERED = timedelta(days=100)  # who says "Friday 6th" means one of the next few months
_NUMBERED_SHORTLY = timedelta(days=45)
_NEAR_WHOLE = lazy(rf"\b{NEAR}(?:month|year)$")
_DAYS = (
    lazy(
        rf"({DAY_OF_MONTH})(?:{JOIN}|\s+and\s+)(?:the\s+)?({DAY_OF_MONTH})(\s+(?:of\s+)?{SHORT}.*)"
    ),
    lazy(rf"({SHORT}\s+(?:the\s+)?)({DAY_OF_MONTH}){JOIN}(?:the\s+)?({DAY_OF_MONTH})(.*)"),
    lazy(r"()(\d\d?)\.\s?(?:-|bis(?: zum)?)\s?(\d\d?)(\.\d\d?\.)"),
)
# not "won 5-3 March"
_OVER_THE_END = lazy(
    r"(?P<first>\d\d?)(?:st|nd|rd|th)?\s+(?:to|till?|until|through)\s+(?:the\s+)?"
    rf"(?P<last>(?P<day>\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?{SHORT}.*)"
)


def dateparser_reads(
    phrase: str, now: datetime, prefer: Prefer, *, foreign: bool = False
) -> Span | None:
    """Return the day, week, month, year or minute as which dateparser reads a whole phrase."""
    from dateparser.date import DateDataParser

    from minirag_chat.times.foreign import LANGUAGES

    parser = DateDataParser(
        languages=list(LANGUAGES) if foreign else ["en"],
        settings={
            "RELATIVE_BASE": now,
            "PREFER_DATES_FROM": prefer,
            "RETURN_TIME_AS_PERIOD": True,
            "DATE_ORDER": "DMY",
        },
    )
    read: DateData = parser.get_date_data(
        phrase, date_formats=["%Y%m%d", "%Y%m%d %H:%M", "%Y%m%d %H%M"]
    )
    moment = read["date_obj"]
    if moment is None:
        return None
    unit = read["period"] or "day"
    if phrase.count(":") and moment.time() != time(0):
        unit = "time"
    return around(moment.replace(tzinfo=None), unit)


def _mode(phrase: str, prefer: Prefer) -> tuple[str, Mode]:
    """Split "last March" into the name ("march") and the mode of its first word ("last")."""
    found = _MODE.match(phrase)
    if not found:
        return phrase, prefer
    word = found[0].split()
    modes: dict[str, Mode] = {"last": "last", "past": "last", "previous": "last", "this": "this"}
    return phrase[found.end() :], modes.get(word[-1], "next")


def _yearly(
    phrase: str, now: datetime, prefer: Prefer, in_year: Callable[[str, int], Span | None]
) -> Span | None:
    """Read a name that recurs each year; its year is given or is derived from ``now``."""
    name, mode = _mode(phrase, prefer)
    given = _YEAR.search(name)
    if mode == "this" and prefer == "past":
        mode = "past"
    if not given:
        return recurring(partial(in_year, name), midnight(now), mode)
    name = re.sub(r"[\s,]+(?:of)?\s*$", "", name[: given.start()])
    return in_year(name, int(given[0]))


def _date_in_year(name: str, year: int) -> Span | None:
    return dateparser_reads(f"{name} {year}", new_year(year), "past")


def _stamp(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    if (found := _MONTH_IN_STAMP.match(phrase)) and int(found[1]) > DECEMBER:
        return None
    return dateparser_reads(phrase.replace("_", " ").upper(), now, prefer)


def _numeric(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    if is_ambiguous(phrase, now):
        return None
    written = _SHORT_YEAR.sub(lambda short: f"{full_year(short[0], now)}", phrase)
    return dateparser_reads(written, midnight(now), "past")


def _foreign(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    from minirag_chat.times.foreign import EDGES, ends_of, is_near
    from minirag_chat.times.translated import in_english, only_asked

    if english := in_english(phrase):
        asked = prefer == "past" or not only_asked(english[0])
        return _READERS[english[0]](english[1], now, prefer) if asked else None
    if is_near(phrase):
        return dateparser_reads(phrase, midnight(now), prefer, foreign=True)
    first_word, _, rest = phrase.partition(" ")
    edge = EDGES.get(first_word)

    def in_year(name: str, year: int) -> Span | None:
        first, last = (
            dateparser_reads(f"{end} {year}", now, prefer, foreign=True) for end in ends_of(name)
        )
        if first is None or last is None:
            return None
        if edge:
            return thirds(first, edge)
        over = first[0] > last[0]  # "zwischen November und Februar"
        return first[0] - relativedelta(years=over), last[1]

    return _yearly(
        with_year(rest if edge else phrase, now).replace(" de ", " "), now, prefer, in_year
    )


def _date(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    if slashed := _SLASHED.fullmatch(phrase):
        first, second = int(slashed[1]), int(slashed[2])
        number, month = (first, second) if second <= DECEMBER else (second, first)
        phrase = f"{number} {MONTHS[month - 1]}"
    phrase = with_year(with_number_of_day(_WEEKDAY.sub("", phrase)), now)
    return _yearly(phrase, now, prefer, _days_in_year)


def with_number_of_day(phrase: str) -> str:
    """A date in lower case with the numbers of its days in digits, which dateparser reads: "10 of may"."""
    return _NTH_WORD.sub(lambda nth: str(TO_THIRTY_FIRST[nth[0].replace(" ", "-")]), phrase)


def _days_in_year(name: str, year: int) -> Span | None:
    """Read "3 May", "3-5 May", "May 3 to 5", "3. bis 5.5." or "the 28th to 3 March"."""
    if (over := _OVER_THE_END.fullmatch(name)) and int(over["first"]) > int(over["day"]):
        return _over_the_end(int(over["first"]), _date_in_year(over["last"], year))
    first = last = name
    if found := _DAYS[0].fullmatch(name):
        first, last = found[1] + found[3], found[2] + found[3]
    elif found := _DAYS[1].fullmatch(name):
        first, last = found[1] + found[2], found[1] + found[3]
    elif found := _DAYS[2].fullmatch(name):
        first, last = found[2] + found[4], found[3] + found[4]
    start, end = _date_in_year(first, year), _date_in_year(last, year)
    return (start[0], end[1]) if start and end and start[0] < end[1] else None


def _over_the_end(day: int, last: Span | None) -> Span | None:
    """Read "the 28th to 3 March": from that day of the month before ``last`` to the end of ``last``."""
    before = last[0] - relativedelta(months=1) if last else None
    first = first_moment(before.year, before.month, day) if before else None
    return (first, last[1]) if first and last else None


def _week_of(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    unit, _, day = phrase.removeprefix("the ").partition(" ")
    span = _date(re.sub(r"^(?:of|starting)\s+(?:the\s+)?", "", day.strip()), now, prefer)
    return around(span[0], unit) if span else None


def _part(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    """Read a part of a month or a year: "the first week of May", "late 2024", "end of last year"."""
    words = phrase.replace("-", " ").split()

    def of_month(name: str, year: int) -> Span | None:
        month = _date_in_year(name, year)
        return _cut(month, words) if month else None

    def of_year(_name: str, year: int) -> Span:
        return _cut(around(new_year(year), "year"), words)

    if month := re.search(rf"\b{SHORT}.*", phrase):
        return _yearly(month[0], now, prefer, of_month)
    if near := _NEAR_WHOLE.search(phrase):
        whole = _unit(near[0], now, prefer)
        return _cut(whole, words) if whole else None
    return _yearly(words[-1], now, prefer, of_year)


def _cut(span: Span, words: list[str]) -> Span:
    """Return the part of a month or a year that the first ``words`` name; of a month also a day."""
    if words[1] not in _PARTS_OF and (day := re.match(r"\d\d?|first", words[0])):
        number = int(day[0]) if day[0].isdigit() else 1
        return around(span[0].replace(day=number), "day")
    if words[0] not in _NTH and words[0] != "last":
        return thirds(span, words[0])
    unit = str(WEEKDAYS.index(words[1])) if words[1] in WEEKDAYS else words[1]
    return nth_part(span, _NTH.get(words[0], -1), unit)


def _quarter(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    number = int(phrase[1])

    def in_year(_name: str, year: int) -> Span:
        return nth_part(around(new_year(year), "year"), number, "quarter")

    return _yearly(phrase, now, prefer, in_year)


def count_of(phrase: str) -> tuple[int, str]:
    """Return the number and the unit (plural) in "a couple of days ago" or "in half an hour".

    With a half, the next smaller unit is used: "a year and a half ago" is 18 months.
    """
    phrase = re.sub(
        r"\b(year|month|week|hour)s? and a half",
        r"and a half \1",
        re.sub(rf"\b{SOME}\b", _MOST, phrase),
    )
    unit = re.search(r"(?:minute|hour|day|week|fortnight|month|year)", phrase)
    units = f"{unit[0] if unit else 'day'}s"
    counted, half, _ = phrase.replace("couple of", "2").partition("half")
    number = re.findall(rf"\b(?:\d+|{'|'.join(NUMBERS)})\b", re.sub(r"and a $", "", counted))
    word = next((n for n in reversed(number) if n.isdigit()), number[-1] if number else "1")
    value = int(word) if word.isdigit() else NUMBERS[word]
    if not half:
        return (2 * value, "weeks") if units == "fortnights" else (value, units)
    size, smaller = _SMALLER.get(units, (1, units))
    wholes = value if counted.endswith("and a ") else 0
    return (2 * wholes + 1) * size // 2, smaller


def _last(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    """Read "the last three days" up to the end of today, "the next two weeks" from today on."""
    number, unit = count_of(phrase)
    step = stretch(number, unit)
    today = around(now, "day")
    if phrase.startswith(("last", "past")):
        return today[0] - step, today[1]
    return today[0], today[0] + step


def _unit(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    name, before_last, _ = phrase.partition(_BEFORE)
    if before_last:
        return _before_last(name.removeprefix("the "), now, prefer)
    unit = phrase.rsplit(maxsplit=1)[-1]
    if phrase in {"the weekend", "this weekend"}:
        return _the_weekend(now, prefer)
    if phrase.endswith(_OF_THE_MONTH):
        return thirds(around(midnight(now), "month"), phrase.split(maxsplit=1)[0])
    after_next = phrase.endswith(_AFTER_NEXT)
    if after_next:
        unit = phrase.split(maxsplit=1)[0]
    step = 2 if after_next else {"last": -1, "this": 0}.get(_mode(phrase, prefer)[1], 1)
    number, units = {"weekend": (1, "weeks"), "quarter": (3, "months")}.get(unit, (1, f"{unit}s"))
    return around(midnight(now) + stretch(step * number, units), unit)


def _before_last(name: str, now: datetime, prefer: Prefer) -> Span | None:
    """Read "week before last" or "summer before last": the last one before the last one."""
    last = f"last {name}"
    kinds = [found.lastgroup or "" for found in times_in(last) if found[0] == last]
    span = read_phrase(kinds[0], last, now, prefer) if kinds else None
    return read_phrase(kinds[0], last, span[0], prefer) if span else None


def _the_weekend(now: datetime, prefer: Prefer) -> Span:
    """Return the weekend that "the" or "this weekend" means: the last one begun, or the first not over."""
    weekend = around(now, "weekend")
    if prefer == "past" and weekend[0] > now:
        return weekend[0] - timedelta(days=7), weekend[1] - timedelta(days=7)
    return weekend


def _offset(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    number, unit = count_of(phrase)
    if "weekend" in phrase:
        return around(around(now, "weekend")[0] - stretch(number, unit), "weekend")
    step = stretch(number, unit)
    precise = now if unit in {"minutes", "hours"} else midnight(now)
    moment = precise - step if phrase.endswith("ago") else precise + step
    return around(moment, "time" if unit in {"minutes", "hours"} else unit[:-1])


def _relative(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    part = "night" if phrase.endswith("night") else phrase.rsplit(maxsplit=1)[-1]
    if part in PARTS:
        return part_of_day(part, midnight(now - timedelta(days=phrase.startswith("last"))))
    days = _DAYS_FROM_TODAY[phrase.removeprefix("the ")]
    return around(midnight(now) + timedelta(days=days), "day")


def _weekday(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    if phrase.startswith(("every", "each")) or phrase.endswith("days"):
        return None
    name, mode = _mode(phrase, prefer)
    if mode == "this":
        return _this_weekday(weekday_of(name), midnight(now), prefer)
    day = WEEKDAYS[weekday_of(name)]
    named = day if mode == prefer and name == phrase else f"{mode} {day}"
    return dateparser_reads(named, midnight(now), prefer)


def _later(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    """Read "two weeks tomorrow" and "Saturday week", which are ahead; it is not certain on a Saturday."""
    first, today = phrase.removeprefix("a week on ").split(maxsplit=1)[0].rstrip("."), midnight(now)
    if prefer == "past":
        return None
    if phrase.endswith("tomorrow"):
        number, unit = count_of(phrase)
        return around(today + DAY + stretch(number, unit), "day")
    ahead = 1 if first == "tomorrow" else (weekday_of(first) - today.weekday()) % 7
    return around(today + timedelta(days=ahead + 7), "day") if ahead else None


def _this_weekday(weekday: int, today: datetime, prefer: Prefer) -> Span:
    """Return "this Monday": today if it is one, else the last one or the next one."""
    ahead = (weekday - today.weekday()) % 7
    days = ahead - 7 if ahead and prefer == "past" else ahead
    return around(today + timedelta(days=days), "day")


def _numbered(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    """Read "Friday 6th" or "Sunday the 21st": the nearest day that has both, on the other side if need be."""
    name, mode = _mode(phrase, prefer)
    number = int(re.sub(r"\D", "", name))
    today = midnight(now)
    if (abroad := weekday_abroad(name)) is not None:
        return _numbered_abroad(abroad, number, today)
    weekday = weekday_of(name)
    first, last = today - _NUMBERED, today + _NUMBERED
    if name.startswith(SHORT_DAYS) and not name.startswith(WEEKDAYS) and name[-1].isdecimal():
        last = today + _NUMBERED_SHORTLY  # "sat 19"
    days = rrule(DAILY, byweekday=weekday, bymonthday=number, dtstart=first, until=last)
    past, ahead = days.before(today, inc=True), days.after(today, inc=True)
    backwards = mode in {"past", "last"} or (mode == "this" and prefer == "past")
    day = (past or ahead) if backwards else (ahead or past)
    return around(day, "day") if day else None


def _numbered_abroad(weekday: int, number: int, today: datetime) -> Span | None:
    """Read "sábado 19", whose verb is not read: the nearest day that has both."""
    first, last = today - _NUMBERED_SHORTLY, today + _NUMBERED_SHORTLY
    days = rrule(DAILY, byweekday=weekday, bymonthday=number, dtstart=first, until=last)
    day = min(days, key=lambda one: abs(one - today), default=None)
    return around(day, "day") if day else None


def _holiday(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    def in_year(name: str, year: int) -> Span | None:
        days = feast_span(name, year)
        if days is None:
            return None
        first, last = (around(datetime.combine(day, time()), "day") for day in days)
        if prefer == "future":  # a message: what it names is near
            return min(first, last, key=lambda day: abs(day[0] - now))
        return first[0], last[1]

    return _yearly(phrase, now, prefer, in_year)


def _season(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    def in_year(name: str, year: int) -> Span:
        start = new_year(year).replace(month=_SEASONS[name])
        return start, start + relativedelta(months=3)

    return _yearly(phrase, now, prefer, in_year)


def _months(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    listed = not phrase.startswith(("from", "between")) and _LISTED.search(phrase)

    def in_year(name: str, year: int) -> Span | None:
        months = [_date_in_year(month, year) for month in re.findall(rf"\b{SHORT}", name)]
        start, end = months[0], months[-1]
        if start is None or end is None:
            return None
        if end[0] >= start[0]:
            return start[0], end[1]
        if listed and (end[0].month - start[0].month) % 12 > _NEIGHBOURS:
            return end[0], start[1]
        return start[0] - relativedelta(years=1), end[1]

    return _yearly(phrase, now, prefer, in_year)


def listed_parts(kind: str, phrase: str, span: Span) -> tuple[TimeSpan, ...]:
    """The times of a list that leaves out days between them ("May and July", "4 and 6 June"); else none.

    Of months and years with an "or" it does not matter whether they are neighbours: "more in March or April"
    compares them. ``span`` is that of the whole list.
    """
    low = phrase.lower()
    first, last = span
    either = kind == "holiday" and last - first > DAY  # Mother's Day
    if kind not in _PART_NAMES or low.startswith(("from", "between")):
        return ()
    if not either and not _LISTED.search(low):
        return ()
    if kind == "year":
        parts = [around(new_year(year), "year") for year in map(int, re.findall(YEAR, low))]
    elif kind in {"date", "holiday"}:
        parts = [around(first, "day"), around(last - DAY, "day")]
    else:
        months = [month_of(name) for name in re.findall(rf"\b{SHORT}", low)]
        years = [first.year + (month < first.month) for month in months]
        parts = [around(datetime(*at, 1), "month") for at in zip(years, months, strict=True)]
    parts = sorted(set(parts))
    joined = all(before[1] == after[0] for before, after in pairwise(parts))
    compared = kind in {"months", "year"} and len(parts) > 1 and _EITHER.search(low)
    if joined and not compared:
        return ()
    name = _PART_NAMES[kind] + (" %Y" if kind != "year" and HAS_YEAR.search(low) else "")
    return tuple(TimeSpan(*part, part[0].strftime(name).lstrip("0")) for part in parts)


def _loose(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    return (_season if phrase in _SEASONS else _month)(phrase, now, prefer)


def _month(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    return _yearly(phrase, now, prefer, _date_in_year)


def _year(phrase: str, _now: datetime, _prefer: Prefer) -> Span | None:
    """Read "2025", "2023 or 2024" and "between 2023 and 2025"."""
    years = sorted(int(year) for year in re.findall(YEAR, phrase))
    return new_year(years[0]), around(new_year(years[-1]), "year")[1]


def _ordinal(phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    number = int(re.sub(r"\D", "", phrase))
    today = midnight(now)
    days = rrule(MONTHLY, bymonthday=number, dtstart=today - relativedelta(months=3), count=8)
    day = days.before(today, inc=True) if prefer == "past" else days.after(today, inc=True)
    return around(day, "day") if day else None


_READERS: dict[str, Reader] = {
    "stamp": _stamp, "numeric": _numeric, "weekof": _week_of, "date": _date,
    "part": _part, "quarter": _quarter, "last": _last, "unit": _unit, "offset": _offset,
    "moment": _offset, "relative": _relative, "holiday": _holiday, "weekday": _weekday,
    "numbered": _numbered, "dayed": read_dayed, "later": _later, "listed": _weekday,
    "season": _season, "months": _months, "month": _month, "loose": _loose, "year": _year,
    "hanzi": read_hanzi, "clocks": read_clocks, "clock": read_clock, "daypart": read_daypart,
    "ordinal": _ordinal, "nth": _ordinal, "now": _relative, "foreign": _foreign,
}  # fmt: skip


@lru_cache(maxsize=16_384)
def _read(kind: str, phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    try:
        span = _READERS[kind](phrase, now, prefer)
    except (OverflowError, ValueError):  # beyond the calendar: before the year 1, after 9999
        return None
    except (LookupError, StopIteration):  # patterns without case match "fr\u0131day" too
        return None
    return span if span and span[0] < span[1] else None


def read_phrase(kind: str, phrase: str, now: datetime, prefer: Prefer) -> Span | None:
    """Return the span that a phrase of a kind names when said at ``now``; results are cached."""
    exact = now.replace(second=0, microsecond=0) if kind == "moment" else midnight(now)
    said = " ".join(phrase.lower().split())
    for short, full in _IN_FULL:
        said = short.sub(full, said)
    said = _APOSTROPHE_YEAR.sub(lambda short: f" {full_year(short[0][-2:], now)}", said)
    return _read(kind, said, exact, prefer)
