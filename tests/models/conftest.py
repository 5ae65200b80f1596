"""Where the real models are, and small ones that are made for a test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from places import SMALL_MODEL

from minirag_chat.models import transformers_model
from minirag_chat.models.transformers_model import TransformersChatModel

# torch is imported by tests before the package could ask for this: see offline.patient_threads.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


@pytest.fixture
def layers(
    chat_model: TransformersChatModel, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], int]]:
    """How many layers the model has begun to compute; each is one at which it asks whether to stop."""
    assert transformers_model.POLL_SECONDS < 0.1, "it asks at the first layer after so many seconds"
    monkeypatch.setattr(transformers_model, "POLL_SECONDS", 0.0)
    begun: list[None] = []
    decoder = chat_model._model.get_decoder()
    hooks = [
        layer.register_forward_pre_hook(lambda *_: begun.append(None)) for layer in decoder.layers
    ]
    yield lambda: len(begun)
    for hook in hooks:
        hook.remove()


@pytest.fixture(scope="session")
def chat_model(small_model_folder: Path) -> Iterator[TransformersChatModel]:
    """The real 0.5B, loaded once."""
    model = TransformersChatModel(small_model_folder, name=SMALL_MODEL)
    yield model
    model.close()
