"""Fits the two logistic models of confidence on the signals of the answers in some runs.

``answerable`` estimates the probability that the messages state the answer: it decides on silence.
``right`` estimates the probability that the given answer is right: it is the confidence that is shown.
The figures are cross-validated, by corpus. A run must have answered everything
(``--set abstain_below=0``), or nothing (1); the latter is used for the first model only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minirag_chat.answer.abstain import scaled
from minirag_chat.bench.examples import Example
from minirag_chat.bench.scores import calibration_error
from minirag_chat.errors import NotFound

Target = Literal["answerable", "right"]
FOLDS, REPEATS = 5, 10
WEAK = 10.0  # inverse of the penalty, which is small, for three signals and a hundred answers
FEWEST = 20  # answers of each class
WITHOUT_A_MODEL = (None, "states")  # readers with a model have these signals too, and better ones
THRESHOLDS = (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)


class Kind(NamedTuple):
    """Answers that have a signal (None: answers without a language model), and the model's inputs.

    The weight of the negatives changes what a threshold refuses, not the order. It is chosen so that one
    setting ``abstain_below`` suits all kinds.
    """

    signal: str | None
    names: tuple[str, ...]
    negative_weight: float = 1.0

    def has(self, one: Example) -> bool:
        """Whether an answer is of this kind."""
        if self.signal in WITHOUT_A_MODEL and {"stated", "silence"} & set(one.signals):
            return False
        return self.signal is None or self.signal in one.signals


KINDS: dict[Target, tuple[Kind, ...]] = {
    "answerable": (
        Kind("cited", ("silence", "other", "cited"), negative_weight=0.67),
        Kind("other", ("silence", "other"), negative_weight=0.67),
        Kind("silence", ("silence",), negative_weight=0.67),
        Kind("stated", ("coverage", "cosine", "stated")),
        Kind("states", ("states",)),
        Kind(None, ("coverage", "cosine"), negative_weight=3.5),
    ),
    "right": (
        Kind("other", ("silence", "other", "mean")),
        Kind("stated", ("coverage", "cosine", "stated")),
        Kind("states", ("states",)),
        Kind(None, ("coverage", "cosine")),
    ),
}
"""Those with the most signals first."""


class Point(NamedTuple):
    """The shares below a threshold; None if there are no answers of a kind.

    ``removed`` are questions asked without their evidence. The model itself was not fitted on them.
    """

    threshold: float
    negatives: float | None
    positives: float | None
    removed: float | None


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic model. All figures are cross-validated: of answers left out of the fit.

    ``auroc`` and ``curves`` are by corpus and for ``All``; ``calibration`` is the expected
    calibration error.
    """

    target: Target
    weights: Mapping[str, float]
    examples: int
    positives: int
    auroc: Mapping[str, float]
    calibration: float
    curves: Mapping[str, tuple[Point, ...]]


def fit(
    examples: Sequence[Example],
    target: Target,
    names: Sequence[str],
    *,
    negative_weight: float = 1.0,
) -> Fit:
    """Fit one model on the examples that have all the signals. Raises ``NotFound`` if too few."""
    from sklearn.metrics import roc_auc_score

    able = [one for one in examples if all(name in one.signals for name in names)]
    chosen = [one for one in able if not one.removed and getattr(one, target) is not None]
    truth = np.array([getattr(one, target) for one in chosen], dtype=bool)
    positives = int(truth.sum())
    if min(positives, len(truth) - positives) < FEWEST:
        raise NotFound(
            f"{positives} answers are {target} and {len(truth) - positives} are not, "
            f"with the signals {', '.join(names)}: at least {FEWEST} of each are needed."
        )
    values = _values(chosen, names)
    model = _model(negative_weight).fit(values, truth)
    weights = dict(zip(names, model.coef_[0], strict=True))
    questions = [one.question for one in chosen]
    log_odds = _left_out(_model(negative_weight), values, truth, questions)
    sure = 1 / (1 + np.exp(-log_odds))
    removed = [one for one in able if one.removed]
    silent = model.predict_proba(_values(removed, names))[:, 1] if removed else np.zeros(0)
    return Fit(
        target=target,
        weights={
            name: round(float(v), 2) for name, v in {"bias": model.intercept_[0], **weights}.items()
        },
        examples=len(chosen),
        positives=positives,
        auroc={
            name: float(roc_auc_score(truth[inside], sure[inside]))
            for name, inside in _corpora(chosen).items()
            if truth[inside].any() and not truth[inside].all()
        },
        calibration=calibration_error(truth, sure),
        curves={
            name: _curve(sure[inside], truth[inside], silent[_corpora(removed).get(name, [])])
            for name, inside in _corpora(chosen).items()
        },
    )


def _left_out(
    model: Any,
    values: NDArray[np.float64],
    truth: NDArray[np.bool_],
    questions: Sequence[str],
) -> NDArray[np.float64]:
    """The mean log-odds of each example from models fitted without its question, shape (examples,).

    ``model`` is a scikit-learn model; ``values`` has the shape (examples, signals). A question asked with
    its evidence and without is one group, and always left out as a whole.
    """
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

    rounds = [
        cross_val_predict(
            model,
            values,
            truth,
            groups=questions,
            cv=StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed),
            method="decision_function",
        )
        for seed in range(REPEATS)
    ]
    return np.asarray(np.mean(rounds, axis=0), dtype=np.float64)


def _values(chosen: Sequence[Example], names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[scaled(name, one.signals[name]) for name in names] for one in chosen])


def _curve(
    sure: NDArray[np.float64], truth: NDArray[np.bool_], removed: NDArray[np.float64]
) -> tuple[Point, ...]:
    kinds = (sure[~truth], sure[truth], removed)
    return tuple(
        Point(t, *(float((kind < t).mean()) if len(kind) else None for kind in kinds))
        for t in THRESHOLDS
    )


def _corpora(chosen: Sequence[Example]) -> dict[str, list[int]]:
    """The indices of all examples, and of those of each corpus."""
    names = dict.fromkeys(one.corpus for one in chosen)
    return {"All": list(range(len(chosen)))} | {
        name: [n for n, one in enumerate(chosen) if one.corpus == name] for name in names
    }


def _model(negative_weight: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=WEAK, class_weight={False: negative_weight, True: 1.0})


def fit_all(examples: Sequence[Example]) -> dict[Target, list[Fit]]:
    """The fits of both targets, those with most signals first; kinds without answers are left out."""
    return {
        target: [
            fit(some, target, kind.names, negative_weight=kind.negative_weight)
            for kind in kinds
            if (some := [one for one in examples if kind.has(one)])
        ]
        for target, kinds in KINDS.items()
    }


def as_document(
    examples: Sequence[Example], fits: Mapping[Target, Sequence[Fit]], day: str
) -> dict[str, Any]:
    """The content of ``abstain.json``: what the models were fitted on, their figures and weights."""
    counts = {
        name: f"{sum(one.corpus == name for one in examples)} answers"
        for name in dict.fromkeys(one.corpus for one in examples)
    }
    return {
        "fitted_on": {"date": day, **counts},
        "fits": {
            target: [
                {
                    "weights": dict(one.weights),
                    "answers": one.examples,
                    "cross_validated_auroc": {k: round(v, 3) for k, v in one.auroc.items()},
                    "cross_validated_calibration_error": round(one.calibration, 3),
                }
                for one in some
            ]
            for target, some in fits.items()
        },
    }
