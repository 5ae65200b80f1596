"""What the benchmark's tests share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_corpus import write_corpus

from minirag_chat import Settings
from minirag_chat.bench.dataset import Dataset, load_dataset
from minirag_chat.bench.runner import Part, Plan


@pytest.fixture
def corpus(tmp_path: Path) -> Dataset:
    return load_dataset(write_corpus(tmp_path / "small"))


@pytest.fixture
def plan(tmp_path: Path, corpus: Dataset, settings: Settings) -> Callable[..., Plan]:
    def make(
        *parts: Part, out: str = "out", chosen: Settings = settings, data: Dataset = corpus
    ) -> Plan:
        wanted = frozenset(parts or ("retrieval", "answers"))
        return Plan(data, chosen, tmp_path / out, tmp_path / "cache", wanted, ("hybrid", "bm25"))

    return make
