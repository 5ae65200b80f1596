"""Reads the rows of a CSV file with their line numbers, or the reason why a row is invalid."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from minirag_chat.lazy_patterns import lazy

_LONGEST_TIME = 60  # characters
_FEWEST_DIGITS = 4  # of a date
_DIGIT = lazy(r"\d")
_SHORT = lazy(r"(?<!0)00?(?!0)")
_LETTERS = lazy(r"[^\W\d_]+")


class Row(NamedTuple):
    """A row's line number and its cells by column, or the reason why it is invalid."""

    line: int
    cells: Mapping[str, str]
    reason: str | None = None


def columns_in(header: str, delimiter: str = ",") -> tuple[str, ...]:
    """Return the names of columns in the first line of a table."""
    try:
        cells = next(csv.reader([header.lstrip("\ufeff")], delimiter=delimiter), [])
    except csv.Error:
        return ()
    return tuple(cell.strip() for cell in cells)


def csv_rows(lines: Iterable[str], columns: Sequence[str], delimiter: str = ",") -> Iterator[Row]:
    """Yield the rows below the header, which is the first row that is not blank.

    A quotation mark that is never closed is read as a character of its cell, since it would swallow the rows
    below it.
    """
    feed = _Feed(lines, len(columns), delimiter)
    reader = csv.reader(feed, delimiter=delimiter)
    header_seen = False
    while True:
        line = feed.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells = feed.first_alone()
            if not cells:
                yield Row(line, {}, f"not a row of the table ({error})")
                continue
        if len(cells) != len(columns) or not feed.is_well_formed():
            cells = feed.first_alone() or cells
        if not any(cell.strip() for cell in cells):
            continue
        if not header_seen:
            header_seen = True
        elif len(cells) != len(columns):
            yield Row(line, {}, f"{len(cells)} cells where the header has {len(columns)}")
        else:
            feed.seen(cells)
            yield Row(line, dict(zip(columns, cells, strict=True)))


class _Feed:
    """Feeds lines to ``csv.reader``, and notices rows that it takes for the inside of one quoted cell.

    A line inside a row is taken for another row if it has as many cells as the header, and a number or time
    of the same form as the row before.
    """

    def __init__(self, lines: Iterable[str], width: int, delimiter: str) -> None:
        self._lines = iter(lines)
        self._width = width
        self._delimiter = delimiter
        self._waiting: deque[str] = deque()
        self._taken: list[str] = []  # the lines of the current row
        self._read = 0
        self._before: Sequence[str] = ()  # the cells of the last valid row
        self._ends_as_row = False

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        if self._ends_as_row and '"' not in self._taken[-1]:
            raise csv.Error("an unclosed quotation mark")
        line = self._waiting.popleft() if self._waiting else f"{next(self._lines)}\n"
        self._read += 1
        self._taken.append(line)
        self._ends_as_row = len(self._taken) > 1 and self._is_row(line)
        return line

    def begin(self) -> int:
        """Begin another row; returns the number of its first line."""
        self._taken.clear()
        self._ends_as_row = False
        return self._read + 1

    def seen(self, cells: Sequence[str]) -> None:
        """Remember a valid row."""
        self._before = cells

    def is_well_formed(self) -> bool:
        """Whether the row is valid even if its last line looks like a row of its own."""
        if not self._ends_as_row:
            return True
        try:
            next(csv.reader(self._taken, delimiter=self._delimiter, strict=True))
        except csv.Error:
            return False
        return True

    def first_alone(self) -> list[str]:
        """Return the cells of the row's first line if it swallowed others, which are then read again."""
        if not self._ends_as_row:
            return []
        first, *others = self._taken
        self._waiting.extendleft(reversed(others))
        self._read -= len(others)
        self._ends_as_row = False
        return self._unclosed(first)

    def _unclosed(self, line: str) -> list[str]:
        """The cells of a line in which a quotation mark is not closed, most often in the last cell."""
        *cells, last = next(csv.reader([line], delimiter=self._delimiter))
        if len(cells) + 1 == self._width:
            return [*cells, '"' + last.removesuffix("\n")]
        return line.removesuffix("\n").split(self._delimiter)

    def _is_row(self, line: str) -> bool:
        try:
            cells = next(csv.reader([line], delimiter=self._delimiter), [])
            before = self._before or self._unclosed(self._taken[0])
        except csv.Error:
            return False
        pairs = zip(map(_form, before), map(_form, cells), strict=False)
        return len(cells) == self._width and any(one and one == other for one, other in pairs)


def _form(cell: str) -> str:
    """Return how a number or time is written, such as ``0000-0-0 0:0``; empty for other cells."""
    if len(cell) > _LONGEST_TIME or sum(map(str.isdigit, cell)) < _FEWEST_DIGITS:
        return ""
    return _LETTERS.sub("a", _SHORT.sub("0", _DIGIT.sub("0", cell.strip())))
