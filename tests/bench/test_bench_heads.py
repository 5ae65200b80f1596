"""Retrieval heads: the head that looks at the answering message is the one that is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fakes import WordEmbedder
from small_corpus import write_corpus

from minirag_chat import Settings
from minirag_chat.bench.dataset import load_corpus
from minirag_chat.bench.heads import (
    Looked,
    best_heads,
    cross_validated,
    find_heads,
    look,
    pointed_right,
)
from minirag_chat.bench.runner import Plan
from minirag_chat.errors import NotFound
from minirag_chat.models.transformers_model import TransformersChatModel

PLANTED = tuple((layer, head) for layer in (2, 5) for head in range(4))


def looked(count: int) -> list[Looked]:
    """Heads that look anywhere, and eight that mostly look at the answer."""
    chance = np.random.default_rng(3)
    found = []
    for number in range(count):
        attention = chance.random((8, 4, 6))
        answer = int(chance.integers(6))
        if number % 5:
            for layer, head in PLANTED:
                attention[layer, head, answer] = 4.0
        found.append(Looked(str(number), attention, (answer,)))
    return found


def test_the_heads_that_look_at_the_answer_are_found() -> None:
    questions = looked(40)
    assert set(best_heads(questions)) == set(PLANTED)
    assert sum(pointed_right(questions, PLANTED)) >= 32
    assert sum(pointed_right(questions, ((0, 0),))) < 20


def test_what_is_told_of_them_was_not_seen_when_they_were_found() -> None:
    chance = [np.random.default_rng(n).random((8, 4, 6)) for n in range(30)]
    noise = [Looked(str(n), attention, (n % 6,)) for n, attention in enumerate(chance)]
    assert cross_validated(noise) < 0.45, "among six messages chance points right once in six"
    assert cross_validated(looked(40)) > 0.7, "four of five show it"


@pytest.mark.model
def test_a_real_model_is_looked_at_while_a_corpus_is_asked(
    tmp_path: Path, small_model_folder: Path
) -> None:
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.9)
    corpus = load_corpus(write_corpus(tmp_path / "corpus"))
    plan = Plan(corpus, settings, tmp_path / "out", tmp_path / "cache", frozenset(), ())
    plan.out.mkdir()
    model = TransformersChatModel(small_model_folder, name="small")
    try:
        seen = look(plan, model, WordEmbedder())
        for one in seen:
            assert one.attention.shape[0] == model._model.config.num_hidden_layers
            assert one.answers
        with pytest.raises(NotFound, match="name corpora with more"):
            find_heads([plan], model, WordEmbedder())
    finally:
        model.close()
