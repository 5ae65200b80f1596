"""The times of a text, phrase by phrase: each is found, read and kept with its position, an ``Atom``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import TimeSpan
from minirag_chat.times.dayed import before_clock
from minirag_chat.times.patterns import parts_of_dayed, times_in
from minirag_chat.times.phrases import HAS_YEAR, listed_parts, read_phrase
from minirag_chat.times.spans import DAY, Prefer, Span, midnight
from minirag_chat.times.translated import is_another_word

if TYPE_CHECKING:
    from collections.abc import Iterator

OF_DAY = frozenset({"clock", "clocks", "daypart"})
YEARLY = {"date", "month", "loose", "part", "holiday", "season", "hanzi"}
DATES = {"date", "numbered", "dayed", "numeric", "stamp"}
AGO = lazy(r"\bago\Z", re.IGNORECASE)
MOST_TIMES = 100
"""How many phrases of a text are read: a text of nothing but times must not take minutes."""
_LEAD = 40  # characters before a time in which "between the" or "two weeks after" is looked for
MINUTE = timedelta(minutes=1)
_LONGEST_DAY = timedelta(hours=36)
# "may 10 people come", in lower case
_VERB = lazy(r"(?:may|march|mar)\s+\d{1,3}\b(?!,?\s+\d)")
_DATED = lazy(r"\b(?:on|by|from|to|for|since|until|before|after|between)\s+$", re.IGNORECASE)
_SINCE = lazy(r"\b(?:since\s+(?:the\s+)?|seit\s+(?:dem\s+)?)$", re.IGNORECASE)
AFTER_BETWEEN = lazy(r"\b(?:between\s+(?:the\s+)?|zwischen\s+(?:dem\s+)?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Atom:
    """A time in a text: its position, its span, and what it was read from.

    ``kinds`` are kinds of ``patterns.KINDS``; ``shape`` is "point", "range" or the word of an open
    range ("since", "until", "before", "after"). ``dated``: the text has the year. ``parts`` are the times
    of a list, if days between them are left out ("May and July").
    """

    left: int
    right: int
    start: datetime
    end: datetime
    kinds: tuple[str, ...]
    shape: str = "point"
    dated: bool = False
    parts: tuple[TimeSpan, ...] = ()

    @property
    def of_day(self) -> bool:
        """Whether this is only a time of day, without a date."""
        return all(kind in OF_DAY for kind in self.kinds)

    @property
    def one_day(self) -> bool:
        """Whether this names one day, with or without a time of day."""
        return not self.of_day and self.shape == "point" and self.end - self.start <= _LONGEST_DAY

    @property
    def days(self) -> Span:
        """The span; of a clock time its whole day, and of midnight the day before it and the day after."""
        if "clock" not in self.kinds or self.shape != "point":
            return self.start, self.end
        last = midnight(max(self.start, self.end - MINUTE))
        return midnight(self.start - MINUTE), last + DAY


def lead_before(lead: re.Pattern[str], text: str, left: int, free: int = 0) -> re.Match[str] | None:
    """Return the match of ``lead`` that ends at ``left`` and begins at ``free`` or later."""
    return lead.search(text, max(free, left - _LEAD), left)


def _found(text: str, now: datetime) -> Iterator[re.Match[str]]:
    """The phrases that look like times; of "friday 28.11", if that is a Saturday, only what is certain."""
    for found in times_in(text):
        if is_another_word(found[0], text):
            continue
        if found.lastgroup != "dayed" or read_phrase("dayed", found[0], now, "future"):
            yield found
        else:
            yield from parts_of_dayed(found, clock=before_clock(found[0].lower(), now))


def scan(text: str, now: datetime, prefer: Prefer) -> list[Atom]:
    """The first times of a text, at most ``MOST_TIMES``, each by itself."""
    atoms: list[Atom] = []
    for found in islice(_found(text, now), MOST_TIMES):
        kind = found.lastgroup or ""
        if (
            kind != "dayed"
            and _VERB.match(found[0])
            and not lead_before(_DATED, text, found.start())
        ):
            continue
        since = lead_before(_SINCE, text, found.start())
        span = read_phrase(kind, found[0], now, "past" if since else prefer)
        if span:
            atoms.append(
                Atom(
                    found.start(),
                    found.end(),
                    *span,
                    kinds=(kind,),
                    dated=HAS_YEAR.search(found[0]) is not None,
                    parts=()
                    if lead_before(AFTER_BETWEEN, text, found.start())
                    else listed_parts(kind, found[0], span),
                )
            )
    return atoms
