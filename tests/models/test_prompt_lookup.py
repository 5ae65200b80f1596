"""Guesses of the next tokens, and that they change nothing about what a model writes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_chat.models import transformers_model
from minirag_chat.models.prompt_lookup import guess
from minirag_chat.models.transformers_model import TransformersChatModel
from minirag_chat.records import Turn

PROMPT = [1, 2, 3, 4, 9, 2, 3, 5, 6, 7]
QUOTE = [
    Turn("system", "You repeat what you are told, word for word."),
    Turn("user", "Repeat: The blue boat lies behind the old harbour wall, next to Ann's red van."),
]


@pytest.mark.parametrize(
    ("seen", "guessed"),
    [
        ([], []),
        ([1], []),
        ([*PROMPT, 8], []),
        ([*PROMPT, 4], [9, 2, 3]),
        ([*PROMPT, 3], [5, 6, 7]),  # the latest place
        ([*PROMPT, 1, 2, 3], [4, 9, 2]),  # the longest ending
        ([*PROMPT, 6], [7, 6]),  # no more than there is
    ],
)
def test_what_followed_the_same_tokens_before_is_guessed(
    seen: list[int], guessed: list[int]
) -> None:
    assert guess(seen, 3) == guessed
    assert guess(seen, 0) == []


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 5))
def test_a_guess_continues_an_earlier_place(seen: list[int], most: int) -> None:
    guessed = guess(seen, most)
    assert len(guessed) <= most
    assert bool(guessed) == (seen[-1:] != [] and seen[-1] in seen[:-1])
    known = set(pairwise(seen))
    assert all(pair in known for pair in pairwise([*seen[-1:], *guessed]))


@pytest.mark.model
@pytest.mark.parametrize("tokens", [5, 40])
def test_with_guesses_a_model_writes_the_same_in_fewer_passes(
    chat_model: TransformersChatModel, monkeypatch: pytest.MonkeyPatch, tokens: int
) -> None:
    if chat_model._device != "cpu":
        pytest.skip("a GPU reads one token after another")
    passes: list[int] = []
    read = chat_model._forward_each

    def counted(*read_now: Any) -> Any:
        passes.append(1)
        return read(*read_now)

    monkeypatch.setattr(chat_model, "_forward_each", counted)
    guessing = "".join(chat_model.stream(QUOTE, max_new_tokens=tokens))
    few = len(passes)
    monkeypatch.setattr(transformers_model, "GUESSED", 0)
    assert "".join(chat_model.stream(QUOTE, max_new_tokens=tokens)) == guessing
    assert "blue boat" in guessing
    assert few < 0.7 * (len(passes) - few)
