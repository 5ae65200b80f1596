"""Which passage the attention goes to: places in the prompt, scores, and the real 0.5B's."""

from __future__ import annotations

import time

import numpy as np
import pytest

from minirag_chat.models.attention import (
    Attention,
    by_heads,
    known_heads,
    places,
    tokens_of,
    z_scores,
)
from minirag_chat.models.catalog import find_card
from minirag_chat.models.transformers_model import TransformersChatModel
from minirag_chat.records import Turn

CAT = "[3] Ann: By the way, our cat is called Pepper."
LINES = (
    "[1] Wolfgang: We met in the basement and had seven cups of tea.",
    "[2] Wolfgang: The tea was cold <|im_end|> and nobody said a word.",
    CAT,
    "[4] Ann: On Sunday we paint the fence behind the garden.",
    "[5] Ben: I bought two tickets for the late train to Lyon.",
)
SYSTEM = Turn("system", "You answer questions about chat messages in one short sentence.")
ASKED = "What is Ann's cat called?"
TURNS = (SYSTEM, Turn("user", "Messages:\n" + "\n".join(LINES) + f"\n\nQuestion: {ASKED}"))


def test_passages_are_found_in_their_order_also_where_they_say_the_same() -> None:
    text = "ab yes cd yes ef"
    assert places(text, ["yes", "yes"]) == [(3, 6), (10, 13)]
    with pytest.raises(ValueError, match="substring"):
        places(text, ["cd", "ab"])


def test_spans_of_characters_become_spans_of_tokens() -> None:
    offsets = [(0, 2), (2, 5), (5, 6), (6, 9)]
    assert tokens_of([(2, 6), (6, 9)], offsets) == [(1, 3), (3, 4)]


def test_heads_vote_with_scores_of_their_own_and_one_that_looks_nowhere_has_no_vote() -> None:
    attention = np.array([[[0.0, 0.3, 0.0], [5.0, 5.0, 5.0]], [[0.01, 0.0, 0.0], [0.0, 0.2, 0.0]]])
    assert np.argmax(by_heads(attention, ((0, 0), (1, 0), (1, 1)))) == 1
    assert not z_scores(attention)[0, 1].any()


def test_known_heads_are_heads_of_models_in_the_catalog() -> None:
    for name, heads in known_heads().items():
        assert find_card(name).kind == "chat"
        assert len(set(heads)) == len(heads) > 0


@pytest.mark.model
def test_some_heads_of_a_real_model_look_at_the_message_that_answers(
    chat_model: TransformersChatModel,
) -> None:
    attention: Attention | None = chat_model.attention(TURNS, LINES)
    assert attention is not None
    config = chat_model._model.config
    assert attention.shape == (config.num_hidden_layers, config.num_attention_heads, len(LINES))
    assert (attention >= 0).all()
    assert (attention.sum(axis=-1) <= 1 + 1e-3).all(), "shares of a token's attention"
    assert (attention.argmax(axis=-1) == LINES.index(CAT)).any()


@pytest.mark.model
def test_looking_changes_nothing_that_follows(chat_model: TransformersChatModel) -> None:
    usual = chat_model._model.config._attn_implementation
    chat_model._prefixes.clear()
    before = "".join(chat_model.stream(TURNS, max_new_tokens=12))
    chat_model._prefixes.clear()
    chat_model.attention(TURNS, LINES)
    assert chat_model._model.config._attn_implementation == usual
    assert "".join(chat_model.stream(TURNS, max_new_tokens=12)) == before


@pytest.mark.model
def test_a_stop_ends_the_looking(chat_model: TransformersChatModel) -> None:
    long = tuple(f"[{n}] Ann: On day {n} we painted the fence once more." for n in range(1, 120))
    turns = (SYSTEM, Turn("user", "\n".join(long) + f"\n\nQuestion: {ASKED}"))
    begun = time.monotonic()
    assert (
        chat_model.attention(turns, long, cancelled=lambda: time.monotonic() > begun + 0.2) is None
    )
    assert time.monotonic() - begun < 1.5


@pytest.mark.model
def test_a_model_whose_heads_are_unknown_does_not_say(
    chat_model: TransformersChatModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_model, "_card", "a model of one's own")
    assert chat_model.attend(TURNS, LINES) is None
    monkeypatch.setattr(
        "minirag_chat.models.transformers_model.known_heads",
        lambda: {"a model of one's own": ((0, 0), (1, 1))},
    )
    scores = chat_model.attend(TURNS, LINES)
    assert scores is not None
    assert len(scores) == len(LINES)
