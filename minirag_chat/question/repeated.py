"""Days of the week and hours that a question means each time that they come: "on Sundays", "at night"."""

from __future__ import annotations

import re
from datetime import datetime

from minirag_chat.records import Repeated
from minirag_chat.times.clocks import PARTS, clock_time
from minirag_chat.times.patterns import SHORT_DAYS, WEEKDAYS, weekday_of
from minirag_chat.times.ranges import find_atoms

HOUR, DAY = 60, 24 * 60  # minutes
MORNING = 6 * HOUR  # a night ends
EVENING = 18 * HOUR
_PARTS = {part: (hour * HOUR, (hour + hours) * HOUR) for part, (hour, hours) in PARTS.items()}
_PARTS["night"] = 22 * HOUR, MORNING  # the night of one day ("3 May at night") has the evening too
_GERMAN_PARTS = {
    "morgens": "morning", "vormittags": "morning", "nachmittags": "afternoon", "abends": "evening",
    "nachts": "night",
}  # fmt: skip
_GERMAN_DAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
WEEKEND, WORKDAYS = frozenset({5, 6}), frozenset(range(5))

_DAY = rf"(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))})"
_FULL_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_OF_GERMANY = rf"(?:{'|'.join(_GERMAN_DAYS)}|sonnabend)"
_DAYS = (
    rf"(?:{_FULL_DAY}s|weekends|weekdays|work(?:ing )?days"
    rf"|{_OF_GERMANY}s|werktags|wochentags|wochenenden)"
)
_EACH = r"(?:every|each|any|jede[nrs]?)"
_ONE_OF = (
    rf"(?:(?:{_EACH}|an?) (?:{_FULL_DAY}|weekend|weekday)|{_EACH} (?:{_OF_GERMANY}|wochenende))"
)
_PART = r"(?:morning|afternoon|evening|night)"
_ALSO = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|und|oder)\s+)(?:(?:on|an)\s+)?"
_ON = r"(?:(?:on|at|during|an) )?"
_LISTED = rf"(?:{_DAYS}|{_ONE_OF})(?:{_ALSO}(?:{_DAYS}|{_ONE_OF}))*"
_CLOCK = r"(?:\d\d?(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?| uhr\b)?|midnight|noon|midday|mitternacht)"
_DATED_PART = rf"{_ON}(?:{_DAY}|weekend|weekday)(?P<day_part> {_PART}s)"
_AFTER = r"(?P<after>after|later than|past|nach)|(?P<before>before|earlier than|vor)"
_UNTIL = r"(?:and|to|till|until|und|bis)"
_SHAPES = (
    rf"{_DATED_PART}",
    rf"{_ON}(?P<days>{_LISTED})(?: (?P<of_days>{_PART})s?)?",
    rf"(?:(?:in|on|at|during) (?:the )?)?(?:(?P<parts>{_PART})s|(?P<german>{'|'.join(_GERMAN_PARTS)}))",
    r"(?:late )?(?P<night>(?:at|during the|in the) night)",
    r"(?P<part>(?:in|during) the (?:morning|afternoon|evening))",
    rf"(?:{_AFTER}) (?P<clock>{_CLOCK})",
    rf"(?:between|from|zwischen|von) (?P<since>{_CLOCK}) {_UNTIL} (?P<until>{_CLOCK})",
)
_WHEN = re.compile(rf"(?<!\w)(?:{'|'.join(_SHAPES)})(?![\w:])", re.IGNORECASE)
_ABOUT = re.compile(r"\babout (?:the )?$", re.IGNORECASE)
_LED = re.compile(
    r"(?:on|at|in|during|an|after|before|between|from|later|earlier|past)\b", re.IGNORECASE
)
_NAME = re.compile(
    rf"{_FULL_DAY}|{_OF_GERMANY}|weekend|wochenende|week|werk|work|wochen", re.IGNORECASE
)
_HALF = re.compile(r"[ap](?=\.?m)|uhr", re.IGNORECASE)
_HALVES = {"a": ("am", "pm"), "p": ("pm", "am"), "uhr": ("uhr",)}
_UHR = re.compile(r"(\d\d?)(?:[:.](\d\d))? ?uhr")


def without_repeated(text: str, now: datetime, *, habits: bool = False) -> tuple[str, Repeated]:
    """``text`` without the days of the week and hours that it means each time, and these.

    Hours of a day that it names ("the evening of 3 May") stay, and days after "about" ("about Sundays"). With
    ``habits`` so does "in the evening", which may be that of one day. If it names two of a kind, all stay:
    nothing says how they belong together.
    """
    each = [found.span() for found in _WHEN.finditer(text) if found["days"]]
    atoms = [
        atom
        for atom in find_atoms(text, now, "past")
        if not any(
            left <= atom.left and atom.right <= right for left, right in each
        )  # "on a Sunday"
    ]
    taken = [(a.left, a.right) for a in atoms if not a.of_day]
    one_day = any(a.one_day for a in atoms)
    weekdays: frozenset[int] = frozenset()
    hours: tuple[int, int] | None = None
    places: list[tuple[int, int]] = []
    for found in _WHEN.finditer(text):
        days, of_day = _weekdays(found), _hours(found)
        if _ABOUT.search(text, 0, found.start()) and not _LED.match(found[0]):
            return text, Repeated()
        dated = any(found.start() < right and left < found.end() for left, right in taken)
        if dated or (habits and found["part"]) or not (days or of_day) or (one_day and not days):
            continue
        if (days and (weekdays or one_day)) or (of_day and hours):
            return text, Repeated()
        weekdays, hours = days or weekdays, of_day or hours
        places.append(found.span())
    for left, right in reversed(places):
        text = f"{text[:left]} {text[right:]}"
    return text, Repeated(weekdays, *(hours or (0, DAY)))


def _weekdays(found: re.Match[str]) -> frozenset[int]:
    """The days of the week of a match."""
    said = found["days"] or (found[0] if found["day_part"] else "")
    return frozenset[int]().union(*map(_days_called, _NAME.findall(said) or _short(said)))


def _short(said: str) -> list[str]:
    return re.findall(_DAY, said, re.IGNORECASE)


def _days_called(name: str) -> frozenset[int]:
    low = name.casefold()
    if low in {"weekend", "wochenende"}:
        return WEEKEND
    if low == "sonnabend":
        return frozenset({5})
    if low in _GERMAN_DAYS:
        return frozenset({_GERMAN_DAYS.index(low)})
    return WORKDAYS if low in {"week", "werk", "work", "wochen"} else frozenset({weekday_of(low)})


def _hours(found: re.Match[str]) -> tuple[int, int] | None:
    """The minutes of the day from which and until which a match reaches; None without any."""
    said = [
        found[group] for group in ("day_part", "of_days", "parts", "night", "part") if found[group]
    ]
    if said:
        return _PARTS[said[0].casefold().split()[-1].removesuffix("s")]
    if found["german"]:
        return _PARTS[_GERMAN_PARTS[found["german"].casefold()]]
    if found["since"]:
        return _between(found["since"], found["until"])
    at = _minutes(found["clock"]) if found["clock"] else None
    if at is None or (found["before"] and not at):
        return None
    over = MORNING if at >= EVENING or at < MORNING else DAY
    return (0, at) if found["before"] else (at, over)


def _between(since: str, until: str) -> tuple[int, int] | None:
    """A bare first number is of the half of the day that puts it before the second: "9 and 11 am"."""
    half, end = _HALF.search(until), _minutes(until)
    halves = _HALVES[half[0].casefold()] if half else ()
    read = [_minutes(said) for said in (since, *(f"{since} {half}" for half in halves))]
    begins = [begin for begin in read if begin is not None]
    if not begins or end is None or begins[0] == end:
        return None
    return next((begin for begin in begins if begin < (end or DAY)), begins[-1]), end or DAY


def _minutes(said: str) -> int | None:
    """The minutes after midnight of a clock time; None for a bare number, or if no clock has it."""
    low = said.casefold()
    if low.isdecimal():
        return None
    hour = _UHR.fullmatch(low)
    clock = f"{hour[1]}:{hour[2] or '00'}" if hour else low.replace("mitternacht", "midnight")
    at = clock_time(clock, datetime.min)
    return None if at is None else at.hour * HOUR + at.minute
