"""Where the real models are, and small ones that are made for a test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import SMALL_MODEL

from minirag_chat.models.transformers_model import TransformersChatModel

# torch is imported by tests before the package could ask for this: see offline.patient_threads.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


@pytest.fixture(scope="session")
def chat_model(small_model_folder: Path) -> Iterator[TransformersChatModel]:
    """The real 0.5B, loaded once."""
    model = TransformersChatModel(small_model_folder, name=SMALL_MODEL)
    yield model
    model.close()
