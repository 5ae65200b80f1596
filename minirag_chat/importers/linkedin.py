"""Reads the messages of LinkedIn's download: one CSV of all conversations, newest message first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from posixpath import basename

from minirag_chat.importers.base import Importer, Sample, clean_name
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.csv_rows import columns_in, csv_rows
from minirag_chat.importers.html_tree import markup_tree, text_of
from minirag_chat.importers.kinds import chat_kind, file_kind
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_COLUMNS = frozenset(("CONVERSATION ID", "FROM", "TO", "DATE", "CONTENT"))
_MARKUP = lazy(r"</?(?:p|br|a|ul|ol|li|strong|em|b|i|span|div)\b[^<>]*>", re.IGNORECASE)
_DRAFTS = ("IS MESSAGE DRAFT", "IS CONVERSATION DRAFT")


class LinkedIn(Importer):
    """The importer for LinkedIn's messages."""

    name = "linkedin"
    title = "LinkedIn"
    files = "messages.csv, or the zip"
    how = (
        "LinkedIn: Settings & Privacy, Data privacy, Get a copy of your data; the link to the zip comes by "
        "e-mail."
    )
    companions = ("Connections.csv", "Invitations.csv", "Profile.csv", "Positions.csv")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first row has LinkedIn's names of columns."""
        if set(columns_in(sample.text.split("\n", maxsplit=1)[0])) >= _COLUMNS:
            return None
        return "line 1 has no columns `CONVERSATION ID`, `FROM`, `TO`, `DATE` and `CONTENT`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each conversation, in pieces."""
        reader = _Reader(context)
        return in_pieces(reader.messages(), reader.describe, newest_first=True)


class _Reader:
    """Reads the rows, and who takes part in each conversation; the owner takes part in most."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._columns = columns_in(next(context.lines(), ""))
        self._titles: dict[str, str] = {}
        self._people: dict[str, dict[str, None]] = {}
        stamps: dict[str, None] = {}
        for cells in self._rows():
            chat = cells.get("CONVERSATION ID", "")
            stamps[cells.get("DATE", "")] = None
            self._titles[chat] = self._titles.get(chat) or cells.get("CONVERSATION TITLE", "")
            people = map(clean_name, (cells.get("FROM", ""), *_recipients(cells)))
            self._people.setdefault(chat, {}).update(dict.fromkeys(filter(None, people)))
        self._times = MomentReader(stamps, context)
        self._owner = self._find_owner()
        context.owner = self._owner

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages with the ids of their conversations."""
        for line, cells in self._context.rows(self._columns):
            if any(cells.get(column) == "Yes" for column in _DRAFTS):
                self._context.skip("a draft, which was not sent", line)
            else:
                yield cells.get("CONVERSATION ID", ""), self._message(line, cells)

    def describe(self, key: str) -> ParsedChat:
        """Return a conversation without its messages."""
        people = self._people.get(key, {})
        others = ", ".join(name for name in people if name != self._owner)
        title = self._titles.get(key) or others
        return self._context.chat(LinkedIn.name, key=key, title=title, kind=chat_kind(len(people)))

    def _rows(self) -> Iterator[Mapping[str, str]]:
        rows = csv_rows(self._context.lines(), self._columns)
        return (row.cells for row in rows if row.reason is None)

    def _find_owner(self) -> str:
        counts = Counter(name for people in self._people.values() for name in people)
        (first, most), *others = counts.most_common(2) or [("", 0)]
        return first if most > 1 and (not others or others[0][1] < most) else ""

    def _message(self, line: int, cells: Mapping[str, str]) -> ParsedMessage | None:
        text = cells.get("CONTENT", "")
        if _MARKUP.search(text):
            text = text_of(markup_tree(text))
        subject = cells.get("SUBJECT", "").strip()
        if subject and subject.casefold() not in text.casefold():
            text = f"{subject}\n{text}"
        files = cells.get("ATTACHMENTS", "").split()
        return self._context.message(
            line,
            self._times.read(cells.get("DATE", "")),
            cells.get("FROM", ""),
            text,
            [Attachment(name, file_kind(name)) for name in map(basename, files)],
        )


def _recipients(cells: Mapping[str, str]) -> list[str]:
    """Return who got a message; a comma may be part of the name of one person, who has one address."""
    named, addresses = cells.get("TO", ""), cells.get("RECIPIENT PROFILE URLS", "")
    return named.split(",") if "," in addresses else [named]
