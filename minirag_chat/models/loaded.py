"""The models in memory: loaded when first needed, shared by all ``ChatMemory`` objects that get them."""

from __future__ import annotations

import threading
from typing import Literal

from minirag_chat.errors import MiniRagChatError, ModelError, ModelTooLarge
from minirag_chat.models.choose import ChosenModel, choose_model, load_chat_model
from minirag_chat.models.embedder import embedder_name, load_embedder
from minirag_chat.models.fair_queue import FairQueue
from minirag_chat.models.permission import permitted
from minirag_chat.models.protocols import ChatModel, Embedder, Ranker
from minirag_chat.models.ranker import find_ranker, load_found
from minirag_chat.settings import Settings

State = Literal["waiting", "loading", "ready", "failed", "closed"]


class LoadedModels:
    """Embedders, rankers and a language model, each loaded once. Thread-safe.

    An embedder or ranker that is given is used for every database; one for an embedder that is given is
    not loaded.
    ``turns`` is the queue in which a server's users wait for them.
    """

    def __init__(
        self,
        settings: Settings,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        ranker: Ranker | None = None,
    ) -> None:
        self.settings = settings
        self.turns = FairQueue(settings.most_waiting, settings.answers_at_once)
        self.state: State = "waiting" if chat_model is None else "ready"
        self.problem = ""
        self._given = embedder, ranker
        self._embedders: dict[str, Embedder] = {}
        self._rankers: dict[str, Ranker] = {}
        self._chat_model = chat_model
        self._choice: ChosenModel | None = None  # of the model in memory
        self._embedder_lock = threading.Lock()
        self._model_lock = threading.Lock()  # its own lock, because loading takes long

    @property
    def loaded(self) -> ChatModel | None:
        """The language model, if one is in memory."""
        return self._chat_model

    def choice(self) -> ChosenModel:
        """Which model reads, and why. Raises ``ModelError`` or ``BadSetting``.

        For a model in memory, the choice made when it was loaded: its memory is no longer free.
        """
        return self._choice or choose_model(self.settings)

    def embedder_name(self, made_by: str | None = None) -> str:
        """The name of :meth:`embedder`, which need not be in memory for it."""
        given, _ = self._given
        return given.name if given else embedder_name(self.settings, made_by)

    def embedder(self, made_by: str | None = None) -> Embedder:
        """The embedder for a database whose vectors ``made_by`` made. Raises ``ModelError``."""
        given, _ = self._given
        if given is not None:
            return given
        name = self.embedder_name(made_by)
        with self._embedder_lock:
            if name not in self._embedders:
                self._embedders[name] = load_embedder(self.settings, made_by)
            return self._embedders[name]

    def ranker(self, made_by: str | None = None) -> Ranker | None:
        """The ranker of that embedder: the package's own, or what was given. Raises ``ModelError``."""
        embedder, ranker = self._given
        if embedder is not None or ranker is not None:
            return ranker
        found = find_ranker(self.settings, made_by)
        if found is None:
            return None
        card, encoder = found
        with self._embedder_lock:
            if card.name not in self._rankers:
                self._rankers[card.name] = load_found(card, encoder)
            return self._rankers[card.name]

    def chat_model(self) -> ChatModel | None:
        """The language model; None for the extractive reader. Raises ``ModelError``, also once closed.

        A permission that any process gave or withdrew in the meantime takes effect at once.
        """
        with self._model_lock:
            self._must_be_open()
            if self.state == "ready" and self._choice and self._allowed_otherwise(self._choice):
                self._free()
            if self.state != "ready":
                self.state = "loading"
                try:
                    choice = self._load()
                except MiniRagChatError as error:
                    self.state, self.problem = "failed", str(error)
                    raise
                except BaseException as error:
                    self.state = "failed"
                    self.problem = f"The model was not loaded ({type(error).__name__})."
                    raise
                self.state, self.problem, self._choice = "ready", "", choice
            return self._chat_model

    def _load(self) -> ChosenModel:
        """Load the chosen model; with ``auto``, choose again if it does not fit after all."""
        choice = choose_model(self.settings)
        try:
            self._chat_model = load_chat_model(self.settings, choice)
        except ModelTooLarge:
            if self.settings.model != "auto":
                raise
            choice = choose_model(self.settings)  # the libraries take memory now
            self._chat_model = load_chat_model(self.settings, choice)
        return choice

    def use(self, settings: Settings) -> None:
        """Use the model of ``settings`` from now on; the loaded one is freed.

        Raises ``ModelError`` or ``BadSetting`` before anything changes. Waits for a question that the
        model is answering only if the model's ``close`` does.
        """
        choose_model(settings)
        with self._model_lock:
            self._must_be_open()
            self._free()
            self.settings = settings

    def _allowed_otherwise(self, choice: ChosenModel) -> bool:
        """Whether messages may now be sent to another server than when the model was chosen."""
        decides = self.settings.model in {"auto", "server"} and not self.settings.server_url
        return decides and permitted(self.settings) != choice.permission

    def _free(self) -> None:
        if self._chat_model is not None:
            self._chat_model.close()
        self._chat_model, self.state, self.problem = None, "waiting", ""
        self._choice = None

    def close(self) -> None:
        """Free the language model; none is loaded from then on."""
        with self._model_lock:
            self._free()
            self.state = "closed"

    def _must_be_open(self) -> None:
        if self.state == "closed":
            raise ModelError(
                "The language model was closed with the memory that it belongs to: open that memory "
                "again, and close it last."
            )
