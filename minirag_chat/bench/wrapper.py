"""The base of what stands between a run and its chat model."""

from __future__ import annotations

from minirag_chat.models.protocols import ChatModel


class ModelWrapper:
    """Base of the wrappers that count or remember what a model is asked.

    Who derives from it answers and chooses.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    def count_tokens(self, text: str) -> int:
        """What the model counts."""
        return self._model.count_tokens(text)

    def close(self) -> None:
        """Free the model's memory."""
        self._model.close()
