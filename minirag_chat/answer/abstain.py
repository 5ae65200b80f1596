"""Silence: how likely it is that the messages say, and what to say when they do not.

A small logistic model joins the signals. ``abstain.json`` has its weights, with the data that they
were fitted on: one fit for each set of signals that can be had, the richest first.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from minirag_chat.answer.words import log_odds
from minirag_chat.records import Reason

NOTHING_FOUND_COVERAGE = 0.25
UNSURE_MARGIN = 0.1
PROBABILITIES = frozenset({"stated", "happened"})
"""Signals that are probabilities of the model: they enter as log-odds."""


def confidence(signals: Mapping[str, float]) -> float:
    """P(the messages state the answer), in [0, 1], from as many signals as there are.

    ``coverage`` and ``cosine`` are those of the best chunks; ``stated`` is the model's P(the messages
    state the answer), ``happened`` its P(they show the event).
    """
    for fit in _fits():
        weights: dict[str, float] = fit["weights"]
        if all(name in signals for name in weights if name != "bias"):
            total = sum(
                weight if name == "bias" else weight * _scaled(name, signals[name])
                for name, weight in weights.items()
            )
            return 1 / (1 + math.exp(-total))
    return 0.0


def reason(signals: Mapping[str, float], sure: float, threshold: float) -> Reason:
    """Why there is no answer."""
    if signals.get("coverage", 0.0) < NOTHING_FOUND_COVERAGE:
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


def _scaled(name: str, value: float) -> float:
    return log_odds(value) if name in PROBABILITIES else value


@cache
def _fits() -> list[dict[str, Any]]:
    text = files("minirag_chat.answer").joinpath("abstain.json").read_text(encoding="utf-8")
    loaded: list[dict[str, Any]] = json.loads(text)["fits"]
    return loaded
