"""Sanitizes imported messages, so that texts can be stored and shown, and dates are in range.

No message is dropped; changes are recorded in the import context.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import LONGEST_NAME, LONGEST_TEXT
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import (
    EARLIEST,
    LATEST,
    Attachment,
    ParsedChat,
    ParsedMessage,
    Reaction,
    clamped,
)

# Control characters except tab and line ends, and surrogates, which cannot be encoded.
_UNSOUND = lazy(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]|\r(?!\n)")


class Sanitizer:
    """Sanitizes the messages of one file."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._last: dict[int, datetime] = {}
        self._undated = 0
        self._first_undated = ""

    def chat(self, chat: ParsedChat) -> ParsedChat:
        """Return a chat, or a piece of one, sanitized."""
        dated = (m.sent_at for m in chat.messages if EARLIEST <= m.sent_at <= LATEST)
        last = self._last.get(chat.part) or next(dated, None)
        messages = []
        for message in chat.messages:
            mended = self._message(message, last)
            if mended is not None:
                last = mended.sent_at
                messages.append(mended)
        if last is not None:
            self._last[chat.part] = last
        return replace(
            chat,
            messages=tuple(messages),
            key=_sound_id(chat.key),
            title=None if chat.title is None else _plain(chat.title)[:LONGEST_NAME],
        )

    def record_notes(self) -> None:
        """Record the changes in the context."""
        context = self._context
        if self._undated:
            context.notes.append(
                f"{self._undated:,} of the dates in {context.name} are before {EARLIEST.year} or after "
                f"{LATEST.year}, the first of them {self._first_undated}; those messages were given the "
                "time of the message before them."
            )
        if context.cut:
            context.notes.append(
                f"Messages in {context.name} of more than {LONGEST_TEXT:,} characters were cut there: "
                f"{context.cut:,} characters were left out."
            )

    def _message(self, message: ParsedMessage, last: datetime | None) -> ParsedMessage | None:
        if _is_clean(message):
            return message
        text, sender = _plain(message.text), _plain(message.sender)
        if len(text) > LONGEST_TEXT:
            self._context.cut += len(text) - LONGEST_TEXT
            text = text[:LONGEST_TEXT]
        sent_at = message.sent_at
        if not EARLIEST <= sent_at <= LATEST:
            self._undated += 1
            self._first_undated = self._first_undated or sent_at.date().isoformat()
            sent_at = last or clamped(sent_at)
        if text is not message.text and not text.strip():
            self._context.skip(
                f"a message of {sender} at {sent_at} has control characters for text"
            )
            return None
        return replace(
            message,
            sent_at=sent_at,
            sender=sender[:LONGEST_NAME].strip() or "\ufffd",
            text=text,
            source_id=_sound_id(message.source_id),
            reply_to=_sound_id(message.reply_to),
            session=_sound_id(message.session),
            forwarded_from=_plain(message.forwarded_from or "")[:LONGEST_NAME] or None,
            attachments=tuple(
                Attachment(_plain(a.name)[:LONGEST_NAME], _plain(a.kind)[:LONGEST_NAME])
                for a in message.attachments
            ),
            reactions=tuple(
                Reaction(_plain(r.emoji)[:LONGEST_NAME], _plain(r.sender)[:LONGEST_NAME])
                for r in message.reactions
            ),
        )


def _is_clean(message: ParsedMessage) -> bool:
    """Whether nothing has to be changed, as in nearly all messages."""
    if len(message.text) > LONGEST_TEXT or not EARLIEST <= message.sent_at <= LATEST:
        return False
    names = [message.sender, message.forwarded_from or ""]
    if message.attachments or message.reactions:
        names += [part for file in message.attachments for part in (file.name, file.kind)]
        names += [part for made in message.reactions for part in (made.emoji, made.sender)]
    if max(map(len, names)) > LONGEST_NAME:
        return False
    ids = (message.source_id or "", message.reply_to or "", message.session or "")
    if max(map(len, ids)) > LONGEST_NAME:
        return False
    return _UNSOUND.search("".join((message.text, *names, *ids))) is None


def _sound_id(text: str | None) -> str | None:
    """Return an id without control characters; a very long one is shortened and ends with a digest of it."""
    if text is None or len(text) <= LONGEST_NAME:
        return text and _plain(text)
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
    return _plain(text[: LONGEST_NAME - len(digest)]) + digest


def _plain(text: str) -> str:
    """Return a text without control characters; the same object if it has none."""
    return _UNSOUND.sub(_instead, text) if _UNSOUND.search(text) else text


def _instead(match: re.Match[str]) -> str:
    if match[0] == "\r":
        return "\n"
    return "\ufffd" if match[0] >= "\ud800" else ""
