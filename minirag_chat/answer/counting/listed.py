"""Messages one below the other: the first or last ones, or those with photos, links or other files."""

from __future__ import annotations

from minirag_chat.answer.counting.cited import lines, sources
from minirag_chat.answer.counting.files import files_found, whose_files
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.records import MOST_LISTED, FileKind, Metadata
from minirag_chat.ui_text import count


def first_or_last(request: CountRequest) -> Told:
    """Who wrote each message, when and where, in order of time."""
    plan, filters = request.plan, request.filters
    if plan.files:
        return _with_files(request, plan.files)
    last = plan.asks.end == "last"
    chosen = request.counts.from_end(filters, min(plan.number, MOST_LISTED), last=last)
    cited = sources(request.store, chosen[::-1] if last else chosen)
    whose = f" from {request.names(filters.people)}" if filters.people else ""
    every = len(cited)
    if every == MOST_LISTED:  # there may be more, which are counted
        every = request.counts.number(filters)
    head = f"{_how_many(plan, len(cited), every)}{whose}{request.where}"
    return f"{head}:\n\n{lines(cited, filters)}", cited


def _with_files(request: CountRequest, kind: FileKind) -> Told:
    """The messages with photos, links or other files, in order of time."""
    plan, found = request.plan, files_found(request)
    every = [one.message for one in found.of_kind]
    most = min(plan.number, MOST_LISTED)
    chosen = every[:most] if plan.asks.end == "first" else every[-most:]
    cited = sources(request.store, chosen)
    where = f"{whose_files(request)}{request.where}"
    if not cited:
        return f"There are no {kind}s{where}.", ()
    of_all = f" (the {plan.asks.end} {len(cited)})" if len(every) > len(cited) else ""
    article = "an" if kind[0] in "aeiou" else "a"
    of_kind = f"{kind}s" if len(every) > 1 else f"{article} {kind}"
    head = f"{count(len(every), 'message')} with {of_kind}{where}{of_all}:"
    beside = f"\n\n{found.beside.strip()}" if found.beside else ""
    return f"{head}\n\n{lines(cited, request.filters)}{beside}", cited


def _how_many(plan: Metadata, found: int, every: int) -> str:
    if found < every:
        return f"The {plan.asks.end} {found} of {count(every, 'message')}"
    if found < plan.number == MOST_LISTED:
        return count(found, "message")  # all of them
    if found < min(plan.number, MOST_LISTED):
        return f"There {'is' if found == 1 else 'are'} only {count(found, 'message')}"
    return (
        f"The {plan.asks.end} {count(found, 'message')}"
        if found > 1
        else f"The {plan.asks.end} message"
    )
