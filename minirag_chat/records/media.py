"""The files attached to messages, and the marks of text that was read in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MediaKind = Literal["voice", "photo"]
MediaState = Literal["new", "read", "empty", "failed"]

MARKS: dict[MediaKind, str] = {"voice": "[voice note, transcribed]", "photo": "[photo, read]"}
"""The prefix of a paragraph that was read in a file."""
_SAID: dict[MediaKind, str] = {"voice": "transcribed from a voice note", "photo": "read in a photo"}


@dataclass(frozen=True, slots=True)
class MediaFile:
    """The place of an attachment: ``path`` is the file, or the zip that contains it as ``member``.

    ``position`` is the attachment's index in its message, from 0.
    """

    position: int
    path: str
    member: str
    kind: MediaKind


@dataclass(frozen=True, slots=True)
class StoredMedia:
    """A file of a stored message, and whether it was read."""

    message_id: int
    position: int
    path: str
    member: str
    kind: MediaKind
    state: MediaState
    problem: str = ""


@dataclass(frozen=True, slots=True)
class MediaStatus:
    """How many files of a kind are known, and how many of them were read.

    ``empty`` counts those without speech or text; ``problems`` has the reasons why others failed, with the
    number of files for each.
    """

    kind: MediaKind
    known: int
    read: int
    empty: int
    failed: int
    problems: tuple[tuple[str, int], ...] = ()

    @property
    def left(self) -> int:
        """How many are still to be read."""
        return self.known - self.read - self.empty - self.failed


@dataclass(frozen=True, slots=True)
class MediaRun:
    """The result of reading files: how many had text, had none, failed, and are left."""

    read: int = 0
    empty: int = 0
    failed: int = 0
    left: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


def marked(kind: MediaKind, text: str) -> str:
    """Text read in a file, as one paragraph with the mark. A single paragraph cannot fake a second mark."""
    return f"{MARKS[kind]} {' '.join(text.split())}"


def read_in(quote: str, heard: str) -> str:
    """Where a quote was read, such as ``read in a photo``; empty for the sender's own words."""
    said = " ".join(quote.split())
    for kind, mark in MARKS.items():
        said = said.removeprefix(mark).strip()
        if any(p.startswith(mark) and said and said in p for p in heard.split("\n")):
            return _SAID[kind]
    return ""
