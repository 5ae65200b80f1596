"""Reads Tinder's data download, which has only what the owner of the account wrote.

The numbers of matches change from one download to the next; the time of the first message tells them apart.
Written from descriptions of the format, and not tested on a real download.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from minirag_chat.importers.base import OWNER, Importer, Sample, as_text
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.html_tree import unescaped
from minirag_chat.importers.jsonwalk import is_prefix, place
from minirag_chat.importers.mail_headers import moment_in
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_USAGE = lazy(r'\s*\{.*?"Usage"\s*:\s*\{\s*"app_opens"', re.DOTALL)
_MATCHES = lazy(r'\s*\{.*?"Messages"\s*:\s*\[\s*\{\s*"match_id"', re.DOTALL)
_WAY = ("Messages", None, "messages")
_ONE = 4  # steps to one message
_YOU = "You"


class Tinder(Importer):
    """The importer for Tinder's download."""

    name = "tinder"
    title = "Tinder"
    files = "data.json, or the zip"
    how = (
        "account.gdpr.tinder.com: Download my data; the link to the zip comes by e-mail. It has only what "
        "you wrote."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object that begins with the use of the app, or has messages by matches."""
        if _USAGE.match(sample.text) or _MATCHES.match(sample.text):
            return None
        return "it has no `Usage` with `app_opens`, and no `Messages` with a `match_id`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the messages to each match, in pieces."""
        context.notes.append("Tinder's download has only what you wrote, without the answers.")
        reader = _Reader(context)
        return in_pieces(reader.messages(), reader.describe)


class _Reader:
    """Reads the messages, with the name of the account's owner and the matches' names."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._titles: dict[object, str] = {}
        self._begun: dict[object, datetime] = {}
        for path, value in context.values_first_pass(lambda path: path in ((), ("User",))):
            if path == ("User", "name"):
                context.owner = as_text(value)
        self._owner = context.owner or OWNER

    def messages(self) -> Iterator[tuple[object, ParsedMessage | None]]:
        """Yield the messages with the numbers of their matches."""
        for path, value in self._context.values(lambda path: is_prefix(path, _WAY)):
            if len(path) == _ONE:
                if isinstance(value, dict):
                    yield path[1], self._message(path[1], place(path), value)
                else:
                    self._context.skip(f"{place(path)} is not an object")
            elif path[:1] == ("Messages",) and path[-1] == "match_id":
                self._titles[path[1]] = as_text(value)

    def describe(self, match: object) -> ParsedChat:
        """Return a chat without its messages."""
        key = self._begun[match].isoformat()
        return self._context.chat(
            Tinder.name, key=key, title=self._titles.get(match), kind="direct"
        )

    def _message(self, match: object, where: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        sent, text, sender = (
            moment_in(as_text(raw.get("sent_date"))),
            raw.get("message"),
            raw.get("from"),
        )
        if sent is not None:
            self._begun[match] = min(sent, self._begun.get(match, sent))
        is_gif = raw.get("type") == "gif"
        return self._context.message(
            where,
            None if sent is None else self._context.wall_clock(sent),
            self._owner if sender == _YOU else sender,
            "" if is_gif else unescaped(as_text(text)),
            [Attachment("", "gif")] if is_gif else (),
        )
