"""Chats, people and messages: lists, search by words, and who is who."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from itertools import islice
from typing import Any

from minirag_chat.errors import BadQuestion, BadSetting, NotFound
from minirag_chat.memory.context import Part
from minirag_chat.memory.deletion_scope import one_person
from minirag_chat.memory.feedback import rate
from minirag_chat.memory.filters import make_filters, nobody, people_called
from minirag_chat.memory.identity import Suggestion, suggestions
from minirag_chat.memory.nickname import may_be_nickname
from minirag_chat.memory.spelling import spelling_meant
from minirag_chat.memory.suggest import follow_ups, openers, overviews
from minirag_chat.names import spelling_key
from minirag_chat.records import Answer, CalledOwner, Chat, Evidence, Message, Person
from minirag_chat.records.exploration import EntityCount, Info, Relation, Table
from minirag_chat.store.columns import is_among
from minirag_chat.store.text import terms
from minirag_chat.ui_text import NO_MESSAGE

LITERAL_AMONG = 200
"""So many more messages than are asked for are looked at for the text as it is written."""


class Library(Part):
    """What a memory holds.

    ``filters`` are those of a question: ``people``, ``chats``, ``since``, ``until``.
    """

    def info(self) -> Info:
        """What this memory holds and which model reads it. Loads no model."""
        choice, reader = self._context.models.choice(), self._context.models.loaded
        with self._store.reading():
            first, last = self._store.messages.extent()
            counts = self._store.index.counts()
            return Info(
                messages=self._store.messages.count(),
                chats=len(self._store.messages.chats()),
                people=len(self._store.people.all()),
                sessions=counts["sessions"],
                chunks=counts["chunks"],
                entities=counts["entities"],
                first=first,
                last=last,
                size_bytes=self._store.size_bytes,
                database=str(self._store.path),
                note=self._context.index_note(),
                embedder=self._store.meta("embedder") or self._context.embedder_name(),
                model=reader.name if reader else choice.name,
                model_reason=choice.reason,
                encrypted=self._store.connection.encrypted,
                vectors=self._store.nearest.described(),
            )

    def chats(self) -> Table[Chat]:
        """All chats, the most recently active first."""
        with self._store.reading():
            return Table(Chat, self._store.messages.chats())

    def people(self) -> Table[Person]:
        """Everyone who wrote, with the spellings that were resolved to them."""
        with self._store.reading():
            return Table(Person, self._store.people.all())

    def search(self, /, text: str, k: int = 20, **filters: Any) -> list[Evidence]:
        """Plain search: the messages with these words, best first. No model is used.

        Of the best ones, those that contain the text as it is written come first ("£420", "12.50"). A text
        without a word, such as an emoji, finds the messages that contain it, the newest first. Raises
        ``BadQuestion`` for an empty one.
        """
        if not text.strip():
            raise BadQuestion("The text to search for is empty: write a word of the messages.")
        with self._store.reading():
            allowed = self._store.columns.allowed(make_filters(self._store, **filters))
            if terms(text):
                found = self._store.words.bm25("messages", self._with_names(text))
            else:
                found = self._store.words.containing(text.strip())
            if allowed is not None:
                found = found.among(allowed)
            best = found.best(k + LITERAL_AMONG)
            messages = self._store.messages.by_ids(list(best))
            evidence = [Evidence(messages[i], score) for i, score in best.items()]
            literal = text.strip().casefold()
            evidence.sort(key=lambda e: literal not in e.message.text.casefold())  # stable
            return evidence[:k]

    def close_words(self, text: str, count: int = 3) -> list[str]:
        """Words of the messages that are spelled like those words of ``text`` that no message has."""
        with self._store.reading():
            return self._store.spelling_suggestions.close_to(text, count)

    def conversation(self, message_id: int, around: int = 5) -> list[Message]:
        """A message with up to ``around`` messages before and after it in its chat."""
        with self._store.reading():
            message = self._store.messages.by_ids([message_id]).get(message_id)
            if message is None:
                raise NotFound(NO_MESSAGE.format(number=message_id))
            return self._store.messages.around(message, around)

    def present(self, messages: Iterable[int]) -> frozenset[int]:
        """Which of the messages exist: they are neither deleted nor in the trash."""
        with self._store.reading():
            return frozenset(self._store.messages.by_ids(list(messages)))

    def outdated(self, shown: Iterable[Message]) -> frozenset[int]:
        """Which messages cannot be restored, and are gone or have another sender or text than these."""
        was = {message.id: message for message in shown}
        with self._store.reading():
            now = self._store.messages.by_ids(list(was))
            left = self._store.trash.holds(was)
        return frozenset(
            number
            for number, message in was.items()
            if number not in left
            and (number not in now or _who_what(now[number]) != _who_what(message))
        )

    def wipings(self) -> int:
        """A number that grows whenever any process deletes words for good."""
        with self._store.reading():
            return self._store.wiping.requests()

    def deleted_so_far(self) -> str:
        """A token that changes whenever any process deletes something, for good or into the trash."""
        with self._store.reading():
            return f"{self._store.wiping.requests()}.{self._store.trash.newest()}"

    # --- tables -------------------------------------------------------------------------------------

    def messages(self, /, **filters: Any) -> Table[Message]:
        """The messages in the order in which they were sent."""
        with self._store.reading():
            allowed = self._store.columns.allowed(make_filters(self._store, **filters))
            ids = self._store.explore.message_ids()
            kept = (ids if allowed is None else ids[is_among(ids, allowed)]).tolist()
            found = self._store.messages.by_ids(kept)
            return Table(Message, (found[i] for i in kept))

    def entities(self) -> Table[EntityCount]:
        """Everything that messages name, the most often named first."""
        with self._store.reading():
            rows = self._store.explore.entities()
        return Table(EntityCount, (EntityCount(*row) for row in rows))

    def relations(self, least: int = 2) -> Table[Relation]:
        """Entities that at least ``least`` messages name together, most often first."""
        with self._store.reading():
            rows = self._store.explore.relations(least)
        return Table(Relation, (Relation(*row) for row in rows))

    # --- who is who --------------------------------------------------------------------------------

    def merge_people(self, spelling: str, into: str) -> tuple[str, str]:
        """Say that two names are one person; ``split_person`` undoes it. Returns the two in full.

        If they are one already, shown as ``spelling``, then ``into`` becomes the name that is shown.
        Raises ``NotFound``, or ``BadSetting`` for one name given twice.
        """
        with self._store.transaction():
            spelling = spelling_meant(self._store, spelling)
            if not people_called(self._store, into):
                rename = f"delete --person {shlex.quote(spelling)} --replace-by {shlex.quote(into)}"
                raise NotFound(
                    f"{nobody(into, self._store)} To give {spelling} this name: `minirag-chat {rename}`."
                )
            into = spelling_meant(self._store, into)
            person, target = self._person(spelling), self._person(into, canonical=True)
            if person != target:
                self._store.people.merge(person, target)
            elif (other := self._person(into)) != person:
                self._store.people.show_as(other)
            else:
                raise BadSetting(f"{spelling} and {into} are one spelling: give two names.")
        return spelling, into

    def split_person(self, spelling: str) -> tuple[str, bool]:
        """Make a spelling a person of its own again, also on later imports.

        Returns the spelling in full, and whether it was joined with another one. Raises ``NotFound``, or
        ``BadSetting`` for the name that a person of several spellings is shown by.
        """
        with self._store.transaction():
            spelling = spelling_meant(self._store, spelling)
            person, people = self._person(spelling), self._store.people
            if others := people.spellings().get(person, ())[1:]:  # it is not linked to another one
                named = ", ".join(map(people.shown, others))
                raise BadSetting(
                    f"{spelling} is the name that is shown: split off another one: {named}."
                )
            joined = people.canonical()[person] != person
            people.split(person)
        return spelling, joined

    def keep_apart(self, one: str, other: str) -> None:
        """Say that two names are two people: they are not suggested as one again. Raises ``NotFound``."""
        with self._store.reading():
            names = [spelling_meant(self._store, name) for name in (one, other)]
        with self._store.transaction():
            self._store.told_apart.add(*names)

    def suggest_people(self) -> list[Suggestion]:
        """Names that may be one person, and merged names that may be two people; best first."""
        with self._store.reading(only_own=True):
            return suggestions(self._store)

    @property
    def me(self) -> Person | None:
        """Who asks: "I" and "my" in a question mean this person. None where that is not known."""
        with self._store.reading():
            return self._store.me.person()

    def set_me(self, person: str | int | None) -> Person | None:
        """Say who asks, by a name or a person's id; None says that it is nobody in these messages.

        What exports call their owner ("Me", "You") and this person become one, which ``split_person`` undoes.
        Returns that person. Raises ``NotFound``.
        """
        with self._store.reading():  # also finds people who are only in a shared chat
            chosen = None if person is None else one_person(self._store, person)
        with self._store.transaction():
            self._store.me.set(chosen)
            if chosen is not None:
                self._store.me.join_called_owner(chosen)
                self._store.me.join_owners()
        return self.me

    def likely_me(self, count: int = 8) -> list[Person]:
        """Up to ``count`` people who may be the one who asks, the likeliest first.

        Empty once :meth:`set_me` has been called, and where exports call that person "Me" in every chat.
        """
        with self._store.reading():
            me = self._store.me
            called = me.called_owner() and not me.may_be_called_otherwise()
            known = me.is_decided() or me.is_named() or (called and not me.owners())
            return [] if known else me.likely(count)

    def only_called(self) -> list[CalledOwner]:
        """What exports call the one who asks ("Me"), while it is not said which of the other names is theirs.

        Empty if no other name can be: everybody else writes to "Me".
        """
        with self._store.reading(only_own=True):
            me = self._store.me
            known = me.is_decided() or me.is_named()
            return [] if known or not me.may_be_called_otherwise() else me.called_owner()

    def may_be_me_too(self) -> list[Person]:
        """People who may be the one who asks under another name, but whom "I" in a question does not mean.

        The owners whom exports name otherwise, and names that are a short form of the asker's.
        ``merge_people`` joins one with the asker, and ``keep_apart`` says that they are somebody else.
        """
        with self._store.reading(only_own=True):
            return self._store.me.may_be_too()

    def nicknames(self) -> dict[str, Person]:
        """What the asker calls people in questions, such as "mum", and whom each of these names means."""
        with self._store.reading():
            people = {person.id: person for person in self._store.people.all()}
            called = self._store.nicknames.all().items()
            return {name: people[person] for name, person in called if person in people}

    def set_nickname(self, nickname: str, person: str | int | None) -> Person | None:
        """Say whom a name means in questions; None removes it. Returns that person.

        Raises ``NotFound``, or ``BadSetting`` for a name that somebody has already.
        """
        nickname = " ".join(nickname.split())
        with self._store.reading():
            chosen = None if person is None else one_person(self._store, person)
            if chosen is None:
                known = {spelling_key(one) for one in self._store.nicknames.all()}
                if spelling_key(nickname) not in known:
                    raise NotFound(f"{nickname!r} is no nickname of anybody.")
            else:
                may_be_nickname(self._store, nickname, chosen)
                name = self._store.people.spellings()[chosen][0]
        with self._store.transaction():
            if chosen is None:
                self._store.nicknames.remove(nickname)
            else:
                self._store.nicknames.set(nickname, name)
        return None if chosen is None else self.nicknames().get(nickname)

    # --- what to ask, and how good it was -----------------------------------------------------------

    def suggestions(
        self, answer: Answer | None = None, count: int = 4, *, near: bool = False
    ) -> tuple[str, ...]:
        """Questions that the messages suggest: at the start, or after ``answer``. Uses no model.

        With ``near`` only those about the messages of the answer, for questions that filters limit.
        """
        with self._store.reading():
            if answer is not None:
                return follow_ups(self._store, answer, count, near=near)
            return () if near else openers(self._store, count)

    def overview_questions(self, count: int = 10) -> tuple[str, ...]:
        """Overview questions that these messages have something to say to. Uses no model."""
        with self._store.reading():
            return tuple(islice(overviews(self._store), count))

    def rate(self, answer: Answer, *, liked: bool | None) -> None:
        """Store a like or dislike of an answer in the database; None removes it."""
        rate(self._store, answer, liked=liked)

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
            identity = self._store.people.written(name)
        if identity is None:
            raise NotFound(nobody(name, self._store))
        entity = self._store.people.entity(identity) if canonical else None
        return entity.id if entity else identity


def _who_what(message: Message) -> tuple[str, str]:
    return message.sender, message.text
