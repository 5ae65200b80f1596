"""Which month, day or hour has most messages, or fewest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from minirag_chat.answer.counting.cited import source
from minirag_chat.answer.counting.ranking import SHOWN, Counted, in_place, ranking
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.records import Source, TimeUnit
from minirag_chat.times.spans import around
from minirag_chat.ui_text import WEEKDAYS, day

_LISTED = 3  # times of each unit, where several units are asked for
_RARE: frozenset[TimeUnit] = frozenset({"day", "week"})
"""Units of which those without a message do not count: most days may be silent."""


def busiest(request: CountRequest) -> Told:
    """The text, with a sentence for each unit of the plan, and its sources."""
    plan = request.plan
    sentences: list[str] = []
    sources: list[Source] = []
    most, listed, begin = plan.asks.end == "most", SHOWN if len(plan.units) == 1 else _LISTED, 1
    for unit in plan.units:
        counted, messages = counted_times(request, unit)
        every = sorted(counted, key=lambda one: -one.number if most else one.number)
        every = [one for one in every if one.number] if most else every
        ordered, nth = in_place(every, plan.place)
        total = sum(one.number for one in counted)
        also = " of those with any" if unit in _RARE and not most else ""
        which = f"had the {nth}{'most' if most else 'fewest'} messages{request.whose}{request.where}{also}"
        sentences.append(ranking(ordered, total, which, most=listed, cite_from=begin))
        shown = enumerate(ordered[:listed], begin)
        cited = {number: messages[one.name] for number, one in shown if one.number}
        found = request.store.messages.by_ids(list(cited.values()))
        sources += [source(number, found[one]) for number, one in cited.items()]
        begin += listed
    return " ".join(sentences), tuple(sources)


def counted_times(request: CountRequest, unit: TimeUnit) -> tuple[list[Counted], dict[str, int]]:
    """Each time with its number of messages, in order, and one of these messages by the time's name."""
    numbers: Counter[str] = Counter()
    messages: dict[str, int] = {}
    for time, number, message in request.counts.by_time(request.filters, unit):
        name = _key(time, unit)
        numbers[name] += number
        messages[name] = message
    keys = sorted(numbers) if unit in _RARE else list(_between(sorted(numbers), unit))
    names = {key: _name(key, unit) for key in keys}
    return (
        [Counted(names[key], numbers[key]) for key in keys],
        {names[key]: one for key, one in messages.items()},
    )


def _key(time: str, unit: TimeUnit) -> str:
    """The time; of a week its Monday."""
    if unit != "week":
        return time
    monday, _end = around(datetime.fromisoformat(time), "week")
    return f"{monday:%Y-%m-%d}"


def _between(keys: list[str], unit: TimeUnit) -> Iterator[str]:
    """All weekdays or hours; the years or months from the first to the last."""
    if unit in {"weekday", "hour"}:
        yield from (
            f"{n:02}" if unit == "hour" else str(n) for n in range(24 if unit == "hour" else 7)
        )
        return
    months = unit == "month"
    first, last = (
        (int(key[:4]) * 12 + int(key[5:7]) - 1) if months else int(key)
        for key in (keys[0], keys[-1])
    )
    for n in range(first, last + 1):
        yield f"{n // 12:04}-{n % 12 + 1:02}" if months else f"{n:04}"


def _name(key: str, unit: TimeUnit) -> str:
    """The time in words."""
    if unit == "weekday":
        return WEEKDAYS[int(key)]
    if unit == "hour":
        return f"{key}:00 to {int(key) + 1:02}:00"
    if unit == "month":
        return f"{datetime.fromisoformat(f'{key}-01'):%B %Y}"
    if unit == "week":
        return f"the week of {day(datetime.fromisoformat(key))}"
    return (
        f"{datetime.fromisoformat(key):%A}, {day(datetime.fromisoformat(key))}"
        if unit == "day"
        else key
    )
