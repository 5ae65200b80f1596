"""The sentence embedder. Loads from disk only and never uses a network."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from minirag_chat.errors import ModelCorrupt, ModelMissing, first_line
from minirag_chat.models.catalog import BUNDLED, CATALOG, ModelCard, find_card
from minirag_chat.models.checksums import must_be_known
from minirag_chat.models.encoder import UNREADABLE, shared_encoder, without_torch
from minirag_chat.models.load import device
from minirag_chat.models.offline import offline, patient_threads
from minirag_chat.models.protocols import Embedder, Vectors
from minirag_chat.settings import Settings

AUTO = "auto"
BATCH = 16  # the fastest of 16 to 128 on two cores; takes a third less memory than 64
LEAST = 1e-12  # lower limit of the length that a vector is divided by
CHARACTERS_A_TOKEN = 12  # per token of context: longer texts are cut before tokenising


class _CatalogEmbedder:
    """What the embedders of the catalog have in common: a name, and what is written before a text."""

    _card: ModelCard

    @property
    def name(self) -> str:
        """The catalog name."""
        return self._card.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension); a text past the context is cut."""
        return self._embed([self._card.text_prefix + text for text in texts])

    def embed_question(self, question: str) -> Vectors:
        """Its unit vector, shape (dimension,)."""
        vector: Vectors = self._embed([self._card.question_prefix + question])[0]
        return vector

    def _embed(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError


class EncoderEmbedder(_CatalogEmbedder):
    """An embedder on onnxruntime, in 8-bit integers, without torch.

    Its vectors have a cosine of .997 with those of ``SentenceTransformerEmbedder``, and take little more
    than half the time (docs/measured.md, "Vectors in 8 bits"). Raises ``ImportError`` without onnxruntime
    and ``ModelCorrupt`` if the weights cannot be read.
    """

    def __init__(self, card: ModelCard, folder: Path) -> None:
        try:
            self._encoder = shared_encoder(folder)
        except UNREADABLE as error:
            raise _corrupt(card, folder, error) from error
        self._card = card

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._encoder.width

    def _embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        ids = self._encoder.tokens.of(_cut(self._card, texts), self._card.context)
        for place, hidden in self._encoder.hidden(ids):
            vectors[place] = hidden.mean(axis=0)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, LEAST), dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        ids = self._encoder.tokens.of(_cut(self._card, texts), None, special=False)
        return [len(each) for each in ids]


class SentenceTransformerEmbedder(_CatalogEmbedder):
    """A model of the sentence-transformers library. Thread-safe: calls wait for one another.

    Raises ``ModelCorrupt`` if the weights cannot be read.
    """

    def __init__(self, card: ModelCard, folder: Path) -> None:
        from safetensors import SafetensorError

        patient_threads()
        try:
            with offline():
                from sentence_transformers import SentenceTransformer

                self._model: Any = SentenceTransformer(
                    str(folder), device=device(), local_files_only=True
                )
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise _corrupt(card, folder, error) from error
        self._card = card
        self._lock = threading.Lock()

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._model.get_embedding_dimension())

    def _embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        ready = _cut(self._card, texts)
        with self._lock:
            vectors = self._model.encode(
                ready, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        if not texts:
            return []
        with self._lock:
            read = self._model.tokenizer(
                _cut(self._card, texts), add_special_tokens=False, verbose=False
            )
        return [len(ids) for ids in read["input_ids"]]


def _cut(card: ModelCard, texts: Sequence[str]) -> list[str]:
    """Texts truncated to what the model can read."""
    return [text[: card.context * CHARACTERS_A_TOKEN] for text in texts]


def _corrupt(card: ModelCard, folder: Path, error: Exception) -> ModelCorrupt:
    return ModelCorrupt(
        f"The embedder {card.name} in {folder} cannot be loaded ({first_line(error)}); delete that "
        f"folder and run: minirag-chat models get {card.name}."
    )


def embedder_folder(card: ModelCard, model_dir: Path) -> Path | None:
    """The folder of the embedder's weights: in an installed package, or in ``model_dir``; else None."""
    if card.bundled:
        spec = find_spec(card.bundled)  # finds the package without running it
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).parent / "model"
            if folder.is_dir():
                return folder
    folder = model_dir / card.name
    return folder if (folder / "config.json").is_file() else None


def embedder_name(settings: Settings, made_by: str | None = None) -> str:
    """The catalog name of the embedder to use; ``made_by`` is the one that made a database's vectors.

    With ``auto`` in the settings it is that one, if it is on this machine; otherwise the bundled one.
    """
    if settings.embedder != AUTO:
        return settings.embedder
    known = _known(made_by)
    here = known is not None and embedder_folder(known, settings.model_dir) is not None
    return known.name if known and here else BUNDLED


def absent_embedder(settings: Settings, made_by: str | None) -> str | None:
    """The name of the embedder that made a database's vectors, if ``auto`` would use it were it here."""
    known = _known(made_by) if settings.embedder == AUTO else None
    return known.name if known and embedder_name(settings, made_by) != known.name else None


def _known(name: str | None) -> ModelCard | None:
    """The embedder of the catalog with this name, if there is one."""
    return next((c for c in CATALOG if c.kind == "embedder" and c.name == name), None)


def load_embedder(settings: Settings, made_by: str | None = None) -> Embedder:
    """Load the embedder of ``embedder_name``. Raises ``ModelMissing``, which has the command to get it.

    Most need torch only if there is a GPU, or no onnxruntime.
    """
    card = find_card(embedder_name(settings, made_by), "embedder")
    folder = embedder_folder(card, settings.model_dir)
    if folder is None:
        raise ModelMissing(
            f"The embedder {card.name} is not on this machine: "
            f"get it with `minirag-chat models get {card.name}`."
        )
    must_be_known(card, folder)
    if card.bert and without_torch():
        return EncoderEmbedder(card, folder)
    return SentenceTransformerEmbedder(card, folder)
