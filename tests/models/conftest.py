"""Where the real models are, and small ones that are made for a test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from minirag_chat import Settings
from minirag_chat.models.convert import origin_of
from minirag_chat.models.transformers_model import TransformersChatModel

# torch is imported by tests before the package could ask for this: see offline.patient_threads.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

SMALL = "qwen2.5-coder-0.5b-instruct"


@pytest.fixture(scope="session")
def small_model_folder() -> Path:
    """The converted 0.5B, in MINIRAG_CHAT_MODEL_DIR or the usual place."""
    model_dir = Path(os.environ.get("MINIRAG_CHAT_MODEL_DIR") or Settings().model_dir)
    folder = model_dir / f"{SMALL}-nf4"
    if origin_of(folder) is None:
        pytest.skip(f"{SMALL} is not in {model_dir}: minirag-chat models get {SMALL}")
    return folder


@pytest.fixture(scope="session")
def chat_model(small_model_folder: Path) -> Iterator[TransformersChatModel]:
    """The real 0.5B, loaded once."""
    model = TransformersChatModel(small_model_folder, name=SMALL)
    yield model
    model.close()
