"""A database with the models that read it: shared, tuned, tidied. ``ChatMemory`` asks it."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Self

from minirag_chat.errors import BadQuestion, EmptyMemory, NotFound
from minirag_chat.ingest import unindexed
from minirag_chat.memory import trash
from minirag_chat.memory.deleting import Wanted, one_person
from minirag_chat.memory.feedback import rate
from minirag_chat.memory.filters import make_filters
from minirag_chat.memory.suggest import follow_ups, openers, overviews
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import ChatModel, Embedder
from minirag_chat.names import split_joined
from minirag_chat.question import about, is_first_person, with_person
from minirag_chat.records import Answer, Chat, Deletion, Entity, Person, Question
from minirag_chat.settings import Settings
from minirag_chat.store import Store

WHO_IS_I = (
    "The question says \u201cI\u201d or \u201cmy\u201d, and who you are is not known: say it once, "
    "on the page under People, with `minirag-chat people --me NAME`, or with `memory.set_me(NAME)`."
)


class MemoryBase:
    """What can be done with a memory beside importing and asking."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        *,
        models: LoadedModels | None = None,
    ) -> None:
        self.settings = settings
        self._store = store
        self._models = models or LoadedModels(settings, embedder, chat_model)
        self._lent = models is not None  # another memory owns them
        self._conversation: list[tuple[str, str]] = []
        self._conversation_of = 0  # how often words had been deleted when it was held

    def beside(self, path: str | Path) -> Self:
        """Another database (``:memory:`` for one that is not kept), read by the same models.

        Close this memory last: it owns the models.
        """
        return type(self)(Store.open(path), self.settings, models=self._models)

    def tuned(self, **changes: Any) -> Self:
        """The same messages and models under other settings, with a conversation of its own.

        Raises ``BadSetting``. What concerns models is changed by :meth:`use_model`.
        """
        other = copy.copy(self)
        other.settings = Settings.make(**{**self.settings.model_dump(), **changes})
        other._conversation = []  # noqa: SLF001 - of our own copy
        return other

    def idle(self, seconds: float = 0.0) -> bool:
        """Whether a look at the messages is answered within ``seconds``: an import holds them."""
        if not self._store.lock.acquire(timeout=seconds):
            return False
        self._store.lock.release()
        return True

    # --- models and suggestions --------------------------------------------------------------------

    @property
    def models(self) -> LoadedModels:
        """The models in memory: whether the language model is loaded, and what kept it from it."""
        return self._models

    def use_model(self, name: str) -> None:
        """Read with another model from now on: ``auto``, ``extractive``, or a catalog name.

        It is loaded with the next question or :meth:`warm_up`. Raises ``ModelError``.
        """
        values = {**self._models.settings.model_dump(), "model": name}
        self._models.use(Settings.make(**values))

    def suggestions(self, answer: Answer | None = None, count: int = 4) -> tuple[str, ...]:
        """Questions that the messages suggest: at the start, or after ``answer``. Uses no model."""
        with self._store.reading():
            if answer is None:
                return openers(self._store, count)
            return follow_ups(self._store, answer, count)

    def overview_questions(self, count: int = 10) -> tuple[str, ...]:
        """Overview questions that these messages have something to say to. Uses no model."""
        with self._store.reading():
            return tuple(islice(overviews(self._store), count))

    def rate(self, answer: Answer, *, liked: bool | None) -> None:
        """Keep a like or dislike of an answer in the database; None takes it back."""
        rate(self._store, answer, liked=liked)

    # --- who asks ----------------------------------------------------------------------------------

    @property
    def me(self) -> Person | None:
        """Who asks: "I" and "my" in a question mean this person. None where that is not known."""
        with self._store.reading():
            return self._store.me.person()

    def set_me(self, person: str | int | None) -> Person | None:
        """Say who asks, by a name or a person's id; None says that it is nobody in these messages.

        Returns that person. Raises ``NotFound``.
        """
        with self._store.transaction():
            chosen = None if person is None else one_person(self._store, person)
            self._store.me.set(chosen)
        return self.me

    def likely_me(self, count: int = 8) -> list[Person]:
        """Up to ``count`` people who may be the one who asks, the likeliest first.

        None of them where :meth:`set_me` has been called already.
        """
        with self._store.reading():
            return [] if self._store.me.is_decided() else self._store.me.likely(count)

    # --- deleting with undo ------------------------------------------------------------------------

    def trash_chat(self, chat: str | int) -> Chat:
        """Take a chat out of sight; :meth:`restore_chat` undoes it, :meth:`empty_trash` wipes it."""
        with self._store.reading():
            chats = list(make_filters(self._store, chats=[chat]).chats)
        return trash.put(self._store, Wanted(chats=chats), self._indexing()).whole[0]

    def trashed_chats(self) -> list[Chat]:
        """The chats that were deleted as a whole and can still be restored."""
        return [chat for deletion in self.deletions() for chat in deletion.whole]

    def deletions(self) -> list[Deletion]:
        """What was deleted and can still be restored, the latest first."""
        with self._store.reading():
            return self._store.trash.all()

    def restore_chat(self, chat: int) -> None:
        """Bring a chat back from the trash, with what was deleted with it. Raises ``NotFound``."""
        for deletion in self.deletions():
            if chat in {whole.id for whole in deletion.whole}:
                self.restore(deletion.number)
                return
        raise NotFound(f"The chat {chat} is not in the trash: it was wiped, or is here.")

    def restore(self, number: int | None = None) -> Deletion:
        """Undo a deletion by its ``number``, or the latest one. Raises ``NotFound``."""
        return trash.restore(self._store, number, self._indexing())

    def empty_trash(self) -> int:
        """Delete for good what is in the trash, and wipe it; returns how many deletions that were."""
        return len(trash.empty(self._store))

    # --- inside ------------------------------------------------------------------------------------

    def _checked(self, question: str) -> str:
        text = " ".join(question.split())
        if not text:
            raise BadQuestion('The question is empty: ask something, e.g. "Who is moving in June?"')
        if len(text) > self.settings.max_question_chars:
            raise BadQuestion(
                f"The question has {len(text):,} characters, more than "
                f"{self.settings.max_question_chars:,}: ask for one thing in a sentence or two."
            )
        if not self._store.messages.count():
            raise EmptyMemory(
                "There are no messages yet: import some with `minirag-chat add PATH` first."
            )
        return text

    def _about_me(self, question: str) -> str:
        """A question with the name of who asks it in place of "I" and "my"; inside a read."""
        me = self._store.me.person()
        if me is None:
            return question
        named = [place[:2] for place in self._store.people.index().find(question)]
        return about(question, split_joined(me.name), named)

    def _with_me(self, question: Question) -> Question:
        """A mapped question with who asks it, also where the name is none that a text can hold."""
        me = self._store.me.person()
        if me is None or split_joined(me.name) not in question.text:
            return question
        return with_person(question, Entity(me.id, me.name, "person"))

    def _as_asked(self, answer: Answer, asked: str) -> Answer:
        """An answer that shows the question as it was asked, and on hovering as it was taken."""
        path = answer.path
        if is_first_person(asked):
            nodes = (replace(n, name=asked) if n.type == "question" else n for n in path.nodes)
            path = replace(path, nodes=tuple(nodes))
        return replace(answer, question=asked, path=path)

    def _note(self, asked: str) -> str:
        """What was not looked at as it should be, and who "I" is where nobody said."""
        late = unindexed(self._store, self._load_embedder())
        unknown = self._store.me.person() is None and is_first_person(asked)
        return " ".join(part for part in (late, WHO_IS_I if unknown else "") if part)

    def _remembered(self) -> list[tuple[str, str]]:
        """The conversation so far; a new one where words were deleted since, by whomever."""
        deleted = self._store.wiping.asked()
        if deleted != self._conversation_of:
            self._conversation.clear()
            self._conversation_of = deleted
        return self._conversation

    def _indexing(self) -> trash.Indexing:
        return trash.Indexing(self.settings, self._load_embedder)

    @property
    def _model(self) -> ChatModel | None:
        return self._models.loaded

    def _load_embedder(self) -> Embedder:
        return self._models.embedder()

    def _load_model(self) -> ChatModel | None:
        return self._models.chat_model()
