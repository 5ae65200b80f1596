"""Hours that a question names by a bare number, as "before 9" or "between 9 and 11", as clock times."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.repeated import without_repeated
from minirag_chat.records import Repeated
from minirag_chat.times.ranges import find_atoms

NOON, DAY = 12, 24  # hours
_AFTERNOON = 6  # of two bare hours, a first one up to this is in the afternoon
_LONGEST = timedelta(days=7)  # a longer period has a ninth day, or a ninth month
_HOUR = r"\d\d?"
_CLOCK = r"(?: ?o['\u2019]?clock)?"
_END = r"(?![\w:%\u00b0$\u20ac\u00a3/-]|[.,]\d| ?[ap]\.?m\b)"
_OF_PART = any_case(
    rf"(?<=\b)(?P<lead>(?:after|before|past|than|between|from|and|to|till|until) )(?P<hour>{_HOUR}){_CLOCK}"
    r" (?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night))\b",
)
_BARE = any_case(
    rf"(?<!\w)(?:(?P<after>after|later than|past)|(?P<before>before|earlier than)) (?P<at>{_HOUR}){_CLOCK}"
    rf"{_END}|(?<!\w)(?:between|from) (?P<since>{_HOUR}){_CLOCK} (?:and|to|till|until) (?P<until>{_HOUR})"
    rf"{_CLOCK}{_END}",
)


def with_parts_as_clocks(text: str) -> str:
    """``text`` with "9 am" for "9 in the morning" behind "before", "after" and the like."""
    return _OF_PART.sub(_with_half, text)


def with_bare_hours(text: str, now: datetime) -> tuple[str, str]:
    """``text`` with clock times for its only bare hours, and how they are read: "after 17:00".

    After an hour is in the afternoon, and before one in the morning. The second is empty if no other half of
    the day can be meant ("after 17"). The text stays as it is if the number may be of a day or month
    ("between 9 and 11 in May"), or if there are other hours.
    """
    found = [*_BARE.finditer(text)]
    atoms = find_atoms(text, now, "past")
    long = any(not a.of_day and a.end - a.start > _LONGEST for a in atoms)
    hours = without_repeated(text, now)[1]
    timed = any(a.of_day for a in atoms) or (hours.since, hours.until) != (0, Repeated().until)
    if len(found) != 1 or long or timed:
        return text, ""
    start, end = found[0].span()
    read = _read(found[0])
    if not read or any(atom.left < end and start < atom.right for atom in atoms):
        return text, ""
    return f"{text[:start]}{read}{text[end:]}", "" if _of_24_hours(found[0]) else read


def _with_half(found: re.Match[str]) -> str:
    """As "before 9 am"; unchanged for an hour that no such part of the day has."""
    hour, part = int(found["hour"]), (found["part"] or found["night"]).casefold()
    if not 1 <= hour <= NOON or (part == "morning" and hour == NOON):
        return found[0]
    early = part == "morning" or (part == "night" and (hour < _AFTERNOON or hour == NOON))
    return f"{found['lead']}{hour} {'am' if early else 'pm'}"


def _read(found: re.Match[str]) -> str:
    """A match with clock times; empty for hours that no clock has."""
    exact = _of_24_hours(found)
    if found["at"]:
        hour = int(found["at"])
        hour += NOON if found["after"] and hour < NOON and not exact else 0
        return f"{'after' if found['after'] else 'before'} {hour:02}:00" if hour < DAY else ""
    since, until = int(found["since"]), int(found["until"])
    if not exact:
        since += NOON if since <= _AFTERNOON else 0
        until += NOON if until <= since else 0
    clear = max(since, until) < DAY and since != until
    return f"between {since:02}:00 and {until:02}:00" if clear else ""


def _of_24_hours(found: re.Match[str]) -> bool:
    """Whether a match has an hour that only a clock of 24 hours has: "17", "09"."""
    said = [hour for hour in found.group("at", "since", "until") if hour]
    return any(hour.startswith("0") or int(hour) > NOON for hour in said)
