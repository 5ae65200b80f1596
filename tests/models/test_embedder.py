"""With the real all-MiniLM-L6-v2 that the package brings along."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minirag_chat import Settings
from minirag_chat.errors import ModelCorrupt, ModelMissing
from minirag_chat.models.catalog import find_card
from minirag_chat.models.embedder import SentenceTransformerEmbedder, load_embedder
from minirag_chat.models.protocols import Embedder

TEXTS = [
    "Wolfgang: The piano tuner comes on Thursday at nine.",
    "Ann: Who feeds the cat while we are away?",
    "Tom: The van is parked behind the bakery.",
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return load_embedder(Settings())


def test_vectors_are_unit_float32_rows(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((3, 384), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (embedder.name, embedder.dimension) == ("all-MiniLM-L6-v2", 384)


@pytest.mark.parametrize(
    ("question", "best"),
    [("When is the instrument being repaired?", 0), ("Where did he leave the car?", 2)],
)
def test_a_question_is_nearest_to_what_answers_it(
    embedder: Embedder, question: str, best: int
) -> None:
    similarity = embedder.embed(TEXTS) @ embedder.embed([question])[0]
    assert int(similarity.argmax()) == best


def test_a_texts_vector_depends_on_nothing_but_the_text(
    embedder: Embedder,
) -> None:
    many = [TEXTS[0], *(f"message {n} " * (n % 9 + 1) for n in range(40)), TEXTS[1]]
    together = embedder.embed(many)
    assert np.allclose(together[[0, -1]], embedder.embed(TEXTS[:2]), atol=1e-5)


def test_no_texts_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.count_tokens([]) == []


def test_tokens_are_counted_without_special_ones(embedder: Embedder) -> None:
    assert embedder.count_tokens(["the cat", "", "a b c"]) == [2, 0, 3]


def test_a_text_of_a_million_letters_is_cut(embedder: Embedder) -> None:
    assert embedder.embed(["word " * 200_000]).shape == (1, 384)


def test_loading_and_embedding_ask_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert load_embedder(Settings()).embed(["offline"]).shape == (1, 384)


def test_an_embedder_that_is_not_here_names_the_command(tmp_path: Path) -> None:
    settings = Settings(embedder="multilingual-e5-small", model_dir=tmp_path)
    with pytest.raises(ModelMissing, match="minirag-chat models get multilingual-e5-small"):
        load_embedder(settings)


@pytest.mark.slow
def test_weights_that_cannot_be_read_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(ModelCorrupt, match="delete that folder and run: minirag-chat models get"):
        SentenceTransformerEmbedder(find_card("multilingual-e5-small"), tmp_path)
