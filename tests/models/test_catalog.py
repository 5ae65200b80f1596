from __future__ import annotations

import pytest

from minirag_chat.errors import ModelMissing
from minirag_chat.models.catalog import (
    BEST_ON_CPU,
    BEST_ON_GPU,
    CATALOG,
    DEFAULT_ON_CPU,
    DEFAULT_ON_GPU,
    find_card,
)


def test_names_are_unique_and_the_licences_are_free() -> None:
    names = [card.name for card in CATALOG]
    assert len(set(names)) == len(names)
    assert {card.licence for card in CATALOG} <= {"Apache-2.0", "MIT"}


def test_every_chat_model_has_a_rank_on_both_kinds_of_machine() -> None:
    chat = {card.name for card in CATALOG if card.kind == "chat"}
    assert set(BEST_ON_CPU) == set(BEST_ON_GPU) == chat
    assert (BEST_ON_CPU[0], BEST_ON_GPU[0]) == (DEFAULT_ON_CPU, DEFAULT_ON_GPU)


def test_the_default_without_a_gpu_needs_no_hub() -> None:
    gguf = find_card(DEFAULT_ON_CPU).gguf
    assert gguf is not None
    assert gguf.sha256.startswith("cc324af0")
    assert gguf.sha256.endswith("b046")


def test_embedders_have_a_dimension_and_chat_models_none() -> None:
    assert all((card.dimension is not None) == (card.kind == "embedder") for card in CATALOG)


def test_a_card_is_found_in_upper_and_lower_case() -> None:
    assert find_card("ALL-minilm-l6-V2").dimension == 384


def test_an_unknown_name_lists_the_known_ones_of_its_kind() -> None:
    with pytest.raises(ModelMissing, match="multilingual-e5-small") as caught:
        find_card("word2vec", "embedder")
    assert "qwen3-4b" not in str(caught.value)
