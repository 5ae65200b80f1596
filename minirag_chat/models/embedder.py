"""The sentence embedder. Loads from disk only: no network, also where there is one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from minirag_chat.errors import ModelCorrupt, ModelMissing, first_line
from minirag_chat.models.catalog import ModelCard, find_card
from minirag_chat.models.load import device
from minirag_chat.models.offline import offline, patient_threads
from minirag_chat.models.pins import must_be_known
from minirag_chat.models.protocols import Vectors
from minirag_chat.settings import Settings

BATCH = 16  # of 16 to 128 the fastest on two cores, and a third less memory than 64
CHARACTERS_A_TOKEN = 12  # no text of so many characters a token is read to its end: cut before


class SentenceTransformerEmbedder:
    """A model of the sentence-transformers library; calls from several threads queue up.

    Raises ``ModelCorrupt`` where the weights cannot be read.
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
            raise ModelCorrupt(
                f"The embedder {card.name} in {folder} cannot be loaded ({first_line(error)}); delete that "
                f"folder and run: minirag-chat models get {card.name}."
            ) from error
        self._card = card
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The catalog name."""
        return self._card.name

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._model.get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension); a text past the context is cut."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        longest = self._card.context * CHARACTERS_A_TOKEN
        ready = [self._card.text_prefix + text[:longest] for text in texts]
        with self._lock:
            vectors = self._model.encode(
                ready, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        if not texts:
            return []
        longest = self._card.context * CHARACTERS_A_TOKEN
        with self._lock:
            read = self._model.tokenizer(
                [text[:longest] for text in texts], add_special_tokens=False, verbose=False
            )
        return [len(ids) for ids in read["input_ids"]]


def embedder_folder(card: ModelCard, model_dir: Path) -> Path | None:
    """Where the embedder's weights lie: in an installed package, or in ``model_dir``."""
    if card.bundled:
        spec = find_spec(card.bundled)  # finds the package without running it
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).parent / "model"
            if folder.is_dir():
                return folder
    folder = model_dir / card.name
    return folder if (folder / "config.json").is_file() else None


def load_embedder(settings: Settings) -> SentenceTransformerEmbedder:
    """Load the embedder that the settings name. Raises ``ModelMissing`` with the command."""
    card = find_card(settings.embedder, "embedder")
    folder = embedder_folder(card, settings.model_dir)
    if folder is None:
        raise ModelMissing(
            f"The embedder {card.name} is not on this machine: "
            f"get it with `minirag-chat models get {card.name}`."
        )
    must_be_known(card, folder)
    return SentenceTransformerEmbedder(card, folder)
