"""Makes large exports of made-up messages and measures how fast and in how much memory they import.

    python tests/measure_import.py parse whatsapp 1000000
    python tests/measure_import.py store telegram 500000
    python tests/measure_import.py store chatgpt 130000
    python tests/measure_import.py beside whatsapp 300000 words
    python tests/measure_import.py within whatsapp 60000 words

``parse`` reads only; ``store`` imports without vectors (an embedder that counts words stands in, and
its vectors are left out), so that what is measured is this project's own part. Each prints messages
a second on one core, and the peak of resident memory. ``beside`` imports in another process and asks
meanwhile what 400 messages say, without a model: seconds of each question with and without the import
beside it, and what a second import says and does that begins in its midst. Its embedder is the real one,
which takes an hour for 300,000 messages, or with ``words`` the stand-in, so that all else can be measured.
``within`` does the same in a thread of the process that asks, as the page does, without a second import.

    python tests/measure_import.py parse mbox 1024MiB
    python tests/measure_import.py ask csv 1024MiB 2000

A size in MiB instead of a number of messages makes a file of that size, with a last number so many characters
more in each message. ``ask`` imports into a new database, with vectors by chance in place of the embedder's,
and asks a question in another process, by the command: prints the most memory that each took.
Not a test: run it on a quiet machine.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

import large_exports
from fakes import WordEmbedder
from large_exports import NAMES, WRITERS, fitting, unpacked

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.fake_embedder import StandInEmbedder
from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.ingest import ingest
from minirag_chat.records import ParsedChat
from minirag_chat.store import Store


class CountingWords:
    """Stands in for the embedder where only its token counts are needed."""

    name = "words"
    dimension = 1

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Return a token for each four characters."""
        return [len(text) // 4 + 1 for text in texts]

    def embed(self, texts: list[str]) -> None:
        """Never called: vectors are not measured here."""
        raise NotImplementedError


def parse(path: Path) -> int:
    """Read a file; returns how many messages are in it."""
    options = ImportOptions(time_zone="UTC")
    return sum(
        len(piece.messages)
        for _, piece in stream_export(path, options)
        if isinstance(piece, ParsedChat)
    )


def store(path: Path) -> int:
    """Import a file into a new database beside it, without vectors."""
    settings = Settings(db=path.with_suffix(".db"), model="extractive")
    options = ImportOptions(time_zone="UTC")
    with Store.open(settings.db) as opened:
        report = ingest(
            opened, stream_export(path, options), settings, CountingWords, options.zone()
        )
    sys.stdout.write(f"database {settings.db.stat().st_size / 1e6:.0f} MB\n")
    return report.messages_added


ADDS = """import sys
from measure_import import opened
with opened(sys.argv[2]) as memory:
    print(memory.add(sys.argv[1]).messages_added)"""
QUESTIONS = (
    "Where was the green umbrella left?",
    "How much were the tickets?",
    "Who paid for all of us?",
)
LEAST = 30  # questions asked with and without an import


def opened(embedder: str) -> ChatMemory:
    """The memory of the environment, with the real embedder or the stand-in."""
    return ChatMemory.open(embedder=WordEmbedder() if embedder == "words" else None)


def asked(memory: ChatMemory) -> float:
    """Seconds that a question takes."""
    begun = time.perf_counter()
    answer = memory.ask(QUESTIONS[int(begun) % len(QUESTIONS)], history=())
    assert answer.sources or answer.closest
    return time.perf_counter() - begun


def added(path: Path, embedder: str) -> subprocess.Popen[str]:
    """Another process that imports."""
    command = [sys.executable, "-c", ADDS, str(path), embedder]
    here = Path(__file__).parent
    return subprocess.Popen(
        command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def told(name: str, times: list[float]) -> str:
    """The middle and the worst of some seconds."""
    return (
        f"{name}: {len(times)} questions, median {median(times):.2f} s, longest {max(times):.2f} s"
    )


def chats(folder: Path, write: Callable[[Path, int], None], sizes: Mapping[str, int]) -> list[Path]:
    """Write a chat with each person, and let the environment name an empty database beside them."""
    os.environ |= {"MINIRAG_CHAT_DB": str(folder / "c.db"), "MINIRAG_CHAT_MODEL": "extractive"}
    paths = []
    for who, many in sizes.items():
        path = folder / f"Chat with {who}.txt"
        write(path, many)  # of others, or it would be one chat
        path.write_text(path.read_text("utf-8").replace(NAMES[0], who), "utf-8")
        paths.append(path)
    return paths


def beside(write: Callable[[Path, int], None], count: int, embedder: str) -> None:
    """Ask while another process imports, and let a third one wait for its turn."""
    with tempfile.TemporaryDirectory() as name:
        paths = chats(Path(name), write, {"Ann": 400, "Bea": count, "Cy": 400})
        with opened(embedder) as memory:
            memory.add(paths[0])
            alone = [asked(memory) for _ in range(LEAST + 1)][1:]  # the first loads the embedder
            begun = time.perf_counter()
            first, meanwhile, second = added(paths[1], embedder), [], None
            while first.poll() is None:
                meanwhile.append(asked(memory))
                if second is None and len(meanwhile) == LEAST:
                    second = added(paths[2], embedder)
                time.sleep(0.2)
            took = time.perf_counter() - begun
            said = (second or added(paths[2], embedder)).communicate()
            lines = [
                told("alone", alone), told("beside the import", meanwhile),
                f"the import: {took:.0f} s; the second one after it: {said[0].strip()} added",
                f"{memory.info().messages:,} messages in the end",
            ]  # fmt: skip
    sys.stdout.write("\n".join(lines) + "\n")


def within(write: Callable[[Path, int], None], count: int, embedder: str) -> None:
    """Ask while another thread of the same memory imports."""
    with tempfile.TemporaryDirectory() as name:
        paths = chats(Path(name), write, {"Ann": 400, "Bea": count})
        with opened(embedder) as memory:
            memory.add(paths[0])
            alone, meanwhile = [asked(memory) for _ in range(LEAST + 1)][1:], []
            importing = threading.Thread(target=memory.add, args=(paths[1],))
            begun = time.perf_counter()
            importing.start()
            while importing.is_alive():
                meanwhile.append(asked(memory))
                time.sleep(0.2)
            took = time.perf_counter() - begun
    lines = [
        told("alone", alone),
        told("beside the import", meanwhile),
        f"the import: {took:.0f} s",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def ask(path: Path) -> int:
    """Import a file with vectors by chance, and ask by the command in another process."""
    db = path.with_suffix(".db")
    with ChatMemory.open(db, embedder=StandInEmbedder("all-MiniLM-L6-v2", 384)) as memory:
        added = memory.add(path, time_zone="UTC").messages_added
    words = ["--db", str(db), "ask", QUESTIONS[0], "--model", "extractive"]
    subprocess.run(
        [sys.executable, "-m", "minirag_chat", *words], check=True, stdout=subprocess.DEVNULL
    )
    asking = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    sys.stdout.write(
        f"database {db.stat().st_size / 1e6:.0f} MB; a question took {asking:.0f} MB\n"
    )
    return added


def main(what: str, name: str, size: str, more: str = "") -> None:
    """Write a file, and measure reading it."""
    if what in ("beside", "within"):
        measured = {"beside": beside, "within": within}[what]
        measured(WRITERS[name], int(size), more or "real")
        return
    large_exports.MORE = (" and so we went on to the harbour" * (int(more or 0) // 33 + 1))[
        : int(more or 0)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("export.mbox" if name == "mbox" else "export")
        WRITERS[name](path, fitting(WRITERS[name], path.parent, size))
        (path.parent / "sample").unlink(missing_ok=True)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        begun = time.process_time()
        read = {"parse": parse, "store": store, "ask": ask}[what](path)
        took = time.process_time() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        megabytes = unpacked(path) / 1e6
        sys.stdout.write(
            f"{what} {name}: {read:,} messages, {megabytes:.0f} MB, {took:.1f} s of one core, "
            f"{read / took:,.0f} a second; peak memory {peak:.0f} MB (before: {before:.0f} MB)\n"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
