"""Word overlap of two texts, by stems: the measure used for citations and coverage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import split_camel_case
from minirag_chat.store.text import searchable, stem

_WORD = lazy(r"\w+")


def stems(text: str) -> list[str]:
    """The stems of the content words of ``text``, in order; joined names (``LiHua``) are split."""
    words = [w.casefold() for w in _WORD.findall(searchable(split_camel_case(text)))]
    return [stem(word) for word in words if word not in STOP_WORDS]


def share(wanted: Iterable[str], present: Iterable[str], weights: Mapping[str, float]) -> float:
    """The weighted share of the ``wanted`` stems that are in ``present``, in [0, 1]; 0 if none is wanted."""
    wanted, present = set(wanted), set(present)
    total = sum(weights.get(stem, 1.0) for stem in wanted)
    return sum(weights.get(stem, 1.0) for stem in wanted & present) / total if total else 0.0


def stem_weights(rare: Mapping[str, float]) -> dict[str, float]:
    """Weights of words as weights of their stems."""
    return {stems(word)[0]: value for word, value in rare.items() if stems(word)}


def log_odds(probability: float) -> float:
    """The logit of a probability, clipped so that it is finite."""
    clipped = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(clipped / (1 - clipped))
