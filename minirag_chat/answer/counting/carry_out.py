"""Questions about the messages themselves, answered by counting: no retrieval, and no model.

How many messages, who wrote most, the last one, who is in a chat. The answer shows the first and last of the
messages that were counted, or one of each person or chat.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from datetime import datetime

from minirag_chat.answer.counting.busiest import busiest
from minirag_chat.answer.counting.calendar_day import calendar_day
from minirag_chat.answer.counting.chats_and_people import (
    addressees,
    chats,
    last_of_each,
    leaders,
    members,
    nothing_passes,
    partners,
    senders_of,
    sizes,
)
from minirag_chat.answer.counting.cited import end_sources, first_and_last, said_when, sources
from minirag_chat.answer.counting.conversations_begun import conversations_begun
from minirag_chat.answer.counting.files import COUNTED_AS, file_at_end, files_sent, no_files
from minirag_chat.answer.counting.first_and_last_messages import first_written, longest_quiet
from minirag_chat.answer.counting.latest_at_night import latest_at_night
from minirag_chat.answer.counting.lengths import extreme_message, mean_lengths, words_written
from minirag_chat.answer.counting.listed import first_or_last
from minirag_chat.answer.counting.marked import marked_messages
from minirag_chat.answer.counting.ranking import (
    SHOWN,
    Counted,
    listed_names,
    mark,
    ranked,
    ranking,
)
from minirag_chat.answer.counting.rates import (
    average,
    days_listed,
    days_without,
    days_written,
    longest_silence,
    longest_streak,
    share_of_messages,
    silent,
)
from minirag_chat.answer.counting.reactions_given import reactions_given
from minirag_chat.answer.counting.replies import reply_times
from minirag_chat.answer.counting.request import CountRequest, NotRecordedError, Told
from minirag_chat.answer.counting.unanswered import unanswered, wrote_last
from minirag_chat.answer.counting.used_most import emoji_used, words_used
from minirag_chat.answer.counting.verdict import compared, with_verdict
from minirag_chat.answer.counting.which_messages import which_messages
from minirag_chat.answer.counting.words_said import words_said
from minirag_chat.answer.elapsed import asks_elapsed, elapsed, today
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.where_and_when import in_span, in_times, quoted
from minirag_chat.answer.without_model import without_model
from minirag_chat.records import Answer, AskedFor, Metadata, Reason, Wanted
from minirag_chat.store import Store
from minirag_chat.ui_text import count, day, joined

UNDERSTOOD = 0.97
"""Confidence of a question in other words: 326 of 337 that nothing is trained on are understood rightly."""
HOURS_READ = (
    " The hours are read as {read}: add \u201cam\u201d or \u201cpm\u201d if you mean others."
)


def about_messages(store: Store, plan: Metadata) -> Generator[str | Answer, None, None]:
    """Yield the answer's text, then the ``Answer``; of one that cannot be given only the ``Answer``."""
    started_at = time.perf_counter()
    why: Reason | None = None
    with store.reading():
        try:
            text, cited = _told(store, plan)
        except NotRecordedError as error:
            text, cited, why = str(error), (), "not_recorded"
        text += HOURS_READ.format(read=plan.hours_read) if plan.hours_read else ""
        path = PathBuilder(store, plan.question).build(cited, {})
    if why is None:
        yield text
    sure = UNDERSTOOD if plan.understood_as and why is None else None
    asked = plan.question.text
    yield without_model(
        asked, text, started_at, sources=cited, path=path, reason=why, confidence=sure
    )


def _told(store: Store, plan: Metadata) -> Told:
    """The text and its sources: none if there are no such messages, which the text says."""
    if plan.asks.what == "asker" and (asker := store.me.person()):
        return f"You are {asker.shown_name}.", ()
    if plan.asks.what == "date":
        return calendar_day(store, plan), ()
    filters = which_messages(store, plan)
    if isinstance(filters, str):
        return f"No: {filters}" if plan.question.yes_no else filters, ()
    request = CountRequest(store, plan, filters)
    passes = request.counts.first_and_last(filters) is not None
    if not passes and plan.asks.what != "silent":
        return nothing_passes(request) + _beyond(request), ()
    text, cited = _carried_out(request)
    return text if passes else text + _beyond(request), cited


def _carried_out(request: CountRequest) -> Told:
    """The answer to what the plan asks of some messages, of which there is at least one."""
    plan = request.plan
    if plan.marked == "reacted":
        return reactions_given(request)
    if plan.marked:
        return marked_messages(request)
    if plan.word:
        return words_said(request)
    if plan.number:
        return first_or_last(request)
    if plan.files and plan.asks.what in {"count", "writers"}:
        return files_sent(request)
    return _FUNCTIONS[plan.asks.what](request)


def _beyond(request: CountRequest) -> str:
    """A sentence that says when the messages begin or end, if all of the times asked for are outside."""
    filters = request.filters
    begin, end = request.store.messages.extent()
    starts, ends = ([getattr(span, of) for span in filters.periods] for of in ("start", "end"))
    since = max(filters.since or datetime.min, min(starts, default=datetime.min))
    until = min(filters.until or datetime.max, max(ends, default=datetime.max))
    if begin and until <= begin:
        return f" Your messages begin on {day(begin)}."
    return f" Your messages end on {day(end)}." if end and since > end else ""


def _message(request: CountRequest) -> Told:
    """The first or last message, or the one with a photo or another file."""
    plan, counts = request.plan, request.counts
    if not plan.files:
        in_words = plan.in_words and counts.first_and_last(request.filters, in_words=True)
        ends = in_words or counts.first_and_last(request.filters) or ()
        return _quoted_message(request, ends[plan.asks.end == "last"])
    found = file_at_end(request)
    if found is None:
        return no_files(request), ()
    text, cited = _quoted_message(request, found[0])
    return text + (COUNTED_AS if plan.files == "question" else found[1]), cited


def _quoted_message(request: CountRequest, message_id: int) -> Told:
    """When a message was sent, where, by whom, and what it says."""
    plan, chosen = request.plan, request.filters.chats
    (cited,) = sources(request.store, [message_id])
    said = said_when(cited)
    if asks_elapsed(plan.question.text):
        said += f" ({elapsed(cited.sent_at.date(), today(request.store).date())})"
    where = "" if len(chosen) == 1 else f", in {quoted(cited.message.chat)}"
    others = f" that others {'sent' if plan.files else 'wrote'}" if plan.without else ""
    which = f"{others}{request.inside}{_several_times(request)}"
    head = f"The {plan.asks.end} {plan.files or 'message'}{which} is from {said}"
    return f"{head}{where}: \u201c{cited.quote}\u201d [1].", (cited,)


def _count(request: CountRequest) -> Told:
    """How many messages, by sender."""
    senders = _with_silent(request)
    total = sum(sender.number for sender in senders)
    where = f"{request.inside}{_several_times(request)}"
    cited = end_sources(request.store, request.counts.first_and_last(request.filters) or ())
    if len(senders) == 1:
        text = f"{senders[0].name} sent {count(total, 'message')}{where}, "
    else:
        listed = listed_names(senders[:SHOWN], len(senders))
        text = f"{count(total, 'message')}{where}: {listed}; "
    text += f"{first_and_last(cited, total)}.{_by_period(request)}"
    wrote = {person for one in senders if one.number for person in one.filters.people}
    return with_verdict(request, wrote, text, f"sent no messages{request.where}"), cited


def _writers(request: CountRequest) -> Told:
    """Who sent most or fewest messages."""
    plan, senders = request.plan, _with_silent(request)
    ordered, nth = ranked(senders, plan)
    but = f" apart from {request.names(plan.without)}" if plan.without else ""
    equal = len({one.number for one in senders}) == 1 < len(senders)
    extreme = "equally much" if equal else f"the {nth}{plan.asks.end}"
    text = ranking(
        ordered,
        sum(one.number for one in senders),
        f"wrote {extreme}{but}{request.where}",
    )
    sent = {person: one.number for one in senders for person in one.filters.people}
    return compared(plan, sent) + text, last_of_each(request, ordered)


def _difference(request: CountRequest) -> Told:
    """How many messages more one of two people sent than the other."""
    senders = sorted(_with_silent(request), key=lambda one: -one.number)
    if len(senders) != 2:  # noqa: PLR2004 - a name that several have, or one person named twice
        plan = replace(request.plan, asks=Wanted("writers", "most"))
        return _writers(replace(request, plan=plan))
    more, less = senders
    apart = more.number - less.number
    sent = f"{count(apart, 'message')} more than" if apart else "as many messages as"
    each = f"{more.number:,}{mark(more, 1)} and {less.number:,}{mark(less, 2)}"
    text = f"{more.name} sent {sent} {less.name}{request.where}: {each}."
    return text, last_of_each(request, senders)


def _with_silent(request: CountRequest) -> list[Counted]:
    """The senders of messages, and of several that are named also those who wrote nothing."""
    senders = senders_of(request)
    if len(request.plan.senders) > 1 and not request.plan.all_of_them:
        wrote = {person for one in senders for person in one.filters.people}
        for person in sorted(request.filters.people - wrote):
            alone = replace(request.filters, people=frozenset({person}))
            senders.append(Counted(request.name(person), 0, alone))
    return senders


def _several_times(request: CountRequest) -> str:
    """The times that are not one period, which the days of the first and the last message do not tell."""
    return in_times(replace(request.filters, since=None, until=None))


def _by_period(request: CountRequest) -> str:
    """The number of messages of each period, if there are several."""
    periods = request.filters.periods
    if not periods:
        return ""
    numbers = [
        f"{request.counts.number(replace(request.filters, periods=(span,))):,} {in_span(span)}"
        for span in periods
    ]
    return f" That is {joined(numbers)}."


_FUNCTIONS: Mapping[AskedFor, Callable[[CountRequest], Told]] = {
    "count": _count,
    "writers": _writers,
    "leaders": leaders,
    "difference": _difference,
    "message": _message,
    "share": share_of_messages,
    "average": average,
    "days": days_written,
    "days without": days_without,
    "when": days_listed,
    "streak": longest_streak,
    "silence": longest_silence,
    "silent": silent,
    "times": busiest,
    "latest": latest_at_night,
    "words": words_written,
    "length": extreme_message,
    "mean length": mean_lengths,
    "emoji": emoji_used,
    "words used": words_used,
    "begins": conversations_begun,
    "replies": reply_times,
    "unanswered": unanswered,
    "not answered": unanswered,
    "answered": wrote_last,
    "members": members,
    "partners": partners,
    "addressees": addressees,
    "chats": chats,
    "sizes": sizes,
    "first messages": first_written,
    "quiet": longest_quiet,
    "unwritten": longest_quiet,
}
"""What tells each thing that is asked, but for the asker and the date, for which no message is needed."""
