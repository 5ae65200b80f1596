"""Several runs side by side: ablations, models, settings. One row for each run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from minirag_chat.bench.judge import Verdict
from minirag_chat.bench.report import RULES, Run, judged, judgements
from minirag_chat.bench.scores import Judged, accuracy, ranking, silence, spread
from minirag_chat.bench.tables import number, share, table
from minirag_chat.errors import BadSetting, NotFound

TITLES = (
    "run", "n", "right", "wrong", "silent", "score", "change (95%)", "refused", "wrongly refused",
    "AUROC", "evidence removed: silent", "hit@1", "hit@5", "recall@5", "median s",
)  # fmt: skip


def compare(runs: Sequence[Run], judge: str = RULES) -> str:
    """A Markdown table; the others are compared with the first run, question by question.

    "change" is the difference of the score on the questions that both answered, with a paired
    bootstrap interval. Raises ``NotFound`` if a run has no verdicts of ``judge``, ``BadSetting`` if two have
    different messages or questions, since their ids are then not comparable.
    """
    for run, what in product(runs[1:], ("messages", "questions")):
        if run.facts["key"][what] != runs[0].facts["key"][what]:
            raise BadSetting(
                f"{run.out} and {runs[0].out} have different {what}: compare runs of one corpus."
            )
    rows = [_rows(run, judge) for run in runs]
    pairs = zip(runs, rows, strict=True)
    return table(TITLES, [_line(run, own, rows[0], first=run is runs[0]) for run, own in pairs])


def _rows(run: Run, judge: str) -> list[Judged]:
    verdicts = judgements(run)
    if judge not in verdicts:
        raise NotFound(f"{run.out} has no verdicts of {judge!r}: it has {', '.join(verdicts)}.")
    return judged(run.answers, verdicts[judge])


def _line(run: Run, rows: list[Judged], base: list[Judged], *, first: bool) -> list[str]:
    cells = [_name(run), str(len(rows))]
    if rows:
        said, flag = accuracy(rows), silence(rows)
        cells += [share(said.right), share(said.wrong), share(said.silent), f"{said.score:+.3f}"]
        cells += ["\u2013" if first else _change(rows, base)]
        cells += [share(flag.refused), share(flag.wrongly_refused), number(flag.separation)]
    else:
        cells += ["\u2013"] * 8
    silent = [row.abstained for row in run.removed]
    cells.append(f"{100 * sum(silent) / len(silent):.1f}%" if silent else "\u2013")
    found = [row for row in run.retrieved if row.method == run.facts["settings"]["method"]]
    if found:
        figures = ranking(found)
        hits = [figures.hits[1].value, figures.hits[5].value, figures.recall]
        cells += [number(value) for value in hits]
    else:
        cells += ["\u2013"] * 3
    total = [row.timings["total"] for row in run.answers if "total" in row.timings]
    return [*cells, f"{spread(total)[0]:.2f}" if total else "\u2013"]


def _name(run: Run) -> str:
    left_out = run.facts["settings"]["without"]
    return f"{run.out.name}: without {', '.join(left_out)}" if left_out else run.out.name


def _change(rows: Sequence[Judged], base: Sequence[Judged]) -> str:
    """The mean difference of the paper's score on shared questions, with its interval."""
    import numpy as np
    from scipy.stats import bootstrap

    before = {row.answered.id: _points(row.verdict) for row in base}
    differences = np.array(
        [_points(r.verdict) - before[r.answered.id] for r in rows if r.answered.id in before],
        dtype=float,
    )
    if not len(differences):
        return "\u2013"
    mean = float(differences.mean())
    if not differences.any():
        return f"{mean:+.3f}"
    found = bootstrap((differences,), np.mean, rng=np.random.default_rng(1), method="percentile")
    low, high = found.confidence_interval
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"


def _points(verdict: Verdict) -> int:
    return {"right": 1, "irrelevant": 0, "wrong": -1}[verdict]
