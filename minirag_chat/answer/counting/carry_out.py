"""Questions about the messages themselves, answered by counting: no retrieval, and no model.

How many messages, who wrote most, the last one, who is in a chat. The answer shows the first and last of the
messages that were counted, or one of each person or chat.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from minirag_chat.answer.counting.all_wrote import (
    compared,
    filtered_out,
    people_of_names,
    with_verdict,
)
from minirag_chat.answer.counting.begun import conversations_begun
from minirag_chat.answer.counting.busiest import busiest
from minirag_chat.answer.counting.calendar_day import calendar_day
from minirag_chat.answer.counting.counted import (
    SHOWN,
    Counted,
    NotRecordedError,
    end_sources,
    first_and_last,
    listed_names,
    ranked,
    ranking,
    said_when,
    source,
    sources,
)
from minirag_chat.answer.counting.emoji_used import emoji_used
from minirag_chat.answer.counting.files import COUNTED_AS, file_at_end, files_sent, no_files
from minirag_chat.answer.counting.latest import latest_at_night
from minirag_chat.answer.counting.lengths import extreme_message, mean_lengths, words_written
from minirag_chat.answer.counting.listed import first_or_last
from minirag_chat.answer.counting.marked import marked_messages
from minirag_chat.answer.counting.oldest import first_written, longest_quiet
from minirag_chat.answer.counting.rates import (
    average,
    days_listed,
    days_written,
    longest_silence,
    longest_streak,
    silent,
)
from minirag_chat.answer.counting.replies import reply_times
from minirag_chat.answer.counting.share import share_of_messages
from minirag_chat.answer.counting.unanswered import unanswered, wrote_last
from minirag_chat.answer.counting.words_said import words_said
from minirag_chat.answer.counting.words_used import words_used
from minirag_chat.answer.elapsed import asks_elapsed, elapsed, today
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.scope import (
    in_span,
    in_times,
    no_messages,
    of_chats,
    quoted,
    where_and_when,
)
from minirag_chat.answer.without_model import without_model
from minirag_chat.records import Answer, Filters, Metadata, MetadataKind, Reason, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, day, joined

_PAIR = 2
HOURS_READ = (
    " The hours are read as {read}: add \u201cam\u201d or \u201cpm\u201d if you mean others."
)
_PARTNERS = frozenset({"closest", "least close", "written to"})
_MEASURED: Mapping[
    MetadataKind, Callable[[Store, Filters, Metadata], tuple[str, tuple[Source, ...]]]
] = {
    "replies": reply_times,
    "fastest": reply_times,
    "slowest": reply_times,
    "longest": extreme_message,
    "shortest": extreme_message,
    "wordiest": mean_lengths,
    "briefest": mean_lengths,
    "begins": conversations_begun,
    "favourite": emoji_used,
    "favourite word": words_used,
    "streak": longest_streak,
    "words": words_written,
    "latest": latest_at_night,
    "share": share_of_messages,
    **dict.fromkeys(("quiet", "quiet chat", "quiet group", "unwritten"), longest_quiet),
    **dict.fromkeys(("oldest", "oldest chat", "oldest group"), first_written),
    **dict.fromkeys(("newest", "newest chat", "newest group"), first_written),
    "unanswered": unanswered,
    "not answered": unanswered,
    "answered": wrote_last,
}


def about_messages(store: Store, plan: Metadata) -> Generator[str | Answer, None, None]:
    """Yield the answer's text, then the ``Answer``; of one that cannot be given only the ``Answer``."""
    started_at = time.perf_counter()
    why: Reason | None = None
    with store.reading():
        try:
            text, cited = _text_and_sources(store, plan)
        except NotRecordedError as error:
            text, cited, why = str(error), (), "not_recorded"
        text += HOURS_READ.format(read=plan.hours_read) if plan.hours_read else ""
        path = PathBuilder(store, plan.question).build(cited, {})
    if why is None:
        yield text
    asked = plan.question.text
    yield without_model(asked, text, started_at, sources=cited, path=path, reason=why)


def _text_and_sources(store: Store, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text and its sources: none if there are no such messages, which the text says."""
    if plan.asks == "asker" and (asker := store.me.person()):
        return f"You are {asker.shown_name}.", ()
    if plan.asks == "date":
        return calendar_day(store, plan), ()
    filters = _filters(store, plan)
    if isinstance(filters, str):
        return f"No: {filters}" if plan.question.yes_no else filters, ()
    first_last = store.message_counts.first_and_last(filters)
    beyond = "" if first_last else _beyond(store, filters)
    if plan.asks == "silent":
        text, cited = silent(store, filters, _senders(store, filters), _known(store, filters))
        return text + beyond, cited
    if first_last is None:
        return _none(store, plan, filters) + beyond, ()
    return _found(store, plan, filters, first_last)


def _found(
    store: Store, plan: Metadata, filters: Filters, first_last: tuple[int, int]
) -> tuple[str, tuple[Source, ...]]:
    if plan.marked or plan.word or plan.number:
        told = marked_messages if plan.marked else words_said if plan.word else first_or_last
        return told(store, filters, plan)
    measured = _MEASURED.get(plan.asks) or (_files if plan.files else None)
    if measured:
        return measured(store, filters, plan)
    if plan.asks in {"first", "last"}:
        worded = (
            store.message_counts.first_and_last(filters, in_words=True) if plan.in_words else None
        )
        return _one(store, plan, filters, (worded or first_last)[plan.asks == "last"])
    if plan.units or plan.asks in {"days", "when", "silence"}:
        return _by_time(store, plan, filters)
    if plan.asks in {"count", "most", "fewest"}:
        return _numbers(store, plan, filters, first_last)
    return _listed(store, plan, filters)


def _by_time(store: Store, plan: Metadata, filters: Filters) -> tuple[str, tuple[Source, ...]]:
    """The number of messages of each time, the busiest or quietest time, the days, or the longest silence."""
    if plan.asks == "silence":
        return longest_silence(store, filters)
    if plan.asks in {"days", "when"}:
        told = days_written if plan.asks == "days" else days_listed
        return told(store, filters, store.people.shown_names(plan.senders))
    whose = f" from {joined(store.people.shown_names(plan.senders))}" if plan.senders else ""
    if plan.asks == "average":
        return average(store, filters, plan, whose)
    return busiest(store, filters, plan, f"{whose}{where_and_when(store, filters)}")


def _filters(store: Store, plan: Metadata) -> Filters | str:
    """Which messages are asked about; if there can be none, the sentence that says why."""
    filters = plan.question.filters
    if plan.elsewhere:
        asked = of_chats(store, Filters(chats=plan.elsewhere))
        return f"The filter leaves only messages{of_chats(store, filters)}, and none{asked}."
    if plan.senders:
        people = plan.senders & filters.people if filters.people else plan.senders
        if left_out := filtered_out(plan) if people else plan.senders:
            left, asked = (
                joined(store.people.shown_names(of)) for of in (filters.people, left_out)
            )
            return f"The filter leaves only messages from {left}, and none from {asked}."
        silent_too = plan.asks == "least close"  # with whom nobody wrote anything
        filters = replace(filters, people=frozenset() if silent_too else people)
    if plan.without:
        wrote = {person for person, *_rest in store.message_counts.by_sender(filters)}
        if filters.people and filters.people <= plan.without:
            only = joined(store.people.shown_names(filters.people))
            return f"The filter leaves only messages from {only}, and none from anybody else."
        if not wrote - plan.without:
            return f"Nobody else wrote{where_and_when(store, filters)}."
        filters = replace(filters, people=frozenset(wrote - plan.without))
    if plan.between:
        return _in_shared_chat(store, plan, filters)
    return _where_both_write(store, plan, filters) if _compares_asker(store, plan) else filters


def _compares_asker(store: Store, plan: Metadata) -> bool:
    """Whether the asker is one of two whose numbers of messages are compared: "do I write more than Ann?"."""
    ranks = plan.asks in {"most", "fewest"} and not (plan.files or plan.marked or plan.word)
    named = {*people_of_names(plan)}
    me = store.me.id()
    return ranks and me is not None and len(named) == _PAIR and frozenset({me}) in named


def _where_both_write(store: Store, plan: Metadata, filters: Filters) -> Filters:
    """The filters with the chats in which both write; as they are if there is none, or chats are named."""
    compared_people = people_of_names(plan)
    shared = frozenset(
        chat
        for chat, people in store.messages.participants().items()
        if all(named & people.keys() for named in compared_people)
    )
    return replace(filters, chats=shared) if shared and not filters.chats else filters


def _in_shared_chat(store: Store, plan: Metadata, filters: Filters) -> Filters | str:
    """The filters with the chats in which only those asked about write, or else with all that they share."""
    asker = store.me.id()
    me = {asker} if asker else set()
    # A chat in which only one person writes is with the asker, who never answered there.
    members = {
        chat: people.keys() | me if len(people) == 1 else people.keys()
        for chat, people in store.messages.participants().items()
    }
    sizes = {
        chat: len(people)
        for chat, people in members.items()
        if plan.between <= people and chat in (filters.chats or {chat})
    }
    if not sizes:
        names = store.people.shown_names(plan.between)
        have = {1: "has not", 2: "have not both"}.get(len(names), "have not all")
        one = "" if len(filters.chats) == 1 else " in one chat"
        return f"{joined(names)} {have} written{one}{of_chats(store, filters)}."
    own = frozenset(chat for chat in sizes if sizes[chat] <= max(2, len(plan.between)))
    return replace(filters, chats=own or frozenset(sizes))


def _beyond(store: Store, filters: Filters) -> str:
    """A sentence that says when the messages begin or end, if all of the times asked for are outside."""
    begin, end = store.messages.extent()
    starts, ends = ([getattr(span, of) for span in filters.periods] for of in ("start", "end"))
    since = max(filters.since or datetime.min, min(starts, default=datetime.min))
    until = min(filters.until or datetime.max, max(ends, default=datetime.max))
    if begin and until <= begin:
        return f" Your messages begin on {day(begin)}."
    return f" Your messages end on {day(end)}." if end and since > end else ""


def _none(store: Store, plan: Metadata, filters: Filters) -> str:
    text = no_messages(store, filters)
    return f"No: {text}" if plan.question.yes_no else text


def _known(store: Store, filters: Filters) -> list[str]:
    """The names of those who ever write, in the chats of the filters."""
    return [sender.name for sender in _senders(store, Filters(filters.people, filters.chats))]


def _one(
    store: Store, plan: Metadata, filters: Filters, message_id: int
) -> tuple[str, tuple[Source, ...]]:
    """The first or last message: when, where, by whom, and what it says."""
    (cited,) = sources(store, [message_id])
    message = cited.message
    said = said_when(cited)
    if asks_elapsed(plan.question.text):
        said += f" ({elapsed(message.sent_at.date(), today(store).date())})"
    where = "" if len(filters.chats) == 1 else f", in {quoted(message.chat)}"
    others = f" that others {'sent' if plan.files else 'wrote'}" if plan.without else ""
    which = f"{others}{of_chats(store, filters)}{_several_times(filters)}"
    head = f"The {plan.asks} {plan.files or 'message'}{which} is from {said}"
    return f"{head}{where}: \u201c{cited.quote}\u201d [1].", (cited,)


def _files(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """How many photos or other files were sent, or the first or last message with one."""
    if plan.asks not in {"first", "last"}:
        return files_sent(store, filters, plan)
    found = file_at_end(store, filters, plan)
    if found is None:
        return no_files(store, filters, plan), ()
    text, cited = _one(store, plan, filters, found[0])
    return text + (COUNTED_AS if plan.files == "question" else found[1]), cited


def _numbers(
    store: Store, plan: Metadata, filters: Filters, first_last: tuple[int, int]
) -> tuple[str, tuple[Source, ...]]:
    """How many messages, by sender; or who sent most or fewest of them."""
    senders = _senders(store, filters)
    wrote = {person for sender in senders for person in sender.filters.people}
    if len(plan.senders) > 1 and not plan.all_of_them:  # of the named, also who wrote nothing
        for person in sorted(filters.people - wrote):
            alone = replace(filters, people=frozenset({person}))
            senders.append(Counted(store.people.shown_by_id(person), 0, alone))
    total = sum(sender.messages for sender in senders)
    where = f"{of_chats(store, filters)}{_several_times(filters)}"
    if plan.asks in {"most", "fewest"}:
        ordered, nth = ranked(senders, plan)
        but = (
            f" apart from {joined(store.people.shown_names(plan.without))}" if plan.without else ""
        )
        equal = len({one.messages for one in senders}) == 1 < len(senders)
        extreme = "equally much" if equal else f"the {nth}{plan.asks}"
        head = f"wrote {extreme}{but}{where_and_when(store, filters)}"
        cited = [sender.filters for sender in ordered[:SHOWN]]
        sent = {person: one.messages for one in senders for person in one.filters.people}
        return compared(plan, sent) + ranking(ordered, total, head), _sources(store, cited)
    if len(senders) == 1:
        text = f"{senders[0].name} sent {count(total, 'message')}{where}"
    else:
        text = f"{count(total, 'message')}{where}: {listed_names(senders[:SHOWN], len(senders))}"
    cited_ends = end_sources(store, first_last)
    text += f"{', ' if len(senders) == 1 else '; '}{first_and_last(cited_ends, total)}."
    text += _by_period(store, filters)
    nothing = f"sent no messages{where_and_when(store, filters)}"
    return with_verdict(store, plan, filters, wrote, (text, nothing)), cited_ends


def _several_times(filters: Filters) -> str:
    """The times that are not one period, which the days of the first and the last message do not tell."""
    return in_times(replace(filters, since=None, until=None))


def _by_period(store: Store, filters: Filters) -> str:
    """The number of messages of each period, if there are several."""
    if not filters.periods:
        return ""
    numbers = [
        f"{store.message_counts.number(replace(filters, periods=(span,))):,} {in_span(span)}"
        for span in filters.periods
    ]
    return f" That is {joined(numbers)}."


def _listed(store: Store, plan: Metadata, filters: Filters) -> tuple[str, tuple[Source, ...]]:
    """The members of a chat, the chats of a person, or the people whom a person writes with most."""
    if plan.asks == "members":
        return _members(store, plan, filters)
    return (_partners_listed if plan.asks in _PARTNERS else _chats_listed)(store, plan, filters)


def _members(store: Store, plan: Metadata, filters: Filters) -> tuple[str, tuple[Source, ...]]:
    found = _senders(store, filters)
    other = "other " if plan.without else ""
    have = count(len(found), f"{other}person has", f"{other}people have")
    head = f"{have} written{where_and_when(store, filters)}"
    return _first_of(store, found, head) if found else (_none(store, plan, filters), ())


def _partners_listed(
    store: Store, plan: Metadata, filters: Filters
) -> tuple[str, tuple[Source, ...]]:
    """With whom a person writes most, or to whom."""
    found = _partners(store, plan, filters)
    writers, when = joined(store.people.shown_names(plan.senders)), in_times(filters)
    close = plan.asks in {"closest", "least close"}
    if close:
        most = "Most" if plan.asks == "closest" else "Fewest"
        head, asked = f"{most} messages{when}, in chats of two, are with", plan.among - plan.senders
    else:
        head, asked = f"Most messages from {writers}{when}, in chats of two, are to", plan.among
    if found:
        return _first_of(store, found, head)
    others = " or ".join(store.people.shown_names(asked))
    if close:
        return f"There is no chat of two{f' with {others}' if others else ''}{when}.", ()
    return f"{writers} wrote nothing{f' to {others}' if others else ''} in chats of two{when}.", ()


def _chats_listed(store: Store, plan: Metadata, filters: Filters) -> tuple[str, tuple[Source, ...]]:
    only_groups = plan.asks.endswith(("groups", " group"))
    found = _chats(store, filters, only_groups=only_groups)
    if not found and only_groups:
        return f"There is no group{where_and_when(store, filters)}.", ()
    if not found:
        return _none(store, plan, filters), ()
    if plan.asks.startswith(("largest", "smallest")):
        return _largest(store, found, plan, in_times(filters))
    head = f"{count(len(found), 'group' if only_groups else 'chat')}{_several_times(filters)}"
    return _first_of(store, found, head)


def _first_of(store: Store, found: Sequence[Counted], head: str) -> tuple[str, tuple[Source, ...]]:
    """``head``, then those with the most messages, each with one that is cited."""
    listed = found[:SHOWN]
    text = f"{head}: {listed_names(listed, len(found), cite_from=1)}."
    return text, _sources(store, [one.filters for one in listed])


def _largest(
    store: Store, chats: Sequence[Counted], plan: Metadata, when: str
) -> tuple[str, tuple[Source, ...]]:
    """Which chat has the most or the fewest messages."""
    most = plan.asks.startswith("largest")
    ordered = sorted(chats, key=lambda chat: -chat.messages if most else chat.messages)
    have = "have" if len(ordered) > 1 and ordered[0].messages == ordered[1].messages else "has"
    whose = f" from {joined(store.people.shown_names(plan.senders))}" if plan.senders else ""
    head = f"{have} the {'most' if most else 'fewest'} messages{whose}{when}"
    text = ranking(ordered, sum(chat.messages for chat in ordered), head)
    return text, _sources(store, [chat.filters for chat in ordered[:SHOWN]])


def _senders(store: Store, filters: Filters) -> list[Counted]:
    """The senders of messages that pass, the most active first."""
    shown = store.people.joined_names.shown
    return [
        Counted(shown(person, name), messages, replace(filters, people=frozenset({person})))
        for person, name, messages in store.message_counts.by_sender(filters)
    ]


def _chats(store: Store, filters: Filters, *, only_groups: bool) -> list[Counted]:
    """The chats with messages that pass, the largest first."""
    titles = {
        chat.id: chat.title
        for chat in store.messages.chats()
        if chat.kind == "group" or not only_groups
    }
    return [
        Counted(quoted(titles[chat]), messages, replace(filters, chats=frozenset({chat})))
        for chat, messages in store.message_counts.by_chat(filters)
        if chat in titles
    ]


def _partners(store: Store, plan: Metadata, filters: Filters) -> list[Counted]:
    """The other person of each chat of two in which the sender takes part, by all its messages.

    To whom was ``written to`` only by those of the sender; with whom least was written comes first.
    """
    shown = store.people.joined_names.shown
    others: dict[int, str] = {}
    members = store.messages.participants()
    for chat, people in members.items():
        if plan.senders < people.keys() and len(people) == len(plan.senders) + 1:
            (other,) = people.keys() - plan.senders
            others[chat] = shown(other, people[other])
    among = plan.among - plan.senders
    named = {chat for chat in others if not plan.among or among & members[chat].keys()}
    chats = frozenset(named) & (filters.chats or frozenset(named))
    if not chats:
        return []
    counted = plan.senders if plan.asks == "written to" else frozenset[int]()
    both = replace(filters, people=counted, chats=chats)
    numbers = dict(store.message_counts.by_chat(both))
    if plan.asks == "least close":  # also with whom nothing was written
        numbers = {chat: numbers.get(chat, 0) for chat in [*reversed(numbers), *sorted(chats)]}
        numbers = dict(sorted(numbers.items(), key=lambda one: one[1]))
    return [
        Counted(others[chat], messages, replace(both, chats=frozenset({chat})))
        for chat, messages in numbers.items()
    ]


def _sources(store: Store, each: Sequence[Filters]) -> tuple[Source, ...]:
    """The last message that passes each of the filters."""
    ends = [store.message_counts.first_and_last(filters) for filters in each]
    messages = store.messages.by_ids([end[1] for end in ends if end])
    return tuple(
        source(number, messages[end[1]]) for number, end in enumerate(ends, start=1) if end
    )
