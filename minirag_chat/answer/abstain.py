"""Two probabilities: that the messages state the answer, and that the answer given is right.

Two small logistic regressions over the same signals. ``abstain.json`` has their weights and what they
were fitted on (``minirag-chat bench fit``). It lists one fit for each set of signals, the largest set
first: for the trained reader, another language model, the extractive reader with a ranker and without.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from minirag_chat.answer.word_overlap import log_odds
from minirag_chat.records import Reason

NOTHING_FOUND_COVERAGE = 0.25
UNSURE_MARGIN = 0.1
READ_SHARE, COMPUTED_SHARE = 0.42, 0.22
"""The fraction of the threshold that P(right) must reach for an answer that was read, or worked out."""
LISTED_SHARE = 0.17
"""The same for an answer that lists several things: a part of the list is worth showing."""
WRITTEN_SHARE = 1.2
"""That which P(the messages state the answer) must reach once it is written: then more is known of it."""
SAYS_SO, SAYS_NOT = 0.75, 0.1
"""P(the messages state the answer) assumed where a model answered, or refused, and gave no number."""
PROBABILITIES = frozenset({"stated"})
"""Signals that are probabilities: the regressions get them as log-odds."""


def answerable(signals: Mapping[str, float]) -> float:
    """P(the messages state the answer), in [0, 1], from the signals that are available.

    ``silence`` is a trained reader's log-odds that they do not, ``cited`` the ranker's score of the best
    message that its answer names; ``states`` the ranker's log-odds of the best message; ``coverage`` and
    ``cosine`` are those of the best chunks; ``stated`` is the model's P(the messages state the answer).
    Instead of ``stated`` there may be ``happened``, P(they show the event), or ``says``: 1 if a model that
    was allowed to refuse answered, 0 if it refused.
    """
    return _estimate("answerable", signals)


def confidence(signals: Mapping[str, float]) -> float:
    """P(the answer given is right), in [0, 1], from the same signals."""
    return _estimate("right", signals)


def reason(signals: Mapping[str, float], sure: float, threshold: float) -> Reason:
    """Why nothing was read, or why the answer is not shown.

    Used only where the reader gave no reason of its own. If the filters leave no message, the caller says
    ``no_messages`` instead.

    =================  ======================================================================
    ``nothing_found``  the best chunks have less than a quarter of the question's words
    ``unsure``         P(the messages state it) is less than 0.1 below the threshold
    ``not_stated``     P(the messages state it) is further below it
    =================  ======================================================================
    """
    if signals.get("coverage", 0.0) < NOTHING_FOUND_COVERAGE:
        return "nothing_found"
    return "unsure" if threshold - sure < UNSURE_MARGIN else "not_stated"


def scaled(name: str, value: float) -> float:
    """A signal as input of the regressions: a probability becomes log-odds."""
    return log_odds(value) if name in PROBABILITIES else value


def _estimate(target: str, signals: Mapping[str, float]) -> float:
    if "happened" in signals:
        signals = {"stated": signals["happened"], **signals}
    if "says" in signals:
        signals = {"stated": SAYS_SO if signals["says"] else SAYS_NOT, **signals}
    for weights in _fits()[target]:
        if all(name in signals for name in weights if name != "bias"):
            total = weights["bias"] + sum(
                weight * scaled(name, signals[name])
                for name, weight in weights.items()
                if name != "bias"
            )
            return 1 / (1 + math.exp(-total))
    return 0.0


@cache
def _fits() -> dict[str, list[dict[str, float]]]:
    text = files("minirag_chat.answer").joinpath("abstain.json").read_text(encoding="utf-8")
    loaded: dict[str, list[dict[str, Any]]] = json.loads(text)["fits"]
    return {target: [dict(fit["weights"]) for fit in fits] for target, fits in loaded.items()}
