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

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from html import escape
from itertools import islice
from pathlib import Path
from statistics import median
from zipfile import ZIP_DEFLATED, ZipFile, is_zipfile

from fakes import WordEmbedder

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.stand_in import StandInEmbedder
from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.ingest import ingest
from minirag_chat.records import ParsedChat
from minirag_chat.store import Store

NAMES = ("Ann Miller", "Bob", "Cy Young", "Dee")
SAID = (
    "Shall we meet at the station around seven, or is that too late for you?",
    "ok",
    "I left the green umbrella at Harbour Street Bakery again 😀",
    "The tickets were 24 euros each. I paid for all of us\nso you owe me 48",
    "https://example.org/path?x=1 look at this",
    "No idea, ask Cy Young tomorrow morning",
)

TOGETHER = 40  # messages of a conversation with an assistant


MORE = ""  # what each message says besides


def messages(count: int) -> Iterator[tuple[datetime, str, str]]:
    """Yield ``count`` made-up messages, with pauses as people make them."""
    when = datetime(2012, 1, 1, 8)
    for number in range(count):
        when += timedelta(seconds=47 if number % 23 else 9000)
        yield when, NAMES[number % 7 % 4], f"{SAID[number % 6]} {number}{MORE}"


def write_whatsapp(path: Path, count: int) -> None:
    """Write an Android text export."""
    with path.open("w", encoding="utf-8") as file:
        for when, who, text in messages(count):
            file.write(f"{when:%d/%m/%Y, %H:%M} - {who}: {text}\n")


def write_telegram(path: Path, count: int) -> None:
    """Write a ``result.json`` as Telegram Desktop does."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{\n "name": "Trip",\n "type": "private_group",\n "id": 42,\n "messages": [\n')
        for number, (when, who, text) in enumerate(messages(count)):
            record = {
                "id": number, "type": "message", "date": when.isoformat(),
                "date_unixtime": str(int(when.timestamp())), "from": who, "from_id": f"user{len(who)}",
                "text": text, "text_entities": [{"type": "plain", "text": text}],
            } | ({"reply_to_message_id": number - 40} if number % 9 == 8 else {})  # fmt: skip
            file.write((",\n" if number else "") + json.dumps(record, ensure_ascii=False, indent=1))
        file.write("\n ]\n}\n")


def conversations(count: int) -> Iterator[list[tuple[datetime, str, str]]]:
    """Yield the messages in conversations of ``TOGETHER`` messages each."""
    all_messages = messages(count)
    while part := list(islice(all_messages, TOGETHER)):
        yield part


def write_chatgpt(path: Path, count: int) -> None:
    """Write a ``conversations.json`` as ChatGPT exports it, a tree of messages for each conversation."""
    with path.open("w", encoding="utf-8") as file:
        for number, part in enumerate(conversations(count)):
            mapping: dict[str, object] = {}
            for place, (when, _, text) in enumerate(part):
                said = {"content_type": "text", "parts": [text]}
                author = {"role": ("user", "assistant")[place % 2], "name": None, "metadata": {}}
                message = {
                    "id": str(place), "author": author, "create_time": when.timestamp(), "content": said,
                    "status": "finished_successfully", "weight": 1.0, "metadata": {}, "recipient": "all",
                }  # fmt: skip
                parent = str(place - 1) if place else None
                mapping[str(place)] = {"id": str(place), "message": message, "parent": parent}
            talk = {
                "title": f"Talk {number}", "conversation_id": f"{number}", "mapping": mapping,
                "current_node": str(len(part) - 1),
            }  # fmt: skip
            file.write(("[" if number == 0 else ",") + json.dumps(talk))
        file.write("]")


def write_claude(path: Path, count: int) -> None:
    """Write a ``conversations.json`` as Claude exports it, a list of messages for each conversation."""
    with path.open("w", encoding="utf-8") as file:
        for number, part in enumerate(conversations(count)):
            said = [
                {
                    "uuid": f"{number}-{place}", "sender": ("human", "assistant")[place % 2],
                    "created_at": f"{when.isoformat()}Z", "text": text,
                    "content": [{"type": "text", "text": text}], "attachments": [], "files": [],
                }
                for place, (when, _, text) in enumerate(part)
            ]  # fmt: skip
            talk = {"uuid": f"{number}", "name": f"Talk {number}", "chat_messages": said}
            file.write(("[" if number == 0 else ",") + json.dumps(talk))
        file.write("]")


def write_discord(path: Path, count: int) -> None:
    """Write one object with a list of messages, as DiscordChatExporter does."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"guild": {"id": "0"}, "channel": {"id": "77", "type": "DirectTextChat", ')
        file.write('"name": "Ann"}, "messages": [')
        for number, (when, who, text) in enumerate(messages(count)):
            record = {
                "id": str(number), "type": "Default", "timestamp": f"{when.isoformat()}+00:00",
                "content": text, "author": {"id": str(len(who)), "name": who}, "attachments": [],
            }  # fmt: skip
            file.write((", " if number else "") + json.dumps(record))
        file.write("]}")


def write_telegram_html(path: Path, count: int) -> None:
    """Write a page as Telegram Desktop does; of a real export each has a thousand messages."""
    with path.open("w", encoding="utf-8") as file:
        file.write('<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body>')
        file.write('<div class="page_wrap"><div class="page_header"><div class="content">')
        file.write('<div class="text bold">Trip</div></div></div>')
        file.write('<div class="page_body chat_page"><div class="history">')
        for number, (when, who, text) in enumerate(messages(count)):
            date = f'<div class="date details" title="{when:%d.%m.%Y %H:%M:%S} UTC+00:00"></div>'
            file.write(
                f'<div class="message default clearfix" id="message{number}"><div class="body">{date}'
                f'<div class="from_name">{who}</div><div class="text">{escape(text)}</div></div></div>\n'
            )
        file.write("</div></div></div></body></html>")


def write_mbox(path: Path, count: int) -> None:
    """Write mails, of which each tenth begins a thread and the others answer it."""
    with path.open("w", encoding="utf-8") as file:
        for number, (when, who, text) in enumerate(messages(count)):
            first = number // 10 * 10
            answers = (
                f"In-Reply-To: <m{number - 1}@example.org>\nReferences: <m{first}@example.org>\n"
            )
            file.write(
                f"From MAILER-DAEMON {when:%a %b %d %H:%M:%S %Y}\nDate: {when:%a, %d %b %Y %H:%M:%S +0000}\n"
                f"From: {who} <{who[0].lower()}@example.org>\nTo: Eve <eve@example.org>\n"
                f"Message-ID: <m{number}@example.org>\nSubject: Trip {first}\n"
                f"{answers if number > first else ''}\n{text}\n\n"
            )


def write_csv(path: Path, count: int) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("date", "sender", "text"))
        table.writerows((when.isoformat(sep=" "), who, text) for when, who, text in messages(count))


def write_zip(path: Path, count: int) -> None:
    """Write WhatsApp's text export in a zip, which unpacks to what is asked for."""
    write_whatsapp(path.with_suffix(".txt"), count)
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=1) as packed:
        packed.write(path.with_suffix(".txt"), "WhatsApp Chat with Ann.txt")
    path.with_suffix(".txt").unlink()


WRITERS = {
    "csv": write_csv,
    "discord": write_discord,
    "mbox": write_mbox,
    "telegram_html": write_telegram_html,
    "zip": write_zip,
    "whatsapp": write_whatsapp,
    "telegram": write_telegram,
    "chatgpt": write_chatgpt,
    "claude": write_claude,
}


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


SAMPLED = 1000  # messages by which the number for a size is reckoned


def fitting(write: Callable[[Path, int], None], folder: Path, size: str) -> int:
    """How many messages make a file of a size such as ``64MiB``, or the number itself."""
    if not size.endswith("MiB"):
        return int(size)
    sizes = []
    for number in (SAMPLED, 2 * SAMPLED):
        write(folder / "sample", number)
        sizes.append(unpacked(folder / "sample"))
    return int(float(size.removesuffix("MiB")) * 2**20 * 0.98 / (sizes[1] - sizes[0]) * SAMPLED)


def unpacked(path: Path) -> int:
    """The bytes of a file, or of what a zip holds."""
    if not is_zipfile(path):
        return path.stat().st_size
    with ZipFile(path) as packed:
        return sum(member.file_size for member in packed.infolist())


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
    global MORE  # noqa: PLW0603 - what is written is the same for all of the process
    if what in ("beside", "within"):
        measured = {"beside": beside, "within": within}[what]
        measured(WRITERS[name], int(size), more or "real")
        return
    MORE = (" and so we went on to the harbour" * (int(more or 0) // 33 + 1))[: int(more or 0)]
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
