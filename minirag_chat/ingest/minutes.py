"""An export to the minute of a chat that is known to the second, or the other way round: one message each.

What is the same takes the time that is known, and what is new stands behind what it follows.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from datetime import datetime
from functools import partial
from heapq import merge
from itertools import groupby, islice

from minirag_chat.ingest.fingerprint import Fingerprints
from minirag_chat.store import Store
from minirag_chat.store.staging import PAGE, Clocked, StagedRow

# By what a message is that of another export, the surest first.
_SAME: Sequence[Callable[[StagedRow], Hashable]] = (
    lambda row: (row.sent_at, row.text),
    lambda row: (row.sender, row.text),
    lambda row: row.text,
)
_ANY_TIME = 2  # of those, the first that tell the same at any second of the minute


def to_minute(when: datetime) -> datetime:
    """The minute of a time."""
    return when.replace(second=0, microsecond=0)


def is_whole(when: datetime) -> bool:
    """Whether a time has no seconds."""
    return when == to_minute(when)


def bring(store: Store, chat: int, known: int) -> int:
    """Give an exported chat the times of the known one, where minutes are compared; returns its id."""
    span = store.alike.by_minute(chat, known)
    return chat if span is None else store.staging.move(chat, _timed(store, chat, known, span))


def _timed(store: Store, chat: int, known: int, span: tuple[str, str]) -> Iterator[Clocked]:
    prints = Fingerprints()
    mine = ((row, True) for row in store.staging.rows(chat))
    theirs = ((row, False) for row in store.staging.rows(known, *span))
    both = merge(mine, theirs, key=lambda one: to_minute(one[0].sent_at))
    for _, minute in groupby(both, lambda one: to_minute(one[0].sent_at)):
        for rows in iter(partial(_part, minute), []):
            here = [row for row, is_mine in rows if is_mine]
            times = _times(here, [row for row, is_mine in rows if not is_mine])
            for row, to in zip(here, times, strict=True):
                made = prints.made(to.sent_at, row.sender, row.text)
                yield Clocked(row.id, to.sent_at, to.sent_utc, made)


def _part(minute: Iterator[tuple[StagedRow, bool]]) -> list[tuple[StagedRow, bool]]:
    """What is compared at once: all of a minute but where there are thousands, as of days alone."""
    return list(islice(minute, PAGE))


def _times(here: Sequence[StagedRow], there: Sequence[StagedRow]) -> Iterator[StagedRow]:
    """For each message of a minute of an export the one whose time it takes; its own where it is new."""
    whole = all(is_whole(row.sent_at) for row in here)
    places: dict[int, int] = {}
    free = list(range(len(there)))
    for step, same in enumerate(_SAME):
        if step == _ANY_TIME and not whole:
            free = [n for n in free if is_whole(there[n].sent_at)]
        queues: dict[Hashable, deque[int]] = defaultdict(deque)
        for n in free:
            queues[same(there[n])].append(n)
        for row in here:
            if row.id not in places and (queue := queues[same(row)]):
                places[row.id] = queue.popleft()
        taken = {*places.values()}
        free = [n for n in free if n not in taken]
    last = -1
    for row in here:  # one that was edited has its place alone
        after = places.get(row.id, next((n for n in free if n > last), -1))
        if after >= 0:
            free = [n for n in free if n != after]
            last = after
        yield there[last] if after >= 0 or (whole and last >= 0) else row
