"""Days of the week and hours that a question means each time that they come: "on Sundays", "at night"."""

from __future__ import annotations

import re
from datetime import datetime

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.named_times import OPEN
from minirag_chat.records import Repeated
from minirag_chat.times.atoms import Atom
from minirag_chat.times.clocks import PARTS, clock_time
from minirag_chat.times.names_of_days import GERMAN_WEEKDAYS, WEEKDAYS
from minirag_chat.times.patterns import SHORT_DAYS, weekday_of
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
WEEKEND, WORKDAYS = frozenset({5, 6}), frozenset(range(5))

_DAY = rf"(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))})"
_FULL_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_OF_GERMANY = rf"(?:{'|'.join(GERMAN_WEEKDAYS)}|sonnabend)"
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
_WHEN = any_case(rf"(?<!\w)(?:{'|'.join(_SHAPES)})(?![\w:])")
_ABOUT = any_case(r"\babout (?:the )?$")
_LED = any_case(r"(?:on|at|in|during|an|after|before|between|from|later|earlier|past)\b")
_NAME = any_case(rf"{_FULL_DAY}|{_OF_GERMANY}|weekend|wochenende|week|werk|work|wochen")
_SHORT = any_case(_DAY)
_HALF = any_case(r"[ap](?=\.?m)|uhr")
_HALVES = {"a": ("am", "pm"), "p": ("pm", "am"), "uhr": ("uhr",)}
_UHR = lazy(r"(\d\d?)(?:[:.](\d\d))? ?uhr")
_JOINT = any_case(r"\s*,?\s*(?:\b(?:and|but|und|aber|(?P<either>or|oder))\b\s*)?")
_Hours = tuple[int, int]


def without_repeated(text: str, now: datetime, *, habits: bool = False) -> tuple[str, Repeated]:
    """``text`` without the days of the week and hours that it means each time, and these.

    Hours of a day that it names ("the evening of 3 May") stay, and days after "about" ("about Sundays"). With
    ``habits`` so does "in the evening", which may be that of one day. If it names two of a kind, all stay:
    nothing says how they belong together. "After 10 pm and before 6 am" is one.
    """
    each = [found.span() for found in _WHEN.finditer(text) if found["days"]]
    atoms = [
        atom
        for atom in find_atoms(text, now, "past")
        if not any(
            left <= atom.left and atom.right <= right for left, right in each
        )  # "on a Sunday"
    ]
    one_day = any(a.one_day for a in atoms)
    named: list[re.Match[str]] = []
    of_one_time = False
    for found in _WHEN.finditer(text):
        days, of_day = _weekdays(found), _hours(found)
        if _ABOUT.search(text, 0, found.start()) and not _LED.match(found[0]):
            return text, Repeated()
        kept = (habits and found["part"]) or not (days or of_day) or (one_day and not days)
        if not kept and any(_is_of(found, atom) for atom in atoms):
            of_one_time |= of_day is not None
        elif not kept:
            named.append(found)
    dated = [found for found in named if _weekdays(found)]
    timed = [found for found in named if _hours(found)]
    hours = _joined_hours(text, timed, of_days=bool(dated))
    if hours is None or len(dated) > 1 or (dated and one_day) or (timed and of_one_time):
        return text, Repeated()
    places = [found.span() for found in named]
    if timed[1:]:
        places.append((timed[0].end(), timed[1].start()))  # "and"
    for left, right in sorted(places, reverse=True):
        text = f"{text[:left]} {text[right:]}"
    return text, Repeated(_weekdays(dated[0]) if dated else frozenset(), *hours)


def _is_of(found: re.Match[str], atom: Atom) -> bool:
    """Whether a match is of the time of an atom; each night is not: "before 1 March at night"."""
    if atom.of_day or atom.right <= found.start() or found.end() <= atom.left:
        return False
    each = atom.left < found.start() and found.end() == atom.right and "clock" not in atom.kinds
    return not (each and (atom.shape in OPEN or (atom.shape == "range" and found["night"])))


def _joined_hours(text: str, timed: list[re.Match[str]], *, of_days: bool) -> _Hours | None:
    """The hours of all matches together, "after" one clock time and "before" another; None if of two kinds.

    If the second one is the earlier, they reach over midnight, from the days ``of_days`` into the next ones.
    """
    if not timed[1:]:
        return (_hours(timed[0]) if timed else None) or (0, DAY)
    joint = _JOINT.fullmatch(text, timed[0].end(), timed[1].start())
    after = [found for found in timed if found["after"]]
    before = [found for found in timed if found["before"]]
    if not joint or timed[2:] or len(after) != 1 or len(before) != 1:
        return None
    since, until = (_hours(after[0]) or (0, 0))[0], (_hours(before[0]) or (0, 0))[1]
    over = since > until
    either_end = joint["either"] or before[0].start() < after[0].start()
    clear = not (of_days and either_end) if over else not joint["either"]
    return (since, until) if clear and since != until else None


def _weekdays(found: re.Match[str]) -> frozenset[int]:
    """The days of the week of a match."""
    said = found["days"] or (found[0] if found["day_part"] else "")
    return frozenset[int]().union(*map(_days_called, _NAME.findall(said) or _SHORT.findall(said)))


def _days_called(name: str) -> frozenset[int]:
    low = name.casefold()
    if low in {"weekend", "wochenende"}:
        return WEEKEND
    if low == "sonnabend":
        return frozenset({5})
    if low in GERMAN_WEEKDAYS:
        return frozenset({GERMAN_WEEKDAYS.index(low)})
    return WORKDAYS if low in {"week", "werk", "work", "wochen"} else frozenset({weekday_of(low)})


def _hours(found: re.Match[str]) -> _Hours | None:
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


def _between(since: str, until: str) -> _Hours | None:
    """A bare first number is of the half of the day that puts it before the second: "9 and 11 am"."""
    half, end = _HALF.search(until), _minutes(until)
    if half is None and (first := _HALF.search(since)):
        return _to_bare(_minutes(since), until, _HALVES[first[0].casefold()])
    halves = _HALVES[half[0].casefold()] if half else ()
    read = [_minutes(said) for said in (since, *(f"{since} {half}" for half in halves))]
    begins = [begin for begin in read if begin is not None]
    if not begins or end is None or begins[0] == end:
        return None
    return next((begin for begin in begins if begin < (end or DAY)), begins[-1]), end or DAY


def _to_bare(begin: int | None, until: str, halves: tuple[str, ...]) -> _Hours | None:
    """A last number without its half of the day is the next such hour: "from 10 pm to 6"."""
    ends = [_minutes(f"{until} {half}") for half in halves]
    if begin is None or None in ends or begin in ends:
        return None
    return begin, min((end or DAY for end in ends), key=lambda end: (end - begin) % DAY)


def _minutes(said: str) -> int | None:
    """The minutes after midnight of a clock time; None for a bare number, or if no clock has it."""
    low = said.casefold()
    if low.isdecimal():
        return None
    hour = _UHR.fullmatch(low)
    clock = f"{hour[1]}:{hour[2] or '00'}" if hour else low.replace("mitternacht", "midnight")
    at = clock_time(clock, datetime.min)
    return None if at is None else at.hour * HOUR + at.minute
