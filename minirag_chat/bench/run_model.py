"""The chat model of a run: it counts the tokens of its prompts, and may keep its replies.

Greedy decoding gives the same reply to the same prompt, so each prompt is sent only once. A run that leaves
out a step changes the prompts of some questions; only these are sent to the model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from minirag_chat.bench.run_output import appending, read_rows
from minirag_chat.models.protocols import ChatModel, ChatReader, ChoiceProbabilities, Piece
from minirag_chat.records import Cancelled, Turns, never


class RunModel:
    """Asks ``model`` only if ``file`` has no reply to the prompt yet; without a file no reply is stored.

    ``prompts`` are the numbers of tokens of the prompts, ``reused`` counts the replies taken from the file.
    """

    def __init__(self, model: ChatModel, file: Path | None = None) -> None:
        self._model = model
        self._file = file
        self._known = {row["key"]: row for row in read_rows(file) if "key" in row} if file else {}
        self.reused = 0
        self.prompts: list[int] = []

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    def count_tokens(self, text: str) -> int:
        """The tokens of a text, counted by the model."""
        return self._model.count_tokens(text)

    def stream(
        self, turns: Turns, *, max_new_tokens: int, cancelled: Cancelled = never
    ) -> Iterator[str]:
        """Stream the reply; a kept one comes in one piece."""
        self._count(turns)
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
        self, prompts: Sequence[Turns], choices: Sequence[str], *, cancelled: Cancelled = never
    ) -> list[ChoiceProbabilities | None]:
        """The probabilities of the choices; only prompts without a kept reply are sent, as one batch."""
        for turns in prompts:
            self._count(turns)
        keys = [self._key(turns, ["choose", *choices]) for turns in prompts]
        rows = [self._take(key) for key in keys]
        new = [turns for turns, row in zip(prompts, rows, strict=True) if row is None]
        made = iter(self._model.choose_each(new, choices, cancelled=cancelled) if new else ())
        found: list[ChoiceProbabilities | None] = []
        for key, row in zip(keys, rows, strict=True):
            shares = next(made) if row is None else tuple(row["shares"])
            if row is None and shares is not None:
                self._keep({"key": key, "shares": shares})
            found.append(shares)
        return found

    def close(self) -> None:
        """Free the model's memory."""
        self._model.close()

    def _count(self, turns: Turns) -> None:
        self.prompts.append(self.count_tokens("\n".join(turn.content for turn in turns)))

    def _key(self, turns: Turns, asked: object) -> str:
        whole = json.dumps([self.name, [asdict(turn) for turn in turns], asked])
        return hashlib.sha256(whole.encode()).hexdigest()

    def _take(self, key: str) -> dict[str, Any] | None:
        known = self._known.get(key)
        self.reused += known is not None
        return known

    def _keep(self, row: dict[str, Any]) -> None:
        if self._file is not None:
            self._known[row["key"]] = row
            with appending(self._file) as to:
                to.add(row)


class RunReader(RunModel):
    """``RunModel`` for a model that was trained to read chats."""

    def __init__(self, reader: ChatReader, file: Path | None = None) -> None:
        super().__init__(reader, file)
        self._reader = reader

    def silence(self, turns: Turns, *, cancelled: Cancelled = never) -> float | None:
        """The log-odds, taken from the file if it has them."""
        self._count(turns)
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
        turns: Turns,
        *,
        max_new_tokens: int,
        several: bool = False,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """Stream the reply, a kept one in the same pieces; :meth:`silence` has counted the prompt."""
        key = self._key(turns, ["read", max_new_tokens, *["several"] * several])
        known = self._take(key)
        if known is not None:
            yield from (Piece(text, chance) for text, chance in known["pieces"])
            return
        pieces = []
        for piece in self._reader.read(
            turns, max_new_tokens=max_new_tokens, several=several, cancelled=cancelled
        ):
            pieces.append([piece.text, piece.log_probability])
            yield piece
        if not cancelled():
            self._keep({"key": key, "pieces": pieces})


def run_model(model: ChatModel, file: Path | None = None) -> RunModel:
    """The model of a run, which reads chats if ``model`` does."""
    return RunReader(model, file) if isinstance(model, ChatReader) else RunModel(model, file)
