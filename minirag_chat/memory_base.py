"""A database with the models that read it: shared, tuned, tidied. ``ChatMemory`` asks it."""

from __future__ import annotations

import copy
from itertools import islice
from pathlib import Path
from typing import Any, Self

from minirag_chat import trash
from minirag_chat.feedback import rate
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import ChatModel, Embedder
from minirag_chat.records import Answer, Chat
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.suggest import follow_ups, openers, overviews


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

    # --- deleting with undo ------------------------------------------------------------------------

    def trash_chat(self, chat: str | int) -> Chat:
        """Take a chat out of sight; :meth:`restore_chat` undoes it, :meth:`empty_trash` wipes it."""
        return trash.put(self._store, chat)

    def trashed_chats(self) -> list[Chat]:
        """The chats that were deleted and can still be restored."""
        with self._store.reading():
            hidden = trash.trashed(self._store)
            return [chat for chat in self._store.messages.chats() if chat.id in hidden]

    def restore_chat(self, chat: int) -> None:
        """Bring a chat back from the trash. Raises ``NotFound``."""
        trash.restore(self._store, chat, self.settings, self._load_embedder())

    def empty_trash(self) -> int:
        """Delete for good what is in the trash, and wipe it; returns how many chats that were."""
        return trash.empty(self._store)

    # --- inside ------------------------------------------------------------------------------------

    def _remembered(self) -> list[tuple[str, str]]:
        """The conversation so far; a new one where words were deleted since, by whomever."""
        deleted = self._store.wiping.asked()
        if deleted != self._conversation_of:
            self._conversation.clear()
            self._conversation_of = deleted
        return self._conversation

    def _kept_chats(self) -> list[Chat]:
        hidden = trash.trashed(self._store)
        return [chat for chat in self._store.messages.chats() if chat.id not in hidden]

    @property
    def _model(self) -> ChatModel | None:
        return self._models.loaded

    def _load_embedder(self) -> Embedder:
        return self._models.embedder()

    def _load_model(self) -> ChatModel | None:
        return self._models.chat_model()
