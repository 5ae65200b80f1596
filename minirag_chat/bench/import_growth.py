"""How import time grows with the number of chats, of people and of sessions; without vectors."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from minirag_chat.bench.fake_embedder import StandInEmbedder
from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.ingest import ingest
from minirag_chat.ingest.shifts import FITTING
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.system.private_folders import make_folder

SIZES = (2_500, 5_000, 10_000, 20_000)
SAID = 2 * FITTING
"""Messages of each chat, person or session: with fewer, an import has less to compare."""
BEGIN = datetime(2020, 1, 1, 8)
KINDS = ("chats", "people", "sessions")


@dataclass(frozen=True, slots=True)
class ImportGrowth:
    """Processor seconds of imports by the number of chats, people or sessions."""

    what: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]


def growth(folder: Path, most: int = SIZES[-1]) -> list[ImportGrowth]:
    """Import an eighth, a quarter, a half and all of ``most`` chats, then people, then sessions."""
    make_folder(folder)
    sizes = tuple(most * size // SIZES[-1] for size in SIZES)
    return [
        ImportGrowth(kind, sizes, tuple(_seconds(folder, kind, size) for size in sizes))
        for kind in KINDS
    ]


def _seconds(folder: Path, kind: str, size: int) -> float:
    export, file = folder / f"{kind}-{size}.jsonl", folder / f"{kind}-{size}.db"
    export.write_text(
        "".join(json.dumps(row) + "\n" for row in _rows(kind, size)), encoding="utf-8"
    )
    file.unlink(missing_ok=True)
    options, embedder = ImportOptions(time_zone="Etc/UTC"), StandInEmbedder("stand-in", 8)
    with Store.open(file) as store:
        begun = time.process_time()
        pieces = stream_export(export, options)
        ingest(store, pieces, Settings.make(db=file), lambda: embedder, options.zone())
        return time.process_time() - begun


def _rows(kind: str, size: int) -> Iterator[dict[str, str]]:
    for number in range(size):
        who = f"Pat A{number} Lee" if kind != "sessions" else "Pat Lee"
        for said in range(SAID):
            yield {
                "chat": f"Chat {number}" if kind == "chats" else "Everyone",
                "sent_at": (BEGIN + timedelta(hours=2 * number, minutes=said)).isoformat(),
                "sender": who if said % 2 else "Ivy Kastani",
                "text": f"Number {said} of {number}: see you at the boat, Pat",
            }
