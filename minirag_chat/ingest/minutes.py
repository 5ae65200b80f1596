"""Matches an export with times to the minute with a known chat that has seconds, or the other way round.

A message found in both gets the known time; a new one gets the time of the message before it. Each minute
is compared by itself, in four steps: the same text of the same person; the same text of anyone, since
names may differ; a photo or file of the same person, whose names differ between exports; and, by position,
messages that were edited or deleted since. Two messages that both have seconds, or both an id, are never
matched.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from heapq import merge
from itertools import groupby, islice

from minirag_chat.ingest.fingerprint import Fingerprints
from minirag_chat.store import Store
from minirag_chat.store.chat_overlap import DISTINCTIVE, ByMinute
from minirag_chat.store.staging import PAGE, Clocked, StagedRow

# The messages of one minute: of the export, and of the known chat.
Minute = tuple[Sequence[StagedRow], Sequence[StagedRow]]


def to_minute(when: datetime) -> datetime:
    """The time without its seconds."""
    return when.replace(second=0, microsecond=0)


def is_whole(when: datetime) -> bool:
    """Whether a time has no seconds."""
    return when == to_minute(when)


def align(store: Store, chat: int, known: int) -> int:
    """Give an exported chat the known times if either has no seconds; returns its id, which may change."""
    span = store.chat_overlap.by_minute(chat, known)
    if span is None:
        return chat
    read = partial(_minutes, store, chat, known, span)
    return store.staging.move(chat, _timed(read(), _people_by_text(read()), exact=span.exact))


def _minutes(store: Store, chat: int, known: int, span: ByMinute) -> Iterator[Minute]:
    """The messages of the export and of the known chat, minute by minute.

    A minute with thousands of messages, as in exports that only have days, is split and not compared.
    """
    mine = ((row, True) for row in store.staging.rows(chat))
    theirs = ((row, False) for row in store.staging.rows(known, span.since, span.until))
    both = merge(mine, theirs, key=lambda one: to_minute(one[0].sent_at))
    for _, minute in groupby(both, lambda one: to_minute(one[0].sent_at)):
        while rows := [*islice(minute, PAGE)]:
            yield [row for row, here in rows if here], [row for row, here in rows if not here]


def _people_by_text(minutes: Iterator[Minute]) -> Mapping[int, int]:
    """Maps people of the export to people of the known chat, by long texts that occur once in a minute."""
    pairs: dict[int, Counter[int]] = defaultdict(Counter)
    for here, there in minutes:
        if here and there:
            mine, theirs = _once(here), _once(there)
            for text in mine.keys() & theirs.keys():
                pairs[mine[text]][theirs[text]] += 1
    return {one: others.most_common(1)[0][0] for one, others in pairs.items()}


def _once(rows: Sequence[StagedRow]) -> dict[str, int]:
    """The distinctive texts that occur once, with their senders."""
    times = Counter(row.text for row in rows if len(row.text) >= DISTINCTIVE)
    return {row.text: row.person for row in rows if times[row.text] == 1}


def _timed(
    minutes: Iterator[Minute], same_person: Mapping[int, int], *, exact: bool
) -> Iterator[Clocked]:
    """All messages of the export with their new times and fingerprints."""
    prints = Fingerprints()
    for here, there in minutes:
        times = _MinuteMatch(here, there, same_person, exact).times() if here and there else here
        for row, to in zip(here, times, strict=True):
            made = prints.made(to.sent_at, row.sender, row.text)
            yield Clocked(row.id, to.sent_at, to.sent_utc, made)


@dataclass(frozen=True, slots=True)
class _MinuteMatch:
    """Matches the messages of one minute of the export with those of the known chat.

    ``same_person`` maps people of the export to those of the known chat. ``exact``: the export has seconds,
    so a known message with seconds matches only by them.
    """

    here: Sequence[StagedRow]
    there: Sequence[StagedRow]
    same_person: Mapping[int, int]
    exact: bool

    def times(self) -> Iterator[StagedRow]:
        """For each message of the export the one whose time it gets: its match, or itself if new.

        In an export without seconds a new message gets the time of the one before it.
        """
        places = self._places()
        last: int | None = None
        for row in self.here:
            last = places.get(row.id, last)
            follows = row.id in places or not self.exact
            yield self.there[last] if last is not None and follows else row

    def _places(self) -> Mapping[int, int]:
        """Maps the ids of the export's messages to their matches' positions in ``there``."""
        found: dict[int, int] = {}
        everything = range(len(self.there))
        vague = [n for n in everything if not self.exact or self._is_vague(n)]
        whole = [n for n in vague if not self.exact or is_whole(self.there[n].sent_at)]
        self._pair(found, everything, lambda row, who: (row.sent_at, who, row.text, row.deleted))
        self._pair(found, vague, lambda row, who: (who, row.text, row.deleted))
        self._pair(found, whole, lambda row, _: (row.text, row.deleted))
        self._pair(found, vague, lambda row, who: (who, "a file") if row.file else row.id)
        if self.exact:  # of the same second and sender: another version of the message
            self._pair(found, everything, lambda row, who: (row.sent_at, who))
        return found | self._changed_messages(found, vague)

    def _is_vague(self, n: int) -> bool:
        """Whether the known message's second may be wrong: it is missing, or that of the message before."""
        when = self.there[n].sent_at
        return is_whole(when) or (n > 0 and self.there[n - 1].sent_at == when)

    def _pair(
        self,
        found: dict[int, int],
        among: Iterable[int],
        same: Callable[[StagedRow, int], Hashable],
    ) -> None:
        """Match the messages left over that have the same key ``same``, in order."""
        queues: dict[Hashable, deque[int]] = defaultdict(deque)
        for n in self._free(found, among):
            row = self.there[n]
            queues[same(row, row.person)].append(n)
        for row in self.here:
            queue = queues.get(same(row, self._who(row)))
            if row.id not in found and queue and not row.is_another(self.there[queue[0]]):
                found[row.id] = queue.popleft()

    def _changed_messages(self, found: Mapping[int, int], among: Iterable[int]) -> dict[int, int]:
        """Match edited or deleted messages of each person in order, if both sides have equally many."""
        mine: dict[int, list[StagedRow]] = defaultdict(list)
        theirs: dict[int, list[int]] = defaultdict(list)
        for row in self.here:
            if row.id not in found:
                mine[self._who(row)].append(row)
        for n in self._free(found, among):
            theirs[self.there[n].person].append(n)
        places: dict[int, int] = {}
        for who, rows in mine.items():
            others = theirs.get(who, [])
            changed = [row for row in rows if row.changed]
            changes = [n for n in others if self.there[n].changed]
            for ours, them in ((changed, others), (rows, changes)):
                if len(ours) == len(them) and not places.keys() & {row.id for row in ours}:
                    pairs = zip(ours, them, strict=True)
                    places |= {r.id: n for r, n in pairs if not r.is_another(self.there[n])}
        return places

    def _free(self, found: Mapping[int, int], among: Iterable[int]) -> list[int]:
        taken = {*found.values()}
        return [n for n in among if n not in taken]

    def _who(self, row: StagedRow) -> int:
        return self.same_person.get(row.person, row.person)
