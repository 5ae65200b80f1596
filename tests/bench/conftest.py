"""What the benchmark's tests share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_corpus import plans, write_corpus

from minirag_chat import Settings
from minirag_chat.bench.dataset import Dataset, load_dataset
from minirag_chat.bench.runner import Plan


@pytest.fixture
def corpus(tmp_path: Path) -> Dataset:
    return load_dataset(write_corpus(tmp_path / "small"))


@pytest.fixture
def plan(tmp_path: Path, corpus: Dataset, settings: Settings) -> Callable[..., Plan]:
    return plans(tmp_path, corpus, settings)
