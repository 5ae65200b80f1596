"""Replies of earlier runs: greedy decoding says the same to the same prompt, so ask it only once.

A run without a step changes the prompts of some questions; only those are put to the model.
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
    """Passes on to ``model`` what ``file`` has no reply to, and adds the reply to it.

    ``reused`` counts the replies that were taken from the file.
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
        """The reply in one piece where it is known."""
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

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> ChoiceProbabilities | None:
        """:meth:`choose_each` for one prompt."""
        return self.choose_each([turns], choices, cancelled=cancelled)[0]

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[ChoiceProbabilities | None]:
        """Only the prompts that were not asked before are read, side by side."""
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
    """The same for a model that was trained to read."""

    def __init__(self, reader: ChatReader, file: Path) -> None:
        super().__init__(reader, file)
        self._reader = reader

    def silence(
        self, turns: Sequence[Turn], *, cancelled: Callable[[], bool] = never
    ) -> float | None:
        """The log-odds where they are known."""
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
        """The same pieces where the reply is known."""
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
    """A model that remembers, and reads chats where ``model`` does."""
    if isinstance(model, ChatReader):
        return RememberingReader(model, file)
    return RememberingModel(model, file)


def _choice(row: dict[str, Any]) -> ChoiceProbabilities:
    return tuple(row["shares"])
