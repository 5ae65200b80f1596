"""Reads the JSON of signal-export: one message per line, ``{"date", "sender", "body", …}``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.importers.quotes import Quotes
from minirag_chat.importers.signal_markdown import contact_of, is_call
from minirag_chat.records import MADE_UP, Attachment, ParsedChat, ParsedMessage, Reaction

_NEEDED = {"date", "sender", "body"}
_OWN = {"quote", "sticker", "reactions", "attachments"}


class SignalJson(Importer):
    """The importer for signal-export's ``data.json``."""

    name = "signal-json"
    title = "Signal (signal-export JSON)"
    files = "data.json, one per chat, in the folder of the contact"
    how = "signal-export, a free program, reads Signal Desktop: `sigexport --json FOLDER`."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first line is a message of signal-export."""
        line = sample.text.lstrip().split("\n", maxsplit=1)[0]
        try:
            first = json.loads(line)
        except (ValueError, RecursionError):
            return "line 1 is no JSON object"
        keys = set(first) if isinstance(first, dict) else set()
        if not keys >= _NEEDED or not keys & _OWN:
            return "its lines have no `date`, `sender` and `body` as signal-export's"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file."""
        chat = context.chat("signal", title=contact_of(context.file))
        quotes = Quotes()
        messages = (_message(line, raw, quotes, context) for line, raw in context.records())
        return one_chat_in_pieces(messages, lambda: chat)


def _message(
    line: int, raw: Mapping[str, Any], quotes: Quotes, context: ImportContext
) -> ParsedMessage | None:
    text = as_text(raw.get("body"))
    if is_call(text):
        context.system_lines += 1
        return None
    identity = f"{MADE_UP}{as_text(raw.get('date'))} {as_text(raw.get('sender'))}"
    parent = quotes.find(as_text(raw.get("quote"))) if raw.get("quote") else None
    quotes.remember(text, identity)
    return context.message(
        line,
        context.iso(raw.get("date")),
        raw.get("sender"),
        text,
        _attachments(raw),
        deleted=raw.get("deleted") is True,
        source_id=identity,
        reply_to=parent,
        reactions=tuple(_reactions(raw.get("reactions"))),
    )


def _attachments(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    for item in objects(raw.get("attachments")):
        name = as_text(item.get("name"))
        yield Attachment(name, file_kind(name))
    sticker = raw.get("sticker")
    if sticker:
        emoji = sticker.get("emoji") if isinstance(sticker, dict) else sticker
        yield Attachment(as_text(emoji), "sticker")


def _reactions(value: object) -> Iterator[Reaction]:
    for item in value if isinstance(value, list) else []:
        match item:
            case [name, emoji]:
                yield Reaction(as_text(emoji), as_text(name))
            case {"name": name, "emoji": emoji}:
                yield Reaction(as_text(emoji), as_text(name))
