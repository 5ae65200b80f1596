"""Messages one below the other: the first or last ones, or those with photos, links or other files."""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.answer.counting.counted import sources
from minirag_chat.answer.counting.files import files_found, whose_files
from minirag_chat.answer.scope import where_and_when
from minirag_chat.records import MOST_LISTED, FileKind, Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, joined, said_at


def first_or_last(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """Who wrote each message, when and where, in order of time."""
    if plan.files:
        return _with_files(store, filters, plan, plan.files)
    chosen = store.message_counts.from_end(
        filters, min(plan.number, MOST_LISTED), last=plan.asks == "last"
    )
    cited = sources(store, chosen[::-1] if plan.asks == "last" else chosen)
    senders = store.people.shown_names(filters.people)
    whose = f" from {joined(senders)}" if senders else ""
    every = len(cited)
    if every == MOST_LISTED:  # there may be more, which are counted
        every = store.message_counts.number(filters)
    which = _how_many(plan, len(cited), every)
    head = f"{which}{whose}{where_and_when(store, filters)}"
    return f"{head}:\n\n{lines(cited, filters)}", cited


def _with_files(
    store: Store, filters: Filters, plan: Metadata, kind: FileKind
) -> tuple[str, tuple[Source, ...]]:
    """The messages with photos, links or other files, in order of time."""
    found = files_found(store, filters, plan)
    every = [one.message for one in found.of_kind]
    most = min(plan.number, MOST_LISTED)
    cited = sources(store, every[:most] if plan.asks == "first" else every[-most:])
    where = f"{whose_files(store, filters, plan)}{where_and_when(store, filters)}"
    if not cited:
        return f"There are no {kind}s{where}.", ()
    of_all = f" (the {plan.asks} {len(cited)})" if len(every) > len(cited) else ""
    article = "an" if kind[0] in "aeiou" else "a"
    of_kind = f"{kind}s" if len(every) > 1 else f"{article} {kind}"
    head = f"{count(len(every), 'message')} with {of_kind}{where}{of_all}:"
    beside = f"\n\n{found.beside.strip()}" if found.beside else ""
    return f"{head}\n\n{lines(cited, filters)}{beside}", cited


def _how_many(plan: Metadata, found: int, every: int) -> str:
    if found < every:
        return f"The {plan.asks} {found} of {count(every, 'message')}"
    if found < plan.number == MOST_LISTED:
        return count(found, "message")  # all of them
    if found < min(plan.number, MOST_LISTED):
        return f"There {'is' if found == 1 else 'are'} only {count(found, 'message')}"
    return f"The {plan.asks} {count(found, 'message')}" if found > 1 else f"The {plan.asks} message"


def lines(cited: Sequence[Source], filters: Filters) -> str:
    """The messages with their senders and times, and with their chats unless all are of one."""
    in_chat = len(filters.chats) != 1
    return "\n\n".join(
        f"{said_at(one.message, one.quote, in_chat=in_chat)} [{one.number}]" for one in cited
    )
