"""A language model with the adapter that was trained to read chats, on this machine."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.adapter import Adapter
from minirag_chat.models.prefix_cache import PrefixCache
from minirag_chat.models.protocols import NOT_STATED, Piece
from minirag_chat.models.text_pieces import TextPieces
from minirag_chat.models.transformers_model import (
    Choose,
    StoppedError,
    TransformersChatModel,
    likeliest,
)
from minirag_chat.records import Cancelled, Turns, never

NAMING_MORE = 1.5
"""What is added to the logit of naming another message, if a question asks for several things."""
_NUMBERS = lazy(r"\[\d+(?:\]\[\d+)*")  # "[4][12": a reply that begins to answer, or names one more


class TransformersChatReader(TransformersChatModel):
    """A ``ChatReader``: it reads with its adapter, and does everything else without it.

    Raises what ``TransformersChatModel`` does, and ``ModelCorrupt`` if the adapter does not fit.
    """

    def __init__(self, folder: Path, *, name: str, adapter: Adapter) -> None:
        super().__init__(folder, name=name)
        from minirag_chat.models.adapter_linear import install

        self._switch = install(self._model.get_decoder(), adapter.path)
        self._adapted = PrefixCache(self._empty_cache)
        # The last prompt that ``silence`` read, its logits and cache: ``read`` continues from it.
        self._last_read: tuple[list[int], Any, Any] | None = None
        self._not_token = self._tokenizer(NOT_STATED, add_special_tokens=False)["input_ids"][0]
        self._next_number = self._tokenizer("][", add_special_tokens=False)["input_ids"]

    def silence(self, turns: Turns, *, cancelled: Cancelled = never) -> float | None:
        """The log-odds of "Not stated."; None if ``cancelled``."""
        import torch

        prompt = self._encode(turns, 1)
        with (
            contextlib.suppress(StoppedError),
            self._turn(cancelled),
            self._with_adapter(),
            torch.inference_mode(),
        ):
            logits, cache = self._read(prompt, self._adapted)
            self._last_read = prompt, logits, cache
            return log_odds(logits, self._not_token)
        return None

    def read(
        self,
        turns: Turns,
        *,
        max_new_tokens: int,
        several: bool = False,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """Yield the reply in pieces; it never is "Not stated.".

        If ``several`` things are asked for, it names another message also where that is a little less
        likely than to begin the answer.
        """
        prompt = self._encode(turns, max_new_tokens)
        pieces = TextPieces(self._decode)
        with contextlib.suppress(StoppedError), self._turn(cancelled), self._with_adapter():
            waiting = 0.0
            choose = self._naming_more if several else likeliest
            for token, log_probability in self._answered(prompt, max_new_tokens, choose):
                waiting += log_probability
                if piece := pieces.add(token):
                    yield Piece(piece, waiting)
                    waiting = 0.0
            if piece := pieces.end():
                yield Piece(piece, waiting)

    def close(self) -> None:
        """Free the memory; the model cannot be used afterwards."""
        with self._lock:
            self._adapted.clear()
            self._last_read = None
        super().close()

    @contextlib.contextmanager
    def _with_adapter(self) -> Iterator[None]:
        self._switch.on = True
        try:
            yield
        finally:
            self._switch.on = False

    def _naming_more(self, logits: Any, made: Sequence[int]) -> int:
        """The likeliest token, where another message's number gets ``NAMING_MORE``."""
        if len(self._next_number) == 1 and _NUMBERS.fullmatch(self._decode(made)):
            logits = logits.clone()
            logits[self._next_number] += NAMING_MORE
        return likeliest(logits, made)

    def _answered(
        self, prompt: list[int], max_new_tokens: int, choose: Choose
    ) -> Iterator[tuple[int, float]]:
        """The tokens of an answer, each with its log-probability."""
        import torch

        with torch.inference_mode():
            known, self._last_read = self._last_read, None
            if known is not None and known[0] == prompt:
                _, logits, cache = known
            else:
                logits, cache = self._read(prompt, self._adapted)
            logits = logits.clone()
            logits[self._not_token] = -math.inf
        for token, given in self._likeliest(logits, prompt, cache, max_new_tokens, choose):
            yield token, float(given.float().log_softmax(-1)[token])


def log_odds(logits: Any, token: int) -> float:
    """The log-odds of one token against all others; ``logits`` has shape (vocabulary,)."""
    log_probability = float(logits.double().log_softmax(-1)[token])
    return log_probability - math.log(max(-math.expm1(log_probability), 1e-12))
