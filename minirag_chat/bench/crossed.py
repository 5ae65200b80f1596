"""Cross-validation: predictions for questions that the models were not fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def left_out(
    model: Any,
    values: NDArray[np.float64],
    truth: NDArray[np.bool_],
    questions: Sequence[str],
    *,
    folds: int,
    repeats: int,
) -> NDArray[np.float64]:
    """The mean log-odds of each example, by models fitted without its question, shape (examples,).

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
            cv=StratifiedGroupKFold(folds, shuffle=True, random_state=seed),
            method="decision_function",
        )
        for seed in range(repeats)
    ]
    return np.asarray(np.mean(rounds, axis=0), dtype=np.float64)
