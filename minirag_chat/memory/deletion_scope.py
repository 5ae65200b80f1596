"""Which messages a request to delete means, and how a sentence names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from minirag_chat.errors import BadDeletion, NotFound
from minirag_chat.memory.filters import NO_NEAREST, When, each_of, make_filters
from minirag_chat.names import compact_key
from minirag_chat.records import Deletion, DeletionKind, Filters
from minirag_chat.store import Store
from minirag_chat.ui_text import NO_MESSAGE, day, joined

SAY = (
    "Say what to delete: messages by their numbers, a chat, a person, a time (since, until), or "
    "everything."
)

ONE_WAY = (
    "Messages by their numbers, everything, and a chat, person or time cannot be combined: "
    "choose one of these three."
)


@dataclass(frozen=True, slots=True)
class DeletionRequest:
    """What to delete: messages by id; or those that match all of people, chats and a time; or everything.

    A person is an id or a name that only one person has; a chat is an id or a title of one chat.
    """

    messages: Sequence[int] = ()
    people: Sequence[str | int] = ()
    chats: Sequence[str | int] = ()
    since: When = None
    until: When = None
    everything: bool = False

    @property
    def narrowed(self) -> bool:
        """Whether people, chats or a time are given."""
        return bool(self.people or self.chats or self.since or self.until)


@dataclass(frozen=True, slots=True)
class DeletionTargets:
    """The messages to delete, people whose reactions to other messages are deleted too, and whole chats."""

    ids: tuple[int, ...]
    kind: DeletionKind
    what: str
    people: frozenset[int] = frozenset()
    chats: frozenset[int] = frozenset()


def choose(store: Store, request: DeletionRequest) -> DeletionTargets:
    """Find the messages. Raises ``BadDeletion``, or ``NotFound`` if there is nothing to delete."""
    ways = sum((bool(request.messages), request.narrowed, request.everything))
    if ways != 1:
        raise BadDeletion(ONE_WAY if ways else SAY)
    if request.messages:
        targets = _by_id(store, request.messages)
    elif request.everything:
        chats = frozenset(chat.id for chat in store.messages.chats())
        ids = tuple(store.forgetting.all_ids())
        targets = DeletionTargets(ids, "everything", "everything", chats=chats)
    else:
        targets = _matching(store, request)
    if not targets.ids and not targets.chats:
        raise NotFound(f"There is nothing to delete: no message matches ({targets.what}).")
    return targets


def as_deletion(store: Store, targets: DeletionTargets) -> Deletion:
    """What would be deleted; the messages are then selected in the store."""
    store.forgetting.choose(targets.ids)
    count, first, last = store.forgetting.extent()
    touched = store.forgetting.chats()
    touched.update(dict.fromkeys(targets.chats, True))
    titles = store.messages.titles()
    whole = [chat for chat in store.messages.chats() if touched.get(chat.id)]
    return Deletion(
        kind=targets.kind,
        what=targets.what,
        messages=count,
        first=first,
        last=last,
        chats=tuple(titles[chat] for chat in touched),
        whole=tuple(whole),
        named_in=_named_in(store, targets.people, {chat.id for chat in whole}),
    )


def _named_in(store: Store, people: frozenset[int], whole: set[int]) -> tuple[str, ...]:
    """The titles of other chats than the ``whole`` ones that have the name of one of these people."""
    if not people:
        return ()
    index = store.people.index()
    titles = [
        title
        for chat, _platform, _key, title in store.messages.known_chats()
        if title and chat not in whole
        if any(people & {*owners} for *_place, owners in index.find(title))
    ]
    return tuple(dict.fromkeys(titles))


def one_person(store: Store, name: str | int) -> int:
    """The person with this name. Raises ``NotFound``, also if several have it."""
    found = make_filters(store, people=[name]).people
    names = {p.id: p.name for p in store.people.all()}
    if len(found) > 1:
        several = ", ".join(sorted(names.get(person, "?") for person in found))
        raise NotFound(f"{len(found)} people are called {name!r}: write one of {several}.")
    (person,) = found
    if person not in names:
        raise NotFound(f"Nobody who wrote is called {name!r}{NO_NEAREST.format(those='people')}")
    return person


def one_chat(store: Store, chat: str | int) -> int:
    """The chat with this number or whole title. Raises ``NotFound``."""
    (found,) = make_filters(store, chats=[chat]).chats
    title = store.messages.titles()[found]
    if str(chat) != str(found) and compact_key(str(chat)) != compact_key(title):
        raise NotFound(f"There is no chat {chat!r}: did you mean {title!r}? Write the whole title.")
    return found


def _by_id(store: Store, messages: Sequence[int]) -> DeletionTargets:
    known = store.messages.by_ids(messages)
    for message in messages:
        if message not in known:
            raise NotFound(NO_MESSAGE.format(number=message))
    ids = tuple(known)
    first = known[ids[0]]
    one = f"the message of {first.shown_sender}, {day(first.sent_at)} {first.sent_at:%H:%M}"
    return DeletionTargets(ids, "message", one if len(ids) == 1 else f"{len(ids):,} messages")


def _matching(store: Store, request: DeletionRequest) -> DeletionTargets:
    people = frozenset(one_person(store, name) for name in each_of(request.people))
    chats = frozenset(one_chat(store, chat) for chat in each_of(request.chats))
    times = make_filters(store, since=request.since, until=request.until)
    ids = store.columns.allowed(Filters(people, chats, times.since, times.until))
    kind: DeletionKind = "person" if people else "chat"
    if request.since or request.until:
        kind = "time"
    return DeletionTargets(
        ids=() if ids is None else tuple(ids.tolist()),
        kind=kind,
        what=_what(store, request, people, chats),
        people=people if kind == "person" and not chats else frozenset(),
        chats=chats if kind == "chat" else frozenset(),
    )


def _what(
    store: Store, request: DeletionRequest, people: frozenset[int], chats: frozenset[int]
) -> str:
    names = [p.shown_name for p in store.people.all() if p.id in people]
    titles = [title for chat, title in store.messages.titles().items() if chat in chats]
    if titles and not names and not request.since and not request.until:
        return f"the chat {titles[0]}" if len(titles) == 1 else joined(titles)
    parts = ["the messages"]
    parts += [f"of {joined(names)}"] if names else []
    parts += [f"in {joined(titles)}"] if titles else []
    parts += [f"since {_time_text(request.since)}"] if request.since else []
    parts += [f"until {_time_text(request.until)}"] if request.until else []
    return " ".join(parts)


def _time_text(when: When) -> str:
    return when.isoformat() if isinstance(when, date) else str(when)
