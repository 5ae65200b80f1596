"""A follow-up that asks who wrote most of the messages before: "How many in May?", "and who wrote most?"."""

from __future__ import annotations

import re
from datetime import datetime

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.mapping import map_question
from minirag_chat.question.named_chat import chat_place
from minirag_chat.question.named_entities import people_in
from minirag_chat.question.plan import make_plan
from minirag_chat.question.repeated import without_repeated
from minirag_chat.records import Filters, Metadata, Repeated
from minirag_chat.store import Store
from minirag_chat.times.ranges import find_atoms

_RANKED = lazy(
    r"\b(?:most|more|least|less|fewest|fewer|meisten|mehr|wenigsten|weniger)\b", re.IGNORECASE
)
_MESSAGES = lazy(r"\b(?:messages|texts|msgs|nachrichten)\b", re.IGNORECASE)
_SENT = lazy(r"\bwho (?:has |have )?(?:sen[dt]|share|post|use)", re.IGNORECASE)
_LEAD = lazy(r"\b(?:in|on|at|during|of|for|by|from|im|am|an|um)\s+(?:the\s+)?$", re.IGNORECASE)
LEAD = 20  # characters before a time in which its preposition is looked for


def of_same_messages(
    before: str, rest: str, store: Store, now: datetime, *, led: bool
) -> str | None:
    """``rest``, which asks who wrote or sent most, with the chat, the time and the files of ``before``.

    Only where both ask about messages, and ``rest`` does not say itself what is meant: without an "and"
    (``led``) not "Who wrote the most messages?". A chat or time that it names is its own.
    """
    if not _RANKED.search(rest):
        return None
    old = _plan(before, store, now)
    if old is None or old.word:
        return None
    text = rest.rstrip(" ?!.\uff1f")
    new = _plan(text, store, now)
    said = _MESSAGES.search(rest) or (new and new.files)
    if old.files and not said and _SENT.search(rest):
        text = _RANKED.sub(rf"\g<0> {old.files}s", text, count=1)
        new = _plan(text, store, now)
    if new is None or new.asks not in {"most", "fewest"} or new.senders or (said and not led):
        return None
    have, had = new.question.filters, old.question.filters
    chats = "" if have.chats else _chat(before, old, store)
    times = "" if _when(have) != _when(Filters()) else _time(before, store, now)
    asked = f"{text[:1].upper()}{text[1:]}{chats}{times}?"
    made = _plan(asked, store, now)
    if made is None or (made.asks, made.place) != (new.asks, new.place):
        return None
    filters = made.question.filters
    same = filters.chats == (have.chats or had.chats) or (old.between and filters.chats)
    then = _when(have if _when(have) != _when(Filters()) else had)
    return asked if same and _when(filters) == then else None


def _plan(text: str, store: Store, now: datetime) -> Metadata | None:
    """The plan of a question, if it asks about the messages themselves."""
    me = store.me.person()
    question = map_question(text, store, now, Filters())
    plan = make_plan(question, now, store.messages.titles(), me=me.id if me else None)
    return plan if isinstance(plan, Metadata) else None


def _when(filters: Filters) -> object:
    """The times of filters."""
    return filters.since, filters.until, filters.repeated, filters.periods


def _chat(before: str, old: Metadata, store: Store) -> str:
    """The chat that ``before`` names, with its preposition, or the one with the person that it is about."""
    me = store.me.person()
    others = old.between - {me.id if me else 0}
    if len(others) == 1:
        return f" in the chat with {store.people.shown_by_id(min(others))}"
    titles = store.messages.titles()
    if place := chat_place(before, titles, people_in(before, store)):
        return f" {before[place[0] : place[1]]}"
    named = {titles[chat] for chat in old.question.filters.chats}  # by a part of its title
    return f" in the {named.pop()} chat" if len(named) == 1 else ""


def _time(before: str, store: Store, now: datetime) -> str:
    """The times of ``before`` with their preposition, and those that come again ("on Sundays")."""
    before, each = _without_repeated(before, now)
    named = people_in(before, store)
    times = [
        atom
        for atom in find_atoms(before, now, "past")
        if all(atom.right <= left or right <= atom.left for left, right, _ in named)
    ]
    if not times:
        return each
    begin, end = times[0].left, times[-1].right
    lead = _LEAD.search(before, max(0, begin - LEAD), begin)
    return f"{each} {before[lead.start() if lead else begin : end]}"


def _without_repeated(text: str, now: datetime) -> tuple[str, str]:
    """``text`` without the days of the week or hours that it means each time, and these in one phrase."""
    left, each = without_repeated(text, now)
    begin = next((n for n, (a, b) in enumerate(zip(text, left, strict=False)) if a != b), 0)
    end = len(text) - len(left) + begin + 1
    one = each != Repeated() and f"{text[:begin]} {text[end:]}" == left
    return left, f" {text[begin:end].strip()}" if one else ""
