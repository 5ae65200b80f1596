"""The ranker of the package: which messages state the answer to a question.

Its encoder is the bundled sentence embedder, trained further in ``training/``; the package holds by how
much training changed each weight, in 8 bits. Loads from disk only.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from minirag_chat.errors import ModelCorrupt, first_line
from minirag_chat.models.catalog import find_card
from minirag_chat.models.embedder import embedder_folder
from minirag_chat.models.load import device
from minirag_chat.models.offline import offline, patient_threads
from minirag_chat.models.pins import must_be_known
from minirag_chat.models.protocols import Vectors
from minirag_chat.settings import Settings

ENCODER = "all-MiniLM-L6-v2"
ENCODED = "encoder."  # how the names of the encoder's weights begin
SCALE = ".scale"
MOST_KNOWN = 2000  # passages that stay read, some 13 KB each


def weights_file() -> Path:
    """Where the package keeps what training changed."""
    return Path(str(files("minirag_chat.models").joinpath("adapters", "ranker.safetensors")))


class LateInteractionRanker:
    """Scores passages by late interaction; calls from several threads queue up.

    Raises ``ModelCorrupt`` where the weights cannot be read.
    """

    def __init__(self, encoder: Path, weights: Path) -> None:
        from safetensors import SafetensorError

        patient_threads()
        try:
            with offline():
                from minirag_chat.models.late_interaction import LateInteraction

                self._dtype = _dtype()  # imports bitsandbytes, which may ask the hub otherwise
                self._network: Any = LateInteraction(encoder).eval()
                apply_changes(self._network, weights)
                self._network.to(device())
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise ModelCorrupt(
                f"The ranker cannot be loaded ({first_line(error)}): install minirag-chat again."
            ) from error
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, Any] = OrderedDict()

    def scores(self, question: str, passages: Sequence[str]) -> Vectors:
        """The log of how much likelier each passage states the answer than that none does."""
        import torch

        from minirag_chat.models.late_interaction import LONGEST_QUESTION

        dtype = self._dtype
        with self._lock, torch.inference_mode():
            asked = self._network.read([question], LONGEST_QUESTION, dtype)
            row = self._network.compare(asked, self._read(passages, dtype))[0].cpu()
        return np.asarray(row[:-1] - row[-1], dtype=np.float32)

    def _read(self, passages: Sequence[str], dtype: Any) -> list[Any]:
        """The passages as the network reads them; those of the last questions are still known."""
        from minirag_chat.models.late_interaction import LONGEST_PASSAGE

        keys = [blake2b(text.encode(), digest_size=16).digest() for text in passages]
        new = {
            key: text for key, text in zip(keys, passages, strict=True) if key not in self._known
        }
        read = self._network.read(list(new.values()), LONGEST_PASSAGE, dtype) if new else ()
        for key, (vectors, weights) in zip(new, read, strict=True):
            self._known[key] = vectors.half(), weights.half()
        for key in keys:
            self._known.move_to_end(key)
        found = [tuple(part.float() for part in self._known[key]) for key in keys]
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return found


def _dtype() -> Any:
    """What the network computes in: bf16 on a GPU, else what the processor is fast at."""
    import torch

    from minirag_chat.models.nf4_linear import compute_dtype

    return torch.bfloat16 if device() == "cuda" else compute_dtype()


def apply_changes(network: Any, file: Path) -> None:
    """Add what training changed to the weights of the encoder, and set those of the new parts.

    Raises ``KeyError`` where the file was made for another network.
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


def load_ranker(settings: Settings) -> LateInteractionRanker | None:
    """Load the ranker; None where the package has none, or the bundled encoder is missing."""
    card = find_card(ENCODER, "embedder")
    encoder = embedder_folder(card, settings.model_dir)
    weights = weights_file()
    if encoder is None or not weights.is_file():
        return None
    must_be_known(card, encoder)
    return LateInteractionRanker(encoder, weights)
