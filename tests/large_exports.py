"""Writes large exports of made-up messages, of a number of them or of a size."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from html import escape
from itertools import islice
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, is_zipfile

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
