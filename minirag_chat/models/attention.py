"""Which passages of a prompt a question's attention goes to.

A few heads of a transformer, its retrieval heads, look back at what answers the question (Wu et
al. 2024, "Retrieval Head Mechanistically Explains Long-Context Factuality"; Zhang et al. 2025,
"Query-Focused Retrieval Heads"). Which ones they are differs from model to model:
``retrieval_heads.json`` holds those that ``minirag-chat bench heads`` found on the sample corpora.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

Attention = NDArray[np.float64]
"""Shape (layers, heads, passages): the mean share of a question token's attention."""
Heads = tuple[tuple[int, int], ...]
"""(layer, head) from 0, the best one first."""
Span = tuple[int, int]


@cache
def known_heads() -> dict[str, Heads]:
    """The retrieval heads of each model by its catalog name."""
    text = files("minirag_chat.models").joinpath("retrieval_heads.json").read_text("utf-8")
    models: dict[str, dict[str, Any]] = json.loads(text)
    return {name: tuple((int(a), int(b)) for a, b in m["heads"]) for name, m in models.items()}


def places(text: str, passages: Sequence[str]) -> list[Span]:
    """Where each passage stands in ``text``, in characters; they stand there in this order.

    Raises ``ValueError`` for one that is not there.
    """
    found: list[Span] = []
    for passage in passages:
        start = text.index(passage, found[-1][1] if found else 0)
        found.append((start, start + len(passage)))
    return found


def tokens_of(spans: Sequence[Span], offsets: Sequence[Span]) -> list[Span]:
    """Spans of characters as spans of tokens; ``offsets`` are the tokens' own characters."""
    starts = np.array([start for start, _ in offsets])
    return [
        (int(np.searchsorted(starts, start)), int(np.searchsorted(starts, end)))
        for start, end in spans
    ]


@contextmanager
def looking(model: Any) -> Iterator[None]:
    """Compute attention so that it can be looked at: slower, so only for a few tokens."""
    usual = model.config._attn_implementation  # noqa: SLF001 - transformers has no public name for it
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(usual)


def to_passages(layers: Sequence[Any], spans: Sequence[Span]) -> Attention:
    """Sum what the last tokens read attend to, by passage; ``layers`` as transformers gives them."""
    import torch

    found = []
    for layer in layers:
        mean = layer[0].float().mean(dim=1)  # (heads, all tokens)
        found.append(torch.stack([mean[:, start:end].sum(dim=1) for start, end in spans], dim=1))
    return np.asarray(torch.stack(found).cpu().numpy(), dtype=np.float64)


def by_heads(attention: Attention, heads: Heads) -> tuple[float, ...]:
    """The z-scores of the passages, as the mean over the heads' own z-scores."""
    return tuple(
        float(v) for v in z_scores(attention)[tuple(zip(*heads, strict=True))].mean(axis=0)
    )


def z_scores(attention: Attention) -> Attention:
    """Over the passages, for each head: mean 0 and deviation 1."""
    spread = attention.std(axis=-1, keepdims=True)
    centred = attention - attention.mean(axis=-1, keepdims=True)
    z: Attention = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)
    return z
