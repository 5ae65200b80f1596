"""What was moved of a topic: the messages that planned a day, each with the later one that moves it."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import replace

from minirag_chat.records import Answer, Message, Overview, Source
from minirag_chat.summaries.overview import listed, sources_of
from minirag_chat.summaries.planned import OF_KIND
from minirag_chat.ui_text import MAY_HAVE_CHANGED, one_line, said_at

MOST = 3  # changes that are listed


def all_moved(
    asked: Overview, pairs: Sequence[tuple[Message, Source]]
) -> Generator[str | Answer, None, None]:
    """Yield a line for each of the changes with the message that planned it before, then the ``Answer``."""
    begun = time.perf_counter()
    shown = pairs[:MOST]
    before = sources_of([message for message, _change in shown])
    after = [
        replace(change, number=len(before) + n) for n, (_message, change) in enumerate(shown, 1)
    ]
    lines = [
        f"- {said_at(old.message, one_line(old.quote), in_chat=True)} [{old.number}] "
        f"{MAY_HAVE_CHANGED}: {said_at(new.message, new.quote, in_chat=False)} [{new.number}]"
        for old, new in zip(before, after, strict=True)
    ]
    yield from (line + "\n" for line in lines)
    yield listed(asked.question, "\n".join(lines), [*before, *after], begun, OF_KIND)
