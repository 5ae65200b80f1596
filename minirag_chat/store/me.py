"""Who asks: the owner of the messages, as set by the user or named by an export."""

from __future__ import annotations

from collections.abc import Iterable

from minirag_chat.names import ME
from minirag_chat.records import Person
from minirag_chat.store.cache import Cache
from minirag_chat.store.people import PeopleTables
from minirag_chat.store.rows import read_meta, write_meta
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables

_KEY, _NOBODY = "me", ""


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
        everyone.sort(
            key=lambda p: (not _says_me(p.spellings), -chats.get(p.id, 0), -p.messages, p.name)
        )
        return everyone[:count]

    def set(self, person: int | None) -> None:
        """Store the person; None means nobody. Inside a transaction."""
        write_meta(self._connection, _KEY, _NOBODY if person is None else str(person))

    def _person(self) -> Person | None:
        if self.is_decided():
            return self._chosen()
        if not any(map(_says_me, self._people.spellings().values())):
            return None  # without counting everyone's messages
        called = [person for person in self._people.all() if _says_me(person.spellings)]
        return called[0] if len(called) == 1 else None

    def _chosen(self) -> Person | None:
        chosen = person_who_asks(self._connection)
        if chosen is None:
            return None
        return next((p for p in self._people.all() if p.id == chosen), None)


def _says_me(spellings: Iterable[str]) -> bool:
    return any(name.casefold() in ME for name in spellings)
