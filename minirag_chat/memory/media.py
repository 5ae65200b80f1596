"""Transcribes the voice notes and photos of messages, on request."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from minirag_chat.errors import ModelMissing, NotFound
from minirag_chat.ingest import embed_pending, reindex
from minirag_chat.memory.context import Part
from minirag_chat.memory.trash import drop_sessions
from minirag_chat.models.media_transcriber import (
    MediaTranscriber,
    Stopped,
    Unreadable,
    WorkerTranscriber,
    can_transcribe,
    needs_library,
    transcribe_stored,
)
from minirag_chat.models.speech_model import DOWNLOAD_MB, speech_folder
from minirag_chat.records import (
    Cancelled,
    MediaKind,
    MediaRun,
    MediaState,
    MediaStatus,
    Progress,
    Report,
    StoredMedia,
    never,
    silent,
)
from minirag_chat.records.exploration import Table

KEEP_AFTER = 30.0  # seconds of reading, after which what was read is stored and indexed
BATCH = 200
KINDS: tuple[MediaKind, ...] = ("voice", "photo")
_STEP = "transcribing media"

Result = tuple[StoredMedia, MediaState, str, str]


class Media(Part):
    """Voice notes and photos: how many there are, and what is said and written in them."""

    def media(self) -> Table[MediaStatus]:
        """How many voice notes and photos imports found, and how many of them were read."""
        with self._store.reading():
            return Table(MediaStatus, self._store.media.status())

    def media_of(self, message_id: int, position: int) -> StoredMedia:
        """An attachment's stored file. Raises ``NotFound`` if no import found it."""
        with self._store.reading():
            for file in self._store.media.of(message_id):
                if file.position == position:
                    return file
        raise NotFound("No import found a file of this message.")

    def files_of(self, messages: Iterable[int]) -> dict[int, list[StoredMedia]]:
        """The stored files of messages, by message; messages without files are left out."""
        with self._store.reading():
            found = {message: self._store.media.of(message) for message in messages}
        return {message: files for message, files in found.items() if files}

    def read_media(
        self,
        *,
        kinds: Sequence[MediaKind] = KINDS,
        limit: int | None = None,
        again: bool = False,
        progress: Report = silent,
        cancelled: Cancelled = never,
        reader: MediaTranscriber | None = None,
    ) -> MediaRun:
        """Read voice notes and photos that were not read yet, so that searches find their text.

        What was read is stored every ``KEEP_AFTER`` seconds and at the end, also when ``cancelled``;
        another call continues. Reads at most ``limit`` files, with ``again`` also those that failed.
        ``reader`` replaces the process that reads. Raises ``ModelMissing`` if nothing can be read.
        """
        started_at = time.monotonic()
        available, notes = (tuple(kinds), ()) if reader else self._readable(kinds)
        if again:
            with self._store.transaction():
                self._store.media.retry(available)
        counts: dict[str, int] = {"read": 0, "empty": 0, "failed": 0}
        with self._store.reading():
            left = self._left(available)
        total = left if limit is None else min(left, limit)
        if total:
            with closing(reader or WorkerTranscriber(self._speech(), cancelled)) as transcriber:
                for done, state in enumerate(
                    self._transcribe_files(transcriber, available, total, cancelled), 1
                ):
                    counts[state] += 1
                    progress(Progress(_STEP, done, total))
            embed_pending(self._store, self._context.embedder(), progress, cancelled)
        with self._store.reading():
            left = self._left(available)
        return MediaRun(**counts, left=left, seconds=time.monotonic() - started_at, notes=notes)

    # --- inside ------------------------------------------------------------------------------------

    def _left(self, kinds: Sequence[MediaKind]) -> int:
        return sum(status.left for status in self._store.media.status() if status.kind in kinds)

    def _readable(
        self, kinds: Sequence[MediaKind]
    ) -> tuple[tuple[MediaKind, ...], tuple[str, ...]]:
        """The kinds that exist and can be read here, and why others cannot."""
        with self._store.reading():
            present = [status.kind for status in self._store.media.status() if status.known]
        available: list[MediaKind] = []
        notes: list[str] = []
        for kind in kinds:
            if kind not in present:
                continue
            if not can_transcribe(kind):
                notes.append(needs_library())
            elif kind == "voice" and self._speech() is None:
                notes.append(
                    "Voice notes need a speech model: get one with `minirag-chat media get` "
                    f"({DOWNLOAD_MB} MB), or name a folder with the setting speech_model."
                )
            else:
                available.append(kind)
        notes = list(dict.fromkeys(notes))
        if notes and not available:
            raise ModelMissing(" ".join(notes))
        return tuple(available), tuple(notes)

    def _speech(self) -> Path | None:
        return speech_folder(self._context.settings.model_dir, self._context.settings.speech_model)

    def _transcribe_files(
        self,
        transcriber: MediaTranscriber,
        kinds: Sequence[MediaKind],
        total: int,
        cancelled: Cancelled,
    ) -> Iterator[MediaState]:
        """Read up to ``total`` files; yields the state of each."""
        results: list[Result] = []
        kept_at, done = time.monotonic(), 0
        try:
            while done < total and not cancelled():
                with self._store.reading():
                    batch = self._store.media.waiting(kinds, min(BATCH, total - done))
                if not batch:
                    return
                for file in batch:
                    if cancelled():
                        return
                    results.append(_transcribe(transcriber, file))
                    done += 1
                    yield results[-1][1]
                    if time.monotonic() - kept_at >= KEEP_AFTER:
                        self._store_results(results)
                        kept_at = time.monotonic()
                self._store_results(results)
        except Stopped:
            return
        finally:
            self._store_results(results)

    def _store_results(self, results: list[Result]) -> None:
        """Store what was read, and reindex the conversations it belongs to."""
        if not results:
            return
        store = self._store
        with store.transaction():
            changed = [
                file.message_id
                for file, state, text, problem in results
                if store.media.keep(file, state, text, problem) and state == "read"
            ]
            if changed:
                chats = drop_sessions(store, store.media.sessions(changed))
                reindex(store, chats, self._context.settings, self._context.embedder)
        results.clear()


def _transcribe(transcriber: MediaTranscriber, file: StoredMedia) -> Result:
    try:
        text = " ".join(transcribe_stored(transcriber, file).split())
    except Unreadable as error:
        return file, "failed", "", str(error)
    return file, ("read" if text else "empty"), text, ""
