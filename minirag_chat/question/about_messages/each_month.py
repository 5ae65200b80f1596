"""The months of "October and November", each by itself."""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import TimeSpan
from minirag_chat.times.spans import around

_AND = r"(?:\s*,\s*(?:(?:and|or|und|oder)\s+)?|\s+(?:and|or|und|oder)\s+)"
_NAMES = any_case(rf"(?:in\s+)?(?P<names>[^\W\d_]+(?:{_AND}[^\W\d_]+)+)(?:\s+\d{{4}})?")
_BETWEEN = any_case(_AND)


def each_month(times: Sequence[TimeSpan]) -> tuple[TimeSpan, ...]:
    """The times, with one for each month in place of one that names several months in a row."""
    return tuple(part for span in times for part in _months(span))


def _months(span: TimeSpan) -> list[TimeSpan]:
    named = _NAMES.fullmatch(span.phrase)
    number = len(_BETWEEN.split(named["names"])) if named else 1
    months: list[TimeSpan] = []
    start = span.start
    while named and start < span.end and len(months) <= number:
        begin, end = around(start, "month")
        months.append(TimeSpan(begin, end, f"{begin:%B %Y}"))
        start = end
    whole = len(months) == number and months[0].start == span.start and start == span.end
    return months if whole and number > 1 else [span]
