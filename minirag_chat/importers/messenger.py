"""Reads Messenger's and Instagram's downloads: ``message_1.json``, newest message first.

The files have UTF-8 that was decoded as Latin-1; it is repaired only if all of it is valid UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, json_mismatch, object_at, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.messenger_own import OwnLines
from minirag_chat.importers.one_object import kind_by, one_chat
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_MESSAGES = lazy(r'"messages"\s*:\s*\[')
_FIELDS = tuple(lazy(rf'"{key}"\s*:') for key in ("sender_name", "timestamp_ms"))
_FILES = (
    ("photos", "photo"), ("videos", "video"), ("audio_files", "audio"), ("gifs", "gif"),
    ("files", "file"),
)  # fmt: skip
_OWN_TYPES = frozenset(("Call", "Subscribe", "Unsubscribe", "Plan"))
_OF_NONE = (
    lazy(r'"messages"\s*:\s*\[\s*\]'),
    lazy(r'"thread_path"\s*:'),
)  # a chat without messages
_PAIR = 2  # people in a direct chat


class Messenger(Importer):
    """The importer for the classic shape of both apps."""

    name = "messenger"
    title = "Messenger or Instagram"
    files = "message_1.json, message_2.json … in one folder per chat, or the zip of them all"
    how = (
        "Accounts Centre, Your information and permissions, Export your information; choose "
        "Messages, and the format JSON."
    )
    companions = (
        "autofill_information.json",
        "secret_conversations.json",
        "your_chat_settings_on_web.json",
        "reported_conversations.json",
        "chats.html",
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with messages that have ``sender_name`` and ``timestamp_ms``, or none."""
        if json_mismatch(sample, "{", _OF_NONE, "") is None:
            return None
        missing = "it has no `messages` with `sender_name` and `timestamp_ms`"
        return json_mismatch(sample, "{", (_MESSAGES, *_FIELDS), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces. It is read twice, first for the app's own sentences."""
        own = _own_lines(context)
        return one_chat(
            context,
            lambda place, raw: _message(place, raw, context, own),
            lambda facts: _describe(facts, context),
            newest_first=True,
        )


def repaired(value: object) -> str:
    """Return the text with UTF-8 decoded properly, if it was decoded as Latin-1."""
    text = as_text(value)
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def thread_key(path: str) -> str:
    """The id of a chat: the last folder of its path. Those before it change when it is archived."""
    return basename(path)


def _describe(facts: Mapping[str, Any], context: ImportContext) -> ParsedChat:
    context.owner = _owner(facts)
    return context.chat(
        Messenger.name,
        key=thread_key(as_text(facts.get("thread_path"))),
        title=repaired(facts.get("title")),
        kind=kind_by(facts.get("participants")),
    )


def _owner(facts: Mapping[str, Any]) -> str:
    """Return the name of the download's owner, if it is a direct chat, titled by the other person."""
    names = [repaired(who.get("name")) for who in objects(facts.get("participants"))]
    title = repaired(facts.get("title"))
    others = [name for name in names if name != title]
    return others[0] if len(names) == _PAIR and len(others) == 1 else ""


def _own_lines(context: ImportContext) -> OwnLines:
    """Collect evidence on sentences that the app itself wrote."""
    own = OwnLines()
    for path, raw in context.values_first_pass(lambda path: path in ((), ("messages",))):
        if len(path) > 1 and isinstance(raw, dict):
            with_file = any(_attachments(raw)) or any(_shared(raw))
            said, moment = repaired(raw.get("content")).strip(), _moment(raw.get("timestamp_ms"))
            own.see(repaired(raw.get("sender_name")), moment, said, with_file=with_file)
            for item in objects(raw.get("reactions")):
                actor, emoji = repaired(item.get("actor")), repaired(item.get("reaction"))
                own.see_reaction(actor, _moment(item.get("timestamp")), emoji)
    return own


def _moment(value: object) -> int:
    return value if isinstance(value, int) else 0


def _message(
    place: str, raw: Mapping[str, Any], context: ImportContext, own: OwnLines
) -> ParsedMessage | None:
    sender, said = repaired(raw.get("sender_name")), repaired(raw.get("content")).strip()
    shared, moment = _shared(raw), _moment(raw.get("timestamp_ms"))
    found = own.without_own_sentence(
        sender, moment, said, tuple(_attachments(raw)), with_link=any(shared)
    )
    if _is_call(raw) or found is None:
        context.system_lines += 1
        return None
    said, files = found
    parts = [said, *(part for part in shared if part and part not in said)]
    return context.message(
        place,
        context.since_1970(raw.get("timestamp_ms"), milliseconds=True),
        sender,
        "\n".join(part for part in parts if part),
        files,
        deleted=raw.get("is_unsent") is True,
        reactions=tuple(_reactions(raw.get("reactions"))),
    )


def _is_call(raw: Mapping[str, Any]) -> bool:
    return as_text(raw.get("type")) in _OWN_TYPES or "call_duration" in raw


def _shared(raw: Mapping[str, Any]) -> list[str]:
    """Return the link that a message shares and its description; empty if there is none."""
    share = object_at(raw, "share")
    return [repaired(share.get(part)) for part in ("link", "share_text")]


def _attachments(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    for field, kind in _FILES:
        for item in objects(raw.get(field)):
            yield Attachment(_file_name(item.get("uri")), kind)
    if isinstance(raw.get("sticker"), dict):
        yield Attachment(_file_name(raw["sticker"].get("uri")), "sticker")


def _file_name(uri: object) -> str:
    return basename(repaired(uri))


def _reactions(value: object) -> Iterator[Reaction]:
    for item in objects(value):
        yield Reaction(repaired(item.get("reaction")), repaired(item.get("actor")))
