"""Reads the Markdown of signal-export: ``[YYYY-MM-DD, HH:MM] Name: text``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from minirag_chat.importers.base import ExportFile, Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.entries import Entry, entries
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.importers.quotes import Quotes
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import MADE_UP, Attachment, ParsedChat, ParsedMessage, Reaction

_LINE = lazy(
    r"\[(?P<day>\d{4}-\d\d-\d\d)(?P<comma>,?) (?P<time>\d\d:\d\d(?::\d\d)?)\] (?P<sender>[^:\n]+):"
    r"(?: (?P<text>.*))?"
)
_OWN_WAYS = lazy(r"^\(- .+ -\)[ ]*$|\]\(\.?/?media/|^> |\(This message was deleted\)", re.MULTILINE)
_HEAD = lazy(r"\[\d{4}-\d\d-\d\d ")
_REACTIONS = lazy(r"\n?^\(- (?P<list>.+) -\)[ ]*$", re.MULTILINE)
# Bounded, since any bracket may begin a match; file names have at most 255 characters.
_FILE = lazy(
    r"(?P<image>!?)\[(?P<name>[^\[\]\n]{0,300})\]\((?P<path>\.{0,2}/[^)\n]{1,300})\)[ ]{0,2}"
)
_STICKER = lazy(r"^\(\( (?P<emoji>.*) \)\)$", re.MULTILINE)
_QUOTED = lazy(r"\A\s*(?P<lines>(?:^>.*\n?)+)", re.MULTILINE)
_CALL = lazy(
    r"(?:Missed \w{1,12} call|(?:Incoming|Outgoing) (?:\w{1,12} )?call)(?: \([\w, ]{1,60}\))?"
)
_JSON = "data.json"  # holds the same chat beside the Markdown
_NAMES = ("chat.md", "index.md", _JSON)
_DELETED = "(This message was deleted)"


class SignalMarkdown(Importer):
    """The importer for signal-export's ``chat.md``."""

    name = "signal-markdown"
    title = "Signal (signal-export Markdown)"
    files = "chat.md or index.md, one per chat, in the folder of the contact"
    how = "signal-export, a free program, reads Signal Desktop: `sigexport FOLDER`."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first line is signal-export's."""
        lines = [line for line in sample.text.split("\n") if line.strip()]
        match = _LINE.fullmatch(lines[0]) if lines else None
        if match is None:
            return "its first line is not `[YYYY-MM-DD, HH:MM] Name: text`"
        if match["comma"] and match["time"].count(":") == 1:
            return None
        if _OWN_WAYS.search(sample.text) or _stand_apart(sample.text):
            return None
        return "its messages do not stand apart as signal-export's do"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file."""
        chat = context.chat("signal", title=contact_of(context.file))
        quotes = Quotes()
        twice = context.file.near(_JSON) is not None
        found = entries(context, lambda line: _head(line, context))
        messages = (_message(entry, quotes, context, twice=twice) for entry in found)
        return one_chat_in_pieces(messages, lambda: chat)


def _stand_apart(text: str) -> bool:
    """Whether an empty line is before each message, or Markdown's break of a line behind most of them."""
    apart = re.findall(r"(\n\n|(?<!\n)\n)(?=\[\d{4}-)", text)
    if apart and set(apart) == {"\n\n"}:
        return True
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    heads = [n for n, line in enumerate(lines) if _HEAD.match(line)]
    ends = [lines[n - 1].endswith("  ") for n in (*heads[1:], len(lines))]
    return 2 * sum(ends) > len(ends)


def contact_of(file: ExportFile) -> str | None:
    """Return the contact whose folder in signal-export contains the file."""
    return file.folder_name if file.path.name in _NAMES else None


def is_call(text: str) -> bool:
    """Whether a text is what signal-export writes of a call, such as ``Missed video call``."""
    return _CALL.fullmatch(text.strip()) is not None


def _head(line: str, context: ImportContext) -> tuple[datetime, str, str] | None:
    """Return the time, sender and text of a line that begins a message; None for other lines."""
    match = _LINE.fullmatch(line.lstrip("\ufeff"))
    sent_at = context.iso(f"{match['day']} {match['time']}") if match else None
    return (sent_at, match["sender"], match["text"] or "") if match and sent_at else None


def _message(
    entry: Entry[tuple[datetime, str, str]],
    quotes: Quotes,
    context: ImportContext,
    *,
    twice: bool,
) -> ParsedMessage | None:
    sent_at, sender, first = entry.head
    text = "\n".join([first, *entry.more]).strip()
    if is_call(text):
        context.system_lines += 1
        return None
    deleted = text == _DELETED
    reactions = [
        Reaction(emoji.strip(), name.strip())
        for found in _REACTIONS.finditer(text)
        for name, colon, emoji in (item.rpartition(":") for item in found["list"].split(", "))
        if colon
    ]
    text = _REACTIONS.sub("", text)
    files = [
        Attachment(match["name"], "photo" if match["image"] else "file")
        for match in _FILE.finditer(text)
    ]
    text = _FILE.sub("", text)
    stickers = [Attachment(match["emoji"], "sticker") for match in _STICKER.finditer(text)]
    text = _STICKER.sub("", text)
    begins = not first.strip()  # what a person types begins in the line of the name
    text, parent = _without_quote(text, quotes, always=twice and begins)
    identity = f"{MADE_UP}{sent_at.isoformat()} {sender}"
    quotes.remember(text, identity)
    return context.message(
        entry.line,
        sent_at,
        sender,
        text,
        [*files, *stickers],
        deleted=deleted,
        source_id=identity,
        reply_to=parent,
        reactions=tuple(reactions),
    )


def _without_quote(text: str, quotes: Quotes, *, always: bool) -> tuple[str, str | None]:
    """Return a text without what it quotes, and the id of the message that says that, if it is known.

    A quote of a message that the file lacks stays in the text. But not ``always``: where the JSON beside the
    file has the answer without the quote, the two would be two messages.
    """
    quoted = _QUOTED.match(text)
    if quoted is None or not text[quoted.end() :].strip():
        return text, None
    parent = quotes.find(quoted["lines"])
    return (text[quoted.end() :] if always or parent is not None else text), parent
