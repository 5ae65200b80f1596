"""Who asks: the owner of the messages, as set by the user or named by an export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from minirag_chat.names import ME, OWNER_WORDS, spelling_hash, spelling_key
from minirag_chat.records import CalledOwner, Person
from minirag_chat.store.cache import Cache
from minirag_chat.store.people import PeopleTables
from minirag_chat.store.rows import read_meta, write_meta
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables

_KEY, _NOBODY = "me", ""
_WORDS = "calls_owner"
_MARKING = frozenset(
    "chatgpt claude google-voice hinge imessage signal sms snapchat teams tinder x".split()
)
"""Platforms whose every export marks its owner: there, nobody else is called "Me"."""


def person_who_asks(connection: Sql) -> int | None:
    """The person that the user set as the one who asks."""
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

    def person(self) -> Person | None:
        """The person set as the one who asks; else the one called "Me" in exports, if there is just one."""
        found: Person | None = self._cache.get("me", self._person)
        return found

    def id(self) -> int | None:
        """The id of ``person``; None if that is nobody."""
        person = self.person()
        return person.id if person else None

    def is_decided(self) -> bool:
        """Whether the user set a person or "nobody", and that person was not deleted since."""
        return read_meta(self._connection, _KEY) == _NOBODY or self._chosen() is not None

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

    def set(self, person: int | None) -> None:
        """Store the person; None means nobody. Inside a transaction."""
        write_meta(self._connection, _KEY, _NOBODY if person is None else str(person))

    def _person(self) -> Person | None:
        if self.is_decided():
            return self._chosen()
        if only := self.called_owner():
            return next((p for p in self._people.all() if p.id == only[0].person), None)
        if not any(map(_says_me, self._people.spellings().values())):
            return None  # without counting everyone's messages
        called = [person for person in self._people.all() if _says_me(person.spellings)]
        return called[0] if len(called) == 1 else None

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
        chosen = person_who_asks(self._connection)
        if chosen is None:
            return None
        return next((p for p in self._people.all() if p.id == chosen), None)


def _says_me(spellings: Iterable[str]) -> bool:
    return any(name.casefold() in ME for name in spellings)
