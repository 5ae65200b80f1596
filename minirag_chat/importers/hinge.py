"""Reads Hinge's data download, which has only what the owner of the account wrote.

Written from descriptions of the format, and not tested on a real download.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import OWNER, Importer, Sample, as_text, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.one_object import listed
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ParsedChat, ParsedMessage

_BEGINS = lazy(r'\ufeff?\s*\[\s*\{\s*"(?:like|match|chats|block|we_met|voice_notes)"\s*:\s*\[')
_CHATS = lazy(r'"chats"\s*:\s*\[')
_BODY = lazy(r'"body"\s*:')


class Hinge(Importer):
    """The importer for Hinge's download."""

    name = "hinge"
    title = "Hinge"
    files = "matches.json, or the zip"
    how = (
        "Hinge: Settings, Download My Data; the zip is there after a day or two. It has only what you "
        "wrote."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a list of matches and likes, one of which has chats."""
        text = sample.text
        if _BEGINS.match(text) and _CHATS.search(text) and _BODY.search(text):
            return None
        return "it is not a list with a `match` and `chats`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the messages to each match, in pieces."""
        context.notes.append("Hinge's download has only what you wrote, without names or answers.")
        return in_pieces(_messages(context), lambda begun: _chat(begun, context))


def _messages(context: ImportContext) -> Iterator[tuple[str, ParsedMessage | None]]:
    """Yield the messages with the time at which their match began, which tells the matches apart."""
    for where, raw in listed(context):
        said = [*_comments(raw), *objects(raw.get("chats"))]
        times = (as_text(item.get("timestamp")) for item in (*objects(raw.get("match")), *said))
        begun = next(filter(None, times), "")
        for item in said:
            sent_at = context.iso(item.get("timestamp"))
            yield begun, context.message(where, sent_at, OWNER, item.get("body"))


def _comments(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what was written with a like that became a match."""
    if not objects(raw.get("match")):
        return
    for like in objects(raw.get("like")):
        for said in objects(like.get("like")):
            if as_text(said.get("comment")).strip():
                yield {"timestamp": said.get("timestamp"), "body": said.get("comment")}


def _chat(begun: str, context: ImportContext) -> ParsedChat:
    return context.chat(Hinge.name, key=begun, title=f"Match of {begun[:10]}", kind="direct")
