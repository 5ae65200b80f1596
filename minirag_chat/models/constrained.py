"""Constrained decoding: the model may only choose tokens that a grammar allows.

llguidance has the parser and computes the token masks, in microseconds each. If the grammar allows only
one continuation, its tokens are taken at once, and the model reads them in one pass.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from minirag_chat.errors import ModelError, first_line


class Grammars:
    """Parses grammars for one tokenizer. Making it takes a second or two: reuse it."""

    def __init__(self, tokenizer: Any, ends: Collection[int], vocabulary: int) -> None:
        from llguidance.hf import from_tokenizer

        self._tokenizer = from_tokenizer(tokenizer, n_vocab=vocabulary, eos_token=sorted(ends))
        self._ends = frozenset(ends)

    def follow(self, grammar: str) -> Follower:
        """A parser at the start of ``grammar``. Raises ``ModelError`` for a grammar that is not valid."""
        from llguidance import LLMatcher

        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
        if matcher.is_error():
            raise ModelError(f"The grammar is not valid ({_said(matcher)}); please report it.")
        return Follower(matcher, self._ends)


class Follower:
    """Follows one text through a grammar while it is written."""

    def __init__(self, matcher: Any, ends: frozenset[int]) -> None:
        self._matcher = matcher
        self._ends = ends

    def next(self, logits: Any) -> list[int]:
        """The likeliest allowed token, and those that must follow it; empty at the end of the text.

        ``logits`` has shape (vocabulary,). Raises ``ModelError``.
        """
        import numpy as np
        import torch

        if self._matcher.is_stopped():
            return []
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        allowed = np.unpackbits(bits, bitorder="little")[: logits.shape[-1]].astype(bool)
        masked = logits.float().masked_fill(
            ~torch.from_numpy(allowed).to(logits.device), float("-inf")
        )
        token = int(masked.argmax())
        if token in self._ends:
            return []
        tokens = [token]
        if self._matcher.consume_token(token):
            forced = self._matcher.compute_ff_tokens()
            tokens += forced
            self._matcher.consume_tokens(forced)
        if self._matcher.is_error():
            raise ModelError(f"The grammar failed ({_said(self._matcher)}); please report it.")
        return tokens


def _said(matcher: Any) -> str:
    return first_line(matcher.get_error() or "no reason given")
