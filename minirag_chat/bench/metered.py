"""A chat model that counts the tokens of its prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from minirag_chat.models.protocols import ChatModel, State, StateModel, never
from minirag_chat.records import Turn


class MeteredModel:
    """Passes everything on to ``model``."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.prompts: list[int] = []
        self.state: State | None = None

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
        **options: Any,
    ) -> Iterator[str]:
        """Count the prompt, then pass on."""
        self._meter(turns)
        return self._model.stream(
            turns, max_new_tokens=max_new_tokens, cancelled=cancelled, **options
        )

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> tuple[float, ...] | None:
        """Count the prompt, then pass on."""
        self._meter(turns)
        return self._model.choose(turns, choices, cancelled=cancelled)

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[tuple[float, ...] | None]:
        """Count the prompts, then pass on."""
        for turns in prompts:
            self._meter(turns)
        return self._model.choose_each(prompts, choices, cancelled=cancelled)

    def close(self) -> None:
        """Free the model's memory."""
        self._model.close()

    def _meter(self, turns: Sequence[Turn]) -> None:
        self.prompts.append(self._model.count_tokens("\n".join(turn.content for turn in turns)))


class MeteredStateModel(MeteredModel):
    """Keeps the last hidden state too."""

    @property
    def weights(self) -> str:
        """The model's own."""
        return self._inside.weights

    @property
    def _inside(self) -> StateModel:
        return cast("StateModel", self._model)

    def choose_with_state(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> tuple[tuple[float, ...], State] | None:
        """Count the prompt, keep the state, pass both on."""
        self._meter(turns)
        seen = self._inside.choose_with_state(turns, choices, cancelled=cancelled)
        self.state = None if seen is None else seen[1]
        return seen


def metered(model: ChatModel) -> MeteredModel:
    """The model, counted; one that shows its states still does."""
    return MeteredStateModel(model) if isinstance(model, StateModel) else MeteredModel(model)
