"""Counting: rates with their intervals, ranks, calibration, risk against coverage, times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from minirag_chat.bench.judge import Verdict, unanswerable
from minirag_chat.bench.run_output import Answered, Retrieved

BINS = 10
HIT_RANKS = (1, 5, 10)
RECALL_RANK = 5
MESSAGE_RANKS = (5, 10, 20)
T = TypeVar("T")
ALL = "All"


@dataclass(frozen=True, slots=True)
class Rate:
    """``count`` of ``total``, with Wilson's 95% interval."""

    count: int
    total: int

    @property
    def value(self) -> float:
        """The share; NaN if the total is 0."""
        return self.count / self.total if self.total else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval; (0, 1) if the total is 0."""
        if not self.total:
            return 0.0, 1.0
        from scipy.stats import binomtest

        found = binomtest(self.count, self.total).proportion_ci(method="wilson")
        return float(found.low), float(found.high)


def rate(flags: Iterable[bool]) -> Rate:
    """The rate of true flags."""
    values = list(flags)
    return Rate(sum(values), len(values))


def by_type(items: Sequence[T], kind: Callable[[T], str]) -> dict[str, list[T]]:
    """All items, then those of each type, in the order of first occurrence."""
    groups: dict[str, list[T]] = {ALL: list(items)}
    for item in items:
        groups.setdefault(kind(item), []).append(item)
    return groups


# --- retrieval ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ranking:
    """hit@k: any evidence session in the first k; recall@5: the mean share of them; MRR."""

    hits: Mapping[int, Rate]
    recall: float
    reciprocal: float
    median_ms: float
    high_ms: float


def ranking(rows: Sequence[Retrieved]) -> Ranking:
    """The figures of one method over some questions (at least one)."""
    best = [min((rank for rank in row.ranks if rank), default=0) for row in rows]
    recall = [np.mean([0 < rank <= RECALL_RANK for rank in row.ranks]) for row in rows]
    seconds = [row.seconds for row in rows]
    return Ranking(
        hits={k: rate(0 < rank <= k for rank in best) for k in HIT_RANKS},
        recall=float(np.mean(recall)),
        reciprocal=float(np.mean([1 / rank if rank else 0.0 for rank in best])),
        median_ms=1000 * float(np.median(seconds)),
        high_ms=1000 * float(np.quantile(seconds, 0.95)),
    )


@dataclass(frozen=True, slots=True)
class MessageRanking:
    """For single messages: whether the first is evidence, and the share of evidence in the first k."""

    count: int
    first: Rate
    recalls: Mapping[int, float]


def message_ranking(rows: Sequence[Retrieved]) -> MessageRanking:
    """The figures of one method; questions whose evidence names no message do not count."""
    known = [row.message_ranks for row in rows if row.message_ranks]
    shares = {
        k: [np.mean([0 < rank <= k for rank in ranks]) for ranks in known] for k in MESSAGE_RANKS
    }
    return MessageRanking(
        count=len(known),
        first=rate(1 in ranks for ranks in known),
        recalls={k: float(np.mean(values)) if values else nan for k, values in shares.items()},
    )


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with its verdict."""

    answered: Answered
    verdict: Verdict

    @property
    def answerable(self) -> bool:
        """Whether the messages contain an answer."""
        return not unanswerable(self.answered.gold)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The paper's: right +1, irrelevant or silent 0, wrong -1; ``silent`` counts abstentions."""

    right: Rate
    wrong: Rate
    silent: Rate

    @property
    def score(self) -> float:
        """The mean of +1, 0 and -1."""
        return self.right.value - self.wrong.value


def accuracy(rows: Sequence[Judged]) -> Accuracy:
    """The figures of some answers."""
    return Accuracy(
        right=rate(row.verdict == "right" for row in rows),
        wrong=rate(row.verdict == "wrong" for row in rows),
        silent=rate(row.answered.abstained for row in rows),
    )


# --- silence --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SilenceFigures:
    """How well the flag works. NaN if there are no questions of a kind.

    ``separation`` is the AUROC of P(answerable) between answerable and unanswerable questions,
    ``ranking`` the AUROC of the confidence between right and other answers. ``calibration`` is the
    expected calibration error of the answers given, in ten bins of equal width.
    """

    refused: Rate
    wrongly_refused: Rate
    separation: float
    ranking: float
    calibration: float
    area: float


def silence(rows: Sequence[Judged]) -> SilenceFigures:
    """The figures of some answers."""
    known = [row for row in rows if row.answerable]
    unknown = [row for row in rows if not row.answerable]
    given = [row for row in rows if not row.answered.abstained]
    sure = _sure(given)
    right = np.array([row.verdict == "right" for row in given], dtype=bool)
    coverage, risk = risk_coverage(rows)
    return SilenceFigures(
        refused=rate(row.answered.abstained for row in unknown),
        wrongly_refused=rate(row.answered.abstained for row in known),
        separation=_auroc(np.array([row.answerable for row in rows], dtype=bool), _stated(rows)),
        ranking=_auroc(right, sure),
        calibration=calibration_error(right, sure),
        area=float(np.trapezoid(risk, coverage)) if len(coverage) > 1 else float("nan"),
    )


def calibration_error(right: NDArray[np.bool_], sure: NDArray[np.float64]) -> float:
    """Expected calibration error: |share right - mean confidence| by bin, weighted by its size."""
    return (
        sum(
            share * abs(accuracy - confidence)
            for confidence, accuracy, share in reliability(right, sure)
        )
        if len(right)
        else float("nan")
    )


def reliability(
    right: NDArray[np.bool_], sure: NDArray[np.float64]
) -> list[tuple[float, float, float]]:
    """(mean confidence, share right, share of all) of each bin that is not empty."""
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    return [
        (float(sure[inside].mean()), float(right[inside].mean()), float(inside.mean()))
        for inside in (bins == number for number in range(BINS))
        if inside.any()
    ]


def risk_coverage(rows: Sequence[Judged]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coverage (share of all questions answered) and risk (share wrong of those), surest first."""
    given = [row for row in rows if not row.answered.abstained]
    order = np.argsort(-_sure(given), kind="stable")
    wrong = np.array([row.verdict != "right" for row in given], dtype=float)[order]
    count = np.arange(1, len(given) + 1)
    return count / max(len(rows), 1), np.cumsum(wrong) / count


def refusal_curve(
    rows: Sequence[Judged],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Thresholds, and the shares of unanswerable and answerable questions below each."""
    thresholds = np.linspace(0, 1, 21)
    known, unknown = (
        _stated([row for row in rows if row.answerable is kind]) for kind in (True, False)
    )
    below = [
        np.array([float((part < t).mean()) if len(part) else np.nan for t in thresholds])
        for part in (unknown, known)
    ]
    return thresholds, below[0], below[1]


def _sure(rows: Sequence[Judged]) -> NDArray[np.float64]:
    return np.array([row.answered.confidence for row in rows], dtype=np.float64)


def _stated(rows: Sequence[Judged]) -> NDArray[np.float64]:
    """P(the messages state the answer), which decides on silence."""
    return np.array(
        [row.answered.signals.get("answerable", row.answered.confidence) for row in rows],
        dtype=np.float64,
    )


def _auroc(positive: NDArray[np.bool_], score: NDArray[np.float64]) -> float:
    if positive.all() or not positive.any():  # also if there are no rows
        return float("nan")
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(positive, score))


# --- speed ----------------------------------------------------------------------------------------


def spread(values: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    return float(np.median(values)), float(np.quantile(values, 0.95))
