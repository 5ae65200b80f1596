"""Limits of an import for the length of a line, a cell, a name and a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minirag_chat.importers.context import ImportContext

# Characters of one message. No app allows as many: WhatsApp, which allows most, ends at 65,536. A longer
# text is a pasted file, and every question that finds it would read all of it.
LONGEST_TEXT = 100_000
# Characters of a name or a title; no app allows as many.
LONGEST_NAME = 300
# Characters of a date, time or number, however it is written. Parsers of dates can be very slow
# on longer text.
LONGEST_CELL = 100
# Characters of a line: a message of the longest text, each of its characters written as \uXXXX twice.
LONGEST_LINE = 2 * 1024 * 1024
# Characters between two messages of a page or of XML, and of one value in JSON: they are held at once.
LARGEST_PART = 8 * 1024 * 1024


def cell(value: object) -> str:
    """Return the text of a date, time or number; empty if it is too long for one."""
    if isinstance(value, str):
        return value.strip() if len(value) <= LONGEST_CELL else ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    is_long = isinstance(value, int) and value.bit_length() > LONGEST_CELL
    return "" if is_long else str(value)


class KeptLines(list[str]):
    """The lines of one message, up to the limit of its length.

    The context counts the characters beyond it.
    """

    def __init__(self, context: ImportContext, *lines: str) -> None:
        super().__init__(lines)
        self._context = context
        self._room = LONGEST_TEXT - sum(map(len, lines))

    def append(self, line: str) -> None:
        """Add a line, or as much of it as the limit allows."""
        if self._room > 0:
            super().append(line)
        else:
            self._context.cut += len(line) + 1
        self._room -= len(line) + 1
