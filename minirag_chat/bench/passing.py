"""What stands between a run and its chat model: it passes on what it does not do itself."""

from __future__ import annotations

from typing import Any

from minirag_chat.models.protocols import ChatModel


class PassingModel:
    """The part of ``model`` that is passed on as it is, what only some models can do too.

    Who derives from it answers and chooses.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

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
