"""Converts an export that was read in another time zone to the zone of the known chat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from minirag_chat.ingest.fingerprint import Fingerprints
from minirag_chat.store import Store
from minirag_chat.store.staging import Clocked


def named(zone: str | None) -> tzinfo | None:
    """The time zone of a name, or None if this machine does not know it."""
    try:
        return ZoneInfo(zone) if zone else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def instant(when: datetime, zone: tzinfo) -> int:
    """The instant of a wall-clock time in a zone, in seconds since 1970."""
    return _instant(when, when.fold, zone)


@lru_cache(maxsize=4096)  # the messages of one minute follow each other
def _instant(when: datetime, _fold: int, zone: tzinfo) -> int:
    """As ``instant``. ``_fold`` is part of the cache's key, since times that differ only in it are equal."""
    try:
        return int(when.replace(tzinfo=zone).timestamp())
    except OverflowError:  # the first or the last day that datetime can have
        return int(when.replace(tzinfo=UTC).timestamp())


def clock(seconds: int, zone: tzinfo, otherwise: datetime) -> datetime:
    """The wall-clock time of a zone at an instant; ``otherwise`` if it is out of range."""
    try:
        return datetime.fromtimestamp(seconds, zone).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return otherwise


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read the wall-clock times of an export.

    Without ``like``, they are times in ``zone``. With it, a time is converted from ``zone`` to ``like``,
    which gives the wall-clock time of the same message in the known chat. The store takes that time to be
    in ``taken``.
    """

    zone: tzinfo
    like: tzinfo | None = None
    taken: tzinfo | None = None
    apart: tuple[timedelta, ...] = ()
    """How much later the known chat's times are, the most frequent difference first."""

    def instant(self, when: datetime) -> int:
        """The instant of a time of the export, in seconds since 1970."""
        seconds = instant(when, self.zone)
        if self.like is None or self.taken is None:
            return seconds
        return instant(clock(seconds, self.like, when), self.taken)

    def instants(self, when: datetime) -> set[int]:
        """All instants of a time: two for times that occur twice because clocks go back."""
        return {self.instant(when.replace(fold=fold)) for fold in (0, 1)}


_SHIFTED = (
    "{title}: the times in this export are {shift} than those of the same messages that were imported "
    "before, as in another time zone, so they were shifted by that. If this is wrong, delete the chat and "
    "import each export with its own --time-zone."
)
_OTHER_ZONE = (
    "{title}: the times in this export are read as of {name}, and not of {read}, since messages that were "
    "imported before have the same times there. If {read} is right, delete the chat and import both exports "
    "again, each with its --time-zone."
)
_CONVERTED = (
    "{title}: the times in this export are those of {read}; they are shown in {name}, as those of the "
    "messages that were imported before."
)


def _shift_text(apart: Sequence[timedelta]) -> str:
    """``6 hours earlier``, or ``6 hours (in part of the year 5) earlier``."""
    usual, *others = (f"{abs(by) / timedelta(hours=1):g}" for by in apart)
    rest = f" (in part of the year {', '.join(others)})" if others else ""
    return f"{usual} hours{rest} {'earlier' if apart[0] > timedelta() else 'later'}"


class Zones:
    """Converts exported chats to the time zones of the known chats that they continue."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._noted: list[tuple[int, str, dict[str, object]]] = []

    @property
    def notes(self) -> list[str]:
        """For each chat, a sentence on what was converted and why."""
        titles = self._store.messages.titles() if self._noted else {}
        return [note.format(title=titles[known], **words) for known, note, words in self._noted]

    def convert(self, chat: int, known: int, reading: Reading) -> int:
        """Convert an exported chat to the zone of the known one; returns its id, which may change.

        If the instants agree, wall-clock times are converted to the known zone. If the wall-clock times
        agree instead, the same export was read in a wrong zone, now or before: then these stay, and the
        instants are computed in the known chat's zone.
        """
        name, read = self._store.chat_overlap.zone(known), str(reading.zone)
        staging = self._store.staging
        if reading.taken is not None:
            self._noted.append((known, _SHIFTED, {"shift": _shift_text(reading.apart)}))
            return staging.move(chat, self._shown(chat, known, reading.taken, reading))
        zone = named(name)
        if zone is None or name == read:
            return chat
        if self._has_known_clock_times(chat, known):
            staging.set_instants((instant(r.sent_at, zone), r.id) for r in staging.rows(chat))
            self._noted.append((known, _OTHER_ZONE, {"name": name, "read": read}))
            return chat
        if all(clock(r.sent_utc, zone, r.sent_at) == r.sent_at for r in staging.rows(chat)):
            return chat
        self._noted.append((known, _CONVERTED, {"name": name, "read": read}))
        return staging.move(chat, self._shown(chat, known, zone, reading))

    def _has_known_clock_times(self, chat: int, known: int) -> bool:
        """Whether more messages agree in wall-clock time than in their instant."""
        overlap = self._store.chat_overlap
        by_clock = max(overlap.held(chat, known), overlap.agreeing(chat, known, "sent_at"))
        return by_clock > overlap.agreeing(chat, known, "sent_utc")

    def _shown(self, chat: int, known: int, zone: tzinfo, reading: Reading) -> Iterator[Clocked]:
        """The messages of a chat with the wall-clock times of another zone, and their new fingerprints."""
        prints = Fingerprints()
        for row in self._store.staging.rows(chat):
            seconds, when = row.sent_utc, clock(row.sent_utc, zone, row.sent_at)
            has = self._store.staging.has
            for other in reading.instants(row.sent_at) - {seconds}:
                other_when = clock(other, zone, row.sent_at)
                if not has(known, when, row.text) and has(known, other_when, row.text):
                    seconds, when = other, other_when
            yield Clocked(row.id, when, seconds, prints.made(when, row.sender, row.text))
