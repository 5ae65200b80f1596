"""Fits how sure the engine is: two logistic models over the signals of the answers of some runs.

``answerable`` estimates that the messages state the answer: it decides on silence. ``right``
estimates that the answer given is right: it is the confidence that is shown. Both are told by
figures on answers that they were not fitted on (cross-validated), by corpus. The runs must have
answered everything: ``--set abstain_below=0``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from minirag_chat.answer.abstain import scaled
from minirag_chat.bench.judge import unanswerable
from minirag_chat.bench.metrics import calibration_error
from minirag_chat.bench.report import PEOPLE, RULES, Run, judgements
from minirag_chat.errors import BadSetting, NotFound

Target = Literal["answerable", "right"]
WITH_MODEL = ("coverage", "cosine", "stated")
WITHOUT = ("coverage", "cosine")
FOLDS, REPEATS = 5, 10
WEAK = 10.0  # the penalty's inverse: three signals and a hundred answers need little
FEWEST = 20  # answers of each class
UNANSWERABLE = 3.0
"""What an unanswerable question weighs without a model, whose signals alone would refuse hardly any."""
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)


@dataclass(frozen=True, slots=True)
class Example:
    """One answer: its signals, whether the messages say, whether what it said is right."""

    corpus: str
    signals: Mapping[str, float]
    answerable: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic model. All figures are of answers left out of the fit that judged them.

    ``auroc`` by corpus and ``All``; ``calibration`` is the expected calibration error; ``curve``
    has for each threshold the shares of negatives and of positives that lie below it.
    """

    target: Target
    weights: Mapping[str, float]
    examples: int
    positives: int
    auroc: Mapping[str, float]
    calibration: float
    curve: tuple[tuple[float, float, float], ...]


def examples(runs: Sequence[Run]) -> list[Example]:
    """The answers of the runs, judged by people where they read all, else by the rules.

    What was compared or counted in code has no reading to learn from and is left out. Raises
    ``BadSetting`` where a run kept silent.
    """
    found: list[Example] = []
    for run in runs:
        if any(answer.abstained for answer in run.answers if answer.signals):
            raise BadSetting(
                f"{run.out} kept silent on some questions, so that nothing is known of what it would "
                "have said: run it with --set abstain_below=0."
            )
        verdicts = judgements(run)
        best = PEOPLE if len(verdicts.get(PEOPLE, ())) == len(run.answers) else RULES
        for answer in run.answers:
            if set(WITHOUT) <= set(answer.signals):
                known = not unanswerable(answer.gold)
                right = known and verdicts[best][answer.id] == "right"
                found.append(Example(str(run.facts["corpus"]), answer.signals, known, right))
    return found


def fit(
    found: Sequence[Example], target: Target, names: Sequence[str], *, against: float = 1.0
) -> Fit:
    """Fit one model on the examples that have all the signals; ``against`` weighs the negatives.

    Raises ``NotFound`` for too few.
    """
    chosen = [one for one in found if all(name in one.signals for name in names)]
    truth = np.array([getattr(one, target) for one in chosen], dtype=bool)
    positives = int(truth.sum())
    if min(positives, len(truth) - positives) < FEWEST:
        raise NotFound(
            f"{positives} answers are {target} and {len(truth) - positives} are not, "
            f"with the signals {', '.join(names)}: at least {FEWEST} of each are needed."
        )
    values = np.array([[scaled(name, one.signals[name]) for name in names] for one in chosen])
    model = _model(against).fit(values, truth)
    weights = dict(zip(names, model.coef_[0], strict=True))
    sure = _left_out(values, truth, against)
    return Fit(
        target=target,
        weights={
            name: round(float(v), 2) for name, v in {"bias": model.intercept_[0], **weights}.items()
        },
        examples=len(chosen),
        positives=positives,
        auroc=_by_corpus(chosen, truth, sure),
        calibration=calibration_error(truth, sure),
        curve=tuple(
            (t, float((sure[~truth] < t).mean()), float((sure[truth] < t).mean()))
            for t in THRESHOLDS
        ),
    )


def _model(against: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=WEAK, class_weight={False: against, True: 1.0})


def _left_out(
    values: NDArray[np.float64], truth: NDArray[np.bool_], against: float
) -> NDArray[np.float64]:
    """For each example the mean of what models say that were fitted without it."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    rounds = [
        cross_val_predict(
            _model(against),
            values,
            truth,
            cv=StratifiedKFold(FOLDS, shuffle=True, random_state=seed),
            method="predict_proba",
        )[:, 1]
        for seed in range(REPEATS)
    ]
    return np.asarray(np.mean(rounds, axis=0), dtype=np.float64)


def _by_corpus(
    chosen: Sequence[Example], truth: NDArray[np.bool_], sure: NDArray[np.float64]
) -> dict[str, float]:
    from sklearn.metrics import roc_auc_score

    corpora = np.array([one.corpus for one in chosen])
    groups = {"All": np.ones(len(chosen), dtype=bool)}
    groups |= {name: corpora == name for name in dict.fromkeys(corpora.tolist())}
    return {
        name: float(roc_auc_score(truth[inside], sure[inside]))
        for name, inside in groups.items()
        if truth[inside].any() and not truth[inside].all()
    }


def fit_all(found: Sequence[Example]) -> dict[Target, list[Fit]]:
    """The fits of both targets, the one with a language model first where there are such answers."""
    read = [one for one in found if "stated" in one.signals]
    quoted = [one for one in found if "stated" not in one.signals]
    kinds = [(read, WITH_MODEL, 1.0), (quoted, WITHOUT, UNANSWERABLE)]
    return {
        target: [
            fit(some, target, names, against=against if target == "answerable" else 1.0)
            for some, names, against in kinds
            if some
        ]
        for target in get_args(Target)
    }


def as_document(
    found: Sequence[Example], fits: Mapping[Target, Sequence[Fit]], day: str
) -> dict[str, Any]:
    """What ``abstain.json`` holds: what was fitted on what, how well it does, and the weights."""
    counts = {
        name: f"{sum(one.corpus == name for one in found)} answers"
        for name in dict.fromkeys(one.corpus for one in found)
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
