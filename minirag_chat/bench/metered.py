"""A chat model that counts the tokens of its prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from minirag_chat.bench.replies import RememberingModel
from minirag_chat.bench.wrapper import ModelWrapper
from minirag_chat.models.protocols import ChatModel, ChatReader, ChoiceProbabilities, Piece, never
from minirag_chat.records import Turn


class MeteredModel(ModelWrapper):
    """Counts prompts, and delegates everything to ``model``."""

    def __init__(self, model: ChatModel) -> None:
        super().__init__(model)
        self.prompts: list[int] = []

    @property
    def reused(self) -> int:
        """How many replies were taken from an earlier run, not from the model."""
        return self._model.reused if isinstance(self._model, RememberingModel) else 0

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        """Count the prompt, then delegate."""
        self._meter(turns)
        return self._model.stream(turns, max_new_tokens=max_new_tokens, cancelled=cancelled)

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[ChoiceProbabilities | None]:
        """Count the prompts, then delegate."""
        for turns in prompts:
            self._meter(turns)
        return self._model.choose_each(prompts, choices, cancelled=cancelled)

    def _meter(self, turns: Sequence[Turn]) -> None:
        self.prompts.append(self._model.count_tokens("\n".join(turn.content for turn in turns)))


class MeteredReader(MeteredModel):
    """A metered model that was trained to read."""

    def __init__(self, reader: ChatReader) -> None:
        super().__init__(reader)
        self._reader = reader

    def silence(
        self, turns: Sequence[Turn], *, cancelled: Callable[[], bool] = never
    ) -> float | None:
        """Count the prompt, then delegate."""
        self._meter(turns)
        return self._reader.silence(turns, cancelled=cancelled)

    def read(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[Piece]:
        """Delegate; :meth:`silence` has counted the prompt."""
        return self._reader.read(turns, max_new_tokens=max_new_tokens, cancelled=cancelled)


def metered(model: ChatModel) -> MeteredModel:
    """A model that counts prompts, and reads chats if ``model`` does."""
    return MeteredReader(model) if isinstance(model, ChatReader) else MeteredModel(model)
