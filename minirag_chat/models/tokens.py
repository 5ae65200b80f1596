"""What single tokens mean: the choices of an answer, the end of a turn, and torch's complaints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minirag_chat.errors import ModelError, ModelTooLarge


def first_tokens(tokenizer: Any, choices: Sequence[str], name: str) -> list[set[int]]:
    """The tokens with which each choice may begin.

    Raises ``ModelError`` where two choices begin with one token.
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


def shares(row: Any, firsts: Sequence[set[int]]) -> tuple[float, ...]:
    """Probabilities by token → those of the choices, summing to 1."""
    found = [float(row[sorted(tokens)].sum()) for tokens in firsts]
    total = sum(found)
    return tuple(share / total if total > 0 else 1 / len(found) for share in found)


def end_tokens(model: Any, tokenizer: Any) -> set[int]:
    """The tokens that end the model's turn."""
    ends = model.generation_config.eos_token_id
    found = set(ends if isinstance(ends, list) else [ends])
    return (found | {tokenizer.eos_token_id, tokenizer.pad_token_id}) - {None}


def what_failed(name: str, error: RuntimeError) -> ModelError:
    """Torch's error as one that says what to do."""
    text = str(error).lower()
    if "out of memory" in text or "can't allocate memory" in text:
        return ModelTooLarge(
            f"{name} ran out of memory; close other programs or use a smaller model."
        )
    return ModelError(f"{name} failed ({(str(error).splitlines() or ['no reason given'])[0]}).")
