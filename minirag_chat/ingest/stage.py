"""Exports, piece by piece → staged chats, until it is decided which known chats they continue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path

from minirag_chat.ingest.fingerprint import Fingerprints
from minirag_chat.ingest.zones import instant
from minirag_chat.names import OWNER_WORDS, spelling_key
from minirag_chat.records import Decision, ParsedChat, ParsedExport, ParsedMessage, Skipped
from minirag_chat.store import Store
from minirag_chat.store.staging import Pending

Piece = ParsedChat | ParsedExport | Skipped


def _for_all(notes: Sequence[str]) -> str:
    """Return the note on the first of several files, and the number of other files that it applies to."""
    first, others = notes[0], len(set(notes)) - 1
    if not others:
        return first
    return f"{first} The same applies to {others:,} more file{'s' if others > 1 else ''}."


@dataclass(slots=True)
class ImportStatistics:
    """Counts of one import so far."""

    read: int = 0
    files: int = 0
    system: int = 0
    media: int = 0
    first: datetime | None = None
    last: datetime | None = None
    people: set[str] = field(default_factory=set)
    formats: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    date_orders: set[str] = field(default_factory=set)
    calls_owner: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether exports of a platform mark a sender called so ("Me") as their owner."""
    _called: set[tuple[str, str]] = field(default_factory=set)  # platforms and senders of this file
    _notes: dict[str, list[str]] = field(
        default_factory=dict
    )  # notes of all files, by their text without the file's name

    @property
    def notes(self) -> list[str]:
        """The notes on the files; what holds for several is said once."""
        return [_for_all(notes) for notes in self._notes.values()]

    def export(self, export: ParsedExport | Skipped, name: str) -> None:
        """Count one exported file with this name, or that it was skipped."""
        if isinstance(export, Skipped):
            self.skipped.append(export)
            return
        self.files += 1
        self.formats[export.format] += 1
        self.system += export.system_lines
        self.media += export.media
        self.skipped += export.skipped
        for note in export.notes:
            self._notes.setdefault(note.replace(name, ""), []).append(note)
        self.decisions += export.decisions
        if export.date_order in {"dmy", "mdy"}:
            self.date_orders.add(export.date_order)
        self._learn_words(export.calls_owner)

    def _learn_words(self, calls_owner: frozenset[str]) -> None:
        """Note which senders of this file that are called "Me" it marks as its owner."""
        for called in self._called:
            if spelling_key(called[1]) in OWNER_WORDS:
                marked = called[1] in calls_owner
                self.calls_owner[called] = marked and self.calls_owner.get(called, True)
        self._called.clear()

    def message(self, message: ParsedMessage, platform: str) -> None:
        """Count one message."""
        self.read += 1
        self.people.add(message.sender)
        self._called.add((platform, message.sender))
        when = message.sent_at
        if self.first is None or when < self.first:
            self.first = when
        if self.last is None or when > self.last:
            self.last = when


@dataclass(slots=True)
class Staged:
    """An exported chat in the staging tables."""

    id: int
    described: ParsedChat


class Stage:
    """Writes the chats of an import to the staging tables, inside its transaction."""

    def __init__(self, store: Store, zone: tzinfo, statistics: ImportStatistics) -> None:
        self._store = store
        self._zone = zone
        self._statistics = statistics
        self._senders: dict[str, int] = {}
        self._prints = Fingerprints()

    def take(self, exports: Iterable[tuple[Path, Piece]]) -> list[Staged]:
        """Stage every chat of the exports; returns them in the order of the files."""
        done: list[Staged] = []
        parts: dict[int, Staged] = {}
        with self._store.staging.filling():
            for path, piece in exports:
                if isinstance(piece, ParsedChat):
                    self._piece(piece, parts)
                    continue
                done += parts.values()
                parts = {}
                self._statistics.export(piece, path.name)
        return [*done, *parts.values()]

    def _piece(self, piece: ParsedChat, parts: dict[int, Staged]) -> None:
        described = replace(piece, messages=())
        staged = parts.get(piece.part)
        if staged is None:
            staged = parts[piece.part] = Staged(
                self._store.staging.begin(piece.platform), described
            )
        staged.described = described
        self._store.staging.add(staged.id, self._pending(piece, staged.id))

    def _pending(self, piece: ParsedChat, chat: int) -> Iterator[Pending]:
        for message in piece.messages:
            self._statistics.message(message, piece.platform)
            sender = self._senders.get(message.sender)
            if sender is None:
                sender = self._store.people.ensure("person", message.sender)
                self._senders[message.sender] = sender
            fingerprint = self._prints.of(message, chat)
            yield Pending(message, sender, instant(message.sent_at, self._zone), fingerprint)
