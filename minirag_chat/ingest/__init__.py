"""Parsed exports → the store: recognises chats and people, cuts sessions, writes chunks and the graph.

All of it is one transaction: after a failure, an interruption or ``kill -9`` the database is either
unchanged or complete. Vectors follow in batches (``embed_pending``), which resume where they stopped.
Files are stored piece by piece, so that memory use does not grow with them.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta, tzinfo
from pathlib import Path

from minirag_chat.ingest.derive import Deriver
from minirag_chat.ingest.match import Matcher
from minirag_chat.ingest.stage import ImportStatistics, Piece, Stage, Staged
from minirag_chat.ingest.vectors import (
    NoVectors,
    each_vector,
    embed_pending,
    index_note,
    made_vectors_of,
    reuse,
)
from minirag_chat.models.protocols import Embedder
from minirag_chat.names import compact_key
from minirag_chat.records import ImportReport, Progress, Report, silent
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.ui_text import NO_LONGER, SPLIT_WITH


def ingest(
    store: Store,
    exports: Iterable[tuple[Path, Piece]],
    settings: Settings,
    embedder: Callable[[], Embedder],
    zone: tzinfo,
    progress: Report = silent,
    before: Callable[[], None] = lambda: None,
    staged: Callable[[Sequence[Staged]], None] = lambda _staged: None,
) -> ImportReport:
    """Store the new messages of the exports and index them, except for the vectors; returns the report.

    ``exports`` yields the pieces of files as they are read; ``embedder`` is called when the first
    chunk is cut, ``before`` once the transaction has begun, ``staged`` with the chats as they were read,
    before they are joined with known ones. An exception while reading leaves the store
    unchanged.
    """
    statistics = ImportStatistics()
    gap = timedelta(minutes=settings.session_gap_minutes)
    with store.transaction(waiting=lambda: progress(Progress("waiting for another program", 0))):
        before()
        read = Stage(store, zone, statistics).take(exports)
        staged(read)
        store.learn_date_orders(statistics.date_orders)
        store.me.learn_words(statistics.calls_owner)
        matcher = Matcher(store, gap, zone)
        touched = matcher.join(read, progress)
        with store.cache.held():  # people are not linked any more from here on
            titles, joined = store.messages.titles(), matcher.notes
            language = None
            if touched:
                deriver = Deriver(store, settings, embedder(), gap)
                deriver.dates()
                deriver.chats(touched, progress)
                language = deriver.language_note()
        if matcher.updated:
            store.people.drop_unused()  # entities that only replaced texts mentioned
    store.wipe_if_free()
    links = [_link_note(a, b) for a, b in matcher.links if compact_key(a) != compact_key(b)]
    undone = [NO_LONGER.format(spelling=a, name=b) for a, b in matcher.undone]
    notes = filter(None, (*statistics.notes, *joined, *links, *undone, language))
    chats = tuple(titles[chat] for chat in matcher.seen)
    return _report(statistics, matcher, chats, tuple(dict.fromkeys(notes)), zone)


def _report(
    statistics: ImportStatistics,
    matcher: Matcher,
    chats: tuple[str, ...],
    notes: tuple[str, ...],
    zone: tzinfo,
) -> ImportReport:
    return ImportReport(
        messages_read=statistics.read,
        messages_added=matcher.added,
        messages_updated=matcher.updated,
        sessions=matcher.sessions,
        chats=chats,
        people=tuple(sorted(statistics.people, key=str.casefold)),
        first=statistics.first,
        last=statistics.last,
        files=statistics.files,
        formats=dict(statistics.formats),
        system_lines=statistics.system,
        media=statistics.media,
        skipped=tuple(statistics.skipped),
        notes=notes,
        decisions=tuple(statistics.decisions),
        time_zone=str(zone),
    )


def reindex(
    store: Store, chats: Iterable[int], settings: Settings, embedder: Callable[[], Embedder]
) -> None:
    """Rebuild the missing index of chats, except for the vectors; inside a transaction.

    ``embedder`` is called only if there is a chat.
    """
    gap = timedelta(minutes=settings.session_gap_minutes)
    with store.cache.held():
        if known := list(chats):
            Deriver(store, settings, embedder(), gap).chats(known)


def _link_note(spelling: str, name: str) -> str:
    return f"{spelling} was taken to be {name}{SPLIT_WITH}{shlex.quote(spelling)}`."
