"""Importing: files that are given, and folders that are watched."""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_data_path

from minirag_chat.errors import ImportStopped
from minirag_chat.importers import Frame, frame_file, stream_export
from minirag_chat.importers.media import with_media
from minirag_chat.importers.registry import COMPANIONS
from minirag_chat.ingest import embed_pending, ingest
from minirag_chat.memory import trash
from minirag_chat.memory.context import Part
from minirag_chat.memory.import_preview import import_options
from minirag_chat.memory.renaming import ReplacedAgain, replace_again
from minirag_chat.memory.watching import (
    STILL_SECONDS,
    OnArrival,
    Watcher,
    checked_folders,
    ignore_arrival,
)
from minirag_chat.names import OWNER_WORDS, spelling_key
from minirag_chat.records import (
    Arrival,
    Cancelled,
    ImportReport,
    ParsedExport,
    Person,
    Progress,
    Report,
    Skipped,
    never,
    silent,
)
from minirag_chat.records.exploration import Table
from minirag_chat.settings import APP
from minirag_chat.store import Store
from minirag_chat.store.sidecar_files import files_of
from minirag_chat.system.file_paths import given_path
from minirag_chat.system.monitoring import monitored_method
from minirag_chat.ui_text import SPLIT_WITH

Item = TypeVar("Item")
NAMED = 3  # other names that may be the asker's, in the notes on an import


class Importing(Part):
    """Imports once, or from watched folders until stopped."""

    @monitored_method("import")
    def add(
        self,
        /,
        path: str | Path | Frame,
        *,
        progress: Report = silent,
        cancelled: Cancelled = never,
        media: bool = True,
        **options: Any,
    ) -> ImportReport:
        """Import a file, a zip, a folder or a pandas frame; adds only what is new.

        Without ``media``, the paths of voice notes and photos are not stored: for files that will be
        removed. ``options`` are those of :class:`~minirag_chat.importers.ImportOptions`. Earlier deletions
        become final, unless the file is no chat export. If ``cancelled``, nothing is added; or, if
        only vectors are missing, they are made later. While another process imports, this waits
        for its turn. Raises ``ImportFailed`` and its subclasses, or ``StoreError``, which says what
        is kept.
        """
        started_at = time.monotonic()
        progress = _stop_if_cancelled(cancelled, progress)
        chosen = import_options(self._context.settings, options)
        source = given_path(path) if isinstance(path, (str, Path)) else frame_file(path)
        pieces = _without_companions(stream_export(source, chosen, progress))
        if isinstance(source, Path) and source.is_dir():
            pieces = _without_own_files(self._own_paths(), pieces)
        owners: set[str] = set()
        pieces = _collect_owners(
            _read_to_first_chat(with_media(pieces, source) if media else pieces), owners
        )
        again: list[ReplacedAgain] = []
        with self._second_connection() as store:
            zone = chosen.zone()
            with store.reading(only_own=True):
                asker_before = store.me.id()
            report = ingest(
                store, pieces, self._context.settings, self._context.embedder, zone, progress,
                before=lambda: trash.empty_later(store),
                staged=lambda chats: again.append(replace_again(store, chats)),
            )  # fmt: skip
            report = _without_replaced(report, again[0])
            owners = set(map(again[0].text, owners))
            store.note("import", f"{report.messages_added} new messages")
            report = _with_owner(store, report, owners, asker_before)
            embed_pending(store, self._context.embedder(), progress, cancelled)
            names = dict.fromkeys(_person(store, name) for name in report.people)
        return replace(report, people=tuple(names), seconds=time.monotonic() - started_at)

    def index(self, *, progress: Report = silent, cancelled: Cancelled = never) -> int:
        """Finish an interrupted index; returns how many chunks were embedded."""
        with self._second_connection() as store:
            return embed_pending(store, self._context.embedder(), progress, cancelled)

    @contextmanager
    def _second_connection(self) -> Iterator[Store]:
        """A second connection for a long change, so that questions are answered meanwhile.

        A database in memory has only one connection: there, questions wait.
        """
        if str(self._store.path) == ":memory:":
            yield self._store
        else:
            with self._store.again() as store:
                yield store

    def watch(
        self,
        /,
        folders: Sequence[str | Path],
        *,
        stop: threading.Event | None = None,
        once: bool = False,
        still: float = STILL_SECONDS,
        heard: OnArrival = ignore_arrival,
        progress: Report = silent,
        **options: Any,
    ) -> None:
        """Import exports that appear or grow in folders, as :meth:`add` does, until ``stop`` is set.

        An export is a file, zip or folder directly in one of them; it is imported once it has
        not changed for ``still`` seconds. ``heard`` is called with its path and the result. With
        ``once`` this ends when everything there is imported. Raises ``NotFound`` for a missing
        folder, ``StoreError``, or ``ImportStopped`` if it is stopped during an import.
        """
        stop = stop or threading.Event()
        import_options(self._context.settings, options)  # raises for a wrong option at once

        def add(path: Path) -> ImportReport:
            return self.add(path, progress=progress, cancelled=stop.is_set, **options)

        Watcher(
            self._store, checked_folders([Path(folder) for folder in folders]), add, heard, self._own_paths(),
            still,
        ).run(stop, once=once)  # fmt: skip

    def arrivals(self) -> Table[Arrival]:
        """What watched folders brought, the latest first."""
        with self._store.reading():
            return Table(Arrival, self._store.arrivals.latest())

    def _own_paths(self) -> list[Path]:
        """The program's own files and folders, which are not exports."""
        db = self._store.path.absolute()
        paths = [
            self._context.settings.model_dir,
            user_data_path(APP),
            db.parent / "corpora",
            *files_of(db),
        ]
        return [path.resolve() for path in paths]


def _without_own_files(
    own_paths: Sequence[Path], pieces: Iterator[tuple[Path, Item]]
) -> Iterator[tuple[Path, Item]]:
    """Leave out the notes that the program's own files in a folder are not exports."""
    for where, piece in pieces:
        if not (isinstance(piece, Skipped) and where.resolve() in own_paths):
            yield where, piece


def _without_companions(pieces: Iterator[tuple[Path, Item]]) -> Iterator[tuple[Path, Item]]:
    """Leave out the files of an export that hold no chat: `inspect` lists them, an import need not."""
    known = frozenset(COMPANIONS.values())
    for where, piece in pieces:
        if not (isinstance(piece, Skipped) and piece.reason in known):
            yield where, piece


def _collect_owners(
    pieces: Iterator[tuple[Path, Item]], owners: set[str]
) -> Iterator[tuple[Path, Item]]:
    """Pass the pieces on; add who exported them to ``owners``, if a piece says so."""
    for where, piece in pieces:
        if isinstance(piece, ParsedExport) and piece.owner:
            owners.add(piece.owner)
        yield where, piece


def _person(store: Store, name: str) -> str:
    """The person whom an export calls so, who may have become one with somebody."""
    spelling = store.people.spelling_id(name)
    return (store.people.shown_by_id(spelling) if spelling else "") or store.people.shown(name)


def _with_owner(
    store: Store, report: ImportReport, owners: set[str], before: int | None
) -> ImportReport:
    """Learn who exported the files, and make one person of all names of who asks that plainly fit.

    ``before`` is who asked before the import. Returns the report, with notes on what was done, and on other
    names that may be the asker's.
    """
    with store.transaction():
        store.me.learn_owners(owners)
        joined = store.me.join_owners()
    with store.reading(only_own=True):
        asker, others = store.me.person(), store.me.may_be_too()
        named = asker is not None and store.me.is_named() and asker.id != before
    notes = [_joined_note(other, name) for other, name in joined]
    if asker is not None and named:
        notes.append(
            f"You are taken to be {asker.shown_name}, who exported this: questions may say \u201cI\u201d; "
            "`minirag-chat people --me NAME` changes it."
        )
    if asker is not None and (owners or {one.name for one in others} & set(report.people)):
        notes += [_too_note(other, asker) for other in others[:NAMED]]
    return replace(report, notes=(*report.notes, *notes))


def _joined_note(other: str, name: str) -> str:
    both = {spelling_key(other), spelling_key(name)} <= OWNER_WORDS
    what = "what exports call you" if both else "names of yours in exports"
    undo = f"{SPLIT_WITH}{shlex.quote(other)}`"
    return f"\u201c{other}\u201d and \u201c{name}\u201d are both {what}: they are one person now{undo}."


def _too_note(other: Person, asker: Person) -> str:
    pair = shlex.join((other.name, asker.name))
    return (
        f"{other.shown_name} is perhaps you, as {asker.shown_name} is: if so, "
        f"`minirag-chat people merge {pair}`; if not, `minirag-chat people apart {pair}`."
    )


def _without_replaced(report: ImportReport, again: ReplacedAgain) -> ImportReport:
    """The report, without names that the user replaced before and with a note of them."""
    if not again.replacers:
        return report
    return replace(
        report,
        people=tuple(sorted(map(again.text, report.people), key=str.casefold)),
        notes=(*map(again.text, report.notes), *again.notes()),
        skipped=tuple(replace(each, reason=again.text(each.reason)) for each in report.skipped),
    )


def _read_to_first_chat(pieces: Iterator[tuple[Path, Item]]) -> Iterator[tuple[Path, Item]]:
    """Read the pieces up to the first chat, so that what is no export raises here; returns all."""
    before: list[tuple[Path, Item]] = []
    for where, piece in pieces:
        before.append((where, piece))
        if not isinstance(piece, Skipped):
            break
    return chain(before, pieces)


def _stop_if_cancelled(cancelled: Cancelled, progress: Report) -> Report:
    """Wrap ``progress`` so that it raises ``ImportStopped`` once ``cancelled``, ending the import."""

    def report(state: Progress) -> None:
        if cancelled() and state.step != "embedding":  # from that step on the messages are stored
            raise ImportStopped("The import was stopped: nothing was added.")
        progress(state)

    return report
