"""The bundled encoder on the processor, by onnxruntime: without torch, which takes 7 s and 500 MB to load.

``encoder_graph.py`` says what the network computes; its weights are read from ``model.safetensors``, where
they lie.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from minirag_chat.models.load import trim_memory
from minirag_chat.models.protocols import Vectors
from minirag_chat.models.room import gpu
from minirag_chat.models.zero_gpu import only_pretended

Array = NDArray[Any]
Changed = Callable[[str, Array], Array]
TYPES = {"F32": np.float32, "I8": np.int8, "I64": np.int64}  # those that these files have
TABLES = (
    "embeddings.word_embeddings",
    "embeddings.position_embeddings",
    "embeddings.token_type_embeddings",
)
TOGETHER = 8
"""Texts of like length that are read in one pass; 16 take a tenth longer, and 48 also 100 MB more."""
UNREADABLE = (OSError, ValueError, KeyError)
"""What ``Encoder`` raises where a file is damaged."""


def without_torch() -> bool:
    """Whether the encoder computes here by onnxruntime: on a processor, where that can be loaded."""
    if gpu() is not None and not only_pretended():
        return False
    try:
        import onnx  # noqa: F401  # both may be installed and lack a library of the system
        import onnxruntime  # noqa: F401
    except ImportError:
        return False
    return True


class Tokens:
    """Texts → token numbers, by the tokenizer in ``file``. Safe in threads. Raises ``ValueError``."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # what it raises has no class of its own
            raise ValueError(f"{file.name}: {error}") from error
        self._tokenizer.no_padding()
        self._lock = threading.Lock()  # how long a text may be is a state of the tokenizer

    def of(
        self, texts: Sequence[str], longest: int | None, *, special: bool = True
    ) -> list[list[int]]:
        """The numbers of each text, cut to ``longest`` with the special ones."""
        with self._lock:
            if longest is None:
                self._tokenizer.no_truncation()
            else:
                self._tokenizer.enable_truncation(longest)
            read = self._tokenizer.encode_batch(list(texts), add_special_tokens=special)
        return [encoding.ids for encoding in read]


@lru_cache(maxsize=1)
def tokens_by(file: Path) -> Tokens:
    """The tokenizer in ``file``, of which embedder and ranker need no more than one."""
    return Tokens(file)


class Encoder:
    """all-MiniLM-L6-v2 without its pooling: token numbers → hidden states. Safe in threads.

    ``changed`` gives the weight that is used for the one of a name. In ``eight_bits`` it takes some half
    of the time, where the processor multiplies them exactly. Raises ``ImportError`` where onnxruntime
    cannot be loaded, and one of ``UNREADABLE`` where a file is damaged.
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
        self._words, self._places = words, places + kinds[0]  # all texts are of the first kind
        self._session = _session(weights, changed, eight_bits=eight_bits and exact_in_eight_bits())
        trim_memory()
        self.width = int(words.shape[1])

    def hidden(self, ids: Sequence[Sequence[int]]) -> Iterator[tuple[int, Vectors]]:
        """The place of each text and its hidden states, shape (tokens, width), shortest text first."""
        order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        for first in range(0, len(order), TOGETHER):
            places = order[first : first + TOGETHER]
            lengths = np.array([len(ids[place]) for place in places])
            there = np.arange(lengths.max()) < lengths[:, None]
            numbers = np.zeros(there.shape, dtype=np.int64)
            numbers[there] = np.concatenate([ids[place] for place in places])
            given = {
                "embedded": self._words[numbers] + self._places[: there.shape[1]],
                "there": there.astype(np.int32),
            }
            read = self._session.run(["hidden"], given)[0]
            yield from ((place, read[row, : lengths[row]]) for row, place in enumerate(places))


def _session(weights: dict[str, Array], changed: Changed, *, eight_bits: bool) -> Any:
    """The network with its weights in it."""
    from minirag_chat.models.encoder_graph import (
        EightBitGraph,
        Graph,
        encoder_graph,
        in_eight_bits,
    )

    values: dict[str, Array] = {}
    for name, weight in weights.items():
        if name.startswith(("encoder.", "embeddings.LayerNorm.")):
            used = changed(name, weight)
            values |= in_eight_bits(name, used) if eight_bits else {name: used}
    graph = encoder_graph(EightBitGraph() if eight_bits else Graph())
    return _loaded(graph, values, small=eight_bits)


@cache
def exact_in_eight_bits() -> bool:
    """Whether sums of 8-bit products are right here: older processors cut them off at 16 bits."""
    from minirag_chat.models.encoder_graph import product_graph

    try:
        session = _loaded(product_graph(np.full((64, 64), 127, np.int8)), {}, small=True)
        found = session.run(None, {"rows": np.full((8, 64), 255, np.uint8)})[0]
    except ValueError:
        return False
    return bool((found == 255 * 127 * 64).all())


def _loaded(graph: Any, values: dict[str, Array], *, small: bool) -> Any:
    """A graph that is ready to compute with these weights; ``small`` in 8 bits. Raises ``ValueError``."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # its builds for Windows have some
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # its advice to developers stays off the terminal
    options.intra_op_num_threads = _cores()
    # Its threads wait for the next operator by turning in circles, and stop it between two passes.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    options.enable_cpu_mem_arena = False  # it would keep the memory of the longest texts
    # A copy of the weights in an order that is quicker by a thirtieth; in float32 it takes 40 MB.
    options.add_session_config_entry("session.disable_prepacking", "0" if small else "1")
    given = [
        onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(value))
        for value in values.values()
    ]
    options.add_external_initializers(list(values), given)
    try:
        return onnxruntime.InferenceSession(
            graph.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # its errors have no class in common but this one
        raise ValueError(str(error)) from error


def _cores() -> int:
    """One thread for each core of its own that this process may use, as torch takes them."""
    own = psutil.cpu_count(logical=False) or 1
    affinity = getattr(psutil.Process(), "cpu_affinity", None)  # macOS has none
    return min(own, len(affinity())) if affinity else own


def mapped(file: Path) -> dict[str, Array]:
    """The tensors of a safetensors file by name. What of them is used is read, when it is used.

    Raises ``OSError`` or ``ValueError`` where the file is not one.
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
