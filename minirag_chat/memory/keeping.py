"""Looking at what a memory keeps, and changing it. What ``ChatMemory`` inherits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from minirag_chat.errors import NotFound
from minirag_chat.memory import trash
from minirag_chat.memory.base import MemoryBase
from minirag_chat.memory.deleting import Wanted
from minirag_chat.memory.filters import When, make_filters
from minirag_chat.memory.identity import Suggestion, suggestions
from minirag_chat.memory.proof import Proving
from minirag_chat.memory.renaming import preview_name, replace_name
from minirag_chat.records import Chat, Deletion, Evidence, Message, Person, Proof
from minirag_chat.records.explored import Table


class Keeping(MemoryBase):
    """Chats, people and messages: seen, found, deleted, merged."""

    def chats(self) -> Table[Chat]:
        """All chats, the most recently active first."""
        with self._store.reading():
            return Table(Chat, self._store.messages.chats())

    def people(self) -> Table[Person]:
        """Everyone who wrote, with the spellings that were resolved to them."""
        with self._store.reading():
            return Table(Person, self._store.people.all())

    def search(self, text: str, k: int = 20, **filters: Any) -> list[Evidence]:
        """Plain search: the messages with these words, best first. No model is used."""
        with self._store.reading():
            allowed = self._store.columns.allowed(make_filters(self._store, **filters))
            found = self._store.words.bm25("messages", self._with_names(text))
            if allowed is not None:
                found = found.among(allowed)
            best = found.best(k)
            messages = self._store.messages.by_ids(list(best))
            return [Evidence(messages[i], score) for i, score in best.items()]

    def close_words(self, text: str, count: int = 3) -> list[str]:
        """Words of the messages that are spelled nearly as those of ``text`` that no message has."""
        with self._store.reading():
            return self._store.spelled.close_to(text, count)

    def conversation(self, message_id: int, around: int = 5) -> list[Message]:
        """A message with up to ``around`` messages before and after it in its chat."""
        with self._store.reading():
            message = self._store.messages.by_ids([message_id]).get(message_id)
            if message is None:
                raise NotFound(
                    f"There is no message {message_id}: `search` and `ask` show the ids."
                )
            return self._store.messages.around(message, around)

    def present(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that are here, and neither deleted nor in the trash."""
        with self._store.reading():
            return frozenset(self._store.messages.by_ids(list(messages)))

    # --- changing what is kept ---------------------------------------------------------------------

    def delete_chat(self, chat: str | int) -> Chat:
        """Delete a chat with everything derived from it, and wipe its text from the file.

        Raises ``NotFound``; or ``StoreError``, which says whether the chat is deleted: where only the
        wiping failed, the next call finishes it.
        """
        with self._store.reading():
            chats = list(make_filters(self._store, chats=[chat]).chats)
        return trash.wipe(self._store, Wanted(chats=chats), self._indexing()).whole[0]

    def preview_delete(self, **wanted: Any) -> Deletion:
        """What :meth:`delete` would delete; takes what it takes to choose messages."""
        return trash.preview(self._store, Wanted(**wanted))

    def delete(
        self,
        *,
        messages: Sequence[int] = (),
        people: Sequence[str | int] = (),
        chats: Sequence[str | int] = (),
        since: When = None,
        until: When = None,
        everything: bool = False,
        now: bool = False,
        prove: bool = False,
    ) -> Deletion:
        """Delete messages by id, or what people, chats and a time have in common, or everything.

        What is deleted waits in the trash, where :meth:`restore` finds it: for ``trash.DAYS`` days,
        until the next import, or until :meth:`empty_trash`. With ``now`` it is wiped at once, and
        with ``prove`` every file of the program is searched for it afterwards: see ``proof`` of what
        is returned. Of a person go the reactions to others' messages too. Raises ``BadDeletion``,
        ``NotFound``, or ``StoreError``, which says whether it is deleted.
        """
        wanted = Wanted(messages, people, chats, since, until, everything)
        if not (now or prove):
            return trash.put(self._store, wanted, self._indexing())
        proving = Proving(self._store, self.settings)
        before_delete = proving.before_delete if prove else trash.no_proof
        gone = trash.wipe(self._store, wanted, self._indexing(), before_delete)
        return replace(gone, proof=proving.prove() if prove else None)

    def preview_name(self, person: str | int, by: str) -> Deletion:
        """What :meth:`replace_name` would change."""
        return preview_name(self._store, person, by)

    def replace_name(
        self, person: str | int, by: str, *, now: bool = False, prove: bool = False
    ) -> Deletion:
        """Replace a person's name, in all spellings, everywhere: also in what others wrote.

        First names are replaced where they are this person's alone. The earlier names wait in the
        trash as what :meth:`delete` deletes does; ``now`` and ``prove`` are as there. Earlier deletions
        become final, and a later import brings its own names. Raises ``BadDeletion``, ``NotFound``
        or ``StoreError``.
        """
        proving = Proving(self._store, self.settings)
        changed = replace_name(
            self._store, person, by, self._indexing(), undo=not (now or prove),
            before_delete=proving.before_delete if prove else trash.no_proof,
        )  # fmt: skip
        return replace(changed, proof=proving.prove() if prove else None)

    def empty_trash_proven(self) -> tuple[int, Proof]:
        """Empty the trash, then search every file of the program for what was in it."""
        proving = Proving(self._store, self.settings)
        gone = trash.empty(self._store, before_delete=proving.before_delete)
        return len(gone), proving.prove()

    def merge_people(self, spelling: str, into: str) -> None:
        """Say that two names are one person; ``split_person`` undoes it."""
        with self._store.transaction():
            target = self._person(into, canonical=True)
            self._store.people.merge(self._person(spelling), target)

    def split_person(self, spelling: str) -> None:
        """Make a spelling a person of its own again, also on later imports."""
        with self._store.transaction():
            self._store.people.split(self._person(spelling))

    def suggest_people(self) -> list[Suggestion]:
        """Names that may be one person, and names taken for one that may be two; best first."""
        with self._store.reading():
            return suggestions(self._store)

    # --- inside ------------------------------------------------------------------------------------

    def _with_names(self, text: str) -> str:
        """Add the name of each person whom the text calls by another spelling."""
        store = self._store
        spellings = store.people.spellings()
        named = [people[0] for _, _, people in store.people.index().find(text) if len(people) == 1]
        named += [entity.id for entity in store.people.named(text) if entity.type == "person"]
        return " ".join(dict.fromkeys([text, *(spellings[person][0] for person in named)]))

    def _person(self, name: str, *, canonical: bool = False) -> int:
        identity = self._store.people.spelling_id(name)
        if identity is None:
            raise NotFound(f"Nobody is called {name!r}: `minirag-chat people` lists the names.")
        entity = self._store.people.entity(identity) if canonical else None
        return entity.id if entity else identity
