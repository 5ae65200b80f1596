"""The base class of wrappers around a run's chat model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from minirag_chat.models.protocols import ChatModel, ChoiceProbabilities, never
from minirag_chat.records import Turn


class ModelWrapper(ABC):
    """Base of the wrappers that count prompts or cache replies.

    Subclasses implement ``stream`` and ``choose_each``.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    def count_tokens(self, text: str) -> int:
        """The tokens of a text, counted by the model."""
        return self._model.count_tokens(text)

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> ChoiceProbabilities | None:
        """:meth:`choose_each` for one prompt."""
        return self.choose_each([turns], choices, cancelled=cancelled)[0]

    @abstractmethod
    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[ChoiceProbabilities | None]:
        """The probabilities of the choices, for each prompt."""

    def close(self) -> None:
        """Free the model's memory."""
        self._model.close()
