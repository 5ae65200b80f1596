"""Transcribes voice notes and photos in a separate process, so that a malicious file can only crash that.

For each file it reads one line of JSON from standard input, ``{"kind", "path"}``, and writes one to
standard output: ``{"text"}``, or ``{"problem"}`` with a sentence. Its only argument is the folder of
the speech model. No network is used.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol

LONGEST_VOICE = 30 * 60  # seconds
MOST_PIXELS = 60_000_000
SIDE = 2000  # pixels: larger photos are scaled down to this
SURE = 0.5  # least confidence in a line of text in a photo
_THREADS = 2


class FileTranscriber(Protocol):
    """Turns one kind of file into text: transcribes a recording, or recognises the text in a picture."""

    def read(self, path: Path) -> str:
        """The text, empty if there is none. Raises ``ValueError`` with the reason, the end of a sentence."""


class Whisper:
    """A Whisper model in CTranslate2's format, by faster-whisper."""

    def __init__(self, folder: str) -> None:
        from faster_whisper import WhisperModel

        self._model = WhisperModel(
            folder, device="cpu", compute_type="int8", cpu_threads=_THREADS, local_files_only=True
        )

    def read(self, path: Path) -> str:
        """What is said in a recording."""
        import av

        try:
            with av.open(str(path)) as opened:
                seconds = (opened.duration or 0) / 1_000_000
        except (av.FFmpegError, ValueError, OSError) as error:
            raise ValueError("it is no recording that can be played") from error
        if seconds > LONGEST_VOICE:
            raise ValueError(f"it is longer than {LONGEST_VOICE // 60} minutes")
        try:
            parts, _about = self._model.transcribe(
                str(path), beam_size=5, vad_filter=False, condition_on_previous_text=False
            )
            return " ".join(part.text.strip() for part in parts if part.no_speech_prob < 0.9)  # noqa: PLR2004 - noise
        except (av.FFmpegError, IndexError, RuntimeError) as error:
            raise ValueError("it is no recording that can be played") from error


class Ocr:
    """The recogniser of printed text that RapidOCR ships with its models."""

    def __init__(self) -> None:
        from rapidocr import RapidOCR

        self._ocr = RapidOCR(params={"Global.log_level": "critical", "Global.text_score": SURE,
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS})  # fmt: skip

    def read(self, path: Path) -> str:
        """What is written in a picture."""
        import numpy as np
        from PIL import Image, ImageOps

        Image.MAX_IMAGE_PIXELS = MOST_PIXELS
        try:
            with Image.open(path) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise ValueError("it has too many pixels")
                opened.draft("RGB", (SIDE, SIDE))
                picture = ImageOps.exif_transpose(opened).convert("RGB")
        except Image.DecompressionBombError as error:
            raise ValueError("it has too many pixels") from error
        except (OSError, SyntaxError) as error:
            raise ValueError("it is no picture that can be shown") from error
        picture.thumbnail((SIDE, SIDE))
        found = self._ocr(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]))
        return " ".join(getattr(found, "txts", None) or ())


def _lines() -> Iterator[str]:
    """The lines of standard input. When it ends, the program that asks has: this one ends at once."""
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_forward, args=(lines,), daemon=True).start()
    while True:
        yield lines.get()


def _forward(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def main() -> None:
    """Read the files named on standard input until it ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries print to standard output
    transcribers: dict[str, FileTranscriber] = {}
    for line in _lines():
        request = json.loads(line)
        reply: dict[str, Any]
        try:
            if request["kind"] not in transcribers:
                voice = request["kind"] == "voice"
                transcribers[request["kind"]] = Whisper(sys.argv[1]) if voice else Ocr()
            reply = {"text": transcribers[request["kind"]].read(Path(request["path"]))}
        except ValueError as error:
            reply = {"problem": str(error)}
        except MemoryError:
            reply = {"problem": "it needs more memory than there is"}
        except Exception as error:  # noqa: BLE001 - the next file may be readable
            reply = {"problem": f"the reader failed ({type(error).__name__})"}
        out.write(json.dumps(reply) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
