"""Transcribes voice notes and photos, with limits of size and time, in a process that can be killed."""

from __future__ import annotations

import importlib.util
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self
from zipfile import BadZipFile, ZipFile

from minirag_chat.errors import ModelMissing
from minirag_chat.records import Cancelled, MediaKind, StoredMedia, never
from minirag_chat.system.installing import how_to_add
from minirag_chat.system.passphrase import environment_without_passphrases
from minirag_chat.system.temporary import own_folder

MOST_BYTES: dict[MediaKind, int] = {"voice": 128 * 1024**2, "photo": 64 * 1024**2}
MOST_SECONDS: dict[MediaKind, float] = {"voice": 900.0, "photo": 180.0}
_LIBRARIES: dict[MediaKind, str] = {"voice": "faster_whisper", "photo": "rapidocr"}
_POLL_SECONDS = 0.2  # seconds between two checks whether it was cancelled


class Unreadable(Exception):
    """A file could not be read; ``str`` gives the reason, as the end of a sentence."""


class MediaTranscriber(Protocol):
    """Turns a file into text: transcribes a recording, or recognises the text in a picture."""

    def read(self, kind: MediaKind, path: Path) -> str:
        """The text, empty if there is none. Raises ``Unreadable``."""

    def close(self) -> None:
        """Free its resources."""


def can_transcribe(kind: MediaKind) -> bool:
    """Whether the library for a kind of file is installed."""
    return importlib.util.find_spec(_LIBRARIES[kind]) is not None


def needs_library() -> str:
    """The error message if the library for a kind of file is missing."""
    return f"Transcribing media needs the extra `media`: run `{how_to_add('media')}`."


class WorkerTranscriber:
    """Transcribes in a separate process, which is killed if a file takes too long.

    ``speech`` is the folder of the speech model. Raises ``ModelMissing`` if a library is missing.
    """

    def __init__(self, speech: Path | None, cancelled: Cancelled = never) -> None:
        self._speech = speech
        self._cancelled = cancelled
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _: TracebackType | None,
    ) -> None:
        self.close()

    def read(self, kind: MediaKind, path: Path) -> str:
        """The text in a file. Raises ``Unreadable``, ``ModelMissing`` or ``Stopped``."""
        if not can_transcribe(kind):
            raise ModelMissing(needs_library())
        process = self._started()
        if process.stdin is None:
            raise Unreadable("the reader did not start")
        try:
            process.stdin.write(json.dumps({"kind": kind, "path": str(path)}) + "\n")
            process.stdin.flush()
            line = self._line(MOST_SECONDS[kind])
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            raise Unreadable("the reader ended while it read it")
        reply = json.loads(line)
        if "problem" in reply:
            raise Unreadable(str(reply["problem"]))
        return str(reply["text"])

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", "minirag_chat.models.media_worker", str(self._speech or "")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**environment_without_passphrases(), "HF_HUB_OFFLINE": "1"},
            )
            self._lines = queue.Queue()
            threading.Thread(
                target=_forward_lines, args=(self._process.stdout, self._lines), daemon=True
            ).start()
        return self._process

    def _line(self, seconds: float) -> str:
        until = time.monotonic() + seconds
        while True:
            try:
                return self._lines.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                pass
            if self._cancelled():
                self.close()
                raise Stopped
            if time.monotonic() >= until:
                self.close()
                raise Unreadable(f"it took more than {seconds / 60:.0f} minutes")


def _forward_lines(stream: IO[str], lines: queue.Queue[str]) -> None:
    """Put the lines of a process into a queue, and an empty one at its end."""
    for line in stream:
        lines.put(line)
    lines.put("")


class Stopped(Exception):
    """Transcription was cancelled."""


def transcribe_stored(transcriber: MediaTranscriber, file: StoredMedia) -> str:
    """The text in a stored file; a file in a zip is unpacked temporarily. Raises ``Unreadable``."""
    path, limit = Path(file.path), MOST_BYTES[file.kind]
    if not file.member:
        if path.is_symlink() or not path.is_file():
            raise Unreadable("its file is not where the import found it")
        if path.stat().st_size > limit:
            raise Unreadable(f"it is larger than {limit // 1024**2} MiB")
        return transcriber.read(file.kind, path)
    with tempfile.TemporaryDirectory(prefix="media-", dir=own_folder()) as folder:
        copy = Path(folder) / f"file{Path(file.member).suffix.lower()}"
        copy.write_bytes(unpacked(file))
        return transcriber.read(file.kind, copy)


def unpacked(file: StoredMedia) -> bytes:
    """The content of a file in a zip. Raises ``Unreadable``."""
    limit = MOST_BYTES[file.kind]
    try:
        with ZipFile(file.path) as archive, archive.open(file.member) as source:
            data = source.read(limit + 1)
    except (BadZipFile, OSError, KeyError, ValueError, RuntimeError) as error:
        raise Unreadable("its zip is not where the import found it") from error
    if len(data) > limit:
        raise Unreadable(f"it is larger than {limit // 1024**2} MiB")
    return data
