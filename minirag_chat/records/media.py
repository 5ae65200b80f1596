"""The files that messages came with, and how what was read in them is marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MediaKind = Literal["voice", "photo"]
MediaState = Literal["new", "read", "empty", "failed"]

MARKS: dict[MediaKind, str] = {"voice": "[voice note, transcribed]", "photo": "[photo, read]"}
"""What a paragraph begins with that was read in a file."""
_SAID: dict[MediaKind, str] = {"voice": "transcribed from a voice note", "photo": "read in a photo"}


@dataclass(frozen=True, slots=True)
class MediaFile:
    """Where an attachment lies: ``path`` is the file, or the zip whose ``member`` it is.

    ``position`` is that of the attachment in its message, from 0.
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

    ``empty`` are those in which nothing is said or written; ``problems`` says why some failed, each
    reason with how many.
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
    """What came of reading files: how many had text, none, or could not be read; how many are left."""

    read: int = 0
    empty: int = 0
    failed: int = 0
    left: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


def marked(kind: MediaKind, text: str) -> str:
    """What was read in a file as one paragraph with its mark: no text can pretend to be another's."""
    return f"{MARKS[kind]} {' '.join(text.split())}"


def read_in(quote: str, heard: str) -> str:
    """Of what was read a quote is, such as ``read in a photo``; empty where it is the sender's own."""
    said = " ".join(quote.split())
    for kind, mark in MARKS.items():
        said = said.removeprefix(mark).strip()
        if any(p.startswith(mark) and said and said in p for p in heard.split("\n")):
            return _SAID[kind]
    return ""
