"""Groups the lines of a text: one that begins a message, with the lines below it up to the next such line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import KeptLines

Head = TypeVar("Head")


@dataclass(frozen=True, slots=True)
class Entry(Generic[Head]):
    """The number of the first line, what ``head_of`` found in it, and the lines below."""

    line: int
    head: Head
    more: KeptLines


def entries(context: ImportContext, head_of: Callable[[str], Head | None]) -> Iterator[Entry[Head]]:
    """Yield an entry for each line in which ``head_of`` finds something.

    Text before the first such line is recorded as skipped.
    """
    entry: Entry[Head] | None = None
    for number, line in enumerate(context.lines(), 1):
        head = head_of(line)
        if head is not None:
            if entry is not None:
                yield entry
            entry = Entry(number, head, KeptLines(context))
        elif entry is not None:
            entry.more.append(line)
        elif line.strip():
            context.skip("text before the first message", number)
    if entry is not None:
        yield entry
