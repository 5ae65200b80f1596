"""Who asks: the owner of the messages, as set by the user or named by an export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import combinations

from minirag_chat.names import ME, OWNER_WORDS, spelling_hash, spelling_key
from minirag_chat.records import CalledOwner, Person
from minirag_chat.store.cache import Cache
from minirag_chat.store.people import PeopleTables
from minirag_chat.store.rows import marks, read_meta, write_meta
from minirag_chat.store.same_names import is_fuller, may_be_one
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables
from minirag_chat.store.told_apart import ToldApartTable
from minirag_chat.store.writers import WriterTables

_KEY, _NOBODY = "me", ""
_WORDS, _OWNERS = "calls_owner", "export_owners"
_MARKING = frozenset(
    "chatgpt claude google-voice hinge imessage signal sms snapchat teams tinder x".split()
)
"""Platforms whose every export marks its owner: there, nobody else is called "Me"."""


def person_who_asks(connection: Sql) -> int | None:
    """The person that the user set as the one who asks, else the only owner whom exports name."""
    if (chosen := _chosen_person(connection)) is not None:
        return chosen
    stored = [] if read_meta(connection, _KEY) == _NOBODY else _stored_owners(connection)
    rows = connection.execute(
        f"SELECT DISTINCT COALESCE(same_as, id) FROM entities WHERE id IN ({marks(stored)})", stored
    ).fetchall()
    return int(rows[0][0]) if len(rows) == 1 else None


def _stored_owners(connection: Sql) -> list[int]:
    """The spellings whom exports name as their owner."""
    return list(json.loads(read_meta(connection, _OWNERS) or "[]"))


def _chosen_person(connection: Sql) -> int | None:
    found = connection.value(
        "SELECT COALESCE(same_as, id) FROM entities WHERE id = ?",
        (int(read_meta(connection, _KEY) or 0),),
    )
    return None if found is None else int(found)


class MeTable(CachedTables):
    """Stored as the id of a spelling, so that it contains no text and follows merges and renames."""

    def __init__(self, connection: Sql, cache: Cache, people: PeopleTables) -> None:
        super().__init__(connection, cache)
        self._people = people
        self._told_apart = ToldApartTable(connection, people)
        self._writers = WriterTables(connection)

    def person(self) -> Person | None:
        """The person set as the one who asks; else the owner whom exports name, or whom they call "Me"."""
        found: Person | None = self._cache.get("me", self._person)
        return found

    def id(self) -> int | None:
        """The id of ``person``; None if that is nobody."""
        person = self.person()
        return person.id if person else None

    def is_decided(self) -> bool:
        """Whether the user set a person or "nobody", and that person was not deleted since."""
        return read_meta(self._connection, _KEY) == _NOBODY or self._chosen() is not None

    def is_named(self) -> bool:
        """Whether exports name who asks, so that it need not be said."""
        return not self.is_decided() and self._named_asker() is not None

    def owners(self) -> list[Person]:
        """The people whom exports name as their owner; those who write most come first."""
        found: list[Person] = self._cache.get("export owners", self._owners)
        return found

    def may_be_too(self) -> list[Person]:
        """Other names that may be the asker's: of owners of exports, "Me", and of whom the asker's name fits.

        Not of who writes in a conversation with the asker, nor whom the user told apart.
        """
        found: list[Person] = self._cache.get("may be me too", self._may_be_too)
        return found

    def likely(self, count: int) -> list[Person]:
        """Up to ``count`` candidates: those called "Me", then by number of chats, then of messages."""
        chats: dict[int, int] = dict(
            self._connection.execute(
                "SELECT COALESCE(e.same_as, e.id), COUNT(DISTINCT m.chat_id) FROM messages m "
                "JOIN entities e ON e.id = m.sender_id WHERE m.session_id IS NOT NULL GROUP BY 1"
            )
        )
        everyone = self._people.all()
        others = self.may_be_called_otherwise()
        everyone.sort(
            key=lambda p: (
                p.id not in others,
                not _says_me(p.spellings),
                -chats.get(p.id, 0),
                -p.messages,
                p.name,
            )
        )
        return everyone[:count]

    def may_be_called_otherwise(self) -> frozenset[int]:
        """The people who may be the one whom exports call "Me": they write where no "Me" does."""
        found: frozenset[int] = self._cache.get("called otherwise", self._may_be_called_otherwise)
        return found

    def _may_be_called_otherwise(self) -> frozenset[int]:
        called = {each.person for each in self.called_owner()}
        if not called:
            return frozenset()
        rows = self._connection.execute(
            "SELECT DISTINCT COALESCE(e.same_as, e.id), m.chat_id FROM messages m "
            "JOIN entities e ON e.id = m.sender_id WHERE m.session_id IS NOT NULL"
        ).fetchall()
        theirs = {chat for person, chat in rows if person in called}
        with_them = {person for person, chat in rows if chat in theirs}
        return frozenset(person for person, _chat in rows if person not in with_them)

    def called_owner(self) -> list[CalledOwner]:
        """People of whom nothing is known but that exports call their owner so: "Me", "You"."""
        found: list[CalledOwner] = self._cache.get("called owner", self._called_owner)
        return found

    def learn_words(self, words: Mapping[tuple[str, str], bool]) -> None:
        """Store whether exports of a platform mark those called so as their owner. Inside a transaction."""
        new = {f"{platform} {spelling_hash(name)}": is_marked for (platform, name), is_marked in words.items()
               if platform not in _MARKING}  # fmt: skip
        known = self._learned()
        if added := {key: is_marked and known.get(key, True) for key, is_marked in new.items()}:
            write_meta(self._connection, _WORDS, json.dumps({**known, **added}))

    def join_called_owner(self, person: int) -> list[CalledOwner]:
        """Make what exports call their owner one person with ``person``; returns what was joined.

        Not what the user split off before, nor what is of another user. Inside a transaction.
        """
        if person not in self._people.canonical().values():
            return []
        joined = [
            called
            for called in self.called_owner()
            if called.person != person and self._people.may_be_another(called.person)
        ]
        for called in joined:
            self._people.merge(called.person, person)
        return joined

    def learn_owners(self, names: Iterable[str]) -> None:
        """Store whom exports name as their owner. Inside a transaction."""
        known = _stored_owners(self._connection)
        found = {self._people.spelling_id(name) for name in names} - {None, *known}
        if found:
            write_meta(
                self._connection, _OWNERS, json.dumps([*known, *sorted(filter(None, found))])
            )

    def join_owners(self) -> list[tuple[str, str]]:
        """Make one person of the owners whose names fit, and of what exports call them: "Me".

        Nobody who writes in a conversation with another one of them, and nobody if the user is none of the
        people. Returns each name with the one that it is now. Inside a transaction.
        """
        asker = self._chosen()
        if self.is_decided() and asker is None:
            return []
        joined = [pair for group in self._fitting(asker) for pair in self._join(group)]
        return [*joined, *self._join_words()]

    def _join_words(self) -> list[tuple[str, str]]:
        """Make one person of what exports call their owner, and of the owner if just one is named."""
        asker = self._chosen()
        named = {person.id: person for person in (*self._owners(), *([asker] if asker else ()))}
        words = [one for one in map(self._by_id, (c.person for c in self.called_owner())) if one]
        owner = next(iter(named.values() if len(named) == 1 else words), None)
        if owner is None:
            return []
        return self._join([owner, *(one for one in words if self._may_be_joined(one, owner))])

    def set(self, person: int | None) -> None:
        """Store the person; None means nobody. Inside a transaction."""
        write_meta(self._connection, _KEY, _NOBODY if person is None else str(person))

    def _person(self) -> Person | None:
        if self.is_decided():
            return self._chosen()
        if self.owners():
            return self._named_asker()
        if only := self.called_owner():
            return self._by_id(only[0].person)
        if not any(map(_says_me, self._people.spellings().values())):
            return None  # without counting everyone's messages
        called = [person for person in self._people.all() if _says_me(person.spellings)]
        return called[0] if len(called) == 1 else None

    def _named_asker(self) -> Person | None:
        """The owner whom exports name, of several who writes most; None if they write to each other."""
        owners = self.owners()
        apart = any(self._write_together(one, other) for one, other in combinations(owners, 2))
        return None if apart or not owners else owners[0]

    def _owners(self) -> list[Person]:
        if not (stored := _stored_owners(self._connection)):
            return []
        people = self._people.canonical()
        ids = {people[spelling] for spelling in stored if spelling in people}
        return [person for person in self._people.all() if person.id in ids]

    def _may_be_too(self) -> list[Person]:
        asker = self.person()
        if asker is None:
            return []
        named = {one.id for one in self.owners()} | {one.person for one in self.called_owner()}
        nameless = all(spelling_key(name) in OWNER_WORDS for name in asker.spellings)
        return [
            other
            for other in self._people.all()
            if (other.id in named or not nameless)
            and (other.id in named or _may_be_named(other, asker))
            and self._may_be_joined(other, asker)
        ]

    def _may_be_joined(self, one: Person, other: Person) -> bool:
        """Whether nothing but the names speaks against two people being one."""
        return (
            one.id != other.id
            and self._people.may_be_another(one.id)
            and frozenset((one.id, other.id)) not in self._told_apart.all()
            and not self._write_together(one, other)
        )

    def _write_together(self, one: Person, other: Person) -> bool:
        """Whether two people write in one conversation."""
        left, right = (
            [self._people.spelling_id(name) or 0 for name in p.spellings] for p in (one, other)
        )
        return any(self._writers.sessions_together(a, b) for a in left for b in right)

    def _fitting(self, asker: Person | None) -> list[list[Person]]:
        """Owners that may be one person: each fits each of the others, and nobody else fits only some."""
        people = {person.id: person for person in (*self._owners(), *([asker] if asker else ()))}
        fits: dict[int, set[int]] = {one: {one} for one in people}
        for one, other in combinations(people.values(), 2):
            if (
                _fit(one, other)
                and self._may_be_joined(one, other)
                and self._may_be_joined(other, one)
            ):
                fits[one.id].add(other.id)
                fits[other.id].add(one.id)
        groups = {frozenset(fits[one]) for one in people}
        return [
            [people[one] for one in sorted(group)]
            for group in groups
            if len(group) > 1 and all(fits[one] == group for one in group)
        ]

    def _join(self, group: list[Person]) -> list[tuple[str, str]]:
        """Make people one, shown by the fullest of their names."""
        best = group[0]
        for one in group[1:]:
            fuller = is_fuller(one.shown_name, best.shown_name)
            best = one if (one.messages > best.messages if fuller is None else fuller) else best
        others = [one for one in group if one.id != best.id]
        for one in others:
            self._people.merge(one.id, best.id)
        return [(one.name, best.name) for one in others]

    def _by_id(self, identity: int) -> Person | None:
        return next((p for p in self._people.all() if p.id == identity), None)

    def _called_owner(self) -> list[CalledOwner]:
        learned, found = self._learned(), []
        for person, names in self._people.spellings().items():
            if not all(spelling_key(name) in OWNER_WORDS for name in names):
                continue
            rows = self._connection.execute(
                "SELECT c.platform, e.name, COUNT(*) FROM messages m JOIN chats c ON c.id = m.chat_id "
                "JOIN entities e ON e.id = m.sender_id WHERE COALESCE(e.same_as, e.id) = ? GROUP BY 1, 2",
                (person,),
            ).fetchall()
            marked = (
                app in _MARKING or learned.get(f"{app} {spelling_hash(name)}", False)
                for app, name, _messages in rows
            )
            if rows and all(marked):
                apps = tuple(sorted({app for app, _name, _messages in rows}))
                number = sum(messages for *_place, messages in rows)
                found.append((number, CalledOwner(person, names[0], apps)))
        return [called for _number, called in sorted(found, key=lambda f: (-f[0], f[1].name))]

    def _learned(self) -> dict[str, bool]:
        found: dict[str, bool] = json.loads(read_meta(self._connection, _WORDS) or "{}")
        return found

    def _chosen(self) -> Person | None:
        chosen = _chosen_person(self._connection)
        if chosen is None:
            return None
        return self._by_id(chosen)


def _says_me(spellings: Iterable[str]) -> bool:
    return any(name.casefold() in ME for name in spellings)


def _may_be_named(other: Person, asker: Person) -> bool:
    """Whether a person's name fits the asker's, or they have none but what exports call an owner: "Me"."""
    if _says_me(other.spellings):
        return all(spelling_key(name) in ME for name in other.spellings)
    return _fit(other, asker)


def _fit(one: Person, other: Person) -> bool:
    """Whether a name of one person is a short form of a name of the other, and none has another last name."""
    names = [
        [name for name in p.spellings if spelling_key(name) not in OWNER_WORDS]
        for p in (one, other)
    ]
    return any(may_be_one(a, b) for a in names[0] for b in names[1])
