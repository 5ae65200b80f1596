"""A cache of replies: greedy decoding gives the same reply to the same prompt, so ask only once.

A run without a step changes the prompts of some questions; only these are sent to the model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from minirag_chat.bench.lines import appending, read_rows
from minirag_chat.bench.wrapper import ModelWrapper
from minirag_chat.models.protocols import ChatModel, ChatReader, ChoiceProbabilities, Piece, never
from minirag_chat.records import Turn


class RememberingModel(ModelWrapper):
    """Caches replies in ``file``; asks ``model`` only for those that are not there.

    ``reused`` counts the cache hits.
    """

    def __init__(self, model: ChatModel, file: Path) -> None:
        super().__init__(model)
        self._file = file
        self._known = {row["key"]: row for row in read_rows(file) if "key" in row}
        self.reused = 0

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        """Stream the reply; a cached one comes in one piece."""
        key = self._key(turns, max_new_tokens)
        known = self._take(key)
        if known is not None:
            yield str(known["text"])
            return
        text = ""
        for piece in self._model.stream(turns, max_new_tokens=max_new_tokens, cancelled=cancelled):
            text += piece
            yield piece
        if not cancelled():
            self._keep({"key": key, "text": text})

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[ChoiceProbabilities | None]:
        """Send only the prompts that are not cached, as one batch."""
        keys = [self._key(turns, ["choose", *choices]) for turns in prompts]
        rows = [self._take(key) for key in keys]
        new = [turns for turns, row in zip(prompts, rows, strict=True) if row is None]
        made = iter(self._model.choose_each(new, choices, cancelled=cancelled) if new else ())
        return [
            self._chosen(key, next(made)) if row is None else _choice(row)
            for key, row in zip(keys, rows, strict=True)
        ]

    def _chosen(self, key: str, choice: ChoiceProbabilities | None) -> ChoiceProbabilities | None:
        if choice is not None:
            self._keep({"key": key, "shares": choice})
        return choice

    def _key(self, turns: Sequence[Turn], asked: object) -> str:
        whole = json.dumps([self._model.name, [asdict(turn) for turn in turns], asked])
        return hashlib.sha256(whole.encode()).hexdigest()

    def _take(self, key: str) -> dict[str, Any] | None:
        known = self._known.get(key)
        self.reused += known is not None
        return known

    def _keep(self, row: dict[str, Any]) -> None:
        self._known[row["key"]] = row
        with appending(self._file) as to:
            to.add(row)


class RememberingReader(RememberingModel):
    """The same cache for a model that was trained to read."""

    def __init__(self, reader: ChatReader, file: Path) -> None:
        super().__init__(reader, file)
        self._reader = reader

    def silence(
        self, turns: Sequence[Turn], *, cancelled: Callable[[], bool] = never
    ) -> float | None:
        """The log-odds, from the cache if possible."""
        key = self._key(turns, "silence")
        known = self._take(key)
        if known is not None:
            return float(known["silence"])
        silence = self._reader.silence(turns, cancelled=cancelled)
        if silence is not None:
            self._keep({"key": key, "silence": silence})
        return silence

    def read(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[Piece]:
        """Stream the reply; a cached one comes in the same pieces."""
        key = self._key(turns, ["read", max_new_tokens])
        known = self._take(key)
        if known is not None:
            yield from (Piece(text, chance) for text, chance in known["pieces"])
            return
        pieces = []
        for piece in self._reader.read(turns, max_new_tokens=max_new_tokens, cancelled=cancelled):
            pieces.append([piece.text, piece.log_probability])
            yield piece
        if not cancelled():
            self._keep({"key": key, "pieces": pieces})


def remembering(model: ChatModel, file: Path) -> RememberingModel:
    """A model that caches replies, and reads chats if ``model`` does."""
    if isinstance(model, ChatReader):
        return RememberingReader(model, file)
    return RememberingModel(model, file)


def _choice(row: dict[str, Any]) -> ChoiceProbabilities:
    return tuple(row["shares"])
