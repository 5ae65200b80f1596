"""Fits linear probes on the hidden states that runs kept: which of them see that messages state it.

What a probe is told by, and what the second model (``fit``) learns from, are its log-odds on
questions that it was not fitted on: the same question asked with its evidence and without it is
always left out together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minirag_chat.answer.probe import Probe
from minirag_chat.bench.crossed import left_out
from minirag_chat.bench.examples import Example
from minirag_chat.bench.lines import unpacked

FOLDS, REPEATS = 8, 3
STRONG = 3e-3  # the penalty's inverse: there are more dimensions than answers
FEWEST = 60  # states of each class
DIGITS = 4  # of a weight


@dataclass(frozen=True, slots=True)
class FittedProbe:
    """A probe for the model with ``weights``, and on how many states it was fitted."""

    weights: str
    probe: Probe
    states: int
    positives: int


def probed(found: Sequence[Example]) -> tuple[list[Example], list[FittedProbe]]:
    """The examples with ``probe`` as a probe says that did not know them, and a probe a model.

    A model with too few states gets none, and its examples no such signal.
    """
    known = [_without(one) for one in found]
    fitted = []
    for weights in dict.fromkeys(one.weights for one in found if one.state):
        places = [n for n, one in enumerate(found) if one.state and one.weights == weights]
        truth = np.array([found[n].answerable for n in places], dtype=bool)
        if min(truth.sum(), (~truth).sum()) < FEWEST:
            continue
        states = np.stack([unpacked(found[n].state) for n in places]).astype(np.float64)
        questions = [found[n].question for n in places]
        told = left_out(_model(), states, truth, questions, folds=FOLDS, repeats=REPEATS)
        for n, log_odds in zip(places, told, strict=True):
            signals = {**known[n].signals, "probe": float(log_odds)}
            known[n] = replace(known[n], signals=signals)
        fitted.append(FittedProbe(weights, _fit(states, truth), len(places), int(truth.sum())))
    return known, fitted


def _without(one: Example) -> Example:
    """Without what a probe said when the run was made: it may have known the question."""
    return replace(one, signals={name: v for name, v in one.signals.items() if name != "probe"})


def _fit(states: NDArray[np.float64], truth: NDArray[np.bool_]) -> Probe:
    """A logistic regression on standardised states, as a hyperplane in the states themselves."""
    scaler, model = _model().fit(states, truth)
    weights = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - weights @ scaler.mean_)
    return Probe(np.array([float(f"{w:.{DIGITS}g}") for w in weights]), round(bias, DIGITS))


def _model() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(
        StandardScaler(), LogisticRegression(C=STRONG, class_weight="balanced", max_iter=2000)
    )
