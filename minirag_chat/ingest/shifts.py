"""Recognises an export whose times are in another time zone than those of the known chat.

A chat that was exported on a phone in another country and imported without ``--time-zone`` has all its
messages some hours earlier or later. The difference is computed from the messages found in both, and with it
two zones whose clocks differ by this all year.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from zoneinfo import available_timezones

from minirag_chat.ingest.minutes import is_whole, to_minute
from minirag_chat.ingest.senders import Senders
from minirag_chat.ingest.zones import Reading, named
from minirag_chat.store import Store
from minirag_chat.store.chat_overlap import OtherTimeMatch
from minirag_chat.times.spans import DAY

FITTING = 5  # different messages that must have matching times in the two zones
SUMMER = timedelta(hours=1)  # how much the difference of two clocks may change with summer time
_SAMPLE_INTERVAL = timedelta(days=30)  # zones are compared with each other at such intervals
_SAMPLES_AFTER = 13  # samples after the last message, since new ones may come

# The times of each message: in the export, in the known chat.
Times = Sequence[tuple[datetime, datetime]]


def find_shifted(
    store: Store, senders: Senders, chat: int, reading: Reading, may_be: Callable[[int], bool]
) -> tuple[int, Reading] | None:
    """The known chat that the export is, and how to read the export's times; None if it is not certain.

    One of the two may only have minutes. The instants of the exported chat are then set accordingly.
    """
    known, ones = _likeliest([e for e in store.chat_overlap.at_other_times(chat) if may_be(e.chat)])
    found = _read(ones, reading, named(store.chat_overlap.zone(known)) or reading.zone)
    if found is None:
        return None
    staging = store.staging

    def read(by: Reading) -> None:
        staging.set_instants((by.instant(row.sent_at), row.id) for row in staging.rows(chat))

    if found is not reading:
        read(found)
    if any(is_whole(one.here) != is_whole(one.there) for one in ones):
        staging.near(chat, known)
    same = senders.find(chat, lambda i: i == known)
    kept = found if same and found.taken is not None else reading
    read(kept)
    return (known, kept) if same else None


def _read(ones: Sequence[OtherTimeMatch], reading: Reading, zone: tzinfo) -> Reading | None:
    """How to read the times of an export, so that they agree with those of the known chat in ``zone``."""
    if 2 * sum(one.seconds == 0 for one in ones) > len(ones):
        return reading
    times = [(to_minute(one.here), to_minute(one.there)) for one in ones]
    if any(abs(there - here) >= DAY for here, there in times):
        return None  # the clocks of a few islands are so far apart, but days are alike more often
    if times and all(here == there for here, there in times):
        return Reading(zone)  # equal wall-clock times: the known chat was read in another zone
    zones = two_zones(times, str(zone)) if len(times) >= FITTING else None
    if zones is None:
        return None
    apart = Counter(there - here for here, there in times)
    return Reading(*zones, zone, tuple(by for by, _ in apart.most_common()))


def _likeliest(matches: Sequence[OtherTimeMatch]) -> tuple[int, Sequence[OtherTimeMatch]]:
    """The known chat with most of the export's texts at other times, and its matches of unique texts."""
    texts: dict[int, dict[str, list[OtherTimeMatch]]] = defaultdict(lambda: defaultdict(list))
    for one in matches:
        texts[one.chat][one.text].append(one)
    known = max(texts, key=lambda chat: len(texts[chat]), default=0)
    once = [ones[0] for ones in texts[known].values() if len(ones) == 1]
    if not once:
        return known, []
    ((usual, _),) = Counter(one.seconds for one in once).most_common(1)
    return known, [one for one in once if abs(one.seconds - usual) <= SUMMER.total_seconds()]


def two_zones(times: Times, known: str) -> tuple[tzinfo, tzinfo] | None:
    """Two zones whose clocks show these times: that of the export, and that of the known chat.

    If several fit: the known chat's own zone, else one that agrees with most other zones.
    """
    by_here = _zoned([here for here, _ in times])
    by_there = _zoned([there for _, there in times])
    apart = [there - here for here, there in times]
    best: tuple[bool, int, tuple[str, ...], tuple[str, ...]] | None = None
    for offsets, names in by_there.items():
        wanted = tuple(o - by for o, by in zip(offsets, apart, strict=True))
        others = by_here.get(wanted, ())
        if others:
            found = (known in names, len(names) * len(others), others, names)
            best = found if best is None else max(best, found)
    if best is None:
        return None
    own, _, here, there = best
    samples = _sample_times(times)
    first, second = (
        named(_most_common(here, samples)),
        named(known if own else _most_common(there, samples)),
    )
    return None if first is None or second is None else (first, second)


def _zoned(moments: Sequence[datetime]) -> Mapping[tuple[timedelta, ...], tuple[str, ...]]:
    """The names of all zones, by their offsets from UTC at these wall-clock times."""
    found: dict[tuple[timedelta, ...], tuple[str, ...]] = {}
    for name in sorted(available_timezones()):
        zone = named(name)
        if zone is not None:
            offsets = tuple(zone.utcoffset(when) or timedelta() for when in moments)
            found[offsets] = (*found.get(offsets, ()), name)
    return found


def _sample_times(times: Times) -> list[datetime]:
    """Evenly spaced times from the first message to a year after the last."""
    here = [when for when, _ in times]
    steps = (max(here) - min(here)) // _SAMPLE_INTERVAL + _SAMPLES_AFTER
    return [min(here) + n * _SAMPLE_INTERVAL for n in range(steps)]


def _most_common(names: Sequence[str], samples: Sequence[datetime]) -> str:
    """A zone of the largest group of zones with equal offsets at all ``samples``."""
    alike: dict[tuple[timedelta | None, ...], list[str]] = defaultdict(list)
    for name in names:
        zone = named(name)
        if zone is not None:
            alike[tuple(zone.utcoffset(when) for when in samples)].append(name)
    most = max(alike.values(), key=len)
    return min(most)
