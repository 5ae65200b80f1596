"""Chats of two whose last message waits for an answer: of the asker, or of the other."""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.answer.counting.chats_of_two import chats_of_two
from minirag_chat.answer.counting.cited import lines, said_when, sources
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.where_and_when import in_times, where_and_when
from minirag_chat.records import MOST_LISTED
from minirag_chat.store import Store
from minirag_chat.ui_text import count

_ENDS = {
    "unanswered": "from the other, and no answer from you",
    "not answered": "from you, and no answer",
}
_NOTES = frozenset({"saved messages", "note to self"})
"""Titles of the chat with oneself, in Telegram and Signal."""


def unanswered(request: CountRequest) -> Told:
    """The last messages of the chats of two that end with one of the other, or of the asker.

    They are in order of time. Whether such a message wants an answer is for the reader to say: "ok" does not.
    """
    store, plan = request.store, request.plan
    asked = plan.question.filters
    scope = replace(asked, people=frozenset(), chats=request.filters.chats)
    me = store.me.id()
    last = request.counts.last_of_chats(scope)
    found = store.messages.by_ids(
        [last[chat] for chat in _waiting(store, asked.people) if chat in last]
    )
    mine = plan.asks.what == "not answered"
    same = store.people.canonical()
    waiting = sorted(
        (one.sent_at, one.id)
        for one in found.values()
        if (same.get(one.sender_id, one.sender_id) == me) == mine
    )
    where = where_and_when(store, scope)
    head = f"end with a message {_ENDS[plan.asks.what]}{where}"
    if not waiting:
        return f"No chats of two {head}.", ()
    cited = sources(store, [message for _at, message in waiting[-MOST_LISTED:]])
    chats = count(len(waiting), "chat of two", "chats of two")
    head = head if len(waiting) > 1 else head.replace("end", "ends", 1)
    newest = f" (the newest {MOST_LISTED})" if len(waiting) > MOST_LISTED else ""
    return f"{chats} {head}{newest}:\n\n{lines(cited, scope)}", cited


def wrote_last(request: CountRequest) -> Told:
    """The last message of the chat of the asker with one other: in a group it need not answer them."""
    store = request.store
    me = store.me.id() or 0  # nobody
    (other, *_more) = sorted(request.plan.senders - {me}) or [me]
    chats = [chat for chat, others in chats_of_two(store).items() if other in others]
    scope = replace(request.filters, people=frozenset(), chats=frozenset(chats))
    ends = request.counts.first_and_last(scope) if chats else None
    if ends is None:
        name = request.name(other)
        return f"There are no messages of a chat of two with {name}{in_times(scope)}.", ()
    (last,) = sources(store, [ends[1]])
    head = f"The last message{where_and_when(store, scope)} is from {said_when(last)}"
    return f"{head}: \u201c{last.quote}\u201d [1].", (last,)


def _waiting(store: Store, only: frozenset[int]) -> list[int]:
    """The chats of two, only those with these people, if there are any; none with oneself."""
    me, titles = store.me.id(), store.messages.titles()
    return [
        chat
        for chat, others in chats_of_two(store).items()
        if (not only or only & (others | {me})) and (others or not _is_own(store, titles[chat], me))
    ]


def _is_own(store: Store, title: str, me: int | None) -> bool:
    return title.casefold() in _NOTES or me in store.people.called(title)
