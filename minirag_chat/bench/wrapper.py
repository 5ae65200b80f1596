"""The base class of wrappers around a run's chat model."""

from __future__ import annotations

from minirag_chat.models.protocols import ChatModel


class ModelWrapper:
    """Base of the wrappers that count prompts or cache replies.

    Subclasses implement ``stream`` and ``choose``.
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

    def close(self) -> None:
        """Free the model's memory."""
        self._model.close()
