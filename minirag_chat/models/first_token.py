"""The probability of each of a few words as the first word of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minirag_chat.errors import ModelError


def first_tokens(tokenizer: Any, choices: Sequence[str], name: str) -> list[set[int]]:
    """The tokens that each choice may begin with, with or without a space before it.

    Raises ``ModelError`` if two choices begin with the same token.
    """
    firsts = [
        {
            tokenizer(variant, add_special_tokens=False)["input_ids"][0]
            for variant in (choice, f" {choice}")
        }
        for choice in choices
    ]
    for place, tokens in enumerate(firsts):
        if any(tokens & other for other in firsts[:place]):
            raise ModelError(
                f"The choices {', '.join(choices)} begin alike for {name}; "
                "give choices that differ in their first letters."
            )
    return firsts


def probabilities(logits: Any, firsts: Sequence[set[int]]) -> tuple[float, ...]:
    """The probability of each choice, normalised to sum to 1; ``logits`` has shape (vocabulary,)."""
    import torch

    row = torch.softmax(logits.float(), dim=-1)
    found = [float(row[sorted(tokens)].sum()) for tokens in firsts]
    total = sum(found)
    return tuple(share / total if total > 0 else 1 / len(found) for share in found)
