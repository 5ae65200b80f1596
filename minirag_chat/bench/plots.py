"""The plots of a run, as PNG: effect of the threshold, risk against coverage, calibration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from minirag_chat.bench.scores import Judged, refusal_curve, reliability, risk_coverage
from minirag_chat.errors import BadSetting
from minirag_chat.system.installing import how_to_add

SIZE = (5.0, 4.0)
DOTS = 120  # per inch


def draw(rows: Sequence[Judged], out: Path) -> list[Path]:
    """Write ``threshold.png``, ``risk_coverage.png`` and ``calibration.png``; returns their paths.

    Raises ``BadSetting`` if matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise BadSetting(
            f"The plots need matplotlib: install it with `{how_to_add('bench')}`, or leave them "
            "out with --no-plots."
        ) from error
    files = []
    for name, painter in (
        ("threshold", _threshold), ("risk_coverage", _risk), ("calibration", _calibration),
    ):  # fmt: skip
        figure = Figure(figsize=SIZE, dpi=DOTS, layout="constrained")
        axes = figure.add_subplot()
        painter(axes, rows)
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.grid(alpha=0.3)
        file = out / f"{name}.png"
        figure.savefig(file)
        files.append(file)
    return files


def _threshold(axes: Any, rows: Sequence[Judged]) -> None:
    thresholds, unknown, known = refusal_curve(rows)
    axes.plot(thresholds, unknown, label="unanswerable refused")
    axes.plot(thresholds, known, label="answerable wrongly refused")
    axes.set(xlabel="abstain_below", ylabel="share of the questions")
    axes.legend()


def _risk(axes: Any, rows: Sequence[Judged]) -> None:
    axes.plot(*risk_coverage(rows))
    axes.set(
        xlabel="coverage: share of all questions answered", ylabel="risk: share of those not right"
    )


def _calibration(axes: Any, rows: Sequence[Judged]) -> None:
    given = [row for row in rows if not row.answered.abstained]
    right = np.array([row.verdict == "right" for row in given], dtype=bool)
    sure = np.array([row.answered.confidence for row in given], dtype=np.float64)
    bins = reliability(right, sure) if given else []
    axes.plot((0, 1), (0, 1), color="grey", linestyle=":")
    if bins:
        x, y, size = zip(*bins, strict=True)
        axes.scatter(x, y, s=[20 + 400 * s for s in size], alpha=0.7)
    axes.set(xlabel="confidence", ylabel="share right of the answers given")
