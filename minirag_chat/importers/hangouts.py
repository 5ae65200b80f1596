"""Reads Google Hangouts from Takeout: ``Hangouts.json`` with all conversations.

Written from descriptions of the format, and not tested on a real export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, json_mismatch, object_at, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import Path, is_prefix, quoted_place
from minirag_chat.importers.limits import cell
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage

_LIST = lazy(r'"conversations?(?:_state)?"\s*:\s*[\[{]')
_OWN = lazy(r'"(?:participant_data|self_conversation_state|gaia_id)"\s*:')
_WAYS = (  # of 2017 and later, of earlier years
    ("conversations", None, "events", None),
    ("conversation_state", None, "conversation_state", "event", None),
)
_ABOUT = (("conversations", None, "conversation"),
          ("conversation_state", None, "conversation_state", "conversation"))  # fmt: skip
_SAID = ("REGULAR_CHAT_MESSAGE", "SMS", "")
_MICROSECONDS = 1e6


class Hangouts(Importer):
    """The importer for Google Hangouts' Takeout."""

    name = "hangouts"
    title = "Google Hangouts (Takeout)"
    files = "Hangouts.json, or the Takeout zip"
    how = "takeout.google.com, until 2022: deselect all, select Hangouts, create the export."
    companions = ("archive_browser.html",)

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for conversations with participants that have Google's ids."""
        missing = "it has no `conversations` with `participant_data`"
        return json_mismatch(sample, "{", (_LIST, _OWN), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each conversation, in pieces."""
        reader = _Reader(context)
        yield from in_pieces(reader.messages(), reader.describe)
        reader.record_notes()


def _enter(path: Path) -> bool:
    return any(is_prefix(path, way[:-1]) for way in _WAYS)


def _is_one_of(path: Path, ways: Iterable[tuple[str | None, ...]]) -> bool:
    return any(len(path) == len(way) and is_prefix(path, way) for way in ways)


class _Reader:
    """Reads the file in one pass; the facts about a conversation come before its messages."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._names: dict[str, str] = {}
        self._facts: dict[int, dict[str, Any]] = {}
        self._any = False

    def messages(self) -> Iterator[tuple[int, ParsedMessage | None]]:
        """Yield the messages with the numbers of their conversations."""
        for path, value in self._context.values(_enter):
            if _is_one_of(path, _ABOUT):
                self._learn(int(path[1]), value)
            elif _is_one_of(path, _WAYS):
                self._any = True
                where = f"event {path[-1]} of {quoted_place(path[:2])}"
                if isinstance(value, dict):
                    yield int(path[1]), self._message(where, value)
                else:
                    self._context.skip(f"{where} is not an object")
            elif len(path) == 2:  # noqa: PLR2004 - conversations.0
                self._context.skip(f"{quoted_place(path)} is not an object")

    def describe(self, number: int) -> ParsedChat:
        """Return a conversation without its messages."""
        facts = self._facts.get(number, {})
        kind: ChatKind | None = None
        if "type" in facts:
            kind = "group" if as_text(facts.get("type")) == "GROUP" else "direct"
        key, title = as_text(object_at(facts, "id").get("id")), as_text(facts.get("name"))
        if kind == "direct":
            title = title or as_text(facts.get("other"))
        return self._context.chat(Hangouts.name, key=key, title=title, kind=kind)

    def record_notes(self) -> None:
        """Record a file without any message."""
        if not self._any and self._context.damage is None:
            self._context.skip("there are no `conversations` with `events`")

    def _learn(self, chat: int, value: object) -> None:
        facts = value if isinstance(value, dict) else {}
        facts = object_at(facts, "conversation") or facts
        self._facts[chat] = {key: facts.get(key) for key in ("id", "type", "name") if key in facts}
        state = object_at(object_at(facts, "self_conversation_state"), "self_read_state")
        owner, others = _identity(state.get("participant_id")), []
        for person in objects(facts.get("participant_data")):
            name, identity = as_text(person.get("fallback_name")), _identity(person.get("id"))
            if name:
                self._names[identity] = name
            if identity != owner:
                others.append(name)
        if owner:
            self._context.owner = self._names.get(owner) or self._context.owner
        if owner and len(others) == 1:
            self._facts[chat]["other"] = others[0]

    def _message(self, where: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        if as_text(raw.get("event_type")) not in _SAID or "chat_message" not in raw:
            self._context.system_lines += 1
            return None
        content = object_at(object_at(raw, "chat_message"), "message_content")
        sender = _identity(raw.get("sender_id"))
        return self._context.message(
            where,
            self._sent_at(raw.get("timestamp")),
            self._names.get(sender) or sender,
            "".join(map(_segment, objects(content.get("segment")))),
            list(_files(content.get("attachment"))),
            source_id=as_text(raw.get("event_id")) or None,
        )

    def _sent_at(self, microseconds: object) -> datetime | None:
        try:
            return self._context.since_1970(str(float(cell(microseconds)) / _MICROSECONDS))
        except (ValueError, OverflowError):
            return None


def _identity(value: object) -> str:
    person = value if isinstance(value, dict) else {}
    return as_text(person.get("gaia_id") or person.get("chat_id"))


def _segment(segment: Mapping[str, Any]) -> str:
    return "\n" if segment.get("type") == "LINE_BREAK" else as_text(segment.get("text"))


def _files(value: object) -> Iterator[Attachment]:
    for item in objects(value):
        embedded = object_at(item, "embed_item")
        kinds = embedded.get("type")
        is_place = isinstance(kinds, list) and "PLACE_V2" in kinds
        yield Attachment("", "location" if is_place else "photo")
