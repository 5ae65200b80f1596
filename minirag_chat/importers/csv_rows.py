"""Reads the rows of a CSV file with their line numbers, or the reason why a row is invalid."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


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
    """Yield the rows below the header, which is the first row that is not blank."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    header_seen = False
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Row(line, {}, f"not a row of the table ({error})")
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if not header_seen:
            header_seen = True
        elif len(cells) != len(columns):
            yield Row(line, {}, f"{len(cells)} cells where the header has {len(columns)}")
        else:
            yield Row(line, dict(zip(columns, cells, strict=True)))
