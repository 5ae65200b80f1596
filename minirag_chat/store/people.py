"""Spellings and the people they belong to. A link is one column: it can always be undone.

``origin`` says how it was decided: ``auto`` by the names, ``messages`` by equal messages of both names in
one chat, or, of two people, by a conversation in which both names write, ``user`` by the user. Only ``auto``
links are computed again with each import.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import (
    PersonIndex,
    compact_key,
    same_person,
    spelling_hash,
    spelling_key,
    split_joined,
)
from minirag_chat.records import Entity, EntityType, Person
from minirag_chat.store.cache import Cache
from minirag_chat.store.joined_names import JoinedNames
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables

_BESIDE = lazy(r"(?<!\w)['\u2019]s\b|\([^()]*\)")
"""What may stand beside a name: Ann's, Ann (work)."""


class NewLinks(NamedTuple):
    """The links that an import has made, and those that it has undone, as ``(spelling, name)``."""

    made: list[tuple[str, str]]
    undone: list[tuple[str, str]]


class PeopleTables(CachedTables):
    """Reads and writes entities, and which of them are one person."""

    def __init__(self, connection: Sql, cache: Cache) -> None:
        super().__init__(connection, cache)
        self.joined_names = JoinedNames(connection, cache)

    def all(self) -> list[Person]:
        """Everyone who wrote a message that is not in the trash; the most active first."""
        return list(self._cache.get("everyone", self._everyone))

    def _everyone(self) -> list[Person]:
        counts: dict[int, int] = dict(
            self._connection.execute(
                "SELECT COALESCE(e.same_as, e.id), COUNT(*) FROM messages m "
                "JOIN entities e ON e.id = m.sender_id WHERE m.session_id IS NOT NULL GROUP BY 1"
            )
        )
        spellings = self.spellings()
        people = [
            Person(
                person, names[0], tuple(names), counts[person], person in self.joined_names.all()
            )
            for person, names in spellings.items()
            if person in counts
        ]
        return sorted(people, key=lambda p: (-p.messages, p.name))

    def spellings(self) -> dict[int, list[str]]:
        """For each person, all spellings, their own name first."""
        rows = self._connection.execute(
            "SELECT COALESCE(same_as, id), name FROM entities WHERE type = 'person' "
            "ORDER BY same_as IS NOT NULL, id"
        )
        found: dict[int, list[str]] = defaultdict(list)
        for person, name in rows:
            if name not in found[person]:  # another user may have a person of the same name
                found[person].append(name)
        return dict(found)

    def by_hash(self) -> dict[str, int]:
        """The person of each spelling's hash (``spelling_hash``)."""
        return {
            spelling_hash(name): person
            for person, names in self.spellings().items()
            for name in names
        }

    def canonical(self) -> dict[int, int]:
        """For each spelling's row, the person it belongs to."""
        return dict(
            self._connection.execute(
                "SELECT id, COALESCE(same_as, id) FROM entities WHERE type = 'person'"
            )
        )

    def index(self) -> PersonIndex:
        """Finds people in text."""
        return self._cache.get("people", self._index)

    def _index(self) -> PersonIndex:
        return PersonIndex(self.forms())

    def forms(self) -> dict[int, list[str]]:
        """For each person, all spellings, and each as it is shown: with spaces if an export joined it."""
        rows = self._connection.execute(
            "SELECT COALESCE(same_as, id), id, name FROM entities WHERE type = 'person' "
            "ORDER BY same_as IS NOT NULL, id"
        )
        names: dict[int, dict[str, None]] = defaultdict(dict)
        for person, spelling, name in rows:
            names[person] |= {name: None, self.joined_names.shown(spelling, name): None}
        return {person: list(forms) for person, forms in names.items()}

    def called(self, name: str) -> tuple[int, ...]:
        """The people with a name as a user may type it: in lower case, or without spaces.

        It is their whole name or one that stands for it: "Dana Xyz" is not Dana.
        """
        for text in (name, name.title(), split_joined(name)):
            for start, end, owners in self.index().find(text):
                beside = _BESIDE.sub(" ", f"{text[:start]} {text[end:]}")
                if owners and not any(map(str.isalnum, beside)):
                    return owners
        return ()

    def shown(self, name: str) -> str:
        """A name of an export, with spaces if it was joined."""
        spelling = self.spelling_id(name)
        return name if spelling is None else self.joined_names.shown(spelling, name)

    def shown_by_id(self, identity: int) -> str:
        """The name of the person behind an id, as a person reads it; empty if there is none."""
        entity = self.entity(identity)
        return "" if entity is None else entity.shown_name

    def shown_names(self, ids: Iterable[int]) -> list[str]:
        """The names of the people behind ids, in the order of the ids; without those of nobody."""
        return [name for name in map(self.shown_by_id, sorted(ids)) if name]

    def written(self, shown: str) -> int | None:
        """The id of the spelling displayed as "Ann Berg" ("AnnBerg"); None unless it is exactly one."""
        spellings = (one for person in self.all() for one in person.spellings)
        found = [one for one in spellings if self.shown(one) == shown]
        return self.spelling_id(found[0]) if len(found) == 1 else None

    def entity(self, identity: int) -> Entity | None:
        """The canonical entity behind an id."""
        row = self._connection.execute(
            "SELECT p.id, p.name, p.type FROM entities e "
            "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) WHERE e.id = ?",
            (identity,),
        ).fetchone()
        return None if row is None else self._entity(row)

    def named(self, phrase: str) -> list[Entity]:
        """The entities of any type with this name, canonical."""
        rows = self._connection.execute(
            "SELECT DISTINCT p.id, p.name, p.type FROM entities e "
            "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) WHERE e.key = ?",
            (spelling_key(phrase),),
        )
        return [self._entity(row) for row in rows]

    def _entity(self, row: tuple[int, str, EntityType]) -> Entity:
        identity, name, kind = row
        return Entity(identity, name, kind, identity in self.joined_names.all())

    # --- writing, inside a transaction ---------------------------------------------------------------

    def ensure(self, kind: EntityType, name: str) -> int:
        """The id of the entity with this spelling; made if it is new."""
        key = spelling_key(name)
        known = self._connection.number(
            "SELECT id FROM entities WHERE type = ? AND key = ?", (kind, key)
        )
        return known or self._connection.new(
            "INSERT INTO entities (type, key, name) VALUES (?, ?, ?)", (kind, key, name.strip())
        )

    def link_spellings(
        self,
        counts: Mapping[int, int],
        talk: Callable[[int, int], bool] = lambda _one, _other: False,
    ) -> NewLinks:
        """Link spellings of one person; links that a user set or removed stay as they are.

        The main one of new spellings is the most frequent, by ``counts``. A first name and a longer
        name between which there is a conversation, as ``talk`` says, are two people, also for later
        imports.
        """
        rows = self._connection.execute(
            "SELECT id, name, same_as, origin FROM entities WHERE type = 'person'"
        ).fetchall()
        free = {row[0]: row[1] for row in rows if row[3] == "auto"}
        before = {row[0]: row[2] for row in rows}
        heads = {row[2] for row in rows if row[2] is not None}
        rank = {i: (i not in heads, -counts.get(i, 0), i) for i in free}
        shown = {i: self.joined_names.shown(i, name) for i, name in free.items()}
        senders = self._senders()
        links = same_person(shown, senders, rank)
        two: list[int] = []
        while apart := self._apart(links, shown, talk):
            for identity in apart:
                self._link(identity, None, "messages")
                del free[identity], shown[identity]
            two += apart
            links = same_person(shown, senders, rank)
        changed = {one: links.get(one) for one in free if links.get(one) != before[one]}
        for identity, target in changed.items():
            self._link(identity, target, "auto")
        self._follow()
        names = {row[0]: row[1] for row in rows}
        parted = [*two, *(one for one, target in changed.items() if target is None)]
        return NewLinks(
            [(names[one], names[target]) for one, target in changed.items() if target is not None],
            [(names[one], names[old]) for one in parted if (old := before[one]) is not None],
        )

    def _apart(
        self, links: Mapping[int, int], names: Mapping[int, str], talk: Callable[[int, int], bool]
    ) -> list[int]:
        """The first names that write to a spelling of the longer name that they are linked to."""
        keys = {identity: compact_key(name) for identity, name in names.items()}
        spellings: dict[str, list[int]] = defaultdict(list)
        for identity, key in keys.items():
            spellings[key].append(identity)
        return [
            one
            for one, head in links.items()
            if keys[one] != keys[head] and any(talk(one, other) for other in spellings[keys[head]])
        ]

    def may_be_another(self, spelling: int) -> bool:
        """Whether a spelling may be linked: not if a user separated it."""
        row = self._connection.execute(
            "SELECT same_as, origin FROM entities WHERE id = ?", (spelling,)
        ).fetchone()
        return row is not None and tuple(row) != (None, "user")

    def merge(self, spelling: int, into: int, origin: Literal["user", "messages"] = "user") -> None:
        """Link a person with all spellings to another one. ``split`` undoes it.

        ``origin``: the user says that they are one, or equal messages do.
        """
        self._connection.execute(
            "UPDATE entities SET same_as = ?, origin = 'user', via = COALESCE(via, ?) WHERE same_as = ?",
            (into, spelling, spelling),
        )
        self._link(spelling, into, origin)
        self._connection.execute("UPDATE entities SET via = ? WHERE id = ?", (into, spelling))

    def show_as(self, spelling: int, origin: Literal["user", "messages"] = "user") -> None:
        """Show a person by another one of their spellings. ``origin`` is that of the link to it."""
        before = self._connection.number("SELECT same_as FROM entities WHERE id = ?", (spelling,))
        if before is not None:
            self._connection.execute(
                "UPDATE entities SET same_as = NULL, origin = 'auto', via = NULL WHERE id = ?",
                (spelling,),
            )
            self.merge(before, spelling, origin)

    def split(self, spelling: int) -> None:
        """Make a spelling a person of its own again, also for later imports.

        The spellings that were merged with it stay linked to it.
        """
        self._link(spelling, None, "user")
        self._connection.execute("UPDATE entities SET via = NULL WHERE id = ?", (spelling,))
        self._follow()

    def _follow(self) -> None:
        """Update spellings that were linked through another one (``via``) to its new target."""
        head = "(SELECT COALESCE(h.same_as, h.id) FROM entities h WHERE h.id = entities.via)"
        while self._connection.execute(
            f"UPDATE entities SET same_as = {head} WHERE via IS NOT NULL AND same_as <> {head}"
        ).rowcount:
            pass

    def spelling_id(self, name: str) -> int | None:
        """The row of a spelling, not of the person behind it."""
        found = self._connection.value(
            "SELECT id FROM entities WHERE type = 'person' AND key = ?", (spelling_key(name),)
        )
        return None if found is None else int(found)

    def drop_unused(self) -> None:
        """Delete entities that nothing mentions any more.

        A linked spelling stays, even if all its messages now have the main spelling.
        """
        used = "(SELECT entity_id FROM mentions UNION SELECT sender_id FROM messages)"
        kept = f"(origin = 'messages' AND same_as IS NOT NULL AND same_as IN {used})"
        self._connection.execute(
            f"UPDATE entities SET same_as = NULL WHERE same_as IS NOT NULL AND id NOT IN {used} "
            f"AND NOT {kept}"
        )
        self._connection.execute(
            f"DELETE FROM entities WHERE id NOT IN {used} AND NOT {kept} "
            "AND id NOT IN (SELECT same_as FROM entities WHERE same_as IS NOT NULL)"
        )

    def _senders(self) -> frozenset[int]:
        return frozenset(self._connection.column("SELECT DISTINCT sender_id FROM messages"))

    def _link(self, identity: int, target: int | None, origin: str) -> None:
        self._connection.execute(
            "UPDATE entities SET same_as = ?, origin = ? WHERE id = ?", (target, origin, identity)
        )
