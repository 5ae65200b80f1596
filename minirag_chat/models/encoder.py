"""A sentence encoder on the CPU with onnxruntime: without torch, which takes 7 s and 500 MB to load.

``encoder_graph.py`` defines the network; its weights are memory-mapped from ``model.safetensors``.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from minirag_chat.models.load import trim_memory
from minirag_chat.models.memory_use import gpu
from minirag_chat.models.onnx_session import Array, exact_in_eight_bits, is_installed, session
from minirag_chat.models.protocols import Vectors
from minirag_chat.models.zero_gpu import only_pretended

Changed = Callable[[str, Array], Array]
# The types that occur in these files.
TYPES = {"F32": np.float32, "F16": np.float16, "I8": np.int8, "I64": np.int64}
TABLES = (
    "embeddings.word_embeddings",
    "embeddings.position_embeddings",
    "embeddings.token_type_embeddings",
)
TOGETHER = 8
"""Batch size, of texts of similar length; 16 take a tenth longer, and 48 also 100 MB more."""
UNREADABLE = (OSError, ValueError, KeyError)
"""What ``Encoder`` raises if a file is damaged."""


def without_torch() -> bool:
    """Whether the encoder runs on onnxruntime here: there is no usable GPU, and onnxruntime can be loaded."""
    if gpu() is not None and not only_pretended():
        return False
    return is_installed()


class Tokens:
    """Texts → token ids, by the tokenizer in ``file``. Thread-safe. Raises ``ValueError``."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # it raises plain Exception
            raise ValueError(f"{file.name}: {error}") from error
        self._tokenizer.no_padding()
        self._lock = threading.Lock()  # truncation is a state of the tokenizer

    def of(
        self, texts: Sequence[str], longest: int | None, *, special: bool = True
    ) -> list[list[int]]:
        """The token ids of each text, truncated to ``longest``, special tokens included."""
        with self._lock:
            if longest is None:
                self._tokenizer.no_truncation()
            else:
                self._tokenizer.enable_truncation(longest)
            read = self._tokenizer.encode_batch(list(texts), add_special_tokens=special)
        return [encoding.ids for encoding in read]


@lru_cache(maxsize=1)
def tokens_by(file: Path) -> Tokens:
    """The tokenizer in ``file``, cached: embedder and ranker share it."""
    return Tokens(file)


class Encoder:
    """all-MiniLM-L6-v2 or multilingual-e5-small without its pooling: token ids → hidden states. Thread-safe.

    ``changed`` maps the name and value of a weight to the value to use. With ``eight_bits`` it takes about
    half the time. Raises ``ImportError`` if onnxruntime
    cannot be loaded, and one of ``UNREADABLE`` if a file is damaged.
    """

    def __init__(
        self,
        folder: Path,
        changed: Changed = lambda _, weight: weight,
        *,
        eight_bits: bool = False,
    ) -> None:
        self.tokens = tokens_by(folder / "tokenizer.json")
        weights = mapped(folder / "model.safetensors")
        words, places, kinds = (weights.pop(f"{name}.weight") for name in TABLES)
        self._embeddings, self._positions = words, places + kinds[0]  # all texts have token type 0
        self._session = _session(weights, changed, eight_bits=eight_bits)
        trim_memory()
        self.width = int(words.shape[1])

    def hidden(self, ids: Sequence[Sequence[int]]) -> Iterator[tuple[int, Vectors]]:
        """The index of each text and its hidden states, shape (tokens, width), shortest text first."""
        order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        for first in range(0, len(order), TOGETHER):
            places = order[first : first + TOGETHER]
            lengths = np.array([len(ids[place]) for place in places])
            mask = np.arange(lengths.max()) < lengths[:, None]
            padded = np.zeros(mask.shape, dtype=np.int64)
            padded[mask] = np.concatenate([ids[place] for place in places])
            given = {
                "embedded": self._embeddings[padded].astype(np.float32)
                + self._positions[: mask.shape[1]],
                "there": mask.astype(np.int32),
            }
            read = self._session.run(["hidden"], given)[0]
            yield from ((place, read[row, : lengths[row]]) for row, place in enumerate(places))


@lru_cache(maxsize=2)
def shared_encoder(folder: Path) -> Encoder:
    """The encoder of a folder in 8 bits, cached: the embedder and ``question_kinds.py`` share it."""
    return Encoder(folder, eight_bits=True)


def _session(weights: dict[str, Array], changed: Changed, *, eight_bits: bool) -> Any:
    """The onnxruntime session of the network with its weights."""
    from minirag_chat.models.encoder_graph import (
        EightBitGraph,
        Graph,
        encoder_graph,
        in_eight_bits,
    )

    # Signed weights are faster, but older CPUs cut off their sums.
    signed = eight_bits and exact_in_eight_bits()
    values: dict[str, Array] = {}
    for name, weight in weights.items():
        if name.startswith(("encoder.", "embeddings.LayerNorm.")):
            used = changed(name, weight.astype(np.float32, copy=False))
            values |= in_eight_bits(name, used, signed=signed) if eight_bits else {name: used}
    layers = sum(name.endswith(".intermediate.dense.bias") for name in weights)
    graph = encoder_graph(EightBitGraph(signed=signed) if eight_bits else Graph(), layers)
    return session(graph, values, small=eight_bits)


def mapped(file: Path) -> dict[str, Array]:
    """The tensors of a safetensors file by name, memory-mapped: read from disk only when they are used.

    Raises ``OSError`` or ``ValueError`` if it is not a safetensors file.
    """
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        if length > file.stat().st_size:
            raise ValueError(f"{file.name} is no file of weights")
        head = json.loads(opened.read(length))
    head.pop("__metadata__", None)
    found: dict[str, Array] = {}
    for name, said in head.items():
        begins = 8 + length + said["data_offsets"][0]
        found[name] = np.memmap(file, TYPES[said["dtype"]], "r", begins, tuple(said["shape"]))
    return found
