"""The adapters of the package: small matrices that adapt a language model to reading chats.

An adapter (LoRA, arXiv 2106.09685) adds to each projection x · Wᵀ a product of two thin matrices,
x · Aᵀ · Bᵀ. The 4-bit weights do not change, so one model in memory reads chats with its adapter and does
everything else without it. ``training/`` makes the adapters.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Adapter:
    """The file of an adapter, and how it was trained."""

    path: Path
    facts: dict[str, Any]


@cache
def adapter_of(weights: str) -> Adapter | None:
    """The adapter for a model by the catalog name of its weights; None where there is none."""
    path = Path(str(files("minirag_chat.models").joinpath("adapters", f"{weights}.safetensors")))
    if not path.is_file():
        return None
    facts = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return Adapter(path, facts)
