"""Which known chat an exported one is: by its id, its messages, its title, or who writes in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from minirag_chat.ingest.stage import Staged
from minirag_chat.names import spelling_key
from minirag_chat.records import ParsedChat
from minirag_chat.store import Store
from minirag_chat.store.messages import DIRECT_SIZE, most_present
from minirag_chat.store.renamed import names_followed

SAME_CHAT = 0.5  # share of an export's messages that a chat must hold already to be the same chat
INSIDE_GROUP = 0.8  # share of those who write who must belong to a group for it to be theirs
ALIKE_GROUP = 0.5  # or: people in both, as a share of the people in either


class Matcher:
    """Joins the chats of one import to the known ones, inside its transaction."""

    def __init__(self, store: Store, gap: timedelta, zone: str) -> None:
        self._store = store
        self._gap = gap
        self._zone = zone
        self._owner: int | None = None
        self._groups: dict[int, set[int]] = {}
        self._waiting: set[int] = set()
        self.links: list[tuple[str, str]] = []
        self.seen: dict[int, None] = {}
        self.sessions = 0
        self.added = 0
        self.updated = 0

    def join(self, staged: Sequence[Staged]) -> list[int]:
        """Join all; returns the chats that have new messages."""
        tables = self._store.staging
        senders = {item.id: tables.senders(item.id) for item in staged}
        counts = sum((Counter(of) for of in senders.values()), Counter[int]())
        with names_followed(self._store):
            self.links = self._store.people.link_spellings(counts)
        person = self._store.people.canonical()
        people = {chat: frozenset(person[i] for i in of) for chat, of in senders.items()}
        self._waiting = set(people)
        self._groups = {
            chat: set(those)
            for chat, those in self._store.messages.participants().items()
            if chat not in people
        }
        self._owner = most_present([*map(frozenset, self._groups.values()), *people.values()])
        touched: dict[int, None] = {}
        # The largest rounds first: they show who is in a group before only some of it write.
        for item in sorted(staged, key=lambda item: -len(people[item.id])):
            self.sessions += tables.sessions_in(item.id, self._gap.total_seconds())
            chat, new, updated = self._join(item, people[item.id])
            self._waiting.discard(item.id)
            self.seen[chat] = None
            self._groups.setdefault(chat, set()).update(people[item.id])
            self.added += new
            self.updated += updated
            if new or updated:
                touched[chat] = None
        return list(touched)

    def _join(self, item: Staged, people: frozenset[int]) -> tuple[int, int, int]:
        """Return which chat it is, and how many of its messages are new and how many changed."""
        known, store = self._known(item, people), self._store
        if known is None:
            store.staging.settle(item.id, item.described, self._zone)
            return item.id, store.staging.count(item.id), 0
        store.versions.find(item.id, known)
        store.index.drop_sessions(store.versions.sessions())
        updated = store.versions.keep_later()
        return known, store.staging.join(item.id, known, item.described), updated

    def _known(self, item: Staged, people: frozenset[int]) -> int | None:
        chat = item.described
        rows = self._store.messages.known_chats(chat.platform)
        known = [row for row in rows if row[0] not in self._waiting]
        if chat.key is not None:
            same_key = next((i for i, key, _ in known if key == chat.key), None)
            if same_key is not None:
                return same_key
            known = [row for row in known if row[1] is None]  # as another format exports it
        holding = self._store.staging.holding(item.id, chat.platform) if known else {}
        needed = SAME_CHAT * self._store.staging.count(item.id)
        open_to = {row[0] for row in known}
        same = [i for i, of in holding.items() if of >= needed and i in open_to]
        if not same:
            same = self._by_name(chat, known, people)
        return same[0] if same else None

    def _by_name(
        self,
        chat: ParsedChat,
        known: Sequence[tuple[int, str | None, str | None]],
        people: frozenset[int],
    ) -> list[int]:
        if chat.title is None:
            return self._by_people([i for i, key, t in known if key is None and t is None], people)
        title = spelling_key(chat.title)
        return [i for i, _, t in known if t is not None and spelling_key(t) == title]

    def _by_people(self, known: Sequence[int], people: frozenset[int]) -> list[int]:
        """Nameless chats are told apart by who writes in them; the owner is in all of them."""
        own = people - {self._owner}
        if len(people) <= DIRECT_SIZE:
            pairs = [i for i in known if len(self._groups[i]) <= DIRECT_SIZE]
            return [i for i in pairs if own and self._groups[i] - {self._owner} == own]
        ranked: dict[int, tuple[float, float]] = {}
        for i in known:
            group = self._groups[i] - {self._owner}
            inside = len(group & own) / len(own)
            alike = len(group & own) / len(group | own)
            if len(self._groups[i]) > DIRECT_SIZE and (
                inside >= INSIDE_GROUP or alike >= ALIKE_GROUP
            ):
                ranked[i] = (inside, alike)
        return [max(ranked, key=lambda i: ranked[i])] if ranked else []
