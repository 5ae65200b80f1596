"""Silence: how likely it is that the messages say, and what to say when they do not.

A small logistic model joins three signals. Its weights are in ``abstain.json`` with where they come
from; a later release calibrates them on more data.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from minirag_chat.records import Reason

NOTHING_FOUND_COVERAGE = 0.25
UNSURE_MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Signals:
    """``coverage`` and ``cosine`` of the best chunks, ``stated`` the model's P(yes) or None."""

    coverage: float
    cosine: float
    stated: float | None


def confidence(signals: Signals) -> float:
    """P(the messages state the answer), in [0, 1]."""
    weights = _weights()["model" if signals.stated is not None else "no_model"]
    total = weights["bias"]
    total += weights["coverage"] * signals.coverage + weights["cosine"] * signals.cosine
    if signals.stated is not None:
        total += weights["stated"] * _logit(signals.stated)
    return 1 / (1 + math.exp(-total))


def reason(signals: Signals, sure: float, threshold: float) -> Reason:
    """Why there is no answer."""
    if signals.coverage < NOTHING_FOUND_COVERAGE:
        return "nothing_found"
    return "unsure" if threshold - sure < UNSURE_MARGIN else "not_stated"


def wording(why: Reason) -> str:
    """The sentence that stands in place of an answer."""
    return {
        "nothing_found": "I found nothing about this in your messages.",
        "not_stated": "Your messages come close, but they do not say.",
        "unsure": "Your messages may say something about this, but I am not sure enough to answer.",
        "conflicting": "Your messages say different things about this.",
    }[why]


@cache
def _weights() -> dict[str, dict[str, float]]:
    text = files("minirag_chat.answer").joinpath("abstain.json").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, float]] = json.loads(text)["weights"]
    return loaded


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(clipped / (1 - clipped))
