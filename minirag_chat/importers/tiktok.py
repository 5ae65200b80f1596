"""Reads the direct messages of TikTok's download: a file of text, or JSON with all of the account in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from minirag_chat.importers.base import Importer, Sample, as_text
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.entries import entries
from minirag_chat.importers.jsonwalk import Step, place
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ParsedChat, ParsedMessage

_CHAT = lazy(r"(?:>>> )?Chat History with (?P<name>.+?):*\s*")
_SAID = lazy(
    r"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: UTC)?:? (?P<name>[^:\s][^:\n]{0,99}): ?(?P<text>.*)"
)
_HISTORY = lazy(r'"Chat ?History"\s*:')
_LISTS = lazy(
    r'"(?:Favorite (?:Effects|Hashtags|Sounds|Videos)|Video Browsing History|Watch History)"\s*:'
)
_DEEPEST = 5  # Direct Message, Direct Messages, ChatHistory, the chat, the message


class TikTok(Importer):
    """The importer for TikTok's download."""

    name = "tiktok"
    title = "TikTok"
    files = "Direct Messages.txt, user_data_tiktok.json, or the zip"
    how = "TikTok: Settings and privacy, Account, Download your data; the zip is there when it is ready."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for the text of chats, or for JSON with the lists of an account."""
        start = sample.text.lstrip()
        if start.startswith("{"):
            found = _HISTORY.search(start) or len(set(_LISTS.findall(start))) > 1
            return None if found else "it has no `ChatHistory`"
        first = start.split("\n", maxsplit=1)[0]
        if first.startswith(">>> ") and _CHAT.fullmatch(first.strip()):
            return None
        return "it does not begin with `>>> Chat History with`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each chat, in pieces."""
        is_json = context.file.sample(context.options).text.lstrip().startswith("{")
        messages = _from_json(context) if is_json else _from_text(context)
        return in_pieces(messages, lambda chat: context.chat(TikTok.name, key=chat, title=chat))


def _from_text(context: ImportContext) -> Iterator[tuple[str, ParsedMessage | None]]:
    chat = ""
    for entry in entries(context, lambda line: _CHAT.fullmatch(line) or _SAID.fullmatch(line)):
        head = entry.head
        if head.re.pattern == _CHAT.pattern:
            chat = head["name"]
            for number, line in enumerate(entry.more, entry.line + 1):
                if line.strip():
                    context.skip("text before the first message", number)
        else:
            text = "\n".join([head["text"], *entry.more])
            sent_at = _moment(head["time"], context)
            yield chat, context.message(entry.line, sent_at, head["name"], text)


def _moment(written: object, context: ImportContext) -> datetime | None:
    """Return a time, which is in UTC, as it is shown."""
    plain = as_text(written).removesuffix(" UTC")
    return context.iso(f"{plain}+00:00" if plain else None)


def _enter(path: tuple[Step, ...]) -> bool:
    return not path or (str(path[0]).startswith("Direct Message") and len(path) < _DEEPEST)


def _from_json(context: ImportContext) -> Iterator[tuple[str, ParsedMessage | None]]:
    for path, raw in context.values(_enter):
        chat = next((m["name"] for step in path if (m := _CHAT.fullmatch(str(step)))), None)
        if chat is None or not isinstance(path[-1], int):
            continue
        if isinstance(raw, dict):
            text = raw.get("Content")
            yield (
                chat,
                context.message(
                    place(path), _moment(raw.get("Date"), context), raw.get("From"), text
                ),
            )
        else:
            context.skip(f"{place(path)} is not an object")
