"""The rankers of the package: which messages state the answer to a question.

Each has a sentence embedder as its encoder, fine-tuned in ``training/``; the package has only the
differences of the weights, in 8 bits. Loads from disk only.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from safetensors import SafetensorError

from minirag_chat.errors import ModelCorrupt, first_line
from minirag_chat.models.catalog import BUNDLED, ModelCard, find_card
from minirag_chat.models.checksums import must_be_known
from minirag_chat.models.embedder import embedder_folder, embedder_name
from minirag_chat.models.encoder import UNREADABLE, Array, Encoder, mapped, without_torch
from minirag_chat.models.load import device
from minirag_chat.models.offline import offline, patient_threads
from minirag_chat.models.protocols import Vectors
from minirag_chat.settings import Settings

ENCODED = "encoder."  # prefix of the names of the encoder's weights
SCALE = ".scale"
LONGEST_QUESTION, LONGEST_PASSAGE = 48, 110  # tokens
LEAST = 1e-12  # lower limit of the length that a vector is divided by
Read = tuple[Vectors, Vectors]
"""A text's unit vectors, shape (tokens, dimension), and the weight of each token, shape (tokens,)."""
MOST_KNOWN = 2000  # passages in the cache, some 13 KB each


def weights_file(card: ModelCard) -> Path:
    """The package's file with the trained differences to the weights of this embedder."""
    return Path(
        str(files("minirag_chat.models").joinpath("adapters", f"{card.ranker}.safetensors"))
    )


class TokenReader(Protocol):
    """The network's encoder: texts → the vectors and weights of their tokens.

    ``sharpness`` is the factor of the cosines, ``null`` the cosine of "no passage states the answer".
    """

    sharpness: float
    null: float

    def read(self, texts: Sequence[str], longest: int) -> list[Read]:
        """Read each text, cut to ``longest`` tokens."""


class EncoderReader:
    """A ``TokenReader`` on onnxruntime, in 8-bit integers or float32. Raises ``ImportError`` without it."""

    def __init__(self, encoder: Path, weights: Path, *, eight_bits: bool = True) -> None:
        kept = mapped(weights)

        def changed(name: str, weight: Array) -> Array:
            """A trained weight of the encoder; only one at a time is in memory twice."""
            return weight + _floats(kept, ENCODED + name) if ENCODED + name in kept else weight

        self._encoder = Encoder(encoder, changed, eight_bits=eight_bits)
        self._project = _floats(kept, "project.weight")
        self._weigh, self._bias = _floats(kept, "weigh.weight")[0], _floats(kept, "weigh.bias")
        self.sharpness = float(np.exp(kept["sharpness"]))
        self.null = float(kept["null"])

    def read(self, texts: Sequence[str], longest: int) -> list[Read]:
        """Read each text, cut to ``longest`` tokens."""
        ids = self._encoder.tokens.of(texts, longest)
        if not ids:
            return []
        places, hidden = zip(*self._encoder.hidden(ids), strict=True)
        # One product after all passes: the threads of numpy's BLAS spin while they wait, and would slow
        # the encoder's next pass.
        states = np.concatenate(hidden)
        vectors = states @ self._project.T
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), LEAST)
        weights = np.logaddexp(0, states @ self._weigh + self._bias)  # softplus
        ends = np.cumsum([len(each) for each in hidden])[:-1]
        found = dict(
            zip(
                places,
                zip(np.split(vectors, ends), np.split(weights, ends), strict=True),
                strict=True,
            )
        )
        return [found[place] for place in range(len(ids))]


def _floats(arrays: Mapping[str, Array], name: str) -> Array:
    """A tensor of the file in float32; 8-bit rows are multiplied by their scales."""
    value = arrays[name].astype(np.float32)
    return value * arrays[name + SCALE][:, None] if name + SCALE in arrays else value


class TorchReader:
    """A ``TokenReader`` on torch: in bf16 on a GPU, else in the CPU's ``compute_dtype``."""

    def __init__(self, encoder: Path, weights: Path) -> None:
        patient_threads()
        with offline():
            import torch

            from minirag_chat.models.late_interaction import LateInteraction
            from minirag_chat.models.nf4_linear import compute_dtype  # imports bitsandbytes

            self._dtype = torch.bfloat16 if device() == "cuda" else compute_dtype()
            self._network: Any = LateInteraction(encoder).eval()
            apply_changes(self._network, weights)
            self._network.to(device())
        self.sharpness = self._network.sharpness.exp().item()
        self.null = self._network.null.item()

    def read(self, texts: Sequence[str], longest: int) -> list[Read]:
        """Read each text, cut to ``longest`` tokens."""
        import torch

        with torch.inference_mode():
            found = self._network.read(list(texts), longest, self._dtype)
            return [(vectors.cpu().numpy(), weights.cpu().numpy()) for vectors, weights in found]


class LateInteractionRanker:
    """Scores passages by late interaction. Thread-safe: calls wait for one another.

    ``card`` is that of its encoder, which sees the same prefixes before a question and a text as there.
    """

    def __init__(self, reader: TokenReader, card: ModelCard) -> None:
        self._reader = reader
        self._card = card
        self._lock = threading.Lock()
        self._cache: OrderedDict[bytes, Vectors] = OrderedDict()

    def scores(self, question: str, passages: Sequence[str]) -> Vectors:
        """The log-odds of each passage stating the answer against none stating it.

        ColBERT's equation 3, with the network's weights of the question's tokens.
        """
        with self._lock:
            passages_read = self._read(passages)  # before the products, whose threads spin on
            asked = self._card.question_prefix + question
            vectors, weights = self._reader.read([asked], LONGEST_QUESTION)[0]
        share = weights / weights.sum()
        best = [(each.astype(np.float32) @ vectors.T).max(axis=0) for each in passages_read]
        cosines = np.stack(best) @ share if best else np.zeros(0)
        return np.asarray((cosines - self._reader.null) * self._reader.sharpness, dtype=np.float32)

    def _read(self, passages: Sequence[str]) -> list[Vectors]:
        """The tokens of passages as 16-bit unit vectors, from an LRU cache where possible."""
        keys = [blake2b(text.encode(), digest_size=16).digest() for text in passages]
        new = {
            key: self._card.text_prefix + text
            for key, text in zip(keys, passages, strict=True)
            if key not in self._cache
        }
        read = self._reader.read(list(new.values()), LONGEST_PASSAGE) if new else ()
        for key, (vectors, _) in zip(new, read, strict=True):
            self._cache[key] = vectors.astype(np.float16)
        for key in keys:
            self._cache.move_to_end(key)
        found = [self._cache[key] for key in keys]
        while len(self._cache) > MOST_KNOWN:
            self._cache.popitem(last=False)
        return found


def apply_changes(network: Any, file: Path) -> None:
    """Add the trained differences to the weights of the encoder, and set the weights of the new layers.

    Raises ``KeyError`` if the file was made for another network.
    """
    from safetensors.torch import load_file

    kept = load_file(file)
    state = network.state_dict()
    for name in (name for name in kept if not name.endswith(SCALE)):
        value = kept[name].float()
        if name + SCALE in kept:
            value = value * kept[name + SCALE][:, None]
        state[name] = state[name] + value if name.startswith(ENCODED) else value
    network.load_state_dict(state)


def load_ranker(settings: Settings, made_by: str | None = None) -> LateInteractionRanker | None:
    """Load the ranker that ``find_ranker`` finds, if there is one.

    Needs torch only if there is a GPU, or no onnxruntime. Raises ``ModelCorrupt``.
    """
    found = find_ranker(settings, made_by)
    return None if found is None else load_found(*found)


def find_ranker(settings: Settings, made_by: str | None = None) -> tuple[ModelCard, Path] | None:
    """The ranker whose encoder is the embedder of ``embedder_name``, else the one for English.

    Its encoder's card and folder; None if the package lacks the ranker, or the machine the encoder.
    """
    for name in (embedder_name(settings, made_by), BUNDLED):
        card = find_card(name, "embedder")
        encoder = embedder_folder(card, settings.model_dir)
        if encoder is not None and card.ranker and weights_file(card).is_file():
            return card, encoder
    return None


def load_found(card: ModelCard, encoder: Path) -> LateInteractionRanker:
    """Load the ranker that ``find_ranker`` found. Raises ``ModelCorrupt``."""
    must_be_known(card, encoder)
    reader = EncoderReader if without_torch() else TorchReader
    weights = weights_file(card)
    try:
        return LateInteractionRanker(reader(encoder, weights), card)
    except (*UNREADABLE, RuntimeError, SafetensorError) as error:
        raise ModelCorrupt(
            f"The ranker cannot be loaded ({first_line(error)}): install minirag-chat again."
        ) from error
