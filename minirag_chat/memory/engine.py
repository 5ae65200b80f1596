"""``ChatMemory``, the only thing that the faces call: every method, with the part that carries it out.

Synchronous and thread-safe.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from minirag_chat.errors import StoreError
from minirag_chat.memory import trash
from minirag_chat.memory.asking import Asking
from minirag_chat.memory.context import MemoryContext, Part
from minirag_chat.memory.deletions import Deletions
from minirag_chat.memory.exploring import Exploring
from minirag_chat.memory.finding import Finding
from minirag_chat.memory.given_answers import GivenAnswers
from minirag_chat.memory.importing import Importing
from minirag_chat.memory.indexes import Indexes
from minirag_chat.memory.library import Library
from minirag_chat.memory.media import Media
from minirag_chat.memory.sharing import Sharing
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import ChatModel, Embedder
from minirag_chat.records import Person
from minirag_chat.settings import Settings, is_address
from minirag_chat.store import Store
from minirag_chat.store.opening import ignore_status
from minirag_chat.system.file_paths import given_path

if TYPE_CHECKING:
    from minirag_chat.memory.remote import RemoteMemory

Worker = TypeVar("Worker", bound=Part)
Given = ParamSpec("Given")
Result = TypeVar("Result")


def _by(
    part: type[Worker], method: Callable[Concatenate[Worker, Given], Result]
) -> Callable[Concatenate[ChatMemory, Given], Result]:
    """A method of ``ChatMemory`` that delegates to one of its parts.

    For mypy a method with ``**options`` needs ``self, /``: an option could be called "self".
    """

    @wraps(method)
    def call(memory: ChatMemory, /, *args: Given.args, **named: Given.kwargs) -> Result:
        return method(memory.part(part), *args, **named)

    return call


class ChatMemory:
    """A person's messages, ready to be asked.

    ::

        with ChatMemory.open("chats.db") as memory:
            memory.add("WhatsApp Chat with Ann.txt")
            answer = memory.ask("When is Ann moving?", people=["Ann"], since="2026-01-01")
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        *,
        models: LoadedModels | None = None,
        given: GivenAnswers | None = None,
    ) -> None:
        self.settings = settings
        self._store = store
        self.models = models or LoadedModels(settings, embedder, chat_model)
        self._owns_models = models is None
        self._given = given or GivenAnswers()
        context = MemoryContext(store, settings, self.models, self._given)
        finding, library, indexes = Finding(context), Library(context), Indexes(context)
        asking = Asking(context, finding, indexes)
        exploring = Exploring(context, library, finding, asking)
        parts = (
            asking, finding, library, indexes, exploring,
            Importing(context), Media(context), Deletions(context), Sharing(context),
        )  # fmt: skip
        self._parts: dict[type[Part], Any] = {type(part): part for part in parts}

    def part(self, part: type[Worker]) -> Worker:
        """The part of this class; the parts do the work."""
        found: Worker = self._parts[part]
        return found

    # --- opened and closed ---------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        models: LoadedModels | None = None,
        told: Callable[[str], None] = ignore_status,
        passphrase: str | None = None,
        everybody: bool = False,
    ) -> Self:
        """Open or create the database at ``path``, a file or a PostgreSQL address (default: the settings').

        Models are loaded when first needed, or given here; this memory frees them when it is closed.
        ``models`` instead may be shared by many memories: whoever made them closes them. ``told`` is
        called with a sentence when another process or a wiping keeps a call waiting. With a
        ``passphrase`` a new database is encrypted. A database with users is opened for the settings'
        ``user``; with ``everybody`` for no user, as the owner of its tables. Raises ``StoreError``
        and its subclasses.
        """
        settings = settings or Settings.make()
        if path is None:
            path = settings.place
        user = None if everybody and not settings.user else settings.user
        place = path if is_address(path) else given_path(path)
        store = Store.open(place, told, passphrase, user=user)
        try:
            store.must_be_complete()
            store.messages.given_date_order = settings.date_order or None
            trash.empty_old(store)
        except BaseException:
            store.close()
            raise
        return cls(store, settings, embedder, chat_model, models=models)

    @staticmethod
    def connect(
        db: str | Path | None = None, url: str | None = None, token: str = ""
    ) -> RemoteMemory:
        """A memory in the running Jupyter server, which many notebooks share; see ``remote``."""
        from minirag_chat.memory.remote import connect

        return connect(db, url, token)

    def beside(self, path: str | Path) -> Self:
        """Open another database (``:memory:`` for a temporary one) with the same models.

        Close this memory last: it owns the models.
        """
        store = Store.open(path)
        store.messages.given_date_order = self.settings.date_order or None
        return type(self)(store, self.settings, models=self.models)

    def tuned(self, **changes: Any) -> Self:
        """The same messages and models under other settings, with a conversation of its own.

        Both use one database: close only this memory, once the new one is no longer used. The model
        is changed by :meth:`use_model` instead. Raises ``BadSetting``.
        """
        changed = Settings.make(**{**self.settings.model_dump(), **changes})
        return type(self)(self._store, changed, models=self.models, given=self._given)

    def close(self) -> None:
        """Close the database, and free the models unless they are shared."""
        self._store.close()
        if self._owns_models:
            self.models.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- models --------------------------------------------------------------------------------------

    def use_model(self, name: str) -> None:
        """Read with another model from now on: ``auto``, ``extractive``, or a catalog name.

        It is loaded with the next question or :meth:`warm_up`. Raises ``ModelError``.
        """
        values = {**self.models.settings.model_dump(), "model": name}
        self.models.use(Settings.make(**values))

    warm_up = _by(Asking, Asking.warm_up)

    # --- questions -----------------------------------------------------------------------------------

    ask = _by(Asking, Asking.ask)
    stream = _by(Asking, Asking.stream)
    forget_conversation = _by(Asking, Asking.forget_conversation)
    retrieve = _by(Finding, Finding.retrieve)
    explain = _by(Exploring, Exploring.explain)
    compare = _by(Exploring, Exploring.compare)
    suggestions = _by(Library, Library.suggestions)
    overview_questions = _by(Library, Library.overview_questions)
    rate = _by(Library, Library.rate)

    # --- looking around ------------------------------------------------------------------------------

    info = _by(Library, Library.info)
    chats = _by(Library, Library.chats)
    people = _by(Library, Library.people)
    messages = _by(Library, Library.messages)
    entities = _by(Library, Library.entities)
    relations = _by(Library, Library.relations)
    search = _by(Library, Library.search)
    close_words = _by(Library, Library.close_words)
    conversation = _by(Library, Library.conversation)
    present = _by(Library, Library.present)
    outdated = _by(Library, Library.outdated)
    wipings = _by(Library, Library.wipings)
    deleted_so_far = _by(Library, Library.deleted_so_far)
    timeline = _by(Exploring, Exploring.timeline)
    who_talks_to_whom = _by(Exploring, Exploring.who_talks_to_whom)
    neighbourhood = _by(Exploring, Exploring.neighbourhood)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """How IPython shows this memory: as its ``info``."""
        try:
            return self.info()._repr_mimebundle_()
        except StoreError as error:  # it is closed, for example
            return {"text/plain": str(error)}

    def idle(self, seconds: float = 0.0) -> bool:
        """Whether the database's lock is free within ``seconds``; an import may hold it."""
        if not self._store.lock.acquire(timeout=seconds):
            return False
        self._store.lock.release()
        return True

    def must_be_free(self, seconds: float) -> None:
        """Raise ``DatabaseLocked`` if a change would wait longer than this for another program.

        For faces on which nobody sees that a change waits, which may take minutes during an import.
        """
        self._store.must_be_free(seconds)

    # --- who is who ----------------------------------------------------------------------------------

    @property
    def me(self) -> Person | None:
        """Who asks: "I" and "my" in a question mean this person. None where that is not known."""
        return self.part(Library).me

    set_me = _by(Library, Library.set_me)
    likely_me = _by(Library, Library.likely_me)
    only_called = _by(Library, Library.only_called)
    may_be_me_too = _by(Library, Library.may_be_me_too)
    merge_people = _by(Library, Library.merge_people)
    split_person = _by(Library, Library.split_person)
    keep_apart = _by(Library, Library.keep_apart)
    suggest_people = _by(Library, Library.suggest_people)
    nicknames = _by(Library, Library.nicknames)
    set_nickname = _by(Library, Library.set_nickname)

    # --- importing and indexing ----------------------------------------------------------------------

    add = _by(Importing, Importing.add)
    watch = _by(Importing, Importing.watch)
    arrivals = _by(Importing, Importing.arrivals)
    index = _by(Importing, Importing.index)
    index_left = _by(Indexes, Indexes.index_left)
    build = _by(Indexes, Indexes.build)
    has_index = _by(Indexes, Indexes.has_index)
    index_slm = _by(Indexes, Indexes.index_slm)
    slm_cost = _by(Indexes, Indexes.slm_cost)
    slm_chunks = _by(Indexes, Indexes.slm_chunks)
    media = _by(Media, Media.media)
    media_of = _by(Media, Media.media_of)
    files_of = _by(Media, Media.files_of)
    read_media = _by(Media, Media.read_media)

    # --- deleting ------------------------------------------------------------------------------------

    delete = _by(Deletions, Deletions.delete)
    preview_delete = _by(Deletions, Deletions.preview_delete)
    delete_chat = _by(Deletions, Deletions.delete_chat)
    replace_name = _by(Deletions, Deletions.replace_name)
    preview_name = _by(Deletions, Deletions.preview_name)
    deletions = _by(Deletions, Deletions.deletions)
    restore = _by(Deletions, Deletions.restore)
    empty_trash = _by(Deletions, Deletions.empty_trash)

    # --- other users ---------------------------------------------------------------------------------

    share = _by(Sharing, Sharing.share)
    unshare = _by(Sharing, Sharing.unshare)
    shared_with = _by(Sharing, Sharing.shared_with)
    other_users = _by(Sharing, Sharing.other_users)
