"""Reads Element's JSON export of a Matrix room, whose events may change earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from minirag_chat.importers.base import (
    Importer,
    Sample,
    as_text,
    clean_name,
    json_mismatch,
    object_at,
    objects,
)
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import Path, place
from minirag_chat.importers.kinds import chat_kind
from minirag_chat.importers.limits import LONGEST_NAME, LONGEST_TEXT, cell
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_TYPE = lazy(r'"type"\s*:\s*"m\.(?:room\.|reaction|sticker)')
_TIME = lazy(r'"origin_server_ts"\s*:')
_MILLISECONDS = 1000
_MOST_CHANGES = 500_000  # edits, deletions and reactions kept in memory
_MOST_EDITED = 64_000_000  # characters of edits kept in memory
_MESSAGES = ("m.room.message", "m.sticker")
_POLLS = ("m.poll.start", "org.matrix.msc3381.poll.start")
_KINDS = {"m.image": "photo", "m.video": "video", "m.audio": "audio", "m.file": "file"}


class Matrix(Importer):
    """The importer for Element's "Export chat"."""

    name = "matrix"
    title = "Matrix (Element JSON)"
    files = "matrix - room - Chat Export - date.json, or the zip with attachments"
    how = (
        "Element on the desktop or the web: the room's info, Export chat, format JSON, from the "
        "beginning."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for Matrix events, in a list or in an object's ``messages``."""
        missing = "it has no events with a `type` and an `origin_server_ts`"
        return json_mismatch(sample, "{[", (_TYPE, _TIME), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one room of the file. It is read twice, since edits come after their messages."""
        reader = _Reader(context, _changes(context))
        yield from one_chat_in_pieces(reader.messages(), reader.describe)
        reader.record_notes()


@dataclass(frozen=True, slots=True)
class _Edit:
    """The new text of an edited message, its sender and time."""

    place: str
    sender: str
    text: str
    moment: int | float


@dataclass(slots=True)
class _Changes:
    """Edits, deletions and reactions by the id of their message, and names of people by id."""

    names: dict[str, str] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    edits: dict[str, _Edit] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    reactions: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


def _events(values: Iterator[tuple[Any, Any]], facts: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the events with their places; the object's other keys are put into ``facts``."""
    for path, value in values:
        if path and (isinstance(path[0], int) or len(path) > 1):
            yield place(("messages", path[-1])), value
        elif path:
            facts[str(path[0])] = value
        else:
            yield "messages.0", None


def _enter(path: Path) -> bool:
    return path in ((), ("messages",))


def _changes(context: ImportContext) -> _Changes:
    """Collect what changes messages, in a first pass over the file."""
    found = _Changes()
    given: dict[
        str, tuple[str, str, str]
    ] = {}  # reactions by their own ids, since they can be deleted
    room = _MOST_EDITED
    for where, raw in _events(context.values_first_pass(_enter), {}):
        if not isinstance(raw, dict):
            continue
        content, relation = object_at(raw, "content"), _relation(raw)
        target, kind = as_text(relation.get("event_id")), as_text(raw.get("type"))
        sender = as_text(raw.get("sender"))
        if kind == "m.room.member":
            _see_member(raw, content, found)
        elif kind == "m.room.redaction" and len(found.deleted) < _MOST_CHANGES:
            found.deleted.add(as_text(raw.get("redacts") or content.get("redacts")))
        elif kind == "m.reaction" and len(given) < _MOST_CHANGES:
            key = as_text(relation.get("key"))[:LONGEST_NAME]
            given[as_text(raw.get("event_id")) or where] = (target, key, sender)
        elif relation.get("rel_type") == "m.replace" and len(found.edits) < _MOST_CHANGES:
            text = _body(object_at(content, "m.new_content") or content)[: LONGEST_TEXT + 1]
            room -= len(text)
            edit = _Edit(where, sender, text, _moment(raw))
            if room > 0 and target and found.edits.get(target, edit).moment <= edit.moment:
                found.edits[target] = edit
    for identity, (target, key, sender) in given.items():
        if identity not in found.deleted and target and key:
            found.reactions.setdefault(target, []).append((key, sender))
    _tell_apart(found.names)
    return found


def _see_member(raw: Mapping[str, Any], content: Mapping[str, Any], found: _Changes) -> None:
    person = as_text(raw.get("state_key"))
    name = clean_name(as_text(content.get("displayname")))[:LONGEST_NAME]
    if len(found.names) < _MOST_CHANGES and person:
        found.members.add(person)
        if name:
            found.names[person] = name


def _tell_apart(names: dict[str, str]) -> None:
    """Add their ids to the names of people with the same name, as Element does."""
    counts = Counter(names.values())
    for person, name in names.items():
        if counts[name] > 1:
            names[person] = f"{name} ({person})"


def _relation(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    return object_at(object_at(raw, "content"), "m.relates_to")


def _moment(raw: Mapping[str, Any]) -> int | float:
    found = raw.get("origin_server_ts")
    return found if isinstance(found, (int, float)) else 0


class _Reader:
    """Turns the events of a room into messages, with all changes applied."""

    def __init__(self, context: ImportContext, changes: _Changes) -> None:
        self._context, self._changes = context, changes
        self._facts: dict[str, Any] = {}
        self._room = ""
        self._senders: set[str] = set()
        self._encrypted = 0
        self._any = False

    def messages(self) -> Iterator[ParsedMessage | None]:
        """Yield the messages, and at the end those for which the file only has an edit."""
        context = self._context
        unmatched = set(self._changes.edits)
        for where, raw in _events(context.values(_enter), self._facts):
            if not isinstance(raw, dict) or not as_text(raw.get("type")):
                context.skip(f"{where} is not an event")
                continue
            self._any = True
            self._room = self._room or as_text(raw.get("room_id"))
            unmatched.discard(as_text(raw.get("event_id")))
            yield self._message(where, raw)
        for target in sorted(unmatched):
            edit = self._changes.edits[target]
            event = {"type": "m.room.message", "event_id": target, "sender": edit.sender,
                     "origin_server_ts": edit.moment, "content": {"body": edit.text}}  # fmt: skip
            yield self._message(edit.place, event)

    def describe(self) -> ParsedChat:
        """Return the room without its messages."""
        return self._context.chat(
            Matrix.name,
            key=self._room,
            title=as_text(self._facts.get("room_name")),
            kind=chat_kind(len(self._senders | self._changes.members)),
        )

    def record_notes(self) -> None:
        """Record messages that could not be decrypted, and a file without events."""
        context = self._context
        if self._encrypted:
            context.notes.append(
                f"{self._encrypted:,} messages in {context.name} could not be decrypted where they "
                "were exported; export the room again in a session that has the keys."
            )
        if not self._any and context.damage is None and not context.skipped:
            context.skip("there are no `messages` in it")

    def _message(self, where: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        kind, content = as_text(raw.get("type")), object_at(raw, "content")
        if kind == "m.room.encrypted" or content.get("msgtype") == "m.bad.encrypted":
            self._encrypted += 1
            return None
        changed = _relation(raw).get("rel_type") == "m.replace"
        if kind not in (*_MESSAGES, *_POLLS) or changed:
            self._context.system_lines += kind != "m.reaction" and not changed
            return None
        identity, sender = as_text(raw.get("event_id")), as_text(raw.get("sender"))
        self._senders.add(sender)
        deleted = identity in self._changes.deleted or "redacted_because" in object_at(
            raw, "unsigned"
        )
        edit = self._edit(identity, sender, raw)
        text = edit.text if edit else _poll(content) if kind in _POLLS else _body(content)
        return self._context.message(
            where,
            self._context.since_1970(raw.get("origin_server_ts"), milliseconds=True),
            self._name(sender),
            "" if deleted else text,
            () if deleted else _attachments(kind, content),
            deleted=deleted,
            source_id=identity or None,
            reply_to=_parent(_relation(raw)),
            edited=edit is not None,
            edited_at=0 if edit is None else self._context.edited_at(edit.moment // _MILLISECONDS),
            reactions=tuple(
                Reaction(key, self._name(who))
                for key, who in self._changes.reactions.get(identity, ())
            ),
        )

    def _edit(self, identity: str, sender: str, raw: Mapping[str, Any]) -> _Edit | None:
        """Return the last edit by the message's sender, from its own event or from the file."""
        edit = self._changes.edits.get(identity)
        beside = object_at(object_at(object_at(raw, "unsigned"), "m.relations"), "m.replace")
        content = object_at(object_at(beside, "content"), "m.new_content")
        if content and (edit is None or edit.moment < _moment(beside)):
            edit = _Edit(
                "", as_text(beside.get("sender")) or sender, _body(content), _moment(beside)
            )
        return edit if edit is not None and edit.sender == sender else None

    def _name(self, person: str) -> str:
        """Return a person's name, or else the local part of the id."""
        return self._changes.names.get(person) or person.removeprefix("@").partition(":")[0]


def _body(content: Mapping[str, Any]) -> str:
    """Return the text of a message without file names and the quotation of the answered one."""
    body = as_text(content.get("body"))
    if as_text(content.get("msgtype")) in _KINDS:
        name = as_text(content.get("filename"))
        return body if name and name != body else ""
    if "m.in_reply_to" in object_at(content, "m.relates_to") and body.startswith("> <"):
        quoted, blank, words = body.partition("\n\n")
        if blank and all(line.startswith(">") for line in quoted.split("\n")):
            return words
    return body


def _poll(content: Mapping[str, Any]) -> str:
    """Return a poll as its question and one line an answer."""
    keys = (key for key in content if key.endswith("poll.start") or key == "m.poll")
    poll = object_at(content, next(keys, ""))
    answers = (f"- {_poll_text(answer)}" for answer in objects(poll.get("answers")))
    lines = [_poll_text(object_at(poll, "question")), *answers]
    return "\n".join(lines).strip() or as_text(content.get("org.matrix.msc1767.text"))


def _poll_text(part: Mapping[str, Any]) -> str:
    found = part.get("org.matrix.msc1767.text") or part.get("m.text") or part.get("body")
    if isinstance(found, list) and found and isinstance(found[0], dict):
        found = found[0].get("body")
    return as_text(found)


def _attachments(kind: str, content: Mapping[str, Any]) -> tuple[Attachment, ...]:
    name = as_text(content.get("filename") or content.get("body"))
    what = cell(content.get("msgtype"))
    if kind == "m.sticker":
        return (Attachment(name, "sticker"),)
    if what == "m.audio" and "org.matrix.msc3245.voice" in content:
        return (Attachment(name, "voice message"),)
    return (Attachment(name, _KINDS[what]),) if what in _KINDS else ()


def _parent(relation: Mapping[str, Any]) -> str | None:
    """Return the id of the answered message; in a thread, by default its first message."""
    answered = as_text(object_at(relation, "m.in_reply_to").get("event_id"))
    in_thread = relation.get("rel_type") == "m.thread"
    if in_thread and (relation.get("is_falling_back") is True or not answered):
        answered = as_text(relation.get("event_id"))
    return answered or None
