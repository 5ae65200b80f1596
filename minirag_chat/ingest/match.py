"""Finds the known chat that an export continues: by its id, its messages, its title, or its people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta, tzinfo
from functools import partial
from pathlib import Path

from minirag_chat.ingest import minutes
from minirag_chat.ingest.known import KnownChats
from minirag_chat.ingest.senders import TEXTS, Senders
from minirag_chat.ingest.shifts import FITTING, find_shifted
from minirag_chat.ingest.stage import Staged
from minirag_chat.ingest.zones import Reading, Zones
from minirag_chat.names import spelling_key
from minirag_chat.records import ParsedChat, Progress, Report, silent
from minirag_chat.store import Store
from minirag_chat.store.messages import DIRECT_SIZE, most_present

SAME_CHAT = 0.5  # share of an export's messages that the known chat must have already
NEARLY_ALL = 0.9  # share of the smaller one's messages that two chats with different ids must share
INSIDE_GROUP = 0.8  # share of the export's people who must belong to the known group
ALIKE_GROUP = 0.5  # or: people in both, as a share of the people in either


class Matcher:
    """Joins the chats of one import to the known ones, inside its transaction."""

    def __init__(self, store: Store, gap: timedelta, zone: tzinfo) -> None:
        self._store = store
        self._gap = gap
        self._zone = zone
        self._reading = Reading(zone)  # of the current chat
        self._zones = Zones(store)
        self._senders = Senders(store)
        self._owner: int | None = None
        self._chats = KnownChats()
        self._other_zones: frozenset[str] = frozenset()  # platforms with chats in other time zones
        self._linked: dict[int, int] = {}
        self._folders: dict[Path, int] = {}  # the chat of each folder in this import
        self._beside: dict[int, set[Path]] = defaultdict(
            set
        )  # the parents of the folders of each chat
        self._report: Callable[[], None] = lambda: None
        self.links: list[tuple[str, str]] = []
        self.undone: list[tuple[str, str]] = []
        self.seen: dict[int, None] = {}
        self.sessions = 0
        self.added = 0
        self.updated = 0

    def join(self, staged: Sequence[Staged], progress: Report = silent) -> list[int]:
        """Join all staged chats; returns the ids of chats with new or changed messages.

        ``progress`` is called for every chat and between its steps; an exception that it raises stops this.
        """
        tables = self._store.staging
        tables.survey()
        people = self._people(staged)
        participants = self._store.messages.participants()
        for row in self._store.messages.known_chats():
            if row[0] not in people:
                self._chats.put(row, participants.get(row[0], ()))
        self._owner = most_present([*self._chats.groups(), *people.values()])
        self._other_zones = self._store.chat_overlap.in_other_zones(str(self._zone))
        touched: dict[int, None] = {}
        # The largest groups first, so that smaller exports of the same group are recognised.
        for done, item in enumerate(sorted(staged, key=lambda item: -len(people[item.id]))):
            self._report = partial(progress, Progress("joining", done, len(staged)))
            self._report()
            self.sessions += tables.sessions_in(item.id, self._gap.total_seconds())
            writing = people[item.id]
            chat, new, updated = self._join(item, writing)
            writing = frozenset(self._linked.get(i, i) for i in writing)
            self._chats.put(self._store.messages.known_chat(chat), writing)
            self.seen[chat] = None
            if item.described.folder is not None:
                self._folders[item.described.folder] = chat
                self._beside[chat].add(item.described.folder.parent)
            self.added += new
            self.updated += updated
            if new or updated:
                touched[chat] = None
        progress(Progress("joining", len(staged), len(staged)))
        self._senders.name_numbers()
        self.links += self._senders.links
        return list(touched)

    def _people(self, staged: Sequence[Staged]) -> dict[int, frozenset[int]]:
        """Link the spellings of each person's name; returns the people who write in each staged chat."""
        senders = {item.id: self._store.staging.senders(item.id) for item in staged}
        counts = Counter[int]()
        for of in senders.values():
            counts.update(of)
        together = partial(self._write_together, senders)
        self.links, self.undone = self._store.people.link_spellings(counts, together)
        person = self._store.people.canonical()
        return {chat: frozenset(person[i] for i in of) for chat, of in senders.items()}

    def _write_together(
        self, senders: Mapping[int, Mapping[int, int]], one: int, other: int
    ) -> bool:
        """Whether both spellings are senders in one conversation of an exported chat."""
        gap = self._gap.total_seconds()
        both = (chat for chat, of in senders.items() if one in of and other in of)
        return any(self._store.staging.talk(chat, one, other, gap) for chat in both)

    @property
    def notes(self) -> list[str]:
        """Notes on how chats were joined, except for linked people."""
        return self._zones.notes

    def _join(self, item: Staged, people: frozenset[int]) -> tuple[int, int, int]:
        """Return the chat's id, and how many of its messages are new and how many changed."""
        self._reading = Reading(self._zone)
        known, store = self._known(item, people), self._store
        if known is None:
            store.staging.settle(item.id, item.described, str(self._zone))
            return item.id, store.staging.count(item.id), 0
        self._report()
        chat = self._zones.convert(item.id, known, self._reading)
        self._report()
        chat = minutes.align(store, chat, known)
        self._report()
        linked = self._senders.link(chat, known)
        self._linked |= linked
        store.chat_overlap.join_names(chat, known)
        self._report()
        store.versions.find(chat, known)
        self._report()
        store.index.drop_sessions(store.versions.sessions())
        updated = store.versions.keep_later()
        return known, store.staging.join(chat, known, item.described), updated

    def _known(self, item: Staged, people: frozenset[int]) -> int | None:
        chat, chats = item.described, self._chats
        if chat.key is not None:
            same_key = chats.with_key(chat.platform, chat.key)
            if same_key is not None:
                return same_key
        if chat.folder in self._folders:
            return self._folders[chat.folder]
        if not chats.any_may_have_key(chat.platform, chat.key):
            return self._of_another_key(item)
        same = self._with_most_messages(item, people) or self._with_same_texts(item)
        if not same and chat.title is not None:
            titled = chats.titled(chat.platform, chat.title)
            same = [i for i in titled if self._may_be(i, chat)]
        elif not same:
            same = self._by_people(chat, people)
        return same[0] if same else self._of_another_key(item)

    def _of_another_key(self, item: Staged) -> int | None:
        """The known chat of this title with nearly all messages in common: some apps change a chat's id."""
        chat, count = item.described, self._store.staging.count
        if chat.key is None or chat.title is None:
            return None
        titled = self._chats.titled(chat.platform, chat.title)
        shares = self._shared_messages(item.id, chat.platform) if titled else {}
        for known in titled:
            shared = shares.get(known, 0)
            if shared >= NEARLY_ALL * FITTING:
                fewest = min(count(item.id), count(known))
                if fewest >= FITTING and shared >= NEARLY_ALL * fewest:
                    return known
        return None

    def _may_be(self, known: int, chat: ParsedChat) -> bool:
        """Whether an exported chat may be the known one: by its key, and by the folders of this import."""
        if not self._chats.may_have_key(known, chat.key):
            return False
        return chat.folder is None or chat.folder.parent not in self._beside.get(known, ())

    def _with_most_messages(self, item: Staged, people: frozenset[int]) -> list[int]:
        """The known chats that already have most of the exported chat's messages.

        If their titles differ, no sender may have messages that the other chat lacks: a newsletter goes to
        many people, and so does "my new number is …".
        """
        chat, chats = item.described, self._chats
        needed = SAME_CHAT * self._store.staging.count(item.id)
        title = spelling_key(chat.title or "")
        held = self._shared_messages(item.id, chat.platform)
        most = (i for i, shared in held.items() if shared >= needed and self._may_be(i, chat))

        def may_be(known: int) -> bool:
            if not title or chats.title(known) in ("", title):
                return True
            others = self._is_with_others(item.id, title, people, known)
            return not others and not self._senders.are_apart(item.id, known)

        return [known for known in most if may_be(known)]

    def _is_with_others(
        self, exported: int, title: str, people: frozenset[int], known: int
    ) -> bool:
        """Whether two chats with different titles, and at most one person in both, are with other people.

        They are if none of the messages of the one who writes only here is of the one who writes only
        there. Where only one person writes, the title is else a name of somebody in the other chat.
        """
        there = self._chats.people(known)
        if max(len(people), len(there)) > DIRECT_SIZE and len(people & there) > 1:
            return False
        mine, theirs = people - there, there - people
        if mine and theirs:
            alike = self._store.chat_overlap.likeness(exported, known, distinctive=False).pairs
            return not any(alike.get((one, other)) for one in mine for other in theirs)
        both = ((people, title, there), (there, self._chats.title(known), people))
        alone = [(of, others) for own, of, others in both if len(own) == 1]
        if len(alone) > 1 and known not in self.seen:
            return False  # the same messages again: a chat that was renamed since the last import
        return bool(alone) and not any(self._called(of, others) for of, others in alone)

    def _called(self, title: str, people: frozenset[int]) -> bool:
        shown = self._store.people.shown_by_id
        return any(spelling_key(shown(person)) == title for person in people)

    def _with_same_texts(self, item: Staged) -> list[int]:
        """The known chat with the same texts under other names, or at other times."""

        def may_be(chat: int) -> bool:
            return self._may_be(chat, item.described)

        count = self._store.staging.count(item.id)
        same = self._senders.find(item.id, may_be) if count >= TEXTS else []
        if same or count < FITTING:
            return same
        shifted = find_shifted(self._store, self._senders, item.id, self._reading, may_be)
        if shifted is None:
            return []
        known, self._reading = shifted
        return [known]

    def _shared_messages(self, chat: int, platform: str) -> dict[int, int]:
        """How many of a chat's messages each other chat also has, at the same wall-clock time or instant."""
        store, holding = self._store, self._store.staging.holding(chat, platform)
        zone = str(self._zone)
        if platform in self._other_zones:
            for known, count in store.chat_overlap.at_instants(chat, platform, zone).items():
                holding[known] = max(count, holding.get(known, 0))
        return holding

    def _by_people(self, chat: ParsedChat, people: frozenset[int]) -> list[int]:
        """Find a chat without key and title by its people, ignoring the owner, who is in all chats."""
        own = people - {self._owner}
        nameless = self._chats.nameless_with(chat.platform, own)
        groups = {i: self._chats.people(i) for i in nameless if self._may_be(i, chat)}
        if len(people) <= DIRECT_SIZE:
            pairs = {i: group for i, group in groups.items() if len(group) <= DIRECT_SIZE}
            return [i for i, group in pairs.items() if group - {self._owner} == own]
        ranked: dict[int, tuple[float, float]] = {}
        for i, members in groups.items():
            group = members - {self._owner}
            inside = len(group & own) / len(own)
            alike = len(group & own) / len(group | own)
            if len(members) > DIRECT_SIZE and (inside >= INSIDE_GROUP or alike >= ALIKE_GROUP):
                ranked[i] = (inside, alike)
        return [max(ranked, key=lambda i: ranked[i])] if ranked else []
