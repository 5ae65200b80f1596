"""Time expressions in questions and messages: where they are, and which span of time each names.

Libraries do the calendar: dateparser reads dates and relative days, dateutil clock times, Easter and
repeating days, holidays the movable holidays. This package finds the phrases (``patterns``), has each
one read (``phrases``), joins neighbours into ranges (``ranges``), says which of a question's times may
filter messages (``window``) and which day, past or future, a message is about (``in_messages``). All
times are naive (wall-clock).

Conventions: weeks are ISO weeks and weekends Saturday with Sunday; ``25/12/2026`` and ``12/25/2026``
are Christmas, ``3.4.2026`` is 3 April, and ``3/4/2026``, which is ambiguous, is read only in messages
of which the order of day and month is known (``numeric`` gives both readings); seasons are the northern
meteorological ones; "early", "mid" and "late" are thirds, the beginning and the end of a year three
months; half a year is six months and half a month 15 days; "last year" is the calendar year, "in the
last year" reaches from a year ago to today; "this Friday" or "this winter" is to come only with
"future"; the first week of a month is its days 1 to 7, and "the week before Christmas" the seven days
before it; Mother's Day is that of March or that of May; an evening starts at 18:00 and a night lasts
until 06:00; a clock time is the minute that it names. "Since May" reaches to the end of today, and
"until Sunday" begins today, but in a message it is the Sunday that it names; other ranges without a
beginning or end ("before June", "after 3 April") use ``datetime.min`` and ``datetime.max``. A clock
time alone belongs to the nearest day that the text names, else to the day of ``now``. "W/c 30 Nov" is a
week, and the weekdays of a rota are of the week that heads it (``rotas``).

Not read: neighbours that do not fit together ("a week ago last Friday"), durations ("more than a week"),
repetitions ("every Tuesday"), bare hours ("at 7"; of "Wed 8-2" only the day is read), dates without a year
in digits only ("3/4"; but ``dayed`` reads "Friday 27.11", "on 25/12" and "15/11 at 9" are read, in a question
``numeric`` writes "on 20/6" in words, and so it does with "due 7/12" in a message of which the order is
known), and "Jan" without a year or a day, which is a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minirag_chat.records import TimeSpan
from minirag_chat.times.in_messages import message_times
from minirag_chat.times.nonexistent_dates import no_such_day
from minirag_chat.times.numeric import NumericOrder, doubt, spelled_out
from minirag_chat.times.patterns import mentions_time
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.window import question_window

if TYPE_CHECKING:
    from datetime import datetime

    from minirag_chat.times.spans import Prefer


def find_times(text: str, now: datetime, *, prefer: Prefer = "past") -> tuple[TimeSpan, ...]:
    """Return the times that ``text`` names, in reading order and without overlaps.

    ``now`` is the reference time: for a message when it was sent, for a question
    ``reference_time``. ``prefer`` decides what an incomplete date means: with "past", "May"
    is the latest May that has begun; with "future", it is the next one, or one that ended within
    the last quarter of a year.
    """
    return tuple(
        TimeSpan(atom.start, atom.end, text[atom.left : atom.right])
        for atom in find_atoms(text, now, prefer)
    )
