"""A chat model that passes everything on to another one: what stands between the two overrides a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minirag_chat.models.protocols import ChatModel, Choice, never
from minirag_chat.records import Turn


class PassingModel:
    """Passes everything on to ``model``, what only some models can do too."""

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

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        """What the model answers."""
        return self._model.stream(turns, max_new_tokens=max_new_tokens, cancelled=cancelled)

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> Choice | None:
        """What the model chooses."""
        return self._model.choose(turns, choices, cancelled=cancelled)

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[Choice | None]:
        """What the model chooses for each."""
        return self._model.choose_each(prompts, choices, cancelled=cancelled)

    def close(self) -> None:
        """Free the model's memory."""
        self._model.close()
